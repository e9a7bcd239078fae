"""Strategies: a complete plan of one player, as a tree.

A strategy of a player fixes one move at each of his own nodes that can come up, and must have an answer
to every move of the other's. As a part of the game tree it has one child below each of his nodes and
all children below the other's; a strategy of MAX is worth the least of its leaves, one of MIN's the
greatest. A strategy of MAX and one of MIN have exactly one path in common: the game in which they meet.

The minimax value is what MAX's best strategy is worth, and also what MIN's best is worth; it is the
value of the leaf where the two meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic

from cythera.lab.errors import LabError
from cythera.lab.game import MAX, Action, AnyGame, Player, State
from cythera.lab.search import Node, Search
from cythera.lab.texts import say

Chooser = Callable[[Any], Any]  # the move in a state


class Plan(Generic[State, Action]):
    """A node of a strategy tree: the state, and the moves that the strategy must be ready for."""

    __slots__ = ("children", "player", "state", "value")

    def __init__(self, state: State, player: Player, value: float | None = None) -> None:
        self.state = state
        self.player = player
        self.children: dict[Action, Plan[State, Action]] = {}  # one below its owner's nodes, else all
        self.value = value  # of a leaf

    def leaves(self) -> Iterator[Plan[State, Action]]:
        """The leaves, from left to right."""
        if not self.children:
            yield self
        for child in self.children.values():
            yield from child.leaves()

    def size(self) -> int:
        """How many nodes there are."""
        return 1 + sum(child.size() for child in self.children.values())

    def paths(self, start: tuple[Action, ...] = ()) -> Iterator[tuple[Action, ...]]:
        """The paths to all nodes, parents before children."""
        yield start
        for action, child in self.children.items():
            yield from child.paths((*start, action))

    def worth(self, owner: Player) -> float:
        """What the strategy guarantees its owner, seen by MAX."""
        values = [leaf.value for leaf in self.leaves() if leaf.value is not None]
        return min(values) if owner == MAX else max(values)


def check(search: Search[Any, Any]) -> None:
    if search.game.players != 2 or search.game.has_chance:
        raise LabError(say("error.strategy", game=search.game.name))


def plan(search: Search[State, Action], owner: Player, choose: Chooser) -> Plan[State, Action]:
    """The strategy tree of a player who moves as `choose` says.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> tree = parse_tree("3 12 8 / 2 4 6 / 14 5 2")
    >>> last = plan(Search(tree), MAX, lambda state: 2)
    >>> last.worth(MAX), last.size()
    (2, 5)
    """
    check(search)

    def grow(node: Node[State, Action]) -> Plan[State, Action]:
        part: Plan[State, Action] = Plan(node.state, node.player)
        if search.is_leaf(node):
            part.value = search.value(node)
            return part
        actions = [choose(node.state)] if node.player == owner else search.actions(node)
        for child in search.follow(node, actions):
            assert child.action is not None
            part.children[child.action] = grow(child)
        return part

    return grow(search.root())


def best_plan(search: Search[State, Action], owner: Player) -> Plan[State, Action]:
    """A best strategy of a player: minimax at each of his nodes.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> tree = parse_tree("3 12 8 / 2 4 6 / 14 5 2")
    >>> best_plan(Search(tree), MAX).worth(MAX), best_plan(Search(tree), 1 - MAX).worth(1 - MAX)
    (3, 3)
    """
    check(search)

    def grow(node: Node[State, Action]) -> tuple[float, Plan[State, Action]]:
        part: Plan[State, Action] = Plan(node.state, node.player)
        if search.is_leaf(node):
            part.value = search.value(node)
            return part.value, part
        grown = []
        for child in search.children(node):
            assert child.action is not None
            grown.append((child.action, *grow(child)))
        values = [value for _, value, _ in grown]
        best = max(values) if node.player == MAX else min(values)
        if node.player == owner:
            grown = [next(entry for entry in grown if entry[1] == best)]
        part.children = {action: child for action, _, child in grown}
        return best, part

    return grow(search.root())[1]


def all_plans(search: Search[State, Action], owner: Player) -> Iterator[Plan[State, Action]]:
    """Every strategy of a player. There are very many: for the smallest trees only.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> tree = parse_tree("((1 2) (3 4))")
    >>> [sum(1 for _ in all_plans(Search(tree), player)) for player in (0, 1)]
    [2, 4]
    """
    check(search)

    def grow(node: Node[State, Action]) -> Iterator[Plan[State, Action]]:
        if search.is_leaf(node):
            yield Plan(node.state, node.player, search.value(node))
            return
        children = list(search.children(node))
        if node.player == owner:
            for child in children:
                for below in grow(child):
                    yield joined(node, [(child, below)])
            return
        for chosen in combine(children):
            yield joined(node, chosen)

    def combine(
        children: list[Node[State, Action]],
    ) -> Iterator[list[tuple[Node[State, Action], Plan[State, Action]]]]:
        if not children:
            yield []
            return
        for below in grow(children[0]):
            for rest in combine(children[1:]):
                yield [(children[0], below), *rest]

    def joined(
        node: Node[State, Action], parts: list[tuple[Node[State, Action], Plan[State, Action]]]
    ) -> Plan[State, Action]:
        whole: Plan[State, Action] = Plan(node.state, node.player)
        for child, below in parts:
            assert child.action is not None
            whole.children[child.action] = below
        return whole

    yield from grow(search.root())


def meet(one: Plan[State, Action], other: Plan[State, Action]) -> tuple[tuple[Action, ...], float]:
    """The game in which a strategy of each player meet: its moves, and the value of its leaf.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> tree = parse_tree("3 12 8 / 2 4 6 / 14 5 2")
    >>> meet(best_plan(Search(tree), 0), best_plan(Search(tree), 1))
    ((0, 0), 3)
    """
    moves: list[Action] = []
    while one.children:
        (common,) = set(one.children) & set(other.children)
        moves.append(common)
        one, other = one.children[common], other.children[common]
    assert one.value is not None
    return tuple(moves), one.value


def count_plans(game: AnyGame, owner: Player, depth: int | None = None) -> int:
    """How many strategies a player has, without listing them.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> count_plans(parse_tree("((1 2) (3 4))"), 1)
    4
    """

    def count(state: Any, ply: int) -> int:
        if ply == depth or game.is_terminal(state):
            return 1
        below = [count(game.result(state, action), ply + 1) for action in game.actions(state)]
        if game.player(state) == owner:
            return sum(below)
        product = 1
        for number in below:
            product *= number
        return product

    return count(game.initial(), 0)
