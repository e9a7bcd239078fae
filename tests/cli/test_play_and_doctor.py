"""`cythera play`, `doctor` and `path`, as people use them."""

import io
import re
import subprocess
import sys

import chess
import chess.pgn
import pytest
from support.uci import MATE_IN_ONE, PATIENCE_S

from cythera import Engine
from cythera.cli.play import Leave, TerminalGame, draw, read_move


def run(*args, words=""):
    return subprocess.run(
        [sys.executable, "-m", "cythera", *args],
        input=words,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
        env={**__import__("os").environ, "PYTHONIOENCODING": "utf-8"},
    )


@pytest.fixture
def game():
    said = []
    with Engine(hash_mib=1, seed=1) as engine:
        game = TerminalGame(engine, said.append, level="beginner")
        game.said = said
        yield game


@pytest.mark.parametrize("text", ["e4", "e2e4", " e4! ", "E2E4", "e4?!"])
def test_a_move_is_understood_in_san_and_in_uci(text):
    assert read_move(chess.Board(), text) == chess.Move.from_uci("e2e4")


def test_castling_and_promotion_are_understood_as_people_write_them():
    board = chess.Board("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for text in ("O-O", "0-0", "e1g1"):
        assert board.san(read_move(board, text)) == "O-O"
    assert read_move(board, "0-0-0").uci() == "e1c1"
    assert read_move(board, "bxa8=N").uci() == read_move(board, "b7a8n").uci() == "b7a8n"


@pytest.mark.parametrize("text", ["Ke2", "hello", "e2e5", "e7e5", "", "--", "Z0", "0000", "@@@@"])
def test_what_is_no_move_is_answered_by_a_sentence(text):
    with pytest.raises(ValueError, match="is not a move here"):
        read_move(chess.Board(), text)


def test_an_ambiguous_move_is_asked_back():
    with pytest.raises(ValueError, match="say which"):
        read_move(chess.Board("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"), "Nd2")


def test_the_engine_answers_each_move(game):
    game.hear("e4")
    assert len(game.board.move_stack) == 2 and any("Cythera plays 1… " in line for line in game.said)


def test_undo_takes_back_a_move_and_its_answer(game):
    game.hear("undo")
    assert game.said[-1] == "There is nothing to take back."
    game.hear("e4")
    game.hear("undo")
    assert game.board == chess.Board()


def test_a_hint_is_a_legal_line(game):
    game.hear("hint")
    assert re.match(r"1\. \w+ .*for White\)", game.said[-1])
    assert game.board == chess.Board()


def test_levels_are_set_by_name_and_elo(game):
    game.hear("level master")
    assert game.engine.elo == 2400 and game.said[-1] == "Level: master (Elo about 2400)."
    game.hear("level 1234")
    assert game.engine.elo == 1234
    game.hear("level full")
    assert game.engine.elo is None and game.said[-1] == "Level: full strength."
    game.hear("levels")
    assert "beginner" in game.said[-1]


def test_a_game_can_be_won_and_saved(game, tmp_path):
    game.board = chess.Board(MATE_IN_ONE)
    game.hear("Ra8")
    assert "You win by checkmate: 1-0." in game.said[-1]
    game.hear("e4")
    assert "The game is over" in game.said[-1]
    game.hear(f"save {tmp_path / 'the game.pgn'}")
    saved = chess.pgn.read_game(io.StringIO((tmp_path / "the game.pgn").read_text(encoding="utf-8")))
    assert saved.headers["Result"] == "1-0" and saved.headers["Black"] == "Cythera (Elo 800)"
    assert saved.end().board().is_checkmate()
    game.hear("undo")
    assert game.board == chess.Board(MATE_IN_ONE)


def test_saving_where_one_cannot_is_a_sentence(game, tmp_path):
    game.hear(f"save {tmp_path / 'no' / 'such' / 'folder.pgn'}")
    assert "cannot be saved" in game.said[-1]
    game.hear("save ~nobody-has-this-name/game.pgn")
    assert "cannot be saved" in game.said[-1]


def test_resigning_can_be_taken_back(game):
    game.hear("resign")
    assert "Cythera wins by resignation: 0-1." in game.said[-1]
    game.hear("undo")
    assert not game.is_over()


def test_repetition_and_fifty_moves_are_draws(game):
    for move in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"]:
        game.board.push_uci(move)
    assert game.outcome() == ("1/2-1/2", "threefold repetition")
    game.board = chess.Board("4k3/8/8/8/8/8/8/4K2R w - - 100 90")
    assert game.outcome() == ("1/2-1/2", "the fifty-move rule")


def test_other_words_do_what_they_say(game):
    words = {"moves": "Nc3", "fen": chess.STARTING_FEN, "help": "take back", "board": "♖", "flip": "h g f"}
    for word, expected in words.items():
        game.hear(word)
        assert expected in game.said[-1]
    game.hear("")
    game.hear("new")
    with pytest.raises(Leave):
        game.hear("quit")


def test_the_board_is_drawn_plain_coloured_and_in_letters():
    board = chess.Board()
    plain = draw(board, flipped=False, colours=False, figures=True).splitlines()
    assert plain[0] == " 8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜" and plain[-1] == "    a b c d e f g h"
    letters = draw(board, flipped=True, colours=False, figures=False)
    assert letters.isascii() and letters.splitlines()[0] == " 1  R N B K Q B N R"
    coloured = draw(board, flipped=False, colours=True, figures=True)
    assert "\x1b[48;5;" in coloured and coloured.count("\x1b[0m") == 64
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured).splitlines()[-1].split() == list("abcdefgh")


