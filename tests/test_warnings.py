"""Warnings: our own are errors in the tests, those of dependencies are not."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEST = """
import warnings


def test_it():
    warnings.warn_explicit("some warning", {category}, "file.py", 1, module={module!r})
"""


@pytest.mark.parametrize(
    ("category", "module", "is_error"),
    [("UserWarning", "cythera.engine.engine_base", True), ("ResourceWarning", "cythera.web", True),
     ("UserWarning", "numpy.core", False), ("DeprecationWarning", "chess.engine", False),
     ("DeprecationWarning", "cythera.engine.engine_base", False)],
)  # fmt: skip
def test_only_warnings_of_our_own_are_errors(tmp_path, category, module, is_error):
    if not (ROOT / "pyproject.toml").exists():
        pytest.skip("the settings are not here")
    path = tmp_path / "test_warning.py"
    path.write_text(TEST.format(category=category, module=module), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path)]
    done = subprocess.run([*command, "-p", "no:cacheprovider", str(path)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == (1 if is_error else 0), done.stdout + done.stderr
