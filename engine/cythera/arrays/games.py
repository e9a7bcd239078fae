"""Games of PGN files as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import fields as fields_of

import numpy as np
from numpy.typing import NDArray

from cythera import core
from cythera.arrays.boards import POSITION, Positions, as_bytes
from cythera.core import PgnBlock
from cythera.games.columns import block_columns, block_keys
from cythera.games.reader import GameReader, Problem

FIELDS = ("keys", "positions", "clocks", "evals")  # that are made on request


@dataclass(frozen=True, eq=False)
class GameArrays:
    """Games as arrays. Game i has the moves moves[offsets[i]:offsets[i + 1]]; of positions it has one more than moves,
    from offsets[i] + i to offsets[i + 1] + i, its last included. What was not asked for is None."""

    moves: NDArray[np.uint16]  # from | to << 6 | flags << 12; see MOVE_FLAGS
    offsets: NDArray[np.int64]  # (games + 1)
    results: NDArray[np.int8]  # 2 White won, 1 drawn, 0 Black won, -1 not known
    ratings: NDArray[np.int16]  # (games, 2): White's and Black's, 0 not known
    places: NDArray[np.int64]  # the byte of its file at which each game begins
    keys: NDArray[np.uint64] | None = None  # of each position
    positions: Positions | None = None  # of dtype POSITION
    clocks: NDArray[np.float32] | None = None  # of each move, seconds left; NaN without
    evals: NDArray[np.int16] | None = None  # of each move, centipawns for White; mates and none as in docs/games.md

    def __len__(self) -> int:
        return len(self.results)


def read_arrays(
    *sources: object,
    fields: Sequence[str] = (),
    workers: int = 1,
    limit: int | None = None,
    on_problem: Callable[[Problem], object] | None = None,
) -> GameArrays:
    """The games of PGN files as arrays; games that cannot be read are left out and told to `on_problem`.

    `fields` names what is wanted besides moves, results and ratings: "keys", "positions", "clocks", "evals". `limit`
    stops after about this many games (at the end of a block).
    """
    unknown = sorted(set(fields) - set(FIELDS))
    if unknown:
        raise ValueError(f"unknown field {unknown[0]!r}: there are {', '.join(FIELDS)}")
    mode = "full" if "clocks" in fields or "evals" in fields else "moves"
    parts: list[GameArrays] = []
    games = 0
    for block in GameReader(sources, mode=mode, workers=workers, on_problem=on_problem).blocks():
        parts.append(block_arrays(block, fields))
        games += len(parts[-1].results)
        if limit is not None and games >= limit:
            break
    return joined(parts, fields)


def block_arrays(block: PgnBlock, fields: Sequence[str]) -> GameArrays:
    columns = block_columns(block)
    games, plies = len(columns.results), len(columns.moves)
    boards = clocks = evals = None
    if "positions" in fields:
        boards = np.empty(games + plies, POSITION)
        core.block_positions(block, as_bytes(boards))
    if "clocks" in fields or "evals" in fields:
        clocks, evals = np.empty(plies, np.float32), np.empty(plies, np.int16)
        core.block_notes(block, clocks, evals)
    return GameArrays(
        *columns, block_keys(block) if "keys" in fields else None, boards,
        clocks if "clocks" in fields else None, evals if "evals" in fields else None,
    )  # fmt: skip


def joined(parts: list[GameArrays], fields: Sequence[str]) -> GameArrays:
    if not parts:
        return block_arrays(PgnBlock(b"", "moves"), fields)
    if len(parts) == 1:
        return parts[0]
    before = np.cumsum([0, *(len(part.moves) for part in parts[:-1])])
    offsets = [part.offsets[:-1] + start for part, start in zip(parts, before, strict=True)]
    last = np.array([sum(len(part.moves) for part in parts)], np.int64)

    def gathered(name: str) -> NDArray[np.generic] | None:
        columns = [getattr(part, name) for part in parts]
        return None if columns[0] is None else np.concatenate(columns)

    columns = {name: gathered(name) for name in (field.name for field in fields_of(GameArrays)) if name != "offsets"}
    return GameArrays(offsets=np.concatenate([*offsets, last]), **columns)  # type: ignore[arg-type]
