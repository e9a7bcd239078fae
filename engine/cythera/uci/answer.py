"""The answer to one `go`: infos on the way, one bestmove at the end, and nothing after it."""

import threading
from time import perf_counter

from cythera.uci.protocol import format_bestmove, format_info

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cythera.engine.search_run import Info

LOCK_S = 0.02  # how long a late answer waits for one that is being printed


class Answer:
    """Printed by the thread of the search or, where that does not get a processor in time, by the thread that reads.

    The last infos are printed with the bestmove in one piece: a reader that wakes up for the infos may take the
    processor from a thread that has not yet written the rest.
    """

    def __init__(self, send: "Callable[..., None]", show_wdl: bool) -> None:
        self.send = send
        self.show_wdl = show_wdl
        self.lock = threading.Lock()
        self.given_s: float | None = None  # when, on perf_counter
        self.last_lines: list[str] = []

    def info(self, info: "Info") -> None:
        with self.lock:
            if self.given_s is not None:
                return
            if info.is_last:
                self.last_lines.append(format_info(info, self.show_wdl))
            else:
                self.send(format_info(info, self.show_wdl))

    def move(self, move: str, number: int) -> None:
        with self.lock:
            if self.given_s is None:
                self.send(f"info currmove {move} currmovenumber {number}")

    def give(self, best: list[str], *lines: str) -> None:
        """Prints lines and the bestmove, unless it has been given."""
        with self.lock:
            self._give(best, *lines)

    def give_late(self, best: list[str]) -> bool:
        """The same from another thread; whether that was possible without waiting long."""
        if not self.lock.acquire(timeout=LOCK_S):
            return False
        try:
            self._give(best)
        finally:
            self.lock.release()
        return True

    def _give(self, best: list[str], *lines: str) -> None:
        if self.given_s is None:
            self.given_s = perf_counter()
            self.send(*self.last_lines, *lines, format_bestmove(best))
