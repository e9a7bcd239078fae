"""Positions in shards on disk, for more of them than memory holds.

Every position goes to a shard chosen at random, so that each shard is a fair sample of all games. Training takes
one shard after the other into memory, shuffles it there, and reads the next one meanwhile. A shard is a file for
each weight, of records of 32 bytes. `positions.json` is written last: without it the folder is not complete.
"""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from io import BufferedWriter, FileIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from cythera.common.files import atomic_write
from cythera.core import PLY_BYTES, RECORD_BYTES
from cythera.training.positions import (
    FIT_SHARE,
    Collector,
    Facts,
    Positions,
    ReadTally,
    Records,
    Source,
    TrainingError,
    check_apart,
    facts_of,
    mixed,
    plies_of,
    read_batches,
    read_validation,
    share_for,
    some_of,
    sources,
)

FORMAT = 1
MANIFEST = "positions.json"
SHARD_POSITIONS = 32_000_000  # two shards of 36 bytes per position are in memory: 2.3 GB
DEALT = 1_000_000  # positions that are dealt out to the shards at once


class ShardedPositions(Positions):
    """Positions whose shards are read from a folder when they are asked for."""

    def __init__(self, folder: Path, manifest: dict[str, object], digest: int) -> None:
        self.folder = folder
        self.checksums: list[list[int]] = manifest["checksums"]  # type: ignore[assignment]
        counts: list[list[int]] = manifest["counts"]  # type: ignore[assignment]
        weights: list[float] = manifest["weights"]  # type: ignore[assignment]
        told: dict[str, Any] = dict(manifest["facts"])  # type: ignore[call-overload]
        told |= {name: tuple(value) for name, value in told.items() if isinstance(value, list)}
        facts = Facts(**told)
        held_out, validation = (read_records(folder / f"{name}.bin") for name in ("held-out", "validation"))
        super().__init__([], [tuple(row) for row in counts], tuple(weights), held_out, validation, facts, digest)

    def shard(self, index: int) -> Records:
        records = np.empty((sum(self.counts[index]), RECORD_BYTES), np.uint8)
        at = 0
        for section, count in enumerate(self.counts[index]):
            path = shard_path(self.folder, index, section)
            part = records[at : at + count]
            try:
                with FileIO(path) as file:
                    read_into(file, part)
                    whole = path.stat().st_size == part.nbytes
            except OSError as error:
                raise TrainingError(f"cannot read {path}: {error.strerror or error}") from error
            if not whole or zlib.crc32(part.data) != self.checksums[index][section]:
                raise TrainingError(f"{path} is damaged; remove {self.folder} and begin again")
            at += count
        return records

    def sample(self, most: int) -> Records:
        parts = []
        for section, count in enumerate(self.counts[0]):
            if count:
                path = shard_path(self.folder, 0, section)
                mapped = np.memmap(path, np.uint8, "r", shape=(count, RECORD_BYTES))
                parts.append(some_of(mapped, max(1, most * count // sum(self.counts[0]))))
        return np.concatenate(parts)


def read_into(file: FileIO, records: Records) -> None:
    """Fills an array from a file, as far as the file reaches; a read may return less than was asked for."""
    flat, at = records.reshape(-1), 0
    while at < len(flat):
        done = file.readinto(flat[at : at + (1 << 28)].data)
        if not done:
            return
        at += done


def shard_path(folder: Path, index: int, section: int) -> Path:
    return folder / f"shard-{index:04d}-{section}.bin"


def read_records(path: Path) -> Records:
    try:
        return np.fromfile(path, np.uint8).reshape(-1, RECORD_BYTES)
    except (OSError, ValueError) as error:
        raise TrainingError(f"cannot read {path}: {error}") from error


def shards_for(plies: int, shard_positions: int = SHARD_POSITIONS) -> int:
    """How many shards hold the positions of this many plies.

    >>> [shards_for(plies, 1000) for plies in (10, 1500, 1501, 15_000)]
    [1, 1, 2, 10]
    """
    return max(1, -int(-plies * FIT_SHARE // shard_positions))


def made_from(files: Sequence[Source], checked: Sequence[Source], share: float, seed: int, shards: int) -> str:
    """What decides the shards, as text."""
    named = [[str(source.path.resolve()), source.weight, plies_of([source])] for source in (*files, *checked)]
    return json.dumps([FORMAT, named, len(checked), share, seed, shards])


def open_shards(folder: Path, made: str | None = None, checksum: int | None = None) -> ShardedPositions | None:
    """The shards of a folder if they are complete, and of these games (`made`) or of this checksum."""
    try:
        text = (folder / MANIFEST).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise TrainingError(f"cannot read {folder / MANIFEST}: {reason}") from error
    digest = zlib.crc32(text.encode())
    try:
        manifest = json.loads(text)
        if manifest["format"] != FORMAT or (made is not None and manifest["made_from"] != made):
            return None
        if checksum is not None and digest != checksum:
            return None
        return ShardedPositions(folder, manifest, digest)
    except (ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{folder / MANIFEST} is damaged; remove {folder}") from error


class Dealer:
    """Writes records to the shards, each to one at random."""

    def __init__(self, folder: Path, shards: int, sections: int, seed: int) -> None:
        self.shards = shards
        self.counts = np.zeros((shards, sections), np.int64)
        self.checksums = [[0] * sections for _ in range(shards)]
        self.rng = np.random.default_rng([seed, mixed(seed, "deal")])
        self.stack = ExitStack()
        self.files = [
            [self.opened(shard_path(folder, shard, section)) for section in range(sections)] for shard in range(shards)
        ]
        self.waiting: list[Records] = []
        self.section = 0

    def opened(self, path: Path) -> BufferedWriter:
        return self.stack.enter_context(open(path, "wb"))

    def add(self, section: int, records: Records) -> None:
        """Takes records; the sections must come in ascending order."""
        if section != self.section:
            self.deal()
            self.section = section
        self.waiting.append(records)
        if sum(map(len, self.waiting)) >= DEALT:
            self.deal()

    def deal(self) -> None:
        records = np.concatenate(self.waiting) if self.waiting else np.empty((0, RECORD_BYTES), np.uint8)
        self.waiting = []
        chosen = self.rng.integers(0, self.shards, len(records), np.uint16)
        order = np.argsort(chosen, kind="stable")
        ends = np.cumsum(np.bincount(chosen, minlength=self.shards))
        sorted_records = records[order]
        for shard, (begin, end) in enumerate(pairwise([0, *ends.tolist()])):
            part = sorted_records[begin:end]
            if len(part):
                self.files[shard][self.section].write(part.data)
                self.checksums[shard][self.section] = zlib.crc32(part.data, self.checksums[shard][self.section])
                self.counts[shard, self.section] += len(part)

    def close(self) -> None:
        self.stack.close()


def remove_shards(folder: Path) -> None:
    """Removes what `deal_out` writes, and the folder if nothing else is in it."""
    if not folder.is_dir():
        return
    for path in (folder / MANIFEST, *folder.glob("shard-*.bin"), folder / "held-out.bin", folder / "validation.bin"):
        path.unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


def deal_out(
    words: Sequence[str | Path],
    folder: Path,
    *,
    validation: Sequence[str | Path] = (),
    share: float = 0.03,
    seed: int = 1,
    shard_positions: int = SHARD_POSITIONS,
    on_bytes: Callable[[int, int], None] | None = None,
) -> ShardedPositions:
    """The quiet positions of games as shards in a folder; those that are there are used if they are of these games."""
    files, checked = sources(words), sources(validation)
    check_apart(files, checked)
    plies = plies_of(files)
    shards = shards_for(plies, shard_positions)
    made = made_from(files, checked, share, seed, shards)
    known = open_shards(folder, made)
    if known is not None:
        return known
    try:
        folder.mkdir(parents=True, exist_ok=True)
        remove_shards(folder)
        folder.mkdir(parents=True, exist_ok=True)
        needed = int(plies * FIT_SHARE * RECORD_BYTES)
        free = shutil.disk_usage(folder).free
        if free < needed:
            raise TrainingError(
                f"the positions need about {needed / 1e9:.1f} GB in {folder}, where {free / 1e9:.1f} GB are free; "
                "give another folder by --positions"
            )
        return write_shards(files, checked, folder, made, plies, share_for(plies, share), seed, shards, on_bytes)
    except OSError as error:
        raise TrainingError(f"cannot write {folder}: {error.strerror or error}") from error


def write_shards(
    files: Sequence[Source],
    checked: Sequence[Source],
    folder: Path,
    made: str,
    plies: int,
    share: float,
    seed: int,
    shards: int,
    on_bytes: Callable[[int, int], None] | None,
) -> ShardedPositions:
    weights = sorted({source.weight for source in files})
    tally, held_out, number = ReadTally(plies * PLY_BYTES, on_bytes), Collector(1_000_000), 0
    dealer = Dealer(folder, shards, len(weights), seed)
    try:
        for source in files:
            for batch in read_batches(source.path, seed, share, number):
                dealer.add(weights.index(source.weight), batch.training)
                held_out.add(batch.held_out)
                number += batch.read_games
                tally.add(batch)
        dealer.deal()
    finally:
        dealer.close()
    found = read_validation(checked, seed)
    facts = facts_of(files, checked, tally, int(dealer.counts.sum()), held_out.count, len(found))
    held_out.whole().tofile(folder / "held-out.bin")
    found.tofile(folder / "validation.bin")
    manifest = {
        "format": FORMAT,
        "made_from": made,
        "weights": weights,
        "counts": dealer.counts.tolist(),
        "checksums": dealer.checksums,
        "checked": [zlib.crc32(held_out.whole().data), zlib.crc32(found.data)],
        "facts": asdict(facts),
    }
    atomic_write(folder / MANIFEST, json.dumps(manifest))
    shown = open_shards(folder)
    assert shown is not None
    return shown
