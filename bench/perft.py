"""Perft speed as a ratio to another engine's, in alternating runs on one thread.

    python bench/perft.py --against stockfish
    python bench/perft.py --threads 2

Times are wall time inside a running process, best of the rounds; start-up does not count. Of the
two tables one counts the last ply by population counts, the other writes its move list too, as
Stockfish does. Differences under 5 % are noise.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterable

from cythera import Position
from cythera.core import build_info, choose_variant

POSITIONS = {
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    "kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
    "endgame": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7),
    "promotion": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    "position 5": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5),
}

Duel = Callable[[str, int], list[Callable[[], int]]]  # FEN and depth -> two ways to count


class Rival:
    """Another UCI engine that knows `go perft`."""

    def __init__(self, command: str) -> None:
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = self.ask("uci", "uciok", "id name ") or command

    def ask(self, command: str, last: str, wanted: str) -> str:
        """Sends a line and reads up to the one that starts with `last`; returns what follows `wanted`."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        found = ""
        for line in self.process.stdout:
            if line.startswith(wanted):
                found = line.removeprefix(wanted).strip()
            if line.startswith(last):
                return found
        raise SystemExit(f"the engine left at {command!r}")

    def perft(self, fen: str, depth: int) -> int:
        self.ask(f"position fen {fen}\nisready", "readyok", "readyok")
        return int(self.ask(f"go perft {depth}", "Nodes searched", "Nodes searched:"))

    def close(self) -> None:
        self.process.communicate("quit\n", timeout=5)


def seconds(count: Callable[[], int], expected: int | None) -> tuple[float, int]:
    start = time.perf_counter()
    nodes = count()
    taken = time.perf_counter() - start
    if expected not in (None, nodes):
        raise SystemExit(f"the counts differ: {nodes} and {expected}")
    return taken, nodes


def contest(contenders: list[Callable[[], int]], rounds: int) -> tuple[list[float], int]:
    """The best time of each contender in alternating rounds, and the nodes all agree on."""
    best = [math.inf] * len(contenders)
    nodes: int | None = None
    for _ in range(rounds):
        for i, contender in enumerate(contenders):
            taken, nodes = seconds(contender, nodes)
            best[i] = min(best[i], taken)
    assert nodes is not None
    return best, nodes


def geometric_mean(values: Iterable[float]) -> float:
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs))


def table(title: str, names: tuple[str, str], duel: Duel, rounds: int) -> float:
    print(f"\n{title}\n{'':12}{names[0]:>16}{names[1]:>16}{'ratio':>8}   million nodes per second")
    ratios = []
    for name, (fen, depth) in POSITIONS.items():
        (first, second), nodes = contest(duel(fen, depth), rounds)
        ratios.append(second / first)
        print(f"{name:12}{nodes / first / 1e6:16.0f}{nodes / second / 1e6:16.0f}{ratios[-1]:8.2f}", flush=True)
    mean = geometric_mean(ratios)
    print(f"{'geometric mean':44}{mean:8.2f}")
    return mean


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure perft against another engine, or threads against one.")
    parser.add_argument("--against", metavar="ENGINE", help="a UCI engine with `go perft`, like stockfish")
    parser.add_argument("--threads", type=int, default=1, help="compare this many threads with one")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    if not args.against and args.threads == 1:
        parser.error("give --against ENGINE, --threads N, or both")
    print(f"cythera, {choose_variant()} build, compiled with {build_info()['compiler']}; best of {args.rounds} rounds")
    if args.against:
        rival = Rival(args.against)
        for title, listed in (("Last ply counted", False), ("Last ply listed", True)):

            def duel(fen: str, depth: int, listed: bool = listed) -> list[Callable[[], int]]:
                position = Position(fen)
                return [lambda: position.perft(depth, listed=listed), lambda: rival.perft(fen, depth)]

            table(title, ("cythera", rival.name[:15]), duel, args.rounds)
        rival.close()
    if args.threads > 1:

        def crowd(fen: str, depth: int) -> list[Callable[[], int]]:
            position = Position(fen)
            return [lambda: position.perft(depth, args.threads), lambda: position.perft(depth)]

        table(f"{args.threads} threads against one", (f"{args.threads} threads", "1 thread"), crowd, args.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
