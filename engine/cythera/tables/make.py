"""Making tables: an ending solved backwards in the core, arranged, compressed and written in the Syzygy format."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from cythera.core import EndgameTables, TableSolver
from cythera.tables.layouts import Layout, layouts_of, neighbours_of
from cythera.tables.names import needed_by
from cythera.tables.probing import DTZ_SUFFIX, WDL_SUFFIX, TableError, Tables

MAGIC = {WDL_SUFFIX: bytes.fromhex("71e8235d"), DTZ_SUFFIX: bytes.fromhex("d7660ca5")}
BLOCK_BITS = {WDL_SUFFIX: 6, DTZ_SUFFIX: 8}  # a probe decodes half a block on average
LEAST_PAIRS = 6  # occurrences that make a pair worth three bytes
SINGLE_VALUE, MAPPED, WIN_PLIES, LOSS_PLIES, WIDE = 128, 2, 4, 8, 16
FIFTY_MOVES = 100
TRIED_FULLY = 3  # arrangements that are compressed to see which is smallest
EXHAUSTIVE = 4  # pieces up to which every arrangement is looked at; beyond, step by step
LINE = 64

Report = Callable[[str, float], None]


class Part(NamedTuple):
    """One part of a file: a side to move and a file of the leading pawn."""

    layout: Layout
    flags: int
    header: bytes
    index: bytes
    sizes: bytes
    blocks: bytes
    maps: bytes = b""

    def total(self) -> int:
        return sum(map(len, (self.header, self.index, self.sizes, self.blocks, self.maps)))


class Made(NamedTuple):
    """What is known of an ending after it was solved."""

    name: str
    counts: tuple[dict[tuple[int, int], int], dict[tuple[int, int], int]]  # by side: (result, level) -> placements
    sizes: dict[str, int]  # bytes by suffix


def memory_needed(name: str) -> int:
    """Bytes that making a table takes, roughly: positions, an arrangement of one part, and counters of pairs."""
    pieces, pawns = len(name) - 1, name.count("P")
    others = pieces - 2 - pawns
    pairs = 3612 if pawns else 462
    placements = {0: 1, 1: 24, 2: 1128, 3: 25944}.get(pawns, 0)
    if pawns == 2 and "P" in name.split("v")[1]:
        placements = 48 * 47 // 2
    elif pawns == 2:
        placements = 48 * 47 // 4 + 12
    elif pawns == 3 and "PPP" in name:
        placements = 48 * 47 * 46 // 12 + 100
    positions = pairs * 64**others * placements
    return 4 * positions + 3 * positions + (112 << 20)


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
    ranges = list(zip(bounds, bounds[1:], strict=False))
    for done, _ in enumerate(pool.map(lambda r: solver.survey(0, *r), ranges), 1):
        if report:
            report("surveying", done / count)
    level = 0
    while not solver.failed:
        settled = sum(pool.map(lambda r, at=level: solver.spread(0, at, *r), ranges))  # type: ignore[misc]
        if level == FIFTY_MOVES:
            settled += sum(pool.map(lambda r: solver.curse(0, *r), ranges))
        if report:
            report(f"level {level}", min(level / FIFTY_MOVES, 1.0))
        if not settled and level >= 1:
            if level >= FIFTY_MOVES:
                break
            level = FIFTY_MOVES - 1
        level += 1


def _counts_in_plies(counts: list[dict[tuple[int, int], int]]) -> tuple[bool, bool]:
    """Whether wins of White's and of Black's must be counted in half-moves: where one at the very border of the
    fifty-move rule would be rounded to the wrong side of it."""
    white = (2, FIFTY_MOVES) in counts[0] or (-2, FIFTY_MOVES) in counts[1]
    black = (2, FIFTY_MOVES) in counts[1] or (-2, FIFTY_MOVES) in counts[0]
    return white, black


def _best_layouts(solver: TableSolver, suffix: str, side: int, plies: tuple[bool, bool]) -> list[Layout]:
    """Arrangements with few runs, which compress well; judged by one file of the leading pawn."""
    pawn_file = 1 if "P" in solver.name else 0
    known: dict[Layout, int] = {}

    def runs(layout: Layout) -> int:
        if layout not in known:
            known[layout] = _arranged(solver, suffix, side, pawn_file, layout, plies).choose()
        return known[layout]

    layouts = layouts_of(solver.name)
    if len(solver.name) - 1 <= EXHAUSTIVE:
        return sorted(layouts, key=runs)[:TRIED_FULLY]
    best = layouts[0]
    while True:
        better = min(neighbours_of(solver.name, best), key=runs, default=best)
        if runs(better) >= runs(best):
            return sorted(known, key=runs)[:TRIED_FULLY]
        best = better


def _arranged(solver: TableSolver, suffix: str, side: int, pawn_file: int, layout: Layout, plies: tuple[bool, bool]):  # type: ignore[no-untyped-def]  # noqa: E501
    return solver.arrange(
        bytes(layout.pieces),
        layout.order,
        layout.second_order,
        side,
        pawn_file,
        distances=suffix == DTZ_SUFFIX,
        win_plies=plies[side],
        loss_plies=plies[side ^ 1],
    )


def _make_part(
    solver: TableSolver, suffix: str, side: int, pawn_file: int, plies: tuple[bool, bool], layouts: list[Layout]
) -> Part:
    """The smallest of a part's arrangements."""
    parts = []
    for layout in layouts:
        arrangement = _arranged(solver, suffix, side, pawn_file, layout, plies)
        arrangement.choose()
        flags, maps, trivial = 0, b"", True
        if suffix == DTZ_SUFFIX:
            flags = side | (WIN_PLIES if plies[side] else 0) | (LOSS_PLIES if plies[side ^ 1] else 0)
            lists = arrangement.map_distances()
            trivial = all(values in ([], [0]) for values in lists)
            wide = any(len(values) > 255 or max(values, default=0) > 255 for values in lists)
            width = 2 if wide else 1
            maps = b"".join(
                len(values).to_bytes(width, "little") + b"".join(v.to_bytes(width, "little") for v in values)
                for values in lists
            )
            flags |= MAPPED | (WIDE if wide else 0)
        single, header, index, sizes, blocks = arrangement.compress(BLOCK_BITS[suffix], LEAST_PAIRS)
        if single is not None:
            if not trivial:  # one value that is not zero: the format has it only as a code
                raise TableError(f"{solver.name}: all distances are the same, and not 1")
            return Part(layout, (flags & 1) | SINGLE_VALUE, bytes([single]), b"", b"", b"")
        if trivial and suffix == DTZ_SUFFIX:
            flags, maps = flags & ~MAPPED, b""
        parts.append(Part(layout, flags, header, index, sizes, blocks, maps))
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
        data += part.index
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
    jobs = [(suffix, side, f) for suffix in (WDL_SUFFIX, DTZ_SUFFIX) for f in files for side in sides]
    made: dict[tuple[str, int, int], Part] = {}
    with ThreadPoolExecutor(workers) as pool:
        kinds = sorted({(suffix, side) for suffix, side, _ in jobs})
        layouts = dict(zip(kinds, pool.map(lambda kind: _best_layouts(solver, *kind, plies[0]), kinds), strict=True))
        results = pool.map(lambda job: _make_part(solver, *job, plies[job[2]], layouts[job[:2]]), jobs)
        for done, (job, part) in enumerate(zip(jobs, results, strict=True), 1):
            made[job] = part
            if report:
                report("compressing", done / len(jobs))
    wdl = _assembled(name, WDL_SUFFIX, [[made[WDL_SUFFIX, side, f] for side in sides] for f in files])
    dtz = _assembled(
        name, DTZ_SUFFIX, [[min((made[DTZ_SUFFIX, side, f] for side in sides), key=Part.total)] for f in files]
    )
    folder.mkdir(parents=True, exist_ok=True)
    for suffix, data in ((DTZ_SUFFIX, dtz), (WDL_SUFFIX, wdl)):
        partial = folder / f"{name}{suffix}.part"
        partial.write_bytes(data)
        os.replace(partial, folder / f"{name}{suffix}")  # noqa: PTH105
    return Made(name, (solver.counts(0), solver.counts(1)), {WDL_SUFFIX: len(wdl), DTZ_SUFFIX: len(dtz)})


def make(name: str, folder: Path, found: Tables, workers: int = 1, report: Report | None = None) -> Made:
    """Solves an ending and writes its files to a folder; `found` has what it needs."""
    missing = sorted(needed for needed in needed_by(name) if found.path(needed) is None)
    if missing:
        raise TableError(f"{name} needs {', '.join(missing)}, which must be made first")
    return write(solve(name, found.core, workers, report), folder, workers, report)
