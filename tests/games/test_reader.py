"""Streams of games from files of all kinds."""

import bz2
import gzip
import io
import lzma
import sys
import zipfile

import pytest

import cythera
from cythera.games import PgnError, read_games
from cythera.games.reader import GameReader
from cythera.games.source import ZSTD_MODULES


def game(number, text="1. e4 e5 2. Nf3 Nc6", result="1-0"):
    return f'[Event "{number}"]\n[Result "{result}"]\n\n{text} {{comment {number}}} {result}\n\n'


TEXT = "".join(game(number) for number in range(1, 301))


def events(reader):
    return [int(game.headers["Event"]) for game in reader]


def packed(path, data):
    kind = path.suffix
    if kind == ".gz":
        path.write_bytes(gzip.compress(data))
    elif kind == ".xz":
        path.write_bytes(lzma.compress(data))
    elif kind == ".bz2":
        path.write_bytes(bz2.compress(data))
    elif kind == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("games.pgn", data)
    elif kind == ".zst":
        path.write_bytes(pytest.importorskip("zstandard").compress(data))
    else:
        path.write_bytes(data)


@pytest.mark.parametrize("name", ["a.pgn", "a.pgn.gz", "a.pgn.xz", "a.pgn.bz2", "a.zip", "a.pgn.zst"])
def test_packed_files_are_read(tmp_path, name):
    path = tmp_path / name
    packed(path, TEXT.encode())
    assert events(cythera.read_games(path)) == list(range(1, 301))
    renamed = tmp_path / "whatever"
    path.rename(renamed)
    assert len(list(read_games(renamed))) == 300


@pytest.mark.parametrize("size", [1, 7, 64, 1000, 100_000])
@pytest.mark.parametrize("workers", [1, 3])
def test_blocks_of_any_size_give_the_same_games_lines_and_numbers(size, workers):
    text = TEXT.replace("1. e4 e5 2. Nf3 Nc6 {comment 7}", "1. e4 Ke5")
    if size == 1:
        text = text[:2000]
    reader = GameReader([io.BytesIO(text.encode())], block_bytes=size, workers=workers)
    found = [(item.number, item.line, item.offset, item.comments[-1]) for item in reader]
    whole = GameReader([io.BytesIO(text.encode())])
    assert found == [(item.number, item.line, item.offset, item.comments[-1]) for item in whole]
    assert reader.problems == whole.problems
    assert (reader.games_read, reader.bad_games) == (len(found), 1)
    assert [text[item[2] : item[2] + 7] for item in found] == ["[Event "] * len(found)


def test_several_files_and_members_follow_each_other(tmp_path):
    first, second = tmp_path / "1.pgn", tmp_path / "2.zip"
    first.write_text(game(1))
    with zipfile.ZipFile(second, "w") as archive:
        archive.writestr("a.pgn", game(2))
        archive.writestr("read.me", "1. e4 nothing here")
        archive.writestr("b.pgn", game(3) + game(4, "1. e5"))
    problems = []
    reader = read_games(first, second, on_problem=problems.append)
    assert events(reader) == [1, 2, 3]
    assert [str(problem) for problem in problems] == [
        f"{second}/b.pgn, line 9: game 2 left out: 1. e5 is not a legal move"
    ]


def test_standard_input_and_streams(monkeypatch):
    class Pipe(io.RawIOBase):
        """A stream that cannot seek and gives a few bytes at a time."""

        def __init__(self, data):
            self.data = data

        def readable(self):
            return True

        def readinto(self, buffer):
            part, self.data = self.data[: min(100, len(buffer))], self.data[min(100, len(buffer)) :]
            buffer[: len(part)] = part
            return len(part)

    assert len(list(read_games(Pipe(gzip.compress(TEXT.encode()))))) == 300
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Pipe(TEXT.encode())))
    assert len(list(read_games("-"))) == 300


def test_files_that_cannot_be_read_say_why(tmp_path):
    with pytest.raises(PgnError, match=r"cannot read .*no\.pgn: No such file"):
        list(read_games(tmp_path / "no.pgn"))
    damaged = tmp_path / "cut.pgn.gz"
    damaged.write_bytes(gzip.compress(TEXT.encode() * 50)[:-200])
    with pytest.raises(PgnError, match=r"cannot read .*cut\.pgn\.gz: "):
        list(read_games(damaged))
    for name, data in (("x.xz", lzma.compress(TEXT.encode())[:-40]), ("x.zip", b"PK\x03\x04 nonsense")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(PgnError, match="cannot read"):
            list(read_games(tmp_path / name))
    wide = tmp_path / "wide.pgn"
    wide.write_bytes(game(1).encode("utf-16"))
    with pytest.raises(PgnError, match="it is UTF-16; save it as UTF-8"):
        list(read_games(wide))


def test_without_a_library_a_zstandard_file_says_what_to_install(tmp_path, monkeypatch):
    path = tmp_path / "a.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd rest")
    for name in ZSTD_MODULES:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(PgnError, match=r"need Python 3.14 or `pip install zstandard`"):
        list(read_games(path))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "fast"}, "mode must be 'moves', 'full' or 'tree', got 'fast'"),
        ({"workers": 0}, "workers must be between 1 and 256, got 0"),
    ],
)
def test_options_are_checked_at_once(options, message):
    with pytest.raises(ValueError, match=message):
        read_games("x.pgn", **options)
    with pytest.raises(ValueError, match="at least one file"):
        read_games()
    with pytest.raises(TypeError, match="source must be a path or a binary file, got int"):
        list(read_games(3))
    with pytest.raises(TypeError, match="must be opened in binary mode"):
        list(read_games(io.StringIO(TEXT)))


def test_strict_stops_at_a_bad_game():
    reader = GameReader([io.BytesIO((game(1) + game(2, "1. e5") + game(3)).encode())], strict=True)
    with pytest.raises(PgnError, match=r"line 9: game 2 left out: 1\. e5 is not a legal move"):
        list(reader)


def test_a_reader_keeps_a_thousand_problems_and_counts_all():
    reader = GameReader([io.BytesIO(game(1, "1. e5").encode() * 1500)])
    assert list(reader) == []
    assert (len(reader.problems), reader.bad_games) == (1000, 1500)


def test_a_reader_takes_a_file_in_blocks_however_large_it_is():
    reader = GameReader([io.BytesIO(TEXT.encode() * 20)], block_bytes=20_000)
    sizes = [len(block.data) for block in reader.blocks()]
    assert reader.games_read == 6000
    assert len(sizes) > 20
    assert max(sizes) < 21_000
