"""SSS*: best first through the strategies of the player to move.

A strategy of ours fixes one move at each of our nodes and must live with all of the opponent's; it
is worth the least leaf it can lead to. SSS* keeps a list OPEN of partial strategies, each as a state
(node, LIVE or SOLVED, merit), where the merit bounds from above what the strategy can still achieve.
It always works on the best; when the root is SOLVED, its merit is its value.

Never a leaf that alpha-beta would not visit, and often fewer; the price is the list. Ties go to the
leftmost node: without that rule the promise fails.
(G. Stockman, "A Minimax Algorithm Better than Alpha-Beta?", 1979.)
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from typing import Any, Generic, NamedTuple

from cythera.lab.game import Action, State
from cythera.lab.search import INF, Node, Result, Search, sign

LIVE, SOLVED = "live", "solved"


class Replies(Generic[State, Action]):
    """A node of the opponent's above a state on OPEN, whose replies are examined one after another."""

    __slots__ = ("above", "merit", "node", "unborn")

    def __init__(
        self,
        node: Node[State, Action],
        unborn: Iterator[Node[State, Action]],
        merit: float,
        above: Replies[State, Action] | None,
    ) -> None:
        self.node = node
        self.unborn = unborn  # the replies still to come
        self.merit = merit  # that the strategy had before the reply being examined
        self.above = above  # the opponent's next node towards the root

    def lowered(self, reply: Node[State, Action], merit: float) -> Node[State, Action] | None:
        """Takes the merit after a reply, and gives the next reply, if there is one."""
        if self.node.best is None or merit < self.merit:
            self.node.best, self.merit = reply, merit
        return next(self.unborn, None)


class Entry(NamedTuple):
    """A state on OPEN. Entries sort by greatest merit, then leftmost; no two are in the same place."""

    regret: float  # the merit, negated
    place: tuple[int, ...]  # which child of which child of … the root
    status: str
    node: Node[Any, Any]
    replies: Replies[Any, Any] | None  # where the opponent chooses, nearest first


def sss(search: Search[State, Action]) -> Result[float, Action]:
    """The same value as minimax, from a subset of alpha-beta's leaves; `open` is how long OPEN grew.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> sss(Search(parse_tree("1 x y / 5 6 7")))
    Result(value=5, move=1, line=(1, 0), generated=7, leaves=4, notes={'open': 2})
    """
    root = search.root()
    us = root.player
    opened: list[Entry] = []
    longest = 0

    def insert(
        node: Node[State, Action],
        place: tuple[int, ...],
        status: str,
        merit: float,
        replies: Replies[State, Action] | None,
    ) -> None:
        search.note(node, sign(root) * merit, status)
        insort(opened, Entry(-merit, place, status, node, replies))

    insert(root, (), LIVE, INF, None)
    while True:
        longest = max(longest, len(opened))
        regret, place, status, node, replies = opened.pop(0)
        merit, parent = -regret, node.parent

        if status == LIVE and search.is_leaf(node):
            insert(node, place, SOLVED, min(merit, sign(root) * search.value(node)), replies)
        elif status == LIVE and node.player == us:
            for child in search.children(node):
                insert(child, (*place, child.index), LIVE, merit, replies)
        elif status == LIVE:
            children = search.children(node)
            insert(next(children), (*place, 0), LIVE, merit, Replies(node, children, merit, replies))

        elif parent is None:
            return search.result(root, sign(root) * merit, open=longest)
        elif parent.player == us:  # our best move here is found: forget the others
            parent.best = node
            opened = [entry for entry in opened if entry.place[: parent.ply] != place[:-1]]
            insert(parent, place[:-1], SOLVED, merit, replies)
        else:  # the opponent may have something better still
            assert replies is not None
            sibling = replies.lowered(node, merit)
            if sibling is not None:
                insert(sibling, (*place[:-1], sibling.index), LIVE, merit, replies)
            else:
                insert(parent, place[:-1], SOLVED, merit, replies.above)
