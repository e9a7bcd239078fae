"""The plain search a chess engine must agree with, once all its shortcuts are off.

Negamax to a depth and quiescence below it, straight from the definitions, on the compiled board. With
`prune=False` nothing at all is left out; with alpha-beta, which proves the same value, it is fast
enough for hundreds of positions. Evaluation and conventions are the caller's, so that they can be
the engine's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cythera.lab.errors import LabError
from cythera.lab.games.chess import MATE_CP, greediest_first
from cythera.lab.search import INF, Result
from cythera.lab.texts import say

if TYPE_CHECKING:
    from cythera.board.position import Position
    from cythera.core import Move


def is_plain_draw(position: Position) -> bool:
    """Drawn by a third repetition, fifty moves or lack of material. (Stalemate shows by itself.)"""
    return position.is_repetition(3) or position.is_fifty_moves() or position.is_insufficient_material()


def plain_search(
    position: Position,
    depth: int,
    evaluate: Callable[[Position], int],
    *,
    mate_cp: int = MATE_CP,
    is_draw: Callable[[Position], bool] = is_plain_draw,
    prune: bool = True,
) -> Result[int, Move]:
    """The value in centipawns to the side to move, of `depth` plies and quiescence after.

    The conventions, which an engine must share to be compared:

    - `evaluate` speaks for the side to move, and is asked only where it is not in check.
    - Mate at ply p (0 at the root) is worth −(mate_cp − p) to the side that is mated.
    - A draw by `is_draw` is worth 0, at every ply but the root. So is stalemate above the horizon.
    - Below the horizon: in check all evasions are searched; otherwise captures and promotions, and
      standing pat. Stalemate is not noticed there.

    >>> from cythera import Position
    >>> from cythera.lab.games.chess import material
    >>> mate_in_one = Position("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1")
    >>> result = plain_search(mate_in_one, 1, material)
    >>> result.value == MATE_CP - 1, str(result.move)
    (True, 'd1d8')
    """
    if depth < 0:
        raise LabError(say("error.depth_range", depth=depth))
    board = position.copy()
    generated, evaluated = 1, 0

    def prey(move: Move) -> int:
        """The most valuable victim first, then the least valuable attacker."""
        if not move.is_capture:
            return 0
        taken = "PNBRQK".find((board.piece_at(move.to_square) or "P").upper())
        taker = "PNBRQK".find((board.piece_at(move.from_square) or "P").upper())
        return 8 * (taken + 1) - taker

    def negamax(depth: int, ply: int, alpha: float, beta: float) -> tuple[float, tuple[Move, ...]]:
        if ply and is_draw(board):
            return 0, ()
        if depth == 0:
            return quiescence(ply, alpha, beta)
        moves = board.legal_moves()
        if not moves:
            return (-(mate_cp - ply) if board.is_check() else 0), ()
        return best_of(moves, -INF, depth - 1, ply, alpha, beta)

    def quiescence(ply: int, alpha: float, beta: float) -> tuple[float, tuple[Move, ...]]:
        nonlocal evaluated
        if ply and is_draw(board):
            return 0, ()
        if board.is_check():
            evasions = board.legal_moves()
            return best_of(evasions, -INF, 0, ply, alpha, beta) if evasions else (-(mate_cp - ply), ())
        evaluated += 1
        return best_of(board.legal_moves("noisy"), evaluate(board), 0, ply, alpha, beta)

    def best_of(
        moves: Sequence[Move], best: float, depth: int, ply: int, alpha: float, beta: float
    ) -> tuple[float, tuple[Move, ...]]:
        """The best of a value one already has and of what the moves lead to. Fail-soft."""
        nonlocal generated
        line: tuple[Move, ...] = ()
        if prune:
            moves = sorted(moves, key=prey, reverse=True)  # any order proves the same value; this one sooner
        for move in greediest_first(board, moves) if prune else moves:
            if prune and best >= beta:
                break
            generated += 1
            board.push(move)
            value, reply = negamax(depth, ply + 1, -beta, -max(alpha, best))
            board.pop()
            if -value > best:
                best, line = -value, (move, *reply)
        return best, line

    value, line = negamax(depth, 0, -INF, INF)
    return Result(int(value), line[0] if line else None, line, generated, evaluated)
