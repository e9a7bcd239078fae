"""Polyglot: keys and books beside python-chess; making, showing, joining."""

import random

import chess
import chess.polyglot
import pytest

from cythera import CytheraError, Position
from cythera.__main__ import main
from cythera.core import PolyglotBook, polyglot_key_of
from cythera.engine.book import open_book
from cythera.games.book_maker import BookOptions, make_book, merge_books


def test_keys_are_those_of_python_chess_over_random_games():
    random.seed(3)
    passed = 0
    for number in range(30):
        board = chess.Board.from_chess960_pos(random.randrange(960)) if number % 3 == 0 else chess.Board()
        position = Position.from_board(board)
        while not board.is_game_over() and board.ply() < 120:
            assert polyglot_key_of(position) == chess.polyglot.zobrist_hash(board)
            fresh = Position(board.fen(en_passant="fen"), chess960=board.chess960)
            assert polyglot_key_of(fresh) == chess.polyglot.zobrist_hash(board)
            passed += board.ep_square is not None
            move = random.choice(list(board.legal_moves))
            position.push(move)
            board.push(move)
    assert passed > 100


def test_an_en_passant_file_counts_though_the_capture_is_not_legal():
    """The pawn on e4 is pinned: python-chess and Polyglot look at the squares alone."""
    board = chess.Board("8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1")
    assert polyglot_key_of(Position(board.fen(en_passant="fen"))) == chess.polyglot.zobrist_hash(board)
    played = chess.Board("8/8/8/8/k3p2Q/8/3P4/4K3 w - - 0 1")
    position = Position(played.fen())
    played.push_uci("d2d4")
    position.push("d2d4")
    assert polyglot_key_of(position) == chess.polyglot.zobrist_hash(played)


GAMES = (
    '[White "Ann"]\n[Black "Bob"]\n[WhiteElo "2500"]\n[BlackElo "2400"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0\n'
    * 3
    + '[White "Bob"]\n[Black "Ann"]\n[WhiteElo "1500"]\n[BlackElo "2600"]\n\n1. e4 c5 2. Nf3 d6 0-1\n\n' * 2
    + '[White "Cid"]\n[Black "Dan"]\n\n1. d4 d5 2. c4 1/2-1/2\n\n'
    + "1. a3 *\n\n1. e4 Ke5 1-0\n\n"
)


