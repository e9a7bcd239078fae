"""Games read from files one after the other, at compiled speed and in flat memory.

The file is read in blocks of a few hundred games. The core scans a block without the GIL, and a game looks up what is
asked of it in its block. So a game that is kept keeps its block, about a megabyte, in memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import IO, NamedTuple

from cythera.core import PgnBlock
from cythera.errors import PgnError
from cythera.games.game import Game
from cythera.games.source import read_fully, streams

BLOCK_BYTES = 1 << 20
LARGEST_GAME = 1 << 26  # bytes; a "game" beyond is a file of something else
MOST_PROBLEMS = 1000  # that a reader keeps
MOST_WORKERS = 256
CUTS = (b'\n\n[Event "', b'\n\r\n[Event "')  # where a game begins for certain

__all__ = ["GameReader", "PgnError", "Problem", "parse_games", "read_games"]


class Problem(NamedTuple):
    """Something wrong with a game: where, what, and whether the game was left out."""

    file: str
    line: int
    game: int  # its number in the file, from 1
    text: str
    is_fatal: bool = True

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: game {self.game}{' left out' if self.is_fatal else ''}: {self.text}"


class GameReader:
    """An iterator over the games of one or more files.

    `games_read` and `bad_games` count, `problems` keeps the first thousand things that were wrong.
    """

    def __init__(
        self,
        sources: Iterable[object],
        *,
        mode: str = "full",
        workers: int = 1,
        strict: bool = False,
        on_problem: Callable[[Problem], object] | None = None,
        block_bytes: int = BLOCK_BYTES,
    ) -> None:
        if mode not in ("moves", "full", "tree"):
            raise ValueError(f"mode must be 'moves', 'full' or 'tree', got {mode!r}")
        if not 1 <= workers <= MOST_WORKERS:
            raise ValueError(f"workers must be between 1 and {MOST_WORKERS}, got {workers}")
        if not 1 <= block_bytes <= LARGEST_GAME:
            raise ValueError(f"block_bytes must be between 1 and {LARGEST_GAME}, got {block_bytes}")
        self.sources = list(sources)
        self.mode = mode
        self.workers = workers
        self.strict = strict
        self.on_problem = on_problem
        self.block_bytes = block_bytes
        self.games_read = 0
        self.bad_games = 0
        self.problems: list[Problem] = []
        self._games = self._read()

    def __iter__(self) -> Iterator[Game]:
        return self

    def __next__(self) -> Game:
        return next(self._games)

    def _read(self) -> Iterator[Game]:
        for block in self.blocks():
            yield from Game.of_block(block)

    def blocks(self) -> Iterator[PgnBlock]:
        """The blocks the games are in, in order; for those who take arrays of them."""
        for source in self.sources:
            for name, stream in streams(source):
                number = line = 1
                scan = serial_blocks if self.workers == 1 else threaded_blocks
                for block in scan(self, name, stream):
                    block.place(line, number)
                    number += len(block)
                    line += block.lines
                    self._report(name, block)
                    yield block

    def _report(self, name: str, block: PgnBlock) -> None:
        problems = block.problems()
        bad = sum(is_fatal for _, _, _, is_fatal in problems)
        self.bad_games += bad
        self.games_read += len(block) - bad
        for number, line, text, is_fatal in problems:
            problem = Problem(name, line, number, text, is_fatal)
            if self.strict and is_fatal:
                raise PgnError(str(problem))
            if self.on_problem is not None:
                self.on_problem(problem)
            if len(self.problems) < MOST_PROBLEMS:
                self.problems.append(problem)


def serial_blocks(reader: GameReader, name: str, stream: IO[bytes]) -> Iterator[PgnBlock]:
    size = reader.block_bytes
    rest = b""
    offset = 0
    while True:
        part = read_fully(name, stream, size)
        data = rest + part
        is_last = len(part) < size
        block = PgnBlock(data, reader.mode, is_last=is_last or len(data) >= LARGEST_GAME, offset=offset)
        if block.consumed == 0 and not is_last:  # not one game is whole
            rest = data
            size = len(data)
            continue
        yield block
        if is_last:
            return
        rest = data[block.consumed :]
        offset += block.consumed
        size = reader.block_bytes


def threaded_blocks(reader: GameReader, name: str, stream: IO[bytes]) -> Iterator[PgnBlock]:
    """The same, blocks scanned in threads. They are cut where a line begins with an Event tag after a blank one."""
    from concurrent.futures import Future, ThreadPoolExecutor

    def scan(data: bytes, offset: int) -> PgnBlock:
        return PgnBlock(data, reader.mode, offset=offset)

    waiting: deque[Future[PgnBlock]] = deque()
    with ThreadPoolExecutor(reader.workers) as pool:
        try:
            for data, offset in pieces(reader, name, stream):
                waiting.append(pool.submit(scan, data, offset))
                while len(waiting) > 2 * reader.workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def pieces(reader: GameReader, name: str, stream: IO[bytes]) -> Iterator[tuple[bytes, int]]:
    """Pieces of the file that hold whole games, with their offsets."""
    rest = b""
    offset = 0
    while True:
        part = read_fully(name, stream, reader.block_bytes)
        data = rest + part
        if len(part) < reader.block_bytes:
            yield data, offset
            return
        cut = max(data.rfind(mark) for mark in CUTS)
        if cut < 0 and len(data) < LARGEST_GAME:
            rest = data
            continue
        cut = data.index(b"[", cut) if cut >= 0 else len(data)
        yield data[:cut], offset
        rest = data[cut:]
        offset += cut


def read_games(
    *sources: object,
    mode: str = "full",
    workers: int = 1,
    strict: bool = False,
    on_problem: Callable[[Problem], object] | None = None,
) -> GameReader:
    """The games of files, one after the other: `for game in cythera.read_games("games.pgn.zst")`.

    A source is a path, "-" for standard input or a binary file; it may be packed by gzip, xz, bzip2, Zstandard or zip.
    `mode` is "full", "moves" (no comments, NAGs, clocks: quicker) or "tree" (variations too). A game that cannot be
    read is left out and told to `on_problem`; with `strict` it is a PgnError. `workers` threads scan in parallel.
    """
    if not sources:
        raise ValueError("at least one file must be given")
    return GameReader(sources, mode=mode, workers=workers, strict=strict, on_problem=on_problem)


def parse_games(text: str | bytes, *, mode: str = "full", strict: bool = True) -> list[Game]:
    """The games of a text. With `strict`, one that cannot be read is a PgnError.

    >>> [game.san() for game in parse_games("1. e4 e5 2. Nf3 *")]
    [['e4', 'e5', 'Nf3']]
    """
    block = PgnBlock(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text), mode)
    for number, line, message, is_fatal in block.problems():
        if strict and is_fatal:
            raise PgnError(f"line {line}: game {number}: {message}")
    return Game.of_block(block)
