"""Making tables: an ending solved backwards in the core, arranged, compressed and written in the Syzygy format."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import NamedTuple

from cythera.core import Arrangement, EndgameTables, TableSolver
from cythera.tables.layouts import Layout, layouts_of, neighbours_of
from cythera.tables.names import needed_by
from cythera.tables.probing import DTZ_SUFFIX, WDL_SUFFIX, TableError, Tables

MAGIC = {WDL_SUFFIX: bytes.fromhex("71e8235d"), DTZ_SUFFIX: bytes.fromhex("d7660ca5")}
BLOCK_BITS = {WDL_SUFFIX: 6, DTZ_SUFFIX: 8}  # a probe decodes half a block on average
LEAST_PAIRS = 6  # occurrences that make a pair worth three bytes
SINGLE_VALUE, MAPPED, WIN_PLIES, LOSS_PLIES, WIDE = 128, 2, 4, 8, 16
FIFTY_MOVES = 100
TRIED_FULLY = 1  # arrangements that are compressed to see which is smallest
LINE = 64

Report = Callable[[str, float], None]


class Job(NamedTuple):
    """A part of a file to be made."""

    suffix: str
    side: int
    pawn_file: int


class Part(NamedTuple):
    """One part of a file: a side to move and a file of the leading pawn."""

    layout: Layout
    flags: int
    header: bytes
    starts: bytes
    sizes: bytes
    blocks: bytes
    maps: bytes = b""

    def total(self) -> int:
        return sum(map(len, (self.header, self.starts, self.sizes, self.blocks, self.maps)))


class Made(NamedTuple):
    """What is known of an ending after it was solved."""

    name: str
    counts: tuple[dict[tuple[int, int], int], dict[tuple[int, int], int]]  # by side: (result, level) -> placements
    sizes: dict[str, int]  # bytes by suffix


def memory_needed(name: str) -> int:
    """Bytes that making a table takes at most: two for each position, both sides to move, as many again for
    arrangements of parts being compressed, and counters of pairs."""
    white, black = name.split("v")
    pawns = (white.count("P"), black.count("P"))
    placements = comb(48, pawns[0]) * comb(48 - pawns[0], pawns[1])
    if any(pawns):
        placements = placements // 2 + 24 * placements // 1128 + 1  # mirror images are one, but for a few
    pairs = 3612 if any(pawns) else 462
    positions = 2 * pairs * placements * int(64 ** (len(name) - 3 - sum(pawns)))
    return 4 * positions + (200 << 20)


def solve(name: str, tables: EndgameTables, workers: int = 1, report: Report | None = None) -> TableSolver:
    """An ending solved; `tables` must have all endings that a zeroing move leads to."""
    solver = TableSolver(name, tables)
    groups = solver.groups()
    with ThreadPoolExecutor(workers) as pool:
        if len(groups) == 1 and len(groups[0]) == 1:
            _solve_in_ranges(solver, pool, workers, report)
        else:
            done, total = 0, sum(map(len, groups))
            for group in groups:
                for _ in pool.map(solver.solve, group):
                    done += 1
                    if report:
                        report("solving", done / total)
    if solver.failed:
        raise TableError(f"{name} needs a table that is missing or damaged: {', '.join(sorted(needed_by(name)))}")
    return solver


def _solve_in_ranges(solver: TableSolver, pool: ThreadPoolExecutor, workers: int, report: Report | None) -> None:
    """One large slice: each step is shared by the threads."""
    count = workers if workers == 1 else 16 * workers
    bounds = [solver.size * i // count for i in range(count + 1)]
    ranges = list(pairwise(bounds))
    for done, _ in enumerate(pool.map(lambda r: solver.survey(0, *r), ranges), 1):
        if report:
            report("surveying", done / count)
    level = 0
    while not solver.failed:
        settled = sum(pool.map(partial(_spread, solver, level), ranges))
        if level == FIFTY_MOVES:
            settled += sum(pool.map(lambda r: solver.curse(0, *r), ranges))
        if report:
            report(f"level {level}", min(level / FIFTY_MOVES, 1.0))
        if not settled and level >= 1:
            if level >= FIFTY_MOVES:
                break
            level = FIFTY_MOVES - 1
        level += 1


def _spread(solver: TableSolver, level: int, bounds: tuple[int, int]) -> int:
    return solver.spread(0, level, *bounds)


def _counts_in_plies(counts: list[dict[tuple[int, int], int]]) -> tuple[bool, bool]:
    """Whether wins of White's and of Black's must be counted in half-moves: where one at the very border of the
    fifty-move rule would be rounded to the wrong side of it."""
    white = (2, FIFTY_MOVES) in counts[0] or (-2, FIFTY_MOVES) in counts[1]
    black = (2, FIFTY_MOVES) in counts[1] or (-2, FIFTY_MOVES) in counts[0]
    return white, black


def _arranged(solver: TableSolver, job: Job, layout: Layout, plies: tuple[bool, bool]) -> Arrangement:
    return solver.arrange(
        bytes(layout.pieces),
        layout.order,
        layout.second_order,
        job.side,
        job.pawn_file,
        distances=job.suffix == DTZ_SUFFIX,
        win_plies=plies[job.side],
        loss_plies=plies[job.side ^ 1],
    )


def _best_layouts(solver: TableSolver, side: int, plies: tuple[bool, bool]) -> dict[str, list[Layout]]:
    """By suffix, the arrangements with few runs, which compress well: found step by step from a first one, those for
    distances from the best for results, and judged by one file of the leading pawn."""
    chosen: dict[str, list[Layout]] = {}
    best = layouts_of(solver.name)[0]
    for suffix in (WDL_SUFFIX, DTZ_SUFFIX):
        job = Job(suffix, side, 1 if "P" in solver.name else 0)
        known = {best: _arranged(solver, job, best, plies).choose()}
        improved = True
        while improved and known[best] > 1:
            improved = False
            for layout in neighbours_of(solver.name, best):
                if layout not in known:
                    known[layout] = _arranged(solver, job, layout, plies).choose()
                    if known[layout] < known[best]:
                        best, improved = layout, True
                        break
        chosen[suffix] = sorted(known, key=lambda layout: known[layout])[:TRIED_FULLY]
    return chosen


def _make_part(solver: TableSolver, job: Job, plies: tuple[bool, bool], layouts: list[Layout]) -> Part:
    """The smallest of a part's arrangements."""
    parts = []
    for layout in layouts:
        arrangement = _arranged(solver, job, layout, plies)
        arrangement.choose()
        flags, maps, trivial = 0, b"", True
        if job.suffix == DTZ_SUFFIX:
            flags = job.side | (WIN_PLIES if plies[job.side] else 0) | (LOSS_PLIES if plies[job.side ^ 1] else 0)
            lists = arrangement.map_distances()
            trivial = all(values in ([], [0]) for values in lists)
            wide = any(len(values) > 255 or max(values, default=0) > 255 for values in lists)
            width = 2 if wide else 1
            maps = b"".join(
                len(values).to_bytes(width, "little") + b"".join(v.to_bytes(width, "little") for v in values)
                for values in lists
            )
            flags |= MAPPED | (WIDE if wide else 0)
        packed = arrangement.compress(BLOCK_BITS[job.suffix], LEAST_PAIRS)
        if packed.single_value is not None:
            if not trivial:  # one value that is not zero: the format has it only as a code
                raise TableError(f"{solver.name}: all distances are the same, and not 1")
            return Part(layout, (flags & 1) | SINGLE_VALUE, bytes([packed.single_value]), b"", b"", b"")
        if trivial and job.suffix == DTZ_SUFFIX:
            flags, maps = flags & ~MAPPED, b""
        parts.append(Part(layout, flags, packed.header, packed.block_index, packed.sizes, packed.blocks, maps))
    return min(parts, key=Part.total)


