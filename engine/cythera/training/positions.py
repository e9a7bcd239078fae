"""Positions to train on: the quiet ones of many games, 32 bytes each, in memory.

The core reads the games and writes the records; nothing here looks at a single position. Games are for
training or for checking as a whole, chosen by their content and a seed, so that the two never share one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cythera.core import GameCursor
from cythera.errors import CytheraError
from cythera.training.game_file import GameFileError, game_files, raw_size, scan_blocks

RECORD_BYTES = 32
PLY_BYTES = 4
LARGEST = 2**32 - 1  # record numbers are 32-bit

Records = npt.NDArray[np.uint8]  # [positions][32]

# The fields of a record. Score and result are those of the side to move: centipawns, and 0 to 2 for lost to won.
RECORD = np.dtype(
    [
        ("occupied", "<u8"),
        ("pieces", "u1", (16,)),
        ("score", "<i2"),
        ("result", "u1"),
        ("side", "u1"),
        ("game", "<u4"),
    ]
)


class TrainingError(CytheraError):
    """Data that cannot be trained on, or a run that cannot be begun or gone on with."""


class Positions(NamedTuple):
    """Records to train on and records to check with, and where they come from."""

    training: Records
    checking: Records
    training_games: int
    checking_games: int
    files: tuple[str, ...]

    def facts(self) -> dict[str, object]:
        """What a net's header tells of its data."""
        return {
            "games": self.training_games + self.checking_games,
            "positions": len(self.training),
            "validation_games": self.checking_games,
            "validation_positions": len(self.checking),
            "files": list(self.files),
        }

    def checksum(self) -> int:
        """Another number means other positions."""
        import zlib

        return zlib.crc32(self.checking.data, zlib.crc32(self.training.data))


def load(
    paths: Sequence[str | Path],
    *,
    share: float = 0.03,
    seed: int = 1,
    on_bytes: Callable[[int, int], None] | None = None,
) -> Positions:
    """All quiet positions of the games in files and folders; `share` of the games are for checking.

    Quiet: not in check, a best move that neither captures nor promotes, from ply 16 on, no mate in sight,
    and a game that came to a result. `on_bytes` hears of (bytes done, bytes in all).
    """
    files = game_files([Path(path) for path in paths])
    total = sum(map(raw_size, files))
    # Room for every ply there can be. Pages never written to take no memory.
    room = total // PLY_BYTES
    if room > LARGEST:
        raise TrainingError(f"{room:,} plies are too many for one run; at most {LARGEST:,} can be numbered")
    records = np.empty((room, RECORD_BYTES), np.uint8)
    front, back, read, number = 0, room, 0, 0
    games = [0, 0]
    for path in files:
        for _, count, raw in scan_blocks(path):
            try:
                front, back, *found = GameCursor(raw).training_records(records, front, back, number, seed, share)
            except ValueError as error:
                raise GameFileError(f"{path}: {error}") from error
            games = [games[0] + found[0], games[1] + found[1]]
            number += count
            read += len(raw)
            if on_bytes:
                on_bytes(read, total)
    if not front or back == room:
        raise TrainingError(
            f"{front:,} positions of {games[0]:,} games to train on and {room - back:,} of {games[1]:,} to check with "
            "are too few; generate more games, or change --validation"
        )
    return Positions(records[:front], records[back:], games[0], games[1], tuple(path.name for path in files))
