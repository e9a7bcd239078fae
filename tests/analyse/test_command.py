"""`cythera analyse` as people run it: outputs in order, on any workers, resumed, and bad files told of."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time

import chess.pgn
import pytest
from support.sample_games import CHESS960, FEN_START, FOOLS_MATE, OPERA

from cythera.__main__ import main
from cythera.analyse.analysis_run import CONFIRMATION
from cythera.analyse.progress import Journal

PATIENCE_S = 120
MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8"


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text("\n".join((OPERA, FOOLS_MATE, CHESS960, FEN_START)), encoding="utf-8")
    return path


def outputs(folder, name):
    paths = [folder / f"{name}.{kind}" for kind in ("pgn", "html", "json")]
    words = [word for option, path in zip(("-o", "--html", "--json"), paths, strict=True) for word in (option, path)]
    return paths, [str(word) for word in words]


def run(*words):
    return main(["analyse", *map(str, words)])


def bare(text):
    """An output without what the clock decides."""
    return re.sub(r'"(nps|time_s)":[\d.]+', "", text)


def test_all_outputs_are_whole_in_order_and_the_same_for_any_workers(games, tmp_path, capsys):
    texts = []
    for workers in (1, 2):
        paths, words = outputs(tmp_path, f"out{workers}")
        assert run(games, "--nodes", 500, "--workers", workers, *words) == 0
        texts.append([bare(path.read_text(encoding="utf-8")) for path in paths])
        with open(paths[0], encoding="utf-8") as file:
            events = []
            while (game := chess.pgn.read_game(file)) is not None:
                assert not game.errors
                events.append(game.headers["Event"])
        assert events == ["Paris", "Short", "Shuffled", "Endgame"]
        data = json.loads(paths[2].read_text(encoding="utf-8"))
        assert [len(game["moves"]) for game in data["games"]] == [33, 4, 8, 3]
    assert texts[0] == texts[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["games.pgn", *(f"out{n}.{kind}" for n in (1, 2) for kind in ("pgn", "html", "json"))]
    ), "nothing else is left behind"
    said = capsys.readouterr()
    assert "Philidor" in said.out and not said.err


def test_python_and_the_command_find_the_same(games, tmp_path):
    from cythera import Engine, Limit

    path = tmp_path / "out.pgn"
    assert run(games, "--nodes", 800, "--workers", 1, "--hash", 2, "-o", path, "--quiet") == 0
    with Engine(hash_mib=2) as engine:
        first = engine.analyse_game(OPERA, Limit(nodes=800), workers=2).pgn()
    assert path.read_text(encoding="utf-8").startswith(first)


def test_bad_games_are_named_and_the_good_ones_done(tmp_path, capsys):
    path = tmp_path / "mixed.pgn"
    path.write_text(FOOLS_MATE + '\n[Event "Bad"]\n\n1. e4 e5 2. Ke3 *\n\n' + FEN_START, encoding="utf-8")
    out = tmp_path / "out.json"
    assert run(path, "--depth", 2, "--workers", 1, "--json", out) == 1
    assert [game["title"] for game in json.loads(out.read_text())["games"]] == ["A – B", "Endgame"]
    error = capsys.readouterr().err
    assert f"{path}, line 10: game 2 left out: 2. Ke3 is not a legal move" in error


@pytest.mark.parametrize("name", ["search_block", "search_candidates", "render"])
def test_a_game_that_cannot_be_analysed_does_not_cost_the_others(games, tmp_path, capsys, monkeypatch, name):
    from cythera.analyse import analysis_run as module

    class Here:
        """Workers that are this process, where a failure can be made."""

        def completed(self, function, units):
            for unit in units:
                yield unit, function(unit)

    whole = getattr(module, name)

    def fails_for_the_second(*args):
        unit = args[-1]
        if (unit.number if name == "render" else unit.game) == 1:
            raise RecursionError("maximum recursion depth exceeded")
        return whole(*args)

    monkeypatch.setattr(module, "open_workers", lambda workers, cluster: contextlib.nullcontext(Here()))
    monkeypatch.setattr(module, name, fails_for_the_second)
    paths, words = outputs(tmp_path, "out")
    assert run(games, "--depth", 2, "--workers", 1, *words) == 1
    data = json.loads(paths[2].read_text(encoding="utf-8"))
    assert [game["headers"]["Event"] for game in data["games"]] == ["Paris", "Shuffled", "Endgame"]
    said = capsys.readouterr()
    assert "game 2 left out: it cannot be analysed: RecursionError: maximum" in said.err
    assert "A – B" not in said.out and "Shuffled" in said.out


@pytest.mark.parametrize("text", ["", "\n\n", '[Event "x"]\n\n1. e5 *\n'])
def test_a_file_without_a_good_game_is_an_error_and_writes_nothing(tmp_path, capsys, text):
    path = tmp_path / "bad.pgn"
    path.write_text(text)
    assert run(path, "-o", tmp_path / "out.pgn") == 2
    assert [one.name for one in tmp_path.iterdir()] == ["bad.pgn"]
    assert capsys.readouterr().err.startswith("cythera analyse: ")


def test_outputs_that_cannot_be_are_refused_before_any_work(games, tmp_path, capsys):
    before = games.read_bytes()
    assert run(games, "-o", games) == 2
    assert run(games, "--html", tmp_path / "no" / "folder.html") == 2
    assert games.read_bytes() == before
    with pytest.raises(SystemExit):
        run(games, "--json", "same", "--html", "same")
    with pytest.raises(SystemExit):
        run("--fen", MIDDLEGAME, "-o", "x.pgn")
    assert run(games, "--nodes", 0) == 2
    assert run(tmp_path / "nothing.pgn") == 2
    assert "cannot read" in capsys.readouterr().err


def start(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "cythera", "analyse", *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def wait_for_progress(path, rows):
    deadline = time.monotonic() + PATIENCE_S
    while not path.exists() or path.read_bytes().count(b"\n") < rows:
        assert time.monotonic() < deadline, "no progress was written"
        time.sleep(0.02)


@pytest.mark.skipif(os.name == "nt", reason="signals are sent the POSIX way")
@pytest.mark.parametrize("number", [signal.SIGKILL if os.name != "nt" else 9, signal.SIGINT])
def test_a_run_that_was_killed_or_stopped_is_resumed(games, tmp_path, number, monkeypatch):
    whole, out = tmp_path / "whole.json", tmp_path / "out.json"
    words = (games, "--nodes", 20_000, "--workers", 1)
    progress = tmp_path / "out.json.progress"
    process = start(*words, "--json", out)
    wait_for_progress(progress, 3)
    process.send_signal(number)
    _, error = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    if number == signal.SIGINT:
        assert "The same command goes on from here" in error
    assert not out.exists()
    kept = progress.read_bytes().splitlines(keepends=True)
    progress.write_bytes(b"".join(kept) + b'[0,99,[[{"half')  # as a crash in mid-write leaves it
    blocks = len(kept) - 1
    assert blocks >= 2

    searched = []
    add = Journal.add
    monkeypatch.setattr(Journal, "add", lambda self, *words: searched.append(words) or add(self, *words))
    assert run(*words, "--json", out) == 0
    monkeypatch.undo()
    assert not progress.exists()
    blocks_again = [words for words in searched if words[1] != CONFIRMATION]
    assert 0 < len(blocks_again) <= 9 - 2, "what was there was not searched again"
    assert run(*words, "--json", whole, "--quiet") == 0
    assert bare(out.read_text()) == bare(whole.read_text())


def test_progress_of_other_settings_is_not_mixed_in(games, tmp_path, capsys):
    out = tmp_path / "out.pgn"
    progress = tmp_path / "out.pgn.progress"
    settings = '{"format": "cythera-analysis-progress", "nodes": 77}\n'
    progress.write_text(settings)
    assert run(games, "--nodes", 200, "--workers", 1, "-o", out) == 2
    assert "was created with different settings (nodes" in capsys.readouterr().err
    assert progress.read_text() == settings
    assert run(games, "--nodes", 200, "--workers", 1, "-o", out, "--no-resume") == 0
    assert out.exists() and not progress.exists()
    progress.write_text("my shopping list\n")
    assert run(games, "--nodes", 200, "--workers", 1, "-o", out) == 2
    assert progress.read_text() == "my shopping list\n"


def test_without_an_output_there_is_a_table_and_no_file(games, tmp_path, capsys):
    assert run(games, "--nodes", 200, "--workers", 1) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["games.pgn"]
    assert "Shuffled" in capsys.readouterr().out


def test_every_game_has_its_number_and_one_line_in_a_pipe(games, capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert run(games, "--nodes", 200, "--workers", 1) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert [line.split()[0] for line in lines] == ["#", "1", "2", "3", "4"]


@pytest.mark.parametrize("option", ["-o", "--json", "--html"])
def test_a_dash_is_standard_input_and_output(option, tmp_path):
    words = [sys.executable, "-m", "cythera", "analyse", "-", option, "-", "--depth", "2", "--workers", "1"]
    done = subprocess.run(words, input=FOOLS_MATE, capture_output=True, text=True, timeout=PATIENCE_S, cwd=tmp_path)
    assert done.returncode == 0 and not list(tmp_path.iterdir())
    if option == "-o":
        assert chess.pgn.read_game(io.StringIO(done.stdout)).headers["Event"] == "Short"
        assert done.stdout.startswith("[Event") and done.stdout.rstrip().endswith("0-1")
    elif option == "--json":
        assert len(json.loads(done.stdout)["games"]) == 1
    else:
        assert done.stdout.startswith("<!doctype html>") and done.stdout.endswith("</html>\n")


def test_what_is_wrong_with_standard_input_is_said_of_it(tmp_path):
    words = [sys.executable, "-m", "cythera", "analyse", "-", "-o", "-"]
    cases = (("", "there is no game in standard input"), ("1. e5 *", "standard input, line 1: game 1 left out"))
    for text, said in cases:
        done = subprocess.run(words, input=text, capture_output=True, text=True, timeout=PATIENCE_S, cwd=tmp_path)
        assert done.returncode == 2 and said in done.stderr and not done.stdout


def test_a_cluster_gives_the_same_as_workers_here(games, tmp_path):
    pytest.importorskip("distributed")
    out, here = tmp_path / "cluster.pgn", tmp_path / "here.pgn"
    words = [sys.executable, "-m", "cythera", "analyse", str(games), "--nodes", "300", "--quiet"]
    for path, more in ((out, ["--cluster", "local", "--workers", "2"]), (here, ["--workers", "1"])):
        done = subprocess.run([*words, "-o", str(path), *more], capture_output=True, text=True, timeout=PATIENCE_S)
        assert done.returncode == 0, done.stderr
    assert out.read_text() == here.read_text()


# One position


def test_a_position_is_watched_to_its_limit(capsys):
    assert run("--fen", MIDDLEGAME, "--depth", 6, "--multipv", 2) == 0
    out = capsys.readouterr().out
    assert "win draw loss" in out and "nodes" in out and re.search(r"^2 .* 8\. ", out, re.M)


def test_the_start_position_has_a_name(capsys):
    assert run("--fen", "startpos", "--depth", 2) == 0
    assert re.search(r"^1 .* 1\. ", capsys.readouterr().out, re.M)


def test_a_position_without_a_move_is_said_to_be_over(capsys):
    assert run("--fen", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1") == 0
    assert "The game is over: 1-0." in capsys.readouterr().out


def test_a_bad_fen_is_a_sentence(capsys):
    assert run("--fen", "nonsense") == 2
    assert capsys.readouterr().err.startswith("cythera analyse: ")


@pytest.mark.skipif(os.name == "nt", reason="signals are sent the POSIX way")
def test_ctrl_c_ends_watching_cleanly_and_leaves_the_table():
    process = start("--fen", MIDDLEGAME)
    assert "until Ctrl-C" in process.stderr.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0 and not error
    assert "score for White" in out and " 8. " in out


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_the_table_changes_live_on_a_terminal():
    import pty

    main_end, other_end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cythera", "analyse", "--fen", MIDDLEGAME, "--movetime", "1"],
        stdout=other_end, stderr=other_end, stdin=other_end, env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(other_end)
    seen = b""
    while True:
        try:
            piece = os.read(main_end, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.close(main_end)
    assert process.wait(PATIENCE_S) == 0
    assert seen.count(b"score for White") >= 3, "it was drawn again and again"
