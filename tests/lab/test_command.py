"""`cythera lab` as people use it."""

import io
import json
import random
import xml.etree.ElementTree as ET

import pytest

from cythera.__main__ import main as cythera
from cythera.cli.lab import main
from cythera.lab.algorithms import ALGORITHMS, find_algorithm
from cythera.lab.algorithms.alphabeta import alphabeta
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
    assert rows["minimax"][1:6] == ["3", "exact", "1", "13", "9"]
    assert rows["alphabeta"][1:6] == ["3", "exact", "1", "11", "7"]
    assert rows["labelling"][1:4] == ["1", "sign", "only"] and rows["mcts"][2] == "estimate"
    assert "deepening" in rows
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
        ("run guess --game chess", "unknown algorithm 'guess'"),
        ("run minimax --game poker", "unknown game 'poker'"),
        ("run minimax --game two-ply --depth -1", "depth must be at least 0, got -1"),
        ("run minimax --game two-ply --depth deep", "depth must be a number of plies or 'end', got 'deep'"),
        ("run minimax --game two-ply --order lucky", "unknown move order 'lucky'"),
        ("run minimax --game tree:nowhere.tree", "cannot read nowhere.tree: No such file"),
        ("run minimax --game chess:nonsense", "nonsense"),
        ("run minimax --game chess --depth end", "needs a depth"),
        ("run minimax --game race", "does not handle chance nodes"),
        ("run minimax --game connect4:0x5", "columns and rows must be between 1 and 9, got 0 and 5"),
        ("run minimax --game connect4:axb", "must have whole numbers"),
        ("run minimax --game connect4:7x6,9", "'9' is not a move here"),
        ("run minimax --game random:2,2,2,2", "has too many numbers"),
        ("run minimax --game tictactoe:XXXXXXXXX", "cannot come up"),
        ("run minimax --game tictactoe:hello", "is not a tic-tac-toe board"),
        ("run minimax --game trio:0", "stones must be between 1 and 40, got 0"),
        ("run minimax --game pacman:nowhere", "unknown Pac-Man grid 'nowhere'"),
        ("run minimax --game pacman:#P#|###", "a Pac-Man grid has walls"),
        ("run minimax --game two-ply:3", "two-ply takes nothing after the colon"),
        ("draw minimax --game two-ply -o tree.png", "the file must end in .svg, .html or .json, got 'tree.png'"),
        ("draw minimax --game two-ply -o /nonexistent/tree.svg", "cannot write"),
        ("play --game race --against alphabeta", "does not handle chance nodes"),
        ("experiment luck", "unknown experiment 'luck'"),
        ("run minimax --game othello:5", "size must be 4, 6 or 8, got 5"),
        ("run minimax --game mnk:0,3,3", "must be between 1 and 15, got 0, 3, 3"),
        ("run minimax --game mnk:3,3,3,3", "has too many numbers"),
        ("run minimax --game checkers:7", "size must be 4, 6 or 8, got 7"),
        ("run minimax --game checkers:x..x/..../..../....", "is not a board of 4 rows"),
        ("run expectiminimax --game backgammon:7", "points must be even and between 6 and 24"),
        ("run minimax --game ending:KNvK", "unknown ending 'KNvK'; choose from KQvK, KRvK, KPvK"),
        ("run minimax --game ending:KRvK,8/8", "is not a position of KRvK"),
        ("run mem --game two-ply --memory 0", "memory must be at least 1, got 0"),
        ("run mcts --game two-ply --playouts -5", "playouts must be at least 1, got -5"),
        ("strategy --game race -o s.svg", "strategies are for two players without dice"),
        ("strategy --game two-ply -o s.txt", "the file must end in .svg, .html or .json, got 's.txt'"),
        ("experiment trap --size 0", "size must be at least 1, got 0"),
        ("--language tlh list", "unknown language 'tlh'; choose from en, es"),
        ("experiment trap -o plot.svg", "the experiment trap has no plot"),
        ("experiment elo -o plot.png", "a plot must be written to a file that ends in .svg, got 'plot.png'"),
        ("experiment elo -o /nonexistent/plot.svg", "cannot write /nonexistent/plot.svg: no folder /nonexistent"),
        ("run minimax --game othello:x", "othello:x must have whole numbers after the colon"),
        ("run minimax --game othello:6x4", "othello:6x4 must be a square board, like othello:6"),
        ("run minimax --game checkers:6x8", "checkers:6x8 must be a square board"),
        ("run minimax --game tictactoe:XXX/OOO/...", "cannot come up"),
        ("run minimax --game tictactoe:XXX/OO./O..", "cannot come up"),
        ("run minimax --game tictactoe:OOO/XX./XX.", "cannot come up"),
        ("run minimax --game random:10,9", "a tree of 10^9 leaves is too large; the most is 500,000"),
        ("run minimax --game random:2,1000000000", "is too large"),
        ("run expectiminimax --game coin:40", "a tree of 2^40 leaves is too large"),
        ("run minimax --game tree:", "tree needs the name of a file after the colon"),
        ("strategy --game tictactoe -o s.svg", "a tree of more than 3,000 nodes is too large to be read"),
        ("draw minimax --game tictactoe -o s.svg", "a tree of more than 3,000 nodes is too large to be read"),
    ],
)
def test_bad_input_gets_one_clear_sentence_and_code_2(words, sentence, capsys):
    assert cythera(["lab", *words.split()]) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("cythera lab: ") and sentence in said and "\n" not in said


