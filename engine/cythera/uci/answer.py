"""The answer to one `go`: infos on the way, one bestmove at the end, and nothing after it."""

import threading
from time import perf_counter

from cythera.uci.protocol import format_bestmove, format_info

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cythera.engine.search_run import Info, SearchRun

LATE_S = 0.003  # after the time of a search is over; by then it has answered if it had a processor
RETRY_S = 0.001  # between two attempts to answer late
LOCK_S = 0.02  # how long a late answer waits for one that is being printed


class Answer:
    """Printed by the thread of the search or, where that does not get a processor in time, by the thread that reads.

    The last infos are printed with the bestmove in one piece: a reader that wakes up for the infos may take the
    processor from a thread that has not yet written the rest. `run` is set once the search has started, before
    anything but infos is printed.
    """

    def __init__(self, send: "Callable[..., None]", show_wdl: bool) -> None:
        self.send = send
        self.show_wdl = show_wdl
        self.run: SearchRun | None = None
        self.lock = threading.Lock()
        self.is_given = False
        self.retry_s = 0.0  # no late answer before, on `perf_counter`
        self.last_info: Info | None = None  # that was taken in
        self.last_lines: list[str] = []

    @property
    def due_s(self) -> float | None:
        """When a late answer is to be given, on `perf_counter`; None if there is one, or while no clock runs."""
        if self.is_given or self.run is None or self.run.deadline_s is None:
            return None
        return max(self.run.deadline_s + LATE_S, self.retry_s)

    def info(self, info: "Info") -> None:
        with self.lock:
            if self.is_given:
                return
            self.last_info = info
            if info.is_last:
                self.last_lines.append(format_info(info, self.show_wdl))
            else:
                self.send(format_info(info, self.show_wdl))

    def move(self, move: str, number: int) -> None:
        with self.lock:
            if not self.is_given:
                self.send(f"info currmove {move} currmovenumber {number}")

    def give(self, best: list[str], *lines: str) -> None:
        """Prints lines and the bestmove, unless it has been given."""
        with self.lock:
            self._give(best, *lines)

    def give_late(self) -> None:
        """Answers with the last iteration of a search whose time is over: on a loaded machine the thread that searches
        may wait long for a processor, while one that has slept gets it soon. If there is no move yet, or the other
        thread is printing, it is tried again soon. Infos that the other thread has not come to print are printed."""
        assert self.run is not None
        infos = self.run.latest
        if not infos or not self.lock.acquire(timeout=LOCK_S):
            self.retry_s = perf_counter() + RETRY_S
            return
        try:
            is_printed = self.last_info is infos[-1]
            lines = () if is_printed else (format_info(info, self.show_wdl) for info in infos)
            self._give(infos[0].pv, *lines)
        finally:
            self.lock.release()
        self.run.stop()

    def _give(self, best: list[str], *lines: str) -> None:
        if not self.is_given:
            self.is_given = True
            if self.run is not None:
                self.run.answered_s = perf_counter()
            self.send(*self.last_lines, *lines, format_bestmove(best))
