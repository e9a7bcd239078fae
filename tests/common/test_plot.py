"""Plots as SVG."""

import xml.etree.ElementTree as ET
from itertools import pairwise

from cythera.common.plot import (
    BOTTOM_PX,
    HEIGHT_PX,
    LABEL_PX,
    PANEL_HEIGHT_PX,
    TOP_PX,
    Panel,
    Series,
    line_plot,
    nice_ticks,
    panel_plot,
    spread,
    ticks_x,
)

SVG = "{http://www.w3.org/2000/svg}"


def lines_of(picture):
    """The points of each line of a picture, in pixels."""
    lines = ET.fromstring(picture).iter(f"{SVG}polyline")
    return [[tuple(map(float, point.split(","))) for point in line.get("points").split()] for line in lines]


def test_a_plot_is_well_formed_and_labels_keep_apart():
    plot = line_plot("t", "x", "y", [Series("a<b", [(1, 1), (2, 900)]), Series("c", [(1, 2), (2, 901)])], log_y=True)
    assert "a<b" in {text.text for text in ET.fromstring(plot).iter(f"{SVG}text")}
    heights = spread([10, 11, 12, 13, 300])
    assert all(b - a >= LABEL_PX for a, b in pairwise(sorted(heights)))


def test_what_is_outside_the_range_is_drawn_at_its_edge():
    (points,) = lines_of(line_plot("t", "x", "y", [Series("a", [(1, 90), (2, 5), (3, -90)])], range_y=(0, 10)))
    assert [y for _, y in points] == [TOP_PX, (TOP_PX + HEIGHT_PX - BOTTOM_PX) / 2, HEIGHT_PX - BOTTOM_PX]


def test_ticks_are_a_few_round_numbers():
    for low, high in ((0.0121, 0.0158), (0, 47), (-3, 5), (1e6, 3e6)):
        ticks = nice_ticks(low, high)
        assert 3 <= len(ticks) <= 7 and all(low <= tick <= high for tick in ticks)
    assert ticks_x([1, 2, 3]) == [1, 2, 3] and len(ticks_x([0.1, 0.2, 0.35])) >= 2


def test_panels_stand_in_rows_and_draw_a_line_each():
    panels = [Panel(f"p{i}", "5 → 7", [(0, 5), (10, 5 + i)], 5, 0, 10) for i in range(5)]
    picture = panel_plot("t", panels, 10, "10 pairs")
    lines = lines_of(picture)
    assert len(lines) == 5 and lines[0][0][1] == lines[0][1][1] and lines[4][0][1] > lines[4][1][1]
    assert ET.fromstring(picture).get("height") == str(2 * PANEL_HEIGHT_PX)


def test_long_names_of_lines_have_room_beside_the_plot():
    name = "a name that needs more room than most"
    plot = ET.fromstring(line_plot("t", "x", "y", [Series(name, [(0, 1), (5, 2)])]))
    (label,) = [text for text in plot.iter() if text.text == name]
    assert float(label.get("x")) + 7 * len(name) <= float(plot.get("width"))


def test_on_a_logarithmic_axis_equal_ratios_are_equally_far_apart_and_every_point_has_its_number():
    plot = line_plot("t", "x", "y", [Series("a", [(20, 1), (60, 2), (180, 3)])], log_x=True)
    ((first, _), (second, _), (third, _)) = lines_of(plot)[0]
    assert abs((second - first) - (third - second)) < 0.2
    assert all(f">{number}<" in plot for number in (20, 60, 180))
