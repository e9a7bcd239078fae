"""Ctrl-C and termination signals as a flag or as a KeyboardInterrupt."""

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator

AGAIN_S = 1.0


@contextlib.contextmanager
def stop_signal() -> Iterator[Callable[[], bool]]:
    """Turn Ctrl-C (or a termination signal) into a flag; Ctrl-C a second later interrupts as usual.

    Within that second it is ignored: some parents signal a process and its group, which is the same Ctrl-C twice.
    """
    raised: list[float] = []

    def note(number: int, frame: object) -> None:
        raised.append(time.monotonic())
        if number == signal.SIGINT and raised[-1] - raised[0] > AGAIN_S:
            raise KeyboardInterrupt

    before = {}
    if threading.current_thread() is threading.main_thread():  # only the main thread can handle signals
        before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(raised)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """Makes SIGTERM raise KeyboardInterrupt, so that it ends a run as Ctrl-C does."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    try:
        former = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)
