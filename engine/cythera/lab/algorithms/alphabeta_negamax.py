"""Alpha-beta as negamax: one function, and the window turns round with the players."""

from cythera.lab.game import Action, State
from cythera.lab.search import INF, Node, Result, Search, sign


def alphabeta_negamax(search: Search[State, Action]) -> Result[float, Action]:
    """The same value, line and leaves as `alphabeta`.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> alphabeta_negamax(Search(parse_tree("3 12 8 / 2 x y / 14 5 2"))).leaves
    7
    """

    @search.watch
    def value_of(node: Node[State, Action], alpha: float, beta: float) -> float:
        """Fail-soft, seen by the player who moves at the node; so is the window."""
        if search.is_leaf(node):
            return search.mover_value(node)
        best = -INF
        for child in search.children(node):
            low = max(alpha, best)
            value = value_of(child, low, beta) if child.player == node.player else -value_of(child, -beta, -low)
            if value > best:
                best, node.best = value, child
            if best >= beta:
                break
        return best

    root = search.root()
    return search.result(root, sign(root) * value_of(root, -INF, INF))
