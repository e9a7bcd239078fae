"""Expectimax and expectiminimax: when something other than a perfect opponent decides.

Expectiminimax adds a third kind of node to minimax: at a chance node the value is the average over
the outcomes, each weighted with its probability. Expectimax takes the opponent for a chance node
too: a model says how likely each of his moves is.

Averages make the size of values matter, not only their order: an evaluation for these searches
must be on the scale of what it predicts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cythera.lab.algorithms.minimax import minimax
from cythera.lab.game import CHANCE, MAX, Action, Game, State
from cythera.lab.search import INF, Node, Result, Search

OpponentModel = Callable[[Game[Any, Any], Any], Sequence[float]]  # the odds of each of MIN's moves in a state


def expectiminimax(search: Search[State, Action]) -> Result[float, Action]:
    """The expected value to MAX when both sides play for it. Without chance nodes: minimax.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> expectiminimax(Search(parse_tree("(chance(0.9*2 0.1*8) chance(0.5*3 0.5*1))")))
    Result(value=2.6, move=0, line=(0,), generated=7, leaves=4, notes={})
    """

    @search.watch
    def value_of(node: Node[State, Action]) -> float:
        if search.is_leaf(node):
            return search.value(node)
        if node.player == CHANCE:
            return average(search.game.odds(node.state), [value_of(child) for child in search.children(node)])
        best = -INF if node.player == MAX else INF
        for child in search.children(node):
            value = value_of(child)
            if value > best if node.player == MAX else value < best:
                best, node.best = value, child
        return best

    root = search.root()
    return search.result(root, value_of(root))


def uniform(game: Game[State, Action], state: State) -> Sequence[float]:
    """The opponent who plays at random."""
    moves = len(game.actions(state))
    return [1 / moves] * moves


def mostly_minimax(depth: int = 2, share: float = 0.8) -> OpponentModel:
    """The opponent who plays minimax of a depth with probability `share`, else at random.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> tree = parse_tree("min(4 (1 9))")
    >>> [round(odds, 9) for odds in mostly_minimax(depth=2, share=0.8)(tree, tree.initial())]
    [0.9, 0.1]
    """

    def model(game: Game[Any, Any], state: Any) -> Sequence[float]:
        actions = game.actions(state)
        liked = minimax(Search(game, depth, start=state)).move
        return [(1 - share) / len(actions) + (share if action == liked else 0) for action in actions]

    return model


def expectimax(search: Search[State, Action], opponent: OpponentModel = uniform) -> Result[float, Action]:
    """The expected value to MAX when MIN's moves have the odds the model gives them.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> expectimax(Search(parse_tree("3 12 8 / 2 4 6 / 14 5 2"))).line
    (0,)
    >>> expectimax(Search(parse_tree("3 3 3 / 2 90 90"))).move
    1
    """

    @search.watch
    def value_of(node: Node[State, Action]) -> float:
        if search.is_leaf(node):
            return search.value(node)
        if node.player != MAX:
            odds = search.game.odds if node.player == CHANCE else lambda state: opponent(search.game, state)
            outcomes = search.follow(node, search.game.actions(node.state))  # in the order of the odds
            return average(odds(node.state), [value_of(child) for child in outcomes])
        best = -INF
        for child in search.children(node):
            value = value_of(child)
            if value > best:
                best, node.best = value, child
        return best

    root = search.root()
    return search.result(root, value_of(root))


def average(odds: Sequence[float], values: Sequence[float]) -> float:
    """The mean of the values, each weighted with its probability."""
    return sum(weight * value for weight, value in zip(odds, values, strict=True))
