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

from cythera.common.files import atomic_write
from cythera.core import Arrangement, EndgameTables, TableSolver
from cythera.tables.layouts import CODES, Layout, groups_of, layouts_of, neighbours_of
from cythera.tables.names import needed_by
from cythera.tables.probing import DTZ_SUFFIX, WDL_SUFFIX, TableError, Tables

MAGIC = {WDL_SUFFIX: bytes.fromhex("71e8235d"), DTZ_SUFFIX: bytes.fromhex("d7660ca5")}
BLOCK_BITS = {WDL_SUFFIX: 6, DTZ_SUFFIX: 8}  # a probe decodes half a block on average
LEAST_PAIRS = 6  # occurrences that make a pair worth three bytes
SINGLE_VALUE, MAPPED, WIN_PLIES, LOSS_PLIES, WIDE = 128, 2, 4, 8, 16
FIFTY_MOVES = 100  # half-moves
RARE_PARITY = 50  # odd or even distances are rare if fewer than one in 50 is
WINDOWS = 64  # stretches of an arrangement that are looked at to see how well it compresses
TRIED_ALL = 60  # arrangements, up to which each is looked at
TRIED_FULLY = {3: 3, 4: 3, 5: 1}  # by pieces: arrangements that are compressed to see which is smallest
LINE = 64
PACKING_BYTES = 80 << 20  # counters of pairs, candidates
PROGRAM_BYTES = 64 << 20  # the interpreter, tables that are probed

Report = Callable[[str, float], None]


class Job(NamedTuple):
    """A part of a file to be made."""

    suffix: str
    side: int
    pawn_file: int
    win_plies: bool
    loss_plies: bool


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


def memory_needed(name: str, workers: int = 1) -> int:
    """Bytes that making a table takes at most: two for each position and side to move while it is solved; then for
    each worker two for each value of a part and counters of pairs, and the files before they are written."""
    white, black = name.split("v")
    pawns = (white.count("P"), black.count("P"))
    placements = comb(48, pawns[0]) * comb(48 - pawns[0], pawns[1])
    if any(pawns):  # mirror images are one; two pawns of one side can be their own
        placements = (placements + (24 if sorted(pawns) == [0, 2] else 0)) // 2
    pairs = 3612 if any(pawns) else 462
    positions = pairs * placements * int(64 ** (len(name) - 3 - sum(pawns)))
    part = _largest_part(name)
    return 2 * 2 * positions + workers * (2 * part + PACKING_BYTES) + part + PROGRAM_BYTES


def _largest_part(name: str) -> int:
    """Values of the largest part of a file: one side to move and, with pawns, the leading pawn on one file."""
    groups = groups_of(name)
    pawns = sorted(len(group) for group in groups if group[0] & 7 == CODES["P"])
    if not pawns:
        return int(462 * 64 ** (len(name) - 3))
    size = sum(comb(ranking, pawns[0] - 1) for ranking in range(47, 36, -2)) * comb(48 - pawns[0], sum(pawns[1:]))
    free = 64 - sum(pawns)
    for group in groups:
        if group[0] & 7 != CODES["P"]:
            size *= comb(free, len(group))
            free -= len(group)
    return size


def solve(name: str, tables: EndgameTables, workers: int = 1, report: Report | None = None) -> TableSolver:
    """An ending solved; `tables` must have all endings that a zeroing move leads to."""
    try:
        solver = TableSolver(name, tables)
    except MemoryError:
        raise TableError(f"{name} needs {memory_needed(name, workers) / 2**30:.1f} GiB of memory") from None
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


def _in_half_moves(counts: dict[tuple[int, int], int], sign: int) -> bool:
    """Whether the distances of wins (sign 1) or losses (-1) of a part are written in half-moves, not in moves: where
    one would be rounded to the wrong side of the fifty-move rule, or where it hardly costs anything, since nearly all
    of them are odd or nearly all even."""
    if (2 * sign, FIFTY_MOVES) in counts:
        return True
    parities = [0, 0]
    for (result, level), count in counts.items():
        if result == 2 * sign and level > (sign > 0):  # most wins at level 1 are zeroing moves, which nobody reads
            parities[level % 2] += count
    return RARE_PARITY * min(parities) <= max(parities)


def _arranged(solver: TableSolver, job: Job, layout: Layout, windows: int = 0) -> Arrangement:
    return solver.arrange(
        bytes(layout.pieces),
        layout.order,
        layout.second_order,
        job.side,
        job.pawn_file,
        distances=job.suffix == DTZ_SUFFIX,
        win_plies=job.win_plies,
        loss_plies=job.loss_plies,
        windows=windows,
    )


