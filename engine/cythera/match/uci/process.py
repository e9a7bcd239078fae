"""A UCI engine in its own process, driven with as little between it and us as possible.

While an engine thinks, the referee only collects bytes: nothing is decoded, split or parsed before
`bestmove` has arrived and the clock has been read.
"""

import contextlib
import os
import queue
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Protocol

from cythera.match.match_errors import EngineError
from cythera.match.uci.declared_options import DeclaredOption, parse_option

START_S = 20.0  # from the start of the process to `uciok`
PING_S = 60.0  # from `isready` to `readyok`: a large hash may have to be cleared
QUIT_S = 2.0  # from `quit` to the end of the process
CHUNK = 65536
LINE_BYTES = 1 << 20  # the longest line an engine may send
OUTPUT_BYTES = 32 << 20  # the most it may send in answer to one command
IDLE_BYTES = 64 << 20  # the most it may send while it has nothing to do
ALIVE_CHECK_S = 0.5  # how often a silent engine is checked for its death
STDERR_TAIL = 2000
STDERR_KEEP = 1 << 20

WINDOWS = sys.platform == "win32"

_BESTMOVE = re.compile(rb"(?:^|(?<=\n))bestmove(?=\s)([^\n]*)\n")  # a whole line


@dataclass(frozen=True, slots=True)
class Thought:
    """An engine's answer to `go`: its move, the time from `go` to `bestmove`, and all lines before it.

    `ponder` is the reply it expects, or empty. After a ponder hit the time counts from `ponderhit`.
    """

    bestmove: str
    elapsed_ms: float
    lines: list[str]
    ponder: str = ""


class _Reader(Protocol):
    def read(self, timeout_s: float | None) -> bytes | None:
        """Bytes as soon as there are any; b"" at the end of the stream; None when the time is up."""


class _PollReader:
    """Waits in poll(2): no thread to hand over to, so no latency but the kernel's."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._fd = stream.fileno()
        self._poll = select.poll()
        self._poll.register(self._fd, select.POLLIN | select.POLLHUP)

    def read(self, timeout_s: float | None) -> bytes | None:
        if not self._poll.poll(None if timeout_s is None else max(0.0, timeout_s * 1000)):
            return None
        return os.read(self._fd, CHUNK)


class _ThreadReader:
    """For systems whose pipes cannot be polled."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._ended = False
        threading.Thread(target=self._pump, args=(stream.fileno(),), daemon=True).start()

    def _pump(self, fd: int) -> None:
        chunk = b"-"
        while chunk:
            try:
                chunk = os.read(fd, CHUNK)
            except OSError:
                chunk = b""
            self._chunks.put(chunk)

    def read(self, timeout_s: float | None) -> bytes | None:
        if self._ended:
            return b""
        try:
            chunk = self._chunks.get(timeout=None if timeout_s is None else max(0.0, timeout_s))
        except queue.Empty:
            return None
        self._ended = not chunk
        return chunk


class UciLog:
    """Appends what is sent to an engine (>) and received from it (<) to a file."""

    def __init__(self, path: str, name: str) -> None:
        self._path = path
        self._name = name
        self._begin = time.perf_counter()

    def sent(self, data: bytes) -> None:
        self._write(">", data)

    def received(self, chunks: Sequence[bytes]) -> None:
        self._write("<", b"".join(chunks))

    def _write(self, direction: str, data: bytes) -> None:
        at_s = time.perf_counter() - self._begin
        lines = data.decode(errors="replace").splitlines()
        text = "".join(f"{at_s:10.3f} {self._name} {direction} {line}\n" for line in lines)
        with contextlib.suppress(OSError), open(self._path, "a", encoding="utf-8") as file:
            file.write(text)


