"""The table of openings: every line is legal, every position has one name, transpositions are seen."""

import chess
import pytest

from cythera.analyse.openings import LONGEST_PLIES, named_positions, opening_lines, opening_of


@pytest.mark.parametrize("name, moves", opening_lines(), ids=lambda value: value if isinstance(value, str) else "")
def test_every_line_of_the_table_is_legal_and_written_as_san(name, moves):
    board = chess.Board()
    for san in moves:
        move = board.parse_san(san)
        assert board.san(move) == san
        board.push(move)
    assert name and len(moves) <= LONGEST_PLIES


def test_no_position_has_two_names():
    assert len(named_positions()) == len(opening_lines()) > 250


def moves_of(text):
    board = chess.Board()
    return [board.push_san(san) for san in text.split()]


@pytest.mark.parametrize(
    "moves, name, plies",
    [
        ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 f4", "Sicilian Defence, Najdorf Variation", 10),
        ("d4 Nf6 c4 e6 Nf3 d5 Nc3", "Queen's Gambit Declined, Three Knights Variation", 7),
        ("c4 e6 d4 d5", "Queen's Gambit Declined", 4),
        ("Nf3 Nc6 e4 e5 Bc4 Bc5", "Italian Game, Giuoco Piano", 6),
        ("", "", 0),
    ],
)
def test_games_are_named_after_their_last_known_position(moves, name, plies):
    assert opening_of(chess.Board(), moves_of(moves)) == (name, plies)


def test_a_game_from_another_position_has_no_name():
    board = chess.Board("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
    assert opening_of(board, [chess.Move.from_uci("e2e4")]) == ("", 0)
