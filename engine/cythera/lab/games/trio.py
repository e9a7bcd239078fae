"""Trio: a heap of stones and three players, each for himself.

In turn everyone takes one, two or three stones. The player who takes the last gets 3 points, the player
after him 2 and the one after that 0: so one who cannot win may still choose who does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.game import Game, Player
from cythera.lab.texts import say

PLAYERS = 3
POINTS = (3, 2, 0)  # for taking the last stone, and for the players after


class Heap(NamedTuple):
    stones: int
    turn: Player


class Trio(Game[Heap, int]):
    """An action is the number of stones taken.

    >>> Trio(3).utilities(Heap(0, turn=1))
    (3, 2, 0)
    """

    players = PLAYERS

    def __init__(self, stones: int = 7) -> None:
        if not 1 <= stones <= 40:
            raise LabError(say("error.stones", stones=stones))
        self.name = say("name.trio", stones=stones)
        self.stones = stones

    def initial(self) -> Heap:
        return Heap(self.stones, 0)

    def player(self, state: Heap) -> Player:
        return state.turn

    def actions(self, state: Heap) -> Sequence[int]:
        return range(1, min(3, state.stones) + 1)

    def result(self, state: Heap, action: int) -> Heap:
        return Heap(state.stones - action, (state.turn + 1) % PLAYERS)

    def is_terminal(self, state: Heap) -> bool:
        return state.stones == 0

    def utilities(self, state: Heap) -> tuple[float, ...]:
        winner = (state.turn - 1) % PLAYERS
        return tuple(POINTS[(player - winner) % PLAYERS] for player in range(PLAYERS))

    def estimates(self, state: Heap) -> tuple[float, ...]:
        return (sum(POINTS) / PLAYERS,) * PLAYERS

    def utility(self, state: Heap) -> float:
        """What the first player gets."""
        return self.utilities(state)[0]

    def describe(self, state: Heap) -> str:
        return say("board.stones", stones="o" * state.stones or say("board.no_stones"), player=state.turn + 1)

    def move_help(self) -> str:
        return say("moves.trio")
