import gzip
import lzma
import zipfile

import pytest

from cythera.match.match_errors import MatchError
from cythera.match.openings.opening_files import RANDOM, SEQUENTIAL, Openings, load_book, read_epd

PGN = """\
[Event "one"]
[ECO "C20"]
[Opening "King's Pawn"]

1. e4 e5 *

[Event "two"]

1. d4 {a comment
over two lines} d5
2. c4 *
"""


def test_epd_lines_give_positions_and_names(book):
    openings, _ = load_book(str(book))
    assert len(openings) == 4
    assert openings[2].name == "Sicilian"
    assert openings[2].fen == "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"


@pytest.mark.parametrize(
    ("line", "fen"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 12 34", "4k3/8/8/8/8/8/4P3/4K3 w - - 12 34"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; fmvn 20;", "4k3/8/8/8/8/8/4P3/4K3 w - - 3 20"),
        # An en-passant square that no pawn can capture on says nothing.
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
    ],
)
def test_positions_come_as_fen_or_epd(line, fen):
    assert read_epd(line)[0] == fen


def test_pgn_games_are_played_to_their_end(tmp_path):
    path = tmp_path / "book.pgn"
    path.write_text(PGN)
    openings, _ = load_book(str(path))
    assert [openings[0].moves, openings[1].moves] == [("e2e4", "e7e5"), ("d2d4", "d7d5", "c2c4")]
    assert openings[0].name == "C20 King's Pawn"


@pytest.mark.parametrize("packing", ["gz", "xz", "zip"])
def test_books_can_be_compressed(tmp_path, packing):
    path = tmp_path / f"book.pgn.{packing}"
    if packing == "gz":
        path.write_bytes(gzip.compress(PGN.encode()))
    elif packing == "xz":
        path.write_bytes(lzma.compress(PGN.encode()))
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("book.pgn", PGN)
    assert len(load_book(str(path))[0]) == 2


def test_random_order_deals_every_opening_once_a_pass(book):
    openings = Openings(load_book(str(book))[0], RANDOM, seed=5)
    names = [openings[pair].name for pair in range(8)]
    assert len(set(names[:4])) == len(set(names[4:])) == 4
    again = Openings(load_book(str(book))[0], RANDOM, seed=5)
    assert [again[pair].name for pair in (7, 0, 3)] == [names[7], names[0], names[3]]


def test_another_seed_gives_another_order(book):
    orders = {
        tuple(Openings(load_book(str(book))[0], RANDOM, seed=seed)[pair].name for pair in range(4)) for seed in range(6)
    }
    assert len(orders) > 1


def test_sequential_order_starts_where_it_is_told_and_wraps_around(book):
    openings = Openings(load_book(str(book))[0], SEQUENTIAL, start=3)
    assert [openings[pair].name for pair in range(3)] == ["Sicilian", "English", "King's Pawn"]


def test_chess960_has_its_own_starting_positions():
    openings, name = load_book(None, chess960=True)
    assert (len(openings), name) == (960, "chess960")
    assert openings[518].fen.startswith("rnbqkbnr/")


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("missing.epd", None, "cannot read"),
        ("empty.epd", b"", "empty"),
        ("words.epd", b"these are not positions\n", "not a position"),
        ("illegal.epd", b"4k3/8/8/8/8/8/8/8 w - - 0 1\n", "not a position"),
        ("broken.pgn", b'[Event "x"]\n\n1. e4 Ke3 *\n', "game 1"),
        ("noise.zip", b"\x00\x01\x02", "damaged"),
        ("noise.xz", b"\x00\x01\x02", "damaged"),
        ("noise.gz", b"\x00\x01\x02", "cannot read|damaged"),
    ],
)
def test_an_unreadable_book_is_found_out_at_once(tmp_path, name, content, sentence):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(MatchError, match=sentence):
        load_book(str(path))


def test_a_start_beyond_the_book_is_refused(book):
    with pytest.raises(MatchError, match="between 1 and 4"):
        Openings(load_book(str(book))[0], SEQUENTIAL, start=5)


def test_openings_can_be_cut_after_some_plies(tmp_path):
    path = tmp_path / "book.pgn"
    path.write_text(PGN)
    book, _ = load_book(str(path))
    openings = Openings(book, SEQUENTIAL, plies=1)
    assert [openings[pair].moves for pair in range(2)] == [("e2e4",), ("d2d4",)]


def test_a_game_that_python_chess_fails_on_is_named(tmp_path):
    """It raises IndexError on a comment sign after one bracket too many."""
    path = tmp_path / "a.pgn"
    path.write_text("1. e4 (e5 ) ) ?\n")
    with pytest.raises(MatchError, match=r"cannot read game 1 of a\.pgn"):
        load_book(str(path))
