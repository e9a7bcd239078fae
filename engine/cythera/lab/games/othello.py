"""Othello on boards of 4, 6 or 8 squares a side: Black (X) is MAX and moves first.

The board is two numbers, one bit for each disc, row by row from the top left. A player who cannot
move passes; when neither can, the one with more discs wins. The value is the difference in discs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.game import BACKWARD, CAPTURE, FORWARD, MAX, MIN, THREAT, Game, Picture, Player
from cythera.lab.texts import say

PASS = -1
SIZES = (4, 6, 8)
WEIGHTS = (0.25, 4.0, 0.5, -1.5)  # of the features, in discs


class Board(NamedTuple):
    x: int
    o: int
    turn: Player


class Othello(Game[Board, int]):
    """An action is the index of a square, or PASS; moves are written like c4, or "pass".

    >>> game = Othello(8)
    >>> sorted(game.action_name(action) for action in game.actions(game.initial()))
    ['c4', 'd3', 'e6', 'f5']
    """

    default_depth = 3

    def __init__(self, size: int = 8, moves: str = "") -> None:
        if size not in SIZES:
            raise LabError(say("error.othello_size", size=size))
        self.name = say("name.othello", size=size)
        self.size = size
        self.squares = size * size
        self.weights: tuple[float, ...] = WEIGHTS
        full = (1 << self.squares) - 1
        first = sum(1 << row * size for row in range(size))  # the first column
        last = first << size - 1
        # One shift per direction, and the squares it can come from without leaving the board at the side.
        self.directions = (
            (1, full & ~last),
            (-1, full & ~first),
            (size, full),
            (-size, full),
            (size + 1, full & ~last),
            (size - 1, full & ~first),
            (1 - size, full & ~last),
            (-1 - size, full & ~first),
        )
        self.full = full
        corners = (0, size - 1, size * (size - 1), size * size - 1)
        self.corners = sum(1 << square for square in corners)
        self.beside_corner = {corner: self.around(1 << corner) for corner in corners}
        middle = size // 2
        black = 1 << (middle - 1) * size + middle | 1 << middle * size + middle - 1
        white = 1 << (middle - 1) * size + middle - 1 | 1 << middle * size + middle
        self.start = Board(black, white, MAX)
        for move in moves.split():
            if self.is_terminal(self.start):
                raise LabError(say("error.game_over", moves=moves, move=move))
            self.start = self.result(self.start, self.parse_action(self.start, move))

    def around(self, squares: int) -> int:
        """The squares next to some, in all eight directions."""
        found = 0
        for step, allowed in self.directions:
            found |= self.shift(squares & allowed, step)
        return found

    def shift(self, squares: int, step: int) -> int:
        return (squares << step if step > 0 else squares >> -step) & self.full

    def initial(self) -> Board:
        return self.start

    def player(self, state: Board) -> Player:
        return state.turn

    def sides(self, state: Board) -> tuple[int, int]:
        """The mover's discs, then the opponent's."""
        return (state.x, state.o) if state.turn == MAX else (state.o, state.x)

    def landing(self, mine: int, theirs: int) -> int:
        """The empty squares where a disc of mine would turn some of theirs."""
        found, empty = 0, self.full & ~(mine | theirs)
        for step, allowed in self.directions:
            row = self.shift(mine & allowed, step) & theirs
            while row:
                row = self.shift(row & allowed, step)
                found |= row & empty
                row &= theirs
        return found

    def flipped(self, mine: int, theirs: int, square: int) -> int:
        """The discs of theirs that a disc of mine on a square turns."""
        found = 0
        for step, allowed in self.directions:
            row, here = 0, self.shift(1 << square & allowed, step)
            while here & theirs:
                row |= here
                here = self.shift(here & allowed, step)
            if here & mine:
                found |= row
        return found

    def actions(self, state: Board) -> Sequence[int]:
        squares = self.landing(*self.sides(state))
        if not squares:
            return [PASS]
        found = []
        while squares:
            lowest = squares & -squares
            found.append(lowest.bit_length() - 1)
            squares ^= lowest
        return found

    def result(self, state: Board, action: int) -> Board:
        if action == PASS:
            return Board(state.x, state.o, 1 - state.turn)
        mine, theirs = self.sides(state)
        turned = self.flipped(mine, theirs, action)
        mine, theirs = mine | turned | 1 << action, theirs ^ turned
        return Board(mine, theirs, MIN) if state.turn == MAX else Board(theirs, mine, MAX)

    def is_terminal(self, state: Board) -> bool:
        if state.x | state.o == self.full:
            return True
        return not self.landing(state.x, state.o) and not self.landing(state.o, state.x)

    def utility(self, state: Board) -> float:
        return state.x.bit_count() - state.o.bit_count()

    def features(self, state: Board) -> tuple[float, ...]:
        """Black's discs, corners, moves and squares beside an empty corner, less White's."""
        x, o = state.x, state.o
        taken = x | o
        dangerous = 0
        for corner, squares in self.beside_corner.items():
            if not taken >> corner & 1:
                dangerous |= squares
        return (
            x.bit_count() - o.bit_count(),
            (x & self.corners).bit_count() - (o & self.corners).bit_count(),
            self.landing(x, o).bit_count() - self.landing(o, x).bit_count(),
            (x & dangerous).bit_count() - (o & dangerous).bit_count(),
        )

    def evaluate(self, state: Board) -> float:
        total = sum(weight * feature for weight, feature in zip(self.weights, self.features(state), strict=True))
        return max(-self.squares + 1.0, min(self.squares - 1.0, total))

    def bounds(self, state: Board) -> tuple[float, float]:
        """Nobody can have more than all the squares."""
        return -self.squares, self.squares

    def urgency(self, state: Board, action: int) -> int:
        """Corners, then edges, then the rest; squares that give a corner away last."""
        if action == PASS:
            return FORWARD
        if self.corners >> action & 1:
            return CAPTURE
        taken = state.x | state.o
        if any(not taken >> corner & 1 and squares >> action & 1 for corner, squares in self.beside_corner.items()):
            return BACKWARD
        row, column = divmod(action, self.size)
        return THREAT if {row, column} & {0, self.size - 1} else FORWARD

    def rows(self, state: Board) -> list[str]:
        marks = ["X" if state.x >> square & 1 else "O" if state.o >> square & 1 else "." for square in
                 range(self.squares)]  # fmt: skip
        return ["".join(marks[row * self.size : (row + 1) * self.size]) for row in range(self.size)]

    def describe(self, state: Board) -> str:
        legal = set() if self.is_terminal(state) else set(self.actions(state))
        lines = ["  " + " ".join("abcdefgh"[: self.size])]
        for row, text in enumerate(self.rows(state)):
            marks = [
                "+" if mark == "." and row * self.size + column in legal else mark for column, mark in enumerate(text)
            ]
            lines.append(f"{row + 1} " + " ".join(marks))
        lines.append(say("board.othello", x=state.x.bit_count(), o=state.o.bit_count(), turn="XO"[state.turn]))
        return "\n".join(lines)

    def picture(self, state: Board) -> Picture:
        return Picture("othello", tuple(self.rows(state)))

    def action_name(self, action: int) -> str:
        if action == PASS:
            return "pass"
        return "abcdefgh"[action % self.size] + str(action // self.size + 1)

    def side_name(self, player: Player) -> str:
        return "XO"[player]

    def move_help(self) -> str:
        return say("moves.othello")
