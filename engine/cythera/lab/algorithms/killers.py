"""Killer moves: a move that refuted one line often refutes the next.

At every ply the last two moves that caused a cut-off are remembered and tried first, if they are
legal. Keeping them costs next to nothing, and a wrong one changes no value.
"""

from __future__ import annotations

from collections import defaultdict, deque

from cythera.lab.game import Action, State
from cythera.lab.search import INF, Node, Result, Search, sign

KILLERS_PER_PLY = 2


def killers(search: Search[State, Action]) -> Result[float, Action]:
    """The same value as minimax; `kills` counts the cut-offs that a remembered move gave at once.

    >>> from cythera.lab.games.connect4 import ConnectFour
    >>> killers(Search(ConnectFour(), depth=3)).notes["kills"] > 0
    True
    """
    remembered: dict[int, deque[Action]] = defaultdict(lambda: deque(maxlen=KILLERS_PER_PLY))
    kills = 0

    @search.watch
    def value_of(node: Node[State, Action], alpha: float, beta: float) -> float:
        nonlocal kills
        if search.is_leaf(node):
            return search.mover_value(node)
        deadly = remembered[node.ply]
        best = -INF
        for child in search.children(node, first=tuple(deadly)):
            low = max(alpha, best)
            value = value_of(child, low, beta) if child.player == node.player else -value_of(child, -beta, -low)
            if value > best:
                best, node.best = value, child
            if best >= beta:
                assert child.action is not None
                if child.action in deadly:
                    kills += child.index == 0
                    deadly.remove(child.action)
                deadly.appendleft(child.action)
                break
        return best

    root = search.root()
    return search.result(root, sign(root) * value_of(root, -INF, INF), kills=kills)
