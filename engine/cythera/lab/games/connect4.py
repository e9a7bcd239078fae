"""Connect Four, on a board of any size: X is MAX and moves first.

The board is two numbers, one bit for each disc, as engines keep theirs. A column takes height + 1
bits, bottom to top; the bit on top is always empty, so that a row never runs over into the next column:

    5 12 19 26 33 40 47      the standard board,
    …                        with bits 6, 13, 20, … kept empty
    0  7 14 21 28 35 42
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.game import BACKWARD, CAPTURE, FORWARD, MAX, MIN, THREAT, Game, Picture, Player
from cythera.lab.texts import say


class Discs(NamedTuple):
    x: int
    o: int


class ConnectFour(Game[Discs, int]):
    """Actions are columns from 0; moves are written as digits from 1.

    A win is worth 1 and one more for every square still empty, so that quick wins are better and
    slow losses less bad; a draw is worth 0. An evaluation lies between −1 and 1.

    >>> game = ConnectFour(moves="414243")
    >>> state = game.result(game.initial(), 3)
    >>> game.is_terminal(state), game.utility(state)
    (True, 36)
    """

    default_depth = 4

    def __init__(self, width: int = 7, height: int = 6, moves: str = "") -> None:
        if not (1 <= width <= 9 and 1 <= height <= 9):
            raise LabError(say("error.connect4_size", width=width, height=height))
        self.name = say("name.connect4", width=width, height=height)
        self.width = width
        self.height = height
        self.weights: tuple[float, ...] = (0.001, 0.004, 0.016)
        self.start = Discs(0, 0)
        for number, move in enumerate(moves, start=1):
            if self.is_terminal(self.start):
                raise LabError(say("error.game_over", moves=moves, move=number))
            self.start = self.result(self.start, self.parse_action(self.start, move))

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The squares of each column, as bits."""
        return tuple(((1 << self.height) - 1) << column * (self.height + 1) for column in range(self.width))

    @cached_property
    def fours(self) -> tuple[int, ...]:
        """Every four in a line, as bits."""
        step = self.height + 1
        board = sum(self.columns)
        found = []
        for square in range(self.width * step):
            for direction in (1, step - 1, step, step + 1):
                four = sum(1 << square + direction * i for i in range(4))
                if four & board == four:
                    found.append(four)
        return tuple(found)

    def initial(self) -> Discs:
        return self.start

    def player(self, state: Discs) -> Player:
        return MAX if state.x.bit_count() == state.o.bit_count() else MIN

    def actions(self, state: Discs) -> Sequence[int]:
        taken = state.x | state.o
        return [column for column, squares in enumerate(self.columns) if squares & ~taken]

    def result(self, state: Discs, action: int) -> Discs:
        taken = (state.x | state.o) & self.columns[action]
        disc = taken + (1 << action * (self.height + 1)) & ~taken  # the carry lands on the lowest empty square
        return Discs(state.x | disc, state.o) if self.player(state) == MAX else Discs(state.x, state.o | disc)

    def is_terminal(self, state: Discs) -> bool:
        last = state.o if self.player(state) == MAX else state.x
        return self.has_four(last) or self.empties(state) == 0

    def utility(self, state: Discs) -> float:
        if self.has_four(state.x):
            return 1 + self.empties(state)
        if self.has_four(state.o):
            return -1 - self.empties(state)
        return 0

    def has_four(self, discs: int) -> bool:
        """Four in a line: pairs of discs, then pairs of pairs, in each direction."""
        for direction in (1, self.height, self.height + 1, self.height + 2):
            pairs = discs & discs >> direction
            if pairs & pairs >> 2 * direction:
                return True
        return False

    def empties(self, state: Discs) -> int:
        return self.width * self.height - (state.x | state.o).bit_count()

    def features(self, state: Discs) -> tuple[float, ...]:
        """Lines of four with one, two, three discs of X and none of O, less the same for O."""
        counts = [0, 0, 0, 0, 0]
        for four in self.fours:
            x, o = (state.x & four).bit_count(), (state.o & four).bit_count()
            if not o:
                counts[x] += 1
            elif not x:
                counts[o] -= 1
        return counts[1], counts[2], counts[3]

    def evaluate(self, state: Discs) -> float:
        total = sum(weight * feature for weight, feature in zip(self.weights, self.features(state), strict=True))
        return max(-0.999, min(0.999, total))

    def bounds(self, state: Discs) -> tuple[float, float]:
        """The soonest win for each side, or a draw when none of its lines is open any more."""
        soonest = self.empties(state) - (self.player(state) == MIN)
        best = soonest if any(not four & state.o for four in self.fours) else 0
        soonest = self.empties(state) - (self.player(state) == MAX)
        worst = -soonest if any(not four & state.x for four in self.fours) else 0
        return worst, best

    def urgency(self, state: Discs, action: int) -> int:
        """A win counts as a capture, stopping one as a threat; then the centre before the edge."""
        if action in self.winning(state, state):
            return CAPTURE
        if action in self.winning(state, Discs(state.o, state.x)):
            return THREAT
        return FORWARD if abs(2 * action - self.width + 1) <= self.width // 2 else BACKWARD

    def winning(self, state: Discs, discs: Discs) -> list[int]:
        """Columns where the mover would complete four, if the discs on the board were `discs`."""
        mine = discs.x if self.player(state) == MAX else discs.o
        taken = state.x | state.o
        found = []
        for column in self.actions(state):
            below = taken & self.columns[column]
            if self.has_four(mine | below + (1 << column * (self.height + 1)) & ~below):
                found.append(column)
        return found

    def is_quiet(self, state: Discs) -> bool:
        return not self.noisy(state)

    def noisy(self, state: Discs) -> Sequence[int]:
        """A win at once; failing that, the moves that stop one."""
        return self.winning(state, state) or self.winning(state, Discs(state.o, state.x))

    def may_stand_pat(self, state: Discs) -> bool:
        return self.is_quiet(state)

    def rows(self, state: Discs) -> list[str]:
        """From the top."""
        step = self.height + 1
        rows = []
        for row in reversed(range(self.height)):
            bits = (1 << column * step + row for column in range(self.width))
            rows.append("".join("X" if state.x & bit else "O" if state.o & bit else "." for bit in bits))
        return rows

    def describe(self, state: Discs) -> str:
        numbers = (str(column + 1) for column in range(self.width))
        return "\n".join([*(" ".join(row) for row in self.rows(state)), " ".join(numbers)])

    def picture(self, state: Discs) -> Picture:
        return Picture("discs", tuple(self.rows(state)))

    def side_name(self, player: Player) -> str:
        return "XO"[player]

    def move_help(self) -> str:
        return say("moves.connect4")

    def action_name(self, action: int) -> str:
        return str(action + 1)
