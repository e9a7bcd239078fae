"""Averaging of nets: weights between those of a run and those of nets that are close to it.

A net that was trained further from another one on new games has learned them, and forgotten some of the old ones. The
mean of the two sets of weights keeps much of both, and overfits less than either. How much of each is best is read from
the validation loss, or given: a net validates too well on games that it has played itself. This works for nets with a
common ancestor only: the units of others do not correspond.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cythera.net.file import Net, read
from cythera.training.positions import TrainingError
from cythera.training.run import TrainingRun, weights_of

SHARES = tuple(step / 20 for step in range(20))  # of a net in the average


class Averaged(NamedTuple):
    """A net that was averaged with a run's weights: its share, and the validation loss before and after."""

    net: str
    share: float
    before: float
    after: float


class Other(NamedTuple):
    """A net to average with, and its share; None for the share that validates best."""

    net: Net
    share: float | None = None


def other_of(word: str) -> Other:
    """A net as `--average` names it: a file, with its share after a colon if it is given one (`old.net:0.3`)."""
    name, colon, number = word.rpartition(":")
    if not colon or Path(word).exists():
        return Other(read(word))
    try:
        share = float(number)
    except ValueError:
        return Other(read(word))  # a colon of the path
    if not 0 <= share < 1:
        raise TrainingError(f"the share of {name} must be at least 0 and below 1, got {number}")
    return Other(read(name), share)


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


def average(run: TrainingRun, others: Sequence[Other]) -> list[Averaged]:
    """Gives the run's trainer the average of its weights and those of each net in turn, with the share that is given
    or validates best; a net that does not help gets none."""
    check_alike(run, [other.net for other in others])
    found: list[Averaged] = []
    for net, given in others:
        shares = SHARES if given is None else (0.0, given)
        trained, other = run.parameters(), weights_of(net, run.settings.king_buckets)
        losses: list[float] = []
        for share in shares:
            run.trainer.set("parameters", (trained + share * (other - trained)).astype(np.float32))
            losses.append(run.validation_loss())
        best = int(np.argmin(losses)) if given is None else 1
        run.trainer.set("parameters", (trained + shares[best] * (other - trained)).astype(np.float32))
        found.append(Averaged(f"{net.name} {net.digest[:12]}".strip(), shares[best], losses[0], losses[best]))
    return found
