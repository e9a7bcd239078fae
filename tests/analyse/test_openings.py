"""The table of openings: every line is legal, every position has one name, transpositions are seen."""

import chess
import pytest

from cythera.analyse.openings import LONGEST_PLIES, book_plies, named_positions, opening_lines, opening_of


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


def test_moves_to_named_positions_and_on_the_way_to_them_are_book():
    board = chess.Board()
    names = dict(opening_lines())
    moves = []
    for san in names["Sicilian Defence, Najdorf Variation"]:
        move = board.parse_san(san)
        moves.append(move)
        board.push(move)
    moves.append(board.parse_san("a3"))
    assert book_plies(chess.Board(), moves) == set(range(len(moves) - 1))
    assert book_plies(chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), [chess.Move.from_uci("e2e4")]) == set()
