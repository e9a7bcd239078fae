"""The table of named openings, as it is written in `data/opening_names.txt`."""

from functools import cache
from pathlib import Path

TABLE = Path(__file__).parents[1] / "data" / "opening_names.txt"


@cache
def opening_lines() -> list[tuple[str, str, list[str]]]:
    """ECO code, name and moves (SAN) of each opening.

    >>> opening_lines()[1]
    ('A00', 'Dunst Opening', ['Nc3'])
    """
    lines = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            head, _, moves = line.partition(": ")
            code, _, name = head.partition(" ")
            lines.append((code, name, moves.split()))
    return lines
