"""What the documents say is so: doctests, the README's examples with their output, links, paths."""

import argparse
import ast
import doctest
import pkgutil
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import cythera
from cythera.cli.completion import parser_of

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
# Packages whose doctests are run by their own tests.
ELSEWHERE = ("cythera.lab", "cythera.match", "cythera.notebook", "cythera.training.torch_reference", "cythera.web")
MODULES = [
    module.name
    for module in pkgutil.walk_packages(cythera.__path__, "cythera.")
    if not module.name.startswith((*ELSEWHERE, "cythera._")) and not module.name.endswith("__main__")
]


def blocks_of(document, language):
    return re.findall(rf"^```{language}\n(.*?)^```", document.read_text(encoding="utf-8"), re.M | re.S)


def having(language):
    return [document for document in DOCUMENTS if blocks_of(document, language)]


@pytest.mark.parametrize("name", MODULES)
def test_doctests_hold_in(name):
    failed, _ = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0


@pytest.mark.parametrize("document", having("pycon"), ids=lambda path: path.name)
def test_the_python_examples_print_what_the_document_says(document):
    """The examples of a document follow each other: names stay."""
    runner = doctest.DocTestRunner()
    names = {}
    for block in blocks_of(document, "pycon"):
        test = doctest.DocTestParser().get_doctest(block, names, document.name, document.name, 0)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.summarize().failed == 0


@pytest.mark.parametrize("document", having("python"), ids=lambda path: path.name)
def test_python_that_is_not_run_imports_what_exists(document):
    """Examples that need files are not run, but what they import and the attributes they use are there."""
    for block in blocks_of(document, "python"):
        modules = {}
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.Import):
                modules.update({alias.asname or alias.name: import_module(alias.name) for alias in node.names})
            elif isinstance(node, ast.ImportFrom):
                modules.update({alias.asname or alias.name: imported(node.module, alias.name) for alias in node.names})
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                assert hasattr(modules[node.value.id], node.attr), f"{node.value.id}.{node.attr}"


def imported(module, name):
    found = getattr(import_module(module), name, None)
    return import_module(f"{module}.{name}") if found is None else found


COMMAND = re.compile(r"^(?:\$ )?(cythera (?:[^\n]*\\\n)*[^\n]*)", re.M)


def commands_of(document):
    """The commands in a document, in blocks and in the text; what stands behind three spaces or `#` is a remark."""
    text = document.read_text(encoding="utf-8")
    for block in re.findall(r"^```(?:sh|console)?\n(.*?)^```", text, re.M | re.S):
        for command in COMMAND.findall(block):
            yield re.split(r"   |#", re.sub(r"\\\n\s*", "", command))[0]
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    yield from re.findall(r"`(cythera [a-z][^`\n]*)`", prose)


def test_the_documents_show_many_commands():
    assert sum(1 for document in DOCUMENTS for _ in commands_of(document)) >= 60


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_have_the_options_they_are_shown_with(document):
    for command in commands_of(document):
        try:
            words = shlex.split(command)[1:]
        except ValueError:
            words = command.split()[1:]
        options = [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]
        parser = parser_of(words)
        if parser is None:  # UCI commands have no parser
            assert not options or words[0] in ("bench", "help"), command
            continue
        known = {text for one in with_subparsers(parser) for action in one._actions for text in action.option_strings}
        assert set(options) <= known, f"{command}: {', '.join(set(options) - known)}"


def with_subparsers(parser):
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from with_subparsers(below)


def test_the_commands_of_the_readme_print_what_it_says():
    blocks = blocks_of(ROOT / "README.md", "console")
    assert blocks
    for block in blocks:
        prompt, _, output = block.partition("\n")
        program, *args = prompt.removeprefix("$ ").split()
        assert program == "cythera"
        done = subprocess.run([sys.executable, "-m", program, *args], capture_output=True, text=True)
        assert (done.returncode, without_times(done.stdout)) == (0, without_times(output))


def without_times(text):
    return re.sub(r"\d+\.\d+", "#.#", text)


def test_the_readme_has_one_command_to_test_and_one_to_run():
    assert len(re.findall(r"^pip install .* && pytest$", README, re.M)) == 1
    assert len(re.findall(r"^pip install \. && cythera$", README, re.M)) == 1


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_paths_lead_somewhere(document):
    text = document.read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#]+)", prose):
        assert target.startswith("https://") or (document.parent / target).exists(), target
    for path in re.findall(r"(?<![\w/])(?:bench|tests|ext|docs|engine)/[\w/.]+\.(?:py|pyx|pxi|pyi|md|txt)\b", text):
        assert (ROOT / path).exists(), path


def test_the_version_is_told_once_and_everywhere_the_same():
    from importlib.metadata import version

    assert version("cythera") == cythera.__version__


def test_every_search_feature_is_explained():
    from cythera.core import FEATURES

    text = " ".join((ROOT / "docs" / "techniques.md").read_text(encoding="utf-8").lower().split())
    assert len(FEATURES) > 40
    assert [name for name in FEATURES if name not in text] == []


@pytest.mark.source
def test_no_line_uses_a_word_that_does_not_belong_here():
    from support import words

    assert words.findings() == []
