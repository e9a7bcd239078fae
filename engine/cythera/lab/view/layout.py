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


def lay_out(root: TraceNode, width_of: Callable[[TraceNode], float], level_px: float, gap_px: float = 0) -> Layout:
    """Places for all nodes, given how wide each is; levels are `level_px` apart.

    `gap_px` is extra room around every strip that is more than a leaf.

    >>> tree = TraceNode(0, "max", children=[TraceNode(1, "min", is_leaf=True), TraceNode(2, "min", is_leaf=True)])
    >>> lay_out(tree, width_of=lambda node: 10, level_px=50).places
    {0: (10.0, 0), 1: (5.0, 50), 2: (15.0, 50)}
    """
    places: dict[int, tuple[float, float]] = {}
    strips: dict[int, float] = {}

    def measure(node: TraceNode) -> float:
        below = sum(measure(child) for child in node.children)
        strips[node.id] = max(width_of(node), below) + (0 if node.is_leaf else gap_px)
        return strips[node.id]

    def place(node: TraceNode, left: float, y: float) -> None:
        x = left + (strips[node.id] - sum(strips[child.id] for child in node.children)) / 2
        for child in node.children:
            place(child, x, y + level_px)
            x += strips[child.id]
        ends = [places[child.id][0] for child in node.children]
        places[node.id] = ((ends[0] + ends[-1]) / 2 if ends else left + strips[node.id] / 2, y)

    width = measure(root)
    place(root, 0.0, 0)
    return Layout(dict(sorted(places.items())), width, max(y for _, y in places.values()))
