"""The direction of the Python packages: every import, also a lazy or type-only one, goes down or sideways, and
there are no cycles."""

import ast
from pathlib import Path

import cythera
from cythera.cli.commands import COMMANDS
from cythera.cli.tune import TOOLS

ROOT = Path(cythera.__file__).parent
HERE = Path(__file__).parent

# From the bottom up. A package (or module of the top level) may import from its own layer and those below; within a
# layer there may be no cycle.
LAYERS = (
    ("errors", "_cpu", "_core_generic"),
    ("common",),
    ("core",),
    ("tables",),
    ("board", "net"),
    ("engine",),
    ("uci", "match", "tuning", "training", "analyse", "explain", "lab", "games"),
    ("api", "arrays"),  # the public Engine: engine, analyse and explain together; games as arrays
    ("web", "cli", "notebook"),
    ("__init__", "__main__"),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
EVERYWHERE = {"__version__"}  # what any module may import from the package itself


def modules(root=ROOT):
    """Dotted name below the package -> tree of each module."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imported(tree, package="cythera"):
    """(line, dotted name below the package) of each import of the package in a module; relative ones are refused."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == package or alias.name.startswith(package + "."):
                    yield node.lineno, alias.name.partition(".")[2] or "__init__"
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"line {node.lineno}: a relative import; write the whole name"
            if node.module == package:
                for alias in node.names:
                    if alias.name not in EVERYWHERE:
                        yield node.lineno, alias.name
            elif (node.module or "").startswith(package + "."):
                yield node.lineno, node.module.partition(".")[2]


def graph():
    """Package -> {imported package: "module:line" of one such import}."""
    edges = {}
    for name, tree in modules().items():
        package = name.partition(".")[0]
        for line, target in imported(tree):
            target = target.partition(".")[0]
            if target not in LEVEL and target in cythera.__all__:  # `from cythera import Engine`
                target = "__init__"
            if target != package:
                edges.setdefault(package, {}).setdefault(target, f"{name}:{line}")
    return edges


def cycle_in(edges):
    """One cycle as a list of names, or None."""
    state = {}

    def visit(name, trail):
        if state.get(name) == "done":
            return None
        if name in trail:
            return [*trail[trail.index(name) :], name]
        for target in edges.get(name, ()):
            if found := visit(target, [*trail, name]):
                return found
        state[name] = "done"
        return None

    return next((found for name in edges if (found := visit(name, []))), None)


def test_every_package_has_its_layer():
    there = {name.partition(".")[0] for name in modules()}
    assert there - set(LEVEL) == set(), "name the layer of a new package in LAYERS"
    assert {"engine", "uci", "api", "cli", "web", "common", "board", "net"} <= there


def test_imports_go_down_or_sideways():
    wrong = [
        f"{where}: {package} imports {target}"
        for package, targets in graph().items()
        for target, where in targets.items()
        if LEVEL[target] > LEVEL[package]
    ]
    assert wrong == []


def test_there_is_no_cycle_of_packages():
    assert cycle_in(graph()) is None


def test_a_class_has_a_name_of_its_own():
    """So that a name in a traceback or a search result leads to one place. The lab is a world of its own."""
    homes = {}
    for name, tree in modules().items():
        if name.partition(".")[0] != "lab":
            for node in tree.body:
                if isinstance(node, ast.ClassDef):
                    homes.setdefault(node.name, []).append(name)
    assert len(homes) > 200
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_a_module_has_a_name_of_its_own():
    """Commands (`cli/`) and requests of the page (`web/requests/`) are named after the subject they serve, and the lab
    is a world of its own; every other module is the only one of its name."""
    homes = {}
    for name in modules():
        if not name.startswith(("cli.", "lab.", "web.requests.")) and "." in name:
            homes.setdefault(name.rpartition(".")[2], []).append(name)
    assert len(homes) > 100
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_tests_mirror_the_packages():
    """`tests/search` tests the search of the compiled core, `tests/support` has helpers; data has no code."""
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    folders = {path.parent.name for path in HERE.glob("*/test_*.py")}
    assert folders - {"search"} == packages - {"data"}


def test_every_command_is_a_module_of_cli():
    """A command parses, calls and prints in one place: `cli/NAME.py`."""
    homes = {name: module for name, (module, _) in COMMANDS.items()}
    homes |= {f"tune_{name}": module for name, (module, _) in TOOLS.items()}
    assert homes == {name: f"cythera.cli.{name}" for name in homes}
    outside = [name for name, tree in modules().items() if not name.startswith(("cli.", "__main__", "uci.", "web."))
               and any(isinstance(node, ast.Import) and node.names[0].name == "argparse" for node in ast.walk(tree))]
    assert outside == []


def test_the_reader_sees_lazy_and_type_only_imports():
    text = (
        "import cythera.board.position\nfrom cythera import core, __version__\nTYPE_CHECKING = False\n"
        "if TYPE_CHECKING:\n    from cythera.web import app\n\n\ndef f():\n    from cythera.lab.view import html\n"
    )
    names = [name for _, name in imported(ast.parse(text))]
    assert names == ["board.position", "core", "web", "lab.view"]


def test_a_cycle_is_found_if_there_is_one():
    assert cycle_in({"a": {"b": ""}, "b": {"c": ""}, "c": {"a": ""}}) == ["a", "b", "c", "a"]
    assert cycle_in({"a": {"b": "", "c": ""}, "b": {"c": ""}}) is None
