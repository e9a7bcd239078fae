"""Endgame tables: what a probe costs, hot and cold, and what making a table takes.

    python bench/tables.py probe [NAME …]                 # hot probes, CPU time
    python bench/tables.py cold [NAME …]                  # the first probe of a file, out of the page cache
    python bench/tables.py search                         # searches that meet no table, with tables and without
    python bench/tables.py make KBBvK KRvKP -o DIR        # seconds, memory and bytes of each table

Times are CPU time, which is steadier on a busy machine, but for `cold`, which waits for the disk. Each table is made
in a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "engine")]

from support.endings import random_position  # noqa: E402

from cythera import Position  # noqa: E402
from cythera.engine.bench import POSITIONS as BENCH  # noqa: E402
from cythera.net.load import new_searcher  # noqa: E402
from cythera.tables import PACKAGE_TABLES, Tables  # noqa: E402
from cythera.tables.make import memory_needed, solve, write  # noqa: E402
from cythera.tables.names import normal_name  # noqa: E402
from cythera.tables.probing import DTZ_SUFFIX, WDL_SUFFIX  # noqa: E402

POSITIONS = 1000
ROUNDS = 9


def cpu_ns(call: Callable[[Position], object], positions: list[Position]) -> float:
    """CPU time per call, the best of several rounds."""
    times = []
    for _ in range(ROUNDS):
        begun = time.process_time_ns()
        for position in positions:
            call(position)
        times.append((time.process_time_ns() - begun) / len(positions))
    return min(times)


def run_probe(args: argparse.Namespace) -> int:
    """Hot probes: the same positions again and again. The cost of the call from Python is taken off."""
    tables = Tables(*args.tables)
    results, distances = [], []
    print(f"{'table':9}{'result ns':>11}{'distance ns':>13}")
    for name in args.names or tables.names():
        rng = random.Random(f"{args.seed} {name}")
        positions = [Position(random_position(rng, name).fen()) for _ in range(POSITIONS)]
        call = cpu_ns(Tables().core.probe_wdl, positions)  # finds no table
        result = cpu_ns(tables.core.probe_wdl, positions) - call
        distance = cpu_ns(tables.core.probe_dtz, positions) - call
        results.append(result)
        distances.append(distance)
        print(f"{name:9}{result:11.0f}{distance:13.0f}", flush=True)
    for what, figures in (("median", statistics.median), ("largest", max)):
        print(f"{what:9}{figures(results):11.0f}{figures(distances):13.0f}")
    return 0


def out_of_cache(path: str) -> None:
    """Asks the system to forget a file."""
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)


def run_cold(args: argparse.Namespace) -> int:
    """The first probe of a table, file out of the page cache: opening it and reading its header; and then probes of
    other positions, each of which touches a page or two that was not read yet."""
    print(f"{'table':9}{'first ms':>10}{'next µs':>10}")
    for name in args.names or Tables(*args.tables).names():
        rng = random.Random(f"{args.seed} {name}")
        positions = [Position(random_position(rng, name).fen()) for _ in range(16)]
        firsts, others = [], []
        for _ in range(ROUNDS):
            tables = Tables(*args.tables)
            path = tables.path(name, WDL_SUFFIX)
            if path is None:
                raise SystemExit(f"there is no table {name}")
            out_of_cache(path)
            begun = time.perf_counter()
            tables.probe_wdl(positions[0])
            firsts.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            for position in positions[1:]:
                tables.probe_wdl(position)
            others.append((time.perf_counter() - begun) / (len(positions) - 1))
        print(f"{name:9}{statistics.median(firsts) * 1e3:10.2f}{statistics.median(others) * 1e6:10.1f}", flush=True)
    return 0


def run_search(args: argparse.Namespace) -> int:
    """The positions of `bench`, searched by turns with tables and without: CPU time where no node is in a table, and
    whether the same tree is searched there."""
    searchers = {"with": new_searcher(16, tables=True), "without": new_searcher(16)}
    times: dict[str, list[float]] = {kind: [] for kind in searchers}
    fens, different = [], 0
    for fen in BENCH:
        lines = {}
        for kind, searcher in searchers.items():
            searcher.clear()
            lines[kind] = searcher.go(Position(fen), nodes=args.nodes)
        if searchers["with"].table_hits == 0:
            fens.append(fen)
            different += lines["with"] != lines["without"]
    for number in range(args.rounds):
        for kind in list(searchers)[:: 1 if number % 2 else -1]:
            seconds = 0.0
            for fen in fens:
                searchers[kind].clear()
                begun = time.process_time()
                searchers[kind].go(Position(fen), nodes=args.nodes)
                seconds += time.process_time() - begun
            times[kind].append(seconds)
    ratios = [first / second for first, second in zip(times["with"], times["without"], strict=True)]
    print(
        f"{len(fens)} of {len(BENCH)} positions meet no table, {different} differ; {args.nodes:,} nodes each, "
        f"{args.rounds} rounds: {min(times['with']):.3f} s with tables, {min(times['without']):.3f} s without (best), "
        f"ratio {statistics.median(ratios):.3f} (median, {min(ratios):.3f} to {max(ratios):.3f})"
    )
    return 1 if different else 0


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def make_here(name: str, folder: Path, workers: int, sources: list[str]) -> dict[str, float]:
    """Makes a table; seconds of CPU and of the clock, peak memory in bytes, bytes by suffix."""
    begun, start = time.perf_counter(), cpu_seconds()
    solver = solve(name, Tables(folder, *sources).core, workers)
    solved = cpu_seconds()
    made = write(solver, folder, workers)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {
        "solve": solved - start,
        "write": cpu_seconds() - solved,
        "wall": time.perf_counter() - begun,
        "memory": peak,
        **made.sizes,
    }


def run_make(args: argparse.Namespace) -> int:
    """Tables made, each in a process of its own."""
    if args.output is None or not args.names:
        raise SystemExit("make needs names of tables and -o DIR")
    args.output.mkdir(parents=True, exist_ok=True)
    heads = {"solve s": 9, "write s": 9, "wall s": 9, "MB": 8, "stated MB": 11, "results": 13, "distances": 13}
    print(f"{'table':9}{''.join(f'{head:>{width}}' for head, width in heads.items())}")
    for name in args.names:
        command = [sys.executable, __file__, "one", name, "-o", str(args.output), "--workers", str(args.workers)]
        for folder in args.tables:
            command += ["--tables", folder]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        figures = json.loads(done.stdout)
        print(
            f"{name:9}{figures['solve']:9.1f}{figures['write']:9.1f}{figures['wall']:9.1f}"
            f"{figures['memory'] / 1e6:8.0f}{memory_needed(name, args.workers) / 1e6:11.0f}"
            f"{figures[WDL_SUFFIX]:13,}{figures[DTZ_SUFFIX]:13,}",
            flush=True,
        )
    return 0


def run_one(args: argparse.Namespace) -> int:
    print(json.dumps(make_here(args.names[0], args.output, args.workers, args.tables)))
    return 0


COMMANDS = {"probe": run_probe, "cold": run_cold, "search": run_search, "make": run_make, "one": run_one}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=COMMANDS, metavar="{probe,cold,search,make}")
    parser.add_argument("names", nargs="*", type=normal_name, help="tables, like KQvKR (default: all)")
    parser.add_argument("--tables", action="append", metavar="DIR", help="folder of tables (default: the package's)")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="make: folder for the tables")
    parser.add_argument("--workers", type=int, default=1, help="make: threads (default: 1)")
    parser.add_argument("--nodes", type=int, default=20_000, help="search: nodes per position (default: 20000)")
    parser.add_argument("--rounds", type=int, default=9, help="search: rounds of each (default: 9)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.tables = args.tables or [PACKAGE_TABLES]
    return COMMANDS[args.command](args)


if __name__ == "__main__":
    sys.exit(main())
