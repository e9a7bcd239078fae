"""Minimax: the value of a state when both sides play their best.

    V(J) = utility(J)                 if the game is over at J (or the depth is reached: evaluation)
    V(J) = max of V over successors   if MAX moves at J
    V(J) = min of V over successors   if MIN moves at J

Depth first, every node visited, nothing pruned: the law the others are held to.
"""

from cythera.lab.game import MAX, Action, State
from cythera.lab.search import INF, Node, Result, Search


def minimax(search: Search[State, Action]) -> Result[float, Action]:
    """The value to MAX, the first of the best moves, and the line both sides then follow.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> minimax(Search(parse_tree("3 12 8 / 2 4 6 / 14 5 2")))
    Result(value=3, move=0, line=(0, 0), generated=13, leaves=9, notes={})
    """

    @search.watch
    def value_of(node: Node[State, Action]) -> float:
        if search.is_leaf(node):
            return search.value(node)
        return max_value(node) if node.player == MAX else min_value(node)

    def max_value(node: Node[State, Action]) -> float:
        best = -INF
        for child in search.children(node):
            value = value_of(child)
            if value > best:
                best, node.best = value, child
        return best

    def min_value(node: Node[State, Action]) -> float:
        best = INF
        for child in search.children(node):
            value = value_of(child)
            if value < best:
                best, node.best = value, child
        return best

    root = search.root()
    return search.result(root, value_of(root))
