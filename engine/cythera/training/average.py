"""Averaging of nets: weights between those of a run and those of nets that are close to it.

A net that was trained further from another one on new games has learned them, and forgotten some of the old ones. The
mean of the two sets of weights keeps much of both, and overfits less than either; how much of each is best is read
from the validation loss. This works for nets with a common ancestor only: the units of others do not correspond.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cythera.net.file import Net
from cythera.training.positions import TrainingError
from cythera.training.run import TrainingRun, weights_of

SHARES = tuple(step / 20 for step in range(20))  # of a net in the average


class Averaged(NamedTuple):
    """A net that was averaged with a run's weights: its share, and the validation loss before and after."""

    net: str
    share: float
    before: float
    after: float


def check_alike(run: TrainingRun, nets: Sequence[Net]) -> None:
    """Raises TrainingError unless the weights of all nets correspond to those of the run."""
    settings = run.settings
    wanted = (settings.hidden, settings.kings, settings.scale)
    for net in nets:
        if (net.hidden, net.kings, net.scale) != wanted:
            raise TrainingError(
                f"{net.name or 'a net'} cannot be averaged with the run: it has {net.hidden} hidden units, "
                f"{net.king_buckets} king buckets and scale {net.scale}, the run {settings.hidden}, "
                f"{settings.king_buckets} and {settings.scale}"
            )


def average(run: TrainingRun, nets: Sequence[Net]) -> list[Averaged]:
    """Gives the run's trainer the average of its weights and those of each net in turn, with the share that validates
    best; a net that does not help gets none."""
    check_alike(run, nets)
    found: list[Averaged] = []
    for net in nets:
        trained, other = run.parameters(), weights_of(net, run.settings.king_buckets)
        losses: list[float] = []
        for share in SHARES:
            run.trainer.set("parameters", (trained + share * (other - trained)).astype(np.float32))
            losses.append(run.validation_loss())
        best = int(np.argmin(losses))
        run.trainer.set("parameters", (trained + SHARES[best] * (other - trained)).astype(np.float32))
        found.append(Averaged(f"{net.name} {net.digest[:12]}".strip(), SHARES[best], losses[0], losses[best]))
    return found
