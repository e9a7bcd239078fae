"""What each piece is worth to the net: what its evaluation loses when the piece is taken off the board.

This is the evaluation that plays. Pieces are followed along a line, so that a change is that of one piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cythera.board.scores import Score

if TYPE_CHECKING:
    import chess

    from cythera.board.position import Position
    from cythera.core import Net


@dataclass(frozen=True)
class Worth:
    """A piece, and what it is worth to the net in centipawns, for the side that has it.

    `ends` has its square and worth at the end of each line, the engine's first; None if it was taken.
    """

    piece: str  # a letter, capital for White
    square: str
    start: int
    ends: tuple[tuple[str, int] | None, ...]

    @property
    def changes(self) -> list[int]:
        """The change in each line, for White; a piece that was taken loses all it was worth."""
        sign = 1 if self.piece.isupper() else -1
        return [sign * ((0 if end is None else end[1]) - self.start) for end in self.ends]

    def as_json(self) -> dict[str, Any]:
        ends = [None if end is None else {"square": end[0], "worth": end[1]} for end in self.ends]
        return {"piece": self.piece, "square": self.square, "start": self.start, "ends": ends}


def net_total(net: Net, position: Position) -> int:
    """The net's evaluation for White, as the search uses it."""
    score = Score(cp=net.with_endgames(position)).white(position.turn)
    assert score.cp is not None
    return score.cp


def worths_of(net: Net, position: Position, ends: Sequence[Position]) -> Iterator[Worth]:
    """All pieces of a position but the kings, with what they are worth here and at the end of lines."""
    import chess

    now = net.piece_values(position)
    board = position.to_board()
    later = []
    for end in ends:
        moves = end.history()[len(position.history()) :]
        later.append((followed(board, moves), net.piece_values(end)))
    for square, piece in sorted(board.piece_map().items()):
        if square not in now:
            continue
        found = []
        for places, values in later:
            place = places[square]
            found.append(None if place is None else (chess.square_name(place), values.get(place, 0)))
        yield Worth(piece.symbol(), chess.square_name(square), now[square], tuple(found))


def followed(board: chess.Board, moves: Sequence[str]) -> dict[int, int | None]:
    """Square of a piece at the start of a line -> its square at the end, None if it was taken."""
    import chess

    board = board.copy(stack=False)
    places: dict[int, int | None] = {square: square for square in board.piece_map()}

    def moved(start: int, to: int | None) -> None:
        for origin, place in places.items():
            if place == start:
                places[origin] = to
                return

    for text in moves:
        move = board.parse_uci(text)
        if board.is_castling(move):
            rank = chess.square_rank(move.from_square)
            is_short = board.is_kingside_castling(move)
            rook = move.to_square if board.piece_type_at(move.to_square) == chess.ROOK else None
            if rook is None:
                rook = chess.square(7 if is_short else 0, rank)
            king_origin = next(origin for origin, place in places.items() if place == move.from_square)
            moved(rook, chess.square(5 if is_short else 3, rank))
            places[king_origin] = chess.square(6 if is_short else 2, rank)
        else:
            taken = move.to_square
            if board.is_en_passant(move):
                taken = chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
            moved(taken, None)
            moved(move.from_square, move.to_square)
        board.push(move)
    return places
