"""Speed of UCI engines side by side: nodes per second and time to depth, as ratios with their spread.

    python bench/nps.py --against stockfish --against ethereal-chess
    python bench/nps.py old=../older --against new=cythera --depth 14 --rounds 5
    python bench/nps.py two=cythera --against one=cythera --option two:Threads=2 --nodes 3000000
    python bench/nps.py --against stockfish --bench --rounds 10

Engines take turns in every round, so that a machine that slows down slows all of them. The first engine is
compared with every other. Depth means something else to every engine: compare it only between builds of one.
With `--bench` each runs its own `bench` command, on positions and to a depth of its own.
"""

import argparse
import math
import os
import re
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

try:
    import cythera  # noqa: F401
except ImportError:
    sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))

from cythera.errors import CytheraError
from cythera.match.uci.engines import EngineSpec, distinct_names, resolve, start
from cythera.match.uci.info import final_info
from cythera.match.uci.process import EngineProcess

# Openings, middle games with and without queens, endings; quiet and sharp, either side to move.
POSITIONS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 b kq - 0 6",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "r2q1rk1/1b2bppp/p1nppn2/1p6/3NPP2/1BN1B3/PPP3PP/R2Q1RK1 w - - 2 12",
    "2rq1rk1/pb1n1ppp/1p2pn2/8/1bPP4/2NBPN2/PB3PPP/R2Q1RK1 w - - 0 12",
    "r3r1k1/pp3pp1/2p2n1p/3q4/3P4/2P2N1P/P2Q1PP1/R3R1K1 b - - 1 20",
    "2r2rk1/1p2bppp/p3pn2/8/2PN4/1P4P1/P3PPBP/2RR2K1 b - - 0 19",
    "8/1p3pk1/p1p3p1/2Pp3p/1P1P1n1P/P4PP1/3N1K2/8 b - - 0 36",
    "8/5pk1/4p1p1/3pP2p/r2P1P1P/4K1P1/1R6/8 w - - 4 44",
    "6k1/5pp1/4b2p/1p1pP3/pP1B1P2/P5PP/6K1/8 w - - 0 38",
    "3r2k1/p4ppp/1q6/2b5/8/1Q4P1/PB3P1P/4R1K1 w - - 2 27",
]
THINK_S = 600.0
BENCH_SPEED = re.compile(r"(\d+) nps\b|\bNodes/second\s*:\s*(\d+)")


@dataclass(frozen=True)
class Run:
    """One engine over all positions: nodes, and seconds for each position."""

    nodes: int
    seconds: tuple[float, ...]

    @property
    def nps(self) -> float:
        return self.nodes / sum(self.seconds)

    @property
    def time_to_depth(self) -> float:
        """Geometric mean over the positions, so that no single one rules."""
        return math.exp(statistics.fmean(math.log(max(seconds, 1e-6)) for seconds in self.seconds))


def measure(engine: EngineProcess, go: str) -> Run:
    nodes, seconds = 0, []
    for fen in POSITIONS:
        engine.new_game()
        thought = engine.think(f"position fen {fen}", go, THINK_S, THINK_S)
        searched = final_info(thought.lines).nodes
        if searched is None:
            raise CytheraError(f"{engine.name} does not report its nodes")
        nodes += searched
        seconds.append(thought.elapsed_ms / 1000)
    return Run(nodes, tuple(seconds))


def bench_speed(spec: EngineSpec) -> int:
    """Nodes per second by the engine's own `bench`, whose output ends in `M nps` or has a line `Nodes/second : M`."""
    done = subprocess.run(
        [*spec.argv(), "bench"], cwd=spec.directory, env=os.environ | dict(spec.environment), capture_output=True,
        text=True, timeout=THINK_S,
    )  # fmt: skip
    found = BENCH_SPEED.findall(done.stdout + done.stderr)
    if done.returncode or not found:
        raise CytheraError(f"{spec.name} has no `bench` that says its nodes per second")
    return int("".join(found[-1]))


def compare_benches(specs: list[EngineSpec], rounds: int) -> None:
    speeds: dict[str, list[int]] = {spec.name: [] for spec in specs}
    for number in range(rounds):
        turn = number % len(specs)
        for spec in specs[turn:] + specs[:turn]:
            speeds[spec.name].append(bench_speed(spec))
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
    print(f"own bench of each, {rounds} rounds, {os.cpu_count()} cores")
    for name, found in speeds.items():
        print(f"{name:{max(map(len, speeds))}}  {statistics.median(found):11,.0f} nodes/s")
    first, *others = speeds
    for other in others:
        ratios = [one / two for one, two in zip(speeds[first], speeds[other], strict=True)]
        print(f"{first} / {other}\n  nodes per second  {spread(ratios)}")


def spread(ratios: list[float]) -> str:
    """Median of the rounds, and the range of them."""
    return f"{statistics.median(ratios):6.3f}  ({min(ratios):.3f} to {max(ratios):.3f})"


def options_of(engine: str, texts: list[str]) -> dict[str, str]:
    """The options given for all engines, and those for this one."""
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        owner, colon, rest = name.partition(":")
        if not equals:
            raise CytheraError(f"an option must be NAME=VALUE or ENGINE:NAME=VALUE, got {text!r}")
        if not colon or owner == engine:
            options[rest if colon else name] = value
    return options


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="?", default="cythera", help="as for `cythera match` (default: cythera)")
    parser.add_argument("--against", action="append", default=[], metavar="ENGINE", help="may be given again")
    parser.add_argument("--depth", type=int, default=11)
    parser.add_argument("--nodes", type=int, help="search this many nodes per position instead; gives speed only")
    parser.add_argument("--bench", action="store_true", help="compare the engines' own `bench` commands instead")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--option", action="append", default=[], metavar="[ENGINE:]NAME=VALUE", help="for one or all")
    args = parser.parse_args()
    specs: list[EngineSpec] = distinct_names([resolve(text, {}) for text in (args.engine, *args.against)])
    if args.bench:
        compare_benches(specs, args.rounds)
        return 0
    engines = [start(spec.with_options(options_of(spec.name, args.option))) for spec in specs]
    go = f"go nodes {args.nodes}" if args.nodes else f"go depth {args.depth}"
    runs: dict[str, list[Run]] = {engine.name: [] for engine in engines}
    try:
        for number in range(args.rounds):
            turn = number % len(engines)
            for engine in engines[turn:] + engines[:turn]:
                runs[engine.name].append(measure(engine, go))
            print(f"round {number + 1} of {args.rounds}", file=sys.stderr, flush=True)
    finally:
        for engine in engines:
            engine.quit()
    report(runs, go)
    return 0


def report(runs: dict[str, list[Run]], go: str) -> None:
    width = max(map(len, runs))
    print(f"{len(POSITIONS)} positions, {go}, {len(next(iter(runs.values())))} rounds, {os.cpu_count()} cores")
    print(f"{'':{width}}  {'nodes/s':>11}  {'time to depth':>14}")
    for name, found in runs.items():
        nps = statistics.median(run.nps for run in found)
        depth_ms = 1000 * statistics.median(run.time_to_depth for run in found)
        print(f"{name:{width}}  {nps:11,.0f}  {depth_ms:11.1f} ms")
    first, *others = runs
    for other in others:
        pairs = list(zip(runs[first], runs[other], strict=True))
        print(f"{first} / {other}")
        print(f"  nodes per second  {spread([one.nps / two.nps for one, two in pairs])}")
        if "depth" in go:
            print(f"  time to depth     {spread([one.time_to_depth / two.time_to_depth for one, two in pairs])}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CytheraError as error:
        sys.exit(str(error))