def test_a_checkers_board_needs_both_sides_and_a_tree_must_not_be_too_deep(tmp_path, capsys):
    assert cythera(["lab", "run", "minimax", "--game", "checkers:.x../..../..../.... x", "--depth", "2"]) == 2
    assert "must have a piece of each side" in capsys.readouterr().err
    path = tmp_path / "deep.tree"
    path.write_text("(" * 3000 + "1" + ")" * 3000)
    assert cythera(["lab", "run", "minimax", "--game", f"tree:{path}"]) == 2
    assert "its parentheses are nested too deeply" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--seed", "--memory", "--playouts"])
def test_an_option_that_is_not_a_whole_number_is_named(option, capsys):
    with pytest.raises(SystemExit) as left:
        main(["run", "mcts", "--game", "two-ply", option, "many"])
    assert left.value.code == 2
    assert f"{option}: must be a whole number, got 'many'" in capsys.readouterr().err


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


@pytest.mark.parametrize("name", [name for name in GAMES if name not in ("tree", "horizon")])
def test_any_game_can_be_played_to_its_end_or_a_while(name, monkeypatch, capsys):
    """The first move of every list is played; dice roll, three players take turns."""
    lines = io.StringIO("help\nmoves\n" + "nonsense\n")
    monkeypatch.setattr("sys.stdin", lines)
    assert main(["play", "--game", name, "--depth", "1", "--playouts", "5"]) == 0
    said = capsys.readouterr().out
    assert said.count(make_game(name).move_help()) == 2  # in the greeting and in the help
    assert "hint, undo, board, quit" in said and "is not a" in said


class Robot(io.StringIO):
    """A person who asks for the moves and plays one of them, in small letters and with spaces to spare."""

    def __init__(self, seed):
        super().__init__()
        self.rng = random.Random(seed)
        self.asked = False
        self.turns = 0

    def readline(self):
        self.asked = not self.asked
        if self.asked:
            return "moves\n"
        self.turns += 1
        moves = self.getvalue().splitlines()[-1].split(": ", 1)[1].split(" · ")
        return f"  {self.rng.choice(moves).lower()} \n" if self.turns <= 60 else "quit\n"


@pytest.mark.parametrize("against", [None, "mcts"])
@pytest.mark.parametrize("name", [name for name in GAMES if name not in ("tree", "horizon", "chess")])
def test_a_random_person_plays_any_game_to_its_end_or_for_sixty_moves(name, against, monkeypatch, capsys):
    robot = Robot(3)
    monkeypatch.setattr("sys.stdin", robot)
    monkeypatch.setattr("sys.stdout", robot)
    words = ["--against", against] if against else []
    assert main(["play", "--game", name, "--depth", "1", "--playouts", "3", "--second", *words]) == 0
    said = robot.getvalue()
    assert robot.turns > 0 and "is not a" not in said
    assert said.splitlines()[-1].startswith(
        ("You win", "I win", "A draw", "Goodbye", "The game is over", "The game ends")
    )


def test_an_empty_line_is_not_a_move_and_sides_have_their_names():
    game, out = make_game("othello:4"), io.StringIO()
    think = answer(game, lambda search: alphabeta(search.at_depth(1)))
    play(game, think, stdin=io.StringIO("\nB1\nquit\n"), stdout=out)
    assert "is not a move" not in out.getvalue()
    assert out.getvalue().count("your move (X): ") == 3 and "I play" in out.getvalue()


def test_dice_are_rolled_and_three_players_get_their_shares():
    game = make_game("race:2,1safe")
    out = io.StringIO()
    think = answer(game, find_algorithm("expectiminimax").run)
    assert play(game, think, stdin=io.StringIO("0\n1\n2\n0\n1\n2\n0\n1\n2\n"), stdout=out) == 0
    assert "the roll is" in out.getvalue() and out.getvalue().splitlines()[-1] in ("You win.", "I win.")
    game, out = make_game("trio:3"), io.StringIO()
    play(game, answer(game, find_algorithm("maxn").run), stdin=io.StringIO("3\n"), stdout=out)
    assert out.getvalue().splitlines()[-1] == "The game is over: player 1: 3, player 2: 2, player 3: 0."


def test_a_person_can_ask_for_a_hint_and_take_a_move_back():
    game, out = TicTacToe("XX./OO./..."), io.StringIO()
    play(game, answer(game), stdin=io.StringIO("undo\nhint\n7\n"), stdout=out)
    assert "there is nothing to undo" in out.getvalue() and "3 looks best (1 for X)" in out.getvalue()
    game, out = ConnectFour(4, 4), io.StringIO()
    thinker = answer(game, lambda search: alphabeta(search.at_depth(1)))
    play(game, thinker, stdin=io.StringIO("1\nundo\n2\nquit\n"), stdout=out)
    boards = out.getvalue().split("your move (X)")
    assert "X" in boards[1] and "X" not in boards[2]


def test_the_play_command_reads_moves_from_the_keyboard(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("5\nquit\n"))
    assert main(["play", "--game", "tictactoe", "--against", "alphabeta", "--depth", "4"]) == 0
    assert "I play 1" in capsys.readouterr().out


def test_tables_set_figures_to_the_right_in_text_and_markdown():
    heads, rows = ["name", "leaves"], [["a", "1,000"], ["bcd", "7"]]
    assert plain_table(heads, rows).splitlines()[2:] == ["a      1,000", "bcd        7"]
    assert "|---|---:|" in markdown_table(heads, rows)
