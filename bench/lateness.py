"""Where the milliseconds of a move go, on an idle and on a loaded machine.

    python bench/lateness.py --load 8 --seconds 100
    python bench/lateness.py --load 8 --threads 2 --overhead 30 --against ../before/engine

Two engines play each other with one clock each, and busy processes compete for the processors. Engine and referee write
down when each step of a move was done, on the same clock. The time between a step and the next is printed, and which
part of the lateness, that is the time over what the time manager allowed, is the engine's and which the referee's. A
game ends when a clock is overstepped. With --against, every other game is played by the package in another folder.
Linux and macOS only: elsewhere the clocks of two processes differ.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

STEPS = (
    ("go read", "referee writes go -> engine has read it"),
    ("thread runs", "-> thread of the search runs"),
    ("core begins", "-> compiled search begins"),
    ("core ends", "-> compiled search ends (over what it was allowed)"),
    ("answer", "-> bestmove is about to be written"),
    ("written", "-> bestmove is written"),
    ("heard", "-> referee has read it"),
)
LONGEST_GAME = 300  # plies


def engine() -> int:
    """The UCI engine, which writes its steps to stderr after each move."""
    from cythera.engine import search_run
    from cythera.uci import program

    step: dict[str, float] = {}
    run, search, send = search_run.SearchRun.run, search_run.SearchRun.search, program.Uci.send

    def timed_run(self: Any) -> Any:
        step.clear()
        step["thread runs"] = time.perf_counter()
        step["go read"] = self.started_s
        return run(self)

    def timed_search(self: Any) -> Any:
        step["hard"], step["soft"] = self.budget.hard_ms or 0.0, self.budget.soft_ms or 0.0
        step["core begins"] = time.perf_counter()
        lines = search(self)
        step["core ends"] = time.perf_counter()
        return lines

    def timed_send(self: Any, *lines: str) -> None:
        is_answer = lines[-1].startswith("bestmove")
        if is_answer:
            step["answer"] = time.perf_counter()
            step.setdefault("core ends", step["answer"])  # answered before it has ended
        send(self, *lines)
        if is_answer:
            step["written"] = time.perf_counter()
            os.write(2, json.dumps(step).encode() + b"\n")

    search_run.SearchRun.run = timed_run  # type: ignore[method-assign]
    search_run.SearchRun.search = timed_search  # type: ignore[method-assign]
    program.Uci.send = timed_send  # type: ignore[method-assign]
    return program.main([])


class Player:
    """An engine process with its clock."""

    def __init__(self, options: Sequence[str], package: str) -> None:
        environment = {**os.environ, "PYTHONPATH": package} if package else None
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--engine"], env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
        )  # fmt: skip
        for option in options:
            name, _, value = option.partition("=")
            self.write(f"setoption name {name} value {value}\n")
        self.clock_ms = 0.0

    def write(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode())

    def read_until(self, word: bytes) -> bytes:
        assert self.process.stdout is not None
        fd, heard = self.process.stdout.fileno(), b""
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        while True:
            poll.poll()
            chunk = os.read(fd, 65536)
            if not chunk:
                raise SystemExit("the engine ended")
            heard += chunk
            at = heard.rfind(word)
            if at >= 0 and heard.endswith(b"\n"):
                return heard[at:]

    def new_game(self, clock_ms: float) -> None:
        self.clock_ms = clock_ms
        self.write("ucinewgame\nisready\n")
        self.read_until(b"readyok")

    def think(self, position: str, go: str) -> tuple[str, dict[str, float]]:
        begin = time.perf_counter()
        self.write(f"{position}\n{go}\n")
        answer = self.read_until(b"bestmove")
        end = time.perf_counter()
        assert self.process.stderr is not None
        step = json.loads(self.process.stderr.readline())
        step["begin"], step["heard"] = begin, end
        step["clock"] = self.clock_ms
        return answer.split()[1].decode(), step


def busy() -> None:
    while True:
        pass


def percentile(values: Sequence[float], percent: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * percent / 100), len(ordered) - 1)]


def show(name: str, values: Sequence[float]) -> None:
    figures = (statistics.fmean(values), *(percentile(values, p) for p in (50, 90, 99, 99.9)), max(values))
    print(f"{name:52}" + "".join(f"{figure:8.2f}" for figure in figures))


def play_game(
    players: Sequence[Player], seed: int, base_ms: float, increment_ms: float
) -> tuple[list[dict[str, float]], int]:
    """One game from a random opening; returns the steps of its moves and whether it was lost on time."""
    rng = random.Random(seed)
    from cythera import Position

    position, moves, steps = Position(), [], []
    for _ in range(8):
        moves.append(rng.choice(position.legal_moves()).uci())
        position.push(moves[-1])
    for player in players:
        player.new_game(base_ms)
    while len(moves) < LONGEST_GAME and position.legal_moves() and not position.is_draw():
        mover = players[len(moves) % 2]
        white, black = players[0].clock_ms, players[1].clock_ms
        go = f"go wtime {white:.0f} btime {black:.0f} winc {increment_ms:.0f} binc {increment_ms:.0f}"
        move, step = mover.think(f"position startpos moves {' '.join(moves)}", go)
        used_ms = (step["heard"] - step["begin"]) * 1000
        steps.append(step)
        step["left"] = mover.clock_ms - used_ms
        if step["left"] < 0:
            return steps, 1
        mover.clock_ms += increment_ms - used_ms
        moves.append(move)
        position.push(move)
    return steps, 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--load", type=int, default=8, help="busy processes (default: 8)")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to play (default: 60)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tc", default="1+0.01", help="seconds and increment (default: 1+0.01)")
    parser.add_argument("--overhead", type=int, default=10, help="Move Overhead (default: 10)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--against", metavar="FOLDER", help="folder of another package, for every other game")
    parser.add_argument("--dump", help="file for the steps of all moves, as JSON lines")
    parser.add_argument("--engine", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.engine:
        return engine()
    base_ms, increment_ms = (1000 * float(part) for part in args.tc.split("+"))
    load = [multiprocessing.Process(target=busy, daemon=True) for _ in range(args.load)]
    for process in load:
        process.start()
    options = [f"Threads={args.threads}", f"Move Overhead={args.overhead}"]
    packages = ["", args.against] if args.against else [""]
    steps: list[list[dict[str, float]]] = [[] for _ in packages]
    games, lost = [0] * len(packages), [0] * len(packages)
    try:
        pairs = [[Player(options, package) for _ in range(2)] for package in packages]
        end = time.monotonic() + args.seconds
        while time.monotonic() < end:
            for number, players in enumerate(pairs):
                played, overstepped = play_game(players, args.seed + games[number], base_ms, increment_ms)
                steps[number] += played
                games[number] += 1
                lost[number] += overstepped
        for player in (player for players in pairs for player in players):
            player.process.kill()
    finally:
        for process in load:
            process.kill()
    print(f"load {args.load}, threads {args.threads}, {args.tc}, Move Overhead {args.overhead}")
    for number, package in enumerate(packages):
        if args.dump:
            with open(f"{args.dump}{number}", "w", encoding="utf-8") as file:
                file.writelines(json.dumps(step) + "\n" for step in steps[number])
        print(f"\n{package or 'this package'}: {games[number]} games, {lost[number]} lost on time")
        show_steps(steps[number])
    return 0


def show_steps(steps: Sequence[dict[str, float]]) -> None:
    worst = min(step["left"] for step in steps)
    print(f"{len(steps)} moves, least time left {worst:.1f} ms")
    print(f"{'milliseconds':52}" + "".join(f"{name:>8}" for name in ("mean", "50 %", "90 %", "99 %", "99.9 %", "most")))
    before = "begin"
    for name, about in STEPS:
        if name == "core ends":
            show(about, [(s[name] - s["go read"]) * 1000 - s["hard"] for s in steps])
        else:
            show(about, [(s[name] - s[before]) * 1000 for s in steps])
        before = name
    late = [max((s["written"] - s["go read"]) * 1000 - s["hard"], 0) for s in steps]
    others = [(s["go read"] - s["begin"] + s["heard"] - s["written"]) * 1000 for s in steps]
    show("engine: from go read to written, over allowed", late)
    show("referee: before go read and after written", others)


if __name__ == "__main__":
    sys.exit(main())
