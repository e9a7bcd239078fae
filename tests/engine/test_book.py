"""Polyglot books: read when used, refused with a message."""

import random
import struct

import chess
import chess.polyglot
import pytest

from cythera import BookError, Engine, Limit, Position
from cythera.engine.book import check_book, pick_move


def encoded(board, move):
    """A move as Polyglot has it: castling is king takes rook."""
    to_square = move.to_square
    if board.is_castling(move):
        side = chess.BB_FILE_H if chess.square_file(to_square) > 4 else chess.BB_FILE_A
        to_square = chess.msb(side & chess.BB_RANKS[chess.square_rank(to_square)])
    return to_square | move.from_square << 6 | (max((move.promotion or 1) - 1, 0)) << 12


def write_book(path, entries):
    """Entries are (board, UCI move, weight)."""
    rows = []
    for board, text, weight in entries:
        move = chess.Move.from_uci(text)
        rows.append(struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), encoded(board, move), weight, 0))
    path.write_bytes(b"".join(sorted(rows)))
    return str(path)


@pytest.fixture
def book(tmp_path):
    castling = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    start = chess.Board()
    return write_book(
        tmp_path / "my book.bin",
        [(start, "e2e4", 3), (start, "d2d4", 1), (start, "a2a3", 0), (castling, "e1g1", 5), (castling, "a1a7", 0)],
    )


def test_moves_are_chosen_by_their_weight(book):
    rng = random.Random(5)
    picked = [pick_move(book, Position(), rng) for _ in range(400)]
    assert set(picked) == {"e2e4", "d2d4"}
    assert 0.65 < picked.count("e2e4") / len(picked) < 0.85


def test_an_unknown_position_has_no_book_move(book):
    assert pick_move(book, Position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) is None


def test_castling_is_written_as_the_position_writes_it(book):
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert pick_move(book, Position(fen)) == "e1g1"
    assert pick_move(book, Position(fen, chess960=True)) == "e1h1"


def test_a_long_game_costs_the_book_nothing(book, monkeypatch):
    """On a clock of a second, replaying two hundred moves for a book that ended long ago would lose games."""
    position = Position()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
        position.push(move)
    monkeypatch.setattr(Position, "to_board", None)
    assert pick_move(book, position) in ("e2e4", "d2d4")


def test_moves_that_are_not_legal_are_not_played(tmp_path):
    start = chess.Board()
    assert pick_move(write_book(tmp_path / "odd.bin", [(start, "e2e5", 9), (start, "e7e5", 9)]), Position()) is None


@pytest.mark.parametrize("content", [None, b"", b"PGN, not a book"])
def test_what_is_not_a_book_is_refused_by_a_sentence(tmp_path, content):
    path = tmp_path / "book.bin"
    if content is not None:
        path.write_bytes(content)
    for call in (lambda: check_book(str(path)), lambda: pick_move(str(path), Position())):
        with pytest.raises(BookError, match=r"cannot read book|not a Polyglot book"):
            call()
    with pytest.raises(BookError, match="cannot read book"):
        check_book(str(tmp_path))


def test_the_engine_plays_from_its_book(book):
    with Engine(book=book, hash_mib=1) as engine:
        played = engine.play(chess.Board(), Limit(nodes=1000))
        assert played.uci in ("e2e4", "d2d4") and played.line is None and played.score is None
        assert "book" in repr(played) and played.ponder is None
        assert engine.play(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), Limit(nodes=1000)).line is not None
        assert engine.analyse(chess.Board(), Limit(nodes=1000)).moves


def test_uci_plays_from_the_book_only_when_told_and_not_in_analysis(talk, book):
    talk.ask(f"setoption name Book File value {book}")
    assert len(talk.go("depth 3", "startpos")[0]) == 3
    talk.ask("setoption name OwnBook value true")
    infos, best = talk.go("depth 3", "startpos")
    assert infos == [] and best[1] in ("e2e4", "d2d4")
    assert talk.go("depth 3 searchmoves h2h3")[1][1] == "h2h3"
    talk.ask("setoption name UCI_AnalyseMode value true")
    assert len(talk.go("depth 3", "startpos")[0]) == 3


def test_a_book_that_disappears_costs_a_sentence_and_no_move(talk, book):
    import os

    talk.ask(f"setoption name Book File value {book}", "setoption name OwnBook value true")
    os.remove(book)  # noqa: PTH107
    infos, best = talk.go("depth 3", "startpos")
    assert len(infos) == 3 and best[0] == "bestmove"
    assert any("cannot read book" in line for line in talk.said)
