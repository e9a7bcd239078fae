"""How many leaves do the algorithms visit on random trees, by depth?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cythera.common.plot import Series, line_plot
from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.minimal_tree import minimal_leaves
from cythera.lab.algorithms.minimax import minimax
from cythera.lab.algorithms.ordering import best_first, worst_first
from cythera.lab.algorithms.scout import scout
from cythera.lab.algorithms.sss import sss
from cythera.lab.experiments.report import Report
from cythera.lab.games.trees import TreeGame, random_tree
from cythera.lab.search import Ordering, Result, Search
from cythera.lab.texts import say

BRANCHING = 3
DEPTHS = range(1, 9)
TREES = 10

RUNNERS: dict[str, tuple[Callable[[Search[Any, Any]], Result[float, Any]], Ordering | None]] = {
    "minimax": (minimax, None),
    "alpha-beta, worst order": (alphabeta, worst_first),
    "SCOUT, random order": (scout, None),
    "alpha-beta, random order": (alphabeta, None),
    "SSS*, random order": (sss, None),
    "alpha-beta, best order": (alphabeta, best_first),
}

KEYS = ("minimax", "worst", "scout", "alphabeta", "sss", "best")  # of their names, in the same order


def leaves(seed: int, size: int | None) -> Report:
    """The mean number of leaves over `size` uniform trees of each depth. Same seed, same trees."""
    trees = size or TREES
    means: dict[str, list[float]] = {name: [] for name in RUNNERS}
    for depth in DEPTHS:
        grown = [random_tree(BRANCHING, depth, seed + number, values=10**6) for number in range(trees)]
        for name, (algorithm, order) in RUNNERS.items():
            means[name].append(sum(count_leaves(tree, algorithm, order) for tree in grown) / trees)
    minimal = [minimal_leaves(BRANCHING, depth) for depth in DEPTHS]
    names = dict(zip(RUNNERS, (say(f"x.leaves.{key}") for key in KEYS), strict=True))
    rows = [[names[name], *(f"{count:,.0f}" for count in counts)] for name, counts in means.items()]
    rows.append(["b^⌈d/2⌉ + b^⌊d/2⌋ − 1", *(f"{count:,}" for count in minimal)])
    series = [Series(names[name], list(zip(DEPTHS, counts, strict=True))) for name, counts in means.items()]
    return Report(
        say("x.leaves.title", branching=BRANCHING, trees=trees),
        [say("x.depth"), *(str(depth) for depth in DEPTHS)],
        rows,
        [say("x.leaves.remark")],
        line_plot(
            say("x.leaves.plot", branching=BRANCHING), say("x.plies"), say("x.leaves.leaves"), series, log_y=True
        ),
    )


def count_leaves(
    tree: TreeGame, algorithm: Callable[[Search[Any, Any]], Result[float, Any]], order: Ordering | None
) -> int:
    return algorithm(Search(tree, order=order)).leaves
