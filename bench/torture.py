"""A campaign of attacks on Cythera: seeded, resumable, with a reproduction of every failure.

    python bench/torture.py --minutes 5
    python bench/torture.py --only uci,files --minutes 60 --workers 4 --folder torture
    python bench/torture.py --case uci:17          # one case again, with everything it did

Each area is a sequence of numbered cases; a case depends on the seed and its number alone. The cases that are done and
the counts are kept in FOLDER/state.json, so that a run is resumed where it stopped; cases that were being run then are
run again. A failure writes FOLDER/failures/AREA-NUMBER.txt. Exit code 1 if any case failed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bench")]

AREAS = ("uci", "files", "tables", "kills", "referee", "web", "api", "clients")


class Outcome(NamedTuple):
    """What a case tried, how it failed (None: it passed), and how long it took."""

    tried: dict[str, int]
    problem: str | None
    seconds: float


def run_case(seed: int, name: str, number: int) -> Outcome:
    """One case of an area."""
    begun = time.monotonic()
    area = import_module(f"torture_areas.{name}")
    rng = random.Random(f"{seed}/{name}/{number}")
    tried: dict[str, int] = {}
    with tempfile.TemporaryDirectory(prefix=f"torture-{name}-") as scratch:
        try:
            problem = area.run(rng, Path(scratch), tried)
        except Exception:
            problem = traceback.format_exc()
    return Outcome(tried, problem, time.monotonic() - begun)


class Campaign:
    """The state of a run: for each area the cases that are done, and what has been tried and failed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.path = folder / "state.json"
        self.failures = folder / "failures"
        self.failures.mkdir(parents=True, exist_ok=True)
        self.state: dict[str, Any] = {"seed": seed, "areas": {}}
        if self.path.exists():
            self.state = json.loads(self.path.read_text())
            if self.state["seed"] != seed:
                sys.exit(f"{folder} was started with seed {self.state['seed']}, got {seed}: choose another folder")

    def area(self, name: str) -> dict[str, Any]:
        """An area's state: all cases below `next` are done, and those in `ahead` besides."""
        entry = self.state["areas"].setdefault(name, {"next": 0, "failed": 0, "tried": {}})
        entry.setdefault("ahead", [])
        return entry

    def unfinished(self, name: str, running: Collection[int]) -> int:
        """The first case that is neither done nor being run."""
        entry = self.area(name)
        taken = {*entry["ahead"], *running}
        return next(number for number in count(entry["next"]) if number not in taken)

    def note(self, name: str, number: int, outcome: Outcome) -> None:
        """A case is done: its counts are added to the state, and its failure is reported."""
        entry = self.area(name)
        for what, times in outcome.tried.items():
            entry["tried"][what] = entry["tried"].get(what, 0) + times
        ahead = {*entry["ahead"], number}
        while entry["next"] in ahead:
            ahead.remove(entry["next"])
            entry["next"] += 1
        entry["ahead"] = sorted(ahead)
        if outcome.problem:
            entry["failed"] += 1
            path = self.failures / f"{name}-{number}.txt"
            again = f"python bench/torture.py --seed {self.state['seed']} --case {name}:{number}"
            path.write_text(f"{again}\n\n{outcome.problem}\n", encoding="utf-8")
            last = outcome.problem.strip().splitlines()[-1][:150]
            print(f"FAILED {name} case {number}: {last}; see {path}", flush=True)
        self.path.write_text(json.dumps(self.state, indent=1))

    def run(self, names: Sequence[str], end: float, workers: int) -> None:
        """Cases in parallel until `end`. Every area gets an equal share of the time, whatever its cases cost."""
        spent = dict.fromkeys(names, 0.0)
        running: dict[Future[Outcome], tuple[str, int]] = {}
        pool = self.opened(workers)
        try:
            while True:
                while len(running) < workers and time.monotonic() < end:
                    waits = {name: sum(one == name for one, _ in running.values()) for name in names}
                    name = min(names, key=lambda one: (spent[one], waits[one]))
                    number = self.unfinished(name, [case for one, case in running.values() if one == name])
                    running[pool.submit(run_case, self.state["seed"], name, number)] = name, number
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    name, number = running.pop(future)
                    try:
                        outcome = future.result()
                    except BrokenProcessPool:
                        # The pool cannot tell which case it was: each that was being run is named.
                        died = {(name, number), *running.values()}
                        for one in sorted(died):
                            self.note(*one, Outcome({}, "the process that ran the case died", 0.0))
                        running = {}
                        pool.shutdown()
                        pool = self.opened(workers)
                        break
                    spent[name] += outcome.seconds
                    self.note(name, number, outcome)
        finally:
            pool.shutdown(cancel_futures=True)

    def opened(self, workers: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))

    def report(self) -> int:
        """Print what was tried and failed by area; returns the number of failures."""
        failed = 0
        for name, entry in self.state["areas"].items():
            tried = ", ".join(f"{times:,} {what}" for what, times in sorted(entry["tried"].items()))
            cases = entry["next"] + len(entry["ahead"])
            print(f"{name:8} {cases:6} cases, {entry['failed']} failed: {tried}")
            failed += entry["failed"]
        return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long to run (default: 5)")
    parser.add_argument(
        "--only", default=",".join(AREAS), help=f"areas, separated by commas (default: {','.join(AREAS)})"
    )
    parser.add_argument("--workers", type=int, default=1, help="cases run in parallel (default: 1)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.add_argument("--folder", type=Path, help="state and failures (default: a temporary folder)")
    parser.add_argument("--case", metavar="AREA:NUMBER", help="run this case only")
    args = parser.parse_args()
    names = [name.strip() for name in args.only.split(",")]
    unknown = [name for name in names if name not in AREAS]
    if unknown:
        parser.error(f"unknown area {unknown[0]!r}; available: {', '.join(AREAS)}")
    if args.workers < 1:
        parser.error(f"--workers must be at least 1, got {args.workers}")
    campaign = Campaign(args.folder or Path(tempfile.mkdtemp(prefix="torture-")), args.seed)
    if args.case:
        name, _, number = args.case.partition(":")
        problem = run_case(args.seed, name, int(number)).problem
        print(problem or "passed")
        return 1 if problem else 0
    try:
        campaign.run(names, time.monotonic() + 60 * args.minutes, args.workers)
    except KeyboardInterrupt:
        print("stopped")
    failed = campaign.report()
    print(f"state and failures in {campaign.folder}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
