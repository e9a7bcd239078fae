"""Alpha-beta: minimax without the parts that cannot matter.

A window (α, β) goes down with the search: MAX can already have α elsewhere, MIN can already hold
MAX to β. Once a node's value is known to lie outside, the player who profits from that will not let the
game come here, and the rest of its children need not be generated.

Fail-soft: a value inside the window is exact; at α or below it is an upper bound, at β or above a
lower one, and as tight as was seen.
"""

from cythera.lab.game import MAX, Action, State
from cythera.lab.search import INF, Node, Result, Search


def alphabeta(search: Search[State, Action]) -> Result[float, Action]:
    """The same value, move and line as minimax, from a part of its leaves.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> alphabeta(Search(parse_tree("3 12 8 / 2 x y / 14 5 2")))
    Result(value=3, move=0, line=(0, 0), generated=11, leaves=7, notes={})
    """

    @search.watch
    def value_of(node: Node[State, Action], alpha: float, beta: float) -> float:
        if search.is_leaf(node):
            return search.value(node)
        return max_value(node, alpha, beta) if node.player == MAX else min_value(node, alpha, beta)

    def max_value(node: Node[State, Action], alpha: float, beta: float) -> float:
        best = -INF
        for child in search.children(node):
            value = value_of(child, max(alpha, best), beta)
            if value > best:
                best, node.best = value, child
            if best >= beta:
                break
        return best

    def min_value(node: Node[State, Action], alpha: float, beta: float) -> float:
        best = INF
        for child in search.children(node):
            value = value_of(child, alpha, min(beta, best))
            if value < best:
                best, node.best = value, child
            if best <= alpha:
                break
        return best

    root = search.root()
    return search.result(root, value_of(root, -INF, INF))
