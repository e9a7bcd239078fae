"""Backgammon cut down: a shorter board, fewer checkers and smaller dice, but the real rules of movement.

Two dice; a double is played four times. A point held by two or more enemy checkers is closed; a single
checker there is hit and starts again from the bar, before anything else may move. With all checkers in
the home board they are borne off, by the exact number or from the rearmost point by a greater one. As
many dice as possible must be played, and of two that exclude each other the greater. The first player to have borne
off all checkers wins. (Left out: the doubling cube, gammons, and an opening roll of one die each.)

MAX moves up, from point 1 to the last and out; MIN the other way. The game begins with MAX's roll.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.game import CAPTURE, CHANCE, FORWARD, MAX, MIN, Game, Picture, Player
from cythera.lab.texts import say

BAR = 0  # as a place to move from, seen by the mover
Roll = tuple[int, int]
Step = tuple[int, int]  # from and to, both seen by the mover: 1 is farthest from home, points + 1 is off
Play = tuple[Step, ...]
Side = tuple[int, ...]  # checkers on each point seen by their owner: index 0 is the bar, the last index those borne off
Sides = tuple[Side, Side]  # the mover's and the opponent's


class Position(NamedTuple):
    """The checkers of both sides, who is to move, and the roll."""

    mine: Side  # MAX's
    theirs: Side  # MIN's, in MIN's own direction
    turn: Player
    roll: Roll | None  # None: still to be rolled


class Backgammon(Game[Position, object]):
    """An outcome of the dice is a pair; a play is a tuple of steps, written like 1/4 7/8.

    >>> game = Backgammon()
    >>> len(game.actions(game.initial())), round(sum(game.odds(game.initial())), 9)
    (10, 1.0)
    """

    has_chance = True
    is_endless = True
    default_depth = 3

    def __init__(self, points: int = 12, checkers: int = 5, sides: int = 4) -> None:
        if not (6 <= points <= 24 and points % 2 == 0 and 2 <= checkers <= 15 and 2 <= sides <= 6):
            raise LabError(say("error.backgammon", points=points, checkers=checkers, sides=sides))
        self.name = say("name.backgammon", points=points, checkers=checkers, sides=sides)
        self.points, self.checkers, self.sides = points, checkers, sides
        self.off = points + 1
        self.home = max(points - points // 4, points - sides) + 1  # the first point of the home board
        side = [0] * (points + 2)
        side[1] = 2
        side[points // 2 + 1] = checkers - 2
        self.start = Position(tuple(side), tuple(side), MAX, None)

    def initial(self) -> Position:
        return self.start

    def player(self, state: Position) -> Player:
        return CHANCE if state.roll is None else state.turn

    @cached_property
    def rolls(self) -> list[Roll]:
        return [(one, other) for one in range(1, self.sides + 1) for other in range(one, self.sides + 1)]

    def odds(self, state: Position) -> Sequence[float]:
        return [(1 if one == other else 2) / self.sides**2 for one, other in self.rolls]

    def actions(self, state: Position) -> Sequence[object]:
        return self.rolls if state.roll is None else self.plays(state)

    def plays(self, state: Position) -> list[Play]:
        """The plays of a roll, one for each position they can lead to."""
        assert state.roll is not None
        less, greater = state.roll
        orders = [(less,) * 4] if less == greater else [(greater, less), (less, greater)]
        own, enemy = (state.mine, state.theirs) if state.turn == MAX else (state.theirs, state.mine)
        found = [list(self.follow(own, enemy, dice)) for dice in orders]
        most = max(len(play) for ends in found for _, play in ends)  # as many dice as possible
        longest = [[(after, play) for after, play in ends if len(play) == most] for ends in found]
        if most == 1 and longest[0]:  # of two dice that exclude each other, the greater
            longest = longest[:1]
        reached: dict[Sides, Play] = {}
        for after, play in chain.from_iterable(longest):
            reached.setdefault(after, play)
        return list(reached.values())

    def follow(self, own: Side, enemy: Side, dice: tuple[int, ...], play: Play = ()) -> Iterator[tuple[Sides, Play]]:
        """The plays of dice in an order, each as long as it can be, and the sides they lead to."""
        steps = self.steps(own, enemy, dice[0]) if dice else []
        if not steps:
            yield (own, enemy), play
        for step in steps:
            yield from self.follow(*self.moved(own, enemy, step), dice[1:], (*play, step))

    def steps(self, own: Side, enemy: Side, die: int) -> list[Step]:
        """Where one checker may go by one die."""
        origins = [BAR] if own[BAR] else [point for point in range(1, self.off) if own[point]]
        all_home = not any(own[: self.home])
        found = []
        for origin in origins:
            target = origin + die
            if target < self.off:
                if enemy[self.off - target] < 2:
                    found.append((origin, target))
            elif all_home and (target == self.off or not any(own[self.home : origin])):
                found.append((origin, self.off))
        return found

    def moved(self, own: Side, enemy: Side, step: Step) -> Sides:
        origin, target = step
        own_after, enemy_after = list(own), enemy
        own_after[origin] -= 1
        own_after[target] += 1
        mirror = self.off - target
        if target < self.off and enemy[mirror] == 1:
            hit = list(enemy)
            hit[mirror], hit[BAR] = 0, hit[BAR] + 1
            enemy_after = tuple(hit)
        return tuple(own_after), enemy_after

    def result(self, state: Position, action: object) -> Position:
        assert isinstance(action, tuple)
        if state.roll is None:
            return state._replace(roll=action)
        own, enemy = (state.mine, state.theirs) if state.turn == MAX else (state.theirs, state.mine)
        for step in action:
            own, enemy = self.moved(own, enemy, step)
        return Position(own, enemy, MIN, None) if state.turn == MAX else Position(enemy, own, MAX, None)

    def is_terminal(self, state: Position) -> bool:
        return self.checkers in (state.mine[self.off], state.theirs[self.off])

    def utility(self, state: Position) -> float:
        return 1.0 if state.mine[self.off] == self.checkers else -1.0

    def pips(self, side: Side) -> int:
        """How far a side's checkers still have to go."""
        return sum(count * (self.off - point) for point, count in enumerate(side))

    def features(self, state: Position) -> tuple[float, ...]:
        """For MAX less MIN: pips to go, checkers on the bar, single checkers, held points, borne off; who rolls."""
        mine, theirs = state.mine, state.theirs
        length = self.off * self.checkers

        def count(side: Side, wanted: int) -> int:
            return sum((n == 1) if wanted == 1 else n >= 2 for n in side[1 : self.off])

        to_roll = state.roll is None
        return (
            (self.pips(theirs) - self.pips(mine)) / length * 4,
            float(theirs[BAR] - mine[BAR]),
            (count(theirs, 1) - count(mine, 1)) / 2,
            (count(mine, 2) - count(theirs, 2)) / 2,
            (mine[self.off] - theirs[self.off]) / self.checkers * 2,
            (1.0 if state.turn == MAX else -1.0) * (0.5 if to_roll else 1.0),
        )

    def evaluate(self, state: Position) -> float:
        """The race: how many pips MAX is ahead, as a share of what both still have to go."""
        mine, theirs = self.pips(state.mine), self.pips(state.theirs)
        return 0.9 * (theirs - mine) / (theirs + mine or 1)

    def urgency(self, state: Position, action: object) -> int:
        """Hitting is a capture."""
        before = state.theirs if state.turn == MAX else state.mine
        after = self.result(state, action)
        return CAPTURE if (after.theirs if state.turn == MAX else after.mine)[BAR] > before[BAR] else FORWARD

    def describe(self, state: Position) -> str:
        """MAX's checkers as X, MIN's as O, over the numbers of the points."""
        cells = []
        for point in range(1, self.off):
            x, o = state.mine[point], state.theirs[self.off - point]
            cells.append(f"{x}X" if x else f"{o}O" if o else " .")
        numbers = " ".join(f"{point:>2}" for point in range(1, self.off))
        sides = [
            say("board.backgammon_side", side="XO"[player], bar=side[BAR], off=side[self.off])
            for player, side in ((MAX, state.mine), (MIN, state.theirs))
        ]
        turn = "XO"[state.turn]
        if state.roll is None:
            roll = say("board.to_roll", turn=turn)
        else:
            roll = say("board.rolled", turn=turn, roll=f"{state.roll[0]}-{state.roll[1]}")
        return "\n".join([" ".join(cells), numbers, *sides, roll])

    def picture(self, state: Position) -> Picture:
        """One column for each point, checkers piled up; the bar at the left, those borne off not shown."""
        height = 4
        columns = []
        for point in range(self.off):
            x = state.mine[point] if point else state.mine[BAR]
            o = state.theirs[self.off - point] if point else state.theirs[BAR]
            mark = "X" if x else "O"
            columns.append((mark * min(x or o, height)).rjust(height, "."))
        return Picture("points", tuple("".join(column[row] for column in columns) for row in range(height)))

    def action_name(self, action: object) -> str:
        assert isinstance(action, tuple)
        if action and isinstance(action[0], int):
            return f"{action[0]}-{action[1]}"
        names = {BAR: "bar", self.off: "off"}
        steps = (f"{names.get(start, start)}/{names.get(end, end)}" for start, end in action)
        return " ".join(steps) or "pass"

    def side_name(self, player: Player) -> str:
        return "XO"[player]

    def move_help(self) -> str:
        return say("moves.backgammon")
