"""Heuristic continuation: do not stop in the middle of something.

A search that always ends at the same depth sees no further than its horizon, and pushes bad news
beyond it by any delay it can find. Here a leaf where the game says "not quiet" (a check, an exchange
going on) is searched on, with all moves, until it is quiet or the patience is at its end.
"""

from cythera.lab.game import Action, State
from cythera.lab.search import INF, Node, Result, Search, sign

PATIENCE = 4


def continuation(search: Search[State, Action], patience: int = PATIENCE) -> Result[float, Action]:
    """Alpha-beta whose leaves are quiet or `patience` plies too deep; `extended` counts leaves searched on.

    >>> from cythera.lab.games.connect4 import ConnectFour
    >>> continuation(Search(ConnectFour(moves="434352"), depth=2)).notes["extended"] > 0
    True
    """
    extended = 0

    @search.watch
    def value_of(node: Node[State, Action], alpha: float, beta: float) -> float:
        nonlocal extended
        if search.game.is_terminal(node.state):
            return search.mover_value(node)
        overtime = 0 if search.depth is None else node.ply - search.depth
        if search.depth is not None and overtime >= 0:
            if overtime == patience or search.game.is_quiet(node.state):
                return search.mover_value(node)
            extended += overtime == 0
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
    return search.result(root, sign(root) * value_of(root, -INF, INF), extended=extended)
