"""`Position` in Python: copying, equality, hashing, pickling, pictures, python-chess."""

import copy
import pickle
import subprocess
import sys

import chess
import chess.variant
import pytest

from cythera import CytheraError, IllegalMoveError, InvalidFenError, Position, _cpu
from cythera.board.position import position_from

TRANSPOSED = (("g1f3", "g8f6", "b1c3"), ("b1c3", "g8f6", "g1f3"))


def played(moves, **arguments):
    position = Position(**arguments)
    for move in moves:
        position.push(move)
    return position


def test_copies_are_equal_and_independent():
    position = played(("e2e4", "e7e5"))
    for make in (Position.copy, copy.copy, copy.deepcopy):
        twin = make(position)
        assert type(twin) is Position
        assert twin == position
        assert twin.history() == ["e2e4", "e7e5"]
        twin.push("g1f3")
        assert twin != position
        assert position.history() == ["e2e4", "e7e5"]


def test_equality_is_pieces_side_rights_en_passant_and_counters_but_not_history():
    start = Position()
    assert played(TRANSPOSED[0]) == played(TRANSPOSED[1])
    assert start != Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")
    assert start != Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1")
    assert start != Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1 1")
    assert start != Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2")
    assert start != Position(chess960=True)
    assert start != start.fen()
    assert start != None  # noqa: E711


def test_equal_positions_hash_alike_and_find_each_other_in_sets():
    assert len({played(moves) for moves in TRANSPOSED}) == 1
    assert len({Position(), played(TRANSPOSED[0])}) == 2


def test_transposed_positions_have_equal_keys():
    one, two = (played(moves) for moves in TRANSPOSED)
    assert (one.key, one.pawn_key, one.nonpawn_keys) == (two.key, two.pawn_key, two.nonpawn_keys)


def test_the_pawn_key_is_about_pawns_and_the_other_keys_about_pieces():
    start, pawn, knight = Position(), played(["e2e4"]), played(["g1f3"])
    assert start.pawn_key != pawn.pawn_key
    assert start.nonpawn_keys == pawn.nonpawn_keys
    assert start.pawn_key == knight.pawn_key
    assert start.nonpawn_keys[0] != knight.nonpawn_keys[0]
    assert start.nonpawn_keys[1] == knight.nonpawn_keys[1]


def test_keys_are_the_same_on_every_machine_and_in_both_builds(core):
    assert core.Board().key == Position().key == 0x09358D6B0F973667
    assert len({core.Board(fen).key for fen in ("4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 b - -")}) == 2


@pytest.mark.parametrize("chess960", [False, True])
def test_a_pickle_keeps_position_history_and_variant(chess960):
    position = Position(chess960=chess960)
    position.push("e2e4")
    position.push_null()
    position.push("g1f3")
    again = pickle.loads(pickle.dumps(position))
    assert type(again) is Position
    assert (again, again.history(), again.chess960) == (position, ["e2e4", "0000", "g1f3"], chess960)


def test_a_pickle_of_one_build_is_read_by_the_other():
    if not _cpu.supports_v3():
        pytest.skip("this CPU does not run the x86-64-v3 build")
    pytest.importorskip("cythera._core_v3")
    write = "import sys, pickle; from cythera import Position; p = Position(); p.push('e2e4')\n"
    write += "sys.stdout.buffer.write(pickle.dumps((p, p.parse_move('e7e5'))))"
    for variant in ("generic", "v3"):
        data = subprocess.run(
            [sys.executable, "-c", write], capture_output=True, check=True, env=environment(variant)
        ).stdout
        position, move = pickle.loads(data)
        assert position == played(["e2e4"])
        position.push(move)
        assert position.history() == ["e2e4", "e7e5"]


def environment(variant):
    import os

    return {**os.environ, "CYTHERA_VARIANT": variant}


@pytest.mark.parametrize("variant", ["generic", "v3", "v4"])
def test_the_environment_forces_a_build(variant):
    if variant != "generic" and not getattr(_cpu, f"supports_{variant}")():
        pytest.skip(f"this CPU does not run the x86-64-{variant} build")
    pytest.importorskip(f"cythera._core_{variant}")
    ask = "import cythera.core; print(cythera.core.Board.__module__)"
    said = subprocess.run(
        [sys.executable, "-c", ask], capture_output=True, check=True, text=True, env=environment(variant)
    ).stdout
    assert said.strip() == f"cythera._core_{variant}"


