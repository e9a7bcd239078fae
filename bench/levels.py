"""How strong the levels are: a ladder of matches between them, matches against other engines, one rating list.

    python bench/levels.py --games 100 -o levels
    python bench/levels.py --stockfish stockfish --top 3000 --games 0 --far-games 0 --against-games 100
    python bench/levels.py --against "gnuchess=gnuchess -u" --tc 2+0.02 --at 2200 --at 2400 --anchor gnuchess=2500

Each level plays its neighbours and the next but one. A level's nodes are its limit, so it has a minute a move
and never needs it; `--tc` is for the other engines. No game is ended early: to botch a won game is part of a
weak level. Without `--anchor` the levels' mean is what their names say, and only differences mean anything.

`--stockfish` is Stockfish 15.1. Its Skill Levels are engines of known strength (see SKILLS); every level plays the
two that should be nearest to it, which are anchors.

One match file a pair stays in the folder, under the signature of the search and the numbers of both levels. So
a run that was ended goes on, a row that was changed plays its own matches again and no others, and nothing of
another search is mixed in.
"""

import argparse
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean

from cythera.engine.bench import bench
from cythera.engine.levels import ROWS, Level, level_of
from cythera.errors import CytheraError
from cythera.match.archive import read_archive
from cythera.match.stats.ratings import RatingList, rate
from cythera.match.uci.engines import resolve
from cythera.net.load import CLASSICAL

MOVETIME_S = 60  # far more than any level needs
MAX_MOVES = 250

# Ratings of Stockfish's Skill Levels from 0 on, as its authors measured them a month after 15.1: some 90,000 games at
# 120+1, on the scale of CCRL's blitz list by way of versions of Stash that are rated there, each within about 30.
# (official-stockfish/Stockfish, pull request 4341. Stockfish 15.1's own UCI_Elo goes by an older measurement.)
# Skill Level n plays a move of a search to depth n + 1 and thinks on, which helps it only by way of its table.
SKILLS = (1320, 1468, 1608, 1742, 1923, 2204, 2363, 2500, 2596, 2703, 2788, 2856, 2923, 2973, 3025, 3070, 3111, 3141,
          3170, 3191)  # fmt: skip


@dataclass(frozen=True)
class Player:
    """One side of a match, in the words of `cythera match`, and a label for files that says all of it."""

    name: str
    engine: str
    options: tuple[str, ...]
    label: str


@dataclass(frozen=True)
class Played:
    """A match: games by (white, black, result), and the first player's result with the 95 % interval of its Elo."""

    one: str
    other: str
    results: Counter[tuple[str, str, str]]
    score: dict[str, int]
    elo: tuple[float | None, float | None, float | None]
    failures: list[list[object]]


def level_player(level: Level) -> Player:
    name = str(level.elo)
    limits = ("--option", f"{name}:UCI_LimitStrength=true", "--option", f"{name}:UCI_Elo={name}")
    options = (*limits, "--movetime", f"{name}:{MOVETIME_S}")
    return Player(name, f"{name}=cythera", options, f"{name}n{level.nodes}l{level.lines}c{level.noise_cp:g}")


def other_player(text: str, controls: list[str]) -> Player:
    """An engine as `cythera match` names one, with its own time control or the common one."""
    name = resolve(text, {}).name
    own = [tc.removeprefix(f"{name}:") for tc in controls if tc.startswith(f"{name}:")]
    common = [tc for tc in controls if ":" not in tc]
    if not own and not common:
        raise SystemExit(f"{name} needs a time control: --tc 2+0.02, or --tc {name}:2+0.02")
    control = (own or common)[-1]
    return Player(name, text, ("--tc", f"{name}:{control}"), f"{name}@{control.replace('/', 'in')}")


def skill_player(skill: int, engine: str, control: str) -> Player:
    """Stockfish at one of its Skill Levels."""
    name = f"skill{skill}"
    options = ("--option", f"{name}:Skill Level={skill}", "--tc", f"{name}:{control}")
    return Player(name, f"{name}={engine}", options, f"{name}@{control.replace('/', 'in')}")


def nearest_skills(elo: int) -> list[int]:
    """The two Skill Levels with ratings nearest to an Elo."""
    return sorted(sorted(range(len(SKILLS)), key=lambda skill: abs(SKILLS[skill] - elo))[:2])


def match(one: Player, other: Player, games: int, folder: Path, args: argparse.Namespace) -> Played:
    """Plays the match of two, or what is left of it."""
    path = folder / f"{one.label}-{other.label}.json"
    record = read_archive(path) if path.exists() else None
    if record is None or len(record[2]) < games:
        command = [sys.executable, "-m", "cythera", "match"]
        if record is not None:
            command += ["--resume", str(path)]
        else:
            command += [one.engine, other.engine, *one.options, *other.options]
            command += ["--seed", str(args.seed), "--max-moves", str(MAX_MOVES), "--json", str(path)]
            command += ["--openings", args.openings] if args.openings else []
        command += ["--games", str(games), "--workers", str(args.workers), "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{one.name} against {other.name} failed: {done.stderr.strip() or done.stdout.strip()}")
        record = read_archive(path)
    _, document, played = record
    summary = document["summary"]
    (meeting,) = summary["meetings"]
    return Played(
        one.name,
        other.name,
        Counter((game.white, game.black, game.result) for game in played),
        summary["standings"][one.name],
        tuple(meeting["elo"]),
        summary["failures"],
    )


