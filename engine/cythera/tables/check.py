"""Checking tables: files read to the last value, every position held against its moves or against other tables."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from cythera.core import TableComparison, TableWalker
from cythera.tables.make import checksum
from cythera.tables.probing import DTZ_SUFFIX, WDL_SUFFIX, TableError, Tables

CHECKSUM_BYTES = 16
RANGE = 1 << 18
LARGEST_WALK = 5  # pieces


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


def check_file(tables: Tables, name: str, suffix: str) -> FileReport:
    """Reads a file to its last value; raises TableError if there is none."""
    path = tables.path(name, suffix)
    if path is None:
        raise TableError(f"there is no {name}{suffix} in {', '.join(tables.folders)}")
    decoded = tables.core.damaged_values(name, suffix == DTZ_SUFFIX)
    if decoded is None:
        reasons = dict(tables.problems())
        return FileReport(path, 0, reasons.get(path, "it cannot be used"), False)
    data = Path(path).read_bytes()
    made_here = checksum(data[:-CHECKSUM_BYTES]) == data[-CHECKSUM_BYTES:]
    values, damaged = decoded
    problem = f"{damaged} of its {values} values are damaged" if damaged else None
    return FileReport(path, values, problem, made_here)


def check_files(tables: Tables) -> Iterator[FileReport]:
    """A report for each file."""
    for name in tables.names():
        for suffix in (WDL_SUFFIX, DTZ_SUFFIX):
            if tables.path(name, suffix) is not None:
                yield check_file(tables, name, suffix)


def walk(tables: Tables, name: str, against: Tables | None = None, workers: int = 1) -> WalkReport:
    """Probes every legal position of an ending: against its moves, or against other tables."""
    if len(name) - 1 > LARGEST_WALK:
        raise TableError(f"pieces must be between 3 and {LARGEST_WALK} for a walk through all positions, got {name}")
    walker = TableWalker(name)
    ranges = [
        (at, begin, min(begin + RANGE, walker.size))
        for group in walker.groups()
        for at in group
        for begin in range(0, walker.size, RANGE)
    ]

    def probe(part: tuple[int, int, int]) -> TableComparison:
        if against is None:
            return walker.verify(tables.core, *part)
        return walker.compare(tables.core, against.core, *part)

    example, worst = None, 0
    with ThreadPoolExecutor(workers) as pool:
        parts = list(pool.map(probe, ranges))
    for part in parts:
        severity = 3 if part.results else 2 if part.far else 1 if part.close else 0
        if severity > worst:
            worst, example = severity, part.example
    positions, results, close, far = (sum(column) for column in list(zip(*parts, strict=True))[:4])
    return WalkReport(positions, results, close, far, example)
