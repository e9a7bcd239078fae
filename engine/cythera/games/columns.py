"""The games of a block as columns: what the index is made from, and `cythera.arrays`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cythera import core
from cythera.core import PgnBlock


class Columns(NamedTuple):
    """The games of a block that have no faults; see `cythera.arrays.GameArrays`."""

    moves: NDArray[np.uint16]
    offsets: NDArray[np.int64]
    results: NDArray[np.int8]
    ratings: NDArray[np.int16]
    places: NDArray[np.int64]


def block_columns(block: PgnBlock) -> Columns:
    games, plies = core.block_counts(block)
    moves = np.empty(plies, np.uint16)
    counts = np.empty(games, np.int64)
    results = np.empty(games, np.int8)
    ratings = np.empty((games, 2), np.int16)
    places = np.empty(games, np.int64)
    core.block_games(block, moves, counts, results, ratings, places)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    return Columns(moves, offsets, results, ratings, places)


def block_keys(block: PgnBlock) -> NDArray[np.uint64]:
    """The keys of all positions, of each game one more than it has moves."""
    keys = np.empty(sum(core.block_counts(block)), np.uint64)
    core.block_keys(block, keys)
    return keys
