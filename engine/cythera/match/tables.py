"""Adjudication by endgame tables: what they know of a position ends the game."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from cythera.match.match_errors import MatchError

if TYPE_CHECKING:
    import chess

    from cythera.tables import Tables

FIFTY_MOVES = 100  # half-moves
PACKAGE = "package"  # the tables that come with Cythera


@lru_cache(maxsize=4)
def open_tables(folders: str) -> Tables:
    """The tables of folders, separated as in PATH, or those of the package."""
    from cythera.tables import Tables, package_tables

    if folders == PACKAGE:
        return package_tables()
    tables = Tables(*filter(None, folders.split(os.pathsep)))
    if not tables.largest:
        raise MatchError(f"no endgame tables (*.rtbw) in {folders}")
    return tables


def table_verdict(board: chess.Board, tables: Tables) -> tuple[str, str] | None:
    """`(result, reason)` of a position that tables know, the half-move clock taken into account, else None.

    A result without a known distance is used right after a capture or pawn move only: later the fifty-move rule
    might end the game first. For the same reason a win that would come on the last half-move is left alone, since a
    distance can be one half-move too small.
    """
    import chess

    if chess.popcount(board.occupied) > tables.largest or board.clean_castling_rights():
        return None
    from cythera.board.position import Position
    from cythera.tables import verdict

    known = verdict(Position.from_board(board, history=False), tables)
    clock = board.halfmove_clock
    if known is None or (known.dtz is None and clock and known.wdl):
        return None
    if known.dtz is not None and abs(known.wdl) == 2 and clock and abs(known.dtz) + clock == FIFTY_MOVES:
        return None
    if known.wdl == 0:
        return "1/2-1/2", "adjudication: tablebase draw"
    if abs(known.wdl) == 1:
        return "1/2-1/2", "adjudication: tablebase draw by the fifty-move rule"
    white = (known.wdl > 0) == (board.turn == chess.WHITE)
    return "1-0" if white else "0-1", f"adjudication: tablebase win for {'white' if white else 'black'}"
