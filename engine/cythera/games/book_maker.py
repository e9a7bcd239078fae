"""Polyglot books made from games, and joined."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cythera.core import BookCounter, PgnBlock
from cythera.errors import CytheraError
from cythera.games.game import Game
from cythera.games.reader import GameReader, Problem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_WEIGHT = 65535
WEIGHTS = ("results", "games")


class BookOptions(NamedTuple):
    """What goes into a book: the moves of the first `plies` half-moves that at least `min_games` games played."""

    plies: int = 40
    min_games: int = 3
    min_rating: int = 0  # of both players
    max_rating: int = 9999
    player: str = ""  # only the moves of players whose name contains this
    colour: str = ""  # "w" or "b": only this side's moves
    weights: str = "results"  # 2 a win and 1 a draw of who moves; or "games"
    min_score: float = 0.0  # the least share of points a move must have made

    def check(self) -> None:
        if not 1 <= self.plies <= 1000:
            raise CytheraError(f"plies must be between 1 and 1000, got {self.plies}")
        if self.min_games < 1:
            raise CytheraError(f"the least number of games must be at least 1, got {self.min_games}")
        if self.colour not in ("", "w", "b"):
            raise CytheraError(f"the colour must be 'w' or 'b', got {self.colour!r}")
        if self.weights not in WEIGHTS:
            raise CytheraError(f"the weights must be 'results' or 'games', got {self.weights!r}")
        if not 0 <= self.min_score <= 1:
            raise CytheraError(f"the least score must be between 0 and 1, got {self.min_score}")


class BookMade(NamedTuple):
    """What became of the games."""

    games: int  # counted
    bad_games: int
    positions: int
    moves: int


def make_book(
    sources: Iterable[object],
    output: str | Path,
    options: BookOptions | None = None,
    *,
    workers: int = 1,
    on_problem: Callable[[Problem], object] | None = None,
) -> BookMade:
    """Makes a Polyglot book of the games of PGN files."""
    import numpy as np

    options = options or BookOptions()
    options.check()
    reader = GameReader(sources, mode="moves", workers=workers, on_problem=on_problem)
    counter = BookCounter()
    games = 0
    for block in reader.blocks():
        sides = chosen_sides(block, options)
        games += len(sides) - sides.count(0)
        counter.add(block, sides, options.plies)
    keys = np.empty(len(counter), np.uint64)
    moves = np.empty(len(counter), np.uint16)
    results = np.empty((len(counter), 3), np.uint32)
    counter.export(keys, moves, results)
    points = 2 * results[:, 0].astype(np.int64) + results[:, 1]
    played = results.sum(axis=1).astype(np.int64)
    weights = points if options.weights == "results" else played
    kept = (played >= options.min_games) & (weights > 0) & (points >= 2 * options.min_score * played)
    keys, moves, weights = keys[kept], moves[kept], weights[kept]
    positions = write_book(output, keys, moves, weights, np.zeros(len(keys), np.uint32))
    return BookMade(games, reader.bad_games, positions, len(keys))


def chosen_sides(block: PgnBlock, options: BookOptions) -> bytearray:
    """Of each game of a block whose moves count: 1 White's, 2 Black's, 3 both, 0 none."""
    sides = bytearray(len(block))
    wanted = {"": 3, "w": 1, "b": 2}[options.colour]
    needle = options.player.casefold()
    for game in Game.of_block(block):
        if options.min_rating > 0 or options.max_rating < 9999:
            low, high = sorted(game.ratings)
            if low < options.min_rating or high > options.max_rating:
                continue
        side = wanted
        if needle:
            side &= (needle in game.white.casefold()) | (needle in game.black.casefold()) << 1
        sides[game.number - block.first_number] = side
    return sides


def write_book(
    path: str | Path,
    keys: NDArray[np.uint64],
    moves: NDArray[np.uint16],
    weights: NDArray[np.int64],
    learn: NDArray[np.uint32],
) -> int:
    """Writes entries in the order of the format, by key and weight; returns how many positions they are of. Weights
    beyond 16 bits are scaled down, all of a position alike."""
    import numpy as np

    order = np.lexsort((moves, -weights, keys))
    keys, moves, weights, learn = keys[order], moves[order], weights[order], learn[order]
    positions, first, counts = np.unique(keys, return_index=True, return_counts=True)
    if len(keys):
        largest = np.repeat(weights[first], counts)
        scaled = np.maximum(weights * MOST_WEIGHT // np.maximum(largest, 1), np.minimum(weights, 1))
        weights = np.where(largest > MOST_WEIGHT, scaled, weights)
    entries = np.empty(len(keys), np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")]))
    entries["key"], entries["move"], entries["weight"], entries["learn"] = keys, moves, weights, learn
    try:
        Path(path).write_bytes(entries.tobytes())
    except OSError as error:
        raise CytheraError(f"cannot write {path}: {error.strerror or error}") from error
    return len(positions)


def merge_books(sources: Iterable[tuple[str, float]], output: str | Path) -> BookMade:
    """Joins books, the weights of each multiplied by its factor; equal moves are added."""
    import numpy as np

    from cythera.engine.book import open_book

    parts = []
    for path, factor in sources:
        if factor <= 0:
            raise CytheraError(f"the factor of {path} must be positive, got {factor}")
        open_book(path)  # checks it
        data = np.fromfile(path, np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")]))
        parts.append((data, factor))
    keys = np.concatenate([data["key"].astype(np.uint64) for data, _ in parts])
    moves = np.concatenate([data["move"].astype(np.uint16) for data, _ in parts])
    weights = np.concatenate([np.rint(data["weight"] * (1000.0 * factor)).astype(np.int64) for data, factor in parts])
    learn = np.concatenate([data["learn"].astype(np.uint32) for data, _ in parts])
    order = np.lexsort((moves, keys))
    keys, moves, weights, learn = keys[order], moves[order], weights[order], learn[order]
    first = np.flatnonzero(np.concatenate([[True], (keys[1:] != keys[:-1]) | (moves[1:] != moves[:-1])]))
    sums = np.add.reduceat(weights, first)
    sums = np.maximum(sums // 1000, np.minimum(sums, 1))
    positions = write_book(output, keys[first], moves[first], sums, np.maximum.reduceat(learn, first))
    return BookMade(0, 0, positions, len(first))
