"""A training run: epochs of shuffled batches, schedules, checkpoints, and resuming from one.

Everything that happens is decided by the settings, the positions and the number of threads: the order of
an epoch comes from the seed, the epoch's number and the shard, and a checkpoint holds all else. So a run that
was stopped and resumed ends with the very same weights as one that was not.

An epoch goes through all shards of the positions (one, if they are in memory), in a new order each time. While
one is trained on, the next is read and shuffled in the background.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from cythera.common.files import replacing
from cythera.core import NET_BUCKETS, NET_INPUTS, NET_QA, NET_QB, Trainer
from cythera.net.file import KING_LAYOUTS, SCALE, WEIGHT_CLIP, Net
from cythera.net.reference import unpack
from cythera.training.positions import Order, Positions, Records, TrainingError, shard_order

Floats = npt.NDArray[np.float32]
CHECKPOINT_FORMAT = 2
FIRST_BIAS = 0.25  # of a hidden unit, in the lower half of the activation
SAVE_EVERY_S = 300.0  # besides at the end of every shard
DIVIDED_SIZE = 1_000_000  # parameters from which on threads divide the optimiser's step among them
ARRAYS: tuple[Literal["parameters"], Literal["means"], Literal["spreads"]] = ("parameters", "means", "spreads")


@dataclass(frozen=True)
class TrainingSettings:
    """What decides a run, besides its positions. `blend` is the share of the result in the target (λ) at the start,
    `final_blend` at the end (None: the same); `scale` the centipawns of an output of 1.0, which as a score stand for
    a chance of 73 %. The run is `samples` positions long, or `epochs` if that is 0."""

    hidden: int = 64
    king_buckets: int = 1
    epochs: int = 40
    samples: int = 0
    batch: int = 16_384
    rate: float = 1e-3
    final_rate: float = 1e-5
    warmup: int = 0
    schedule: str = "cosine"
    decay: float = 0.01
    blend: float = 0.1
    final_blend: float | None = None
    scale: int = SCALE
    seed: int = 1
    held_out: float = 0.03
    threads: int = 2
    start: str = ""  # the net it began with, by name and hash; random weights without one

    @property
    def kings(self) -> tuple[int, ...]:
        """The bucket of the own king by its square; empty without king buckets."""
        return KING_LAYOUTS.get(self.king_buckets, ())

    @property
    def last_blend(self) -> float:
        return self.blend if self.final_blend is None else self.final_blend


@dataclass
class Progress:
    """Where a run stands. `history` has a row for every finished shard."""

    epoch: int = 0
    part: int = 0  # shards of the epoch that are done
    batch: int = 0  # of the shard
    step: int = 0
    loss_sum: float = 0.0  # of the shard's positions so far
    seen: int = 0  # of the shard's positions
    seconds: float = 0.0
    history: list[dict[str, float]] = field(default_factory=list)


def first_weights(settings: TrainingSettings) -> Floats:
    """Random weights, in the order of the trainer's parameters.

    Feature weights are so small that a position begins with its hidden units near the biases, which are in
    the lower half of the activation: nothing is switched off for good. All output buckets begin as one, and so do
    all king buckets: what they share is random, and their own weights are zero.
    """
    rng = np.random.default_rng([settings.seed, 0])
    n = settings.hidden
    features = rng.normal(0.0, math.sqrt(1 / NET_INPUTS), NET_INPUTS * n)
    own = np.zeros(settings.king_buckets * NET_INPUTS * n if settings.king_buckets > 1 else 0)
    biases = np.full(n, FIRST_BIAS)
    outputs = np.tile(rng.normal(0.0, math.sqrt(1 / n), 2 * n), NET_BUCKETS)
    return np.concatenate([features, own, biases, outputs, np.zeros(NET_BUCKETS)]).astype(np.float32)


def weights_of(net: Net, king_buckets: int | None = None, hidden: int | None = None, seed: int = 1) -> Floats:
    """The weights of a net file as floats, to continue training from, for a run with this many king buckets (as many
    as the net has, or more than its one) and hidden units (as many as the net has, or more).

    What king buckets have in common becomes the factoriser's share. Additional hidden units begin with random input
    weights, as in `first_weights`, and output weights of zero: the wider net starts with the same output.
    """
    weights = unpack(net)
    buckets = net.king_buckets if king_buckets is None else king_buckets
    width = net.hidden if hidden is None else hidden
    if net.king_buckets not in (1, buckets):
        raise TrainingError(f"the net has {net.king_buckets} king buckets, and the run {buckets}")
    if width < net.hidden:
        raise TrainingError(f"the net has {net.hidden} hidden units, and the run only {width}")
    added = width - net.hidden
    random = np.random.default_rng([seed, 1]).normal(0.0, math.sqrt(1 / NET_INPUTS), (NET_INPUTS, added))
    features = (weights.features / NET_QA).reshape(net.king_buckets, NET_INPUTS, net.hidden)
    features = np.concatenate([features, np.broadcast_to(random, (net.king_buckets, *random.shape))], axis=2)
    parts = [features]
    if buckets > 1:
        common = features.mean(0)
        parts = [common, np.broadcast_to(features, (buckets, NET_INPUTS, width)) - common]
    outputs = (weights.outputs / NET_QB).reshape(NET_BUCKETS, 2, net.hidden)
    parts += [
        np.append(weights.biases / NET_QA, np.full(added, FIRST_BIAS)),
        np.concatenate([outputs, np.zeros((NET_BUCKETS, 2, added))], axis=2),
        weights.output_biases / (NET_QA * NET_QB),
    ]
    return np.concatenate([part.ravel() for part in parts]).astype(np.float32)


def rate_at(settings: TrainingSettings, step: int, steps: int) -> float:
    """The learning rate of a step, counted from 0: it rises for `warmup` steps, then falls from the first to
    the last, by half a cosine or in a straight line.

    >>> settings = TrainingSettings(rate=1e-3, final_rate=1e-5)
    >>> [round(rate_at(settings, step, 101), 6) for step in (0, 50, 100)]
    [0.001, 0.000505, 1e-05]
    """
    if step < settings.warmup:
        return settings.rate * (step + 1) / (settings.warmup + 1)
    done = min(1.0, (step - settings.warmup) / max(1, steps - 1 - settings.warmup))
    fallen = (1 - math.cos(math.pi * done)) / 2 if settings.schedule == "cosine" else done
    return settings.rate + (settings.final_rate - settings.rate) * fallen


def blend_at(settings: TrainingSettings, step: int, steps: int) -> float:
    """The weight of the result in the target: in a straight line from the first to the last.

    >>> [round(blend_at(TrainingSettings(blend=0.1, final_blend=0.3), step, 5), 3) for step in range(5)]
    [0.1, 0.15, 0.2, 0.25, 0.3]
    """
    return settings.blend + (settings.last_blend - settings.blend) * step / max(1, steps - 1)


class TrainingRun:
    """A run in memory: `go` trains until it is done or told to stop, `save` writes a checkpoint."""

    def __init__(
        self,
        settings: TrainingSettings,
        positions: Positions,
        checkpoint: Path | None = None,
        start: Floats | None = None,
    ) -> None:
        self.settings = settings
        self.positions = positions
        self.checkpoint = checkpoint
        self.checksum = positions.checksum()
        self.progress = Progress()
        self.trainer = Trainer(settings.hidden, settings.threads, settings.scale, settings.kings or None)
        self.trainer.set("parameters", first_weights(settings) if start is None else start)
        lengths = [positions.length(index) for index in range(positions.shard_count)]
        if not min(lengths):
            raise TrainingError("a shard has no positions; use fewer shards (--shard-positions)")
        self.batch = min(settings.batch, *lengths)
        self.batches = [length // self.batch for length in lengths]  # what is left over has its turn in another epoch

    @property
    def steps(self) -> int:
        """Of the whole run."""
        settings = self.settings
        return max(1, settings.samples // self.batch) if settings.samples else settings.epochs * sum(self.batches)

    @property
    def finished(self) -> bool:
        return self.progress.step >= self.steps

    @property
    def epochs_done(self) -> float:
        """How many times the positions were gone through."""
        return self.progress.step / sum(self.batches)

    def parameters(self) -> Floats:
        """A copy of what is trained."""
        return self.array("parameters")

    def array(self, what: Literal["parameters", "means", "spreads"]) -> Floats:
        values = np.empty(self.trainer.size, np.float32)
        self.trainer.get(what, values)
        return values

    def prepared(self, epoch: int, part: int) -> tuple[int, Records, Order]:
        """A shard and the order of its positions, for the part of an epoch."""
        index = shard_order(self.positions.shard_count, self.settings.seed, epoch)[part]
        return index, self.positions.shard(index), self.positions.order(index, self.settings.seed, epoch)

    def go(
        self,
        stopped: Callable[[], bool] = lambda: False,
        on_step: Callable[[TrainingRun, float], None] | None = None,
        on_part: Callable[[TrainingRun], None] | None = None,
    ) -> bool:
        """Trains to the end (True) or until `stopped()` (False); either way a checkpoint is written.

        `on_step` hears of the mean loss of each batch, `on_part` of each shard done.
        """
        progress, settings = self.progress, self.settings
        saved = resumed = time.monotonic()
        before = progress.seconds
        with ThreadPoolExecutor(settings.threads) as pool, ThreadPoolExecutor(1) as reader:
            coming: Future[tuple[int, Records, Order]] | None = None
            while not self.finished:
                index, records, order = (
                    coming.result() if coming is not None else self.prepared(progress.epoch, progress.part)
                )
                coming = self.read_ahead(reader, index)
                while progress.batch < self.batches[index] and not self.finished:
                    if stopped():
                        self.save()
                        return False
                    loss = self.step(pool, records, order)
                    progress.seconds = before + time.monotonic() - resumed
                    if on_step:
                        on_step(self, loss)
                    if self.checkpoint and time.monotonic() - saved > SAVE_EVERY_S:
                        self.save()
                        saved = time.monotonic()
                del records, order
                self.end_part(pool)
                progress.seconds = before + time.monotonic() - resumed
                self.save()
                saved = time.monotonic()
                if on_part:
                    on_part(self)
        return True

    def read_ahead(self, reader: ThreadPoolExecutor, index: int) -> Future[tuple[int, Records, Order]] | None:
        """Begins to prepare the shard after this one, if there is one."""
        progress = self.progress
        if progress.step + self.batches[index] - progress.batch >= self.steps:
            return None
        last = progress.part + 1 == self.positions.shard_count
        epoch, part = (progress.epoch + 1, 0) if last else (progress.epoch, progress.part + 1)
        return reader.submit(self.prepared, epoch, part)

    def step(self, pool: ThreadPoolExecutor, records: Records, order: Order) -> float:
        """One batch; returns its mean loss."""
        progress, settings, trainer = self.progress, self.settings, self.trainer
        first = progress.batch * self.batch
        threads = settings.threads
        cuts = [first + self.batch * thread // threads for thread in range(threads + 1)]
        blend = blend_at(settings, progress.step, self.steps)
        parts = [
            pool.submit(
                trainer.accumulate, thread, records, order, cuts[thread], cuts[thread + 1] - cuts[thread], blend,
                1 / self.batch,
            )
            for thread in range(threads)
        ]  # fmt: skip
        loss = sum(part.result() for part in parts)
        rate = rate_at(settings, progress.step, self.steps)
        progress.step += 1
        shares = threads if trainer.size >= DIVIDED_SIZE else 1
        moved = [
            pool.submit(trainer.apply, rate, settings.decay, progress.step, WEIGHT_CLIP, share, shares)
            for share in range(1, shares)
        ]
        trainer.apply(rate, settings.decay, progress.step, WEIGHT_CLIP, 0, shares)
        for one in moved:
            one.result()
        progress.batch += 1
        progress.loss_sum += loss
        progress.seen += self.batch
        return loss / self.batch

    def end_part(self, pool: ThreadPoolExecutor) -> None:
        """Notes the shard's losses and turns to the next."""
        progress, settings = self.progress, self.settings
        row = {
            "epoch": self.epochs_done,
            "training": progress.loss_sum / progress.seen,
            "validation": self.loss(pool, self.positions.held_out),
            "rate": rate_at(settings, progress.step - 1, self.steps),
        }
        if len(self.positions.validation):
            row["validation_files"] = self.loss(pool, self.positions.validation)
        progress.history.append(row)
        progress.part += 1
        if progress.part == self.positions.shard_count:
            progress.part = 0
            progress.epoch += 1
        progress.batch = progress.seen = 0
        progress.loss_sum = 0.0

    def loss(self, pool: ThreadPoolExecutor, records: Records) -> float:
        """The mean loss of records with the last weight of the result, without learning from them."""
        threads, blend = self.settings.threads, self.settings.last_blend
        cuts = [len(records) * thread // threads for thread in range(threads + 1)]
        parts = [
            pool.submit(self.trainer.loss, thread, records, cuts[thread], cuts[thread + 1] - cuts[thread], blend)
            for thread in range(threads)
        ]
        return sum(part.result() for part in parts) / len(records)

    def validation_loss(self) -> float:
        """The mean loss of the games held out, with the weights as they are."""
        with ThreadPoolExecutor(self.settings.threads) as pool:
            return self.loss(pool, self.positions.held_out)

    def save(self) -> None:
        """Writes the checkpoint; the former one stays until the new one is whole."""
        if self.checkpoint is None:
            return
        about = {
            "format": CHECKPOINT_FORMAT,
            "settings": asdict(self.settings),
            "positions": self.checksum,
            "steps": self.steps,
            "progress": asdict(self.progress),
        }
        try:
            with replacing(self.checkpoint, "wb") as file:
                means, spreads = self.array("means"), self.array("spreads")
                np.savez(
                    file, about=np.array(json.dumps(about)), parameters=self.parameters(), means=means, spreads=spreads
                )
        except OSError as error:
            raise TrainingError(f"cannot write the checkpoint {self.checkpoint}: {error.strerror or error}") from error

    def restore(self, checkpoint: Checkpoint) -> None:
        """Goes back to where a checkpoint was written; raises TrainingError if it is of other positions."""
        if checkpoint.positions != self.checksum:
            raise TrainingError(
                f"{checkpoint.path} was created with other positions; give the same games, or leave out --resume"
            )
        for name in ARRAYS:
            self.trainer.set(name, checkpoint.arrays[name])
        self.progress = checkpoint.progress


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint as read."""

    path: Path
    settings: TrainingSettings
    positions: int  # checksum
    steps: int
    progress: Progress
    arrays: dict[str, Floats]

    @property
    def finished(self) -> bool:
        return self.progress.step >= self.steps


def read_checkpoint(path: Path) -> Checkpoint:
    """Raises TrainingError if the file is missing or is no checkpoint of this version."""
    import zipfile

    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
            about = json.loads(str(stored["about"]))
            arrays: dict[str, Floats] = {name: stored[name] for name in ARRAYS}
        if about["format"] != CHECKPOINT_FORMAT:
            raise TrainingError(f"{path} is a checkpoint in format {about['format']}, which this version cannot read")
        settings, progress = TrainingSettings(**about["settings"]), Progress(**about["progress"])
        size = Trainer(settings.hidden, kings=settings.kings or None).size
        if any(values.shape != (size,) or values.dtype != np.float32 for values in arrays.values()):
            raise TrainingError(f"{path} is not a whole checkpoint: its arrays do not fit its settings")
        return Checkpoint(path, settings, int(about["positions"]), int(about["steps"]), progress, arrays)
    except FileNotFoundError:
        raise TrainingError(f"there is no checkpoint {path} to resume from") from None
    except OSError as error:
        raise TrainingError(f"cannot read the checkpoint {path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise TrainingError(f"{path} is not a checkpoint of a training run") from error
