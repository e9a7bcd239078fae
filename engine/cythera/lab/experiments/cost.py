"""What does iterative deepening cost, against a single search to the same depth?"""

from __future__ import annotations

from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.deepening import deepening
from cythera.lab.algorithms.table import alphabeta_table
from cythera.lab.experiments.report import Report
from cythera.lab.games.connect4 import ConnectFour
from cythera.lab.search import Search
from cythera.lab.view.plot import Series, line_plot

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
    lines = {"alpha-beta": plain, "with a table": table, "deepening, all of it": total, "deepening, last search": last}
    series = [Series(name, list(zip(depths, counts, strict=True))) for name, counts in lines.items()]
    return Report(
        "Nodes generated on the empty Connect Four board",
        ["depth", "alpha-beta", "with a table", "deepening", "its last search", "of last", "of single"],
        rows,
        [
            "“of last”: all searches of iterative deepening, as a multiple of the last one.",
            "“of single”: the same as a multiple of one search with a table to that depth, which had no "
            "earlier search to learn the order of moves from. Below 1, deepening came free.",
        ],
        line_plot("The cost of iterative deepening, Connect Four", "depth in plies", "nodes", series, log_y=True),
    )
