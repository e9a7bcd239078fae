"""What a net says, in plain Python and numpy: the definition that the compiled inference is tested against.

Slow on purpose. `evaluate` follows the formulas of docs/training.md word by word; `evaluate_records` does the
same for many training records at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cythera.core import NET_BUCKETS, NET_INPUTS, NET_QA, NET_QB, PACKED_PIECES, RECORD_SCORE, RECORD_SIDE
from cythera.net.file import Net

TYPES = "pnbrqk"
WHITE, BLACK = 0, 1
KING = 5
NO_ROW = -1  # where a list of rows is filled up; the last row, of zeros
CHUNK = 4096

Integers = npt.NDArray[np.int64]


class Weights(NamedTuple):
    """The payload of a net as arrays, widened so that nothing overflows."""

    features: Integers  # [king buckets * 768][hidden]
    biases: Integers  # [hidden]
    outputs: Integers  # [8][2][hidden]
    output_biases: Integers  # [8]


def unpack(net: Net) -> Weights:
    n, rows = net.hidden, net.king_buckets * NET_INPUTS
    words = np.frombuffer(net.payload, "<i2", (rows + 1 + 2 * NET_BUCKETS) * n).astype(np.int64)
    return Weights(
        words[: rows * n].reshape(rows, n),
        words[rows * n : rows * n + n],
        words[rows * n + n :].reshape(NET_BUCKETS, 2, n),
        np.frombuffer(net.payload, "<i4", NET_BUCKETS, 2 * len(words)).astype(np.int64),
    )


def feature(perspective: int, king: int, colour: int, piece_type: int, square: int, kings: tuple[int, ...] = ()) -> int:
    """The row of a piece as a side sees it: itself at the bottom, its own king on the files a to d. With king buckets
    (`kings`: by the king's square there) each bucket has 768 rows of its own.

    >>> feature(WHITE, 4, WHITE, 0, 8), feature(BLACK, 60, WHITE, 0, 8)  # the pawn on a2, kings on e1 and e8
    (15, 439)
    """
    if perspective == BLACK:
        square, king = square ^ 56, king ^ 56
    if king % 8 >= 4:
        square, king = square ^ 7, king ^ 7
    bucket = kings[4 * (king // 8) + king % 8] if kings else 0
    return NET_INPUTS * bucket + (0 if colour == perspective else 384) + 64 * piece_type + square


def pieces_of(fen: str) -> tuple[list[tuple[int, int, int]], int]:
    """The pieces of a FEN as (colour, type, square), and the side to move."""
    board, side = fen.split()[:2]
    pieces = []
    for rank, line in zip(range(7, -1, -1), board.split("/"), strict=True):
        file = 0
        for letter in line:
            if letter.isdigit():
                file += int(letter)
            else:
                colour = WHITE if letter.isupper() else BLACK
                pieces.append((colour, TYPES.index(letter.lower()), 8 * rank + file))
                file += 1
    return pieces, WHITE if side == "w" else BLACK


def divided(number: int, by: int) -> int:
    """Division towards zero, as C does it."""
    return number // by if number >= 0 else -(-number // by)


def evaluate(net: Net, fen: str) -> int:
    """Centipawns for the side to move."""
    weights = unpack(net)
    pieces, side = pieces_of(fen)
    bucket = (len(pieces) - 2) // 4
    total = 0
    for place, perspective in enumerate((side, 1 - side)):
        king = next(square for colour, kind, square in pieces if kind == KING and colour == perspective)
        hidden = weights.biases.copy()
        for colour, kind, square in pieces:
            hidden += weights.features[feature(perspective, king, colour, kind, square, net.kings)]
        active = np.clip(hidden, 0, NET_QA)
        total += int((active * active * weights.outputs[bucket, place]).sum())
    output = divided(total, NET_QA) + int(weights.output_biases[bucket])
    return divided(output * net.scale, NET_QA * NET_QB)


def rows_of_records(records: npt.NDArray[np.uint8], kings: tuple[int, ...] = ()) -> tuple[Integers, Integers, Integers]:
    """Rows of the side to move and of the other, [positions][32] filled up with NO_ROW, and buckets."""
    count = len(records)
    squares = np.unpackbits(records[:, :PACKED_PIECES], axis=1, bitorder="little").astype(bool)  # [positions][64]
    pieces = squares.sum(1)
    codes = records[:, PACKED_PIECES:RECORD_SCORE]  # two per byte
    nibbles = np.stack([codes & 15, codes >> 4], axis=2).reshape(count, 32)
    there = np.arange(32) < pieces[:, None]
    square = np.zeros((count, 32), np.int64)
    square[there] = np.nonzero(squares)[1]  # both run through positions, then through ascending squares
    colour, kind = (nibbles >> 3).astype(np.int64), (nibbles & 7).astype(np.int64)
    side = records[:, RECORD_SIDE].astype(np.int64)[:, None]
    rows = []
    for perspective in (side, 1 - side):
        own = there & (colour == perspective)
        king = square[own & (kind == KING)][:, None]
        flip = np.where(perspective == BLACK, 56, 0) ^ np.where(king % 8 >= 4, 7, 0)
        stands = king ^ flip
        first = NET_INPUTS * np.array(kings or (0,) * 32)[4 * (stands // 8) + stands % 8]
        found = first + np.where(colour == perspective, 0, 384) + 64 * kind + (square ^ flip)
        rows.append(np.where(there, found, NO_ROW))
    return rows[0], rows[1], (pieces - 2) // 4


def active_units(
    weights: Weights, records: npt.NDArray[np.uint8], kings: tuple[int, ...] = ()
) -> tuple[Integers, Integers]:
    """Hidden units after clamping, [positions][2][hidden], side to move first; and buckets."""
    features = np.vstack([weights.features, np.zeros((1, weights.features.shape[1]), np.int64)])
    *perspectives, bucket = rows_of_records(records, kings)
    hidden = np.tile(weights.biases, (len(bucket), 2, 1))
    for place, rows in enumerate(perspectives):
        for column in rows.T:
            hidden[:, place] += features[column]
    return np.clip(hidden, 0, NET_QA), bucket


def evaluate_records(net: Net, records: npt.NDArray[np.uint8]) -> Integers:
    """Centipawns for the side to move of each training record."""
    weights = unpack(net)
    found = np.empty(len(records), np.int64)
    for at in range(0, len(records), CHUNK):
        active, bucket = active_units(weights, records[at : at + CHUNK], net.kings)
        total = (active * active * weights.outputs[bucket]).sum((1, 2))
        output = np.sign(total) * (np.abs(total) // NET_QA) + weights.output_biases[bucket]
        found[at : at + CHUNK] = np.sign(output) * (np.abs(output) * net.scale // (NET_QA * NET_QB))
    return found
