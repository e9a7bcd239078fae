"""Heuristic pruning: look only at the moves that seem plausible.

At every node the moves are ranked by what they lead to, and only the first few are searched. The
tree shrinks from b^d to w^d; but a sacrifice ranks last, and its point is never seen. Not exact,
unlike alpha-beta, which only omits what cannot change the value.
"""

from cythera.lab.algorithms.ordering import evaluated
from cythera.lab.game import Action, State
from cythera.lab.search import INF, Node, Result, Search, sign

WIDTH = 4


def plausible(search: Search[State, Action], width: int = WIDTH) -> Result[float, Action]:
    """Alpha-beta over the `width` best-looking moves of each node; `skipped` counts those left out.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> plausible(Search(parse_tree("((5 6) (4 7) ((0 0) (0 90)))")), width=2).value
    5
    """
    skipped = 0

    @search.watch
    def value_of(node: Node[State, Action], alpha: float, beta: float) -> float:
        nonlocal skipped
        if search.is_leaf(node):
            return search.mover_value(node)
        ranked = evaluated(search, node, search.actions(node))
        skipped += len(ranked[width:])
        best = -INF
        for child in search.follow(node, ranked[:width]):
            low = max(alpha, best)
            value = value_of(child, low, beta) if child.player == node.player else -value_of(child, -beta, -low)
            if value > best:
                best, node.best = value, child
            if best >= beta:
                break
        return best

    root = search.root()
    return search.result(root, sign(root) * value_of(root, -INF, INF), skipped=skipped)
