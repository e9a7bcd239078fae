"""Opening lines that were really played: the first moves of games, each line once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import NamedTuple

from cythera.games.reader import GameReader, Problem


class PlayedLine(NamedTuple):
    """The first moves of some games, and the position they lead to."""

    fen: str
    moves: tuple[str, ...]  # UCI
    games: int  # that came to the position


def played_lines(
    sources: Iterable[object],
    plies: int,
    *,
    spread_plies: int = 0,
    min_games: int = 1,
    min_rating: int = 0,
    seed: int = 0,
    on_problem: Callable[[Problem], object] | None = None,
) -> list[PlayedLine]:
    """The positions after `plies` half-moves (or up to `spread_plies` more, by chance from the seed and the game's
    number) of games from the usual start; in an order that depends on the seed alone.

    Left out are positions in check or without a legal move, that fewer than `min_games` games came to, and games of
    players rated below `min_rating`.
    """
    found: dict[int, tuple[str, tuple[str, ...]]] = {}
    counts: dict[int, int] = {}
    for game in GameReader(sources, mode="moves", on_problem=on_problem):
        if game.chess960 or "FEN" in game.headers or min(game.ratings) < min_rating:
            continue
        length = plies + random.Random(f"{seed}/{game.number}").randint(0, spread_plies)
        if len(game) < length:
            continue
        position = game.position(length)
        key = position.key
        counts[key] = counts.get(key, 0) + 1
        if key not in found and not position.is_check() and position.legal_moves():
            found[key] = position.fen(), tuple(game.uci()[:length])
    lines = [PlayedLine(*line, counts[key]) for key, line in found.items() if counts[key] >= min_games]
    random.Random(seed).shuffle(lines)
    return lines
