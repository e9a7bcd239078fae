"""The losses of a training run as a plot."""

from collections.abc import Mapping, Sequence

from cythera.common.plot import Series, line_plot

LINES = {"training": "training", "validation": "validation", "validation_files": "files"}  # where there are any


def plot(history: Sequence[Mapping[str, float]], title: str) -> str:
    """Training and validation losses by epoch as SVG. The first rows tower above the others and are cut off."""
    lines = {line: name for line, name in LINES.items() if line in history[-1]}
    values = [row[line] for row in history[min(1 + len(history) // 10, len(history) - 1) :] for line in lines]
    low, high = min(values), max(values)
    room = 0.08 * (high - low) or 0.01 * high or 1.0
    series = [Series(name, [(row["epoch"], row[line]) for row in history]) for line, name in lines.items()]
    return line_plot(title, "epoch", "loss", series, range_y=(low - room, high + room))
