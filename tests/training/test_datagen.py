"""Data generation: the same games whatever the workers, and runs that can be resumed."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cythera import Position
from cythera.__main__ import main
from cythera.core import GameCursor, Searcher, self_play
from cythera.training import datagen
from cythera.training.game_file import GameWriter, scan_blocks


def games_of(folder, seed=1):
    return b"".join(raw for _, _, raw in scan_blocks(folder / f"run-{seed}.cyg"))


def generate(folder, *words):
    nodes = [] if "--nodes" in words else ["--nodes", "40"]
    return main(["datagen", "-o", str(folder), *nodes, *words])


def test_a_stopped_run_is_resumed_with_the_games_it_would_have_played(tmp_path, capsys):
    assert generate(tmp_path / "whole", "--games", "45", "--workers", "2") == 0
    assert generate(tmp_path / "parts", "--games", "25", "--workers", "1") == 0
    assert generate(tmp_path / "parts", "--games", "45", "--workers", "2") == 0
    assert games_of(tmp_path / "whole") == games_of(tmp_path / "parts")
    assert "45 games" in capsys.readouterr().out


def test_another_seed_plays_other_games(tmp_path):
    generate(tmp_path, "--games", "20", "--workers", "1", "--seed", "1")
    generate(tmp_path, "--games", "20", "--workers", "1", "--seed", "2")
    assert games_of(tmp_path, 1) != games_of(tmp_path, 2)


def test_settings_cannot_be_changed_under_a_run(tmp_path, capsys):
    generate(tmp_path, "--games", "20", "--workers", "1")
    assert main(["datagen", "-o", str(tmp_path), "--nodes", "50", "--games", "40"]) == 2
    assert "different settings (nodes" in capsys.readouterr().err
    assert json.loads((tmp_path / "run-1.json").read_text())["nodes"] == 40


def test_openings_from_a_file_are_the_starts_of_the_games(tmp_path):
    fens = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -",
        "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq -",
    ]
    (tmp_path / "book.epd").write_text("\n".join(fens) + "\n")
    generate(tmp_path, "--games", "2", "--workers", "1", "--openings", str(tmp_path / "book.epd"))
    cursor = GameCursor(games_of(tmp_path))
    assert [cursor.game(at).fen for at in cursor.offsets()] == [fen + " 0 1" for fen in fens]


def test_a_book_that_has_to_serve_again_is_left_by_random_plies_so_that_no_game_is_played_twice(tmp_path):
    game = '[Event "?"]\n\n1. e4 e5 2. Nf3 Nc6 *\n'
    with gzip.open(tmp_path / "book.pgn.gz", "wt") as book:
        book.write(game)
    generate(tmp_path, "--games", "4", "--workers", "1", "--openings", str(tmp_path / "book.pgn.gz"))
    raw = games_of(tmp_path)
    cursor = GameCursor(raw)
    starts = [cursor.game(at).fen for at in cursor.offsets()]
    assert starts[0] == "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    assert len(set(starts)) == 4


def test_enough_positions_end_the_run(tmp_path):
    generate(tmp_path, "--positions", "500", "--workers", "1")
    assert len(games_of(tmp_path)) > 4 * 500


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--games", "0"], "--games must be at least 1, got 0"),
        (["--chess960", "2"], "--chess960 must be between 0 and 1, got 2.0"),
        (["--openings", "/no/such/file"], "cannot read"),
        (["--openings", "/no/such/file", "--chess960", "0.5"], "--chess960 is for random openings"),
    ],
)
def test_bad_input_gets_a_sentence(tmp_path, capsys, words, said):
    try:
        code = generate(tmp_path, *words)
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    assert said in capsys.readouterr().err


def test_a_start_is_judged_by_more_nodes_than_a_move(tmp_path):
    generate(tmp_path, "--games", "3", "--workers", "1")
    manifest = json.loads((tmp_path / "run-1.json").read_text())
    assert (manifest["nodes"], manifest["start_nodes"]) == (40, 1000)
    searcher = Searcher(1)
    plain, judged = (
        [self_play(searcher, Position(), seed, nodes=10, max_start_score=30, **more)[0][:32] for seed in range(20)]
        for more in ({}, {"start_nodes": 1000})
    )
    same = sum(first == second for first, second in zip(plain, judged, strict=True))
    assert 0 < same < 20  # some starts only seemed to be fair


def test_a_run_from_before_starts_were_judged_apart_stays_as_it_was(tmp_path):
    generate(tmp_path, "--games", "2", "--workers", "1")
    path = tmp_path / "run-1.json"
    manifest = json.loads(path.read_text())
    del manifest["start_nodes"]
    path.write_text(json.dumps(manifest))
    settings = datagen.DatagenSettings(**{**manifest, "start_nodes": 1000})
    run = datagen.DatagenRun(tmp_path, settings)
    run.writer.close()
    assert run.settings.start_nodes == 40


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_a_sentence(tmp_path, capsys):
    (tmp_path / "run-1.cyg").symlink_to("/dev/full")
    assert generate(tmp_path, "--games", "2", "--workers", "1") == 2
    said = capsys.readouterr().err
    assert "cannot write" in said
    assert "No space left on device" in said
    assert "Traceback" not in said


def test_a_disk_that_fills_up_keeps_the_games_before_and_the_run_resumes(tmp_path, capsys, monkeypatch):
    generate(tmp_path, "--games", "200", "--nodes", "1", "--workers", "1", "--seed", "1")
    whole = games_of(tmp_path)
    (tmp_path / "run-1.cyg").unlink()
    generate(tmp_path, "--games", "100", "--nodes", "1", "--workers", "1", "--seed", "1")
    flushed = GameWriter.flush

    def full(writer):
        if writer.games > 100:
            writer.file.write(b"half a block")
            raise OSError(28, "No space left on device")
        flushed(writer)

    with monkeypatch.context() as patched:
        patched.setattr(GameWriter, "flush", full)
        assert generate(tmp_path, "--games", "200", "--nodes", "1", "--workers", "1") == 2
    assert "No space left on device; the 100 games before are kept" in capsys.readouterr().err
    assert generate(tmp_path, "--games", "200", "--nodes", "1", "--workers", "1") == 0
    assert games_of(tmp_path) == whole


def test_a_folder_that_cannot_be_written_and_a_damaged_manifest_are_sentences(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert generate(tmp_path / "file", "--games", "2") == 2
    assert "cannot write" in capsys.readouterr().err
    (tmp_path / "run-1.json").write_text("[1, 2")
    assert generate(tmp_path, "--games", "2") == 2
    assert "run-1.json is damaged" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM for one process")
def test_sigterm_ends_a_run_with_its_games_in_the_file(tmp_path):
    command = [sys.executable, "-m", "cythera", "datagen", "-o", str(tmp_path), "--nodes", "20", "--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            path = tmp_path / "run-1.cyg"
            deadline = time.monotonic() + 60
            while not path.exists() or path.stat().st_size < 1000:
                assert time.monotonic() < deadline
                time.sleep(0.02)
            process.send_signal(signal.SIGTERM)
            said, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert f"{sum(count for _, count, _ in scan_blocks(path)):,} games" in said
