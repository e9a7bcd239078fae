"""Max^n: minimax for any number of players.

A state is worth a tuple, one number for each player; the player to move chooses the successor whose
tuple is best for himself, whatever it does to the others. Of equals he takes the first, and that can
matter to the others: max^n has one value only once ties are settled.
"""

from cythera.lab.game import Action, State
from cythera.lab.search import Node, Result, Search


def maxn(search: Search[State, Action]) -> Result[tuple[float, ...], Action]:
    """What each player gets when all look after themselves. For two players of a zero-sum game: minimax.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> maxn(Search(parse_tree("((1,2,6 4,3,3) (6,1,2 7,4,1))")))
    Result(value=(7, 4, 1), move=1, line=(1, 1), generated=7, leaves=4, notes={})
    """

    @search.watch
    def values_of(node: Node[State, Action]) -> tuple[float, ...]:
        if search.is_leaf(node):
            return search.values(node)
        best: tuple[float, ...] | None = None
        for child in search.children(node):
            values = values_of(child)
            if best is None or values[node.player] > best[node.player]:
                best, node.best = values, child
        assert best is not None
        return best

    root = search.root()
    return search.result(root, values_of(root))
