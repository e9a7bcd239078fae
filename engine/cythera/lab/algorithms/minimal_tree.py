"""What alpha-beta must do: which nodes it generates, and how few leaves it can get away with.

For a node J of a tree searched from left to right, look at the path from the root to J. At each of
MAX's nodes on it the siblings to the left have been searched before, and MAX already has the best of
them; at each of MIN's nodes likewise.

    A(J) = the greatest V among left siblings of the path where MAX chooses   (−∞ if none)
    B(J) = the least V among left siblings of the path where MIN chooses      (+∞ if none)

Alpha-beta generates J exactly when A(J) < B(J): the window that is open when it gets there.
"""

from __future__ import annotations

from collections.abc import Iterator

from cythera.lab.game import MAX, Action, State
from cythera.lab.search import INF, Node, Search


def generated_nodes(search: Search[State, Action]) -> Iterator[tuple[Action, ...]]:
    """The paths from the root to every node with A(J) < B(J), parents before children.

    Computed from minimax values alone, without any alpha-beta.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> tree = parse_tree("3 12 8 / 2 4 6 / 14 5 2")
    >>> paths = list(generated_nodes(Search(tree)))
    >>> len(paths), (1, 0) in paths, (1, 1) in paths
    (11, True, False)
    """
    values: dict[tuple[Action, ...], float] = {}

    def label(node: Node[State, Action]) -> float:
        if search.is_leaf(node):
            value = search.value(node)
        else:
            below = [label(child) for child in search.children(node)]
            value = max(below) if node.player == MAX else min(below)
        values[node.path()] = value
        return value

    def open_nodes(node: Node[State, Action], a: float, b: float) -> Iterator[tuple[Action, ...]]:
        yield node.path()
        if search.is_leaf(node):
            return
        for child in search.children(node):
            if a < b:
                yield from open_nodes(child, a, b)
            value = values[child.path()]
            a, b = (max(a, value), b) if node.player == MAX else (a, min(b, value))

    label(search.root())
    yield from open_nodes(search.root(), -INF, INF)


def minimal_leaves(branching: int, depth: int) -> int:
    """The leaves of a uniform tree that no correct search can avoid: b^⌈d/2⌉ + b^⌊d/2⌋ − 1.

    One strategy for each side must be verified to its leaves, and the two have one leaf in common.
    Alpha-beta in the perfect order visits exactly these.

    >>> [minimal_leaves(3, depth) for depth in range(5)]
    [1, 3, 5, 11, 17]
    """
    shorter = depth // 2
    return int(branching ** (depth - shorter) + branching**shorter - 1)
