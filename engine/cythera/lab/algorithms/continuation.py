"""Heuristic continuation: do not evaluate in the middle of an exchange.

A search of fixed depth cannot see beyond its horizon, and prefers any move that delays a loss beyond it.
Here a leaf that is not quiet (a check, an exchange in progress) is extended, with all moves, until it is
quiet or a limit of extra plies is reached.
"""

from cythera.lab.game import Action, State
from cythera.lab.search import INF, Node, Result, Search, sign

EXTRA_PLIES = 4


def continuation(search: Search[State, Action], extra_plies: int = EXTRA_PLIES) -> Result[float, Action]:
    """Alpha-beta whose leaves are quiet or `extra_plies` beyond the depth; `extended` counts extended leaves.

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
            if overtime == extra_plies or search.game.is_quiet(node.state):
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
