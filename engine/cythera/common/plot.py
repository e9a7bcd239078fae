"""Line plots as SVG, in light and dark, without a plotting library. Pure: numbers in, text out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from cythera.common.style import FONT, themes

WIDTH_PX, HEIGHT_PX = 800, 440
LEFT_PX, RIGHT_PX, TOP_PX, BOTTOM_PX = 70, 205, 58, 54
LETTER_PX = 7.2  # about the width of a letter of a label
LABEL_PX = 16  # the least distance between two labels
COLOURS = ("max", "min", "chance", "cut", "violet", "muted")

# Small plots side by side
PANEL_WIDTH_PX, PANEL_HEIGHT_PX = 300, 150
PANEL_LEFT_PX, PANEL_RIGHT_PX, PANEL_TOP_PX, PANEL_BOTTOM_PX = 52, 12, 26, 20
PANEL_COLUMNS = 3

CSS = """
text{font-family:%(font)s;fill:var(--ink);font-size:13px}
.paper{fill:var(--paper)}
.title{font-size:16px;font-weight:600}
.axis{fill:var(--muted);font-size:12px}
.grid{stroke:var(--rule);stroke-width:1}
.line{fill:none;stroke-width:2.2;stroke-linejoin:round}
.thin{stroke-width:1.2;stroke-dasharray:5 4}
"""
PANEL_CSS = """
.name{font-weight:600}
.frame{fill:none;stroke:var(--rule)}
.level{stroke:var(--faint);stroke-dasharray:3 3}
"""


@dataclass(frozen=True)
class Series:
    name: str
    points: Sequence[tuple[float, float]]
    is_dashed: bool = False


@dataclass(frozen=True)
class Panel:
    """A small plot of one line: a name and a note above it, and a level to compare with."""

    name: str
    note: str
    points: Sequence[tuple[float, float]]
    level: float
    low: float  # of the axis
    high: float


def line_plot(
    title: str,
    x_name: str,
    y_name: str,
    series: Sequence[Series],
    *,
    log_x: bool = False,
    log_y: bool = False,
    names_x: Sequence[str] = (),
    range_y: tuple[float, float] | None = None,
) -> str:
    """A plot with the name of every line at its end; `names_x` stand at 0, 1, 2, … in the place of numbers. What is
    outside `range_y` is drawn at its edge; without it, the axis starts at zero. With `log_x` every x of the points
    has its number on the axis.

    >>> line_plot("t", "x", "y", [Series("a", [(1, 1), (2, 10)])], log_y=True).count("<polyline")
    1
    """
    xs = [x for line in series for x, _ in line.points]
    ys = [y for line in series for _, y in line.points]
    labels_px = max(RIGHT_PX, 26 + LETTER_PX * max(len(line.name) for line in series))
    end_px = WIDTH_PX - labels_px
    place_x = math.log10 if log_x else float
    scale_place = scale(place_x(min(xs)), place_x(max(xs)), LEFT_PX, end_px)

    def scale_x(x: float) -> float:
        return scale_place(place_x(x))

    bottom, top = range_y or (min(0, *ys), max(ys) * 1.05)
    if log_y:
        bottom, top = 0, math.ceil(math.log10(max(ys)))
    scale_level = scale(bottom, top, HEIGHT_PX - BOTTOM_PX, TOP_PX)

    def scale_y(y: float) -> float:
        return scale_level(math.log10(y) if log_y else min(max(y, bottom), top))

    ticks_y = [10**power for power in range(int(top) + 1)] if log_y else nice_ticks(bottom, top)
    parts = [
        *opening(title, WIDTH_PX, HEIGHT_PX),
        f'<text class="title" x="24" y="30">{escape(title)}</text>',
        *(draw_tick_y(tick, scale_y(tick), end_px) for tick in ticks_y),
        *(
            draw_tick_x(show_tick(tick), scale_x(tick))
            for tick in ([] if names_x else sorted(set(xs)) if log_x else ticks_x(xs))
        ),
        *(draw_tick_x(name, scale_x(index)) for index, name in enumerate(names_x)),
        f'<text class="axis" x="24" y="{TOP_PX - 10}">{escape(y_name)}</text>',
        f'<text class="axis" text-anchor="middle" x="{(LEFT_PX + end_px) / 2:g}" '
        f'y="{HEIGHT_PX - 14}">{escape(x_name)}</text>',
    ]
    ends = spread([scale_y(line.points[-1][1]) for line in series])
    for number, line in enumerate(series):
        points = [(scale_x(x), scale_y(y)) for x, y in line.points]
        parts.append(draw_line(line, points, COLOURS[number % len(COLOURS)], ends[number]))
    return "\n".join([*parts, "</svg>"])


def panel_plot(title: str, panels: Sequence[Panel], last_x: float, x_note: str) -> str:
    """Small plots in rows, with the same x axis from 0 to `last_x`."""
    columns = min(PANEL_COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    parts = opening(title, columns * PANEL_WIDTH_PX, rows * PANEL_HEIGHT_PX, PANEL_CSS)
    for at, panel in enumerate(panels):
        across, down = at % columns * PANEL_WIDTH_PX, at // columns * PANEL_HEIGHT_PX
        parts.append(f'<g transform="translate({across} {down})">{draw_panel(panel, last_x, x_note)}</g>')
    return "\n".join([*parts, "</svg>"])


def opening(title: str, width_px: int, height_px: int, css: str = "") -> list[str]:
    """How every plot begins: size, colours and background."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {width_px} {height_px}" '
        f'width="{width_px}" height="{height_px}" role="img" aria-label="{escape(title, quote=True)}">',
        f"<style>{themes('.plot')}{CSS % {'font': FONT}}{css}</style>",
        f'<rect class="paper" width="{width_px}" height="{height_px}"/>',
    ]


