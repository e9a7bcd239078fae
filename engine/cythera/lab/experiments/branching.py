"""The effective branching factor of alpha-beta, by the order of moves, against b, √b and the 33 % of the notes.

As Knuth and Moore define it ("An Analysis of Alpha-Beta Pruning", 1975), it is the d-th root of the leaves
visited by a search of d plies. Textbooks also say which power of minimax's leaves is visited: b^(d/2) in the
best order, about b^(3d/4) in a random one.
"""

from __future__ import annotations

import math

from cythera.common.plot import Series, line_plot
from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.minimax import minimax
from cythera.lab.algorithms.ordering import best_first, shuffled, urgent_first, worst_first
from cythera.lab.experiments.report import Report
from cythera.lab.game import AnyGame
from cythera.lab.games.chess import Chess
from cythera.lab.games.connect4 import ConnectFour
from cythera.lab.games.othello import Othello
from cythera.lab.search import Search
from cythera.lab.texts import say

CHESS_FEN = "r1bq1rk1/pp3ppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9"
ORDERS = ("best", "urgent", "random", "worst")
PLIES = 2
NOTES_SHARE = 0.33  # of b, which the notes give as what a good order achieves


def games(deeper: int) -> list[tuple[AnyGame, int]]:
    return [(ConnectFour(), 4 + deeper), (Othello(6), 4 + deeper), (Chess(CHESS_FEN), 1 + deeper)]


def branching(seed: int, size: int | None) -> Report:
    """Leaves and effective branching factors; `size` adds plies to the depths, 2 for those of the document."""
    orders = {"best": best_first, "urgent": urgent_first, "random": shuffled(seed), "worst": worst_first}
    rows, series = [], []
    for game, depth in games(size or PLIES):
        whole = minimax(Search(game, depth)).leaves
        width = whole ** (1 / depth)
        found = {name: alphabeta(Search(game, depth, order=orders[name])).leaves for name in ORDERS}
        for name in ORDERS:
            factor = found[name] ** (1 / depth)
            power = math.log(found[name]) / math.log(whole)
            cells = [f"{found[name]:,}", f"{factor:.2f}", f"{factor / width:.0%}", f"{power:.2f}"]
            rows.append([game.name, str(depth), say(f"x.branching.{name}"), *cells])
        root = f"{width**0.5:.2f}"
        rows.append([game.name, str(depth), "minimax", f"{whole:,}", f"{width:.2f}", f"√b = {root}", "1.00"])
        points = [(float(index), found[name] ** (1 / depth) / width) for index, name in enumerate(ORDERS)]
        series.append(Series(game.name, points))
    series.append(Series("33 %", [(0.0, NOTES_SHARE), (len(ORDERS) - 1.0, NOTES_SHARE)], is_dashed=True))
    heads = [
        say(f"x.branching.head_{name}") for name in ("game", "depth", "order", "leaves", "factor", "share", "power")
    ]
    return Report(
        say("x.branching.title"),
        heads,
        rows,
        [say("x.branching.remark")],
        line_plot(
            say("x.branching.plot"), say("x.branching.x"), say("x.branching.y"), series,
            names_x=[say(f"x.branching.{name}") for name in ORDERS],
        ),
    )  # fmt: skip
