"""Ctrl-C as a wish, not as an exception in the middle of anything."""

import contextlib
import signal
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def stop_signal() -> Iterator[Callable[[], bool]]:
    """Turn the first Ctrl-C (or termination signal) into a flag; a second Ctrl-C interrupts as usual."""
    raised: list[int] = []

    def note(number: int, frame: object) -> None:
        raised.append(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(raised)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
