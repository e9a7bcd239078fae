"""Time management: how long to search for a move. Pure functions of numbers; no clock is read here.

A move has two limits. The soft limit is compared after each iteration, scaled by how settled the
search is; the hard limit ends the search wherever it is.
"""

from cythera.common.record import Record
from cythera.engine.limits import Go

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.board.position import Position
    from cythera.engine.search_run import SearchRun

MOVES_LEFT = 32  # moves the game is expected to last when movestogo is not given
INCREMENT_SHARE = 1.0  # of the increment, less the overhead, that goes into this move
HARD_OVER_SOFT = 4.5
PERIOD_MOVES = 50  # moves of a period that are planned for at most
PERIOD_FACTOR = 1.1  # of an equal share of the period
PERIOD_OVERHEADS = 5  # overheads kept for the rest of a period at most
LAST_MOVE_SHARE = 0.9  # of the clock that the last move of a period may use
HARD_SHARE = 0.6  # of the clock that one move may use at most
LEAST_MS = 1.0
LEAST_DEPTH = 4  # iterations before the soft limit counts
STABILITY_FACTORS = (1.65, 1.3, 1.1, 1.0, 0.92, 0.86)  # on the soft limit, by iterations with the same best move
EFFORT_FACTOR = 1.75  # on the soft limit, less …
EFFORT_SLOPE = 1.2  # … this times the share of nodes of the best move
TREND_ITERATIONS = 3  # over which a fall of the score is measured
LARGEST_TREND_CP = 60.0  # that counts
TREND_CP = 120  # a fall of the score by this would double the soft limit
LAG_DECAY = 0.97  # what is left of the largest lag a move later
RESERVE_LAGS = 2.0  # the reserve on the clock, in largest lags
LONGEST_LAG_MS = 2000.0  # more is no lag: the clock was reset
RESERVE_SHARE = 0.75  # of the clock that may be held in reserve


class TimeBudget(Record):
    """Soft and hard limit in milliseconds; None means no limit."""

    soft_ms: float | None
    hard_ms: float | None


def budget(
    go: Go, white: bool, overhead_ms: float = 10, slow_mover: int = 100, reserve_ms: float = 0
) -> TimeBudget:
    """What the clock of the side to move allows for this move.

    `overhead_ms` is what the GUI and the connection cost per move; `slow_mover` scales the soft limit in
    percent. A clock that is (nearly) empty still gives a positive budget; otherwise the hard limit
    leaves the overhead on the clock. `reserve_ms` is kept on a game's clock besides, up to three quarters of it.

    >>> budget(Go(movetime=500), True, overhead_ms=20)
    TimeBudget(soft_ms=None, hard_ms=480)
    """
    if go.movetime is not None:
        hard = max(go.movetime - overhead_ms, LEAST_MS)
        if go.wtime is None and go.btime is None:
            return TimeBudget(None, hard)
        clock = clock_budget(go, white, overhead_ms, slow_mover, reserve_ms)
        return TimeBudget(clock.soft_ms, min(clock.hard_ms or hard, hard))
    return clock_budget(go, white, overhead_ms, slow_mover, reserve_ms)


def clock_budget(go: Go, white: bool, overhead_ms: float, slow_mover: int, reserve_ms: float = 0) -> TimeBudget:
    """What a game's clock allows for this move; no limits if there is none."""
    left, others = (go.wtime, go.btime) if white else (go.btime, go.wtime)
    if left is None:
        left = others  # only one clock was given: better the other side's than to search without end
    if left is None:
        return TimeBudget(None, None)
    # The overhead takes its part of every increment; spending that too would run the clock down to nothing.
    increment = max((go.winc if white else go.binc) - overhead_ms, 0)
    left -= max(min(reserve_ms, RESERVE_SHARE * left), 0)
    usable = max(left - overhead_ms, LEAST_MS)
    if go.movestogo:
        moves = min(go.movestogo, PERIOD_MOVES)
        # All remaining moves of the period have to be paid from this clock, each with its overhead.
        usable = max(left - overhead_ms * min(moves + 1, PERIOD_OVERHEADS), LEAST_MS)
        soft = usable / (moves + 1) * PERIOD_FACTOR + INCREMENT_SHARE * increment
        share = LAST_MOVE_SHARE if moves == 1 else HARD_SHARE
    else:
        soft = usable / MOVES_LEFT + INCREMENT_SHARE * increment
        share = HARD_SHARE
    soft *= slow_mover / 100
    hard = min(HARD_OVER_SOFT * soft, share * usable)
    return TimeBudget(max(min(soft, hard), LEAST_MS), max(hard, LEAST_MS))