def _assembled(name: str, suffix: str, parts: list[list[Part]]) -> bytes:
    """The bytes of a file from its parts, by file of the leading pawn and side."""
    white, black = name.split("v")
    pawns = "P" in name
    second = white.count("P") > 0 and black.count("P") > 0
    data = bytearray(MAGIC[suffix])
    data.append((len(name) - 1) << 4 | (2 if pawns else 0) | (1 if white != black else 0))
    for row in parts:
        low, high = row[0].layout, row[-1].layout if suffix == WDL_SUFFIX else None
        halves = [(low.order, high.order if high else 0)]
        if second:
            halves.append((low.second_order, high.second_order if high else 0))
        halves += zip(low.pieces, high.pieces if high else [0] * len(low.pieces), strict=True)
        data += bytes(first | other << 4 for first, other in halves)
    data += bytes(len(data) & 1)
    flat = [part for row in parts for part in row]
    for part in flat:
        data.append(part.flags)
        data += part.header
    for part in flat:
        if part.flags & WIDE:
            data += bytes(len(data) & 1)
        data += part.maps
    data += bytes(len(data) & 1)
    for part in flat:
        data += part.starts
    for part in flat:
        data += part.sizes
    for part in flat:
        if part.blocks:
            data += bytes(-len(data) % LINE) + part.blocks
    data += bytes(-len(data) % LINE)
    return bytes(data) + checksum(bytes(data))


