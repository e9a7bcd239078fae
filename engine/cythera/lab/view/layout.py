"""Where the nodes of a tree go on paper. No drawing here: numbers in, numbers out.

Every subtree gets a strip of its own, as wide as its widest level needs, and a parent stands over
the middle of its children; so nothing ever overlaps, and reading from left to right is reading in
order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cythera.lab.view.trace import TraceNode


@dataclass(frozen=True)
class Layout:
    """The centre of every node by its id, and the size of it all, in pixels."""

    places: dict[int, tuple[float, float]]
    width: float
    height: float


def lay_out(
    root: TraceNode, reach_of: Callable[[TraceNode], tuple[float, float]], level_px: float, gap_px: float = 0
) -> Layout:
    """Places for all nodes, given how far each reaches to the left and to the right; levels are `level_px` apart.

    `gap_px` is extra room around every strip that is more than a leaf.

    >>> tree = TraceNode(0, "max", children=[TraceNode(1, "min", is_leaf=True), TraceNode(2, "min", is_leaf=True)])
    >>> lay_out(tree, reach_of=lambda node: (5, 5), level_px=50).places
    {0: (10.0, 0), 1: (5.0, 50), 2: (15.0, 50)}
    """
    places: dict[int, tuple[float, float]] = {}
    strips: dict[int, tuple[float, float]] = {}  # how far a whole subtree reaches to the left and right of its root

    def measure(node: TraceNode) -> tuple[float, float]:
        left, right = reach_of(node)
        if node.children:
            below = [measure(child) for child in node.children]
            width = sum(map(sum, below))
            middle = (below[0][0] + width - below[-1][1]) / 2
            gap = gap_px / 2
            left, right = max(left, middle) + gap, max(right, width - middle) + gap
        strips[node.id] = left, right
        return left, right

    def place(node: TraceNode, x: float, y: float) -> None:
        places[node.id] = x, y
        if not node.children:
            return
        first, last = strips[node.children[0].id], strips[node.children[-1].id]
        width = sum(sum(strips[child.id]) for child in node.children)
        left = x - (first[0] + width - last[1]) / 2
        for child in node.children:
            place(child, left + strips[child.id][0], y + level_px)
            left += sum(strips[child.id])

    left, right = measure(root)
    place(root, float(left), 0)
    return Layout(dict(sorted(places.items())), left + right, max(y for _, y in places.values()))
