"""What is won and lost: captures played out on the board, and lines counted in pieces.

Boards are those of python-chess. Everything here is decided by legal moves and the values of the pieces;
no search and no evaluation is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess

VALUES = {1: 1, 2: 3, 3: 3, 4: 5, 5: 9, 6: 100}  # pawn to king, in pawns
NAMES = {1: "pawn", 2: "knight", 3: "bishop", 4: "rook", 5: "queen", 6: "king"}
MOST_SETTLING = 8  # plies of captures after a line
LASTING_PLIES = 4, 14  # of a line, in which its lasting balance is looked for
SHORT_PLIES = 9  # of a line whose captures, one after the other, are all counted
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


def taken_by(board: chess.Board, move: chess.Move) -> int:
    """The type of the piece that a move takes, 0 for none."""
    if board.is_en_passant(move):
        return 1
    if board.is_castling(move):
        return 0
    return board.piece_type_at(move.to_square) or 0


def exchange_gain(board: chess.Board, move: chess.Move) -> int:
    """Pawns won by a capture if both sides then take on that square as long as it pays.

    >>> import chess
    >>> board = chess.Board("4k3/2p5/3p4/4n3/8/5N2/8/4K3 w - - 0 1")
    >>> exchange_gain(board, board.parse_san("Nxe5"))
    0
    """
    gain = VALUES.get(taken_by(board, move), 0)
    if move.promotion:
        gain += VALUES[move.promotion] - 1
    board.push(move)
    gain -= recapture_gain(board, move.to_square)
    board.pop()
    return gain


def recapture_gain(board: chess.Board, square: int) -> int:
    """Pawns the side to move wins by taking on a square with its least piece, or 0 if it had better not."""
    move = least_capture(board, square)
    if move is None:
        return 0
    return max(0, exchange_gain(board, move))


def least_capture(board: chess.Board, square: int) -> chess.Move | None:
    """The legal capture on a square by the piece of least value."""
    import chess

    def value(attacker: int) -> int:
        return VALUES[board.piece_type_at(attacker) or chess.KING]

    for attacker in sorted(board.attackers(board.turn, square), key=value):
        is_pawn = board.piece_type_at(attacker) == chess.PAWN
        promotion = chess.QUEEN if is_pawn and chess.square_rank(square) in (0, 7) else None
        move = chess.Move(attacker, square, promotion=promotion)
        if board.is_legal(move):
            return move
    return None


def best_capture(board: chess.Board) -> tuple[int, chess.Move | None]:
    """The capture (or promotion) that wins most for the side to move, with what it wins; 0 and None if none does."""
    found: tuple[int, chess.Move | None] = (0, None)
    for move in board.legal_moves:
        if taken_by(board, move) or move.promotion:
            gain = exchange_gain(board, move)
            if gain > found[0]:
                found = (gain, move)
    return found


def is_winnable(board: chess.Board, square: int) -> bool:
    """Whether the side to move wins something by taking on a square."""
    return recapture_gain(board, square) > 0


def material_balance(board: chess.Board) -> int:
    """Pawns' worth of pieces that the side to move has more than the other."""
    us = board.turn
    return sum(VALUES[kind] * (len(board.pieces(kind, us)) - len(board.pieces(kind, not us))) for kind in range(1, 6))


def settled(board: chess.Board) -> tuple[chess.Board, list[chess.Move]]:
    """The position once all captures that pay have been made, with these captures."""
    board = board.copy()
    moves: list[chess.Move] = []
    while len(moves) < MOST_SETTLING:
        gain, move = best_capture(board)
        if move is None or gain <= 0:
            break
        board.push(move)
        moves.append(move)
    return board, moves


@dataclass(frozen=True)
class Swing:
    """What a side lost and won in a line, by type of piece, equal exchanges left out."""

    lost: Counter[int]
    won: Counter[int]
    promoted: int = 0  # pawns' worth of promotions, less those of the other side

    @property
    def value(self) -> int:
        """Pawns won, less pawns lost, promotions included."""
        return worth(self.won) - worth(self.lost) + self.promoted

    def lost_words(self) -> str:
        """What was lost and for what, as `the exchange`, `a knight for two pawns`; nothing if nothing was."""
        return traded_words(self.lost, self.won)

    def won_words(self) -> str:
        return traded_words(self.won, self.lost)


def worth(pieces: Counter[int]) -> int:
    return sum(VALUES[kind] * count for kind, count in pieces.items())


