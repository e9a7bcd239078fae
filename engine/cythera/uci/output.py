"""What the UCI program writes: whole lines to stdout, at once, from any thread, and a copy to the log."""

import sys
import threading

from cythera.common.text import shortened
from cythera.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


class Output:
    """Lines to a stream. `closed` is set when nobody reads it any more."""

    def __init__(self, stream: "TextIO") -> None:
        self.stream = stream
        self.lock = threading.Lock()
        self.closed = False
        self.log: TextIO | None = None

    def send(self, *lines: str) -> None:
        text = "".join(line + "\n" for line in lines)
        with self.lock:
            self.copy("<<", *lines)
            if self.closed:
                return
            try:
                self.stream.write(text)
                self.stream.flush()
            except (OSError, ValueError):
                self.closed = True

    def received(self, line: str) -> None:
        """Copies a line of input to the log."""
        if self.log is not None:
            with self.lock:
                self.copy(">>", line.strip())

    def copy(self, mark: str, *lines: str) -> None:
        """Copies lines to the log, if there is one and it can be written to; under the lock."""
        if self.log is not None:
            try:
                self.log.write("".join(f"{mark} {line}\n" for line in lines))
                self.log.flush()
            except (OSError, ValueError):
                self.log = None

    def open_log(self, path: str) -> None:
        """Copies everything to this file from now on; to none if the path is empty. Raises OptionError."""
        try:
            log = open(path, "a", encoding="utf-8", errors="replace") if path else None  # noqa: SIM115
        except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
            reason = getattr(error, "strerror", None) or error
            raise OptionError(f"cannot write {shortened(path)!r}: {reason}") from None
        with self.lock:
            old, self.log = self.log, log
        if old is not None:
            old.close()


def discard_stdout() -> None:
    """Keeps Python from complaining, on leaving, that the rest of the output has no reader."""
    import os

    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError):
        sys.stdout = None
