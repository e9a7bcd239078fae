"""Training positions: exactly the quiet ones of the games, split by game."""

from itertools import pairwise

import chess
import numpy as np
import pytest

from cythera import Position
from cythera.__main__ import main
from cythera.core import END_LENGTH, GAME_ENDING, GAME_HEADER, MATE_FOUND, GameCursor, Searcher, self_play
from cythera.training.game_file import GameWriter, SelfPlayFileError, raw_size, scan_blocks
from cythera.training.positions import RECORD, TrainingError, load


def fields_of(records):
    return records.view(RECORD).reshape(-1)


def quiet_positions(folder):
    """(board, score, result, game) of each position to keep, found with python-chess."""
    found, game = [], 0
    for path in sorted(folder.glob("*.cyg")):
        for _, _, raw in scan_blocks(path):
            cursor = GameCursor(raw)
            for at in cursor.offsets():
                record = cursor.game(at)
                board = chess.Board(record.fen, chess960=record.chess960)
                value = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}[record.result]
                for text, score in record.moves:
                    move = chess.Move.from_uci(text)
                    if (
                        record.ending != END_LENGTH and board.ply() >= 16 and not board.is_check()
                        and not board.is_capture(move) and not move.promotion and abs(score) < MATE_FOUND
                    ):  # fmt: skip
                        sign = 1 if board.turn else -1
                        found.append(
                            (board.board_fen(), board.turn, sign * score, value if board.turn else 2 - value, game)
                        )
                    board.push(move)
                game += 1
    return found


def board_of(field):
    board = chess.Board(None)
    codes = [code for pair in field["pieces"] for code in (pair & 15, pair >> 4)]
    for code, square in zip(codes, chess.scan_forward(int(field["occupied"])), strict=False):
        board.set_piece_at(square, chess.Piece(int(code & 7) + 1, not code >> 3))
    return board.board_fen()


def facts_of(records):
    return [
        (board_of(row), not row["side"], int(row["score"]), int(row["result"]), int(row["game"]))
        for row in fields_of(records)
    ]


def test_the_records_are_the_quiet_positions_of_all_games(games, positions):
    found = facts_of(positions.shard(0)) + facts_of(positions.held_out)
    assert sorted(found) == sorted(quiet_positions(games))
    assert len(found) > 2000


def test_no_game_is_both_for_training_and_held_out(positions):
    training, checking = (set(fields_of(part)["game"]) for part in (positions.shard(0), positions.held_out))
    assert training
    assert checking
    assert not training & checking
    assert (len(training), len(checking)) <= (positions.facts.games, positions.facts.held_out_games)
    assert positions.facts.games + positions.facts.held_out_games <= 120


def test_the_split_depends_on_the_seed_and_follows_the_share(games, positions):
    again, other = load([games], share=0.2), load([games], share=0.2, seed=2)
    assert np.array_equal(again.shard(0), positions.shard(0))
    assert again.checksum() == positions.checksum() != other.checksum()
    halves = load([games], share=0.5)
    assert 0.3 < halves.facts.held_out_games / (halves.facts.games + halves.facts.held_out_games) < 0.7
    assert positions.facts.held_out_games < halves.facts.held_out_games


def test_a_game_is_on_the_same_side_in_whatever_file_it_stands(games, tmp_path):
    blocks = [raw for path in sorted(games.glob("*.cyg")) for _, _, raw in scan_blocks(path)]
    with GameWriter(tmp_path / "twice.cyg") as writer:
        for raw in [*reversed(blocks), *blocks]:
            ends = [*GameCursor(raw).offsets(), len(raw)]
            for start, end in pairwise(ends):
                writer.add(raw[start:end])
    once, twice = load([games], share=0.3), load([tmp_path], share=0.3)
    assert (twice.facts.games, twice.facts.held_out_games) == (2 * once.facts.games, 2 * once.facts.held_out_games)
    boards = [{row[:28].tobytes() for row in part} for part in (once.held_out, twice.held_out)]
    assert boards[0] == boards[1]


def test_a_game_that_was_broken_off_is_left_out(tmp_path):
    record, *_ = self_play(Searcher(1), Position(), 3, nodes=20)
    broken = bytearray(record)
    broken[GAME_ENDING] = END_LENGTH
    found = np.empty((1000, 32), np.uint8)
    assert GameCursor(record).training_records(found, 0, 1000, 0, 1, 0.0)[0] > 10
    assert GameCursor(bytes(broken)).training_records(found, 0, 1000, 0, 1, 0.0) == (0, 1000, 0, 0)


def test_too_little_room_is_an_error_and_nothing_is_written_beyond_it():
    record, *_ = self_play(Searcher(1), Position(), 3, nodes=20)
    found = np.full((20, 32), 77, np.uint8)
    with pytest.raises(ValueError, match="not enough space"):
        GameCursor(record).training_records(found, 5, 15, 0, 1, 0.5)
    assert (found == 77).all()
    for front, back in ((-1, 20), (0, 21), (15, 5)):
        with pytest.raises(ValueError, match="front <= back"):
            GameCursor(record).training_records(found, front, back, 0, 1, 0.5)
    with pytest.raises(ValueError, match="share"):
        GameCursor(record).training_records(found, 0, 20, 0, 1, float("nan"))


def test_the_size_of_a_file_is_known_from_its_heads(games):
    for path in games.glob("*.cyg"):
        assert raw_size(path) == sum(len(raw) for _, _, raw in scan_blocks(path))


@pytest.mark.parametrize("at", [15, 19])  # the highest bytes of the stored size and of the raw size
def test_a_damaged_size_asks_for_no_more_memory_than_the_file_can_hold(games, tmp_path, at):
    content = bytearray((games / "a.cyg").read_bytes())
    content[at] |= 0x80
    (tmp_path / "a.cyg").write_bytes(content)
    assert raw_size(tmp_path / "a.cyg") <= 1032 * len(content)


def test_a_file_still_being_written_gives_its_whole_blocks(games, tmp_path):
    content = (games / "a.cyg").read_bytes()
    (tmp_path / "cut.cyg").write_bytes(content[:-100])
    found = load([tmp_path], share=0.2)
    assert found.facts.games + found.facts.held_out_games <= 50


def test_foreign_and_damaged_files_are_sentences(games, tmp_path, capsys):
    (tmp_path / "no.cyg").write_bytes(b"nothing of the kind")
    with pytest.raises(SelfPlayFileError, match="is not a game file"):
        load([tmp_path])
    record = bytearray(self_play(Searcher(1), Position(), 3, nodes=20)[0])
    record[GAME_HEADER : GAME_HEADER + 2] = b"\xff\xff"
    path = tmp_path / "no.cyg"
    path.unlink()
    with GameWriter(path) as writer:
        writer.add(bytes(record))
    with pytest.raises(SelfPlayFileError, match=r"no\.cyg: ply 0 of the game at byte 0 is not legal"):
        load([tmp_path])
    assert main(["train", str(tmp_path), "-o", str(tmp_path / "a.net")]) == 2
    assert "is not legal" in capsys.readouterr().err


def test_too_few_games_are_a_sentence(tmp_path):
    with GameWriter(tmp_path / "one.cyg") as writer:
        writer.add(self_play(Searcher(1), Position(), 3, nodes=20)[0])
    with pytest.raises(TrainingError, match="too few"):
        load([tmp_path])
