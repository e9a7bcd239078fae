"""What endgame tables say of a position or a move, in words for annotations. Boards in, phrases out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cythera.board.position import Position
from cythera.tables import package_tables, verdict

if TYPE_CHECKING:
    import chess

    from cythera.tables import Verdict

OUTCOMES = {2: "win", 1: "draw", 0: "draw", -1: "draw", -2: "loss"}  # by the verdict for the side to move


def table_verdict(board: chess.Board) -> Verdict | None:
    """What the tables of the package know of a position, or None."""
    if bin(board.occupied).count("1") > package_tables().largest or board.clean_castling_rights():
        return None
    return verdict(Position.from_board(board, history=False))


def distance(known: Verdict) -> str:
    """The distance to zeroing in plies as ` (DTZ 12)`, or nothing."""
    return f" (DTZ {abs(known.dtz)})" if known.dtz and abs(known.wdl) == 2 else ""


def table_phrase(board: chess.Board) -> str:
    """The verdict of a position, as `tablebase win for White (DTZ 12)`; empty where no table has it."""
    known = table_verdict(board)
    if known is None:
        return ""
    if abs(known.wdl) == 1:
        return "tablebase draw by the fifty-move rule"
    if known.wdl == 0:
        return "tablebase draw"
    return f"tablebase win for {'White' if (known.wdl > 0) == board.turn else 'Black'}{distance(known)}"


def table_reason(board: chess.Board, move: chess.Move) -> str:
    """How a move changes the result that tables give, as `turns a tablebase win (DTZ 12) into a draw`; empty where
    it does not, or no table has the positions."""
    before = table_verdict(board)
    if before is None:
        return ""
    after = board.copy(stack=False)
    after.push(move)
    then = table_verdict(after)
    if then is None:
        return ""
    was, now = OUTCOMES[before.wdl], OUTCOMES[-then.wdl]
    return "" if was == now else f"turns a tablebase {was}{distance(before)} into a {now}"
