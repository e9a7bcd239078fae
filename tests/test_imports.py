"""Import rules: what starts fast stays fast, and the core knows nothing of the package."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

HEAVY = {
    "numpy", "chess", "rich", "argparse", "asyncio", "dataclasses", "typing", "logging", "torch", "distributed",
    "starlette", "uvicorn", "websockets",
}  # fmt: skip
FAST = ["cythera", "cythera.core", "cythera.errors", "cythera.board.position", "cythera.uci.program"]


def modules_after(code):
    """Names of the modules a fresh, bare interpreter has loaded after running `code`."""
    code += "\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize("name", FAST)
def test_the_fast_path_imports_nothing_heavy(name):
    before = modules_after("")
    assert not (modules_after(f"import {name}") - before) & HEAVY


def test_import_cythera_alone_does_not_load_the_core():
    assert not any("_core_" in name for name in modules_after("import cythera"))


def test_names_of_the_package_are_loaded_when_first_used():
    loaded = modules_after("import cythera; cythera.Position().push('e2e4')")
    assert "cythera.board.position" in loaded
    assert not loaded & {"numpy", "chess", "rich", "argparse"}


def test_an_unknown_name_is_an_attribute_error():
    import cythera

    with pytest.raises(AttributeError, match="module 'cythera' has no attribute 'nonsense'"):
        _ = cythera.nonsense
    assert set(cythera.__all__) <= set(dir(cythera))


@pytest.mark.parametrize("variant", ["generic", "v3", "v4"])
def test_the_core_imports_nothing_of_the_package(variant):
    spec = find_spec(f"cythera._core_{variant}")
    if spec is None:
        pytest.skip(f"the {variant} build is not installed")
    if variant != "generic":
        from cythera import _cpu

        if not getattr(_cpu, f"supports_{variant}")():
            pytest.skip(f"this CPU does not run the {variant} build")
    loaded = modules_after(
        "from importlib.util import module_from_spec, spec_from_file_location\n"
        f"spec = spec_from_file_location('_core_{variant}', {spec.origin!r})\n"
        "core = module_from_spec(spec); spec.loader.exec_module(core)\n"
        "assert core.Board().perft(3) == 8902"
    )
    assert {name for name in loaded if name.split(".")[0] == "cythera"} <= {f"cythera._core_{variant}"}


def test_only_the_facade_imports_a_build_of_the_core():
    import ast
    from pathlib import Path

    import cythera

    for path in Path(cythera.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else []
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if any("_core_" in name for name in [*names, module]):
                assert path.name == "core.py", f"{path} imports a build of the core"


def test_matches_never_load_the_core():
    import pkgutil

    from cythera import match

    names = [module.name for module in pkgutil.walk_packages(match.__path__, "cythera.match.")]
    assert "cythera.match.referee" in names and "cythera.match.uci.process" in names
    loaded = modules_after("\n".join(f"import {name}" for name in names))
    assert set(names) <= loaded
    assert not {name for name in loaded if "_core_" in name or name == "cythera.core"}


def test_the_engine_never_loads_the_tuning_games():
    for name in FAST:
        assert "cythera.tuning.in_process" not in modules_after(f"import {name}")
