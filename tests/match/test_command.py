"""The command as people type it."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cythera.cli.match import main, parser, read_config
from cythera.errors import CytheraError
from cythera.match.config import MatchConfig
from cythera.match.match_errors import MatchError
from cythera.tables import PACKAGE_TABLES

FAST = ["--nodes", "10", "--max-moves", "10", "--games", "4", "--workers", "1", "--openings"]


def config(*words):
    return read_config(parser().parse_args(words))


def test_a_match_prints_its_result(command, book, capsys):
    assert main([command("A"), command("B"), *FAST, str(book)]) == 0
    out = capsys.readouterr().out
    assert "A - B" in out
    assert "Games  4: +0 =4 -0, 50.0%" in out
    assert "Pairs  [0, 0, 2, 0, 0]" in out
    assert "At     nodes=10, book.epd, seed 0" in out


def test_engines_come_from_a_toml_file(command, book, tmp_path, capsys):
    path = tmp_path / "engines.toml"
    path.write_text(
        f'[engines.one]\ncommand = "{command("x").partition("=")[2]}"\n'
        "options = { Hash = 64 }\nnodes = 5\n"
        f'[engines.two]\ncommand = {json.dumps(command("x").partition("=")[2].split())}\ntc = "5+0.05"\n'
    )
    found = config("--engines", str(path), "--nodes", "10", "--openings", str(book))
    assert [spec.name for spec in found.engines] == ["one", "two"]
    assert found.engines[0].options == (("Hash", "64"),)
    assert [str(found.control_of(spec)) for spec in found.engines] == ["nodes=5", "5+0.05"]
    assert main(["--engines", str(path), "one", "again=one", *FAST, str(book)]) == 0
    assert "one - again" in capsys.readouterr().out


def test_options_and_time_controls_can_be_for_one_engine(command):
    found = config(
        command("A"), command("B"), "--option", "Hash=32", "--option", "B:Hash=64", "--tc", "8+0.08", "--nodes", "A:99",
    )  # fmt: skip
    assert [dict(spec.options)["Hash"] for spec in found.engines] == ["32", "64"]
    assert [str(found.control_of(spec)) for spec in found.engines] == ["nodes=99", "8+0.08"]


def test_the_same_engine_twice_gets_two_names(command):
    assert [spec.name for spec in config(command("A"), command("A"), "--depth", "1").engines] == ["A", "A-2"]


def test_cythera_means_this_installation(command):
    spec = config("cythera", command("B"), "--depth", "1").engines[0]
    assert spec.argv() == [sys.executable, "-m", "cythera"]


def test_another_checkout_is_run_from_its_sources(command, tmp_path):
    package = tmp_path / "older" / "engine" / "cythera"
    package.mkdir(parents=True)
    (package / "__main__.py").touch()
    spec = config(f"old={tmp_path / 'older'}", command("B"), "--depth", "1").engines[0]
    assert spec.name == "old"
    assert dict(spec.environment) == {"PYTHONPATH": str(tmp_path / "older" / "engine")}


def test_adjudication_and_statistics_are_read(command):
    found = config(
        command("A"), command("B"), "--depth", "1", "--draw", "count=5,cp=7", "--win", "--sprt=-1.5,2",
        "--elo-model", "logistic", "--alpha", "0.1", "--anchor", "B=2900",
    )  # fmt: skip
    assert (found.rules.draw.move, found.rules.draw.count, found.rules.draw.cp) == (40, 5, 7)
    assert found.rules.win.cp == 800
    assert (found.sprt.elo0, found.sprt.elo1, found.sprt.alpha, found.sprt.model) == (-1.5, 2.0, 0.1, "logistic")
    assert found.anchors == {"B": 2900.0}


def test_tables_are_those_of_the_package_or_of_folders(command, tmp_path):
    words = [command("A"), command("B"), "--depth", "1", "--tables"]
    assert config(*words).rules.tables == "package"
    (tmp_path / "KPvK.rtbw").write_bytes((Path(PACKAGE_TABLES) / "KPvK.rtbw").read_bytes())
    found = config(*words, str(tmp_path))
    assert found.rules.tables == str(tmp_path)
    assert MatchConfig.from_json(found.as_json()).rules == found.rules


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["B", "B", "--depth", "1", "--tables", "/no/such/folder"], "cannot read the folder of tables"),
        (["B", "B", "--depth", "1", "--tables", "."], "no endgame tables"),
        (["nosuchengine", "B"], "unknown engine 'nosuchengine'"),
        (["B"], "two engines or more"),
        (["B", "B"], "no time control"),
        (["B", "B", "--tc", "quick"], "a time control must be written like"),
        (["B", "B", "--depth", "1", "--option", "Hsh=4"], "do you mean Hash"),
        (["B", "B", "--depth", "1", "--option", "Hash"], "must be OPTION=VALUE"),
        (["B", "B", "--depth", "1", "--option", "UCI_Chess960=true"], "set by the referee"),
        (["B", "B", "--depth", "1", "--games", "0"], "games must be at least 1, got 0"),
        (["B", "B", "--depth", "1", "--workers", "0"], "--workers must be at least 1, got 0"),
        (["B", "B", "--depth", "1", "--sprt", "5"], "two numbers"),
        (["B", "B", "--depth", "1", "--sprt", "5,0"], "must be below elo1, got 5 and 0"),
        (["B", "B", "B", "--depth", "1", "--sprt", "0,5"], "compares two engines"),
        (["B", "B", "--depth", "1", "--draw", "speed=3"], "--draw must give numbers for"),
        (["B", "B", "--depth", "1", "--anchor", "Z=3"], "unknown anchor"),
        (["B", "B", "--depth", "1", "--anchor", "B"], "NAME=ELO"),
        (["B", "B", "--depth", "1", "--openings", "/no/such/book.epd"], "cannot read"),
        (["B", "B", "--depth", "1", "--openings", "BOOK", "--first-opening", "9"], "opening must be between 1"),
        (["B", "B", "--depth", "1", "--pgn", "/no/such/folder/games.pgn"], "cannot write"),
        (["--engines", "/no/such/file.toml"], "cannot read"),
        (["--resume", "/no/such/match.json"], "cannot read"),
        (["B", "--resume", "/no/such/match.json"], "engines cannot be given"),
        (["/etc/passwd", "B", "--depth", "1"], "not a program that can be run"),
    ],
)
def test_bad_input_is_one_clear_sentence(command, book, words, sentence):
    words = [{"B": command("B"), "BOOK": str(book)}.get(word, word) for word in words]
    if "--openings" not in words and "--resume" not in words:
        words += ["--openings", str(book)]
    with pytest.raises(CytheraError, match=re.escape(sentence)) as caught:
        main(words)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("[[", "not TOML"), ("x = 1", "no table"), ("[engines.a]\nspeed = 3\n", "unknown key 'speed'"),
     ('[engines.a]\ncommand = "nosuchprogram"\n', "no program 'nosuchprogram'")],
)  # fmt: skip
def test_a_bad_engines_file_is_one_clear_sentence(tmp_path, text, sentence):
    path = tmp_path / "engines.toml"
    path.write_text(text)
    with pytest.raises(CytheraError, match=re.escape(sentence)):
        main(["--engines", str(path), "--depth", "1"])


def test_timed_games_that_would_crowd_the_machine_are_noted(command, book, capsys):
    words = [command("A"), command("B"), "--max-moves", "1", "--games", "1", "--openings", str(book)]
    main([*words, "--tc", "5+1", "--workers", "999"])
    assert "Note: 999 games in parallel on" in capsys.readouterr().err
    main([*words, "--nodes", "5", "--workers", "2"])
    assert "Note" not in capsys.readouterr().err


def test_an_existing_match_file_is_not_overwritten(command, book, tmp_path):
    path = tmp_path / "match.json"
    path.write_text("precious")
    with pytest.raises(MatchError, match="exists"):
        main([command("A"), command("B"), *FAST, str(book), "--json", str(path)])
    assert path.read_text() == "precious"


def test_a_match_can_be_made_longer(command, book, tmp_path, capsys):
    path = tmp_path / "match.json"
    main([command("A"), command("B"), *FAST, str(book), "--json", str(path), "--quiet"])
    assert main(["--resume", str(path), "--games", "6", "--quiet"]) == 0
    assert "Games  6:" in capsys.readouterr().out
    assert [game["index"] for game in json.loads(path.read_text())["games"]] == list(range(6))


def test_a_match_can_be_replayed(command, book, tmp_path, capsys):
    path = tmp_path / "match.json"
    main([command("A"), command("B"), *FAST, str(book), "--json", str(path), "--quiet"])
    assert main(["--replay", str(path), "--workers", "1"]) == 0
    assert "Replay 4 of 4 games are the same as before" in capsys.readouterr().out


def descendants(pid):
    """Process ids of all children of a process and their children (Linux)."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == pid:
                child = int(stat.parent.name)
                found += [child, *descendants(child)]
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_ctrl_c_stops_cleanly_and_the_match_is_resumed(command, book, tmp_path):
    path = tmp_path / "match.json"
    words = [command("A", "--delay", "0.02"), command("B"), "--nodes", "10", "--max-moves", "10", "--games", "40"]
    words += ["--workers", "2", "--openings", str(book), "--json", str(path), "--pgn", str(tmp_path / "games.pgn")]
    process = subprocess.Popen(
        [sys.executable, "-m", "cythera", "match", *words], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    while '"index": 1,' not in (path.read_text() if path.exists() else ""):
        assert process.poll() is None
        time.sleep(0.05)
    family = descendants(process.pid)
    assert len(family) >= 4
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 130
    assert re.search(r"Stopped after \d+ of 40 games", out)
    assert f"cythera match --resume {path}" in out
    for pid in family:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    before = [game["index"] for game in json.loads(path.read_text())["games"]]
    assert 2 <= len(before) < 40
    assert main(["--resume", str(path), "--games", str(len(before) + 3), "--quiet"]) == 0
    games = json.loads(path.read_text())["games"]
    indices = [game["index"] for game in games]
    assert len(indices) == len(set(indices)) >= len(before) + 3
    assert (tmp_path / "games.pgn").read_text().count("[Event ") == len(indices)