def checksum(data: bytes) -> bytes:
    """The last 16 bytes of a file made here: BLAKE2b over what is before. Readers of the format pass over them."""
    return hashlib.blake2b(data, digest_size=16).digest()


def write(solver: TableSolver, folder: Path, workers: int = 1, report: Report | None = None) -> Made:
    """Compresses a solved ending and writes its two files, both or none."""
    name = solver.name
    white, black = name.split("v")
    files = range(4 if "P" in name else 1)
    sides = (0,) if white == black else (0, 1)
    by_file = [[solver.counts(side, f if "P" in name else -1) for side in (0, 1)] for f in files]
    plies = [_counts_in_plies(counts) for counts in by_file]
    jobs = [Job(suffix, side, f) for suffix in (WDL_SUFFIX, DTZ_SUFFIX) for f in files for side in sides]
    made: dict[Job, Part] = {}
    with ThreadPoolExecutor(workers) as pool:
        if report:
            report("arranging", 0)
        layouts = list(pool.map(lambda side: _best_layouts(solver, side, plies[0]), sides))
        results = pool.map(
            lambda job: _make_part(solver, job, plies[job.pawn_file], layouts[job.side][job.suffix]), jobs
        )
        for done, (job, part) in enumerate(zip(jobs, results, strict=True), 1):
            made[job] = part
            if report:
                report("compressing", done / len(jobs))
    wdl = _assembled(name, WDL_SUFFIX, [[made[Job(WDL_SUFFIX, side, f)] for side in sides] for f in files])
    shorter = [min((made[Job(DTZ_SUFFIX, side, f)] for side in sides), key=Part.total) for f in files]
    dtz = _assembled(name, DTZ_SUFFIX, [[part] for part in shorter])
    folder.mkdir(parents=True, exist_ok=True)
    for suffix, data in ((DTZ_SUFFIX, dtz), (WDL_SUFFIX, wdl)):
        unfinished = folder / f"{name}{suffix}.part"
        unfinished.write_bytes(data)
        unfinished.replace(folder / f"{name}{suffix}")
    return Made(name, (solver.counts(0), solver.counts(1)), {WDL_SUFFIX: len(wdl), DTZ_SUFFIX: len(dtz)})


def make(name: str, folder: Path, found: Tables, workers: int = 1, report: Report | None = None) -> Made:
    """Solves an ending and writes its files to a folder; `found` has what it needs."""
    missing = sorted(needed for needed in needed_by(name) if found.path(needed) is None)
    if missing:
        raise TableError(f"{name} needs {', '.join(missing)}, which must be made first")
    return write(solve(name, found.core, workers, report), folder, workers, report)
