"""Retrograde analysis: solve every position of an ending at once, backwards from the ends of the game.

Positions where the game is over are known. A position from which the mover can reach one that is lost
for the opponent is won; one whose every move leads to a win for the opponent is lost. Going backwards
by distance, each position is settled once, with the number of plies that best play takes; what never
is settled is a draw. Search asks about one position and looks ahead; this asks about all of them and
looks back, which is how endgame databases are made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Generic, NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.game import MAX, Action, Game, State
from cythera.lab.texts import say

WIN, DRAW, LOSS = 1, 0, -1


class Verdict(NamedTuple):
    """What a position is worth to MAX (1, 0, −1), and in how many plies the game ends; −1 for a draw."""

    value: int
    plies: int


DRAWN = Verdict(DRAW, -1)


class Database(Generic[State, Action]):
    """The verdicts on all positions of an ending, by key."""

    def __init__(
        self,
        game: Game[State, Action],
        verdicts: Mapping[Hashable, Verdict],
        outside: Mapping[Hashable, Verdict],
        key: Callable[[State], Hashable],
    ) -> None:
        self.game = game
        self.verdicts = verdicts
        self.outside = outside  # on positions of other endings that a move can lead to
        self.key = key

    def __len__(self) -> int:
        return len(self.verdicts)

    def probe(self, state: State) -> Verdict:
        """The verdict on a state; raises LabError if the database does not hold it."""
        name = self.key(state)
        verdict = self.verdicts.get(name) or self.outside.get(name)
        if verdict is None:
            raise LabError(say("error.not_in_database", game=self.game.name))
        return verdict

    def best(self, state: State) -> Action | None:
        """A best move: the shortest win, else a draw, else the longest loss. None when the game is over."""
        if self.game.is_terminal(state):
            return None
        us = WIN if self.game.player(state) == MAX else LOSS

        def rank(action: Action) -> tuple[int, int]:
            value, plies = self.probe(self.game.result(state, action))
            return us * value, -plies if us * value > 0 else plies

        return max(self.game.actions(state), key=rank)

    def line(self, state: State, most: int = 200) -> list[Action]:
        """Best play from a state to the end of the game, or this many plies of a draw."""
        moves: list[Action] = []
        while len(moves) < most and (move := self.best(state)) is not None:
            moves.append(move)
            state = self.game.result(state, move)
        return moves

    def counts(self) -> Counter[tuple[int, int]]:
        """How many positions there are of each value and distance."""
        return Counter((verdict.value, verdict.plies) for verdict in self.verdicts.values())

    def longest(self) -> tuple[Hashable, Verdict]:
        """A position with the longest win or loss."""
        return max(self.verdicts.items(), key=lambda item: item[1].plies)


def retrograde(
    game: Game[State, Action],
    states: Iterable[State],
    *,
    key: Callable[[State], Hashable] | None = None,
    known: Mapping[Hashable, Verdict] | None = None,
) -> Database[State, Action]:
    """The database of an ending. A move may lead to another of the states, to a state that `known` holds,
    or to one where the game is over.

    >>> from cythera.lab.games.trees import vertices
    >>> from cythera.lab.games.tree_text import parse_tree
    >>> tree = parse_tree("((1 0) (1 (1 -1)) (0 -1))")
    >>> retrograde(tree, vertices(tree.root)).probe(tree.root)
    Verdict(value=1, plies=3)
    """
    key = key or game.key
    known = {} if known is None else known
    verdicts: dict[Hashable, Verdict] = {}
    outside: dict[Hashable, Verdict] = {}
    above: dict[Hashable, list[Hashable]] = {}  # the positions with a move to here
    players: dict[Hashable, int] = {}
    open_moves: dict[Hashable, int] = {}  # moves that are not yet known to lose
    by_distance: list[list[tuple[Hashable, int]]] = [[]]

    def settle(name: Hashable, value: int, plies: int) -> None:
        while len(by_distance) <= plies:
            by_distance.append([])
        by_distance[plies].append((name, value))

    def end(name: Hashable, state: Any) -> None:
        utility = game.utility(state)
        value = (utility > 0) - (utility < 0)
        if value:
            settle(name, value, 0)

    members = {key(state): state for state in states}
    for name, state in members.items():
        players[name] = WIN if game.player(state) == MAX else LOSS
        if game.is_terminal(state):
            end(name, state)
            continue
        following = {key(after): after for after in (game.result(state, action) for action in game.actions(state))}
        open_moves[name] = len(following)
        for after_name, after in following.items():
            if after_name in above:
                above[after_name].append(name)
                continue
            above[after_name] = [name]
            if after_name in members:
                continue
            if after_name in known:
                outside[after_name] = known[after_name]
                if known[after_name].value:
                    settle(after_name, *known[after_name])
            elif game.is_terminal(after):
                outside[after_name] = DRAWN
                end(after_name, after)
            else:
                raise LabError(say("error.not_in_database", game=game.name))

    distance, settled = 0, set()
    while distance < len(by_distance):
        for name, value in by_distance[distance]:
            if name in settled:
                continue
            settled.add(name)
            (verdicts if name in players else outside)[name] = Verdict(value, distance)
            for parent in above.get(name, ()):
                if parent in settled:
                    continue
                if players[parent] == value:  # the mover there wins by coming here
                    settle(parent, value, distance + 1)
                else:
                    open_moves[parent] -= 1
                    if open_moves[parent] == 0:
                        settle(parent, value, distance + 1)
        distance += 1
    for name in players:
        verdicts.setdefault(name, DRAWN)
    return Database(game, verdicts, outside, key)
