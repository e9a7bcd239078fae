"""The parameters of a tuning run over time as a plot."""

from collections.abc import Sequence

from cythera.common.plot import Panel, panel_plot
from cythera.tuning.spsa import Parameter


def plot(parameters: Sequence[Parameter], history: Sequence[Sequence[float]], iterations: int) -> str:
    """A small panel for each parameter as SVG; rows of `history` are iteration, then values."""
    panels = []
    for column, parameter in enumerate(parameters, 1):
        panels.append(panel_of(parameter, [(row[0], row[column]) for row in history]))
    return panel_plot("search parameters by pairs of games", panels, max(1, iterations), f"{iterations} pairs")


def panel_of(parameter: Parameter, track: Sequence[tuple[float, float]]) -> Panel:
    values = [value for _, value in track]
    room = max(max(values) - min(values), parameter.step) * 0.15
    return Panel(
        name=parameter.name,
        note=f"{parameter.default:g} → {values[-1]:.1f}",
        points=track,
        level=parameter.default,
        low=max(parameter.low, min(*values, parameter.default) - room),
        high=min(parameter.high, max(*values, parameter.default) + room),
    )
