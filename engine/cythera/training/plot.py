"""The losses of a run as SVG, without a plotting library. Pure: numbers in, text out."""

import math
from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 70, 16, 34, 34
LINES = {"training": "training", "validation": "validation", "validation_files": "files"}  # where there are any

STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #444 }
  .name { font-weight: 600; fill: #111 }
  .frame { fill: none; stroke: #ccc }
  .grid { stroke: #e5e5e5 }
  .line { fill: none; stroke-width: 1.8 }
  .training { stroke: #1668b8; fill: #1668b8 }
  .validation { stroke: #c2570c; fill: #c2570c }
  .validation_files { stroke: #2f8a3c; fill: #2f8a3c }
  .line.training, .line.validation, .line.validation_files { fill: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #bbb } .name { fill: #eee } .frame { stroke: #555 } .grid { stroke: #333 }
    .training { stroke: #6cb3ff; fill: #6cb3ff } .validation { stroke: #ff9d5c; fill: #ff9d5c }
    .validation_files { stroke: #6fce7d; fill: #6fce7d }
  }
"""


def ticks(low: float, high: float) -> list[float]:
    """Some four to ten round numbers between two others.

    >>> ticks(0.0121, 0.0158)
    [0.0125, 0.013, 0.0135, 0.014, 0.0145, 0.015, 0.0155]
    """
    rough = (high - low) / 4
    size = 10.0 ** math.floor(math.log10(rough))
    step = max(size * factor for factor in (1, 2, 5) if size * factor <= rough)
    return [round(step * at, 12) for at in range(math.ceil(low / step), math.floor(high / step) + 1)]


def plot(history: Sequence[Mapping[str, float]], title: str) -> str:
    """Training and validation losses by epoch. The first rows tower above the others and are cut off."""
    lines = {line: name for line, name in LINES.items() if line in history[-1]}
    values = [row[line] for row in history[min(1 + len(history) // 10, len(history) - 1) :] for line in lines]
    low, high = min(values), max(values)
    room = 0.08 * (high - low) or 0.01 * high or 1.0
    low, high = low - room, high + room
    first, last = history[0]["epoch"], history[-1]["epoch"]
    inner_width, inner_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(epoch: float) -> float:
        return LEFT + inner_width * (epoch - first) / ((last - first) or 1.0)

    def y(value: float) -> float:
        return TOP + inner_height * (1 - (value - low) / (high - low))

    parts = [f'<text class="name" x="{LEFT}" y="20">{escape(title)}</text>']
    for value in ticks(low, high):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.6g}</text>')
    for at, (line, name) in enumerate(lines.items()):
        points = " ".join(f"{x(row['epoch']):.1f},{y(min(row[line], high)):.1f}" for row in history)
        across = WIDTH - RIGHT - 90 * (len(lines) - at)
        parts.append(f'<polyline class="line {line}" points="{points}"/>')
        parts.append(f'<rect class="{line}" x="{across}" y="14" width="14" height="3"/>')
        parts.append(f'<text x="{across + 19}" y="20">{name}</text>')
    parts.append(f'<rect class="frame" x="{LEFT}" y="{TOP}" width="{inner_width}" height="{inner_height}"/>')
    parts.append(f'<text x="{LEFT}" y="{HEIGHT - 12}">epoch {first:.3g}</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 12}" text-anchor="end">{last:.3g}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">\n'
        f"<style>{STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"
    )
