"""Quiescence search: at the horizon, play the noisy moves out before judging.

Beyond the depth only captures and the like are followed, and the player need not follow any: he may
stand pat on the evaluation, since something quiet will be at least as good. When he may not (in
check), all his moves are searched. What is evaluated in the end is a position with nothing hanging.
"""

from cythera.lab.game import Action, State
from cythera.lab.search import INF, Node, Result, Search, sign


def quiescence(search: Search[State, Action]) -> Result[float, Action]:
    """Alpha-beta to the depth, then quiescence; `beyond` counts the nodes generated past the depth.

    The value is that of minimax over the tree of noisy moves, standing pat allowed.

    >>> from cythera.lab.games.chess import Chess
    >>> protected_pawn = Chess("4k3/8/3p4/4p3/8/8/4Q3/4K3 w - - 0 1")
    >>> from cythera.lab.algorithms.alphabeta import alphabeta
    >>> str(alphabeta(Search(protected_pawn, depth=1)).move)
    'e2e5'
    >>> str(quiescence(Search(protected_pawn, depth=1)).move) == "e2e5"
    False
    """
    game = search.game
    beyond = 0

    @search.watch
    def value_of(node: Node[State, Action], alpha: float, beta: float) -> float:
        nonlocal beyond
        if game.is_terminal(node.state):
            return search.mover_value(node)
        at_horizon = search.depth is not None and node.ply >= search.depth
        best = -INF
        if at_horizon and game.may_stand_pat(node.state):
            best = search.mover_value(node)
            if best >= beta:
                return best
        moves = game.noisy(node.state) if at_horizon else search.actions(node)
        for child in search.follow(node, moves):
            beyond += at_horizon
            low = max(alpha, best)
            value = value_of(child, low, beta) if child.player == node.player else -value_of(child, -beta, -low)
            if value > best:
                best, node.best = value, child
            if best >= beta:
                break
        return best

    root = search.root()
    return search.result(root, sign(root) * value_of(root, -INF, INF), beyond=beyond)
