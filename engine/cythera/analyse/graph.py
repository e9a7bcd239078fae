"""The evaluation over a game as an SVG picture: White's expected score, with the errors marked."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH, HEIGHT = 720, 150
COLOURS = {"inaccuracy": "#d9a514", "mistake": "#e07b1f", "blunder": "#d03a3a", "missed mate": "#8b5cd6"}

STYLE = """
.evaluation .above{fill:var(--white,#f4f4f1)}.evaluation .below{fill:var(--black,#5b616b)}
.evaluation .curve{fill:none;stroke:#2f6fde;stroke-width:1.5;vector-effect:non-scaling-stroke}
.evaluation .level{stroke:#8a919c;stroke-width:1;stroke-dasharray:4 4;vector-effect:non-scaling-stroke}
"""


def curve(expectations: Sequence[float]) -> list[tuple[float, float]]:
    """The points of the curve: Black's win is at the bottom.

    >>> curve([0.5, 1.0, 0.0])
    [(0.0, 75.0), (360.0, 0.0), (720.0, 150.0)]
    """
    steps = max(1, len(expectations) - 1)
    return [
        (round(WIDTH * at / steps, 1), round(HEIGHT * (1 - value), 1) + 0.0) for at, value in enumerate(expectations)
    ]


def draw_graph(expectations: Sequence[float], words: Sequence[tuple[int, str]] = ()) -> str:
    """The picture; `words` are positions (by number) whose move has a word."""
    points = curve(expectations)
    path = "L".join(f"{x:g} {y:g}" for x, y in points)
    end = f"{points[-1][0]:g} {points[-1][1]:g}"
    marks = "".join(
        f'<circle cx="{points[at][0]:g}" cy="{points[at][1]:g}" r="4.5" fill="{COLOURS[word]}" stroke="#fff">'
        f"<title>{word}</title></circle>"
        for at, word in words
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="evaluation" viewBox="0 -6 {WIDTH} {HEIGHT + 12}" '
        f'width="100%" role="img" aria-label="evaluation over the game"><style>{STYLE}</style>'
        f'<rect class="below" width="{WIDTH}" height="{HEIGHT}"/>'
        f'<path class="above" d="M0 {HEIGHT}L{path}L{end[: end.index(" ")]} {HEIGHT}Z"/>'
        f'<path class="level" d="M0 {HEIGHT / 2:g}H{WIDTH}"/><path class="curve" d="M{path}"/>{marks}</svg>'
    )
