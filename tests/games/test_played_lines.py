"""`cythera openings --from`: lines that were played, and balanced."""

import chess
import chess.pgn
import pytest

from cythera.__main__ import main
from cythera.games.lines import played_lines
from cythera.match.openings.opening_files import load_book

GAMES = (
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n" * 3
    + '[WhiteElo "2600"]\n[BlackElo "2500"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 1/2-1/2\n\n'
    + "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 0-1\n\n"
    + "1. c4 *\n\n"
    + '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 Kd7 2. e5 Ke6 3. Kd2 Kxe5 *\n\n'
    + "1. Nf3 Nc6 2. e4 e5 3. Bb5 a6 0-1\n\n1. e5 *\n\n"
)


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    return path


def test_lines_are_counted_by_position_and_each_is_there_once(games):
    found = {line.moves[-1]: line for line in played_lines([games], 6)}
    assert {move: line.games for move, line in found.items()} == {"a7a6": 4, "g8f6": 1, "e8f7": 1}
    board = chess.Board()
    for move in found["a7a6"].moves:
        board.push_uci(move)
    assert found["a7a6"].fen == board.fen()


@pytest.mark.parametrize(
    ("options", "lines"), [({"min_games": 2}, 1), ({"min_rating": 2500}, 1), ({"spread_plies": 1}, None)]
)
def test_lines_can_be_chosen(games, options, lines):
    found = played_lines([games], 5, **options)
    assert len(found) == lines if lines else {len(line.moves) for line in found} == {5, 6}


def test_the_order_is_the_seeds(games):
    assert played_lines([games], 6, seed=3) == played_lines([games], 6, seed=3)
    assert sorted(played_lines([games], 6, seed=3)) == sorted(played_lines([games], 6, seed=4))


def test_the_command_keeps_balanced_lines(games, tmp_path, capsys):
    words = ["openings", "9", "--from", str(games), "--plies", "6", "--spread", "0", "--nodes", "300", "--workers", "1"]
    out = tmp_path / "out.pgn"
    assert main([*words, "-o", str(out), "--window", "0:150"]) == 1
    said = capsys.readouterr()
    assert "2 openings in" in said.out
    assert "1. e5 is not a legal move" in said.err
    book, _ = load_book(str(out))
    assert sorted(len(book[number].moves) for number in range(len(book))) == [6, 6]
    assert any("Queen's Gambit Declined" in book[number].name for number in range(2))
    epd = tmp_path / "out.epd"
    assert main([*words, "-o", str(epd), "--window", "0:150"]) == 1
    assert len(epd.read_text().splitlines()) == 2
    capsys.readouterr()
    assert main([*words, "-o", str(epd), "--min-games", "50"]) == 2
    assert "has such a line" in capsys.readouterr().err
    assert main(["openings", "9", "-o", str(out)]) == 2
    assert ".pgn is for --from" in capsys.readouterr().err