def test_a_short_game_through_a_pipe(tmp_path):
    done = run("play", "--level", "beginner", "--seed", "1", words=f"e4\nfoo\nundo\nsave {tmp_path}/g.pgn\nquit\n")
    assert done.returncode == 0 and done.stderr == ""
    assert "You play White; level beginner" in done.stdout and "foo is not a move here" in done.stdout
    assert done.stdout.endswith("Goodbye.\n") and (tmp_path / "g.pgn").exists()


def test_black_lets_the_engine_begin_and_the_end_of_input_is_goodbye():
    done = run("play", "--colour", "black", "--level", "800", "--ascii", "--seed", "2", words="")
    assert done.returncode == 0 and "Cythera plays 1. " in done.stdout and " 8  r n b k q b n r" in done.stdout


def test_wrong_wishes_are_refused_by_a_sentence():
    assert run("play", "--level", "godlike").stderr.startswith("cythera play: unknown level 'godlike'")
    assert run("play", "--fen", "nonsense").stderr.startswith("cythera play: --fen: ")
    assert run("play", "--movetime", "0").returncode == 2


def test_the_doctor_finds_a_sound_installation_sound(monkeypatch, capsys):
    from cythera.cli import doctor
    from cythera.engine import bench

    monkeypatch.setattr(bench, "SIGNATURE", bench.bench(3)[0])
    monkeypatch.setattr(bench, "bench", lambda: (bench.SIGNATURE, 1.0))
    assert doctor.main([]) == 0
    text = capsys.readouterr().out
    assert "19,981,295 moves counted right" in text and text.endswith("All is well.\n")


def test_the_doctor_names_what_is_wrong(monkeypatch, capsys):
    from cythera.cli import doctor
    from cythera.engine import bench

    monkeypatch.setattr(bench, "bench", lambda: (1, 1.0))
    monkeypatch.setattr(doctor, "PERFT", {chess.STARTING_FEN: (2, 401)})
    assert doctor.main([]) == 1
    text = capsys.readouterr().out
    assert "perft 2 of" in text and "the bench searched 1 nodes" in text and "2 of 6 checks failed." in text


def test_path_prints_a_program_that_runs(tmp_path, monkeypatch, capsys):
    from cythera.cli import path

    program = tmp_path / path.NAME
    program.write_text("")
    monkeypatch.setattr(sys, "argv", [str(program)])
    assert path.main([]) == 0
    assert capsys.readouterr().out == f"{program.resolve()}\n"


def test_path_says_if_there_is_no_program(monkeypatch):
    from cythera import CytheraError
    from cythera.cli import path

    monkeypatch.setattr(sys, "argv", ["pytest"])
    monkeypatch.setattr(path.shutil, "which", lambda name: None)
    monkeypatch.setattr(path.sysconfig, "get_path", lambda name: "/nowhere")
    with pytest.raises(CytheraError, match="is not installed"):
        path.program()
