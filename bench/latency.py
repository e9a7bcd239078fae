"""How quickly the engine answers: from start to `uciok`, `isready` and `stop` in mid-search.

    python bench/latency.py

The start is compared with a bare interpreter that answers the same way, in alternating runs. On a
busy machine the figures are the machine's, not the engine's.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time

BARE = "import sys\nsys.stdin.readline()\nprint('uciok', flush=True)\nsys.stdin.readline()"
FEN = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8"
START_GOAL_MS = 40
ANSWER_GOAL_MS = 20


class Engine:
    def __init__(self, *command: str) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def until(self, start: str) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(start.encode()):
                return
        raise SystemExit("the engine ended")

    def ask_ms(self, line: str, start: str) -> float:
        begun = time.perf_counter()
        self.send(line)
        self.until(start)
        return (time.perf_counter() - begun) * 1000

    def end(self) -> None:
        self.send("quit")
        self.process.wait()


def start_ms(*command: str) -> float:
    begun = time.perf_counter()
    engine = Engine(*command)
    engine.send("uci")
    engine.until("uciok")
    elapsed = (time.perf_counter() - begun) * 1000
    engine.end()
    return elapsed


def percentile(values: list[float], percent: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * percent / 100), len(ordered) - 1)]


def show(name: str, values: list[float], goal_ms: float) -> None:
    p99 = percentile(values, 99)
    verdict = "" if p99 <= goal_ms else "  over the goal"
    print(f"{name:28}{statistics.median(values):9.2f}{p99:9.2f}{max(values):9.2f}{goal_ms:9.0f}{verdict}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure how quickly the engine answers.")
    parser.add_argument("--rounds", type=int, default=25, help="starts (default: 25)")
    parser.add_argument("--searches", type=int, default=300, help="searches that are stopped (default: 300)")
    parser.add_argument("--think-ms", type=float, default=30, help="time before each question (default: 30)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--hash", type=int, default=16, help="MiB")
    args = parser.parse_args()

    bare: list[float] = []
    ours: list[float] = []
    start_ms(sys.executable, "-m", "cythera")  # bytecode and disk caches warm
    for _ in range(args.rounds):
        bare.append(start_ms(sys.executable, "-c", BARE))
        ours.append(start_ms(sys.executable, "-m", "cythera"))
    over = statistics.median(ours) - statistics.median(bare)
    print(f"start to uciok: {statistics.median(ours):.1f} ms, bare Python {statistics.median(bare):.1f} ms, ", end="")
    print(f"over it {over:.1f} ms (goal {START_GOAL_MS} ms); medians of {args.rounds}\n")

    engine = Engine(sys.executable, "-m", "cythera")
    for line in (f"setoption name Threads value {args.threads}", f"setoption name Hash value {args.hash}"):
        engine.send(line)
    ready: list[float] = []
    stop: list[float] = []
    for _ in range(args.searches):
        engine.send(f"position fen {FEN}")
        engine.send("go infinite")
        time.sleep(args.think_ms / 1000)
        ready.append(engine.ask_ms("isready", "readyok"))
        time.sleep(args.think_ms / 1000)
        stop.append(engine.ask_ms("stop", "bestmove"))
    engine.end()
    print(f"{'ms, of ' + str(args.searches):28}{'median':>9}{'99 %':>9}{'worst':>9}{'goal':>9}")
    show("isready in mid-search", ready, ANSWER_GOAL_MS)
    show("stop to bestmove", stop, ANSWER_GOAL_MS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
