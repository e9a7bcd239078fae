"""`cythera datagen`: self-play games for tuning and training, on all cores or a cluster.

A unit of work is a batch of games with consecutive numbers; the number of a game and the seed of the
run decide everything about it. Finished batches are appended to one file a run in the order of their
numbers, so a run that was stopped goes on where it was, with the same games as if it had not been.
"""

from __future__ import annotations

import argparse
import json
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from pathlib import Path

from cythera.common.executor import open_workers
from cythera.common.files import atomic_write
from cythera.common.machine import available_cores
from cythera.core import PLY_BYTES, Searcher
from cythera.errors import CytheraError
from cythera.training.game_file import GameWriter, record_heads, scan_blocks

UNIT_NODES = 20_000  # games a unit times nodes a move: a second or two of work
LEAST_UNIT, LARGEST_UNIT = 20, 200  # games
BOOK_PLIES = 2  # random ones, where a book has to serve again
START_NODES = 1000  # of the search that judges whether a start is fair, at least
SAMPLED_PLIES = 16  # every so many plies one score goes into the histogram
RESULTS = ("Black wins", "draws", "White wins")


class DatagenError(CytheraError):
    """A run that cannot be started or resumed."""


@dataclass(frozen=True)
class DatagenSettings:
    """What decides the games of a run; kept beside its file, so that resuming cannot mix settings."""

    seed: int = 1
    nodes: int = 1000
    random_plies: int = 8
    max_start_cp: int = 300
    chess960_share: float = 0.0
    openings: str = "random"
    hash_mib: int = 4
    eval_file: str = "<default>"
    signature: int = 0  # bench nodes of the engine that plays, at a small depth
    start_nodes: int = START_NODES


@dataclass(frozen=True)
class GameBatch:
    """Games [first, first + count) of a run, where they start (empty: the usual position), and which of them start
    where another game has started before."""

    first: int
    count: int
    fens: tuple[str, ...] = ()
    again: tuple[bool, ...] = ()


