"""Lines of input. Where the system allows it, waiting for one ends at a given time."""

import os
from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

CHUNK = 65536


class LineReader:
    """Reads lines from a stream of bytes that nobody else reads."""

    def __init__(self, stream: "BinaryIO") -> None:
        self.stream = stream
        self.lines: list[bytes] = []  # complete ones that have not been asked for, the last first
        self.begun: list[bytes] = []  # pieces of a line whose end has not been read
        self.is_ended = False
        self.poll = None
        try:
            from select import POLLIN, poll

            self.fd = stream.fileno()
            self.poll = poll()
            self.poll.register(self.fd, POLLIN)
        except (ImportError, OSError, ValueError):  # Windows, or a stream without a file
            self.poll = None

    def line(self, until_s: float | None = None) -> bytes | None:
        """The next line with its end; empty at the end of the input. None when it is `until_s`, on `perf_counter`, and
        there is none; but without polling, that time is not looked at."""
        if self.poll is None:
            return self.stream.readline()
        while not self.lines:
            if self.is_ended:
                return b""
            wait_ms = None if until_s is None else max(0.0, (until_s - perf_counter()) * 1000)
            if not self.poll.poll(wait_ms):
                return None
            self.take(os.read(self.fd, CHUNK))
        return self.lines.pop()

    def take(self, chunk: bytes) -> None:
        """Cuts what was read into lines. A line of any length is put together once."""
        if not chunk:
            self.is_ended = True
            if self.begun:
                self.lines = [b"".join(self.begun)]
            return
        first, *others = cut(chunk)
        self.begun.append(first)
        if not first.endswith(b"\n"):
            return
        complete = [b"".join(self.begun), *others]
        self.begun = [complete.pop()] if not complete[-1].endswith(b"\n") else []
        self.lines = complete[::-1]


def cut(chunk: bytes) -> list[bytes]:
    """Lines with their ends; the last one may have none."""
    pieces = chunk.split(b"\n")
    lines = [piece + b"\n" for piece in pieces[:-1]]
    return [*lines, pieces[-1]] if pieces[-1] else lines