class EngineProcess:
    """A running UCI engine. Any failure is an `EngineError` that says whose it is and of what kind.

    The engine is started in a process group of its own, so that Ctrl-C on the terminal does not reach it,
    and the whole group is killed at the end, also if the engine itself has died before. Everything read
    from it is bounded by time and by size. `extra_bestmoves` counts moves that no `go` asked for.
    """

    def __init__(
        self,
        name: str,
        argv: Sequence[str],
        *,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        log: str | None = None,
    ) -> None:
        """Start the program. `log` is a file to which all traffic is appended, with times in seconds."""
        self.name = name
        self.id_name = name
        self.id_author = ""
        self.options: dict[str, DeclaredOption] = {}
        self.extra_bestmoves = 0
        self.pondering = False
        self._log = UciLog(log, name) if log else None
        self._rest = b""
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        try:
            self._process = subprocess.Popen(
                list(argv),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                bufsize=0,
                cwd=directory,
                env={**os.environ, **environment} if environment else None,
                start_new_session=not WINDOWS,
            )
        except (OSError, ValueError) as error:
            self._stderr.close()
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise EngineError(EngineError.CRASH, f"cannot start {name} ({argv[0]}): {reason}") from error
        assert self._process.stdin and self._process.stdout
        self._stdin = self._process.stdin
        self._stdout = self._process.stdout
        self._reader: _Reader = _ThreadReader(self._stdout) if WINDOWS else _PollReader(self._stdout)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the engine itself runs. A dead one is not reaped here: its process group keeps its number."""
        if WINDOWS or self._process.returncode is not None:
            return self._process.poll() is None
        try:
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:  # reaped by somebody else
            return False

    # ------------------------------------------------------------ conversation

    def handshake(self, timeout_s: float = START_S) -> None:
        """`uci` to `uciok`, remembering the engine's name, author and options."""
        self.send("uci")
        for line in self._lines_until("uciok", timeout_s):
            words = line.split(maxsplit=2)
            if words[:2] == ["id", "name"] and len(words) == 3:
                self.id_name = words[2]
            elif words[:2] == ["id", "author"] and len(words) == 3:
                self.id_author = words[2]
            elif words[:1] == ["option"] and (option := parse_option(line)) is not None:
                self.options[option.name.lower()] = option

    def set_option(self, name: str, value: str) -> None:
        self.send(f"setoption name {name} value {value}" if value else f"setoption name {name}")

    def ping(self, timeout_s: float = PING_S) -> list[str]:
        """`isready` to `readyok`; returns what else was said."""
        self.send("isready")
        return self._lines_until("readyok", timeout_s)

    def new_game(self, timeout_s: float = PING_S) -> None:
        """`ucinewgame`, and wait until the engine is ready. What it still had to say is dropped."""
        self.send("ucinewgame")
        self.ping(timeout_s)
        if self._stderr.tell() > STDERR_KEEP:
            self._stderr.truncate(0)

    def think(self, position: str, go: str, limit_s: float | None, grace_s: float) -> Thought:
        """Send `position` and `go`; wait for `bestmove` for `limit_s`, then `stop` and wait for `grace_s` more.

        The time is read before `go` is written and after `bestmove` was. An engine that is late but answers
        the `stop` returns normally with its true time.
        """
        self.drop_unread()
        return self._answer_to(f"{position}\n{go}\n", limit_s, grace_s)

    def ponder(self, position: str, go: str) -> None:
        """Send `position`, with the expected reply played, and `go ponder …`; `ponderhit` or `stop_pondering`
        must follow."""
        self.drop_unread()
        self._write(f"{position}\n{go.replace('go', 'go ponder', 1)}\n".encode())
        self.pondering = True

    def ponderhit(self, limit_s: float | None, grace_s: float) -> Thought:
        """The expected reply was played: the engine goes on thinking on its own clock."""
        self.pondering = False
        return self._answer_to("ponderhit\n", limit_s, grace_s)

    def stop_pondering(self, grace_s: float) -> None:
        """Another reply was played: end the search and drop its answer."""
        if self.pondering:
            self.pondering = False
            self._answer_to("stop\n", grace_s, grace_s)

    def _answer_to(self, command: str, limit_s: float | None, grace_s: float) -> Thought:
        heard: list[bytes] = []
        size = 0
        line_begun = b""
        stopped = False
        begin = time.perf_counter()
        deadline = None if limit_s is None else begin + limit_s
        self._write(command.encode())
        while True:
            chunk = self._read(deadline, "while it was thinking")
            now = time.perf_counter()
            if chunk is not None:
                heard.append(chunk)
                size += len(chunk)
                fresh = line_begun + chunk
                if b"bestmove" in fresh and (answer := _BESTMOVE.search(fresh)):
                    break
                line_begun = fresh[fresh.rfind(b"\n") + 1 :]
                self._check_size(line_begun, size, "while it was thinking")
            if chunk is None or (deadline is not None and now > deadline):
                if stopped:
                    raise EngineError(EngineError.HANG, f"{self.name} gave no bestmove, not even after stop")
                stopped = True
                deadline = now + grace_s
                self.send("stop")
        words = answer[1].decode(errors="replace").split()
        said = b"".join(heard).decode(errors="replace")
        self._rest = fresh[answer.end() :]
        reply = words[2] if words[1:2] == ["ponder"] and len(words) > 2 else ""
        elapsed_ms = (now - begin) * 1000
        if self._log:
            self._log.received(heard)
        return Thought(words[0] if words else "", elapsed_ms, said.splitlines()[:-1], reply)

    def lines_until(self, word: str, timeout_s: float) -> list[str]:
        """All lines up to the one that begins with `word`, which is left out; for checks of an engine's manners."""
        return self._lines_until(word, timeout_s)

    def listen(self, timeout_s: float) -> list[str]:
        """The complete lines that arrive within a time; for checks of an engine's manners."""
        deadline = time.perf_counter() + timeout_s
        buffer, self._rest = self._rest, b""
        while (chunk := self._read(deadline, "while nothing was asked of it")) is not None:
            buffer += chunk
            self._check_size(buffer, len(buffer), "while nothing was asked of it")
        *complete, self._rest = buffer.split(b"\n")
        return [line.decode(errors="replace").strip() for line in complete]

    def send(self, line: str) -> None:
        self._write(line.encode() + b"\n")

    # ------------------------------------------------------------ the end

    def leaves(self, command: str, timeout_s: float) -> bool:
        """Send a command (`quit`, or none), close the engine's input, and say whether it ends within the time."""
        if command:
            self.send(command)
        else:
            with contextlib.suppress(OSError):
                self._stdin.close()
        return self._wait_for_exit(timeout_s)

    def quit(self) -> None:
        """Ask the engine to leave, and see to it that it does."""
        with contextlib.suppress(EngineError):
            self.send("quit")
        with contextlib.suppress(OSError):
            self._stdin.close()
        self._wait_for_exit(QUIT_S)
        self.kill()

    def kill(self) -> None:
        """End the engine and all it started. Harmless when it is gone already."""
        if self._process.returncode is None:  # not reaped yet, so the process group is still its own
            if WINDOWS:
                self._process.kill()
            else:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        for stream in (self._stdin, self._stdout, self._stderr):
            with contextlib.suppress(OSError):
                stream.close()

    # ------------------------------------------------------------ pipes

    def _write(self, data: bytes) -> None:
        if self._log:
            self._log.sent(data)
        try:
            self._stdin.write(data)
        except (OSError, ValueError) as error:
            raise self._death("before it was asked anything more") from error

    def _lines_until(self, word: str, timeout_s: float) -> list[str]:
        """All lines up to the one that begins with `word`; that line is left out."""
        when = f"before it said {word}"
        deadline = time.perf_counter() + timeout_s
        lines: list[str] = []
        buffer = self._rest
        size = len(buffer)
        while True:
            *complete, buffer = buffer.split(b"\n")
            for at, raw in enumerate(complete):
                line = raw.decode(errors="replace").strip()
                if line.split(maxsplit=1)[:1] == [word]:
                    self._rest = b"\n".join([*complete[at + 1 :], buffer])
                    return lines
                self.extra_bestmoves += line.startswith("bestmove")
                lines.append(line)
            self._check_size(buffer, size, when)
            chunk = self._read(deadline, when)
            if chunk is None or time.perf_counter() > deadline:
                self._rest = b""
                raise EngineError(EngineError.HANG, f"{self.name} did not say {word} within {timeout_s:g} seconds")
            if self._log:
                self._log.received([chunk])
            buffer += chunk
            size += len(chunk)

    def _read(self, deadline: float | None, when: str) -> bytes | None:
        """Bytes of the engine, or None at the deadline. An engine that has died raises, even if a process
        that it left behind holds its output open."""
        while True:
            left_s = ALIVE_CHECK_S if deadline is None else deadline - time.perf_counter()
            chunk = self._reader.read(min(left_s, ALIVE_CHECK_S))
            if chunk:
                return chunk
            if chunk == b"" or not self.alive:
                raise self._death(when)
            if left_s <= ALIVE_CHECK_S and deadline is not None:
                return None

    def _check_size(self, line: bytes, size: int, when: str) -> None:
        if len(line) > LINE_BYTES:
            raise EngineError(EngineError.PROTOCOL, f"{self.name} sent a line of more than {LINE_BYTES} bytes {when}")
        if size > OUTPUT_BYTES:
            raise EngineError(EngineError.PROTOCOL, f"{self.name} sent more than {OUTPUT_BYTES} bytes {when}")

    def drop_unread(self) -> None:
        """Drop what arrived since the last answer, such as an info line after bestmove; count extra moves."""
        unread, size = self._rest, 0
        self._rest = b""
        while size <= IDLE_BYTES:
            self.extra_bestmoves += len(_BESTMOVE.findall(unread))
            chunk = self._reader.read(0)
            if not chunk:
                return
            unread = unread[unread.rfind(b"\n") + 1 :][-LINE_BYTES:] + chunk
            size += len(chunk)
        raise EngineError(EngineError.PROTOCOL, f"{self.name} sent more than {IDLE_BYTES} bytes while it was idle")

    def _death(self, when: str) -> EngineError:
        """The error for a process whose pipe has closed."""
        ended = self._wait_for_exit(1)
        last = self.last_words()
        if ended:
            self.kill()  # what it started, too
        code = self._process.returncode
        if code is None:
            how = "closed its output"
        elif code < 0:
            with contextlib.suppress(ValueError):
                return self._crash(f"was ended by {signal.Signals(-code).name}", when, last)
            how = f"was ended by signal {-code}"
        else:
            how = f"exited with code {code}"
        return self._crash(how, when, last)

    def _wait_for_exit(self, timeout_s: float) -> bool:
        """Wait for the end of the engine without reaping it; returns whether it has ended."""
        deadline = time.monotonic() + timeout_s
        while self.alive:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.005)
        return True

    def _crash(self, how: str, when: str, last: str) -> EngineError:
        said = f"; its last words: {last}" if last else ""
        return EngineError(EngineError.CRASH, f"{self.name} {how} {when}{said}")

    def last_words(self) -> str:
        """The last line the engine wrote on its standard error, shortened."""
        with contextlib.suppress(OSError, ValueError):
            size = self._stderr.seek(0, os.SEEK_END)
            self._stderr.seek(max(0, size - STDERR_TAIL))
            lines = self._stderr.read().decode(errors="replace").strip().splitlines()
            return lines[-1][:200] if lines else ""
        return ""
