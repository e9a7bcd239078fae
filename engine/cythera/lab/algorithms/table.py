"""The transposition table: what earlier visits proved about a state.

Alpha-beta with memory. A search may leave only a bound behind, so an entry has two values, the
greatest lower bound and the least upper bound proved so far, each with the child that proved it.
Entries are found by the state and the plies still to search: a search of another depth is another
question. (Engines accept answers from deeper searches too, and so give up an exact law for speed.)
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from cythera.lab.game import MAX, Action, State
from cythera.lab.search import INF, Node, Result, Search


class Entry:
    """What is known of a state: lower ≤ V ≤ upper."""

    __slots__ = ("floor", "lower", "roof", "upper")

    def __init__(self) -> None:
        self.lower = -INF
        self.upper = INF
        self.floor: Node[Any, Any] | None = None  # the child that proved `lower` (where MAX moves)
        self.roof: Node[Any, Any] | None = None  # the child that proved `upper` (where MIN moves)

    def best(self, node: Node[Any, Any]) -> Node[Any, Any] | None:
        """The child the player should go to, as far as is known."""
        return self.floor if node.player == MAX else self.roof


class Table:
    """Entries by state and remaining depth."""

    def __init__(self) -> None:
        self.entries: dict[tuple[Hashable, int | None], Entry] = {}
        self.hits = 0

    def entry(self, search: Search[State, Action], node: Node[State, Action]) -> Entry:
        """The entry of a node, a blank one if there was none."""
        return self.entries.setdefault((search.game.key(node.state), search.remaining(node)), Entry())

    def peek(self, search: Search[State, Action], node: Node[State, Action], remaining: int | None) -> Entry | None:
        """The entry of a node as a search of another depth left it."""
        return self.entries.get((search.game.key(node.state), remaining))


def alphabeta_table(search: Search[State, Action], table: Table | None = None) -> Result[float, Action]:
    """The same value as minimax, visiting each state once or little more; `hits` counts what was saved.

    >>> from cythera.lab.games.tictactoe import TicTacToe
    >>> from cythera.lab.algorithms.alphabeta import alphabeta
    >>> plain, memory = alphabeta(Search(TicTacToe())), alphabeta_table(Search(TicTacToe()))
    >>> plain.value == memory.value, plain.leaves > 5 * memory.leaves
    (True, True)
    """
    table = Table() if table is None else table
    root = search.root()
    value = memory_value(search, table, root, -INF, INF)
    follow_proofs(search, table, root)
    return search.result(root, value, hits=table.hits, entries=len(table.entries))


def memory_value(
    search: Search[State, Action], table: Table, root: Node[State, Action], alpha: float, beta: float
) -> float:
    """Fail-soft alpha-beta below `root`, seen by MAX, that asks and fills the table."""

    @search.watch
    def value_of(node: Node[State, Action], alpha: float, beta: float) -> float:
        entry = table.entry(search, node)
        if entry.lower >= beta or entry.lower == entry.upper:
            table.hits += 1
            return entry.lower
        if entry.upper <= alpha:
            table.hits += 1
            return entry.upper
        alpha, beta = max(alpha, entry.lower), min(beta, entry.upper)

        if search.is_leaf(node):
            entry.lower = entry.upper = search.value(node)
            return entry.lower
        value = max_value(node, alpha, beta) if node.player == MAX else min_value(node, alpha, beta)
        if value > alpha and value > entry.lower:
            entry.lower, entry.floor = value, node.best
        if value < beta and value < entry.upper:
            entry.upper, entry.roof = value, node.best
        return value

    def max_value(node: Node[State, Action], alpha: float, beta: float) -> float:
        best = -INF
        for child in search.children(node, first=remembered(search, table, node)):
            value = value_of(child, max(alpha, best), beta)
            if value > best:
                best, node.best = value, child
            if best >= beta:
                break
        return best

    def min_value(node: Node[State, Action], alpha: float, beta: float) -> float:
        best = INF
        for child in search.children(node, first=remembered(search, table, node)):
            value = value_of(child, alpha, min(beta, best))
            if value < best:
                best, node.best = value, child
            if best <= alpha:
                break
        return best

    return value_of(root, alpha, beta)


def remembered(search: Search[State, Action], table: Table, node: Node[State, Action]) -> tuple[Action, ...]:
    """The move a shallower search liked best here, to be tried first."""
    remaining = search.remaining(node)
    if remaining is None:
        return ()
    entry = table.peek(search, node, remaining - 1)
    best = entry.best(node) if entry else None
    return () if best is None or best.action is None else (best.action,)


def follow_proofs(search: Search[State, Action], table: Table, root: Node[State, Action]) -> None:
    """Reads the principal line off the table: where MAX moves follow the lower bound, else the upper.

    Where both bounds have met, one proof shows what MAX can reach and the other what MIN can hold
    him to; the line is where the two proofs meet.
    """
    node = root
    while not search.is_leaf(node):
        found = table.entry(search, node).best(node)
        if found is None:
            return
        assert found.action is not None
        node.best = Node(found.state, found.player, node, found.action, found.index)
        node = node.best
