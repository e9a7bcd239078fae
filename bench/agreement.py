"""How well short searches agree with long ones: a first look at settings, where games would take days.

    python bench/agreement.py reference.json --games games/run-1.cyg
    python bench/agreement.py reference.json "" "nodes=80000" "LMR_BASE=700;LMR_CUT=2048" "Without=iir"

The first call makes the reference: positions taken at random from self-play games, one of a game at most, with the
move and score of a search of `--deep-nodes`. The second compares settings, written as for bench/gate.py (`nodes=` is
added): each searches every position with `--nodes` from an empty table. A move that the long search did not choose is
judged by another long search, of this move alone; these are kept in the reference too.

A line says how often the moves agree, how much a move gives away (thousandths of a point, by the long searches), and
how far the score is off that of the long search (the same unit). Differences from the first setting are paired, with
their standard errors. To know what they are worth, compare them with those of `nodes=` twice as large.

The reference is searched with HISTORY_BONUS one larger than the default: a short search with the very same settings
would be the beginning of the long one, and would agree with it for that alone. It shares evaluation and faults with
the short searches all the same, so this says which settings deserve games, and does not replace them.
"""

import argparse
import json
import math
import random
import statistics
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

try:
    import cythera  # noqa: F401
except ImportError:
    sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))

from cythera.board.position import Position
from cythera.common.files import atomic_write
from cythera.core import GameCursor, Searcher, SearchLine, set_tunables
from cythera.errors import CytheraError
from cythera.net.load import new_searcher
from cythera.training.game_file import SelfPlayFileError, scan_blocks
from cythera.tuning.in_process import Side, player, whole

HASH_MIB = 16
UNIT_CP = 181.0  # one more is an expected result of 73 %
DECIDED_CP = 400  # positions beyond this say nothing
EARLIEST_PLY, LEAST_MOVES = 4, 5
SEED = 1
UNIT_POSITIONS = 10  # that a process is given at once
PERTURBED = {"HISTORY_BONUS": 191}


class Found(NamedTuple):
    """What a search says of a position."""

    move: str
    score: int


class Task(NamedTuple):
    """A position to search, and the only move to look at, if there is one."""

    fen: str
    only: str | None = None


class Reference:
    """Positions with what long searches say of them, in a file."""

    def __init__(self, path: Path, deep_nodes: int) -> None:
        self.path = path
        self.deep_nodes = deep_nodes
        self.best: dict[str, Found] = {}
        self.others: dict[str, dict[str, int]] = {}  # scores of moves by position
        if path.exists():
            try:
                told = json.loads(path.read_text(encoding="utf-8"))
                self.deep_nodes = int(told["deep_nodes"])
                self.best = {fen: Found(*found) for fen, found in told["best"].items()}
                self.others = told["others"]
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise CytheraError(f"cannot read {path}: it is not a reference of bench/agreement.py") from error

    @property
    def side(self) -> Side:
        return Side(self.deep_nodes, PERTURBED)

    def save(self) -> None:
        told = {"deep_nodes": self.deep_nodes, "best": self.best, "others": self.others}
        atomic_write(self.path, json.dumps(told) + "\n")

    def lacks(self, fen: str, move: str) -> bool:
        return move != self.best[fen].move and move not in self.others.setdefault(fen, {})

    def expected(self, fen: str, move: str) -> float:
        """The expected result of a move."""
        best = self.best[fen]
        return expected_result(best.score if move == best.move else self.others[fen][move])


class Marks(NamedTuple):
    """What a setting made of each position."""

    agreed: list[float]
    given_away: list[float]
    off: list[float]


def expected_result(score: int) -> float:
    """
    >>> expected_result(0)
    0.5
    """
    return 1.0 / (1.0 + math.exp(-max(-2000, min(2000, score)) / UNIT_CP))


def sampled(path: Path, count: int) -> list[str]:
    """Positions of a game file, the same ones every time."""
    rng = random.Random(SEED)
    fens: list[str] = []
    for _, _, raw in scan_blocks(path):
        cursor = GameCursor(raw)
        for at in cursor.offsets():
            game = cursor.game(at)
            if len(game.moves) <= EARLIEST_PLY:
                continue
            ply = rng.randrange(EARLIEST_PLY, len(game.moves))
            if abs(game.moves[ply][1]) > DECIDED_CP:
                continue
            position = Position(game.fen, chess960=game.chess960)
            for move, _ in game.moves[:ply]:
                position.push(move)
            if len(position.legal_moves()) >= LEAST_MOVES:
                fens.append(position.fen())
            if len(fens) == count:
                return fens
    return fens


@lru_cache(maxsize=2)
def searcher_of(eval_file: str) -> Searcher:
    return new_searcher(HASH_MIB, 1, eval_file)


