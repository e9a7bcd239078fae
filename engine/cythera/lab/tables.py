"""Tables for the terminal: plain text, or in colour on a terminal with `rich`."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def plain_table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool] | None = None) -> str:
    """A table in plain text. Columns of figures are set to the right, or those that `right` says.

    >>> print(plain_table(["algorithm", "leaves"], [["minimax", "9"], ["alphabeta", "7"]]))
    algorithm  leaves
    ---------  ------
    minimax         9
    alphabeta       7
    """
    right = right or figures(heads, rows)
    widths = [max(len(cell) for cell in column) for column in zip(heads, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(cells, widths, right, strict=True)
        )
        return "  ".join(padded).rstrip()

    return "\n".join([line(heads), "  ".join("-" * width for width in widths), *map(line, rows)])


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The same for a document.

    >>> print(markdown_table(["algorithm", "leaves"], [["minimax", "9"]]))
    | algorithm | leaves |
    |---|---:|
    | minimax | 9 |
    """
    rules = ["---:" if to_right else "---" for to_right in figures(heads, rows)]
    lines = [heads, *rows]
    texts = ["| " + " | ".join(cells) + " |" for cells in lines]
    return "\n".join([texts[0], "|" + "|".join(rules) + "|", *texts[1:]])


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints a table, in colour on a terminal."""
    if sys.stdout.isatty():
        try:
            from rich import box
            from rich.console import Console
            from rich.table import Table
            from rich.text import Text
        except ImportError:
            pass
        else:
            table = Table(box=box.SIMPLE_HEAD, header_style="bold")
            for head, to_right in zip(heads, figures(heads, rows), strict=True):
                table.add_column(head, justify="right" if to_right else "left")
            for row in rows:
                table.add_row(*(Text(cell) for cell in row))
            Console().print(table)
            return
    print(plain_table(heads, rows))


def figures(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[bool]:
    """Which columns hold nothing but numbers (and gaps)."""
    return [
        bool(rows) and all(not cell.strip("−-–") or cell.lstrip("−-+±")[:1].isdigit() for cell in column)
        for _, *column in zip(heads, *rows, strict=True)
    ]
