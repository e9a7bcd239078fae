"""The ends of a game: mate, stalemate, repetition, fifty moves, material."""

import random

import pytest

from cythera import Position
from cythera.core import has_upcoming_repetition

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


def play(position, moves):
    for move in moves:
        position.push(move)
    return position


def test_the_start_is_no_end():
    position = Position()
    assert not position.is_check()
    assert not position.is_checkmate()
    assert not position.is_stalemate()
    assert not position.is_draw()
    assert position.outcome() is None


def test_fools_mate_is_checkmate_and_won_by_black():
    position = play(Position(), ("f2f3", "e7e5", "g2g4", "d8h4"))
    assert position.is_check()
    assert position.is_checkmate()
    assert not position.is_stalemate()
    assert not position.is_draw()
    assert position.legal_moves() == []
    assert position.outcome() == "0-1"


def test_a_king_without_moves_and_without_check_is_stalemate():
    position = Position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert position.is_stalemate()
    assert not position.is_checkmate()
    assert position.is_draw()
    assert position.outcome() == "1/2-1/2"


def test_the_third_time_a_position_stands_is_a_draw_and_the_second_is_not():
    position = play(Position(), SHUFFLE)
    assert position.is_repetition(2)
    assert not position.is_repetition(3)
    assert not position.is_draw()
    play(position, SHUFFLE)
    assert position.is_repetition(3)
    assert position.is_draw()
    position.pop()
    assert not position.is_repetition(3)


def test_a_pawn_move_resets_repetition():
    position = play(Position(), (*SHUFFLE, "e2e4", "e7e5", *SHUFFLE))
    assert position.is_repetition(2)
    assert not position.is_repetition(3)


def test_lost_castling_rights_make_another_position():
    start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    back_and_forth = ("h1g1", "h8g8", "g1h1", "g8h8")
    position = play(Position(start), back_and_forth)
    assert not position.is_repetition(2)
    play(position, back_and_forth)
    assert position.is_repetition(2)
    assert not position.is_repetition(3)


def test_an_en_passant_right_makes_another_position():
    position = play(Position("4k3/8/8/8/3p4/8/4P3/R3K3 w - - 0 1"), ("e2e4",))
    assert position.fen().split()[3] == "e3"
    play(position, ("e8e7", "a1a2", "e7e8", "a2a1"))
    assert not position.is_repetition(2)
    play(position, ("e8e7", "a1a2", "e7e8", "a2a1"))
    assert position.is_repetition(2)


def test_an_en_passant_square_nobody_can_use_does_not_hide_a_repetition():
    position = play(Position("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1"), ("e2e4",))
    play(position, ("e8e7", "a1a2", "e7e8", "a2a1"))
    assert position.is_repetition(2)


def test_a_null_move_ends_what_can_be_repeated():
    position = play(Position(), SHUFFLE)
    position.push_null()
    position.push_null()
    assert not position.is_repetition(2)


def test_a_hundred_half_moves_without_progress_are_a_draw():
    position = Position("4k3/8/8/8/8/8/8/R3K3 w - - 98 80")
    position.push("a1a2")
    assert not position.is_fifty_moves()
    position.push("e8e7")
    assert position.is_fifty_moves()
    assert position.is_draw()
    position.push("a2a3")
    assert position.is_fifty_moves()


@pytest.mark.parametrize("move", ["a2a4", "a1b1", "e1g1"])
def test_only_captures_and_pawn_moves_reset_the_fifty_move_counter(move):
    position = Position("4k3/8/8/8/8/8/P7/Rn2K2R w K - 99 80")
    position.push(move)
    assert position.is_fifty_moves() is (move == "e1g1")


def test_mate_on_the_hundredth_half_move_wins():
    position = Position("7k/8/6K1/8/8/8/8/R7 w - - 99 90")
    position.push("a1a8")
    assert position.halfmove_clock == 100
    assert position.is_checkmate()
    assert not position.is_fifty_moves()
    assert not position.is_draw()
    assert position.outcome() == "1-0"


def test_stalemate_after_a_hundred_half_moves_is_stalemate_and_a_draw():
    position = Position("7k/5Q2/6K1/8/8/8/8/8 b - - 120 90")
    assert position.is_stalemate()
    assert position.is_draw()
    assert not position.is_fifty_moves()


@pytest.mark.parametrize(
    ("fen", "insufficient"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", True),
        ("4kb2/8/8/8/8/8/8/4K1B1 w - - 0 1", True),  # bishops on squares of one colour
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", False),  # a helpmate in the corner exists
        ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", False),  # not forced, but possible
        ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", False),
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", False),
        ("4kq2/8/8/8/8/8/8/4K3 w - - 0 1", False),
    ],
)
def test_material_that_can_mate_nobody_is_a_draw(fen, insufficient):
    position = Position(fen)
    assert position.is_insufficient_material() is insufficient
    assert position.is_draw() is insufficient


def some_move_repeats(position):
    """By trying: does a legal move that is neither a capture nor a pawn's lead back to where the game has been?"""
    for move in position.legal_moves():
        position.push(move)
        repeats = position.is_repetition(2)
        position.pop()
        if repeats:
            return True
    return False


@pytest.mark.parametrize(
    "fen", ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "rn2k3/8/8/8/8/8/8/3QK2B w - - 0 1", Position().fen()]
)
def test_an_upcoming_repetition_is_detected(fen):
    rng = random.Random(fen)
    seen = [0, 0]
    for _ in range(60):
        position = Position(fen)
        for _ in range(40):
            moves = [str(move) for move in position.legal_moves()]
            if not moves or position.outcome():
                break
            # Going back and forth is what makes repetitions; a random walk alone meets few.
            last = position.history()[-2] if len(position.history()) >= 2 else ""
            back = last[2:4] + last[:2]
            position.push(back if back in moves and rng.random() < 0.4 else rng.choice(moves))
            expected = some_move_repeats(position)
            assert has_upcoming_repetition(position) == expected, (position.root_fen(), position.history())
            seen[expected] += 1
    assert min(seen) > 50
