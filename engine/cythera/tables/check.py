"""Checking tables: files read to the last value, every position held against its moves or against other tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from cythera.core import TableComparison, TableContents
from cythera.tables.make import Report, checksum, solve
from cythera.tables.probing import DTZ_SUFFIX, WDL_SUFFIX, TableError, Tables

CHECKSUM_BYTES = 16
RANGE = 1 << 18
LARGEST_WALK = 5  # pieces

T = TypeVar("T")


class FileReport(NamedTuple):
    """What reading a whole file showed."""

    path: str
    values: int
    problem: str | None
    made_here: bool  # its checksum is Cythera's, and right


class WalkReport(NamedTuple):
    """What probing every position of an ending showed."""

    positions: int
    results: int  # results that differ
    close: int  # distances that differ by one half-move, which rounding allows
    far: int  # distances that differ by more
    example: str | None  # FEN of the first difference

    @property
    def sound(self) -> bool:
        return not self.results and not self.far

    @property
    def text(self) -> str:
        """A phrase: `3,612 positions, all the same`."""
        parts = [
            f"{count:,} {what}"
            for count, what in (
                (self.results, "results wrong"),
                (self.far, "distances wrong"),
                (self.close, "distances one half-move apart"),
            )
            if count
        ]
        differences = f"{', '.join(parts)}, first in {self.example}" if parts else "all the same"
        return f"{self.positions:,} positions, {differences}"


def check_file(tables: Tables, name: str, suffix: str) -> FileReport:
    """Reads a file to its last value; raises TableError if there is none."""
    path = tables.path(name, suffix)
    if path is None:
        raise TableError(f"there is no {name}{suffix} in {', '.join(tables.folders)}")
    decoded = tables.core.damaged_values(name, suffix == DTZ_SUFFIX)
    if decoded is None:
        reasons = dict(tables.problems())
        return FileReport(path, 0, reasons.get(path, "it cannot be used"), False)
    values, damaged = decoded
    problem = f"{damaged} of its {values} values are damaged" if damaged else None
    return FileReport(path, values, problem, has_checksum(path))


def has_checksum(path: str) -> bool:
    """Whether a file ends with the checksum of what is before it, as those made here do."""
    data = Path(path).read_bytes()
    return checksum(data[:-CHECKSUM_BYTES]) == data[-CHECKSUM_BYTES:]


def is_usable(tables: Tables, name: str) -> bool:
    """Whether both files of a table are there and whole. Those made elsewhere are read to the last value."""
    paths = [(suffix, tables.path(name, suffix)) for suffix in (WDL_SUFFIX, DTZ_SUFFIX)]
    return all(
        path is not None and (has_checksum(path) or check_file(tables, name, suffix).problem is None)
        for suffix, path in paths
    )


def check_files(tables: Tables) -> Iterator[FileReport]:
    """A report for each file."""
    for name in tables.names():
        for suffix in (WDL_SUFFIX, DTZ_SUFFIX):
            if tables.path(name, suffix) is not None:
                yield check_file(tables, name, suffix)


def walk(
    tables: Tables,
    name: str,
    *,
    moves: bool = True,
    against: Tables | None = None,
    solved: bool = False,
    workers: int = 1,
    report: Report | None = None,
) -> tuple[WalkReport | None, WalkReport | None, WalkReport | None]:
    """Probes every legal position of an ending; reports of how it agrees with its moves, with other tables, and with
    the ending solved again and rounded as the files say."""
    if len(name) - 1 > LARGEST_WALK:
        raise TableError(f"pieces must be between 3 and {LARGEST_WALK} for a walk through all positions, got {name}")
    by_moves = by_tables = by_solution = None
    with ThreadPoolExecutor(workers) as pool:
        ours = TableContents(name, tables.core)
        _exhaust(_each(ours, ours.load, pool, report, "reading"))
        if solved:
            solver = solve(name, tables.core, workers, report)
            by_solution = _total(_each(ours, partial(solver.compare, ours), pool, report, "comparing"))
            del solver
        if moves or against is not None:
            _exhaust(_each(ours, ours.derive, pool, report, "deriving distances"))
        if moves:
            by_moves = _total(_each(ours, partial(ours.compare, None), pool, report, "comparing"))
        if against is not None:
            other = TableContents(name, against.core)
            _exhaust(_each(other, other.load, pool, report, "reading"))
            _exhaust(_each(other, other.derive, pool, report, "deriving distances"))
            by_tables = _total(_each(ours, partial(ours.compare, other), pool, report, "comparing"))
    return by_moves, by_tables, by_solution


def _each(
    contents: TableContents,
    step: Callable[[int, int, int], T],
    pool: ThreadPoolExecutor,
    report: Report | None,
    what: str,
) -> Iterator[T]:
    """A step on every range of every slice."""
    ranges = [
        (at, begin, min(begin + RANGE, contents.size))
        for group in contents.groups()
        for at in group
        for begin in range(0, contents.size, RANGE)
    ]
    for done, result in enumerate(pool.map(lambda part: step(*part), ranges), 1):
        if report:
            report(what, done / len(ranges))
        yield result


def _exhaust(steps: Iterator[None]) -> None:
    for _ in steps:
        pass


def _total(parts: Iterator[TableComparison]) -> WalkReport:
    example, worst = None, 0
    positions = results = close = far = 0
    for part in parts:
        positions += part.positions
        results += part.results
        close += part.close
        far += part.far
        severity = 3 if part.results else 2 if part.far else 1 if part.close else 0
        if severity > worst:
            worst, example = severity, part.example
    return WalkReport(positions, results, close, far, example)
