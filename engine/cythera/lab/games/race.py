"""A dice race, with the essentials of backgammon: luck, choice, and being hit.

Each side has runners that start before the track and must get past its end. The die (three sides)
is rolled, then the mover advances one of his runners by that number; landing on an enemy runner
sends it back to the start. The first player to bring all runners home wins. The game begins with a roll.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.game import CAPTURE, CHANCE, FORWARD, MAX, MIN, Game, Player
from cythera.lab.texts import say

SIDES = 3
START = 0


class Runners(NamedTuple):
    """Squares run from 0 (start) to length + 1 (home), the same track for both, each side's sorted."""

    max_runners: tuple[int, ...]
    min_runners: tuple[int, ...]
    turn: Player
    roll: int  # 0: still to be rolled


class DiceRace(Game[Runners, int]):
    """An outcome of the roll is its number; a move is the square of the runner to advance.

    >>> game = DiceRace(length=4)
    >>> game.actions(game.initial()), game.odds(game.initial())[0]
    ([1, 2, 3], 0.3333333333333333)
    >>> game.result(game.result(game.initial(), 3), 0)
    Runners(max_runners=(0, 3), min_runners=(0, 0), turn=1, roll=0)
    """

    has_chance = True
    default_depth = 5

    def __init__(self, length: int = 6, runners: int = 2, hits: bool = True) -> None:
        if not (1 <= length <= 30 and 1 <= runners <= 4):
            raise LabError(say("error.race_size", length=length, runners=runners))
        self.name = say("name.race" if hits else "name.race_safe", length=length)
        self.home = length + 1
        self.runners = runners
        self.hits = hits
        self.is_endless = hits

    def initial(self) -> Runners:
        return Runners((START,) * self.runners, (START,) * self.runners, MAX, 0)

    def player(self, state: Runners) -> Player:
        return state.turn if state.roll else CHANCE

    def actions(self, state: Runners) -> Sequence[int]:
        if not state.roll:
            return list(range(1, SIDES + 1))
        mine = state.max_runners if state.turn == MAX else state.min_runners
        return sorted({square for square in mine if square < self.home})

    def odds(self, state: Runners) -> Sequence[float]:
        return [1 / SIDES] * SIDES

    def result(self, state: Runners, action: int) -> Runners:
        if not state.roll:
            return state._replace(roll=action)
        mine, theirs = self.sides(state)
        target = min(action + state.roll, self.home)
        moved = list(mine)
        moved[mine.index(action)] = target
        if self.hits and target < self.home:
            theirs = tuple(sorted(START if square == target else square for square in theirs))
        mine = tuple(sorted(moved))
        if state.turn == MAX:
            return Runners(mine, theirs, MIN, 0)
        return Runners(theirs, mine, MAX, 0)

    def sides(self, state: Runners) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The mover's runners, then the opponent's."""
        if state.turn == MAX:
            return state.max_runners, state.min_runners
        return state.min_runners, state.max_runners

    def is_terminal(self, state: Runners) -> bool:
        return min(state.max_runners) == self.home or min(state.min_runners) == self.home

    def utility(self, state: Runners) -> float:
        return 1.0 if min(state.max_runners) == self.home else -1.0

    def evaluate(self, state: Runners) -> float:
        """How much further MAX's runners are, as a share of the whole way."""
        return (sum(state.max_runners) - sum(state.min_runners)) / (self.home * self.runners)

    def urgency(self, state: Runners, action: int) -> int:
        """Sending a runner back is a capture."""
        target = action + state.roll
        return CAPTURE if self.hits and target < self.home and target in self.sides(state)[1] else FORWARD

    def describe(self, state: Runners) -> str:
        lines = []
        for name, runners in (("max", state.max_runners), ("min", state.min_runners)):
            squares = [str(runners.count(square) or ".") for square in range(self.home + 1)]
            lines.append(f"{name}  {squares[0]} | {' '.join(squares[1:-1])} | {squares[-1]}")
        turn = "max" if state.turn == MAX else "min"
        roll = say("board.rolled", turn=turn, roll=state.roll) if state.roll else say("board.to_roll", turn=turn)
        return "\n".join([*lines, roll])

    def move_help(self) -> str:
        return say("moves.race")
