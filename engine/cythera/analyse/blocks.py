"""The searching of a game, cut into pieces that any worker can do.

The positions of a game are taken from its end to its beginning, so that the engine knows what came of
a move when it judges it, and in blocks: each block begins with an empty table and shares it from one
position to the next. Blocks are cut by number alone, so results are the same for any workers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cythera.engine.batch import BLOCK
from cythera.engine.limits import Limit

if TYPE_CHECKING:
    from cythera.board.position import Position
    from cythera.core import Searcher
    from cythera.games.game import Game


@dataclass(frozen=True)
class Settings:
    """What decides the lines: how long to think at a position, how many lines, and the table."""

    nodes: int | None = None
    depth: int | None = None
    time_s: float | None = None
    multipv: int = 1
    hash_mib: int = 16

    def limit(self) -> Limit:
        return Limit(nodes=self.nodes, depth=self.depth, time_s=self.time_s)


@dataclass(frozen=True)
class Block:
    """Some positions of a game: those after `plies` of its moves, in the order they are searched."""

    game: int
    number: int
    fen: str
    chess960: bool
    moves: tuple[str, ...]
    plies: tuple[int, ...]


def blocks_of(game: Game, number: int) -> Iterator[Block]:
    """The blocks of a game, its end first."""
    fen = game.position(0).fen(shredder=game.chess960)
    moves = game.uci()
    order = list(range(len(moves), -1, -1))
    for index in range(0, len(order), BLOCK):
        plies = tuple(order[index : index + BLOCK])
        yield Block(number, index // BLOCK, fen, game.chess960, tuple(moves[: plies[0]]), plies)


def positions_of(block: Block) -> Iterator[Position]:
    """The positions of a block with their histories, in order."""
    from cythera.board.position import Position

    position = Position(block.fen, chess960=block.chess960)
    for text in block.moves:
        position.push(text)
    at = len(block.moves)
    for ply in block.plies:
        while at > ply:
            position.pop()
            at -= 1
        yield position


_searcher: Searcher | None = None  # one per process


def search_block(settings: Settings, block: Block) -> list[list[dict[str, Any]]]:
    """The lines of a block's positions as plain data, best first: what a worker does."""
    from cythera.net.load import new_searcher

    global _searcher
    if _searcher is None or _searcher.hash_mib != settings.hash_mib:
        _searcher = new_searcher(settings.hash_mib, tables=True)
    return search_positions(_searcher, positions_of(block), settings.limit(), settings.multipv)


def search_positions(
    searcher: Searcher, positions: Iterable[Position], limit: Limit, multipv: int
) -> list[list[dict[str, Any]]]:
    """Searches positions one after the other from an empty table."""
    from cythera.engine.batch import lines_of, new_run

    searcher.clear()
    found = [lines_of(new_run(searcher, position, limit, multipv)) for position in positions]
    return [[line.as_json() for line in lines] for lines in found]
