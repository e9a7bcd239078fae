"""A small Pac-Man world: a grid, dots to eat, ghosts to avoid. Pac-Man is MAX, each ghost MIN.

Pac-Man and the ghosts move in turn, one square at a time. A move of Pac-Man's costs a point, a dot
is worth 10, the last one 500 more; being caught costs 500 and ends the game, and so does the clock.

In a grid `#` is a wall, `.` a dot, `P` Pac-Man, `G` a ghost (up to two) and a space a free square.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.game import CAPTURE, FORWARD, MAX, MIN, Game, Picture, Player
from cythera.lab.texts import say

STEP_POINTS, DOT_POINTS, WIN_POINTS, CAUGHT_POINTS = -1, 10, 500, -500
CLOCK = 100  # moves Pac-Man has
STEPS = {"W": (0, -1), "E": (0, 1), "N": (-1, 0), "S": (1, 0)}

GRIDS = {
    "small": """
#########
#G   .. #
#  ##  .#
#..##.. #
#P.#    #
#########
""",
    "trap": """
############
#.  P     .#
############
""",
    "duel": """
###########
#....#....#
#.##...##.#
#P  .#.  G#
#.##...##.#
#....#...G#
###########
""",
}

Square = tuple[int, int]


class World(NamedTuple):
    pacman: Square
    ghosts: tuple[Square, ...]
    dots: frozenset[Square]
    score: int
    turn: int  # 0: Pac-Man, 1 and 2: the ghosts
    clock: int  # moves Pac-Man has left


class PacMan(Game[World, str]):
    """An action is a direction: W, E, N or S.

    >>> game = PacMan("#####|#P. #|#####")
    >>> world = game.result(game.initial(), "E")
    >>> game.is_terminal(world), game.utility(world)
    (True, 509)
    """

    is_endless = True
    is_scored = True
    default_depth = 4

    def __init__(self, grid: str = "small", clock: int = CLOCK) -> None:
        self.name = say("name.pacman_grid", grid=grid) if grid in GRIDS else say("name.pacman")
        rows = GRIDS.get(grid, grid).strip("\n").replace("|", "\n").split("\n")
        squares = {(row, column): mark for row, text in enumerate(rows) for column, mark in enumerate(text)}
        self.free = frozenset(square for square, mark in squares.items() if mark in ".PG ")
        found = {mark: tuple(square for square in squares if squares[square] == mark) for mark in ".PG"}
        if set(squares.values()) - set("#.PG ") or len(found["P"]) != 1 or len(found["G"]) > 2 or not found["."]:
            raise LabError(say("error.pacman_grid"))
        if any(not self.neighbours(square) for square in found["P"] + found["G"]):
            raise LabError(say("error.pacman_stuck"))
        self.start = World(found["P"][0], found["G"], frozenset(found["."]), 0, 0, clock)

    def initial(self) -> World:
        return self.start

    def player(self, state: World) -> Player:
        return MAX if state.turn == 0 else MIN

    def actions(self, state: World) -> Sequence[str]:
        here = state.pacman if state.turn == 0 else state.ghosts[state.turn - 1]
        return list(self.neighbours(here))

    def neighbours(self, square: Square) -> dict[str, Square]:
        """The free squares next to one, by direction."""
        reached = {name: (square[0] + down, square[1] + right) for name, (down, right) in STEPS.items()}
        return {name: there for name, there in reached.items() if there in self.free}

    def result(self, state: World, action: str) -> World:
        turn = (state.turn + 1) % (1 + len(state.ghosts))
        if state.turn == 0:
            there = self.neighbours(state.pacman)[action]
            dots = state.dots - {there}
            score = state.score + STEP_POINTS + DOT_POINTS * (len(state.dots) - len(dots))
            score += CAUGHT_POINTS if there in state.ghosts else WIN_POINTS if not dots else 0
            return World(there, state.ghosts, dots, score, turn, state.clock - 1)
        ghosts = list(state.ghosts)
        ghosts[state.turn - 1] = there = self.neighbours(ghosts[state.turn - 1])[action]
        score = state.score + (CAUGHT_POINTS if there == state.pacman else 0)
        return state._replace(ghosts=tuple(ghosts), score=score, turn=turn)

    def is_terminal(self, state: World) -> bool:
        return state.pacman in state.ghosts or not state.dots or state.clock == 0

    def is_won(self, state: World) -> bool:
        return not state.dots and state.pacman not in state.ghosts

    def utility(self, state: World) -> float:
        return state.score

    def evaluate(self, state: World) -> float:
        """The score so far, which is all that a player without foresight can say."""
        return state.score

    def near_dots(self, state: World) -> float:
        """The better evaluation: the score, less the way to the nearest dot."""
        if not state.dots:
            return state.score
        return state.score - min(self.distance(state.pacman, dot) for dot in state.dots)

    def distance(self, one: Square, other: Square) -> int:
        """The steps from one square to another; as many as there are squares if there is no way."""
        return self.distances[one].get(other, len(self.free))

    @cached_property
    def distances(self) -> dict[Square, dict[Square, int]]:
        """Breadth first from every square."""
        found: dict[Square, dict[Square, int]] = {}
        for start in self.free:
            steps = found[start] = {start: 0}
            queue = deque([start])
            while queue:
                here = queue.popleft()
                for there in self.neighbours(here).values():
                    if there not in steps:
                        steps[there] = steps[here] + 1
                        queue.append(there)
        return found

    def urgency(self, state: World, action: str) -> int:
        """Eating a dot, or Pac-Man, is a capture."""
        if state.turn == 0:
            return CAPTURE if self.neighbours(state.pacman)[action] in state.dots else FORWARD
        return CAPTURE if self.neighbours(state.ghosts[state.turn - 1])[action] == state.pacman else FORWARD

    def rows(self, state: World) -> list[str]:
        height = max(row for row, _ in self.free) + 2
        width = max(column for _, column in self.free) + 2

        def mark(square: Square) -> str:
            if square in state.ghosts:
                return "G"
            if square == state.pacman:
                return "P"
            return "." if square in state.dots else " " if square in self.free else "#"

        return ["".join(mark((row, column)) for column in range(width)) for row in range(height)]

    def describe(self, state: World) -> str:
        return "\n".join([*self.rows(state), say("board.score", score=state.score, clock=state.clock)])

    def picture(self, state: World) -> Picture:
        return Picture("maze", tuple(self.rows(state)))

    def side_name(self, player: Player) -> str:
        return say("side.pacman" if player == MAX else "side.ghost")

    def move_help(self) -> str:
        return say("moves.pacman")


Policy = Callable[[PacMan, World], str]


def play_out(game: PacMan, pacman: Policy, ghost: Policy) -> World:
    """The end of a game in which Pac-Man and every ghost move as their policies say."""
    world = game.initial()
    while not game.is_terminal(world):
        policy = pacman if world.turn == 0 else ghost
        world = game.result(world, policy(game, world))
    return world
