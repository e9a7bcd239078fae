"""From float weights to a net file, and how much is lost on the way."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cythera.core import Trainer
from cythera.nets import BUCKETS, INPUTS, QA, QB, SCALE, Net
from cythera.nets_reference import evaluate_records
from cythera.training.positions import Records

COMPARED = 100_000  # positions at most


class Agreement(NamedTuple):
    """How far the integers are from the floats, in centipawns."""

    mean_cp: float
    max_cp: float
    positions: int


def quantised(parameters: npt.NDArray[np.float32], hidden: int) -> bytes:
    """The payload of a net file from parameters in its order: each rounded to the nearest integer."""
    features = (INPUTS + 1) * hidden
    outputs = features + 2 * BUCKETS * hidden
    wide = parameters.astype(np.float64)
    return b"".join(
        [
            np.rint(wide[:features] * QA).astype("<i2").tobytes(),
            np.rint(wide[features:outputs] * QB).astype("<i2").tobytes(),
            np.rint(wide[outputs:] * (QA * QB)).astype("<i4").tobytes(),
        ]
    )


def agreement(net: Net, trainer: Trainer, records: Records) -> Agreement:
    """Compares the plain integer inference with the trainer's floats, on at most COMPARED of the records."""
    chosen = np.ascontiguousarray(records[:: -(-len(records) // COMPARED)])
    outputs = np.empty(len(chosen), np.float32)
    trainer.outputs(0, chosen, 0, outputs)
    off = np.abs(evaluate_records(net, chosen) - SCALE * outputs.astype(np.float64))
    return Agreement(float(off.mean()), float(off.max()), len(chosen))
