"""The lab in a notebook: functions whose results show themselves as drawings, tables and plots.

>>> compare("two-ply", ["minimax", "alphabeta"])
algorithm  value  exact?  move  generated  leaves
---------  -----  ------  ----  ---------  ------
minimax        3  exact      1         13       9
alphabeta      3  exact      1         11       7
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from cythera.common.plot import Series, line_plot
from cythera.lab.algorithms import ALGORITHMS, find_algorithm
from cythera.lab.algorithms.ordering import ordering
from cythera.lab.errors import LabError
from cythera.lab.experiments import find_experiment
from cythera.lab.experiments.report import Report
from cythera.lab.game import AnyGame
from cythera.lab.games import make_game
from cythera.lab.games.tree_text import parse_tree
from cythera.lab.search import AnySearch, Options, Result, Search
from cythera.lab.tables import figures, plain_table
from cythera.lab.texts import say
from cythera.lab.view.recorder import Recorder
from cythera.lab.view.strategy import draw_strategies
from cythera.lab.view.svg import MOST_NODES, draw_svg
from cythera.lab.view.words import show_value


class Picture:
    """An SVG picture that a notebook shows; elsewhere its text."""

    def __init__(self, svg: str, text: str) -> None:
        self.svg = svg
        self.text = text

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return self.text


class Table:
    """A table that a notebook shows; elsewhere as plain text."""

    def __init__(self, heads: Sequence[str], rows: Sequence[Sequence[str]], title: str = "") -> None:
        self.heads = heads
        self.rows = rows
        self.title = title

    def _repr_html_(self) -> str:
        right = figures(self.heads, self.rows)
        aligned = ['style="text-align:right"' if to_right else 'style="text-align:left"' for to_right in right]

        def line(cells: Sequence[str], tag: str) -> str:
            parts = (f"<{tag} {style}>{escape(cell)}</{tag}>" for cell, style in zip(cells, aligned, strict=True))
            return f"<tr>{''.join(parts)}</tr>"

        caption = f"<caption>{escape(self.title)}</caption>" if self.title else ""
        body = "".join(line(row, "td") for row in self.rows)
        return f"<table>{caption}<thead>{line(self.heads, 'th')}</thead><tbody>{body}</tbody></table>"

    def __repr__(self) -> str:
        table = plain_table(self.heads, self.rows)
        return f"{self.title}\n\n{table}" if self.title else table


def game_of(game: str | AnyGame) -> AnyGame:
    """A game by its name, as a tree in parentheses, or as it is."""
    if not isinstance(game, str):
        return game
    return parse_tree(game) if game.lstrip().startswith("(") or "/" in game.split(":")[0] else make_game(game)


def search_of(game: str | AnyGame, depth: int | None, order: str, seed: int, watcher: Any = None) -> AnySearch:
    rules = game_of(game)
    return Search(
        rules,
        rules.default_depth if depth is None else depth,
        order=ordering(order, seed),
        watcher=watcher,
        options=Options(seed=seed),
    )


def run(
    algorithm: str, game: str | AnyGame, depth: int | None = None, order: str = "natural", seed: int = 1
) -> Result[Any, Any]:
    """The result of one search.

    >>> run("alphabeta", "3 12 8 / 2 x y / 14 5 2").leaves
    7
    """
    return find_algorithm(algorithm).run(search_of(game, depth, order, seed))


def draw(
    algorithm: str, game: str | AnyGame, depth: int | None = None, order: str = "natural", seed: int = 1
) -> Picture:
    """The tree that a search walked.

    >>> draw("alphabeta", "two-ply")
    value 3, move 1 · 11 nodes generated, 7 leaves evaluated
    """
    entry = find_algorithm(algorithm)
    recorder = Recorder(entry.view, MOST_NODES)
    search = search_of(game, depth, order, seed, recorder)
    trace = recorder.trace(search, entry.run(search), algorithm)
    return Picture(draw_svg(trace), trace.summary)


def strategies(game: str | AnyGame, player: str = "both", depth: int | None = None) -> Picture:
    """A best strategy of max, of min, or both and the game in which they meet."""
    trace = draw_strategies(search_of(game, depth, "natural", 1), player)
    return Picture(draw_svg(trace), trace.summary)


def compare(
    game: str | AnyGame,
    algorithms: Iterable[str] = (),
    depth: int | None = None,
    order: str = "natural",
    seed: int = 1,
) -> Table:
    """Algorithms side by side; all that fit the game if none are named."""
    rules = game_of(game)
    rows = []
    for name in algorithms or ALGORITHMS:
        entry = find_algorithm(name)
        if entry.objection(rules):
            continue
        try:
            search = search_of(rules, depth, order, seed)
            result = entry.run(search)
        except LabError:
            continue
        move = "" if result.move is None else rules.action_name(result.move)
        rows.append(
            [
                name,
                show_value(result.value),
                entry.exactness(search, result),
                move,
                f"{result.generated:,}",
                f"{result.leaves:,}",
            ]
        )
    heads = ("algorithm", "value", "exact", "move", "generated", "leaves")
    return Table([say(f"table.{head}") for head in heads], rows)


def plot(title: str, x_name: str, y_name: str, lines: dict[str, Sequence[tuple[float, float]]], **how: Any) -> Picture:
    """Lines by name."""
    series = [Series(name, points) for name, points in lines.items()]
    return Picture(line_plot(title, x_name, y_name, series, **how), f"{title}: {', '.join(lines)}")


def experiment(name: str, size: int | None = None, seed: int = 1) -> Table:
    """The table of one of the experiments."""
    report: Report = find_experiment(name)(seed, size)
    return Table(report.heads, report.rows, report.title)
