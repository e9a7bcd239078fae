"""The clock: how long to think. Pure functions of numbers, no I/O, no time read here.

Two limits rule a move. The soft one is asked after every iteration and stretched or shrunk by how
sure the search is; the hard one ends the search wherever it is.
"""

from cythera.engine.limits import Go

MOVES_LEFT = 32  # the game is planned to last so many more moves, without moves-to-go
INCREMENT_SHARE = 1.0  # of the increment, less the overhead, that goes into this move
HARD_OVER_SOFT = 4.5
HARD_SHARE = 0.6  # of the clock that one move may cost at most
LEAST_MS = 1.0


class Budget:
    """Soft and hard limit in milliseconds; None means no limit."""

    __slots__ = ("hard_ms", "soft_ms")

    def __init__(self, soft_ms: float | None, hard_ms: float | None) -> None:
        self.soft_ms = soft_ms
        self.hard_ms = hard_ms

    def __repr__(self) -> str:
        return f"Budget(soft_ms={self.soft_ms}, hard_ms={self.hard_ms})"


def budget(go: Go, white: bool, overhead_ms: float = 10, slow_mover: int = 100) -> Budget:
    """Shares out the clock of the side to move.

    `overhead_ms` is what the GUI and the wire cost per move; `slow_mover` scales the soft limit in
    percent. A clock that is (nearly) empty still gives a positive budget; otherwise the hard limit
    leaves the overhead on the clock.

    >>> budget(Go(movetime=500), True, overhead_ms=20)
    Budget(soft_ms=None, hard_ms=480)
    """
    if go.movetime is not None:
        hard = max(go.movetime - overhead_ms, LEAST_MS)
        if go.wtime is None and go.btime is None:
            return Budget(None, hard)
        clock = clock_budget(go, white, overhead_ms, slow_mover)
        return Budget(clock.soft_ms, min(clock.hard_ms or hard, hard))
    return clock_budget(go, white, overhead_ms, slow_mover)


def clock_budget(go: Go, white: bool, overhead_ms: float, slow_mover: int) -> Budget:
    """What a game's clock allows for this move; no limits if there is none."""
    left, others = (go.wtime, go.btime) if white else (go.btime, go.wtime)
    if left is None:
        left = others  # half a clock: better to take the other's than to think for ever
    if left is None:
        return Budget(None, None)
    # The overhead eats its part of every increment; spending that too would run the clock down to nothing.
    increment = max((go.winc if white else go.binc) - overhead_ms, 0)
    usable = max(left - overhead_ms, LEAST_MS)
    if go.movestogo:
        moves = min(go.movestogo, 50)
        # All remaining moves of the period have to be paid from this clock, each with its overhead.
        usable = max(left - overhead_ms * min(moves + 1, 5), LEAST_MS)
        soft = usable / (moves + 1) * 1.1 + INCREMENT_SHARE * increment
        share = 0.9 if moves == 1 else HARD_SHARE
    else:
        soft = usable / MOVES_LEFT + INCREMENT_SHARE * increment
        share = HARD_SHARE
    soft *= slow_mover / 100
    hard = min(HARD_OVER_SOFT * soft, share * usable)
    return Budget(max(min(soft, hard), LEAST_MS), max(hard, LEAST_MS))


class Governor:
    """Decides after each iteration whether to begin another.

    The soft limit is scaled by three signs of certainty: for how long the best move has been the
    same, which share of the nodes it took, and whether the score is falling.
    """

    def __init__(self, limits: Budget) -> None:
        self.limits = limits
        self.best_move = ""
        self.stable = 0
        self.scores: list[int] = []

    def scale(self, best_move: str, score: int, node_share: float) -> float:
        """Takes in an iteration's outcome and returns the factor on the soft limit."""
        self.stable = self.stable + 1 if best_move == self.best_move else 0
        self.best_move = best_move
        trend = 0.0
        if len(self.scores) >= 3:
            trend = max(-60.0, min(60.0, self.scores[-3] - score))
        self.scores.append(score)
        stability = (1.65, 1.3, 1.1, 1.0, 0.92, 0.86)[min(self.stable, 5)]
        effort = 1.75 - 1.2 * max(0.0, min(1.0, node_share))
        falling = 1.0 + trend / 120
        return stability * effort * falling

    def should_stop(self, elapsed_ms: float, depth: int, best_move: str, score: int, node_share: float) -> bool:
        """Whether the time used makes another iteration a bad bargain."""
        factor = self.scale(best_move, score, node_share)
        if self.limits.soft_ms is None or depth < 4:
            return False
        ceiling = self.limits.hard_ms if self.limits.hard_ms is not None else float("inf")
        return elapsed_ms >= min(self.limits.soft_ms * factor, ceiling)