def lasting_swing(board: chess.Board, moves: Sequence[str]) -> Swing:
    """What the side to move loses and wins in a line for good, not in the middle of an exchange.

    Of a long line it is the balance that holds most of the time: the median over its plies, as it first stands
    for two plies in a row. At the end of a short one the captures that pay are played out.

    >>> import chess
    >>> board = chess.Board("4k3/5p2/8/3n4/8/2N5/8/3RK3 w - - 0 1")
    >>> lasting_swing(board, "c3d5 e8f8 d5e3 f8e7 e3f5 e7e6 f5d4 e6e5".split()).won_words()
    'a knight'
    """
    if len(moves) < LASTING_PLIES[0] + 2 or (len(moves) <= SHORT_PLIES and ends_quietly(board, moves)):
        return swing_of(board, moves, LASTING_PLIES[1])
    lengths = range(LASTING_PLIES[0], min(len(moves), LASTING_PLIES[1]) + 1)
    swings = {length: swing_of(board, moves[:length], length, settle=False) for length in lengths}
    value = sorted(swing.value for swing in swings.values())[len(swings) // 2]
    lasting = (one for length, one in swings.items() if one.value == value == swings.get(length + 1, one).value)
    return next(lasting, swings[lengths[-1]])


def ends_quietly(board: chess.Board, moves: Sequence[str]) -> bool:
    """Whether captures follow each other from the first two moves of a line until shortly before its end."""
    end = board.copy()
    taking = []
    for text in moves:
        move = end.parse_uci(text)
        taking.append(bool(taken_by(end, move)))
        end.push(move)
    last = max((at for at, takes in enumerate(taking) if takes), default=0)
    return last <= len(moves) - 2 and any(taking[:2]) and all(any(taking[at : at + 2]) for at in range(1, last))


def swing_of(
    board: chess.Board, moves: Iterable[str | chess.Move], most: int = 10, *, settle: bool = True
) -> Swing:
    """What the side to move loses and wins in the first moves of a line, captures that pay played out.

    >>> import chess
    >>> swing_of(chess.Board("4k3/8/8/4r3/8/2B5/8/4K3 b - - 0 1"), ["e8e7", "c3e5"]).lost_words()
    'a rook'
    """
    end = board.copy()
    for at, move in enumerate(moves):
        if at >= most:
            break
        end.push(move if not isinstance(move, str) else end.parse_uci(move))
    if settle:
        end, _ = settled(end)
    us = board.turn
    promotions: dict[bool, list[int]] = {us: [], not us: []}
    for at, played in enumerate(end.move_stack[len(board.move_stack) :]):
        if played.promotion:
            promotions[us if at % 2 == 0 else not us].append(played.promotion)
    gone: dict[bool, Counter[int]] = {us: Counter(), not us: Counter()}
    for side in gone:
        for kind in range(1, 6):
            made = len(promotions[side]) if kind == 1 else -promotions[side].count(kind)
            gone[side][kind] = max(0, len(board.pieces(kind, side)) - len(end.pieces(kind, side)) - made)
    values = {side: sum(VALUES[kind] - 1 for kind in promotions[side]) for side in promotions}
    return Swing(*cancelled(gone[us], gone[not us]), values[us] - values[not us])


def cancelled(lost: Counter[int], won: Counter[int]) -> tuple[Counter[int], Counter[int]]:
    """Both without what is the same on both sides; a knight for a bishop is an equal exchange."""
    lost, won = lost.copy(), won.copy()
    for kind, other in ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (2, 3), (3, 2)):
        same = min(lost[kind], won[other])
        lost[kind] -= same
        won[other] -= same
    return +lost, +won


def traded_words(gone: Counter[int], got: Counter[int]) -> str:
    if worth(gone) <= worth(got):
        return ""
    if sorted(gone.elements()) == [4] and len(list(got.elements())) == 1 and (got[2] or got[3]):
        return "the exchange"
    said = pieces_words(gone)
    return f"{said} for {pieces_words(got)}" if got else said


def pieces_words(pieces: Counter[int]) -> str:
    """
    >>> pieces_words(Counter({1: 2, 4: 1}))
    'a rook and two pawns'
    """
    parts = []
    for kind in (5, 4, 3, 2, 1):
        count = pieces[kind]
        if count == 1:
            parts.append("the queen" if kind == 5 else f"a {NAMES[kind]}")
        elif count:
            parts.append(f"{NUMBERS.get(count, str(count))} {NAMES[kind]}s")
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1] if parts else ""
