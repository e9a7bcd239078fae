"""A real search tree as a trace of the lab, to be drawn and stepped through by its view.

A search visits thousands of positions even near its root, so of all nodes only those that cost most
are drawn, with their parents and the principal line; boxes say how many moves were left out, and how
many the search itself never looked at. Visits to the same move are one node with several visits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cythera.core import EXIT_REASONS, INFINITE
from cythera.explain.tree import ALL_BUT, SearchTree, TreeNode, shown_score
from cythera.lab.view.trace import CUT, PRUNED, Step, Trace, TraceNode
from cythera.lab.view.words import plural, show_value

if TYPE_CHECKING:
    from collections.abc import Iterator

@dataclass
class Place:
    """A position of the drawing with all visits to it."""

    name: str
    visits: list[TreeNode] = field(default_factory=list)
    below: dict[str, Place] = field(default_factory=dict)
    is_shown: bool = False
    is_principal: bool = False
    drawn: TraceNode | None = None

    @property
    def last(self) -> TreeNode:
        return self.visits[-1]

    @property
    def cost(self) -> int:
        return sum(visit.nodes for visit in self.visits)

    def walk(self) -> Iterator[Place]:
        yield self
        for place in self.below.values():
            yield from place.walk()


def trace_of(tree: SearchTree, most: int) -> Trace:
    """The trace of a tree, with about `most` nodes."""
    top = Place("")
    for root in tree.roots:
        merge(top, root)
    choose(top, tree, most)
    drawn = draw(top, is_max=True)
    for number, node in enumerate(drawn.walk()):
        node.id = number
    total = sum(1 for _ in tree.walk())
    shown = sum(1 for place in top.walk() if place.is_shown)
    line = " ".join(principal_moves(top))
    spent = plural(sum(root.nodes for root in tree.roots), "node")
    summary = (
        f"score {shown_score(top.last.score)} · {line or 'no line'} · {spent} "
        f"searched in this iteration, {plural(total, 'visit')} down to ply {tree.plies}, {shown} positions drawn · "
        "scores in centipawns, d is the depth asked for"
    )
    return Trace(f"iteration {tree.iteration} · {tree.fen}", summary, drawn, list(steps(top, tree)), "mover")


def merge(place: Place, node: TreeNode) -> None:
    """Adds a visit, and all below it, to the place it belongs to."""
    place.visits.append(node)
    for child in node.children:
        merge(place.below.setdefault(child.move, Place(child.move)), child)


def choose(top: Place, tree: SearchTree, most: int) -> None:
    """Marks what is drawn: the principal line, then what cost most, parents before children."""
    top.is_shown = top.is_principal = True
    place = top
    for uci in tree.principal:
        following = next((below for below in place.below.values() if below.last.uci == uci), None)
        if following is None:
            break
        following.is_shown = following.is_principal = True
        place = following
    count = sum(1 for place in top.walk() if place.is_shown)
    border = [below for place in top.walk() if place.is_shown for below in place.below.values() if not below.is_shown]
    while border and count < most:
        dearest = max(border, key=lambda one: (one.cost, -one.visits[0].order))
        border.remove(dearest)
        dearest.is_shown = True
        count += 1
        border += dearest.below.values()


def draw(place: Place, *, is_max: bool) -> TraceNode:
    """The node of a place, with those below that are shown and boxes for the rest."""
    node = place.last
    shown = [below for below in place.below.values() if below.is_shown]
    drawn = TraceNode(
        id=0,
        player="max" if is_max else "min",
        move=f"{place.name} d{node.depth}" if place.name else "",
        value=worth(node.score),
        order=node.order,
        visits=len(place.visits),
        is_principal=place.is_principal,
        is_leaf=not shown,
    )
    place.drawn = drawn
    if node.is_cut and node.verdict == "moves":
        drawn.reason = f"≥ {bound_text(node.beta)}"
    elif node.verdict != "moves":
        drawn.reason = node.verdict
    if drawn.is_leaf:
        drawn.label = drawn.reason
        drawn.reason = ""
        return drawn
    drawn.alpha, drawn.beta = limit(node.alpha), limit(node.beta)
    if node.is_cut:
        drawn.status = CUT
    drawn.children = [
        draw(below, is_max=is_max if below.name.startswith(ALL_BUT) or below.name == "again" else not is_max)
        for below in shown
    ]
    drawn.children += boxes(place, len(shown), drawn.player)
    return drawn


def boxes(place: Place, shown: int, player: str) -> Iterator[TraceNode]:
    """What stands for the moves that were searched but not drawn, and for those never searched."""
    hidden = len(place.below) - shown
    if hidden:
        yield TraceNode(0, player, label=f"{hidden} more", is_leaf=True)
    searched = {below.last.uci for below in place.below.values()} - {"", "0000"}
    pruned = place.last.legal_moves - len(searched)
    if pruned > 0:
        yield TraceNode(0, player, label=f"+{pruned}", is_leaf=True, status=PRUNED, hidden=pruned)


def steps(top: Place, tree: SearchTree) -> Iterator[Step]:
    """The visits to what is drawn, in the order they happened, in words."""
    places = {id(visit): place for place in top.walk() for visit in place.visits}

    def tell(node: TreeNode, path: str) -> Iterator[Step]:
        place = places[id(node)]
        if place.drawn is None:
            return
        name = path or "the root"
        ending = EXIT_REASONS[node.verdict]
        if not ending and node.is_cut:
            ending = f"cut: at least {bound_text(node.beta)}"
        value = worth(node.score)
        said = show_value(value)
        if place.drawn.is_leaf:
            note = f" ({ending})" if ending else ""
            yield Step("leaf", place.drawn.id, f"{name}, depth {node.depth}: {said}{note}", value)
            return
        window = f"({bound_text(node.alpha)}, {bound_text(node.beta)})"
        text = f"{name}: window {window}, depth {node.depth}, {node.kind} node"
        yield Step("enter", place.drawn.id, text, None, limit(node.alpha), limit(node.beta))
        for child in node.children:
            yield from tell(child, f"{path} {child.move}".strip())
        spent = plural(node.nodes, "node")
        yield Step("leave", place.drawn.id, f"{name} is worth {said}, {spent}{f'; {ending}' if ending else ''}", value)

    for root in tree.roots:
        yield from tell(root, "")


def principal_moves(top: Place) -> Iterator[str]:
    place: Place | None = top
    while place is not None:
        place = next((below for below in place.below.values() if below.is_principal), None)
        if place is not None:
            yield place.name


def worth(score: int) -> float | str:
    text = shown_score(score)
    return text if text.startswith("#") else score


def limit(value: int) -> float:
    return math.copysign(math.inf, value) if abs(value) >= INFINITE else value


def bound_text(value: int) -> str:
    text = shown_score(value)
    return text if text.startswith("#") or "∞" in text else str(value).replace("-", "−")
