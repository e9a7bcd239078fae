"""bench/eval_error.py: evaluations compared with the scores of another engine."""

import re
import sys

import eval_error
import pytest

from cythera import Position
from cythera.core import Searcher
from cythera.engine.bench import POSITIONS
from cythera.training.datagen import DatagenSettings, GameBatch, play_batch
from cythera.training.game_file import GameWriter


def run(*words):
    return eval_error.main([str(word) for word in words])


@pytest.fixture
def scores(tmp_path):
    """The bench positions with what the classical evaluation says of them, in another unit."""
    searcher = Searcher(1)
    searcher.set_net(None)
    path = tmp_path / "scores.tsv"
    rows = [(2 * searcher.evaluate(Position(fen)), fen) for fen in POSITIONS]
    path.write_text("".join(f"{score}\t{fen}\n" for score, fen in rows if abs(score) < 900))
    return path


def errors(line):
    return [float(number) for number in re.findall(r"pieces (\d+\.\d+)", line)]


def test_the_evaluation_that_made_the_scores_has_no_error_whatever_its_unit(scores, capsys):
    assert run(scores, "<classical>", "<default>") == 0
    same, other = capsys.readouterr().out.splitlines()
    assert set(errors(same)) == {0.0} and "unit 70" in same
    difference = float(re.search(r"; \+(\d+\.\d+) ± ", other)[1])
    assert difference == pytest.approx(errors(other)[0], abs=0.01) and difference > 0


def test_a_search_of_some_nodes_is_compared_as_well(scores, capsys):
    assert run(scores, "<classical>", "<classical>; nodes=500") == 0
    static, searched = capsys.readouterr().out.splitlines()
    assert errors(searched)[0] > errors(static)[0] == 0


def test_quiet_positions_of_games_get_the_scores_of_the_engine(tmp_path, capsys):
    raw, lengths, *_ = play_batch(DatagenSettings(nodes=40, hash_mib=1, start_nodes=40), GameBatch(0, 30))
    games = tmp_path / "run-1.cyg"
    with GameWriter(games) as writer:
        at = 0
        for length in lengths:
            writer.add(raw[at : at + length])
            at += length
    path = tmp_path / "scores.tsv"
    engine = f"{sys.executable} -m cythera"
    judge = ("--games", games, "--engine", engine, "--count", 20, "--nodes", 3000)
    assert run(path, "<default>; nodes=3000", *judge) == 0
    made, line = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\d+ quiet positions of \d+", made)
    rows = path.read_text().splitlines()
    assert 4 <= len(rows) == int(made.split()[0])
    assert not any(Position(row.split("\t")[1]).is_check() for row in rows)
    assert errors(line)[0] < 1  # the same engine and the same nodes, though not the same unit
    with pytest.raises(SystemExit, match="exists already: choose another name"):
        run(path, *judge)


@pytest.mark.parametrize(
    ("content", "words", "sentence"),
    [
        ("x\t8/8/8/8/8/8/8/K1k5 w - - 0 1\n", [], "line 1: could not convert string to float"),
        ("12\tno position\n", [], "line 1: "),
        ("", [], "has fewer than two positions"),
        (None, [], "No such file or directory"),
        ("1\t4k3/8/8/8/8/8/8/R3K3 w - - 0 1\n" * 2, ["<classical>; depth=3"], "there must be nodes=N, got 'depth=3'"),
        ("1\t4k3/8/8/8/8/8/8/R3K3 w - - 0 1\n" * 2, ["none.net"], "none.net"),
    ],
)
def test_what_is_wrong_is_a_sentence(tmp_path, content, words, sentence):
    path = tmp_path / "scores.tsv"
    if content is not None:
        path.write_text(content)
    with pytest.raises(SystemExit, match=re.escape(sentence)) as ended:
        run(path, *words)
    assert str(ended.value).startswith("eval_error: ")