class LagMeter:
    """How much of the clock is lost besides thinking, measured from move to move.

    Two things are seen: how late an answer was, and how much more the clock has run down by the next move than the
    engine has used by its own measure. Both are well under a millisecond on an idle machine with a GUI on it, and
    tens of milliseconds where more wants to run than there are processors.
    """

    def __init__(self) -> None:
        self.largest_ms = 0.0  # lag of a move, fading

    def compare(self, last: "SearchRun", position: "Position", go: Go) -> None:
        """Compares the clock of the next `go` with what it should show after the last search, and the time that search
        took with what it was allowed. A search without an answer or a clock of ours tells nothing."""
        if last.answered_s is None or last.go.ponder or not last.budget.hard_ms:
            return
        used_ms = (last.answered_s - last.started_s) * 1000
        (before_ms, increment_ms), (left_ms, _) = own_clock(last.go, last.position), own_clock(go, position)
        unseen_ms = 0.0
        if before_ms is not None and left_ms is not None and last.position.turn == position.turn:
            unseen_ms = before_ms + increment_ms - used_ms - left_ms
        self.note(used_ms - last.budget.hard_ms, unseen_ms)

    def note(self, late_ms: float, unseen_ms: float) -> None:
        """A move was `late_ms` over its time, and its clock lost `unseen_ms` more than it used."""
        lag_ms = max(late_ms, 0.0) + max(unseen_ms, 0.0)
        if lag_ms <= LONGEST_LAG_MS:
            self.largest_ms = max(self.largest_ms * LAG_DECAY, lag_ms)

    def reserve_ms(self, overhead_ms: float) -> float:
        """What to keep on the clock for lags, besides the overhead: nothing if that covers them."""
        return RESERVE_LAGS * self.largest_ms if self.largest_ms > overhead_ms else 0.0


def own_clock(go: Go, position: "Position") -> tuple[float | None, float]:
    """Milliseconds left and increment of the side to move."""
    return (go.wtime, go.winc) if position.turn == "w" else (go.btime, go.binc)


class TimeManager:
    """Decides after each iteration whether to start another.

    The soft limit is scaled by three signs of how settled the search is: for how many iterations the best
    move has been the same, which share of the nodes it took, and whether the score is falling. With a
    soft limit, an only move ends the search after the first iteration. `is_time_up` is the last decision.
    """

    def __init__(self, budget: TimeBudget, only_move: bool = False) -> None:
        self.budget = budget
        self.only_move = only_move
        self.is_time_up = False
        self.best_move = ""
        self.stable = 0
        self.scores: list[int] = []

    def scale(self, best_move: str, score: int, node_share: float) -> float:
        """Takes in the result of an iteration and returns the factor on the soft limit."""
        self.stable = self.stable + 1 if best_move == self.best_move else 0
        self.best_move = best_move
        trend = 0.0
        if len(self.scores) >= TREND_ITERATIONS:
            trend = max(-LARGEST_TREND_CP, min(LARGEST_TREND_CP, self.scores[-TREND_ITERATIONS] - score))
        self.scores.append(score)
        stability = STABILITY_FACTORS[min(self.stable, len(STABILITY_FACTORS) - 1)]
        effort = EFFORT_FACTOR - EFFORT_SLOPE * max(0.0, min(1.0, node_share))
        falling = 1.0 + trend / TREND_CP
        return stability * effort * falling

    def should_stop(self, elapsed_ms: float, depth: int, best_move: str, score: int, node_share: float) -> bool:
        """Whether another iteration should not be started; remembered in `is_time_up`."""
        factor = self.scale(best_move, score, node_share)
        if self.budget.soft_ms is None:
            return False
        ceiling = self.budget.hard_ms if self.budget.hard_ms is not None else float("inf")
        used_up = elapsed_ms >= min(self.budget.soft_ms * factor, ceiling)
        self.is_time_up = self.only_move or (used_up and depth >= LEAST_DEPTH)
        return self.is_time_up
