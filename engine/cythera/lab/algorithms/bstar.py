"""B*: search until the best move is certain, not its value.

Every state has a pessimistic and an optimistic value with the true one between. A move is the best
as soon as its pessimistic value reaches the optimistic values of all others, and until then there
are two ways to go on: prove the best (raise the floor of the most promising move) or disprove the
rest (lower the roof of its strongest rival). B* chooses its own depth; nothing is cut off.
"""

from __future__ import annotations

from typing import Generic

from cythera.lab.errors import LabError
from cythera.lab.game import MAX, Action, State
from cythera.lab.search import Interval, Node, Result, Search
from cythera.lab.texts import say


class Bounded(Generic[State, Action]):
    """A node of the tree B* keeps, with pessimistic ≤ V ≤ optimistic, seen by MAX."""

    def __init__(self, node: Node[State, Action], bounds: Interval, parent: Bounded[State, Action] | None):
        self.node = node
        self.pessimistic, self.optimistic = bounds
        self.parent = parent
        self.children: list[Bounded[State, Action]] = []
        self.effort = 0  # expansions so far at this node and below

    def interval(self) -> Interval:
        return Interval(self.pessimistic, self.optimistic)

    def floor(self, player: int) -> float:
        """What a player is sure of here."""
        return self.pessimistic if player == MAX else -self.optimistic

    def roof(self, player: int) -> float:
        """What a player may hope for here."""
        return self.optimistic if player == MAX else -self.pessimistic

    def most_promising(self) -> Bounded[State, Action]:
        """The child the player here hopes for most, the leftmost of equals."""
        return max(self.children, key=lambda child: child.roof(self.node.player))


def bstar(search: Search[State, Action]) -> Result[Interval, Action]:
    """A best move with certainty; the value is an interval that contains the minimax value.

    `expansions` counts the nodes whose children were generated.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> tree = parse_tree("[0,9](A[4,9](B[6,9](8 7) 6) C[1,5](3 4) E[0,3](2 1))")
    >>> bstar(Search(tree))
    Result(value=Interval(low=6, high=6), move=0, line=(0, 1), generated=6, leaves=6, notes={'expansions': 2})
    """
    if search.depth is not None:
        raise LabError(say("error.bstar_depth"))
    start = search.root()
    root = Bounded(start, search.bounds(start), None)
    if search.is_leaf(start):
        return search.result(start, root.interval(), expansions=0)
    expand(search, root)
    while (chosen := next_to_refine(root)) is not None:
        while chosen.children:
            chosen = chosen.most_promising()
        expand(search, chosen)
    mark_line(root)
    return search.result(start, root.interval(), expansions=root.effort)


def next_to_refine(root: Bounded[State, Action]) -> Bounded[State, Action] | None:
    """The move to look into: the best or its strongest rival, whichever had less effort. None: decided."""
    us = root.node.player
    best = root.most_promising()
    rivals = [child for child in root.children if child is not best]
    if not rivals:
        return None
    rival = max(rivals, key=lambda child: child.roof(us))
    if best.floor(us) >= rival.roof(us):
        return None
    rival_is_exact = rival.pessimistic == rival.optimistic
    return best if rival_is_exact or best.effort <= rival.effort else rival


def expand(search: Search[State, Action], leaf: Bounded[State, Action]) -> None:
    """Generates the children of a node and carries what they tell up to the root."""
    leaf.children = [Bounded(child, search.bounds(child), leaf) for child in search.children(leaf.node)]
    part: Bounded[State, Action] | None = leaf
    while part is not None:
        best = max if part.node.player == MAX else min
        part.pessimistic = max(part.pessimistic, best(child.pessimistic for child in part.children))
        part.optimistic = min(part.optimistic, best(child.optimistic for child in part.children))
        part.effort += 1
        search.note(part.node, part.interval(), "bounded")
        part = part.parent


def mark_line(root: Bounded[State, Action]) -> None:
    """The line as far as it was looked into: at each node the child of which the player is surest."""
    part = root.most_promising()
    root.node.best = part.node
    while part.children:
        surest = max(part.children, key=lambda child: child.floor(part.node.player))
        part.node.best = surest.node
        part = surest
