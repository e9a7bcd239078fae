"""What each technique of the search is worth: games against the same engine without it, at fixed nodes.

    python bench/ablation.py --nodes 5000 --games 400 -o ablation
    python bench/ablation.py --only nmp --only razoring --net new.net

Fixed nodes leave out what a technique costs or saves in time, and nothing else: no clock, no noise. Both sides
play in one process, about twice as fast as over UCI (`--uci`: matches that `cythera match --resume` works on).
One file a technique stays in the folder, so a run that was ended goes on. Techniques depend on each other: the
numbers do not add up.
"""

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cythera.common.executor import WorkerPool, open_workers
from cythera.common.files import atomic_write
from cythera.core import FEATURES
from cythera.errors import CytheraError
from cythera.match.adjudication import DrawRule, Rules, WinRule
from cythera.match.openings.opening_files import Openings, load_book
from cythera.match.stats.elo import Interval, estimate, pentanomial
from cythera.net.load import DEFAULT, net_for
from cythera.tuning.in_process import PairTask, Side, play_task

FORMAT = "cythera-ablation"
RULES = Rules(draw=DrawRule(), win=WinRule())  # those of `cythera match --draw --win`
SAVE_S = 5.0


class Result(NamedTuple):
    """Of the engine with the technique, against the one without it."""

    elo: Interval
    wins: int
    draws: int
    losses: int

    def row(self, name: str) -> str:
        elo = f"{self.elo.value:+.0f} ± {self.elo.margin:.0f}" if math.isfinite(self.elo.margin) else str(self.elo)
        games = self.wins + self.draws + self.losses
        return f"| {name} | {elo} | {games} | {self.wins}, {self.draws}, {self.losses} |"


# ---------------------------------------------------------------- in process


class Pairs:
    """The pairs played for a technique, in a file from which the run is resumed."""

    def __init__(self, path: Path, conditions: dict[str, Any]) -> None:
        self.path = path
        self.conditions = conditions
        self.scores: dict[int, list[float]] = {}  # points in the two games of a pair, by its number
        if path.exists():
            self._read()

    def _read(self) -> None:
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CytheraError(f"cannot read {self.path}: {error}") from error
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise CytheraError(f"{self.path} is of another kind: go on with --uci, or choose another folder")
        for key, value in self.conditions.items():
            if found["conditions"].get(key) != value:
                before = found["conditions"].get(key)
                raise CytheraError(f"{self.path} was made with {key} {before!r}, not {value!r}: choose another folder")
        self.scores = {int(number): scores for number, scores in found["scores"].items()}

    def save(self) -> None:
        counts = pentanomial(sum(scores) for scores in self.scores.values())
        numbered = {str(number): self.scores[number] for number in sorted(self.scores)}
        document = {"format": FORMAT, "conditions": self.conditions, "pairs": counts, "scores": numbered}
        atomic_write(self.path, json.dumps(document) + "\n")

    def result(self, wanted: int) -> Result:
        """Of the first pairs, however many were played."""
        played = [scores for number, scores in self.scores.items() if number < wanted]
        games = [score for scores in played for score in scores]
        elo = estimate(pentanomial(map(sum, played))).elo
        return Result(elo, games.count(1.0), games.count(0.5), games.count(0.0))


def play_in_process(name: str, args: argparse.Namespace, openings: Openings, pool: WorkerPool) -> Result:
    """Plays the pairs for a technique that are still missing."""
    conditions = {"without": name, "nodes": args.nodes, "seed": args.seed, "openings": args.openings, "net": args.net}
    pairs = Pairs(file_of(name, args), conditions)
    wanted = (args.games + 1) // 2
    full, less = Side(args.nodes, eval_file=args.net), Side(args.nodes, without=(name,), eval_file=args.net)

    def missing() -> Iterator[PairTask]:
        for number in range(wanted):
            if number not in pairs.scores:
                yield PairTask(number, full, less, openings[number].fen, openings[number].moves, RULES)

    next_save = 0.0
    try:
        for task, pair in pool.completed(play_task, missing()):
            pairs.scores[task.index] = list(pair.scores)
            if time.monotonic() >= next_save:
                pairs.save()
                next_save = time.monotonic() + SAVE_S
    finally:
        pairs.save()
    return pairs.result(wanted)


# ---------------------------------------------------------------- over UCI


def play_match(name: str, args: argparse.Namespace) -> Result:
    """Plays the match for a technique, or what is left of it."""
    path = file_of(name, args)
    command = [sys.executable, "-m", "cythera", "match"]
    if path.exists():
        command += ["--resume", str(path)]
    else:
        command += [
            "with=cythera", "without=cythera",
            "--option", f"without:Without={name}", "--option", f"EvalFile={args.net}",
            "--nodes", str(args.nodes), "--games", str(args.games), "--seed", str(args.seed), "--draw", "--win",
            "--json", str(path),
        ]  # fmt: skip
        command += ["--openings", args.openings] if args.openings else []
    command += ["--workers", str(args.workers), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise CytheraError(f"the match without {name} failed: {done.stderr.strip() or done.stdout.strip()}")
    summary = json.loads(path.read_text(encoding="utf-8"))["summary"]
    (meeting,) = summary["meetings"]
    score = summary["standings"]["with"]
    return Result(estimate(meeting["pentanomial"]).elo, score["wins"], score["draws"], score["losses"])


def file_of(name: str, args: argparse.Namespace) -> Path:
    return Path(args.output) / f"{name.replace(' ', '-')}.json"


def measure(names: list[str], args: argparse.Namespace) -> Iterator[tuple[str, Result]]:
    """Results as they come, technique by technique."""
    if args.uci:
        for name in names:
            yield name, play_match(name, args)
        return
    openings = Openings(load_book(args.openings)[0], seed=args.seed)
    with open_workers(args.workers) as pool:
        for name in names:
            yield name, play_in_process(name, args, openings, pool)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=5000, help="nodes per move (default: 5000)")
    parser.add_argument("--games", type=int, default=400, help="games per feature (default: 400)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--openings", help="an EPD or PGN file (the package's own)")
    parser.add_argument("--net", default=DEFAULT, help="the evaluation, as the option EvalFile names it")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", action="append", metavar="NAME", help="this technique; may be given again")
    parser.add_argument("--uci", action="store_true", help="by `cythera match`, engines in processes of their own")
    parser.add_argument("-o", "--output", default="ablation", metavar="FOLDER")
    args = parser.parse_args(argv)
    names = args.only or [name for name in FEATURES if name != "tt"]
    for name in names:
        if name not in FEATURES:
            parser.error(f"there is no technique {name!r}; there are {', '.join(FEATURES)}")
    if args.nodes < 1 or args.games < 1:
        parser.error("at least one node a move and one game are needed")
    try:
        net_for(args.net)
        Path(args.output).mkdir(parents=True, exist_ok=True)
        print(f"| technique | Elo, {args.nodes:,} nodes per move | games | won, drawn, lost |", flush=True)
        print("|---|---|---|---|", flush=True)
        for name, result in measure(names, args):
            print(result.row(name), flush=True)
    except CytheraError as error:
        raise SystemExit(f"ablation: {error}") from error
    return 0


if __name__ == "__main__":
    sys.exit(main())
