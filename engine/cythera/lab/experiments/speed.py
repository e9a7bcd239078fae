"""How deep a speed reaches: the engine beside the figures of the notes.

With b moves at each node, N positions reach a depth of log N / log b by minimax and, in the best order,
twice that by alpha-beta. What an engine reaches beyond comes from pruning, which makes its effective
branching factor smaller than √b.
"""

from __future__ import annotations

import math
import time

from cythera.common.plot import Series, line_plot
from cythera.lab.experiments.report import Report
from cythera.lab.texts import say

CHESS_WIDTH = 35  # moves in a middle game
MOVE_S = 180  # three minutes for a move, as in the notes' tournaments
DEPTH = 18  # to which the engine is measured
HASH_MIB = 64
NOTES = (("x.speed.slow", 1_000), ("x.speed.fast", 10_000), ("x.speed.deep_blue", 200_000_000))
POSITIONS = (
    "r1bq1rk1/pp3ppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NP3/1BN1B3/PPP1QPPP/R4RK1 w - - 0 12",
    "2r2rk1/1bqnbppp/p2p1n2/1p2p3/4P3/1NN1BP2/PPPQB1PP/R4RK1 w - - 0 14",
)


def measured(depth: int) -> tuple[float, float]:
    """Positions per second of processor time, and the mean of positions searched to a depth, one thread.

    Only the first depends on the machine.
    """
    from cythera.board.position import Position
    from cythera.core import Searcher

    searcher = Searcher(HASH_MIB)
    nodes = 0
    started = time.thread_time()  # the search runs in this thread; what else the machine does is not counted
    for fen in POSITIONS:
        searcher.clear()
        searcher.go(Position(fen), depth=depth)
        nodes += searcher.nodes
    return nodes / (time.thread_time() - started), nodes / len(POSITIONS)


def reach(positions: float, factor: float) -> float:
    """The depth that this many positions reach with a branching factor.

    >>> round(reach(35**4, 35), 6)
    4.0
    """
    return math.log(positions) / math.log(factor)


def speed(seed: int, size: int | None) -> Report:
    """The depth that each speed reaches in three minutes; the engine is measured to a depth of `size`."""
    depth = size or DEPTH
    rate, searched = measured(depth)
    rate = round(rate)
    own_factor = searched ** (1 / depth)
    rows, reached = [], []
    for key, per_second in (*NOTES, ("x.speed.cythera", rate)):
        positions = per_second * MOVE_S
        minimax, best = reach(positions, CHESS_WIDTH), 2 * reach(positions, CHESS_WIDTH)
        own = reach(positions, own_factor)
        reached.append((per_second, (minimax, best, own)))
        rows.append([say(key), f"{per_second:,.0f}", f"{minimax:.1f}", f"{best:.1f}", f"{own:.0f}"])
    heads = [say(f"x.speed.head_{name}") for name in ("program", "rate", "minimax", "best", "own")]
    remark = say(
        "x.speed.remark", factor=f"{own_factor:.2f}", root=f"{CHESS_WIDTH**0.5:.1f}", depth=depth,
        nodes=f"{searched:,.0f}",
    )  # fmt: skip
    reached.sort()
    series = [
        Series(say(f"x.speed.head_{name}"), [(per_second, depths[i]) for per_second, depths in reached])
        for i, name in enumerate(("minimax", "best", "own"))
    ]
    plot = line_plot(
        say("x.speed.plot", seconds=MOVE_S), say("x.speed.head_rate"), say("x.depth"), series, log_x=True
    )  # fmt: skip
    return Report(say("x.speed.title", width=CHESS_WIDTH, seconds=MOVE_S), heads, rows, [remark], plot)
