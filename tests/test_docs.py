"""What the documents say is so: doctests, the README's examples with their output, links, paths."""

import doctest
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import cythera

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
# Packages whose doctests are run by their own tests.
ELSEWHERE = ("cythera.lab", "cythera.match", "cythera.training.torch_reference", "cythera.web")
MODULES = [
    module.name
    for module in pkgutil.walk_packages(cythera.__path__, "cythera.")
    if not module.name.startswith((*ELSEWHERE, "cythera._")) and not module.name.endswith("__main__")
]


def fenced(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


@pytest.mark.parametrize("name", MODULES)
def test_doctests_hold_in(name):
    failed, _ = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_the_python_examples_of_the_readme_print_what_it_says():
    blocks = fenced("pycon")
    assert blocks
    runner = doctest.DocTestRunner()
    for block in blocks:
        runner.run(doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0))
    assert runner.summarize().failed == 0


def test_the_commands_of_the_readme_print_what_it_says():
    blocks = fenced("console")
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


@pytest.mark.source
def test_no_line_uses_a_word_that_does_not_belong_here():
    from support import words

    assert words.findings() == []