def scale(low: float, high: float, first_px: float, last_px: float) -> Callable[[float], float]:
    """A function from numbers to pixels."""
    span = (high - low) or 1
    return lambda value: first_px + (value - low) / span * (last_px - first_px)


def nice_ticks(low: float, high: float) -> list[float]:
    """Round numbers over a range, about five of them.

    >>> nice_ticks(0, 47)
    [0, 10, 20, 30, 40]
    """
    raw = (high - low) / 5 or 1
    power = 10 ** math.floor(math.log10(raw))
    step = next(step * power for step in (1, 2, 5, 10) if step * power >= raw)
    return [tick * step for tick in range(math.ceil(low / step), math.floor(high / step) + 1)]


def ticks_x(xs: Sequence[float]) -> list[float]:
    """Every whole number if they are few, else round ones."""
    whole = sorted({x for x in xs if x == int(x)})
    return whole if 2 <= len(whole) <= 12 else nice_ticks(min(xs), max(xs))


def spread(heights: Sequence[float]) -> list[float]:
    """Heights for labels, moved apart where they would touch, in the same order.

    >>> spread([100, 101, 200])
    [92.5, 108.5, 200.0]
    """
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    groups: list[list[int]] = []
    middles: list[float] = []
    for index in order:
        groups.append([index])
        middles.append(heights[index])
        while len(groups) > 1 and middles[-1] - middles[-2] < LABEL_PX * (len(groups[-1]) + len(groups[-2])) / 2:
            merged = groups[-2] + groups[-1]
            groups[-2:] = [merged]
            middles[-2:] = [sum(heights[member] for member in merged) / len(merged)]
    placed = dict.fromkeys(order, 0.0)
    for group, middle in zip(groups, middles, strict=True):
        for rank, member in enumerate(group):
            placed[member] = middle + LABEL_PX * (rank - (len(group) - 1) / 2)
    return [placed[index] for index in range(len(heights))]


def draw_line(line: Series, points: Sequence[tuple[float, float]], colour: str, label_y: float) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    thin = " thin" if line.is_dashed else ""
    drawn = f'<polyline class="line{thin}" style="stroke:var(--{colour})" points="{path}"/>'
    if not line.is_dashed and len(points) <= 20:
        drawn += "".join(f'<circle style="fill:var(--{colour})" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in points)
    x, y = points[-1]
    drawn += f'<path style="stroke:var(--{colour})" d="M{x + 5:.1f} {y:.1f}L{x + 16:.1f} {label_y:.1f}"/>'
    style = f'style="fill:var(--{colour})"'
    return drawn + f'<text {style} x="{x + 20:.1f}" y="{label_y + 4:.1f}">{escape(line.name)}</text>'


def draw_panel(panel: Panel, last_x: float, x_note: str) -> str:
    right, bottom = PANEL_WIDTH_PX - PANEL_RIGHT_PX, PANEL_HEIGHT_PX - PANEL_BOTTOM_PX
    scale_x = scale(0, last_x, PANEL_LEFT_PX, right)
    scale_y = scale(panel.low, panel.high, bottom, PANEL_TOP_PX)
    points = " ".join(f"{scale_x(x):.1f},{scale_y(y):.1f}" for x, y in panel.points)
    return (
        f'<text class="name" x="{PANEL_LEFT_PX}" y="17">{escape(panel.name)}</text>'
        f'<text class="axis" x="{right}" y="17" text-anchor="end">{escape(panel.note)}</text>'
        f'<rect class="frame" x="{PANEL_LEFT_PX}" y="{PANEL_TOP_PX}" width="{right - PANEL_LEFT_PX}" '
        f'height="{bottom - PANEL_TOP_PX}"/>'
        f'<path class="level" d="M{PANEL_LEFT_PX} {scale_y(panel.level):.1f}H{right}"/>'
        f'<text class="axis" x="{PANEL_LEFT_PX - 4}" y="{PANEL_TOP_PX + 9}" text-anchor="end">{panel.high:.4g}</text>'
        f'<text class="axis" x="{PANEL_LEFT_PX - 4}" y="{bottom}" text-anchor="end">{panel.low:.4g}</text>'
        f'<text class="axis" x="{right}" y="{PANEL_HEIGHT_PX - 6}" text-anchor="end">{escape(x_note)}</text>'
        f'<polyline class="line" style="stroke:var(--{COLOURS[0]})" points="{points}"/>'
    )


def draw_tick_y(tick: float, y: float, end_px: float) -> str:
    return (
        f'<path class="grid" d="M{LEFT_PX} {y:.1f}H{end_px:g}"/>'
        f'<text class="axis" text-anchor="end" x="{LEFT_PX - 8}" y="{y + 4:.1f}">{show_tick(tick)}</text>'
    )


def draw_tick_x(text: str, x: float) -> str:
    y = HEIGHT_PX - BOTTOM_PX + 20
    return f'<text class="axis" text-anchor="middle" x="{x:.1f}" y="{y}">{escape(text)}</text>'


def show_tick(tick: float) -> str:
    return f"{tick:,.10g}".replace("-", "−")
