"""Moves as objects and as text: castling both ways, promotions, en passant, null moves."""

import pickle

import pytest

from cythera import IllegalMoveError, Move, Position

CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def moves_of(position):
    return {move.uci() for move in position.legal_moves()}


def test_a_move_equals_its_uci_text_and_hashes_like_it():
    move = Position().parse_move("e2e4")
    assert move == "e2e4"
    assert move == Position().parse_move("e2e4")
    assert move != "d2d4"
    assert move != 5
    assert {move} == {"e2e4"}
    assert (str(move), repr(move), move.uci()) == ("e2e4", "Move('e2e4')", "e2e4")


def test_a_move_tells_what_it_is():
    position = Position("r3k3/1P6/8/3pP3/8/8/8/R3K2R w KQ d6 0 1")
    promotion = position.parse_move("b7a8n")
    assert (promotion.from_square, promotion.to_square, promotion.promotion) == (49, 56, "n")
    assert promotion.is_capture
    passant = position.parse_move("e5d6")
    assert passant.is_en_passant
    assert passant.is_capture
    castling = position.parse_move("e1g1")
    assert castling.is_castling
    assert not castling.is_capture
    assert castling.to_square == 7  # the rook's


def test_moves_cannot_be_made_up():
    with pytest.raises(TypeError, match=r"moves come from Position\.legal_moves"):
        Move()
    with pytest.raises(TypeError):
        Move("e2e4")


def test_a_pickled_move_is_the_same_move():
    for move in Position(CASTLING).legal_moves():
        again = pickle.loads(pickle.dumps(move))
        assert again == move
        assert (again.from_square, again.to_square, again.is_castling) == (
            move.from_square,
            move.to_square,
            move.is_castling,
        )


def test_push_takes_strings_moves_and_python_chess_moves():
    import chess

    position = Position()
    position.push("e2e4")
    position.push(position.parse_move("e7e5"))
    position.push(chess.Move.from_uci("g1f3"))
    assert position.history() == ["e2e4", "e7e5", "g1f3"]


def test_pop_returns_the_move_and_an_empty_history_raises():
    position = Position()
    position.push("e2e4")
    assert position.pop() == "e2e4"
    assert position == Position()
    with pytest.raises(IndexError, match="no move to take back"):
        position.pop()


@pytest.mark.parametrize(("text", "king", "rook"), [("e1g1", 6, 5), ("e1h1", 6, 5), ("e1c1", 2, 3), ("e1a1", 2, 3)])
@pytest.mark.parametrize("chess960", [False, True])
def test_castling_may_be_written_as_the_kings_step_or_as_king_takes_rook(text, king, rook, chess960):
    position = Position(CASTLING, chess960=chess960)
    position.push(text)
    assert (position.piece_at(king), position.piece_at(rook), position.piece_at(4)) == ("K", "R", None)
    assert position.history() == [("e1h1" if king == 6 else "e1a1") if chess960 else ("e1g1" if king == 6 else "e1c1")]


def test_castling_is_shown_as_the_protocol_wants_it():
    assert {"e1g1", "e1c1"} <= moves_of(Position(CASTLING))
    assert {"e1h1", "e1a1"} <= moves_of(Position(CASTLING, chess960=True))


def test_an_ordinary_king_step_comes_before_castling_with_the_same_text():
    position = Position("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", chess960=True)
    assert position.parse_move("f1g1").is_castling  # the rook stands there: king takes rook
    position = Position("4k3/8/8/8/8/8/8/5K1R w K - 0 1", chess960=True)
    assert not position.parse_move("f1g1").is_castling
    assert position.parse_move("f1h1").is_castling


@pytest.mark.parametrize(
    ("fen", "allowed"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {"e1g1", "e1c1"}),
        ("r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1", set()),  # in check
        ("r3k2r/8/8/8/5r2/8/8/R3K2R w KQkq - 0 1", {"e1c1"}),  # through an attacked square
        ("r3k2r/8/8/8/6r1/8/8/R3K2R w KQkq - 0 1", {"e1c1"}),  # into check
        ("r3k2r/8/8/8/1r6/8/8/R3K2R w KQkq - 0 1", {"e1g1", "e1c1"}),  # only the rook passes b1
        ("r3k2r/8/8/8/7r/8/8/R3K2R w KQkq - 0 1", {"e1g1", "e1c1"}),  # only the rook is attacked
        ("r3k2r/8/8/8/8/8/8/RN2K1NR w KQkq - 0 1", set()),
    ],
)
def test_castling_is_legal_only_on_a_free_and_safe_path(fen, allowed):
    assert moves_of(Position(fen)) & {"e1g1", "e1c1"} == allowed


def test_chess960_castling_is_illegal_when_the_rook_leaves_its_king_in_check():
    assert "c1b1" not in moves_of(Position("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", chess960=True))
    assert "c1b1" in moves_of(Position("4k3/q7/8/8/8/8/8/1RK5 w B - 0 1", chess960=True))


def test_en_passant_is_illegal_when_it_exposes_the_king():
    assert "e4d3" not in moves_of(Position("8/8/8/8/1k1Pp2R/8/8/4K3 b - d3 0 1"))


def test_a_promotion_needs_its_letter_and_other_moves_must_not_have_one():
    position = Position("8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    assert {"a7a8q", "a7a8r", "a7a8b", "a7a8n"} <= moves_of(position)
    for text in ("a7a8", "a7a8k", "a7a8p", "a7a8Q", "e1e2q"):
        assert not position.is_legal(text)
        with pytest.raises(IllegalMoveError):
            position.push(text)


def test_kinds_of_moves_split_into_noisy_and_quiet():
    position = Position("r3k3/1P6/8/3pP3/8/8/8/R3K2R w KQ d6 0 1")
    noisy = {move.uci() for move in position.legal_moves("noisy")}
    assert {"e5d6", "a1a8", "b7a8q", "b7b8n"} <= noisy
    assert moves_of(position) == noisy | {move.uci() for move in position.legal_moves("quiet")}
    with pytest.raises(ValueError, match="kind must be 'all', 'noisy' or 'quiet', got 'loud'"):
        position.legal_moves("loud")


def test_the_position_with_most_moves_known_has_218():
    position = Position("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert len(position.legal_moves()) == 218


def test_a_null_move_passes_and_comes_back_as_none():
    position = Position("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3")
    before = position.fen()
    position.push_null()
    assert position.fen() == "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 4"
    assert position.history() == ["0000"]
    assert position.pop() is None
    assert position.fen() == before


def test_no_null_move_in_check():
    position = Position("4k3/8/8/8/4r3/8/8/4K3 w - - 0 1")
    with pytest.raises(IllegalMoveError, match="in check and cannot pass"):
        position.push_null()
    assert position.history() == []


def test_an_illegal_move_is_told_with_the_position_and_changes_nothing():
    position = Position()
    position.push("e2e4")
    before = position.fen(), position.key, position.history()
    for text in ("e2e4", "e7e9", "e8e7", "0000", "", "e7", "e7e5qq", "e7e5\n", "Ｅ7e5", "castle", "e7e5" * 100_000):
        with pytest.raises(IllegalMoveError, match="is not a legal move in rnbqkbnr/pppppppp/8/8/4P3"):
            position.push(text)
        assert not position.is_legal(text)
        assert (position.fen(), position.key, position.history()) == before
