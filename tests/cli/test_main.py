"""The command itself: help, pipes that close, unknown words."""

import subprocess
import sys

import pytest

from cythera.cli.commands import COMMANDS


def cythera(*words, **options):
    return subprocess.run([sys.executable, "-m", "cythera", *words], capture_output=True, text=True, **options)


def test_help_lists_every_command():
    text = cythera("--help").stdout
    assert all(f"cythera {name}" in text for name in COMMANDS)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize("words", ["--help", "match --help", "tunables", "perft 2 --divide"])
def test_a_reader_that_leaves_early_sees_no_traceback(words):
    command = f"{sys.executable} -m cythera {words} | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stderr == ""


def test_bench_has_help_and_refuses_nonsense_with_a_sentence():
    assert "signature" in cythera("bench", "--help").stdout
    done = cythera("bench", "x")
    assert (done.returncode, done.stderr) == (2, "cythera bench: depth of bench must be between 1 and 60, got 'x'\n")