@pytest.fixture
def games(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    return path


def entries(path, moves=()):
    """What python-chess reads for the position after moves."""
    board = chess.Board()
    for san in moves:
        board.push_san(san)
    with chess.polyglot.open_reader(path) as reader:
        return {entry.move.uci(): entry.weight for entry in reader.find_all(board)}


def test_weights_come_from_results(games, tmp_path):
    book = tmp_path / "book.bin"
    made = make_book([games], book, BookOptions(min_games=1))
    assert (made.games, made.bad_games) == (7, 1)
    assert entries(book) == {"e2e4": 6, "d2d4": 1}
    assert entries(book, ["e4"]) == {"c7c5": 4}  # e7e5 lost all its games
    assert entries(book, ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"]) == {"e1g1": 6}
    assert len(chess.polyglot.MemoryMappedReader(book)) == made.moves


def test_the_reader_and_python_chess_find_the_same(games, tmp_path):
    book = tmp_path / "book.bin"
    make_book([games], book, BookOptions(min_games=1, weights="games"))
    reader = open_book(str(book))
    found = 0
    board = chess.Board()
    for san in ["", *["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O"]]:
        if san:
            board.push_san(san)
        mine = {move: weight for move, weight, _ in reader.find(Position.from_board(board))}
        with chess.polyglot.open_reader(book) as theirs:
            assert mine == {entry.move.uci(): entry.weight for entry in theirs.find_all(board)}
        found += len(mine)
    assert found >= 9
    keys = [entry.key for entry in chess.polyglot.MemoryMappedReader(book)]
    assert keys == sorted(keys)


@pytest.mark.parametrize(
    ("options", "first"),
    [
        (BookOptions(min_games=2), {"e2e4": 6}), (BookOptions(min_games=1, weights="games"), {"e2e4": 5, "d2d4": 1}),
        (BookOptions(min_games=1, min_rating=2400), {"e2e4": 6}),
        (BookOptions(min_games=1, max_rating=2000), {"d2d4": 1}),
        (BookOptions(min_games=1, player="bob", weights="games"), {"e2e4": 2}),
        (BookOptions(min_games=1, colour="b"), {}),
        (BookOptions(min_games=1, player="ANN", colour="w"), {"e2e4": 6}),
        (BookOptions(min_games=1, min_score=0.55), {"e2e4": 6}),
        (BookOptions(min_games=99), {}),
    ],
)  # fmt: skip
def test_filters(games, tmp_path, options, first):
    book = tmp_path / "book.bin"
    make_book([games], book, options)
    assert (entries(book) if book.stat().st_size else {}) == first


def test_depth_is_counted_in_half_moves(games, tmp_path):
    book = tmp_path / "book.bin"
    make_book([games], book, BookOptions(min_games=1, plies=2, weights="games"))
    assert entries(book, ["e4"])
    assert not entries(book, ["e4", "e5"])


def test_weights_beyond_16_bits_are_scaled(tmp_path):
    path = tmp_path / "many.pgn"
    path.write_text("1. e4 1-0\n\n" * 40_000 + "1. d4 1-0\n\n" * 20_000 + "1. c4 1/2-1/2\n\n")
    book = tmp_path / "book.bin"
    make_book([path], book, BookOptions(min_games=1))
    assert entries(book) == {"e2e4": 65535, "d2d4": 32767, "c2c4": 1}


def test_books_are_joined(tmp_path, games):
    one, two, both = (tmp_path / name for name in ("1.bin", "2.bin", "both.bin"))
    make_book([games], one, BookOptions(min_games=1))
    other = tmp_path / "other.pgn"
    other.write_text("1. e4 1-0\n\n1. c4 1-0\n\n")
    make_book([other], two, BookOptions(min_games=1))
    merge_books([(str(one), 1.0), (str(two), 2.0)], both)
    assert entries(both) == {"e2e4": 10, "d2d4": 1, "c2c4": 4}
    assert entries(both, ["e4"]) == {"c7c5": 4}
    with pytest.raises(CytheraError, match="must be positive, got 0"):
        merge_books([(str(one), 0)], both)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (BookOptions(plies=0), "plies must be between 1 and 1000, got 0"),
        (BookOptions(min_games=0), "the least number of games must be at least 1, got 0"),
        (BookOptions(colour="x"), "the colour must be 'w' or 'b', got 'x'"),
        (BookOptions(min_score=2), "the least score must be between 0 and 1, got 2"),
        (BookOptions(weights="no"), "the weights must be 'results' or 'games', got 'no'"),
    ],
)
def test_options_out_of_range_are_refused(games, tmp_path, options, message):
    with pytest.raises(CytheraError, match=message):
        make_book([games], tmp_path / "b.bin", options)


def test_the_command_makes_shows_and_joins(games, tmp_path, capsys):
    book = str(tmp_path / "book.bin")
    assert main(["book", "make", str(games), "-o", book, "--min-games", "1"]) == 0
    said = capsys.readouterr()
    assert "from 7 games" in said.out
    assert "1... Ke5 is not a legal move" in said.err
    assert main(["book", "show", book]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["e4", "6", "85.7%"]
    assert main(["book", "show", book, "--moves", "1. e4"]) == 0
    assert "c5" in capsys.readouterr().out
    assert main(["book", "show", book, "8/8/8/8/8/5k2/8/4K2q w - - 0 1"]) == 1
    assert main(["book", "merge", book, f"{book}:2", "-o", str(tmp_path / "x.bin")]) == 0
    assert entries(tmp_path / "x.bin")["e2e4"] == 18
    capsys.readouterr()
    assert main(["book", "show", str(tmp_path / "no.bin")]) == 2
    assert "cannot read book" in capsys.readouterr().err
    assert main(["book", "show", book, "nonsense"]) == 2
    assert main(["book", "make", "no.pgn", "-o", book]) == 2
    assert main(["book", "show", book, "--moves", "Ke2"]) == 2


def test_damaged_books_are_refused_and_never_crash():
    with pytest.raises(ValueError, match="17 bytes are not"):
        PolyglotBook(bytes(17))
    random.seed(1)
    key = polyglot_key_of(Position()).to_bytes(8, "big")
    rows = b"".join(key + random.randbytes(8) for _ in range(5000))
    found = PolyglotBook(rows).find(Position())
    assert all(Position().is_legal(move) for move, _, _ in found)
    assert len(PolyglotBook(b"")) == 0
