"""Time that a move loses besides thinking: measured from move to move, and kept on the clock in reserve."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.board.position import Position
    from cythera.engine.limits import Go
    from cythera.engine.search_run import SearchRun

LAG_DECAY = 0.97  # what is left of the largest lag a move later
RESERVE_LAGS = 2.0  # the reserve on the clock, in largest lags
LONGEST_LAG_MS = 2000.0  # more is no lag: the clock was reset


class LagMeter:
    """How much of the clock is lost besides thinking, measured from move to move.

    Two things are seen: how late an answer was, and how much more the clock has run down by the next move than the
    engine has used by its own measure. Both are well under a millisecond on an idle machine with a GUI on it, and
    tens of milliseconds where more wants to run than there are processors.
    """

    def __init__(self) -> None:
        self.largest_ms = 0.0  # lag of a move, fading

    def compare(self, last: "SearchRun", position: "Position", go: "Go") -> None:
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


def own_clock(go: "Go", position: "Position") -> tuple[float | None, float]:
    """Milliseconds left and increment of the side to move."""
    return (go.wtime, go.winc) if position.turn == "w" else (go.btime, go.binc)
