"""Principal variation search: SCOUT as negamax, the form every chess engine uses.

The first child is searched with the open window, the others with a null window, (α, just above α),
which can only say "no better" or "better"; after "better" the child is searched again.
"""

from cythera.lab.game import Action, State
from cythera.lab.search import INF, Node, Result, Search, just_above, sign


def pvs(search: Search[State, Action]) -> Result[float, Action]:
    """The same value and line as minimax; `researches` counts the children searched twice.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> pvs(Search(parse_tree("3 12 8 / 2 x y / 14 5 2")))
    Result(value=3, move=0, line=(0, 0), generated=11, leaves=7, notes={'researches': 0})
    """
    researches = 0

    @search.watch
    def value_of(node: Node[State, Action], alpha: float, beta: float) -> float:
        """Fail-soft, seen by the player who moves at the node; so is the window."""
        nonlocal researches
        if search.is_leaf(node):
            return search.mover_value(node)
        best, node.best = -INF, None
        for child in search.children(node):
            low = max(alpha, best)
            if node.best is None:
                value = child_value(node, child, low, beta)
            else:
                value = child_value(node, child, low, just_above(low))
                if low < value < beta:
                    researches += 1
                    value = child_value(node, child, low, beta)
            if value > best:
                best, node.best = value, child
            if best >= beta:
                break
        return best

    def child_value(node: Node[State, Action], child: Node[State, Action], alpha: float, beta: float) -> float:
        """The child's value and window as the player at the parent sees them."""
        if child.player == node.player:
            return value_of(child, alpha, beta)
        return -value_of(child, -beta, -alpha)

    root = search.root()
    return search.result(root, sign(root) * value_of(root, -INF, INF), researches=researches)
