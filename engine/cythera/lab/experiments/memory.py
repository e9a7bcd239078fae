"""Leaves and memory of SSS* and its relatives: what a limit on the memory costs."""

from __future__ import annotations

from cythera.common.plot import Series, line_plot
from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.intersss import intersss
from cythera.lab.algorithms.mem import mem
from cythera.lab.algorithms.recsss import recsss
from cythera.lab.algorithms.sss import sss
from cythera.lab.experiments.report import Report
from cythera.lab.games.trees import random_tree
from cythera.lab.search import Search
from cythera.lab.texts import say

BRANCHING, DEPTH, TREES = 4, 6, 10
LIMITS = (1, 8, 16, 32, 64, 128)


def memory(seed: int, size: int | None) -> Report:
    """Means over `size` random trees: leaves visited, and the most states or nodes held at once."""
    count = size or TREES
    trees = [random_tree(BRANCHING, DEPTH, seed + number, values=10**6) for number in range(count)]

    def mean(numbers: list[float]) -> float:
        return sum(numbers) / len(numbers)

    plain = [alphabeta(Search(tree)) for tree in trees]
    best = [sss(Search(tree)) for tree in trees]
    recursive = [recsss(Search(tree)) for tree in trees]
    rows = [
        ["alpha-beta", "–", f"{mean([r.leaves for r in plain]):,.0f}", str(DEPTH + 1)],
        ["SSS*", "–", f"{mean([r.leaves for r in best]):,.0f}", f"{mean([r.notes['open'] for r in best]):.0f}"],
        [
            "RecSSS*", "–", f"{mean([r.leaves for r in recursive]):,.0f}",
            f"{mean([r.notes['kept'] for r in recursive]):.0f}",
        ],
    ]  # fmt: skip
    series = []
    for name, algorithm, held in (("InterSSS*", intersss, "open"), ("Mem*", mem, "kept")):
        points = []
        for limit in LIMITS:
            results = [algorithm(Search(tree), memory=limit) for tree in trees]
            leaves = mean([result.leaves for result in results])
            rows.append([name, str(limit), f"{leaves:,.0f}", f"{mean([r.notes[held] for r in results]):.0f}"])
            points.append((float(limit), leaves))
        series.append(Series(name, points))
    ends = (float(LIMITS[0]), float(LIMITS[-1]))
    for name, results in (("alpha-beta", plain), ("SSS*", best)):
        level = mean([result.leaves for result in results])
        series.append(Series(name, [(end, level) for end in ends], is_dashed=True))
    return Report(
        say("x.memory.title", branching=BRANCHING, depth=DEPTH, trees=count),
        [say("x.memory.algorithm"), say("x.memory.limit"), say("x.memory.leaves"), say("x.memory.held")],
        rows,
        [say("x.memory.remark")],
        line_plot(say("x.memory.plot"), say("x.memory.x"), say("x.memory.leaves"), series),
    )
