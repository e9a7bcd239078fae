"""The order in which moves are tried: it decides what alpha-beta saves, and never the value.

An ordering is given a search, a node and its moves, and returns the moves in a better order.
Outcomes of chance nodes are nobody's moves, and stay as they are.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from cythera.lab.algorithms.alphabeta_negamax import alphabeta_negamax
from cythera.lab.errors import LabError
from cythera.lab.search import AnySearch, Node, Ordering, Search, sign
from cythera.lab.texts import say


def urgent_first(search: AnySearch, node: Node[Any, Any], actions: Sequence[Any]) -> Sequence[Any]:
    """Captures, then threats, then moves forward, then moves backward."""
    return sorted(actions, key=lambda action: search.game.urgency(node.state, action))


def evaluated(search: AnySearch, node: Node[Any, Any], actions: Sequence[Any]) -> Sequence[Any]:
    """By the evaluation of the state each move leads to (or its utility), best for the mover first."""

    def worth(action: Any) -> float:
        state = search.game.result(node.state, action)
        return search.game.utility(state) if search.game.is_terminal(state) else search.evaluate(state)

    return sorted(actions, key=worth, reverse=sign(node) > 0)


def best_first(search: AnySearch, node: Node[Any, Any], actions: Sequence[Any]) -> Sequence[Any]:
    """The perfect order: by the true values, which only an oracle knows. For measurements."""
    return sorted(actions, key=lambda action: _true_value(search, node, action), reverse=sign(node) > 0)


def worst_first(search: AnySearch, node: Node[Any, Any], actions: Sequence[Any]) -> Sequence[Any]:
    """Every player tries the worst move first: alpha-beta prunes almost nothing."""
    return sorted(actions, key=lambda action: _true_value(search, node, action), reverse=sign(node) < 0)


def backwards(search: AnySearch, node: Node[Any, Any], actions: Sequence[Any]) -> Sequence[Any]:
    """The natural order, reversed."""
    return list(reversed(actions))


def shuffled(seed: int) -> Ordering:
    """A random order, drawn at every node. Decides between equal moves, too."""
    rng = random.Random(seed)

    def order(search: AnySearch, node: Node[Any, Any], actions: Sequence[Any]) -> Sequence[Any]:
        return rng.sample(list(actions), len(actions))

    return order


def _true_value(search: AnySearch, node: Node[Any, Any], action: Any) -> float:
    remaining = search.remaining(node)
    return alphabeta_negamax(
        Search(
            search.game,
            None if remaining is None else remaining - 1,
            evaluate=search.evaluate,
            start=search.game.result(node.state, action),
        )
    ).value


def ordering(name: str, seed: int = 1) -> Ordering | None:
    """The ordering of that name; None for the natural order, which needs no work.

    >>> ordering("best") is best_first
    True
    """
    if name == "natural":
        return None
    if name == "random":
        return shuffled(seed)
    if name not in ORDERINGS:
        raise LabError(say("error.order", name=name, names=", ".join(["natural", "random", *ORDERINGS])))
    return ORDERINGS[name]


ORDERINGS: dict[str, Ordering] = {
    "urgent": urgent_first,
    "evaluated": evaluated,
    "best": best_first,
    "worst": worst_first,
    "backwards": backwards,
}
