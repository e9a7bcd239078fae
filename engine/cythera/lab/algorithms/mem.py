"""Mem*: RecSSS* within a given memory.

The recursive, memory-controlled scheme of S. Bhattacharya and A. Bagchi, "Searching Game Trees Under
Memory Constraints", AAAI 1996, who call it MemSSS*: what InterSSS* does with a sorted list is done by
recursion over a tree that is kept, as RecSSS* does for SSS*. Implemented from what the paper
promises (a limit M on the nodes held, best first as far as M allows, never a leaf that alpha-beta
would not visit, RecSSS* itself when M is large); the recursion is written here in our own words.

Each of our nodes keeps as many of its moves as there is room for; the others wait, and until they
have come in the bound of the node stays what it was. `refine` is told the greatest bound to its left
(`floor`) and whether all to its left is solved (`first`). Below the floor it does nothing: alpha-beta
would prune there, as soon as the left is known. What is first may hold a move more than M allows, so
that the search always goes on: more than M is held by at most two nodes per ply of one path.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Generic

from cythera.lab.errors import LabError
from cythera.lab.game import Action, State
from cythera.lab.search import INF, Node, Result, Search, just_below, sign
from cythera.lab.texts import say

MEMORY = 64


class Part(Generic[State, Action]):
    """A node of the kept tree: no strategy through it achieves more than `bound`."""

    __slots__ = ("bound", "dropped", "node", "offer", "ours", "reply", "solved", "unborn", "waiting")

    def __init__(self, node: Node[State, Action], bound: float) -> None:
        self.node = node
        self.bound = bound
        self.solved = False
        self.ours: list[Part[State, Action]] = []  # our moves that are kept, from left to right
        self.reply: Part[State, Action] | None = None  # the reply being examined
        self.unborn: Iterator[Node[State, Action]] | None = None  # moves or replies still to come
        self.waiting = 0  # how many moves of ours those are
        self.offer = bound  # what they may still be worth
        self.dropped = -INF  # the greatest bound of moves that were forgotten


def mem(search: Search[State, Action], memory: int | None = None) -> Result[float, Action]:
    """The same value as minimax, from a subset of alpha-beta's leaves; `kept` is the most nodes held at once.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> mem(Search(parse_tree("1 x y / 5 6 7")))
    Result(value=5, move=1, line=(1, 0), generated=7, leaves=4, notes={'kept': 5, 'memory': 64})
    >>> mem(Search(parse_tree("4 5 / 3 x / 2 y")), memory=1).leaves
    4
    """
    if memory is None:
        memory = MEMORY if search.options.memory is None else search.options.memory
    if memory < 1:
        raise LabError(say("error.memory", memory=memory))
    root = Part(search.root(), INF)
    us = root.node.player
    held = most_held = 1

    def part_of(node: Node[State, Action], bound: float) -> Part[State, Action]:
        nonlocal held, most_held
        held += 1
        most_held = max(most_held, held)
        return Part(node, bound)

    def release(part: Part[State, Action] | None) -> None:
        nonlocal held
        if part is not None:
            held -= 1
            for below in (*part.ours, part.reply):
                release(below)

    def refine(part: Part[State, Action], floor: float, first: bool) -> bool:
        """Lowers the bound of a node or solves it; False if that must wait for what is to its left."""
        if search.is_leaf(part.node):
            part.bound = min(part.bound, sign(root.node) * search.value(part.node))
            part.solved = True
            done = True
        elif part.node.player == us:
            done = refine_ours(part, floor, first)
        else:
            done = refine_theirs(part, floor, first)
        if done:
            search.note(part.node, sign(root.node) * part.bound, "solved" if part.solved else "bounded")
        return done

    def refine_ours(part: Part[State, Action], floor: float, first: bool) -> bool:
        if part.unborn is None:
            actions = search.actions(part.node)
            part.unborn, part.waiting, part.offer = search.follow(part.node, actions), len(actions), part.bound
        bound = part.bound
        while part.bound == bound and not part.solved:
            progress = work_on_ours(part, floor, first)
            if not part.solved:
                waiting = part.offer if part.waiting else -INF
                part.bound = max(waiting, part.dropped, *(move.bound for move in part.ours))
            if part.bound == bound and not part.solved and not progress:
                return False
        return True

    def work_on_ours(part: Part[State, Action], floor: float, first: bool) -> bool:
        """One step with the best of our moves; if that must wait, with the next best to its left."""
        solved = purge(part)
        if first:
            drop(part, floor)
        if solved is not None:  # what is less has no part in the value any more, to its left neither
            floor = max(floor, just_below(solved.bound))
        records: list[tuple[Part[State, Action] | None, float, bool]] = []  # None: the moves that wait
        for move in part.ours:
            if move.bound > floor:
                records.append((move, floor, first))
            first = first and (move.solved or move.bound <= floor)
            floor = max(floor, move.bound)
        if part.waiting and (part.offer > floor or not part.ours):
            records.append((None, floor, first))
        for best, left, all_solved in reversed(records):
            if best is None:
                if take_in(part, all_solved):
                    return True
            elif best.solved:
                if settle(part, best):
                    return True
            elif refine(best, left, all_solved):
                return True
        return False

    def purge(part: Part[State, Action]) -> Part[State, Action] | None:
        """Forgets the moves that cannot be better than a solved one, which it returns. Of equals the leftmost stays."""
        solved = max((move for move in part.ours if move.solved), key=lambda move: move.bound, default=None)
        if solved is None:
            return None
        place = part.ours.index(solved)
        useless = [
            move
            for index, move in enumerate(part.ours)
            if move is not solved and (move.bound < solved.bound or (move.bound == solved.bound and index > place))
        ]
        for move in useless:
            release(move)
            part.ours.remove(move)
        return solved

    def drop(part: Part[State, Action], floor: float) -> None:
        """Forgets the moves that are no better than what we already have elsewhere."""
        for move in [move for move in part.ours if move.bound <= floor and not move.solved]:
            part.dropped = max(part.dropped, move.bound)
            release(move)
            part.ours.remove(move)

    def take_in(part: Part[State, Action], first: bool) -> bool:
        """Keeps as many of the waiting moves as there is room for; one at least if all to the left is solved."""
        fitting = max(min(part.waiting, memory - held), 1 if first else 0)
        if fitting < 1:
            return False
        assert part.unborn is not None
        part.ours += [part_of(child, part.offer) for child in islice(part.unborn, fitting)]
        part.waiting -= fitting
        return True

    def settle(part: Part[State, Action], best: Part[State, Action]) -> bool:
        """Forgets the moves that cannot be better than a solved one; True if that solves the node."""
        part.node.best = best.node
        for move in [move for move in part.ours if move is not best and move.bound <= best.bound]:
            release(move)
            part.ours.remove(move)
        if len(part.ours) > 1 or (part.waiting and part.offer > best.bound):
            return False
        release(best)
        part.ours, part.waiting = [], 0
        part.bound, part.solved = best.bound, True
        return True

    def refine_theirs(part: Part[State, Action], floor: float, first: bool) -> bool:
        if part.unborn is None:
            part.unborn = search.children(part.node)
        bound = part.bound
        while part.bound == bound and not part.solved:
            if part.reply is None and held >= memory and not first:
                return False
            if part.reply is None or part.reply.solved:
                release(part.reply)
                part.reply = None
                reply = next(part.unborn, None)
                if reply is None:
                    part.solved = True
                    break
                part.reply = part_of(reply, bound)
            if not refine(part.reply, floor, first):
                return False
            if part.reply.bound < part.bound or part.node.best is None:
                part.node.best = part.reply.node
            part.bound = part.reply.bound
        return True

    while not root.solved:
        refine(root, -INF, True)
    return search.result(root.node, sign(root.node) * root.bound, kept=most_held, memory=memory)
