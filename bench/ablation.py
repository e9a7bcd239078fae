"""What each technique of the search is worth: matches against the same engine without it, at fixed nodes.

    python bench/ablation.py --nodes 5000 --games 400 -o ablation
    python bench/ablation.py --only "null move" --only razoring

Fixed nodes leave out what a technique costs or saves in time, and nothing else: no clock, no noise. One match
file a technique stays in the folder, so a run that was ended goes on, and `cythera match --resume` works on
each. Techniques depend on each other: the numbers do not add up.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from cythera.core import FEATURES


def match(name: str, args: argparse.Namespace) -> dict[str, object]:
    """Plays the match for a technique, or what is left of it, and returns its summary."""
    path = Path(args.output) / f"{name.replace(' ', '-')}.json"
    command = [sys.executable, "-m", "cythera", "match"]
    if path.exists():
        command += ["--resume", str(path)]
    else:
        command += [
            "with=cythera", "without=cythera", "-o", f"without:Without={name}", "--nodes", str(args.nodes),
            "--games", str(args.games), "--seed", str(args.seed), "--draw", "--win", "--json", str(path),
        ]  # fmt: skip
        command += ["--openings", args.openings] if args.openings else []
    command += ["--concurrency", str(args.concurrency), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the match without {name} failed: {done.stderr.strip() or done.stdout.strip()}")
    summary: dict[str, object] = json.loads(path.read_text())["summary"]
    return summary


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=5000, help="a move (5000)")
    parser.add_argument("--games", type=int, default=400, help="a technique (400)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--openings", help="an EPD or PGN file (the package's own)")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--only", action="append", metavar="NAME", help="this technique; may be given again")
    parser.add_argument("-o", "--output", default="ablation", metavar="FOLDER")
    args = parser.parse_args()
    names = args.only or [name for name in FEATURES if name != "table"]
    for name in names:
        if name not in FEATURES:
            parser.error(f"there is no technique {name!r}; there are {', '.join(FEATURES)}")
    Path(args.output).mkdir(parents=True, exist_ok=True)
    print(f"| technique | Elo, {args.nodes:,} nodes a move | games | won, drawn, lost |\n|---|---|---|---|", flush=True)
    for name in names:
        summary = match(name, args)
        (meeting,) = summary["meetings"]
        elo, low, high = meeting["elo"]
        score = summary["standings"]["with"]
        print(
            f"| {name} | {elo:+.0f} ± {(high - low) / 2:.0f} | {summary['games']} "
            f"| {score['wins']}, {score['draws']}, {score['losses']} |",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
