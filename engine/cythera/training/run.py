"""A training run: epochs of shuffled batches, a falling rate, checkpoints, and going on from one.

Everything that happens is decided by the settings, the positions and the number of threads: the order of
an epoch comes from the seed and the epoch's number, and a checkpoint holds all else. So a run that was
stopped and resumed ends with the very same weights as one that was not.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from cythera.core import Trainer, shuffle
from cythera.net.file import BUCKETS, INPUTS, QA, QB, SCALE, WEIGHT_CLIP, Net
from cythera.net.reference import unpack
from cythera.training.positions import Positions, Records, TrainingError

Floats = npt.NDArray[np.float32]
CHECKPOINT_FORMAT = 1
SAVE_EVERY_S = 300.0  # besides at the end of every epoch
ARRAYS: tuple[Literal["parameters"], Literal["means"], Literal["spreads"]] = ("parameters", "means", "spreads")


@dataclass(frozen=True)
class Settings:
    """What decides a run, besides its positions. `blend` is the share of the result in the target (λ); `scale`
    the centipawns of an output of 1.0, which as a score stand for a chance of 73 %."""

    hidden: int = 64
    epochs: int = 40
    batch: int = 16_384
    rate: float = 1e-3
    final_rate: float = 1e-5
    decay: float = 0.01
    blend: float = 0.1
    scale: int = SCALE
    seed: int = 1
    validation: float = 0.03
    threads: int = 2
    start: str = ""  # the net it began with, by name and hash; random weights without one


@dataclass
class Progress:
    """Where a run stands. `history` has a row for every finished epoch."""

    epoch: int = 0
    batch: int = 0  # of the epoch
    step: int = 0
    loss_sum: float = 0.0  # of the epoch's positions so far
    seen: int = 0  # of the epoch's positions
    seconds: float = 0.0
    history: list[dict[str, float]] = field(default_factory=list)


def first_weights(settings: Settings) -> Floats:
    """Random weights, in the order of a net file.

    Feature weights are so small that a position begins with its hidden units near the biases, which are in
    the lower half of the activation: nothing is switched off for good. All buckets begin as one.
    """
    rng = np.random.default_rng([settings.seed, 0])
    n = settings.hidden
    features = rng.normal(0.0, math.sqrt(1 / INPUTS), INPUTS * n)
    biases = np.full(n, 0.25)
    outputs = np.tile(rng.normal(0.0, math.sqrt(1 / n), 2 * n), BUCKETS)
    return np.concatenate([features, biases, outputs, np.zeros(BUCKETS)]).astype(np.float32)


def weights_of(net: Net) -> Floats:
    """The weights of a net file as floats, to go on learning from."""
    weights = unpack(net)
    parts = (weights.features / QA, weights.biases / QA, weights.outputs / QB, weights.output_biases / (QA * QB))
    return np.concatenate([part.ravel() for part in parts]).astype(np.float32)


def order_of_epoch(count: int, seed: int, epoch: int) -> npt.NDArray[np.uint32]:
    """The record numbers, shuffled: the same for the same seed and epoch."""
    from hashlib import blake2b

    order = np.arange(count, dtype=np.uint32)
    shuffle(order, int.from_bytes(blake2b(f"{seed}/{epoch}".encode(), digest_size=8).digest(), "little"))
    return order


def rate_at(settings: Settings, step: int, steps: int) -> float:
    """The learning rate of a step (from 0 on) of so many: half a cosine from the first to the last.

    >>> settings = Settings(rate=1e-3, final_rate=1e-5)
    >>> [round(rate_at(settings, step, 101), 6) for step in (0, 50, 100)]
    [0.001, 0.000505, 1e-05]
    """
    done = step / max(1, steps - 1)
    return settings.final_rate + (settings.rate - settings.final_rate) * (1 + math.cos(math.pi * done)) / 2


class Run:
    """A run in memory: `go` trains until it is done or told to stop, `save` writes a checkpoint."""

    def __init__(
        self, settings: Settings, positions: Positions, checkpoint: Path | None = None, start: Floats | None = None
    ) -> None:
        self.settings = settings
        self.positions = positions
        self.checkpoint = checkpoint
        self.checksum = positions.checksum()
        self.progress = Progress()
        self.trainer = Trainer(settings.hidden, settings.threads, settings.scale)
        self.trainer.set("parameters", first_weights(settings) if start is None else start)
        self.batch = min(settings.batch, len(positions.training))
        self.batches = len(positions.training) // self.batch  # what is left over has its turn in another epoch

    @property
    def steps(self) -> int:
        return self.settings.epochs * self.batches

    @property
    def finished(self) -> bool:
        return self.progress.epoch >= self.settings.epochs

    def parameters(self) -> Floats:
        """A copy, in the order of a net file."""
        return self.array("parameters")

    def array(self, what: Literal["parameters", "means", "spreads"]) -> Floats:
        values = np.empty(self.trainer.size, np.float32)
        self.trainer.get(what, values)
        return values

    def go(
        self,
        stopped: Callable[[], bool] = lambda: False,
        on_step: Callable[[Run, float], None] | None = None,
        on_epoch: Callable[[Run], None] | None = None,
    ) -> bool:
        """Trains to the end (True) or until `stopped()` (False); either way a checkpoint is written.

        `on_step` hears of the mean loss of each batch, `on_epoch` of each epoch done.
        """
        progress, settings = self.progress, self.settings
        saved = resumed = time.monotonic()
        before = progress.seconds
        with ThreadPoolExecutor(settings.threads) as pool:
            while not self.finished:
                order = order_of_epoch(len(self.positions.training), settings.seed, progress.epoch)
                while progress.batch < self.batches:
                    if stopped():
                        self.save()
                        return False
                    loss = self.step(pool, order)
                    progress.seconds = before + time.monotonic() - resumed
                    if on_step:
                        on_step(self, loss)
                    if self.checkpoint and time.monotonic() - saved > SAVE_EVERY_S:
                        self.save()
                        saved = time.monotonic()
                self.end_epoch(pool)
                progress.seconds = before + time.monotonic() - resumed
                self.save()
                saved = time.monotonic()
                if on_epoch:
                    on_epoch(self)
        return True

    def step(self, pool: ThreadPoolExecutor, order: npt.NDArray[np.uint32]) -> float:
        """One batch; returns its mean loss."""
        progress, settings = self.progress, self.settings
        first = progress.batch * self.batch
        threads = settings.threads
        cuts = [first + self.batch * thread // threads for thread in range(threads + 1)]
        parts = [
            pool.submit(
                self.trainer.accumulate, thread, self.positions.training, order, cuts[thread],
                cuts[thread + 1] - cuts[thread], settings.blend, 1 / self.batch,
            )
            for thread in range(threads)
        ]  # fmt: skip
        loss = sum(part.result() for part in parts)
        rate = rate_at(settings, progress.step, self.steps)
        progress.step += 1
        self.trainer.apply(rate, settings.decay, progress.step, WEIGHT_CLIP)
        progress.batch += 1
        progress.loss_sum += loss
        progress.seen += self.batch
        return loss / self.batch

    def end_epoch(self, pool: ThreadPoolExecutor) -> None:
        """Notes the epoch's losses and turns to the next."""
        progress = self.progress
        progress.epoch += 1
        row = {
            "epoch": progress.epoch,
            "training": progress.loss_sum / progress.seen,
            "validation": self.loss(pool, self.positions.checking),
            "rate": rate_at(self.settings, progress.step - 1, self.steps),
        }
        progress.history.append(row)
        progress.batch = progress.seen = 0
        progress.loss_sum = 0.0

    def loss(self, pool: ThreadPoolExecutor, records: Records) -> float:
        """The mean loss of records, without learning from them."""
        threads = self.settings.threads
        cuts = [len(records) * thread // threads for thread in range(threads + 1)]
        parts = [
            pool.submit(
                self.trainer.loss, thread, records, cuts[thread], cuts[thread + 1] - cuts[thread], self.settings.blend
            )
            for thread in range(threads)
        ]
        return sum(part.result() for part in parts) / len(records)

    def save(self) -> None:
        """Writes the checkpoint; the former one stays until the new one is whole."""
        if self.checkpoint is None:
            return
        about = {
            "format": CHECKPOINT_FORMAT,
            "settings": asdict(self.settings),
            "positions": self.checksum,
            "progress": asdict(self.progress),
        }
        beside = self.checkpoint.with_name(self.checkpoint.name + ".part")
        try:
            with open(beside, "wb") as file:
                means, spreads = self.array("means"), self.array("spreads")
                np.savez(
                    file, about=np.array(json.dumps(about)), parameters=self.parameters(), means=means, spreads=spreads
                )
            beside.replace(self.checkpoint)
        except OSError as error:
            raise TrainingError(f"the checkpoint {self.checkpoint} cannot be written: {error}") from error

    def restore(self, checkpoint: Checkpoint) -> None:
        """Goes back to where a checkpoint was written; raises TrainingError if it is of other positions."""
        if checkpoint.positions != self.checksum:
            raise TrainingError(
                f"{checkpoint.path} was begun with other positions; give the same games, or begin anew without --resume"
            )
        for name in ARRAYS:
            self.trainer.set(name, checkpoint.arrays[name])
        self.progress = checkpoint.progress


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint as read."""

    path: Path
    settings: Settings
    positions: int  # checksum
    progress: Progress
    arrays: dict[str, Floats]

    @property
    def finished(self) -> bool:
        return self.progress.epoch >= self.settings.epochs


def read_checkpoint(path: Path) -> Checkpoint:
    """Raises TrainingError if the file is missing or is no checkpoint of this version."""
    import zipfile

    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
            about = json.loads(str(stored["about"]))
            arrays: dict[str, Floats] = {name: stored[name] for name in ARRAYS}
        if about["format"] != CHECKPOINT_FORMAT:
            raise TrainingError(f"{path} is a checkpoint in format {about['format']}, which this version cannot read")
        settings, progress = Settings(**about["settings"]), Progress(**about["progress"])
        size = Trainer(settings.hidden).size
        if any(values.shape != (size,) or values.dtype != np.float32 for values in arrays.values()):
            raise TrainingError(f"{path} is not a whole checkpoint: its arrays do not fit its settings")
        return Checkpoint(path, settings, int(about["positions"]), progress, arrays)
    except FileNotFoundError:
        raise TrainingError(f"there is no checkpoint {path} to resume from") from None
    except OSError as error:
        raise TrainingError(f"the checkpoint {path} cannot be read: {error}") from error
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise TrainingError(f"{path} is not a checkpoint of a training run") from error
