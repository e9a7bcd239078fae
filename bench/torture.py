"""A campaign of attacks on Cythera: seeded, resumable, with a reproduction of every failure.

    python bench/torture.py --minutes 5
    python bench/torture.py --only uci,files --minutes 60 --folder torture
    python bench/torture.py --case uci:17          # one case again, with everything it did

Each area is a sequence of numbered cases; a case depends on the seed and its number alone. The numbers
reached and the counts are kept in FOLDER/state.json, so that a run is resumed where it stopped. A failure
writes FOLDER/failures/AREA-NUMBER.txt. Exit code 1 if any case failed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bench")]

AREAS = ("uci", "files", "tables", "kills", "referee", "web", "api", "clients")


class Campaign:
    """The state of a run: for each area the next case and what has been tried and failed."""

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
        return self.state["areas"].setdefault(name, {"next": 0, "failed": 0, "tried": {}})

    def run_case(self, name: str, number: int) -> str | None:
        """Run one case; returns how it failed, or None. Counts are added to the state."""
        area = import_module(f"torture_areas.{name}")
        rng = random.Random(f"{self.state['seed']}/{name}/{number}")
        tried: dict[str, int] = {}
        with tempfile.TemporaryDirectory(prefix=f"torture-{name}-") as scratch:
            try:
                problem = area.run(rng, Path(scratch), tried)
            except Exception:
                problem = traceback.format_exc()
        counts = self.area(name)["tried"]
        for what, times in tried.items():
            counts[what] = counts.get(what, 0) + times
        return problem

    def step(self, name: str) -> None:
        entry = self.area(name)
        number = entry["next"]
        problem = self.run_case(name, number)
        entry["next"] = number + 1
        if problem:
            entry["failed"] += 1
            path = self.failures / f"{name}-{number}.txt"
            again = f"python bench/torture.py --seed {self.state['seed']} --case {name}:{number}"
            path.write_text(f"{again}\n\n{problem}\n", encoding="utf-8")
            print(f"FAILED {name} case {number}: {problem.strip().splitlines()[-1][:150]}; see {path}", flush=True)
        self.path.write_text(json.dumps(self.state, indent=1))

    def report(self) -> int:
        """Print what was tried and failed by area; returns the number of failures."""
        failed = 0
        for name, entry in self.state["areas"].items():
            tried = ", ".join(f"{times:,} {what}" for what, times in sorted(entry["tried"].items()))
            print(f"{name:8} {entry['next']:6} cases, {entry['failed']} failed: {tried}")
            failed += entry["failed"]
        return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long to run (default: 5)")
    parser.add_argument(
        "--only", default=",".join(AREAS), help=f"areas, separated by commas (default: {','.join(AREAS)})"
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.add_argument("--folder", type=Path, help="state and failures (default: a temporary folder)")
    parser.add_argument("--case", metavar="AREA:NUMBER", help="run this case only")
    args = parser.parse_args()
    names = [name.strip() for name in args.only.split(",")]
    unknown = [name for name in names if name not in AREAS]
    if unknown:
        parser.error(f"unknown area {unknown[0]!r}; available: {', '.join(AREAS)}")
    campaign = Campaign(args.folder or Path(tempfile.mkdtemp(prefix="torture-")), args.seed)
    if args.case:
        name, _, number = args.case.partition(":")
        problem = campaign.run_case(name, int(number))
        print(problem or "passed")
        return 1 if problem else 0
    # Every area gets an equal share of the time, whatever its cases cost.
    spent = dict.fromkeys(names, 0.0)
    end = time.monotonic() + 60 * args.minutes
    try:
        while time.monotonic() < end:
            name = min(names, key=lambda one: spent[one])
            begin = time.monotonic()
            campaign.step(name)
            spent[name] += time.monotonic() - begin
    except KeyboardInterrupt:
        print("stopped")
    failed = campaign.report()
    print(f"state and failures in {campaign.folder}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
