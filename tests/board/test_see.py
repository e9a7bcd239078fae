"""Static exchange evaluation by hand; the twins check it against a slow reference."""

import pytest

from cythera import Position

# FEN, move, worth in centipawns with pawn 100, knight 320, bishop 330, rook 500, queen 950
EXCHANGES = [
    ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),  # nothing takes back
    ("3rk3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),
    ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),  # the second rook stands behind
    ("4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1", "e4d5", 320 - 100),
    ("4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1", "e4e5", 0),
    ("4k3/8/3p4/8/4P3/8/8/4K3 w - - 0 1", "e4e5", -100 + 0),  # a quiet move into a pawn
    ("4k3/8/8/8/8/8/3q4/3QK3 w - - 0 1", "d1d2", 950),
    ("4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", 950 - 100),
    ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", -100),  # promoted and lost
    ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", 500 + 850),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
    ("3rk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 0),
    ("3r4/8/3k4/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500),  # the king may take: no one stands behind
    ("8/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),  # the king may not: the rook stands behind
]


@pytest.mark.parametrize(("fen", "move", "worth"), EXCHANGES)
def test_an_exchange_is_worth_what_it_is_worth(core, fen, move, worth):
    board = core.Board(fen)
    assert board.see(move, worth)
    assert not board.see(move, worth + 1)


def test_a_pinned_defender_stays_out_while_its_pinner_stands():
    pinned = Position("4k3/4n3/8/3p4/8/8/8/3RR1K1 w - - 0 1")
    assert pinned.see("d1d5", 100)
    unpinned = Position("3k4/4n3/8/3p4/8/8/8/3RR1K1 w - - 0 1")
    assert not unpinned.see("d1d5", 0)


def test_a_defender_is_free_again_when_its_pinner_was_taken():
    # The queen on f4 pins g3 to h2. Taken by the rook, it pins no more: g5xf4, g3xf4.
    position = Position("6k1/8/8/6p1/5q2/6P1/7K/5R2 w - - 0 1")
    assert position.see("f1f4", 950 - 500 + 100)
    assert not position.see("f1f4", 950 - 500 + 101)


def test_see_asks_for_a_legal_move_and_a_sane_threshold():
    position = Position()
    with pytest.raises(ValueError, match="'e2e5' is not a legal move"):
        position.see("e2e5")
    with pytest.raises(ValueError, match="threshold must be between -100000 and 100000 centipawns, got"):
        position.see("e2e4", 100_001)
    with pytest.raises(OverflowError):
        position.see("e2e4", 10**30)
    assert position.see("e2e4", -100_000)
