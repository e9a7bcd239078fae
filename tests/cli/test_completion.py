"""Shell completion answers from the parsers of the commands."""

import argparse

import pytest

from cythera.__main__ import main
from cythera.cli.commands import COMMANDS
from cythera.cli.completion import SHELLS, candidates


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_completed_and_offers_its_options(name):
    assert name in candidates([name[:-1]])
    offered = candidates([name, "--h"]) if name != "tune" else candidates(["tune", "search", "--h"])
    assert "--help" in offered


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["match", "--order", ""], ["random", "sequential"]),
        (["tune", "s"], ["search"]),
        (["completion", ""], ["bash", "fish", "zsh"]),
        (["match", "--openings", ""], []),
        (["nonsense", ""], []),
    ],
)
def test_values_and_subcommands_are_offered_and_files_are_left_to_the_shell(words, found):
    assert candidates(words) == found


def test_completion_leaves_the_parser_as_it_was():
    before = argparse.ArgumentParser.parse_args
    candidates(["match", "--"])
    assert argparse.ArgumentParser.parse_args is before


@pytest.mark.parametrize("shell", sorted(SHELLS))
def test_a_script_is_printed_for_each_shell(shell, capsys):
    assert main(["completion", shell]) == 0
    assert "cythera completion --words" in capsys.readouterr().out
