"""What Cython makes of the core: no hot function takes the GIL, raises or touches an object."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FORBIDDEN = (
    "PyGILState_Ensure",
    "__Pyx_PyGILState_Ensure",
    "PyErr_Occurred",
    "PyErr_SetString",
    "__Pyx_ErrOccurredWithGIL",
    "__Pyx_WriteUnraisable",
    "__Pyx_RaiseBufferIndexError",
    "__Pyx_INCREF",
    "__Pyx_DECREF",
    "__Pyx_XDECREF",
    "__Pyx_GetModuleGlobalName",
)
FUNCTION = re.compile(r"^static [^;{}]*?__pyx_f_\w*?_core_generic_(\w+)\([^;{}]*\) \{\n(.*?)^\}", re.M | re.S)
NOGIL = re.compile(r"^cdef [^\n(]*?(\w+)\((?:[^()]|\([^()]*\))*\) noexcept nogil:", re.M)
# Once per iteration, and in a long search once per root move and per bound, on purpose.
TAKES_THE_GIL = {"report_iteration", "report_root_move", "report_bound_found"}

pytestmark = pytest.mark.source


def translate(build, debug=""):
    """The core as Cython translates it afresh; a hint of Cython's fails."""
    pytest.importorskip("Cython")
    shutil.copytree(ROOT / "ext", build / "ext")
    (build / "engine").mkdir()
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        (build / name).write_bytes((ROOT / name).read_bytes())
    environment = {**os.environ, "CYTHERA_VARIANTS": "generic", "CYTHERA_DEBUG": debug}
    done = subprocess.run(
        [sys.executable, "setup.py", "--version"], cwd=build, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return (build / "build" / "stubs" / "_core_generic.c").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    """C function -> body, for every `nogil` function of the core."""
    return dict(FUNCTION.findall(translate(tmp_path_factory.mktemp("translated"))))


def test_the_debug_build_translates_without_hints_too(tmp_path):
    assert "CYTHERA_DEBUG" in translate(tmp_path, debug="1")


def nogil_names():
    names = set()
    for part in (ROOT / "ext").glob("*.pxi"):
        names.update(NOGIL.findall(part.read_text(encoding="utf-8")))
    return names


def forbidden_in(body):
    return [word for word in FORBIDDEN if re.search(rf"\b{word}\b", body)]


def test_no_hot_function_takes_the_gil_raises_or_touches_an_object(functions):
    hot = nogil_names() & set(functions)
    assert len(hot) > 40
    wrong = {name: found for name in hot - TAKES_THE_GIL if (found := forbidden_in(functions[name]))}
    assert not wrong


def test_the_check_notices_functions_that_do(functions):
    assert forbidden_in(functions["find_move"])  # works on a str
    assert all(forbidden_in(functions[name]) for name in TAKES_THE_GIL & set(functions))


def test_hot_functions_are_found_by_name(functions):
    assert {"make_for", "enumerate_moves", "attackers_to", "see_at_least", "is_legal"} <= nogil_names() & set(functions)
