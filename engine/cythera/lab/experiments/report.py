"""What an experiment hands back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cythera.lab.tables import markdown_table, plain_table


@dataclass(frozen=True)
class Report:
    """A table with a title, remarks in sentences, and perhaps a plot as SVG."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    remarks: Sequence[str] = field(default_factory=tuple)
    plot: str | None = None

    def text(self) -> str:
        """For the terminal.

        >>> print(Report("Title", ["a"], [["1"]], ["Remark."]).text())
        Title
        <BLANKLINE>
        a
        -
        1
        <BLANKLINE>
        Remark.
        """
        return "\n\n".join([self.title, plain_table(self.heads, self.rows), *self.remarks])

    def markdown(self) -> str:
        """The table for docs/lab.md."""
        return markdown_table(self.heads, self.rows)
