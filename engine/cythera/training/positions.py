"""Positions to train on: the quiet ones of many games, 32 bytes each, in memory or in shards on disk.

The core reads the games and writes the records; nothing here looks at a single position. Games are for
training or held out as a whole, chosen by their content and a seed, so that the two never share one.
Files can count more or less than others: an epoch then uses their positions that many times.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cythera.core import PLY_BYTES, RECORD_BYTES, GameCursor, shuffle
from cythera.errors import CytheraError
from cythera.training.game_file import SelfPlayFileError, game_files, raw_size, scan_blocks

LARGEST_WEIGHT = 100.0
CHECKED = 1_000_000  # positions held out, and of files for validation, at most (about)
FIT_SHARE = 2 / 3  # of the plies of a game, roughly

Records = npt.NDArray[np.uint8]  # [positions][32]
Order = npt.NDArray[np.uint32]

# The fields of a record. Score and result are those of the side to move: centipawns, and 0 to 2 for lost to won.
RECORD = np.dtype(
    [
        ("occupied", "<u8"),
        ("pieces", "u1", (16,)),
        ("score", "<i2"),
        ("result", "u1"),
        ("side", "u1"),
        ("game", "<u4"),
    ]
)


class TrainingError(CytheraError):
    """Data that cannot be trained on, or a run that cannot be begun or resumed."""


class Source(NamedTuple):
    """A game file and how many times its positions count."""

    path: Path
    weight: float = 1.0


@dataclass(frozen=True)
class Facts:
    """Where positions come from, as a net's header tells it."""

    games: int
    positions: int
    held_out_games: int
    held_out_positions: int
    validation_positions: int
    files: tuple[str, ...]
    weights: tuple[float, ...]  # of the files
    validation_files: tuple[str, ...]


class Positions:
    """Positions to train on, in one or more shards, and positions to validate with.

    A shard is a random part of all positions. It has a section for each weight that files were given; `counts`
    has the lengths of the sections by shard, `weights` their weights.
    """

    def __init__(
        self,
        shards: Sequence[Records],
        counts: Sequence[tuple[int, ...]],
        weights: tuple[float, ...],
        held_out: Records,
        validation: Records,
        facts: Facts,
        checksum: int | None = None,
    ) -> None:
        self._shards = shards
        self.counts = tuple(counts)
        self.weights = weights
        self.held_out = held_out
        self.validation = validation
        self.facts = facts
        self._checksum = checksum

    @property
    def shard_count(self) -> int:
        return len(self.counts)

    def checksum(self) -> int:
        """Another number means other positions."""
        if self._checksum is None:
            found = zlib.crc32(repr(self.weights).encode())
            for part in (*self._shards, self.held_out, self.validation):
                found = zlib.crc32(part.data, found)
            self._checksum = found
        return self._checksum

    def shard(self, index: int) -> Records:
        """The records of a shard, in memory."""
        return self._shards[index]

    def sample(self, most: int) -> Records:
        """Evenly chosen records to train on, at most this many."""
        return some_of(self.shard(0), most)

    def length(self, index: int) -> int:
        """How many positions of a shard are used in an epoch."""
        return sum(uses_of(count, weight) for count, weight in zip(self.counts[index], self.weights, strict=True))

    def order(self, index: int, seed: int, epoch: int) -> Order:
        """Record numbers of a shard in the order of an epoch: the same for the same seed, epoch and shard."""
        state = mixed(seed, epoch, index)
        parts: list[Order] = []
        first = 0
        for count, weight in zip(self.counts[index], self.weights, strict=True):
            numbers = np.arange(first, first + count, dtype=np.uint32)
            first += count
            parts += [numbers] * int(weight)
            if rest := uses_of(count, weight) - count * int(weight):
                some = numbers.copy()
                shuffle(some, state ^ 1)
                parts.append(some[:rest])
        order: Order = np.concatenate(parts)
        shuffle(order, state)
        return order


def uses_of(count: int, weight: float) -> int:
    """How many times the positions of a section are used in an epoch, all together.

    >>> uses_of(1000, 3), uses_of(1000, 0.25), uses_of(1000, 1.5)
    (3000, 250, 1500)
    """
    return count * int(weight) + round(count * (weight - int(weight)))


def mixed(*numbers: int | str) -> int:
    """A 64-bit seed from several numbers or words."""
    from hashlib import blake2b

    return int.from_bytes(blake2b("/".join(map(str, numbers)).encode(), digest_size=8).digest(), "little")


def shard_order(count: int, seed: int, epoch: int) -> list[int]:
    """The order of the shards in an epoch."""
    order = np.arange(count, dtype=np.uint32)
    shuffle(order, mixed(seed, epoch, "shards"))
    return [int(index) for index in order]


