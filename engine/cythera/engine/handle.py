"""A search in a thread of its own: start it, wait for it, stop it.

The thread holds no reference to the handle, so a search whose handle is dropped stops by itself. When
the program ends, running searches are stopped and waited for: a thread that returns from compiled code
into an interpreter that is shutting down can crash it.
"""

import atexit
import os
import threading
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from cythera.engine.search_run import Info

    class Run(Protocol):
        """What a handle runs: `run` blocks; the others are called from other threads, at any time."""

        @property
        def is_stopping(self) -> bool: ...
        def run(self) -> list[Info]: ...
        def stop(self) -> None: ...
        def ponderhit(self) -> None: ...


# How often a wait wakes up, so that Ctrl-C works even where waiting for a lock blocks it (Windows).
WAKE_UP_S = 0.2
LAST_WAIT_S = 10.0

# Threads that run compiled code, and what ends them.
running: "dict[threading.Thread, Callable[[], object]]" = {}
shutting_down = False  # the program ends: no run is started any more


def stop_everything() -> None:
    """Ends all searches of the process and waits for them, at its end."""
    global shutting_down
    shutting_down = True
    deadline = monotonic() + LAST_WAIT_S
    while running and monotonic() < deadline:
        threads = list(running.items())
        for _, stop in threads:
            stop()
        for thread, _ in threads:
            thread.join(WAKE_UP_S)


atexit.register(stop_everything)

forks = 0  # of this process and those it was forked from: a fork has the objects, but not the threads


def after_fork() -> None:
    """In a new process that was forked: the threads of the other are not here."""
    global forks
    forks += 1
    running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=after_fork)


class Outcome:
    """The result or the error of a run, once `done` is set."""

    __slots__ = ("callbacks", "done", "error", "finished", "forks", "infos", "lock", "taken", "thread")

    def __init__(self) -> None:
        self.infos: list[Info] = []
        self.error: BaseException | None = None
        self.thread: threading.Thread | None = None  # that runs it
        self.forks = forks
        self.taken = False  # by the thread that runs it, or by `start` if there is no thread
        self.finished = False
        self.done = threading.Event()
        self.lock = threading.Lock()
        self.callbacks: list[Callable[[], object]] = []

    def take(self) -> bool:
        """Whether it is the caller who must finish this."""
        with self.lock:
            taken, self.taken = self.taken, True
            return not taken

    @property
    def is_lost(self) -> bool:
        """Whether it was running when this process was forked: here it will never be done."""
        return self.forks != forks and not self.done.is_set()

    def wait_elsewhere(self) -> None:
        """Waits for the end, unless the caller is called by the run itself."""
        if self.thread is not threading.current_thread():
            self.done.wait()

    def when_done(self, callback: "Callable[[], object]") -> None:
        """Calls back when the run ends, in its thread; at once if it has ended."""
        with self.lock:
            if not self.finished:
                self.callbacks.append(callback)
                return
        callback()

    def finish(self) -> None:
        """Calls back in order, and only then releases those who wait: what the callbacks free is free."""
        with self.lock:
            self.finished = True
        for callback in self.callbacks:
            callback()
        self.callbacks.clear()
        self.done.set()

    def result(self) -> "list[Info]":
        """The infos of a finished run, best line first; raises what the run raised."""
        if self.error is not None:
            raise self.error
        return self.infos


def run_in_thread(run: "Run", outcome: Outcome) -> None:
    """The whole of a run, in its thread."""
    thread = threading.current_thread()
    running[thread] = run.stop
    if not shutting_down and outcome.take():
        try:
            outcome.infos = run.run()
        except BaseException as error:
            outcome.error = error
        del running[thread]
        outcome.finish()
    else:
        del running[thread]


class Search:
    """A handle on a run, which `start` starts; it can be stopped at any time, also before."""

    def __init__(self, run: "Run", at_end: "Callable[[], object]") -> None:
        self.run = run
        self.outcome = Outcome()
        self.outcome.when_done(at_end)
        self.thread = threading.Thread(
            target=run_in_thread, args=(run, self.outcome), name="cythera-search", daemon=True
        )
        self.outcome.thread = self.thread

    def start(self) -> None:
        """Starts the thread. If that fails or is interrupted (Ctrl-C), the run is over when this returns or raises."""
        try:
            self.thread.start()
        except BaseException as error:
            if self.outcome.take():
                self.outcome.error = error
                self.outcome.finish()
            else:
                self.run.stop()
                self.outcome.done.wait()
            if not isinstance(error, RuntimeError):  # RuntimeError: no more threads; `wait` raises it
                raise

    def stop(self) -> None:
        if not self.outcome.is_lost:
            self.run.stop()

    def ponderhit(self) -> None:
        self.run.ponderhit()

    def __del__(self) -> None:
        if not self.outcome.is_lost:
            self.run.stop()

    def wait(self) -> "list[Info]":
        """Waits for the end. If the wait is interrupted (Ctrl-C), the search is stopped first."""
        done = self.outcome.done
        try:
            while not done.wait(WAKE_UP_S):
                pass
        except BaseException:
            self.stop()
            done.wait()
            raise
        return self.outcome.result()

    async def wait_async(self) -> "list[Info]":
        """The same for asyncio; cancelling stops the search."""
        import asyncio

        loop = asyncio.get_running_loop()
        finished = asyncio.Event()

        def notify() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(finished.set)

        self.outcome.when_done(notify)
        try:
            await finished.wait()
        except BaseException:
            self.stop()
            await finished.wait()
            raise
        return self.outcome.result()
