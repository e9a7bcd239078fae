"""What docs/analyse.md says is so."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support.sample_games import OPERA

from cythera import GameAnalysis, MoveAnalysis
from cythera.analyse.game_analysis import SideSummary
from cythera.analyse.judge import NAGS, WORDS
from cythera.core import EXIT_REASONS
from cythera.explain.explanation import Explanation
from cythera.explain.tree import SearchTree, TreeNode

DOCUMENT = Path(__file__).parents[2] / "docs" / "analyse.md"

pytestmark = pytest.mark.skipif(not DOCUMENT.exists(), reason="the documents are not here")


@pytest.fixture(scope="module")
def text():
    return DOCUMENT.read_text(encoding="utf-8")


def live_examples():
    """The commands of the document whose output stands below them."""
    command = r"cythera (?:analyse opera|analyse --fen|explain \"r1)[^\n]*"
    return re.findall(rf"^```\n\$ ({command})\n(.*?)^```", read(), re.M | re.S)


def read():
    return DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else ""


@pytest.mark.parametrize("number", range(3))
def test_the_output_shown_is_the_output_of_today(number, tmp_path):
    """With CYTHERA_REGENERATE=1 the document is rewritten instead."""
    command, shown = live_examples()[number]
    (tmp_path / "opera.pgn").write_text(OPERA, encoding="utf-8")
    words = [sys.executable, "-m", "cythera", *shlex.split(command)[1:]]
    environment = {**os.environ, "COLUMNS": "110"}
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=300)
    lines = [line.rstrip() for line in done.stdout.splitlines() if "per second" not in line]
    printed = "\n".join(lines).strip("\n") + "\n"
    assert done.returncode == 0, done.stderr
    if os.environ.get("CYTHERA_REGENERATE"):
        DOCUMENT.write_text(read().replace(f"$ {command}\n{shown}```", f"$ {command}\n{printed}```"), encoding="utf-8")
    else:
        assert printed == shown
    if (tmp_path / "annotated.pgn").exists():
        check_excerpt((tmp_path / "annotated.pgn").read_text(encoding="utf-8"))


def check_excerpt(annotated):
    """The part of the annotated game that the document shows, its first error with the better line, is as shown."""
    (shown,) = re.findall(r"in the order of the input:\n\n```\n(.*?)\n```", read(), re.S)
    excerpt = re.findall(r"\d+\.+ \S+\s+\$[246]\s+\{ \[%eval [^}]*(?:Inaccuracy|Mistake|Blunder)[^}]*\}\s+\([^)]*\)",
                         annotated)[0]  # fmt: skip
    if os.environ.get("CYTHERA_REGENERATE"):
        DOCUMENT.write_text(read().replace(shown, excerpt), encoding="utf-8")
    else:
        assert shown == excerpt


def test_the_words_have_the_thresholds_of_the_code(text):
    signs = {6: "?!", 2: "?", 4: "??"}
    for least, word in WORDS:
        assert f"| {word} | {signs[NAGS[word]]} | {least:.2f} and more |" in text


def test_names_in_the_tables_exist(text):
    for kind in (GameAnalysis, MoveAnalysis, SideSummary, Explanation, SearchTree):
        row = next(line for line in text.splitlines() if f"`{kind.__name__}` |" in line)
        for name in re.findall(r"`(\w+)(?:\(\))?`", row.split("|")[-2]):
            assert name in kind.__dataclass_fields__ or hasattr(kind, name), f"{kind.__name__}.{name}"
    table = text[text.index("| of a node |") :].split("\n\n")[0]
    columns = [line.split("|")[1] for line in table.splitlines()[2:]]
    named = {name for column in columns for name in re.findall(r"`(\w+)`", column)}
    assert named == set(TreeNode.__dataclass_fields__)
    assert all(f"`{verdict}`" in text for verdict in EXIT_REASONS)
