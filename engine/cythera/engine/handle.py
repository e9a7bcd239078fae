"""A search in a thread of its own: start it, hear of it, wait for it, stop it.

The thread holds no reference to the handle, so a search that nobody can hear of any more stops by
itself. When the program ends, what still runs is stopped and waited for: a thread that comes back
from compiled code into an interpreter that is being taken down can crash it.
"""

import atexit
import threading
import weakref
from time import monotonic

from cythera.engine.search_run import Info, Thinking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# How often a wait looks up, so that Ctrl-C is heard even where waiting for a lock hides it (Windows).
LOOK_UP_S = 0.2
FAREWELL_S = 10.0

# Threads that run compiled code, and what ends them.
running: "dict[threading.Thread, Callable[[], object]]" = {}


def stop_everything() -> None:
    """Ends all searches of the process and waits for them, at its end."""
    deadline = monotonic() + FAREWELL_S
    while running and monotonic() < deadline:  # others may begin while we wait
        threads = list(running.items())
        for _, stop in threads:
            stop()
        for thread, _ in threads:
            thread.join(LOOK_UP_S)


atexit.register(stop_everything)


class Outcome:
    """What came of a search: infos or an error, once `done` is set."""

    __slots__ = ("callbacks", "done", "error", "finished", "infos", "lock")

    def __init__(self) -> None:
        self.infos: list[Info] = []
        self.error: BaseException | None = None
        self.finished = False
        self.done = threading.Event()
        self.lock = threading.Lock()
        self.callbacks: list[Callable[[], object]] = []

    def when_done(self, callback: "Callable[[], object]") -> None:
        """Calls back when the search ends, in its thread; at once if it has."""
        with self.lock:
            if not self.finished:
                self.callbacks.append(callback)
                return
        callback()

    def finish(self) -> None:
        """Calls back in order, and only then lets go of those who wait: what the callbacks free is free."""
        with self.lock:
            self.finished = True
        for callback in self.callbacks:
            callback()
        self.callbacks.clear()
        self.done.set()

    def result(self) -> list[Info]:
        """The infos of a finished search, best line first; raises what the search raised."""
        if self.error is not None:
            raise self.error
        return self.infos


def run(thinking: Thinking, outcome: Outcome) -> None:
    """The whole of a search, in its thread."""
    thread = threading.current_thread()
    running[thread] = thinking.stop
    try:
        outcome.infos = thinking.run()
    except BaseException as error:
        outcome.error = error
    finally:
        del running[thread]
        outcome.finish()


class Search:
    """A handle on a search, which `start` sets going; it can be stopped at any time, also before."""

    def __init__(self, thinking: Thinking, at_end: "Callable[[], object]") -> None:
        self.outcome = Outcome()
        self.outcome.when_done(at_end)
        self.stop = thinking.stop
        weakref.finalize(self, thinking.stop).atexit = False
        self.thread = threading.Thread(target=run, args=(thinking, self.outcome), name="cythera-search", daemon=True)

    def start(self) -> None:
        try:
            self.thread.start()
        except RuntimeError as error:  # no more threads to be had
            self.outcome.error = error
            self.outcome.finish()

    def wait(self) -> list[Info]:
        """Waits for the end. If the wait is interrupted (Ctrl-C), the search is stopped first."""
        done = self.outcome.done
        try:
            while not done.wait(LOOK_UP_S):
                pass
        except BaseException:
            self.stop()
            done.wait()
            raise
        return self.outcome.result()

    async def wait_async(self) -> list[Info]:
        """The same for asyncio; cancelling stops the search."""
        import asyncio

        loop = asyncio.get_running_loop()
        finished = asyncio.Event()

        def tell() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(finished.set)

        self.outcome.when_done(tell)
        try:
            await finished.wait()
        except BaseException:
            self.stop()
            await finished.wait()
            raise
        return self.outcome.result()
