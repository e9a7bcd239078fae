"""What does iterative deepening cost, against a single search to the same depth?"""

from __future__ import annotations

from cythera.common.plot import Series, line_plot
from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.deepening import deepening
from cythera.lab.algorithms.table import alphabeta_table
from cythera.lab.experiments.report import Report
from cythera.lab.games.connect4 import ConnectFour
from cythera.lab.search import Search
from cythera.lab.texts import say

DEEPEST = 7


def cost(seed: int, size: int | None) -> Report:
    """Nodes generated on the empty Connect Four board, for depths up to `size`. Nothing random in it."""
    depths = range(1, (size or DEEPEST) + 1)
    plain, table, total, last = ([] for _ in range(4))  # type: list[int], list[int], list[int], list[int]
    for depth in depths:
        plain.append(alphabeta(Search(ConnectFour(), depth)).generated)
        table.append(alphabeta_table(Search(ConnectFour(), depth)).generated)
        deepened = deepening(Search(ConnectFour(), depth))
        total.append(deepened.generated)
        last.append(int(deepened.notes["last"]))
    rows = [
        [
            str(depth),
            f"{plain[i]:,}",
            f"{table[i]:,}",
            f"{total[i]:,}",
            f"{last[i]:,}",
            f"{total[i] / last[i]:.2f}",
            f"{total[i] / table[i]:.2f}",
        ]
        for i, depth in enumerate(depths)
    ]
    names = ("plain", "table", "total", "last")
    series = [
        Series(say(f"x.cost.{name}"), list(zip(depths, counts, strict=True)))
        for name, counts in zip(names, (plain, table, total, last), strict=True)
    ]
    heads = ("plain", "table", "deepening", "its_last", "of_last", "of_single")
    return Report(
        say("x.cost.title"),
        [say("x.depth"), *(say(f"x.cost.{head}") for head in heads)],
        rows,
        [say("x.cost.remark_last"), say("x.cost.remark_single")],
        line_plot(say("x.cost.plot"), say("x.plies"), say("x.nodes"), series, log_y=True),
    )