def games_a_unit(nodes: int) -> int:
    """How many games a worker is given at once.

    >>> [games_a_unit(nodes) for nodes in (1, 120, 1000, 50_000)]
    [200, 166, 20, 20]
    """
    return min(max(UNIT_NODES // nodes, LEAST_UNIT), LARGEST_UNIT)


def hash_for(nodes: int) -> int:
    """MiB of a table that is large enough for a game, and no larger: it is cleared for each."""
    return 1 if nodes <= 300 else 4


def engine_signature(eval_file: str) -> int:
    """A short bench: another number means another engine."""
    from cythera.engine.bench import bench

    return bench(depth=5, eval_file=eval_file)[0]


def game_seed(settings: DatagenSettings, number: int) -> int:
    """A 64-bit seed that no two games of any two runs share in practice, be it the same seed with another engine."""
    import hashlib

    text = f"{settings.seed}/{settings.signature}/{number}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def start_fen(settings: DatagenSettings, number: int) -> str | None:
    """The shuffled Chess960 start of a game, or None for the usual one."""
    import random

    rng = random.Random(game_seed(settings, number) ^ 0x960)
    if rng.random() >= settings.chess960_share:
        return None
    import chess

    board = chess.Board.from_chess960_pos(rng.randrange(960))
    return board.fen(shredder=True)


@lru_cache(maxsize=16)
def searcher_of(thread: int, hash_mib: int, eval_file: str) -> Searcher:
    """A worker's searcher: it serves for all its batches, since every game begins with all forgotten."""
    from cythera.net.load import new_searcher

    return new_searcher(hash_mib, 1, eval_file)


def play_batch(settings: DatagenSettings, batch: GameBatch) -> tuple[bytes, list[int], int, float, float]:
    """Plays a batch; returns records, their lengths, nodes, seconds in all and in the search."""
    from cythera.board.position import Position
    from cythera.core import self_play

    begun = time.perf_counter()
    searcher = searcher_of(threading.get_ident(), settings.hash_mib, settings.eval_file)
    records, nodes, inside = [], 0, 0.0
    for i in range(batch.count):
        number = batch.first + i
        if batch.fens:
            start, plies = Position(batch.fens[i]), BOOK_PLIES if batch.again[i] else 0
        else:
            shuffled = start_fen(settings, number)
            start = Position(shuffled, chess960=True) if shuffled else Position()
            plies = settings.random_plies
        record, searched, searching = self_play(
            searcher, start, game_seed(settings, number), nodes=settings.nodes, random_plies=plies,
            max_start_score=settings.max_start_cp, start_nodes=settings.start_nodes,
        )  # fmt: skip
        inside += searching
        nodes += searched
        records.append(record)
    return b"".join(records), [len(r) for r in records], nodes, time.perf_counter() - begun, inside


class DatagenRun:
    """A data file with the settings it was made with, and the batches still missing from it."""

    def __init__(self, folder: Path, settings: DatagenSettings) -> None:
        self.settings = settings
        self.path = folder / f"run-{settings.seed}.cyg"
        self.manifest = folder / f"run-{settings.seed}.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if self.manifest.exists():
                self.settings = self.checked(self.manifest.read_text(encoding="utf-8"))
            else:
                atomic_write(self.manifest, json.dumps(asdict(settings), indent=1) + "\n")
            self.writer = GameWriter(self.path, block_games=LARGEST_UNIT)
        except OSError as error:
            raise DatagenError(f"cannot write {folder}: {error.strerror or error}") from error
        self.waiting: dict[int, tuple[bytes, list[int]]] = {}
        self.results = [0, 0, 0]
        self.scores = [0] * 9  # histogram of White's score, see `score_bin`
        self.plies = 0
        self.written = self.writer.games
        for _, _, raw in scan_blocks(self.path):
            self.count(raw)

    def checked(self, text: str) -> DatagenSettings:
        """The settings of a run that is there, once they are known to be those wanted.

        Runs from before starts were judged by a search of their own say nothing of it, and stay as they were.
        """
        try:
            known = dict(json.loads(text))
        except (ValueError, TypeError) as error:
            raise DatagenError(f"{self.manifest} is damaged; use another --seed or folder") from error
        wanted = asdict(self.settings)
        wanted["start_nodes"] = known.setdefault("start_nodes", wanted["nodes"])
        changed = [name for name in wanted if known.get(name) != wanted[name]]
        if changed:
            raise DatagenError(
                f"{self.path} was begun with another {' and '.join(changed)}; use another --seed or folder"
            )
        return DatagenSettings(**wanted)

    def count(self, raw: bytes) -> None:
        """Takes games into the histograms."""
        for game in record_heads(raw):
            self.results[game.result] += 1
            self.plies += game.plies
            for ply in range(0, game.plies, SAMPLED_PLIES):
                at = game.moves_at + PLY_BYTES * ply + 2  # the score follows the move
                self.scores[score_bin(int.from_bytes(raw[at : at + 2], "little", signed=True))] += 1

    def add(self, batch: GameBatch, raw: bytes, lengths: list[int]) -> None:
        """Takes in a finished batch; writes all that are next in line."""
        self.waiting[batch.first] = (raw, lengths)
        while self.writer.games in self.waiting:
            data, sizes = self.waiting.pop(self.writer.games)
            at = 0
            try:
                for size in sizes:
                    self.writer.add(data[at : at + size])
                    at += size
                self.writer.flush()
            except OSError as error:
                self.writer.abandon()
                raise DatagenError(
                    f"cannot write {self.path}: {error.strerror or error}; the {self.written:,} games before are kept, "
                    "and the same command resumes after them"
                ) from error
            self.written = self.writer.games
            self.count(data)


def score_bin(score: int) -> int:
    """Which of nine columns a score belongs to."""
    edges = (-800, -300, -100, -30, 31, 101, 301, 801)
    return sum(score >= edge for edge in edges)


def batches(first: int, games: int | None, fens: list[str], unit: int) -> Iterator[GameBatch]:
    """Batches of `unit` games from the first missing one on; endless without a number of games."""
    number = first
    while games is None or number < games:
        count = unit if games is None else min(unit, games - number)
        numbers = range(number, number + count)
        chosen = tuple(fens[i % len(fens)] for i in numbers) if fens else ()
        yield GameBatch(number, count, chosen, tuple(i >= len(fens) for i in numbers) if fens else ())
        number += count


def read_openings(path: str) -> list[str]:
    """FENs from an EPD or PGN file, plain or compressed."""
    from cythera.board.position import Position
    from cythera.match.openings.book import load_book

    book, _ = load_book(path)
    fens = []
    for opening in (book[number] for number in range(len(book))):
        position = Position(opening.fen)
        for move in opening.moves:
            position.push(move)
        fens.append(position.fen())
    return fens


def histogram(counts: list[int], labels: tuple[str, ...]) -> str:
    total = max(sum(counts), 1)
    return "\n".join(
        f"  {label:>12} {count:>9,} {'█' * round(40 * count / total)}"
        for label, count in zip(labels, counts, strict=True)
    )


SCORE_LABELS = ("below -8", "-8 to -3", "-3 to -1", "-1 to -0.3", "level", "0.3 to 1", "1 to 3", "3 to 8", "above 8")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="cythera datagen", description="Play games against itself and keep them for tuning and training."
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder for the games")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--games", type=int, help="stop after so many games in the file")
    amount.add_argument("--positions", type=int, help="stop after so many plies in the file")
    parser.add_argument("--nodes", type=int, default=1000, help="nodes a move, soft (default: 1000)")
    parser.add_argument("--workers", type=int, default=available_cores(), help="processes (default: the cores)")
    parser.add_argument("--cluster", metavar="ADDRESS|local", help="a dask scheduler to run on")
    parser.add_argument("--seed", type=int, default=1, help="names the run; another seed, other games")
    parser.add_argument("--openings", default="random", metavar="random|FILE", help="random plies, or EPD or PGN")
    parser.add_argument("--chess960", type=float, default=0.0, metavar="SHARE", help="share of Chess960 games, 0 to 1")
    parser.add_argument(
        "--net", default="<default>", metavar="FILE", help="the evaluation, as EvalFile in docs/uci-options.md"
    )
    args = parser.parse_args(argv)
    if args.net not in ("<default>", "<classical>"):
        args.net = str(Path(args.net).absolute())
    for name, low in (("games", 1), ("positions", 1), ("nodes", 1), ("workers", 1), ("seed", 0)):
        value = getattr(args, name)
        if value is not None and value < low:
            parser.error(f"--{name} must be at least {low}, got {value}")
    if not 0 <= args.chess960 <= 1:
        parser.error(f"--chess960 must be between 0 and 1, got {args.chess960}")
    if args.chess960 and args.openings != "random":
        parser.error("--chess960 is for random openings; a file says itself where games start")
    fens = [] if args.openings == "random" else read_openings(args.openings)
    settings = DatagenSettings(
        seed=args.seed, nodes=args.nodes, chess960_share=args.chess960, openings=args.openings,
        eval_file=args.net, signature=engine_signature(args.net), hash_mib=hash_for(args.nodes),
        start_nodes=max(START_NODES, args.nodes),
    )  # fmt: skip
    return generate(DatagenRun(args.output, settings), args, fens)


def generate(run: DatagenRun, args: argparse.Namespace, fens: list[str]) -> int:
    """Plays until there is enough or Ctrl-C; prints what there is."""
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    total = args.games or args.positions
    begun, plies_before = time.monotonic(), run.plies
    spent = inside = 0.0
    units = batches(run.writer.games, args.games, fens, games_a_unit(run.settings.nodes))
    interrupted = False
    with (
        terminated_as_interrupted(),
        Progress(*Progress.get_default_columns(), TimeElapsedColumn(), TextColumn("{task.fields[speed]}")) as progress,
    ):
        task = progress.add_task("playing", total=total, speed="")
        try:
            with open_workers(args.workers, args.cluster) as pool:
                enough = partial(has_enough, run, args.positions)
                for batch, (raw, lengths, _, seconds, searching) in pool.completed(
                    partial(play_batch, run.settings), units, stopped=enough
                ):
                    run.add(batch, raw, lengths)
                    spent, inside = spent + seconds, inside + searching
                    rate = (run.plies - plies_before) / max(time.monotonic() - begun, 1e-9)
                    done = run.writer.games if args.games else run.plies
                    progress.update(task, completed=done, speed=f"{rate:,.0f} positions/s")
        except KeyboardInterrupt:
            interrupted = True
    run.writer.close()
    print(f"{run.writer.games:,} games, {run.plies:,} positions in {run.path}")
    if spent:
        print(f"{inside / spent:.1%} of the workers' time was spent in the search")
    print(histogram(run.results, RESULTS))
    print(histogram(run.scores, SCORE_LABELS))
    return 130 if interrupted else 0


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """While inside, SIGTERM ends a run as Ctrl-C does: with all finished games in the file."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    try:
        former = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)


def has_enough(run: DatagenRun, positions: int | None) -> bool:
    return positions is not None and run.plies >= positions
