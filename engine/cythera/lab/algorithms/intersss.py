"""InterSSS*: SSS* with a limit on the length of OPEN.

Defined by S. Bhattacharya and A. Bagchi, "Making Best Use of Available Memory When Searching Game
Trees", AAAI 1986, who call it ITERSSS*. What that paper promises is what is implemented and tested:
the memory M for OPEN is a parameter; the leaves are never more than alpha-beta's, whatever M is; for
a large M the search is SSS*, step by step. The rule of selection is written here in our own words.

OPEN is kept from left to right. A state may be worked on without visiting a leaf that alpha-beta
would not visit exactly when its merit is greater than all merits to its left: only left siblings
raise alpha. The best state of SSS* is the last of these records. One of our nodes with more moves than
there is room for puts as many into OPEN as fit, and one state, REST, that stands for the others. When
there is no room at all, moves that cannot be better than a solved one are forgotten; if that frees
nothing, the record waits, and the next one to its left is worked on. The leftmost state may always be
worked on, so the search cannot get stuck: OPEN grows beyond M by at most two states per node of ours
on the path to that state, a solved move and a REST.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic

from cythera.lab.algorithms.sss import LIVE, SOLVED, Replies
from cythera.lab.errors import LabError
from cythera.lab.game import Action, State
from cythera.lab.search import INF, Node, Result, Search, sign
from cythera.lab.texts import say

REST = "rest"
MEMORY = 64


class Open(Generic[State, Action]):
    """A state on OPEN: a node with its merit; of a REST, the node whose other moves wait."""

    __slots__ = ("count", "merit", "node", "place", "replies", "status", "unborn")

    def __init__(
        self,
        node: Node[State, Action],
        place: tuple[int, ...],
        status: str,
        merit: float,
        replies: Replies[State, Action] | None,
    ) -> None:
        self.node = node
        self.place = place  # which child of which child of … the root
        self.status = status
        self.merit = merit
        self.replies = replies  # where the opponent chooses, nearest first
        self.unborn: Iterator[Node[State, Action]] | None = None  # moves of ours that wait for room, and
        self.count = 0  # how many they are


def intersss(search: Search[State, Action], memory: int | None = None) -> Result[float, Action]:
    """The same value as minimax, from a subset of alpha-beta's leaves; `open` is how long OPEN grew.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> tree = parse_tree("1 x y / 5 6 7")
    >>> intersss(Search(tree))
    Result(value=5, move=1, line=(1, 0), generated=7, leaves=4, notes={'open': 2, 'memory': 64})
    >>> intersss(Search(parse_tree("4 5 / 3 x / 2 y")), memory=1).leaves
    4
    """
    if memory is None:
        memory = MEMORY if search.options.memory is None else search.options.memory
    if memory < 1:
        raise LabError(say("error.memory", memory=memory))
    root = search.root()
    us = root.player
    opened: list[Open[State, Action]] = [Open(root, (), LIVE, INF, None)]  # from left to right
    longest = 1

    def replace(index: int, states: Sequence[Open[State, Action]]) -> None:
        nonlocal longest
        opened[index : index + 1] = states
        longest = max(longest, len(opened))
        for state in states:
            if state.status != REST:
                search.note(state.node, sign(root) * state.merit, state.status)

    def work(index: int) -> bool:
        """One step with a state, if it can be made now."""
        state = opened[index]
        node, parent = state.node, state.node.parent
        if state.status == LIVE and search.is_leaf(node):
            merit = min(state.merit, sign(root) * search.value(node))
            replace(index, [Open(node, state.place, SOLVED, merit, state.replies)])
        elif state.status == REST:
            return grow(index, state)
        elif state.status == LIVE and node.player == us:
            if state.unborn is None:
                actions = search.actions(node)
                state.unborn, state.count = search.follow(node, actions), len(actions)
            return grow(index, state)
        elif state.status == LIVE:
            children = search.children(node)
            replies = Replies(node, children, state.merit, state.replies)
            replace(index, [Open(next(children), (*state.place, 0), LIVE, state.merit, replies)])
        elif parent is None:
            return False
        elif parent.player == us:
            return settle(index, state, parent)
        else:  # the opponent may have something better still
            assert state.replies is not None
            sibling = state.replies.lowered(node, state.merit)
            if sibling is None:
                replace(index, [Open(parent, state.place[:-1], SOLVED, state.merit, state.replies.above)])
            else:
                place = (*state.place[:-1], sibling.index)
                replace(index, [Open(sibling, place, LIVE, state.merit, state.replies)])
        return True

    def grow(index: int, state: Open[State, Action]) -> bool:
        """As many of the waiting moves as there is room for; one at least where nothing to the left is open."""
        room = memory - len(opened) + 1
        if state.count > room and forget():
            return False  # with more room now, look again for the best
        fitting = state.count if state.count <= room else room - 1
        if fitting < 1:
            if not all(waits_for(other, state) for other in opened[:index]):
                return False
            fitting = 1
        assert state.unborn is not None
        place = state.place[:-1] if state.status == REST else state.place
        states = [
            Open(child, (*place, child.index), LIVE, state.merit, state.replies)
            for child in islice(state.unborn, fitting)
        ]
        if state.count > fitting:
            rest = Open(state.node, (*place, states[-1].place[-1] + 1), REST, state.merit, state.replies)
            rest.unborn, rest.count = state.unborn, state.count - fitting
            states.append(rest)
        replace(index, states)
        return True

    def forget() -> bool:
        """Takes from OPEN what cannot be better than a solved move of the same node of ours; of equals the leftmost
        stays. True if there was any.
        """
        before = len(opened)
        for state in list(opened):
            parent = state.node.parent
            if state.status == SOLVED and parent is not None and parent.player == us and state in opened:
                above, place = state.place[:-1], opened.index(state)
                opened[:] = [
                    other
                    for index, other in enumerate(opened)
                    if other.place[: len(above)] != above or (other.merit, place) >= (state.merit, index)
                ]
        return len(opened) < before

    def waits_for(state: Open[State, Action], other: Open[State, Action]) -> bool:
        """Whether a state is a solved move of ours that only waits for what is to its right."""
        parent = state.node.parent
        if state.status != SOLVED or parent is None or parent.player != us:
            return False
        above = state.place[:-1]
        return other.place[: len(above)] == above

    def settle(index: int, state: Open[State, Action], parent: Node[State, Action]) -> bool:
        """A move of ours is solved: forget those that cannot be better, and be done if none is left."""
        parent.best = state.node
        above = state.place[:-1]
        others = [other for other in opened if other is not state and other.place[: len(above)] == above]
        useless = {id(other) for other in others if other.merit <= state.merit}
        opened[:] = [other for other in opened if id(other) not in useless]
        if len(useless) < len(others):
            return False
        replace(opened.index(state), [Open(parent, above, SOLVED, state.merit, state.replies)])
        return True

    while opened[0].node is not root or opened[0].status != SOLVED:
        records: list[int] = []
        greatest = -INF
        for index, state in enumerate(opened):
            if state.merit > greatest or not records:
                records.append(index)
                greatest = state.merit
        for index in reversed(records):
            before = len(opened)
            if work(index) or len(opened) < before:
                break
    return search.result(root, sign(root) * opened[0].merit, open=longest, memory=memory)
