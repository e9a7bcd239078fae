"""The hand-written stubs and the compiled modules say the same."""

import ast
import inspect
import types
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

import cythera
from cythera.errors import CytheraError

PACKAGE = Path(cythera.__file__).parent
STUB = ast.parse((PACKAGE / "_core_generic.pyi").read_text(encoding="utf-8"))
OPERATORS = {"__bool__", "__eq__", "__hash__", "__len__"}  # slots: always there, no signature


@pytest.fixture(params=["generic", "v3", "v4"])
def module(request):
    if request.param == "v4" and not import_module("cythera._cpu").supports_v4():
        pytest.skip("this CPU does not run the x86-64-v4 build")
    return pytest.importorskip(f"cythera._core_{request.param}")


def definitions(body):
    """Name -> node for what a stub's body defines, names of type checking left out."""
    found = {}
    for node in body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node
    return {name: node for name, node in found.items() if not name.startswith("_") or name.startswith("__")}


def is_marked(node, decorator):
    return any(isinstance(mark, ast.Name) and mark.id == decorator for mark in node.decorator_list)


def written(node):
    """A stub's signature as (name, kind, default) triples; a default `...` is not told."""
    args, kinds = node.args, inspect.Parameter
    rows = [(arg.arg, kinds.POSITIONAL_OR_KEYWORD) for arg in args.posonlyargs + args.args]
    defaults = [kinds.empty] * (len(rows) - len(args.defaults)) + [ast.literal_eval(value) for value in args.defaults]
    rows = [(*row, default) for row, default in zip(rows, defaults, strict=True)]
    if args.vararg:
        rows.append((args.vararg.arg, kinds.VAR_POSITIONAL, kinds.empty))
    for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        rows.append((arg.arg, kinds.KEYWORD_ONLY, kinds.empty if value is None else ast.literal_eval(value)))
    return rows


def compiled(function, node):
    told = {name for name, _, default in written(node) if default is not ...}
    rows = inspect.signature(function).parameters.values()
    return [(row.name, row.kind, row.default if row.name in told else ...) for row in rows]


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_the_stub_and_the_module_have_the_same_names(module):
    assert public(definitions(STUB.body)) == public(
        name for name, value in vars(module).items() if not isinstance(value, types.ModuleType)
    )


def test_functions_have_the_same_signatures(module):
    for name, node in definitions(STUB.body).items():
        if isinstance(node, ast.FunctionDef):
            assert compiled(getattr(module, name), node) == written(node), name


@pytest.mark.parametrize(
    "name", [node.name for node in STUB.body if isinstance(node, ast.ClassDef) and node.name[0] != "_"]
)
def test_classes_have_the_same_methods_properties_and_signatures(module, name):
    node = next(node for node in STUB.body if isinstance(node, ast.ClassDef) and node.name == name)
    members, there = definitions(node.body), vars(getattr(module, name))
    if any(isinstance(base, ast.Name) and base.id == "NamedTuple" for base in node.bases):
        assert getattr(module, name)._fields == tuple(members)
    assert public(members) == public(there)
    for member, inner in members.items():
        if isinstance(inner, ast.AnnAssign) or is_marked(inner, "property"):
            assert inspect.isdatadescriptor(there[member]), member
        elif is_marked(inner, "classmethod"):
            assert compiled(getattr(getattr(module, name), member), inner) == written(inner)[1:], f"{name}.{member}"
        elif member == "__init__" or member in OPERATORS:
            assert member in there or "__new__" in there  # a constructor without __init__ has only __cinit__
        else:
            assert compiled(there[member], inner) == written(inner), f"{name}.{member}"


def test_constructors_take_what_the_stub_says(module):
    board = module.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1", chess960=True)
    assert board.chess960
    with pytest.raises(TypeError):
        module.Board(None, True)
    with pytest.raises(TypeError):
        module.Board(nonsense=1)


def test_build_info_has_the_keys_the_stub_says(module):
    node = next(node for node in STUB.body if isinstance(node, ast.ClassDef) and node.name == "_BuildInfo")
    stubbed = {inner.target.id: inner.annotation.id for inner in node.body}
    assert {key: type(value).__name__ for key, value in module.build_info().items()} == stubbed


def test_the_cpu_module_answers_with_a_bool():
    cpu = import_module("cythera._cpu")
    assert isinstance(cpu.supports_v3(), bool)
    assert isinstance(cpu.supports_v4(), bool)
    assert cpu.supports_v3() or not cpu.supports_v4()


@pytest.mark.skipif(not Path("/proc/cpuinfo").exists(), reason="needs /proc/cpuinfo")
def test_the_cpu_module_finds_what_the_kernel_says_of_avx512():
    words = set(Path("/proc/cpuinfo").read_text().split())
    needed = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512_vnni", "avx2", "bmi2"}
    assert import_module("cythera._cpu").supports_v4() == (needed <= words)


@pytest.mark.parametrize(("v3", "v4", "best"), [(False, False, "generic"), (True, False, "v3"), (True, True, "v4")])
def test_the_best_build_that_the_cpu_runs_is_chosen(monkeypatch, v3, v4, best):
    from cythera import core

    monkeypatch.delenv("CYTHERA_VARIANT", raising=False)
    cpu = SimpleNamespace(supports_v3=lambda: v3, supports_v4=lambda: v4)
    monkeypatch.setattr(core, "_cpu", cpu)
    assert core.choose_variant() == best


def test_a_build_that_is_missing_is_replaced_by_the_next_best(monkeypatch):
    from cythera import core

    asked = []

    def only_generic(name, fromlist=()):
        asked.append(name)
        if name != "cythera._core_generic":
            raise ImportError(name)
        return name

    monkeypatch.delenv("CYTHERA_VARIANT", raising=False)
    monkeypatch.setattr(core, "__import__", only_generic, raising=False)
    assert core.load("v4") == "cythera._core_generic"
    assert asked == ["cythera._core_v4", "cythera._core_v3", "cythera._core_generic"]
    monkeypatch.setenv("CYTHERA_VARIANT", "v4")
    with pytest.raises(CytheraError, match="v4 build"):
        core.load("v4")


def test_the_package_says_it_is_typed():
    assert (PACKAGE / "py.typed").exists()
    assert {path.name for path in PACKAGE.glob("*.pyi")} >= {
        "_core_generic.pyi",
        "_core_v3.pyi",
        "_core_v4.pyi",
        "_cpu.pyi",
    }
