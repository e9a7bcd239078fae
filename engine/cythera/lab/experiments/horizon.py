"""The horizon effect: a search of fixed depth throws a pawn away, and two cures for it."""

from __future__ import annotations

from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.continuation import continuation
from cythera.lab.algorithms.ordering import urgent_first
from cythera.lab.algorithms.quiescence import quiescence
from cythera.lab.experiments.report import Report
from cythera.lab.games.chess import HORIZON_FEN, Chess
from cythera.lab.search import Search
from cythera.lab.texts import say
from cythera.lab.view.words import show_value

DEEPEST = 4


def horizon(seed: int, size: int | None) -> Report:
    """The move and value at each depth up to `size`, with material as evaluation. Nothing random in it."""
    rows = []
    for depth in range(1, (size or DEEPEST) + 1):
        row = [str(depth)]
        for algorithm in (alphabeta, continuation, quiescence):
            result = algorithm(Search(Chess(HORIZON_FEN), depth, order=urgent_first))
            row += [str(result.move), show_value(result.value)]
        rows.append(row)
    return Report(
        say("x.horizon.title", fen=HORIZON_FEN),
        [
            say("x.depth"),
            *("alpha-beta", "cp"),
            *(say("x.horizon.continuation"), "cp "),
            *(say("x.horizon.quiescence"), "cp  "),
        ],
        rows,
        [say("x.horizon.remark")],
    )
