"""Negamax: minimax in one case instead of two.

What is good for me is bad for you: seen by the player to move, the value of a state is the greatest
of the negated values of its successors. Where the same player moves twice, nothing is negated.
"""

from cythera.lab.game import Action, State
from cythera.lab.search import INF, Node, Result, Search, sign


def negamax(search: Search[State, Action]) -> Result[float, Action]:
    """The same value, move and line as minimax. The value returned is MAX's, as everywhere.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> negamax(Search(parse_tree("3 12 8 / 2 4 6 / 14 5 2"))).value
    3
    """

    @search.watch
    def value_of(node: Node[State, Action]) -> float:
        """What the node is worth to the player who moves there."""
        if search.is_leaf(node):
            return search.mover_value(node)
        best = -INF
        for child in search.children(node):
            value = value_of(child) if child.player == node.player else -value_of(child)
            if value > best:
                best, node.best = value, child
        return best

    root = search.root()
    return search.result(root, sign(root) * value_of(root))
