"""The lessons in docs/notebooks run, and what they show is what running them shows."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from support.notebooks import execute, run_cell

from cythera.lab.notebook import compare, draw, game_of, run, strategies

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def shown(notebook):
    """What each cell printed and returned, as text."""
    return [
        ["".join(output.get("text", output.get("data", {}).get("text/plain", []))) for output in cell["outputs"]]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def test_there_are_three_lessons():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_lesson_runs_and_shows_what_is_printed_in_it(path):
    kept = json.loads(path.read_text(encoding="utf-8"))
    fresh = execute(path)
    assert shown(fresh) == shown(kept)
    pictures = [
        "".join(output["data"]["image/svg+xml"])
        for cell in fresh["cells"]
        for output in cell.get("outputs", [])
        if "image/svg+xml" in output.get("data", {})
    ]
    assert len(pictures) >= 2
    for picture in pictures:
        ET.fromstring(picture)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_lesson_is_a_notebook_of_format_4_with_words_between_the_code(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4 and notebook["metadata"]["kernelspec"]["name"] == "python3"
    kinds = [cell["cell_type"] for cell in notebook["cells"]]
    assert kinds[0] == "markdown" and kinds.count("markdown") >= 5
    assert all({"id", "metadata", "source"} <= set(cell) for cell in notebook["cells"])


def test_an_error_in_a_cell_is_not_hidden():
    with pytest.raises(ZeroDivisionError):
        run_cell("1 / 0", {}, "cell")
    assert run_cell("print(1)\n2 + 2", {}, "cell")[1]["data"]["text/plain"] == ["4"]


def test_the_functions_for_notebooks_take_names_and_trees_and_show_themselves():
    assert run("minimax", "3 12 8 / 2 4 6 / 14 5 2").value == 3
    assert game_of("((1 2) (3 4))").players == 2
    assert "<table>" in compare("two-ply", ["minimax"])._repr_html_()
    for picture in (draw("sss", "four-ply"), strategies("two-ply", "max")):
        ET.fromstring(picture._repr_svg_())
