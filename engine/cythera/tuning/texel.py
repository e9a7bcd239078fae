"""Tuning the classical evaluation on our own games (Texel's method), with numpy.

The evaluation is linear in its weights: the core says how often each weight counted in a position
(`tuning_rows`), and from there on it is logistic regression. The score, squashed to a chance of
winning, should meet what happened in the game, blended with what the search said at the time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cythera.core import FULL_PHASE, GameCursor
from cythera.errors import CytheraError
from cythera.training.game_file import game_files, scan_blocks

ENTRIES_PER_ROW = 110  # to reserve; the average is nearer 90

Floats = npt.NDArray[np.float32]


class TuningError(CytheraError):
    """Data that cannot be tuned on."""


class Rows(NamedTuple):
    """Positions as sparse rows: entries of row i are [ends[i-1], ends[i])."""

    indices: npt.NDArray[np.int16]
    counts: npt.NDArray[np.int16]
    ends: npt.NDArray[np.int64]
    phase: Floats
    scale: Floats
    result: Floats
    score: Floats

    def __len__(self) -> int:
        return len(self.ends)


def load_rows(paths: list[str], keep: int = 4, limit: int = 2_000_000, seed: int = 1) -> Rows:
    """Quiet positions of the games, one in `keep` at random, at most `limit`."""
    parts: list[tuple[npt.NDArray[np.int16], npt.NDArray[np.int16], npt.NDArray[np.int64], Floats]] = []
    total = entries_before = 0
    for path in game_files(paths):
        for _, games, raw in scan_blocks(path):
            room = games * 520
            indices = np.empty(room * ENTRIES_PER_ROW + 520 * 200, np.int16)
            counts = np.empty_like(indices)
            ends = np.empty(room, np.int64)
            facts = np.empty(4 * room, np.float32)
            cursor = GameCursor(raw)
            rows, entries, _ = cursor.tuning_rows(indices, counts, ends, facts, seed + total, keep)
            parts.append((indices[:entries].copy(), counts[:entries].copy(), ends[:rows] + entries_before,
                          facts[: 4 * rows].copy()))  # fmt: skip
            total += rows
            entries_before += entries
            if total >= limit:
                break
        if total >= limit:
            break
    if total < 1000:
        raise TuningError(f"{total} quiet positions are too few to tune on; generate more games")
    table = np.concatenate([part[3] for part in parts]).reshape(-1, 4)
    return Rows(
        np.concatenate([part[0] for part in parts]),
        np.concatenate([part[1] for part in parts]),
        np.concatenate([part[2] for part in parts]),
        table[:, 0].copy(), table[:, 1].copy(), table[:, 2].copy(), table[:, 3].copy(),
    )  # fmt: skip


def split_rows(rows: Rows, share: float) -> tuple[Rows, Rows]:
    """Rows for fitting and rows for checking: the last `share`, which are other games."""
    cut = int(len(rows) * (1 - share))
    at = int(rows.ends[cut - 1])
    first = Rows(rows.indices[:at], rows.counts[:at], rows.ends[:cut], *(column[:cut] for column in rows[3:]))
    second = Rows(rows.indices[at:], rows.counts[at:], rows.ends[cut:] - at, *(column[cut:] for column in rows[3:]))
    return first, second


def sigmoid(x: Floats) -> Floats:
    return (1.0 / (1.0 + np.exp(-np.clip(x, -30, 30)))).astype(np.float32)


class Fit:
    """The regression: weights (count × 2, middlegame and endgame) against the rows' targets."""

    def __init__(self, rows: Rows, weights: Floats, blend: float = 0.75, pull: float = 0.0) -> None:
        self.rows = rows
        self.weights = weights.astype(np.float32).copy()
        self.start = self.weights.copy()
        self.pull = pull / len(rows)  # as if `pull` positions supported the present value of each weight
        starts = np.concatenate(([0], rows.ends[:-1]))
        self.row_of = np.repeat(np.arange(len(rows), dtype=np.int32), rows.ends - starts)
        self.middle = rows.phase / FULL_PHASE
        self.end = rows.scale * (1 - rows.phase / FULL_PHASE)
        self.values = rows.counts.astype(np.float32)
        self.slope = self.fit_slope()
        self.target = blend * rows.result + (1 - blend) * sigmoid(self.slope * rows.score)

    def scores(self) -> Floats:
        """The static evaluation of every row, White's side, centipawns."""
        mg = np.bincount(self.row_of, self.values * self.weights[self.rows.indices, 0], len(self.rows))
        eg = np.bincount(self.row_of, self.values * self.weights[self.rows.indices, 1], len(self.rows))
        return (self.middle * mg + self.end * eg).astype(np.float32)

    def fit_slope(self) -> float:
        """The slope of the logistic curve that fits today's weights to the results: it keeps the
        unit of a centipawn where it is."""
        scores = self.scores()

        def loss(slope: float) -> float:
            return float(np.mean((sigmoid(slope * scores) - self.rows.result) ** 2))

        low, high = 0.0005, 0.02
        for _ in range(40):
            third = (high - low) / 3
            if loss(low + third) < loss(high - third):
                high -= third
            else:
                low += third
        return (low + high) / 2

    def loss_and_gradient(self) -> tuple[float, Floats]:
        chance = sigmoid(self.slope * self.scores())
        error = chance - self.target
        common = 2 * self.slope * error * chance * (1 - chance) / len(self.rows)
        gradient = np.empty_like(self.weights)
        count = len(self.weights)
        gradient[:, 0] = np.bincount(self.rows.indices, self.values * (common * self.middle)[self.row_of], count)
        gradient[:, 1] = np.bincount(self.rows.indices, self.values * (common * self.end)[self.row_of], count)
        gradient += 2 * self.pull * self.slope**2 * (self.weights - self.start)
        return float(np.mean(error**2)), gradient

    def train(self, steps: int, rate: float = 1.0, on_step: Callable[[int, float], None] | None = None) -> float:
        """Adam on the whole data; `rate` is in centipawns per step. Returns the last loss."""
        mean = np.zeros_like(self.weights)
        spread = np.zeros_like(self.weights)
        loss = math.nan
        for step in range(1, steps + 1):
            loss, gradient = self.loss_and_gradient()
            mean += 0.1 * (gradient - mean)
            spread += 0.001 * (gradient**2 - spread)
            step_rate = rate * (0.1 + 0.9 * (1 - step / steps))
            move = (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-12)
            self.weights -= (step_rate * move).astype(np.float32)
            if on_step:
                on_step(step, loss)
        return loss


def write_weights(path: Path, names: list[tuple[str, int]], weights: Floats, about: dict[str, str]) -> None:
    """Writes ext/weights.txt in its own form, keeping the comments."""
    lines = [
        "# The weights of the classical evaluation: every number it knows, in centipawns, middlegame and",
        "# endgame. Written by `cythera tune eval`, read by setup.py, which compiles them in.",
        "#",
        "# name: what it is for",
        "#   mg,eg for each index",
        "",
    ]
    at = 0
    for name, size in names:
        lines.append(f"{name}: {about.get(name, '')}")
        pairs = [f"{round(float(mg))},{round(float(eg))}" for mg, eg in weights[at : at + size]]
        lines += ["    " + " ".join(pairs[i : i + 8]) for i in range(0, size, 8)]
        at += size
    path.write_text("\n".join(lines) + "\n")


def read_descriptions(path: Path) -> dict[str, str]:
    """What each weight is for, from an existing file."""
    found = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#") and not line[0].isspace():
            name, _, about = line.partition(":")
            found[name] = about.strip()
    return found
