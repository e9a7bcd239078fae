"""The searching of a game, cut into pieces that any worker can do.

The positions of a game are taken from its end to its beginning, so that the engine knows what came of
a move when it judges it, and in blocks: each block begins with an empty table and shares it from one
position to the next. Blocks are cut by number alone, so results are the same for any workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cythera.batch import BLOCK
from cythera.limits import Limit

if TYPE_CHECKING:
    import chess.pgn

    from cythera.core import Searcher
    from cythera.position import Position


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


def blocks_of(game: chess.pgn.Game, number: int) -> Iterator[Block]:
    """The blocks of a game, its end first."""
    board = game.board()
    fen = board.fen(shredder=board.chess960, en_passant="fen")
    moves = []
    for move in game.mainline_moves():
        moves.append(board.uci(move))
        board.push(move)
    order = list(range(len(moves), -1, -1))
    for index in range(0, len(order), BLOCK):
        plies = tuple(order[index : index + BLOCK])
        yield Block(number, index // BLOCK, fen, board.chess960, tuple(moves[: plies[0]]), plies)


def positions_of(block: Block) -> Iterator[Position]:
    """The positions of a block with their histories, in order."""
    from cythera.position import Position

    position = Position(block.fen, chess960=block.chess960)
    for text in block.moves:
        position.push(text)
    at = len(block.moves)
    for ply in block.plies:
        while at > ply:
            position.pop()
            at -= 1
        yield position


_searcher: Searcher | None = None  # one a process


def search_block(settings: Settings, block: Block) -> list[list[dict[str, Any]]]:
    """The lines of a block's positions as plain data, best first: what a worker does."""
    from cythera.batch import lines_of, thinking_of
    from cythera.neural import new_searcher

    global _searcher
    if _searcher is None or _searcher.hash_mib != settings.hash_mib:
        _searcher = new_searcher(settings.hash_mib)
    _searcher.clear()
    limit = settings.limit()
    found = [lines_of(thinking_of(_searcher, position, limit, settings.multipv)) for position in positions_of(block)]
    return [[line.as_json() for line in lines] for lines in found]
