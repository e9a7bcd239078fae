"""What docs/python-api.md and docs/levels.md say is so."""

import doctest
import re
from pathlib import Path

import pytest

from cythera.engine.levels import NAMES, ROWS

DOCS = Path(__file__).parents[2] / "docs"

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the documents are not here")


def test_the_examples_of_the_python_api_run_as_written():
    text = (DOCS / "python-api.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```", text, re.M | re.S)
    runner = doctest.DocTestRunner()
    names = {}
    for block in blocks:
        test = doctest.DocTestParser().get_doctest(block, names, "python-api.md", "python-api.md", 0)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert blocks and runner.summarize().failed == 0


def test_the_table_of_levels_is_the_one_in_the_code():
    text = (DOCS / "levels.md").read_text(encoding="utf-8")
    for elo, nodes, lines, noise_cp in ROWS[:-1]:
        assert f"| {elo} | {nodes:,} | {lines} | {noise_cp:g} |" in text
    assert f"| {ROWS[-1][0]} | full strength" in text
    for name, elo in NAMES.items():
        assert f"{name} {elo}" in text or name == "full"
