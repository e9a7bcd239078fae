"""SAN read and written by the core, beside python-chess."""

import random

import chess
import pytest

from cythera import IllegalMoveError, Position


def random_games(count, seed, *, chess960=False):
    random.seed(seed)
    for _ in range(count):
        board = chess.Board.from_chess960_pos(random.randrange(960)) if chess960 else chess.Board()
        while not board.is_game_over() and board.ply() < 200:
            yield board
            board.push(random.choice(list(board.legal_moves)))


@pytest.mark.parametrize("chess960", [False, True])
def test_every_legal_move_is_written_as_python_chess_writes_it_and_read_back(chess960):
    moves = checks = mates = 0
    for board in random_games(5, 1, chess960=chess960):
        position = Position.from_board(board, history=False)
        for move in board.legal_moves:
            san = board.san(move)
            assert position.san(move) == san
            assert position.parse_san(san) == move.uci()
            moves += 1
            checks += san.endswith("+")
            mates += san.endswith("#")
    assert moves > 10_000
    assert checks > 100
    assert mates


def test_what_python_chess_rejects_or_reads_otherwise_does_not_slip_through():
    """Every square and piece letter, in positions of random games: the same moves are found."""
    compared = 0
    for count, board in enumerate(random_games(3, 2)):
        if count % 10:
            continue
        position = Position(board.fen())
        for piece in ["", *"NBRQK"]:
            for square in chess.SQUARE_NAMES:
                text = piece + square
                try:
                    expected = board.parse_san(text).uci()
                except ValueError:
                    expected = None
                try:
                    got = position.parse_san(text).uci()
                except IllegalMoveError:
                    got = None
                assert got == expected, (text, board.fen())
                compared += 1
    assert compared > 5_000


PROMOTE = "3r2k1/4P3/8/8/8/8/8/4K2R w K - 0 1"
TWO_KNIGHTS = "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        (PROMOTE, "e8=Q", "e7e8q"), (PROMOTE, "e8Q", "e7e8q"), (PROMOTE, "e8q+", "e7e8q"), (PROMOTE, "e8(N)", "e7e8n"),
        (PROMOTE, "e8/R", "e7e8r"), (PROMOTE, "exd8=B", "e7d8b"), (PROMOTE, "ed8B", "e7d8b"),
        (PROMOTE, "e7-e8=Q", "e7e8q"), (PROMOTE, "e7e8q", "e7e8q"), (PROMOTE, "O-O", "e1g1"), (PROMOTE, "0-0", "e1g1"),
        (PROMOTE, "o-o+", "e1g1"), (PROMOTE, "OO", "e1g1"), (PROMOTE, "e1g1", "e1g1"), (PROMOTE, "Ke2??", "e1e2"),
        (TWO_KNIGHTS, "Nge2", "g1e2"), (TWO_KNIGHTS, "N1e2", "g1e2"), (TWO_KNIGHTS, "Ng1-e2", "g1e2"),
        (TWO_KNIGHTS, "Ng1e2#", "g1e2"), (TWO_KNIGHTS, "Ncxe2", "c3e2"), (TWO_KNIGHTS, "nf3", "g1f3"),
        (TWO_KNIGHTS, "♘f3", "g1f3"), (TWO_KNIGHTS, "c3b5", "c3b5"), (TWO_KNIGHTS, " Nf3!? ", "g1f3"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.".replace(" ", ""), "e5d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "ed6", "e5d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5:d6ep", "e5d6"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "Pe4", "e2e4"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2-e4", "e2e4"),
    ],
)  # fmt: skip
def test_dialects_are_read(fen, text, uci):
    assert Position(fen).parse_san(text) == uci


@pytest.mark.parametrize(
    ("fen", "text", "message"),
    [
        (PROMOTE, "e8", "does not say what the pawn becomes"),
        (PROMOTE, "e8=K", "is not a move in standard algebraic notation"),
        (TWO_KNIGHTS, "Ne2", "can be more than one move"),
        (TWO_KNIGHTS, "Nf4", "is not a legal move"),
        (TWO_KNIGHTS, "Nf9", "is not a move in standard algebraic notation"),
        (TWO_KNIGHTS, "", "is not a move in standard algebraic notation"),
        (TWO_KNIGHTS, "Nf3 Kd8", "is not a move in standard algebraic notation"),
        (TWO_KNIGHTS, "O-O", "is not a legal move"),
        (PROMOTE, "O-Ox", "is not a move in standard algebraic notation"),
        (PROMOTE, "0000", "is not a move in standard algebraic notation"),
        (TWO_KNIGHTS, "Nf3\0", "is not a move in standard algebraic notation"),
        (TWO_KNIGHTS, "\ud800", "is not a move in standard algebraic notation"),
    ],
)
def test_a_text_that_names_no_move_says_why_and_changes_nothing(fen, text, message):
    position = Position(fen)
    with pytest.raises(IllegalMoveError, match=message):
        position.push_san(text)
    assert position.fen() == fen


def test_push_san_plays_and_returns_the_move():
    position = Position()
    assert position.push_san("Nf3") == "g1f3"
    assert position.history() == ["g1f3"]


def test_push_of_a_san_says_what_it_wants():
    with pytest.raises(IllegalMoveError, match=r"a move must be in UCI notation, like 'e2e4', got 'e4': push_san\(\)"):
        Position().push("e4")
    assert not Position().is_legal("e4")


def test_a_variation_is_numbered():
    position = Position()
    assert position.variation_san(["e2e4", "e7e5", "g1f3"]) == "1. e4 e5 2. Nf3"
    position.push("e2e4")
    assert position.variation_san(["e7e5", "g1f3"]) == "1... e5 2. Nf3"
    assert position.variation_san([]) == ""
    with pytest.raises(IllegalMoveError):
        position.variation_san(["e7e5", "e7e5"])
    assert len(position.history()) == 1


def test_an_argument_of_another_type_is_a_type_error():
    with pytest.raises(TypeError, match="text must be a string, got int"):
        Position().push_san(4)