def some_of(records: Records, most: int) -> Records:
    """Evenly chosen records, not many more than half of `most` and never more than that."""
    return np.ascontiguousarray(records[:: -(-len(records) // most)])


def sources(words: Sequence[str | Path]) -> list[Source]:
    """Game files and folders, each with a weight after a colon if it has one (`deep.cyg:3`), as single files."""
    found: list[Source] = []
    for word in words:
        path, weight = str(word), 1.0
        name, colon, number = path.rpartition(":")
        if colon and not Path(path).exists():
            try:
                weight = float(number)
            except ValueError:
                weight, name = 1.0, path
            path = name
        if not 0 < weight <= LARGEST_WEIGHT or not math.isfinite(weight):
            raise TrainingError(f"the weight of {path} must be above 0 and at most {LARGEST_WEIGHT:g}, got {number}")
        found += [Source(file, weight) for file in game_files([path])]
    files = [source.path.resolve() for source in found]
    if twice := next((file for file in files if files.count(file) > 1), None):
        raise TrainingError(f"{twice} is given twice; give it once with a weight, as in {twice.name}:2")
    return sorted(found, key=lambda source: source.weight)  # stable: files of a weight stay in their order


def plies_of(files: Sequence[Source]) -> int:
    """How many plies files have, from the heads of their blocks."""
    return sum(raw_size(source.path) for source in files) // PLY_BYTES


def share_for(plies: int, share: float) -> float:
    """The share of games to hold out: no more than is of use."""
    return min(share, CHECKED / max(1.0, plies * FIT_SHARE))


class PositionBatch(NamedTuple):
    """Positions of one block of games, for training and held out, and how many games they are from."""

    training: Records
    held_out: Records
    games: int
    held_out_games: int
    read_games: int  # those without a result included
    raw_bytes: int


def read_batches(path: Path, seed: int, share: float, first_game: int = 0) -> Iterator[PositionBatch]:
    """The quiet positions of a file, block by block.

    Quiet: not in check, a best move that neither captures nor promotes, from ply 16 on, no mate in sight,
    and a game that came to a result.
    """
    number = first_game
    for _, count, raw in scan_blocks(path):
        room = len(raw) // PLY_BYTES
        records = np.empty((room, RECORD_BYTES), np.uint8)
        try:
            front, back, games, held = GameCursor(raw).training_records(records, 0, room, number, seed, share)
        except ValueError as error:
            raise SelfPlayFileError(f"{path}: {error}") from error
        number += count
        yield PositionBatch(records[:front], records[back:], games, held, count, len(raw))


class Collector:
    """Records that come in small parts, in one array in the end."""

    def __init__(self, room: int) -> None:
        self.records = np.empty((max(1, room), RECORD_BYTES), np.uint8)  # pages never written to take no memory
        self.count = 0

    def add(self, records: Records) -> None:
        if self.count + len(records) > len(self.records):
            grown = np.empty((2 * len(self.records) + len(records), RECORD_BYTES), np.uint8)
            grown[: self.count] = self.records[: self.count]
            self.records = grown
        self.records[self.count : self.count + len(records)] = records
        self.count += len(records)

    def whole(self) -> Records:
        return self.records[: self.count]


class ReadTally:
    """What is counted while games are read, and who hears of it."""

    def __init__(self, total: int, on_bytes: Callable[[int, int], None] | None) -> None:
        self.total = total
        self.done = self.games = self.held_out_games = 0
        self.on_bytes = on_bytes

    def add(self, batch: PositionBatch) -> None:
        self.games += batch.games
        self.held_out_games += batch.held_out_games
        self.done += batch.raw_bytes
        if self.on_bytes:
            self.on_bytes(min(self.done, self.total), self.total)


def read_validation(files: Sequence[Source], seed: int) -> Records:
    """Positions of games to validate with: all of them, or those of as many games as give about CHECKED."""
    plies = plies_of(files)
    share = min(1.0, CHECKED / max(1.0, plies * FIT_SHARE))
    found = Collector(min(plies, 2 * CHECKED))
    for source in files:
        for batch in read_batches(source.path, seed, share):
            found.add(batch.held_out)
    if files and not found.count:
        raise TrainingError(f"there are no positions to validate with in {', '.join(str(f.path) for f in files)}")
    return found.whole()


def check_apart(training: Sequence[Source], validation: Sequence[Source]) -> None:
    """A file cannot be trained on and validated with."""
    both = {source.path.resolve() for source in training} & {source.path.resolve() for source in validation}
    if both:
        raise TrainingError(f"{min(both)} is given for training and for validation")


def load(
    words: Sequence[str | Path],
    *,
    validation: Sequence[str | Path] = (),
    share: float = 0.03,
    seed: int = 1,
    on_bytes: Callable[[int, int], None] | None = None,
) -> Positions:
    """All quiet positions of the games in files and folders, in memory; `share` of the games are held out (fewer if
    that would be more than CHECKED positions). `on_bytes` hears of (bytes done, bytes in all)."""
    files, checked = sources(words), sources(validation)
    check_apart(files, checked)
    plies = plies_of(files)
    tally = ReadTally(plies * PLY_BYTES, on_bytes)
    training, held_out = Collector(plies), Collector(CHECKED)
    weights = tuple(sorted({source.weight for source in files}))
    counts = dict.fromkeys(weights, 0)
    number = 0
    for source in files:
        for batch in read_batches(source.path, seed, share_for(plies, share), number):
            training.add(batch.training)
            held_out.add(batch.held_out)
            counts[source.weight] += len(batch.training)
            number += batch.read_games
            tally.add(batch)
    found = read_validation(checked, seed)
    facts = facts_of(files, checked, tally, training.count, held_out.count, len(found))
    return Positions(
        [training.whole()], [tuple(counts[weight] for weight in weights)], weights, held_out.whole(), found, facts
    )


def facts_of(
    files: Sequence[Source], checked: Sequence[Source], tally: ReadTally, positions: int, held_out: int, validation: int
) -> Facts:
    """The facts, once there is enough to train on."""
    if not positions or not held_out:
        raise TrainingError(
            f"{positions:,} positions of {tally.games:,} games to train on and {held_out:,} of "
            f"{tally.held_out_games:,} held out are too few; generate more games, or change --held-out"
        )
    return Facts(
        games=tally.games,
        positions=positions,
        held_out_games=tally.held_out_games,
        held_out_positions=held_out,
        validation_positions=validation,
        files=tuple(source.path.name for source in files),
        weights=tuple(source.weight for source in files),
        validation_files=tuple(source.path.name for source in checked),
    )