def test_an_unknown_build_in_the_environment_is_refused_by_a_sentence():
    done = subprocess.run(
        [sys.executable, "-c", "import cythera.core"], capture_output=True, text=True, env=environment("v9")
    )
    assert done.returncode != 0
    assert "CYTHERA_VARIANT must be generic or v3 or v4, got 'v9'" in done.stderr


def test_the_text_board_can_be_flipped_and_drawn_with_figures():
    position = Position("8/8/8/3k4/8/8/4P3/4K3 w - - 0 1")
    assert str(position) == position.text()
    assert position.text(flipped=True).splitlines()[0] == "1  . . . K . . . ."
    assert position.text(unicode=True).splitlines()[3] == "5  · · · ♚ · · · ·"
    assert repr(position) == "Position('8/8/8/3k4/8/8/4P3/4K3 w - - 0 1')"
    assert repr(Position(position.fen(), chess960=True)).endswith("w - - 0 1', chess960=True)")


def test_notebooks_get_an_svg_with_last_move_and_check():
    position = played(("f2f3", "e7e5", "g2g4", "d8h4"))
    svg = position._repr_svg_()
    assert svg.startswith("<svg")
    assert "lastmove" in svg
    assert "check" in svg
    assert position.svg(size=100, flipped=True) != svg


def test_a_python_chess_board_comes_and_goes_with_its_history():
    board = chess.Board()
    for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"):
        board.push_uci(move)
    position = Position.from_board(board)
    assert position.fen() == board.fen()
    assert position.history() == [move.uci() for move in board.move_stack]
    assert position.to_board() == board
    assert position.to_board().move_stack == board.move_stack
    assert Position.from_board(board, history=False).history() == []


def test_a_chess960_board_keeps_its_castling_moves():
    board = chess.Board("1r1k2r1/8/8/8/8/8/8/1R1K2R1 w GBgb - 0 1", chess960=True)
    board.push_uci("d1b1")
    board.push_uci("d8e7")
    board.push(chess.Move.null())
    position = Position.from_board(board)
    assert position.history() == ["d1b1", "d8e7", "0000"]
    assert position.to_board() == board
    assert position.to_board().chess960


def test_a_board_of_another_game_is_refused():
    with pytest.raises(CytheraError, match="the board plays antichess, and Cythera plays chess"):
        Position.from_board(chess.variant.AntichessBoard())
    with pytest.raises(CytheraError, match="crazyhouse"):
        Position.from_board(chess.variant.CrazyhouseBoard())


def test_a_board_whose_history_breaks_the_rules_is_refused():
    board = chess.Board()
    board.push(chess.Move.from_uci("e2e5"))
    with pytest.raises(IllegalMoveError):
        Position.from_board(board)
    with pytest.raises(CytheraError, match="history does not fit the rules"):
        position_from(board)


def test_an_impossible_board_is_refused():
    with pytest.raises(InvalidFenError, match="0 kings"):
        Position.from_board(chess.Board("8/8/8/8/8/8/8/8 w - - 0 1"))


def test_position_from_takes_what_callers_have():
    position = Position()
    assert position_from(position) is position
    assert position_from(chess.Board()) == position
    assert position_from(position.fen()) == position
    with pytest.raises(TypeError, match=r"a position must be a Position, a chess\.Board or a FEN, got int"):
        position_from(5)


def test_attackers_and_threats_name_squares():
    position = Position("4k3/8/8/3n4/4P3/8/8/3RK3 b - - 0 1")
    d5, d1 = 35, 3
    assert position.attackers("w", d5) == [d1, 28]
    assert position.attackers(True, d5) == [d1, 28]
    assert position.attackers("b", d1) == []
    assert position.threatened("b") == [d5]
    assert position.threatened("w") == []


def test_structs_have_the_sizes_they_were_laid_out_for(core):
    info = core.build_info()
    assert info["state_bytes"] == 48
    assert info["position_bytes"] == 336


def test_a_game_may_be_long_but_not_endless():
    position = Position()
    with pytest.raises(OverflowError, match="a game must be at most 32000 half-moves long"):
        for _ in range(8001):
            for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
                position.push(move)
    assert len(position.history()) == 32_000
    assert position.halfmove_clock == 32_000
    assert Position(position.fen()).halfmove_clock == 32_000
    for _ in range(32_000):
        position.pop()
    assert position == Position()
