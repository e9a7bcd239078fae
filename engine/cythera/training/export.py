"""From float weights to a net file, and how much is lost on the way."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cythera.core import NET_BUCKETS, NET_QA, NET_QB, Trainer
from cythera.net.file import OUTPUT_LIMIT, Net, parse, to_bytes
from cythera.net.reference import CHUNK, active_units, evaluate_records, unpack
from cythera.training.positions import Records, some_of

COMPARED = 100_000  # positions at most
FITTED = 100_000
DAMPING = 0.01  # how much the weights are held where they are, in the mean square of an input

Doubles = npt.NDArray[np.float64]


class Agreement(NamedTuple):
    """How far the integers are from the floats, in centipawns."""

    mean_cp: float
    max_cp: float
    positions: int


def quantised(parameters: npt.NDArray[np.float32], hidden: int) -> bytes:
    """The payload of a net file from parameters in its order: each rounded to the nearest integer."""
    outputs = len(parameters) - NET_BUCKETS
    features = outputs - 2 * NET_BUCKETS * hidden
    wide = parameters.astype(np.float64)
    return b"".join(
        [
            np.rint(wide[:features] * NET_QA).astype("<i2").tobytes(),
            np.rint(wide[features:outputs] * NET_QB).astype("<i2").tobytes(),
            np.rint(wide[outputs:] * (NET_QA * NET_QB)).astype("<i4").tobytes(),
        ]
    )


def with_fitted_outputs(trainer: Trainer, records: Records, kings: tuple[int, ...] = ()) -> npt.NDArray[np.float32]:
    """The net's weights (king buckets merged with what they share), the output weights moved to whole numbers of
    1/64 where together they do least harm.

    Rounding each weight to its nearest integer lets the errors add up as they like. Here the output weights
    are fitted once more, to what the float net says, with the hidden units already rounded; then they are
    rounded one by one, and those still to come make up for each error as well as they can. The biases, being
    fine-grained, come last. A position counts by how much its chance changes with its score: what a rout is
    worth exactly matters little.
    """
    hidden = trainer.hidden
    parameters = np.empty(trainer.net_size, np.float32)
    trainer.get("merged", parameters)
    weights = unpack(parse(to_bytes(hidden, quantised(parameters, hidden), kings=kings)))
    chosen = some_of(records, FITTED)
    wanted = np.empty(len(chosen), np.float32)
    trainer.outputs(0, chosen, 0, wanted)
    chance = 1 / (1 + np.exp(-wanted.astype(np.float64)))
    steep = 4 * chance * (1 - chance)
    # All that the fit needs of the positions, by bucket: products of inputs with each other and with the outputs.
    size = 2 * hidden + 1
    products, aims = np.zeros((NET_BUCKETS, size, size)), np.zeros((NET_BUCKETS, size))
    for at in range(0, len(chosen), CHUNK):
        active, bucket = active_units(weights, chosen[at : at + CHUNK], kings)
        inputs = np.ones((len(bucket), size))
        inputs[:, :-1] = ((active / NET_QA) ** 2).reshape(len(bucket), -1)
        for which in range(NET_BUCKETS):
            mine = inputs[bucket == which]
            counted = mine * steep[at : at + CHUNK][bucket == which, None]
            products[which] += counted.T @ mine
            aims[which] += wanted[at : at + CHUNK][bucket == which] @ counted
    outputs = parameters[-NET_BUCKETS * size :]
    matrix = outputs[:-NET_BUCKETS].reshape(NET_BUCKETS, size - 1)
    for which in range(NET_BUCKETS):
        if products[which, -1, -1] > 0:  # else no position has so many pieces
            start = np.append(matrix[which], outputs[which - NET_BUCKETS]).astype(np.float64)
            found = rounded_together(start, products[which], aims[which])
            matrix[which], outputs[which - NET_BUCKETS] = found[:-1], found[-1]
    return parameters


def rounded_together(start: Doubles, products: Doubles, aims: Doubles) -> Doubles:
    """Weights near `start`, all but the last multiples of 1/64, that miss the least squares by little."""
    held = products + DAMPING * products.diagonal().mean() * np.eye(len(start))
    weights = start + np.linalg.solve(held, aims - products @ start)
    order = np.append(np.argsort(-products.diagonal()[:-1], kind="stable"), len(start) - 1)
    weights = weights[order]
    # Row i of this factor says how the weights after i make up best for a change of weight i.
    factor = np.linalg.cholesky(np.linalg.inv(held[np.ix_(order, order)])).T
    for i in range(len(start) - 1):
        rounded = np.clip(np.rint(weights[i] * NET_QB), -OUTPUT_LIMIT, OUTPUT_LIMIT) / NET_QB
        weights[i + 1 :] -= (weights[i] - rounded) / factor[i, i] * factor[i, i + 1 :]
        weights[i] = rounded
    found: Doubles = np.empty(len(start))
    found[order] = weights
    return found


def agreement(net: Net, trainer: Trainer, records: Records) -> Agreement:
    """Compares the plain integer inference with the trainer's floats, on at most COMPARED of the records."""
    chosen = some_of(records, COMPARED)
    outputs = np.empty(len(chosen), np.float32)
    trainer.outputs(0, chosen, 0, outputs)
    off = np.abs(evaluate_records(net, chosen) - net.scale * outputs.astype(np.float64))
    return Agreement(float(off.mean()), float(off.max()), len(chosen))
