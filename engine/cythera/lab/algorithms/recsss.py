"""RecSSS*: SSS* by recursion, without the list.

The states on OPEN are the frontier of one tree: all of our moves, one reply of the opponent's to
each. Keep that tree, with a bound at every node, and the best state is found by walking down it
(our moves: the greatest bound, leftmost of equals; the opponent's: the reply being examined). No
sorted list and no purge are needed, and a solved part is forgotten at once.

`refine` works below a node only while that is still the best place to be, which is until its bound
falls or it is solved: so the leaves come in the very order in which SSS* visits them.

What it saves is the work on the list. In memory it holds more than OPEN has states, as its inventors
say: inner nodes are kept too. (S. Bhattacharya and A. Bagchi, "A Faster Alternative to SSS* with
Extension to Variable Memory", 1993.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic

from cythera.lab.game import Action, State
from cythera.lab.search import INF, Node, Result, Search, sign


class Partial(Generic[State, Action]):
    """A node of the kept tree: no strategy through it achieves more than `bound`."""

    def __init__(self, node: Node[State, Action], bound: float) -> None:
        self.node = node
        self.bound = bound
        self.solved = False
        self.ours: list[Partial[State, Action]] | None = None  # our moves here, from left to right
        self.reply: Partial[State, Action] | None = None  # the reply being examined, and
        self.unborn: Iterator[Node[State, Action]] | None = None  # those still to come


def recsss(search: Search[State, Action]) -> Result[float, Action]:
    """The same leaves as SSS* in the same order; `kept` is the greatest number of nodes held at once.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> recsss(Search(parse_tree("1 x y / 5 6 7")))
    Result(value=5, move=1, line=(1, 0), generated=7, leaves=4, notes={'kept': 5})
    """
    root = Partial(search.root(), INF)
    us = root.node.player
    held = most_held = 1

    def partial(node: Node[State, Action], bound: float) -> Partial[State, Action]:
        nonlocal held, most_held
        held += 1
        most_held = max(most_held, held)
        return Partial(node, bound)

    def refine(part: Partial[State, Action]) -> None:
        """Lowers the bound of a node, or solves it."""
        if search.is_leaf(part.node):
            part.bound = min(part.bound, sign(root.node) * search.value(part.node))
            part.solved = True
        elif part.node.player == us:
            refine_ours(part)
        else:
            refine_theirs(part)
        search.note(part.node, sign(root.node) * part.bound, "solved" if part.solved else "bounded")

    def refine_ours(part: Partial[State, Action]) -> None:
        if part.ours is None:
            part.ours = [partial(child, part.bound) for child in search.children(part.node)]
        bound = part.bound
        while part.bound == bound and not part.solved:
            best = max(part.ours, key=lambda move: move.bound)  # the first of equals
            if best.solved:
                solve(part, best)
            else:
                refine(best)
                part.bound = max(move.bound for move in part.ours)

    def refine_theirs(part: Partial[State, Action]) -> None:
        if part.unborn is None:
            part.unborn = search.children(part.node)
        bound = part.bound
        while part.bound == bound and not part.solved:
            if part.reply is None or part.reply.solved:
                reply = next(part.unborn, None)
                if reply is None:
                    part.solved = True
                    break
                release(part.reply)
                part.reply = partial(reply, bound)
            refine(part.reply)
            if part.reply.bound < part.bound or part.node.best is None:
                part.node.best = part.reply.node
            part.bound = part.reply.bound

    def solve(part: Partial[State, Action], best: Partial[State, Action]) -> None:
        part.solved = True
        part.node.best = best.node
        for move in part.ours or ():
            release(move)
        part.ours = []

    def release(part: Partial[State, Action] | None) -> None:
        nonlocal held
        if part is not None:
            held -= 1
            for below in (*(part.ours or ()), part.reply):
                release(below)

    while not root.solved:
        refine(root)
    return search.result(root.node, sign(root.node) * root.bound, kept=most_held)
