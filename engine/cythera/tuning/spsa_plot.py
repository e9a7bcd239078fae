"""A plot of parameters over time as SVG, without a plotting library. Pure: numbers in, text out."""

from collections.abc import Sequence
from html import escape

from cythera.tuning.spsa import Parameter

PANEL_WIDTH, PANEL_HEIGHT = 300, 150
MARGIN_LEFT, MARGIN_RIGHT, MARGIN_TOP, MARGIN_BOTTOM = 52, 12, 26, 20
COLUMNS = 3

STYLE = """
  text { font: 11px system-ui, sans-serif; fill: #444 }
  .name { font-weight: 600; fill: #111 }
  .frame { fill: none; stroke: #ccc }
  .start { stroke: #bbb; stroke-dasharray: 3 3 }
  .line { fill: none; stroke: #1668b8; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #bbb } .name { fill: #eee } .frame { stroke: #555 } .start { stroke: #777 } .line { stroke: #6cb3ff }
  }
"""


def plot(parameters: Sequence[Parameter], history: Sequence[Sequence[float]], iterations: int) -> str:
    """A small panel for each parameter; rows of `history` are iteration, then values."""
    columns = min(COLUMNS, len(parameters))
    rows = -(-len(parameters) // columns)
    width, height = columns * PANEL_WIDTH, rows * PANEL_HEIGHT
    panels = []
    for at, parameter in enumerate(parameters):
        across, down = (at % columns) * PANEL_WIDTH, (at // columns) * PANEL_HEIGHT
        track = [(row[0], row[at + 1]) for row in history]
        panels.append(f'<g transform="translate({across} {down})">{_panel(parameter, track, iterations)}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
        f"<style>{STYLE}</style>\n" + "\n".join(panels) + "\n</svg>\n"
    )


def _panel(parameter: Parameter, track: Sequence[tuple[float, float]], iterations: int) -> str:
    values = [value for _, value in track]
    room = max(max(values) - min(values), parameter.step) * 0.15
    low = max(parameter.low, min(*values, parameter.default) - room)
    high = min(parameter.high, max(*values, parameter.default) + room)
    inner_width = PANEL_WIDTH - MARGIN_LEFT - MARGIN_RIGHT
    inner_height = PANEL_HEIGHT - MARGIN_TOP - MARGIN_BOTTOM

    def x(iteration: float) -> float:
        return MARGIN_LEFT + inner_width * iteration / max(1, iterations)

    def y(value: float) -> float:
        return MARGIN_TOP + inner_height * (1 - (value - low) / ((high - low) or 1))

    points = " ".join(f"{x(iteration):.1f},{y(value):.1f}" for iteration, value in track)
    start = y(parameter.default)
    right, bottom = PANEL_WIDTH - MARGIN_RIGHT, PANEL_HEIGHT - MARGIN_BOTTOM
    return "".join(
        [
            f'<text class="name" x="{MARGIN_LEFT}" y="17">{escape(parameter.name)}</text>',
            f'<text x="{right}" y="17" text-anchor="end">{parameter.default:g} → {values[-1]:.1f}</text>',
            f'<rect class="frame" x="{MARGIN_LEFT}" y="{MARGIN_TOP}" width="{inner_width}" height="{inner_height}"/>',
            f'<line class="start" x1="{MARGIN_LEFT}" x2="{right}" y1="{start:.1f}" y2="{start:.1f}"/>',
            f'<text x="{MARGIN_LEFT - 4}" y="{MARGIN_TOP + 9}" text-anchor="end">{high:.4g}</text>',
            f'<text x="{MARGIN_LEFT - 4}" y="{bottom}" text-anchor="end">{low:.4g}</text>',
            f'<text x="{right}" y="{PANEL_HEIGHT - 6}" text-anchor="end">{iterations} pairs</text>',
            f'<polyline class="line" points="{points}"/>',
        ]
    )