def searched(side: Side, tasks: Sequence[Task]) -> list[Found]:
    """The unit of work of a process."""
    mover, searcher = player(0, side), searcher_of(side.eval_file)
    scores: list[int] = []

    def note(_: Searcher, lines: list[SearchLine]) -> None:
        scores[:] = [lines[0].score]

    found = []
    for fen, only in tasks:
        set_tunables(mover.numbers)
        searcher.clear()
        line = searcher.go(
            Position(fen),
            nodes=side.nodes,
            features=mover.features,
            searchmoves=[only] if only else None,
            listener=note,
        )[0]
        found.append(Found(line.moves[0], scores[0] if scores else line.score))
    return found


def search_all(pool: ProcessPoolExecutor, side: Side, tasks: Sequence[Task]) -> list[Found]:
    units = [tasks[at : at + UNIT_POSITIONS] for at in range(0, len(tasks), UNIT_POSITIONS)]
    return [found for unit in pool.map(searched, [side] * len(units), units) for found in unit]


def side_of(text: str, nodes: int) -> Side:
    """A side as in bench/gate.py, which may say its nodes.

    >>> side_of("nodes=500; Without=iir", 100).nodes
    500
    """
    parts = [part.strip() for part in text.split(";")]
    for part in parts:
        if part.startswith("nodes="):
            nodes = whole("nodes", part.removeprefix("nodes="))
    return Side.from_text(";".join(part for part in parts if not part.startswith("nodes=")), nodes)


def judged(pool: ProcessPoolExecutor, reference: Reference, side: Side) -> Marks:
    """Searches all positions with a setting and compares what it finds with the reference, which may grow by it."""
    found = dict(zip(reference.best, search_all(pool, side, list(map(Task, reference.best))), strict=True))
    unknown = [Task(fen, move) for fen, (move, _) in found.items() if reference.lacks(fen, move)]
    for task, answer in zip(
        unknown, search_all(pool, replace(reference.side, nodes=reference.deep_nodes // 2), unknown), strict=True
    ):
        reference.others[task.fen][str(task.only)] = answer.score
    if unknown:
        reference.save()
    marks = Marks([], [], [])
    for fen, (move, score) in found.items():
        wanted = expected_result(reference.best[fen].score)
        marks.agreed.append(100.0 * (move == reference.best[fen].move))
        marks.given_away.append(1000 * (wanted - reference.expected(fen, move)))
        marks.off.append(1000 * abs(expected_result(score) - wanted))
    return marks


def line_of(name: str, marks: Marks, first: Marks | None) -> str:
    words = []
    for title, values, others in zip(
        ("agrees in percent", "gives away", "is off by"), marks, first or marks, strict=True
    ):
        text = f"{title} {statistics.fmean(values):.2f}"
        if first is not None:
            differences = [value - other for value, other in zip(values, others, strict=True)]
            error = statistics.stdev(differences) / math.sqrt(len(differences))
            text += f" ({statistics.fmean(differences):+.2f} ± {error:.2f})"
        words.append(text)
    return f"{name or 'as shipped'}: {', '.join(words)}"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference", type=Path, help="the file of the reference, made if it does not exist")
    parser.add_argument("settings", nargs="*", help="settings; differences are from the first")
    parser.add_argument("--games", type=Path, help="a game file, to make the reference from")
    parser.add_argument("--count", type=int, default=2400, help="positions of the reference (default: 2400)")
    parser.add_argument("--deep-nodes", type=int, default=600_000, help="of the long searches (default: 600000)")
    parser.add_argument("--nodes", type=int, default=40_000, help="of the short searches (default: 40000)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    args = parser.parse_args(argv)
    for name, least in (("count", 2), ("deep_nodes", 2), ("workers", 1)):
        if getattr(args, name) < least:
            parser.error(f"--{name.replace('_', '-')} must be at least {least}, got {getattr(args, name)}")
    try:
        sides = [side_of(text, args.nodes) for text in args.settings]
        reference = Reference(args.reference, args.deep_nodes)
        with ProcessPoolExecutor(args.workers, get_context("spawn")) as pool:
            if not reference.best:
                if args.games is None:
                    parser.error(f"{args.reference} does not exist; --games FILE makes it")
                fens = sampled(args.games, args.count)
                if len(fens) < args.count:
                    raise CytheraError(f"{args.games} has only {len(fens)} positions that are fit, not {args.count}")
                found = search_all(pool, reference.side, list(map(Task, fens)))
                reference.best = dict(zip(fens, found, strict=True))
                reference.save()
            first: Marks | None = None
            for name, side in zip(args.settings, sides, strict=True):
                marks = judged(pool, reference, side)
                print(line_of(name, marks, first), flush=True)
                first = first or marks
    except (CytheraError, SelfPlayFileError, OSError) as error:
        raise SystemExit(f"agreement: {error}") from error
    return 0


if __name__ == "__main__":
    sys.exit(main())
