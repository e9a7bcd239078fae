"""Data generation: the same games whatever the workers, and runs that can be gone on with."""

import gzip
import json

import pytest

from cythera.__main__ import main
from cythera.training.game_file import scan_blocks


def games_of(folder, seed=1):
    return b"".join(raw for _, _, raw in scan_blocks(folder / f"run-{seed}.cyg"))


def generate(folder, *words):
    return main(["datagen", "-o", str(folder), "--nodes", "40", *words])


def test_a_stopped_run_goes_on_with_the_games_it_would_have_played(tmp_path, capsys):
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
    assert "another nodes" in capsys.readouterr().err
    assert json.loads((tmp_path / "run-1.json").read_text())["nodes"] == 40


def test_openings_from_a_file_are_the_starts_of_the_games(tmp_path):
    fens = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -",
        "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq -",
    ]
    (tmp_path / "book.epd").write_text("\n".join(fens) + "\n")
    generate(tmp_path, "--games", "2", "--workers", "1", "--openings", str(tmp_path / "book.epd"))
    from cythera.core import GameCursor

    cursor = GameCursor(games_of(tmp_path))
    assert [cursor.game(at)[0] for at in cursor.offsets()] == [fen + " 0 1" for fen in fens]


def test_a_book_that_has_to_serve_again_is_left_by_random_plies_so_that_no_game_is_played_twice(tmp_path):
    game = '[Event "?"]\n\n1. e4 e5 2. Nf3 Nc6 *\n'
    with gzip.open(tmp_path / "book.pgn.gz", "wt") as book:
        book.write(game)
    generate(tmp_path, "--games", "4", "--workers", "1", "--openings", str(tmp_path / "book.pgn.gz"))
    from cythera.core import GameCursor

    raw = games_of(tmp_path)
    cursor = GameCursor(raw)
    starts = [cursor.game(at)[0] for at in cursor.offsets()]
    assert starts[0] == "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    assert len(set(starts)) == 4


def test_enough_positions_end_the_run(tmp_path):
    generate(tmp_path, "--positions", "500", "--workers", "1")
    assert len(games_of(tmp_path)) > 4 * 500


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--games", "0"], "--games is at least 1"),
        (["--chess960", "2"], "share from 0 to 1"),
        (["--openings", "/no/such/file"], "cannot be read"),
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
