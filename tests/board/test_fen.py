"""FEN, X-FEN and Shredder-FEN, in and out."""

import pytest

from cythera import Position

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_a_position_without_arguments_is_the_start():
    assert Position().fen() == START
    assert Position(None).fen() == START


def test_the_two_counters_may_be_missing():
    assert Position("4k3/8/8/8/8/8/8/4K3 b - -").fen() == "4k3/8/8/8/8/8/8/4K3 b - - 0 1"


def test_spaces_around_and_between_fields_do_not_matter():
    assert Position(f"  {START.replace(' ', '   ')}\n").fen() == START


def test_move_number_zero_is_read_as_one():
    assert Position("4k3/8/8/8/8/8/8/4K3 w - - 7 0").fen() == "4k3/8/8/8/8/8/8/4K3 w - - 7 1"


def test_counters_go_on_from_where_the_fen_left_them():
    position = Position("4k3/8/8/8/8/8/8/R3K3 b - - 41 77")
    position.push("e8e7")
    assert position.fen() == "8/4k3/8/8/8/8/8/R3K3 w - - 42 78"
    assert (position.halfmove_clock, position.fullmove_number) == (42, 78)


def test_any_half_move_clock_that_is_written_can_be_read():
    position = Position("4k3/8/8/8/8/8/8/R3K3 w - - 995 600")
    for move in ("a1a2", "e8e7", "a2a1", "e7e8") * 5:
        position.push(move)
    assert Position(position.fen()).halfmove_clock == 1015


@pytest.mark.parametrize(
    ("fen", "written", "shredder"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w qK - 0 1", "Kq", "Ha"),
        ("1r1k2r1/8/8/8/8/8/8/1R1K2R1 w KQkq - 0 1", "KQkq", "GBgb"),
        ("1r1k2r1/8/8/8/8/8/8/1R1K2R1 b gB - 0 1", "Qk", "Bg"),
        ("rr1k2rr/8/8/8/8/8/8/RR1K2RR w GBgb - 0 1", "GBgb", "GBgb"),
        ("rr1k2rr/8/8/8/8/8/8/RR1K2RR w KQkq - 0 1", "KQkq", "HAha"),
        ("rr1k2rr/8/8/8/8/8/8/RR1K2RR w GQhb - 0 1", "GQkb", "GAhb"),
        ("rkr5/8/8/8/8/8/8/5RKR w HFca - 0 1", "KQkq", "HFca"),
    ],
)
def test_castling_rights_are_read_and_written_as_x_fen_and_shredder_fen(fen, written, shredder):
    position = Position(fen, chess960=True)
    assert position.fen().split()[2] == written
    assert position.fen(shredder=True).split()[2] == shredder
    assert Position(position.fen(), chess960=True) == position
    assert Position(position.fen(shredder=True), chess960=True) == position


def test_x_fen_names_the_file_once_an_outer_rook_makes_a_right_ambiguous():
    position = Position("4k3/8/8/8/8/7R/8/4K1R1 w K - 0 1", chess960=True)
    position.push("h3h1")
    assert position.fen().split()[2] == "G"
    assert Position(position.fen(), chess960=True).fen(shredder=True) == position.fen(shredder=True)


@pytest.mark.parametrize(
    ("fen", "kept"),
    [
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", False),
        ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", True),
        ("8/8/8/8/1k1Pp2R/8/8/4K3 b - d3 0 1", False),  # both pawns leave the fourth rank
        ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1", True),  # out of check by a pawn, the queen looks on
        ("4k3/8/8/3PpP2/8/8/8/4K3 w - e6 0 1", True),
        ("4r1k1/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", True),  # the taker shields the king
        ("k7/8/8/r2Pp2K/8/8/8/8 w - e6 0 1", False),
        ("k2r4/8/8/3Pp3/8/8/8/3K4 w - e6 0 1", False),  # pinned on its file
    ],
)
def test_an_en_passant_square_is_kept_only_where_a_capture_is_legal(fen, kept):
    position = Position(fen)
    assert (position.fen() == fen) is kept
    assert (position.fen().split()[3] != "-") is kept
    assert any(move.is_en_passant for move in position.legal_moves()) is kept


def test_an_en_passant_square_nobody_can_use_makes_no_other_position():
    bare = Position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    assert Position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1") == bare
    played = Position()
    played.push("e2e4")
    assert played == bare
    assert played.key == bare.key


def test_every_chess960_start_is_read_and_written():
    import chess

    for number in range(960):
        fen = chess.Board.from_chess960_pos(number).fen(shredder=True)
        position = Position(fen, chess960=True)
        assert position.fen(shredder=True) == fen
        assert position.fen().split()[2] == "KQkq"
