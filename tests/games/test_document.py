"""docs/games.md: its Python examples and commands work on a file of games."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

import cythera
from cythera.__main__ import main

DOCUMENT = Path(__file__).parents[2] / "docs" / "games.md"
ENDING = '[FEN "8/8/8/4k3/8/8/r3P3/4K2R w - - 0 1"]\n'
PLAYED = {
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be2 e6 7. O-O Be7": "",
    "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Nf3 Be7 5. Bf4 O-O 6. e3 Nbd7 7. Qc2 c6": "",
    "1. Rh5+ Kd4 2. Rh4+ Kc3 3. Rh3+ Kc4": ENDING,
}


def game(number: int) -> str:
    moves, tags = list(PLAYED.items())[number % 3]
    tags += f'[White "Carlsen, M"]\n[Black "Player {number}"]\n[WhiteElo "2800"]\n[BlackElo "2700"]\n[Result "1-0"]\n'
    comment = "{[%clk 0:01:00] [%eval 0.3]}"
    return f'[Event "{number}"]\n{tags}\n{moves} {comment} 1-0\n\n'


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT.read_text(encoding="utf-8"), re.M | re.S)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "games.pgn").write_text("".join(game(number) for number in range(30)))
    monkeypatch.setenv("PYTHONPATH", str(Path(cythera.__file__).parents[1]))  # for the engine that judges openings
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_examples_print_what_the_document_says():
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    found = blocks("pycon")
    assert found
    for block in found:
        runner.run(doctest.DocTestParser().get_doctest(block, {}, "games.md", "games.md", 0))
    assert runner.summarize().failed == 0


def test_the_programs_run(capsys):
    found = [block for block in blocks("python") if "import" in block]
    assert len(found) == 2
    for block in found:
        exec(compile(block, "games.md", "exec"), {})
    assert "Carlsen, M Player 0 1-0 ['e4', 'c5', 'Nf3', 'd6']" in capsys.readouterr().out


def test_the_commands_work(folder, capsys):
    commands = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("cythera ")]
    assert len(commands) == 10
    for command in commands:
        status = main(shlex.split(command)[1:])
        said = capsys.readouterr()
        wanted = 1 if "openings 100" in command else 0  # there are not so many lines in the file
        assert status == wanted, (command, said.err)
        assert said.out
    assert "Sicilian Defence" in (folder / "played.pgn").read_text()
