"""`cythera lab` as people use it."""

import io
import json
import xml.etree.ElementTree as ET

import pytest

from cythera.__main__ import main as cythera
from cythera.cli.lab import main
from cythera.lab.algorithms import ALGORITHMS
from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.errors import LabError
from cythera.lab.experiments import EXPERIMENTS
from cythera.lab.games import GAMES, make_game
from cythera.lab.games.connect4 import ConnectFour
from cythera.lab.games.tictactoe import TicTacToe
from cythera.lab.play import play
from cythera.lab.search import Search
from cythera.lab.tables import markdown_table, plain_table


def test_list_names_everything(capsys):
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    for name in (*ALGORITHMS, *GAMES, *EXPERIMENTS):
        assert name in shown


def test_run_prints_value_move_line_and_counts(capsys):
    assert main(["run", "alphabeta", "--game", "two-ply"]) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()[2:])
    assert (lines["value"], lines["move"], lines["line"], lines["generated"], lines["leaves"]) == (
        *("3", "1", "1 1", "11", "7"),
    )


def test_compare_shows_every_algorithm_that_fits_and_says_why_others_do_not(capsys):
    assert main(["compare", "--game", "two-ply"]) == 0
    shown = capsys.readouterr().out
    rows = {line.split()[0]: line.split() for line in shown.splitlines()[4:] if line and not line.startswith("left")}
    assert rows["minimax"][1:5] == ["3", "1", "13", "9"]
    assert rows["alphabeta"][1:5] == ["3", "1", "11", "7"]
    assert "left out  deepening: iterative deepening needs a depth" in shown
    assert "maxn" in rows and "expectimax" in rows


def test_compare_of_a_game_for_three_leaves_only_max_n(capsys):
    assert main(["compare", "--game", "trio"]) == 0
    shown = capsys.readouterr().out
    assert "maxn" in shown and "alphabeta" not in shown


@pytest.mark.parametrize("suffix", ["svg", "html", "json"])
def test_draw_writes_the_file_that_was_asked_for(tmp_path, capsys, suffix):
    path = tmp_path / f"tree.{suffix}"
    assert main(["draw", "alphabeta", "--game", "two-ply", "-o", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    if suffix == "svg":
        ET.fromstring(text)
    elif suffix == "html":
        assert text.startswith("<!doctype html>")
    else:
        assert json.loads(text)["root"]["value"] == 3
    assert "11 nodes generated, 7 leaves evaluated" in capsys.readouterr().out


def test_a_depth_limits_the_search_and_end_lifts_the_limit(capsys):
    main(["run", "minimax", "--game", "tictactoe", "--depth", "2"])
    assert "leaves     72" in capsys.readouterr().out
    main(["run", "minimax", "--game", "connect4:2x2", "--depth", "end"])
    assert "leaves     6" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("run guess --game chess", "there is no algorithm 'guess'"),
        ("run minimax --game checkers", "there is no game 'checkers'"),
        ("run minimax --game two-ply --depth -1", "a depth is a number of plies and cannot be -1"),
        ("run minimax --game two-ply --depth deep", "a depth is a number of plies or 'end', not 'deep'"),
        ("run minimax --game two-ply --order lucky", "there is no move order 'lucky'"),
        ("run minimax --game tree:nowhere.tree", "the tree file nowhere.tree cannot be read"),
        ("run minimax --game chess:nonsense", "nonsense"),
        ("run minimax --game chess --depth end", "needs a depth"),
        ("run minimax --game race", "knows no chance nodes"),
        ("run minimax --game connect4:0x5", "from 1 to 9 columns and rows"),
        ("run minimax --game connect4:axb", "should have whole numbers"),
        ("run minimax --game connect4:7x6,9", "'9' is not a move here"),
        ("run minimax --game random:2,2,2,2", "has too many numbers"),
        ("run minimax --game tictactoe:XXXXXXXXX", "cannot come up"),
        ("run minimax --game tictactoe:hello", "is not a tic-tac-toe board"),
        ("run minimax --game trio:0", "from 1 to 40 stones"),
        ("run minimax --game pacman:nowhere", "there is no Pac-Man grid 'nowhere'"),
        ("run minimax --game pacman:#P#|###", "a Pac-Man grid has walls"),
        ("run minimax --game two-ply:3", "two-ply takes nothing after the colon"),
        ("draw minimax --game two-ply -o tree.png", "a tree is drawn as .svg, .html or .json, not '.png'"),
        ("draw minimax --game two-ply -o /nonexistent/tree.svg", "cannot be written"),
        ("play --game race", "knows no chance nodes"),
        ("experiment luck", "there is no experiment 'luck'"),
        ("experiment trap -o plot.svg", "the experiment trap has no plot"),
    ],
)
def test_bad_input_gets_one_clear_sentence_and_code_2(words, sentence, capsys):
    assert cythera(["lab", *words.split()]) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("cythera lab: ") and sentence in said and "\n" not in said


def answer(game, algorithm=alphabeta):
    return lambda state: algorithm(Search(game, start=state))


def test_a_person_can_play_tic_tac_toe_and_cannot_win():
    game = TicTacToe()
    out = io.StringIO()
    assert play(game, answer(game), stdin=io.StringIO("1\n1\nhello\n2\n6\n7\n8\n9\n4\n3\n"), stdout=out) == 0
    said = out.getvalue()
    assert "'1' is not a move here" in said and "'hello' is not a move here" in said
    assert said.splitlines()[-1] in ("I win.", "A draw.")


def test_the_algorithm_can_begin_and_the_person_can_leave():
    game = ConnectFour(4, 4)
    out = io.StringIO()
    thinker = answer(game, lambda search: alphabeta(search.at_depth(2)))
    assert play(game, thinker, person_second=True, stdin=io.StringIO("quit\n"), stdout=out) == 0
    assert "I play" in out.getvalue() and out.getvalue().endswith("Goodbye.\n")


def test_games_with_dice_or_three_players_cannot_be_played_here():
    for name in ("race", "trio"):
        with pytest.raises(LabError, match="cannot be played here"):
            play(make_game(name), answer(make_game(name)))


def test_the_play_command_reads_moves_from_the_keyboard(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("5\nquit\n"))
    assert main(["play", "--game", "tictactoe", "--against", "alphabeta"]) == 0
    assert "I play 1" in capsys.readouterr().out


def test_tables_set_figures_to_the_right_in_text_and_markdown():
    heads, rows = ["name", "leaves"], [["a", "1,000"], ["bcd", "7"]]
    assert plain_table(heads, rows).splitlines()[2:] == ["a      1,000", "bcd        7"]
    assert "|---|---:|" in markdown_table(heads, rows)
