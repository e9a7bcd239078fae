"""Labelling: who wins? The question minimax was first asked.

Every state is a WIN, a LOSS or a DRAW for MAX. A player who finds a winning move looks no further,
so a good order of moves saves much of the tree. Only the sign of a value counts here, so that it is for
games with a result, not for scores.
"""

from cythera.lab.game import MAX, Action, State
from cythera.lab.search import Node, Result, Search

WIN, DRAW, LOSS = 1, 0, -1  # for MAX
LABELS = {WIN: "win", DRAW: "draw", LOSS: "loss"}


def labelling(search: Search[State, Action]) -> Result[float, Action]:
    """The label of the root: the sign of its minimax value. The move is the first that achieves it.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> labelling(Search(parse_tree("1 0 1 / 1 1 1 / -1 1 0")))
    Result(value=1, move=1, line=(1, 0), generated=9, leaves=6, notes={})
    """

    @search.watch
    def label(node: Node[State, Action]) -> int:
        if search.is_leaf(node):
            value = search.value(node)
            return WIN if value > 0 else LOSS if value < 0 else DRAW
        wanted = WIN if node.player == MAX else LOSS
        best = -wanted
        for child in search.children(node):
            outcome = label(child)
            if node.best is None or outcome * wanted > best * wanted:
                best, node.best = outcome, child
            if best == wanted:
                break
        return best

    root = search.root()
    return search.result(root, label(root))
