"""Self-play games: reproducible, legal, and safe on disk."""

import random
import zlib

import pytest

from cythera import Position
from cythera.core import GAME_HEADER, MATE, PLY_BYTES, GameCursor, Searcher, self_play
from cythera.training.game_file import BLOCK, MAGIC, GameWriter, SelfPlayFileError, game_files, scan_blocks

NODES = 200


@pytest.fixture(scope="module")
def records():
    searcher = Searcher(1)
    return [self_play(searcher, Position(), seed, nodes=NODES)[0] for seed in range(12)]


def test_the_same_seed_plays_the_same_game(records):
    searcher = Searcher(1)
    assert self_play(searcher, Position(), 5, nodes=NODES)[0] == records[5]
    assert len(set(records)) == len(records)


def test_a_record_takes_four_bytes_per_ply_and_every_move_is_legal(records):
    for record in records:
        game = GameCursor(record).game(0)
        assert len(record) == GAME_HEADER + PLY_BYTES * len(game.moves)
        position = Position(game.fen, chess960=game.chess960)
        for move, score in game.moves:
            assert position.outcome() is None
            assert -MATE <= score <= MATE
            position.push(move)
        if position.outcome():
            assert position.outcome() == game.result


def test_a_chess960_game_keeps_its_castling_rooks():
    start = Position("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", chess960=True)
    record, *_ = self_play(Searcher(1), start, 1, nodes=NODES, random_plies=0)
    game = GameCursor(record).game(0)
    assert game.chess960
    assert Position(game.fen, chess960=True) == start


def test_files_can_be_closed_and_resumed(tmp_path, records):
    path = tmp_path / "a.cyg"
    with GameWriter(path, block_games=5) as writer:
        for record in records[:7]:
            writer.add(record)
    with GameWriter(path, block_games=5) as writer:
        assert writer.games == 7
        for record in records[7:]:
            writer.add(record)
    assert b"".join(raw for _, _, raw in scan_blocks(path)) == b"".join(records)


def test_a_run_that_is_killed_loses_only_its_last_block(tmp_path, records):
    path = tmp_path / "a.cyg"
    with GameWriter(path, block_games=4) as writer:
        for record in records:
            writer.add(record)
    whole = path.read_bytes()
    rng = random.Random(1)
    for _ in range(30):
        path.write_bytes(whole[: rng.randrange(len(MAGIC), len(whole))])
        kept = sum(games for _, games, _ in scan_blocks(path))
        assert kept in (0, 4, 8)
        with GameWriter(path, block_games=4) as writer:
            assert writer.games == kept
            for record in records[kept:]:
                writer.add(record)
        assert path.read_bytes() == whole


def test_a_damaged_block_is_named(tmp_path, records):
    path = tmp_path / "a.cyg"
    with GameWriter(path) as writer:
        writer.add(records[0])
    data = bytearray(path.read_bytes())
    data[len(MAGIC) + BLOCK.size + 10] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(SelfPlayFileError, match="damaged"):
        list(scan_blocks(path))


@pytest.mark.parametrize("field", range(4))
def test_a_damaged_head_is_named_and_costs_no_block(tmp_path, records, field):
    """Also one whose size reaches beyond the end of the file, which is not a block cut off."""
    path = tmp_path / "a.cyg"
    with GameWriter(path, block_games=3) as writer:
        for record in records:
            writer.add(record)
    data = bytearray(path.read_bytes())
    data[len(MAGIC) + (0, 6, 10, 16)[field]] ^= 0x40  # magic, stored size, raw size, checksum
    path.write_bytes(data)
    with pytest.raises(SelfPlayFileError, match="block at byte 8 is damaged"):
        list(scan_blocks(path))
    with pytest.raises(SelfPlayFileError, match="damaged"):
        GameWriter(path)
    assert path.read_bytes() == data


def test_zeros_at_the_end_are_a_block_that_was_not_written(tmp_path, records):
    path = tmp_path / "a.cyg"
    with GameWriter(path, block_games=4) as writer:
        for record in records[:4]:
            writer.add(record)
    whole = path.read_bytes()
    for zeros in (3, 20, 500):
        path.write_bytes(whole + bytes(zeros))
        with GameWriter(path) as writer:
            assert writer.games == 4
        assert path.read_bytes() == whole


def test_what_does_not_shrink_is_stored_as_it_is(tmp_path, monkeypatch, records):
    monkeypatch.setattr(zlib, "compress", lambda raw, level: bytes(len(raw)))
    with GameWriter(tmp_path / "a.cyg") as writer:
        writer.add(records[0])
    monkeypatch.undo()
    assert [raw for _, _, raw in scan_blocks(tmp_path / "a.cyg")] == [records[0]]


def test_what_is_no_game_file_is_refused(tmp_path):
    path = tmp_path / "a.cyg"
    path.write_bytes(b"PNG and so on")
    with pytest.raises(SelfPlayFileError, match="not a game file"):
        list(scan_blocks(path))
    with pytest.raises(SelfPlayFileError, match="no file or folder"):
        game_files([str(tmp_path / "none")])


def test_random_bytes_never_pass_for_games_and_never_crash():
    rng = random.Random(2)
    for _ in range(2000):
        data = rng.randbytes(rng.randrange(0, 400))
        try:
            cursor = GameCursor(data)
            for at in cursor.offsets():
                cursor.game(at)
        except ValueError:
            pass


def test_a_changed_move_is_noticed(records):
    record = bytearray(records[0])
    record[GAME_HEADER : GAME_HEADER + 2] = b"\x00\x00"
    with pytest.raises(ValueError, match="not legal"):
        GameCursor(bytes(record)).game(0)
