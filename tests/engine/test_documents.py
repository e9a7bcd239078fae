"""What docs/python-api.md and docs/levels.md say is so."""

import re
from pathlib import Path

import pytest

import cythera
from cythera import errors
from cythera.engine.levels import NAMES, ROWS

DOCS = Path(__file__).parents[2] / "docs"

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the documents are not here")


def test_every_exported_error_is_in_the_table_of_the_python_api():
    text = (DOCS / "python-api.md").read_text(encoding="utf-8")
    table = text[text.index("## Errors") :].split("\n## ")[0]
    exported = {name for name in cythera.__all__ if name.endswith("Error")}
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.M)) == exported
    raised = {name for name in vars(errors) if name.endswith("Error")}
    assert raised == exported, "what cythera.errors has is exported"


def test_the_table_of_levels_is_the_one_in_the_code():
    text = (DOCS / "levels.md").read_text(encoding="utf-8")
    for elo, nodes, lines, noise_cp in ROWS[:-1]:
        assert f"| {elo} | {nodes:,} | {lines} | {noise_cp:g} |" in text
    assert f"| {ROWS[-1][0]} | full strength" in text
    for name, elo in NAMES.items():
        assert f"{name} {elo}" in text or name == "full"
