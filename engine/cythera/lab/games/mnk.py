"""m,n,k games: k in a line on a board of m columns and n rows. X is MAX and moves first.

Tic-tac-toe is 3,3,3 and Go-Moku 15,15,5; the lab plays the small ones. The player who completes k or more in
a row, column or diagonal wins; a full board is a draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.game import BACKWARD, CAPTURE, FORWARD, MAX, MIN, THREAT, Game, Picture, Player
from cythera.lab.texts import say

COLUMNS = "abcdefghjklmnop"  # without i, as on Go boards
MOST_SIDE = 15


class Stones(NamedTuple):
    x: int
    o: int


class InALine(Game[Stones, int]):
    """An action is the index of a square, row by row; moves are written like c2.

    >>> game = InALine(3, 3, 3, "b2 a1 c1 a3 a2")
    >>> game.action_name(game.winning_moves(game.initial(), MAX)[0])
    'c2'
    """

    has_signs_only = True
    default_depth = 3

    def __init__(self, columns: int = 5, rows: int = 5, in_line: int = 4, moves: str = "") -> None:
        if not (1 <= columns <= MOST_SIDE and 1 <= rows <= MOST_SIDE and 1 <= in_line <= MOST_SIDE):
            raise LabError(say("error.mnk", most=MOST_SIDE, columns=columns, rows=rows, in_line=in_line))
        self.name = say("name.mnk", columns=columns, rows=rows, in_line=in_line)
        self.columns, self.height, self.in_line = columns, rows, in_line
        self.squares = columns * rows
        if self.squares <= 9:
            self.default_depth = None  # type: ignore[assignment]
        self.start = Stones(0, 0)
        for move in moves.split():
            if self.is_terminal(self.start):
                raise LabError(say("error.game_over", moves=moves, move=move))
            self.start = self.result(self.start, self.parse_action(self.start, move))

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """Every k in a line, as bits."""
        found = []
        for row in range(self.height):
            for column in range(self.columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    last_row, last_column = row + down * (self.in_line - 1), column + right * (self.in_line - 1)
                    if last_row < self.height and 0 <= last_column < self.columns:
                        steps = range(self.in_line)
                        squares = {(row + down * i) * self.columns + column + right * i for i in steps}
                        found.append(sum(1 << square for square in squares))
        return tuple(dict.fromkeys(found))

    @cached_property
    def lines_through(self) -> tuple[tuple[int, ...], ...]:
        """The lines through each square."""
        return tuple(tuple(line for line in self.lines if line >> square & 1) for square in range(self.squares))

    def initial(self) -> Stones:
        return self.start

    def player(self, state: Stones) -> Player:
        return MAX if state.x.bit_count() == state.o.bit_count() else MIN

    def actions(self, state: Stones) -> Sequence[int]:
        taken = state.x | state.o
        return [square for square in range(self.squares) if not taken >> square & 1]

    def result(self, state: Stones, action: int) -> Stones:
        stone = 1 << action
        return Stones(state.x | stone, state.o) if self.player(state) == MAX else Stones(state.x, state.o | stone)

    def has_line(self, stones: int) -> bool:
        return any(stones & line == line for line in self.lines)

    def is_terminal(self, state: Stones) -> bool:
        last = state.o if self.player(state) == MAX else state.x
        return (state.x | state.o).bit_count() == self.squares or self.has_line(last)

    def utility(self, state: Stones) -> float:
        return 1.0 if self.has_line(state.x) else -1.0 if self.has_line(state.o) else 0.0

    def evaluate(self, state: Stones) -> float:
        """Lines still open to one side alone, each four times as much for every stone in it; less than a win."""
        total = 0.0
        for line in self.lines:
            x, o = (state.x & line).bit_count(), (state.o & line).bit_count()
            if not o and x:
                total += 4**x
            elif not x and o:
                total -= 4**o
        return total / (abs(total) + float(4**self.in_line))

    def features(self, state: Stones) -> tuple[float, ...]:
        """Lines with 1, 2, … k − 1 stones of X and none of O, less the same for O."""
        counts = [0] * (self.in_line + 1)
        for line in self.lines:
            x, o = (state.x & line).bit_count(), (state.o & line).bit_count()
            if not o:
                counts[x] += 1
            elif not x:
                counts[o] -= 1
        return tuple(counts[1 : self.in_line])

    def bounds(self, state: Stones) -> tuple[float, float]:
        """A player without an open line can no longer win."""
        can_win = any(not line & state.o for line in self.lines)
        can_lose = any(not line & state.x for line in self.lines)
        return (-1.0 if can_lose else 0.0), (1.0 if can_win else 0.0)

    def winning_moves(self, state: Stones, player: Player) -> list[int]:
        """Squares where a player would complete a line at once."""
        mine = state.x if player == MAX else state.o
        return [
            square
            for square in self.actions(state)
            if any((mine | 1 << square) & line == line for line in self.lines_through[square])
        ]

    def urgency(self, state: Stones, action: int) -> int:
        """Winning is a capture; stopping a win, or leaving only one stone to add, a threat; then the centre."""
        mover = self.player(state)
        mine, theirs = (state.x, state.o) if mover == MAX else (state.o, state.x)
        stone, threat = 1 << action, False
        for line in self.lines_through[action]:
            if (mine | stone) & line == line:
                return CAPTURE
            if (theirs | stone) & line == line:
                threat = True
            if not theirs & line and (mine & line).bit_count() == self.in_line - 2:
                threat = True
        if threat:
            return THREAT
        row, column = divmod(action, self.columns)
        off_centre = max(abs(2 * row - self.height + 1), abs(2 * column - self.columns + 1))
        return FORWARD if off_centre <= max(self.columns, self.height) // 2 else BACKWARD

    def noisy(self, state: Stones) -> Sequence[int]:
        """A win at once; failing that, the moves that stop one."""
        mover = self.player(state)
        return self.winning_moves(state, mover) or self.winning_moves(state, 1 - mover)

    def is_quiet(self, state: Stones) -> bool:
        return not self.noisy(state)

    def may_stand_pat(self, state: Stones) -> bool:
        return self.is_quiet(state)

    def rows(self, state: Stones) -> list[str]:
        """From the top, which is the last row."""
        marks = ["X" if state.x >> square & 1 else "O" if state.o >> square & 1 else "."
                 for square in range(self.squares)]  # fmt: skip
        return ["".join(marks[row * self.columns : (row + 1) * self.columns]) for row in reversed(range(self.height))]

    def describe(self, state: Stones) -> str:
        lines = [f"{self.height - index:>2} " + " ".join(row) for index, row in enumerate(self.rows(state))]
        return "\n".join([*lines, "   " + " ".join(COLUMNS[: self.columns])])

    def picture(self, state: Stones) -> Picture:
        return Picture("marks", tuple(self.rows(state)))

    def action_name(self, action: int) -> str:
        row, column = divmod(action, self.columns)
        return f"{COLUMNS[column]}{row + 1}"

    def side_name(self, player: Player) -> str:
        return "XO"[player]

    def move_help(self) -> str:
        return say("moves.mnk")
