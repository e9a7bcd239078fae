"""How many forced mates UCI engines find at fixed nodes, and whether a claim is wrong.

    python bench/mates.py mates.epd --nodes 100000 --against stockfish
    python bench/mates.py mates.epd --half 1 --option "Without=single reply" -o found.json

FILE has a position a line with its shortest mate, as in `… w - - bm #5;` (the collection of vondele/matetrack is of
this kind, not part of this project). Each position is searched by one thread with an empty table of 16 MiB. A mate is
found if the last exact score of the search is a mate for the side to move. A claim is wrong if it is shorter than the
shortest mate, for the other side, or if its line is whole and does not end in mate.

`--half` takes one of two random halves: choose between variants of a search on the one, and count on the other.
"""

import argparse
import json
import os
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path

try:
    import cythera  # noqa: F401
except ImportError:
    sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))

import chess

from cythera.errors import CytheraError
from cythera.match.uci.engines import EngineSpec, distinct_names, resolve, start
from cythera.match.uci.info import EngineInfo, final_info

OPTIONS = {"Threads": "1", "Hash": "16"}
THINK_S = 600.0
SEED = 1
MATE = re.compile(r"\bbm #(\d+)")


@dataclass(frozen=True)
class Mate:
    fen: str
    moves: int


@dataclass
class Count:
    """Of one engine: the mates it found by position, and the claims that are wrong."""

    found: dict[str, int]
    wrong: list[str]

    def row(self, name: str, mates: list[Mate]) -> str:
        shortest = sum(self.found.get(mate.fen) == mate.moves for mate in mates)
        lengths = sorted({mate.moves for mate in mates})
        by_length = ", ".join(
            f"#{n} {sum(mate.fen in self.found for mate in mates if mate.moves == n)}"
            f"/{sum(mate.moves == n for mate in mates)}"
            for n in lengths
        )
        return f"| {name} | {len(self.found)} | {shortest} | {len(self.wrong)} | {by_length} |"


def read_mates(path: Path, least: int, most: int) -> list[Mate]:
    mates = []
    for line in path.read_text(encoding="utf-8").splitlines():
        given = MATE.search(line)
        if given and least <= int(given[1]) <= most:
            mates.append(Mate(" ".join(line.split()[:4]) + " 0 1", int(given[1])))
    if not mates:
        raise CytheraError(f"{path} has no mates in {least} to {most} moves")
    return mates


def chosen(mates: list[Mate], half: int | None, sample: int | None) -> list[Mate]:
    """A random half or sample of the mates, the same in every run."""
    mates = random.Random(SEED).sample(mates, len(mates))
    if half is not None:
        mates = mates[: len(mates) // 2] if half == 1 else mates[len(mates) // 2 :]
    return mates[:sample]


def error_of(mate: Mate, claim: EngineInfo) -> str | None:
    """What is wrong with a claim; None if nothing can be said against it."""
    if claim.mate is None:
        return None
    if claim.mate <= 0:
        return f"mate {claim.mate} for the other side"
    if claim.mate < mate.moves:
        return f"mate {claim.mate} is shorter than the shortest, {mate.moves}"
    board = chess.Board(mate.fen)
    try:
        for text in claim.pv:
            board.push_uci(text)
    except ValueError as error:
        return f"line of mate {claim.mate}: {error}"
    if len(claim.pv) >= 2 * claim.mate - 1 and not board.is_checkmate():
        return f"the line of mate {claim.mate} does not end in mate: {' '.join(claim.pv)}"
    return None


def count(spec: EngineSpec, mates: list[Mate], nodes: int) -> Count:
    counted = Count({}, [])
    engine = start(spec)
    try:
        for mate in mates:
            engine.new_game()
            thought = engine.think(f"position fen {mate.fen}", f"go nodes {nodes}", THINK_S, THINK_S)
            claim = final_info(thought.lines)
            error = None if claim.bound else error_of(mate, claim)
            if error:
                counted.wrong.append(f"{mate.fen}: {error}")
            elif claim.mate is not None and not claim.bound:
                counted.found[mate.fen] = claim.mate
    finally:
        engine.quit()
    return counted


def options_of(texts: list[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in texts]
    if any(not equals for _, equals, _ in pairs):
        raise CytheraError(f"an option must be NAME=VALUE, got {texts}")
    return {name: value for name, _, value in pairs}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="positions with their shortest mates")
    parser.add_argument("--engine", default="cythera", help="as for `cythera match` (cythera)")
    parser.add_argument("--against", action="append", default=[], metavar="ENGINE", help="may be given again")
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--least", type=int, default=2, metavar="MOVES", help="shortest mates taken (2)")
    parser.add_argument("--most", type=int, default=6, metavar="MOVES", help="longest mates taken (6)")
    parser.add_argument("--half", type=int, choices=(1, 2), help="take this random half only")
    parser.add_argument("--sample", type=int, metavar="N", help="take N of them")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="for the first engine")
    parser.add_argument("-o", "--output", type=Path, help="write the lengths found by position, as JSON")
    args = parser.parse_args()
    mates = chosen(read_mates(args.file, args.least, args.most), args.half, args.sample)
    specs = distinct_names([resolve(text, {}) for text in (args.engine, *args.against)])
    specs[0] = specs[0].with_options(options_of(args.option))
    print(f"{len(mates)} mates in {args.least} to {args.most} moves, {args.nodes:,} nodes, {os.cpu_count()} cores")
    print("| engine | found | shortest | wrong | found by length |\n|---|---|---|---|---|")
    counts = {}
    for spec in specs:
        counts[spec.name] = count(spec.with_options(OPTIONS), mates, args.nodes)
        print(counts[spec.name].row(spec.name, mates), flush=True)
    for name, counted in counts.items():
        for error in counted.wrong:
            print(f"{name}: {error}")
    if args.output:
        found = {name: counted.found for name, counted in counts.items()}
        args.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 1 if any(counted.wrong for counted in counts.values()) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CytheraError as error:
        sys.exit(str(error))
