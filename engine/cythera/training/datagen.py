"""Self-play games for tuning and training, on all cores or a cluster.

A unit of work is a batch of games with consecutive numbers; the number of a game and the seed of the
run decide everything about it. Finished batches are appended to the run's file in the order of their
numbers, so a run that was stopped can be resumed, with the same games as if it had not been stopped.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from cythera.common.files import atomic_write
from cythera.core import PLY_BYTES, Searcher
from cythera.errors import CytheraError
from cythera.training.game_file import GameWriter, record_heads, scan_blocks

UNIT_NODES = 20_000  # games per unit times nodes per move: a second or two of work
LEAST_UNIT, LARGEST_UNIT = 20, 200  # games
BOOK_PLIES = 2  # random ones, where a book has to serve again
START_NODES = 1000  # of the search that judges whether a start is fair, at least
SAMPLED_PLIES = 16  # the score of every 16th ply goes into the histogram


class DatagenError(CytheraError):
    """A run that cannot be started or resumed."""


@dataclass(frozen=True)
class DatagenSettings:
    """What decides the games of a run; kept beside its file, so that resuming cannot mix settings."""

    seed: int = 1
    nodes: int = 1000
    random_plies: int = 8
    max_start_cp: int = 150
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


def games_per_unit(nodes: int) -> int:
    """How many games a worker is given at once.

    >>> [games_per_unit(nodes) for nodes in (1, 120, 1000, 50_000)]
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
                f"{self.path} was created with different settings ({', '.join(changed)}); use another --seed or folder"
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
    from cythera.match.openings.opening_files import load_book

    book, _ = load_book(path)
    fens = []
    for opening in (book[number] for number in range(len(book))):
        position = Position(opening.fen)
        for move in opening.moves:
            position.push(move)
        fens.append(position.fen())
    return fens