def match_line(played: Played) -> str:
    elo, low, high = played.elo
    score = played.score
    if elo is None:  # a score of 0 or 1 has no Elo
        text = "won all" if score["wins"] else "lost all"
    else:
        text = f"{elo:+.0f}" + (f" ({low:+.0f} to {high:+.0f})" if low is not None and high is not None else "")
    return f"| {played.one} – {played.other} | {score['wins']} | {score['draws']} | {score['losses']} | {text} |"


def rating_lines(levels: list[Level], table: RatingList, shift: float) -> list[str]:
    """The levels with what was measured, then the other engines."""
    rated = {one.name: one for one in table.rated}
    lines = ["| level | nodes | lines | noise, cp | measured | games |", "|---|---|---|---|---|---|"]
    numbers = {str(level.elo): f"{level.nodes:,} | {level.lines} | {level.noise_cp:g}" for level in levels}
    for name in [*numbers, *reversed([name for name in rated if name not in numbers])]:
        one = rated[name]
        margin = f"± {one.margin:.0f}" if one.margin else "(given)"
        lines.append(f"| {name} | {numbers.get(name, '| |')} | {one.elo + shift:.0f} {margin} | {one.games} |")
    return lines


def anchors_of(texts: list[str], names: list[str]) -> dict[str, float]:
    anchors = {}
    for text in texts:
        name, _, elo = text.rpartition("=")
        if name not in names:
            raise SystemExit(f"--anchor {text!r} is not NAME=ELO of somebody who plays: {', '.join(names)}")
        anchors[name] = float(elo)
    return anchors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--top", type=int, default=2400, metavar="ELO", help="highest level to play (default: 2400)")
    parser.add_argument("--games", type=int, default=100, help="games of neighbours (default: 100)")
    parser.add_argument("--far-games", type=int, default=40, help="games of next-but-one neighbours (default: 40)")
    parser.add_argument("--against", action="append", default=[], metavar="[NAME=]ENGINE", help="another UCI engine")
    parser.add_argument("--at", type=int, action="append", default=[], metavar="ELO",
                        help="a level that plays the other engines; may be given again")  # fmt: skip
    parser.add_argument("--against-games", type=int, default=50, help="games of each of these pairs (default: 50)")
    parser.add_argument("--tc", action="append", default=[], metavar="[NAME:]TC", help="time of the other engines")
    parser.add_argument("--stockfish", metavar="ENGINE", help="its Skill Levels play all levels, and are anchors")
    parser.add_argument("--stockfish-tc", default="movetime=0.1", metavar="TC", help="its time (default: movetime=0.1)")
    parser.add_argument("--anchor", action="append", default=[], metavar="NAME=ELO", help="fix a player's rating")
    parser.add_argument("--openings", help="an EPD or PGN file (the package's own)")
    parser.add_argument("--seed", type=int, default=1, help="for the order of openings (default: 1)")
    parser.add_argument("--workers", type=int, default=1, help="games in parallel (default: 1)")
    parser.add_argument("-o", "--output", default="levels", metavar="FOLDER")
    args = parser.parse_args()

    elos = sorted({row[0] for row in ROWS if row[0] <= args.top} | set(args.at))
    levels = [level for elo in elos if (level := level_of(elo)) is not None]
    ladder = [level_player(level) for level in levels if level.elo <= args.top]
    others = [other_player(text, args.tc) for text in args.against]
    pairs = [(upper, lower, args.games) for lower, upper in pairwise(ladder)]
    pairs += [(upper, lower, args.far_games) for lower, upper in zip(ladder, ladder[2:], strict=False)]
    pairs += [(level_player(level), other, args.against_games)
              for level in levels if level.elo in args.at for other in others]  # fmt: skip
    skills = set()
    if args.stockfish:
        for level in levels:
            skills.update(nearest_skills(level.elo))
            pairs += [(level_player(level), skill_player(skill, args.stockfish, args.stockfish_tc), args.against_games)
                      for skill in nearest_skills(level.elo)]  # fmt: skip
    pairs = [pair for pair in pairs if pair[2]]
    names = list(dict.fromkeys(player.name for pair in pairs for player in pair[:2]))
    anchors = {f"skill{skill}": float(SKILLS[skill]) for skill in skills} | anchors_of(args.anchor, names)

    signature, _ = bench(eval_file=CLASSICAL)
    folder = Path(args.output) / str(signature)
    folder.mkdir(parents=True, exist_ok=True)
    print(f"Signature {signature}\n\n| match | won | drawn | lost | difference |\n|---|---|---|---|---|", flush=True)
    results: Counter[tuple[str, str, str]] = Counter()
    failures = []
    for one, other, games in pairs:
        played = match(one, other, games, folder, args)
        results += played.results
        failures += played.failures
        print(match_line(played), flush=True)
    table = rate(names, results, anchors)
    measured = {one.name: one.elo for one in table.rated}
    levels = [level for level in levels if str(level.elo) in measured]
    # Without an anchor the mean of all is 0; the levels' names say more.
    shift = 0.0 if anchors else mean(level.elo - measured[str(level.elo)] for level in levels)
    print("\n" + "\n".join(rating_lines(levels, table, shift)))
    for who, what, times in failures:
        print(f"\n{who}: {times} × {what}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CytheraError as error:
        sys.exit(str(error))
