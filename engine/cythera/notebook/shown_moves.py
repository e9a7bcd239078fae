"""The moves on a notebook's board: a line with a place in it, and the game it may have left."""

from __future__ import annotations

from collections.abc import Sequence

from cythera.board.position import Position

NULL_TEXT = "0000"


class ShownMoves:
    """A start position, the moves after it and how many of them are played on the board.

    `game` are the moves of a game that is shown. Another move than the game's leaves it; what follows then is
    another line, and `back_to_game` returns.
    """

    def __init__(self, position: Position, game: Sequence[str] = ()) -> None:
        self.start = Position(position.root_fen(), chess960=position.chess960)
        self.moves = list(position.history())
        self.ply = len(self.moves)
        self.game = list(game)
        if game:
            self.moves = list(game)
            self.ply = 0

    def position(self, ply: int | None = None) -> Position:
        """The position on the board, or after this many moves."""
        position = self.start.copy()
        for text in self.moves[: self.ply if ply is None else ply]:
            play(position, text)
        return position

    def push(self, text: str) -> None:
        """Plays a legal move: the next one of the line, or one that replaces the rest of it."""
        if self.moves[self.ply : self.ply + 1] != [text]:
            self.moves[self.ply :] = [text]
        self.ply += 1

    def go(self, ply: int) -> None:
        self.ply = max(0, min(ply, len(self.moves)))

    @property
    def common(self) -> int:
        """How many of the first moves are those of the game."""
        pairs = zip(self.moves, self.game, strict=False)
        return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(self.moves), len(self.game)))

    @property
    def is_in_game(self) -> bool:
        """Whether the position on the board is one of the game."""
        return self.ply <= self.common

    def back_to_game(self) -> None:
        self.ply = min(self.ply, self.common)
        self.moves = list(self.game)

    def sans(self) -> list[str]:
        """All moves of the line as people write them."""
        position = self.start.copy()
        found = []
        for text in self.moves:
            found.append("--" if text == NULL_TEXT else position.san(text))
            play(position, text)
        return found


def play(position: Position, text: str) -> None:
    if text == NULL_TEXT:
        position.push_null()
    else:
        position.push(text)
