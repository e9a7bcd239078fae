"""Every example in the lab's docstrings is true, and the lab stays small and self-contained."""

import ast
import doctest
import pkgutil
import sys
from importlib import import_module
from pathlib import Path

import pytest

import cythera.lab

MODULES = [module.name for module in pkgutil.walk_packages(cythera.lab.__path__, "cythera.lab.")]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_are_true(name: str) -> None:
    outcome = doctest.testmod(import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert outcome.failed == 0


FILES = sorted(Path(cythera.lab.__path__[0]).rglob("*.py"))
OUTSIDE = {"rich", "cythera.errors", "cythera.board.position", "cythera.core"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_lab_needs_the_standard_library_and_the_position_only(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            first = name.split(".")[0]
            inside = name.startswith(("cythera.lab", "cythera.common."))  # common needs the standard library only
            assert first in sys.stdlib_module_names or inside or {first, name} & OUTSIDE


def test_no_module_of_the_lab_is_too_large() -> None:
    code = [path for path in FILES if path.parent.name != "texts"]  # which are lists of sentences
    assert all(len(path.read_text(encoding="utf-8").splitlines()) < 500 for path in code)