def _likely_layouts(solver: TableSolver, job: Job) -> list[Layout]:
    """The arrangements of a part that promise to compress well: those with the fewest runs of equal values in samples,
    tried one and all where there are few, else step by step from the first."""
    runs: dict[Layout, int] = {}

    def measure(layout: Layout) -> int:
        if layout not in runs:
            runs[layout] = _arranged(solver, job, layout, WINDOWS).choose()
        return runs[layout]

    layouts = layouts_of(solver.name)
    best = layouts[0]
    if measure(best) == 1:
        return [best]
    if len(layouts) <= TRIED_ALL:
        for layout in layouts:
            measure(layout)
    else:
        while (better := min(neighbours_of(solver.name, best), key=measure)) and runs[better] < runs[best]:
            best = better
    return sorted(runs, key=lambda layout: runs[layout])[: TRIED_FULLY[len(solver.name) - 1]]


def _make_part(solver: TableSolver, job: Job) -> Part:
    """A part in the smallest of its likely arrangements."""
    parts = (_packed(solver, job, layout) for layout in _likely_layouts(solver, job))
    return min(parts, key=Part.total)


def _packed(solver: TableSolver, job: Job, layout: Layout) -> Part:
    arrangement = _arranged(solver, job, layout)
    arrangement.choose()
    flags, maps, trivial = 0, b"", True
    if job.suffix == DTZ_SUFFIX:
        flags = job.side | (WIN_PLIES if job.win_plies else 0) | (LOSS_PLIES if job.loss_plies else 0)
        lists = arrangement.map_distances()
        trivial = all(values in ([], [0]) for values in lists)
        if not trivial:
            wide = any(len(values) > 255 or max(values, default=0) > 255 for values in lists)
            width = 2 if wide else 1
            maps = b"".join(
                len(values).to_bytes(width, "little") + b"".join(v.to_bytes(width, "little") for v in values)
                for values in lists
            )
            flags |= MAPPED | (WIDE if wide else 0)
    # A distance file can hold one value without a code only if it is the least.
    packed = arrangement.compress(BLOCK_BITS[job.suffix], LEAST_PAIRS, single=trivial)
    if packed.single_value is not None:
        return Part(layout, (flags & 1) | SINGLE_VALUE, bytes([packed.single_value]), b"", b"", b"")
    return Part(layout, flags, packed.header, packed.block_index, packed.sizes, packed.blocks, maps)


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


def _job(solver: TableSolver, suffix: str, side: int, pawn_file: int) -> Job:
    counts = solver.counts(side, pawn_file if "P" in solver.name else -1) if suffix == DTZ_SUFFIX else {}
    return Job(suffix, side, pawn_file, _in_half_moves(counts, 1), _in_half_moves(counts, -1))


def ensure_folder(folder: Path) -> None:
    """A folder for tables, made if there is none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TableError(f"cannot write the folder of tables {folder}: {error.strerror or error}") from error


def write(solver: TableSolver, folder: Path, workers: int = 1, report: Report | None = None) -> Made:
    """Compresses a solved ending and writes its two files, both or none."""
    name = solver.name
    white, black = name.split("v")
    files = range(4 if "P" in name else 1)
    sides = (0,) if white == black else (0, 1)
    jobs = {(suffix, side, f): _job(solver, suffix, side, f) for suffix in MAGIC for f in files for side in sides}
    made: dict[tuple[str, int, int], Part] = {}
    with ThreadPoolExecutor(workers) as pool:
        if report:
            report("compressing", 0)
        for place, part in zip(jobs, pool.map(partial(_make_part, solver), jobs.values()), strict=True):
            made[place] = part
            if report:
                report("compressing", len(made) / len(jobs))
    wdl = _assembled(name, WDL_SUFFIX, [[made[WDL_SUFFIX, side, f] for side in sides] for f in files])
    shorter = [min((made[DTZ_SUFFIX, side, f] for side in sides), key=Part.total) for f in files]
    dtz = _assembled(name, DTZ_SUFFIX, [[part] for part in shorter])
    ensure_folder(folder)
    for suffix, data in ((DTZ_SUFFIX, dtz), (WDL_SUFFIX, wdl)):
        path = folder / f"{name}{suffix}"
        try:
            atomic_write(path, data)
        except OSError as error:
            raise TableError(f"cannot write the table {path}: {error.strerror or error}") from error
    return Made(name, (solver.counts(0), solver.counts(1)), {WDL_SUFFIX: len(wdl), DTZ_SUFFIX: len(dtz)})


def make(name: str, folder: Path, found: Tables, workers: int = 1, report: Report | None = None) -> Made:
    """Solves an ending and writes its files to a folder; `found` has what it needs."""
    missing = sorted(needed for needed in needed_by(name) if found.path(needed) is None)
    if missing:
        raise TableError(f"{name} needs {', '.join(missing)}, which must be made first")
    return write(solve(name, found.core, workers, report), folder, workers, report)
