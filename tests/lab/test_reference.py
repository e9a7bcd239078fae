"""The plain chess search agrees with the lab's algorithms, and with itself when nothing is pruned."""

import random

import pytest

from cythera import Position
from cythera.lab.algorithms.negamax import negamax
from cythera.lab.algorithms.ordering import urgent_first
from cythera.lab.algorithms.quiescence import quiescence
from cythera.lab.errors import LabError
from cythera.lab.games.chess import Chess, material
from cythera.lab.reference import plain_search
from cythera.lab.search import Search

FEW_PIECES = (  # so that the tree of captures can be walked to its ends
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/1p3p2/8/2B5/3n4/8/1P3P2/4K3 b - - 0 1",
    "8/1P4k1/6p1/2n5/8/1r6/6PP/3R2K1 w - - 0 1",
    "r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1",
    "8/P6k/8/8/8/8/p6K/8 b - - 0 1",
    "3q2k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1",
)


def own_material(position):
    """Material for the side to move."""
    return material(position) if position.turn == "w" else -material(position)


def random_positions(count, seed):
    rng = random.Random(seed)
    while count:
        position = Position()
        for _ in range(rng.randint(4, 60)):
            moves = position.legal_moves()
            if not moves or position.is_draw():
                break
            position.push(rng.choice(moves))
        if position.legal_moves() and not position.is_draw():
            yield position
            count -= 1


@pytest.mark.parametrize("fen", FEW_PIECES)
def test_pruning_does_not_change_the_value(fen):
    for depth in (0, 1, 2):
        pruned = plain_search(Position(fen), depth, own_material)
        full = plain_search(Position(fen), depth, own_material, prune=False)
        assert pruned.value == full.value
        assert pruned.generated <= full.generated


def test_it_agrees_with_quiescence_search_over_the_game_protocol():
    for position in random_positions(8, seed=2):
        result = quiescence(Search(Chess(position.fen()), 2, order=urgent_first))
        expected = result.value if position.turn == "w" else -result.value
        assert plain_search(Position(position.fen()), 2, own_material).value == expected


def test_without_noise_it_is_negamax():
    quiet = Position("8/5k2/8/8/8/2K5/5P2/8 w - - 0 1")
    expected = negamax(Search(Chess(quiet.fen()), 3)).value
    assert plain_search(quiet, 3, own_material).value == expected


def test_the_line_it_returns_can_be_played_and_the_position_is_left_alone():
    position = Position("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    before = position.fen()
    result = plain_search(position, 2, own_material)
    assert position.fen() == before
    for move in result.line:
        position.push(move)


@pytest.mark.parametrize(
    ("fen", "depth", "value"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", 1, 99_999),  # mate in one
        ("7k/8/5QK1/8/8/8/8/8 b - - 0 1", 2, -99_998),  # must walk into it
        ("7k/5Q2/8/6K1/8/8/8/8 b - - 0 1", 1, 0),  # stalemate
        ("6k1/5ppp/8/8/8/8/8/3R2K1 w - - 99 80", 2, 99_999),  # mate comes before the fifty moves
    ],
)
def test_mates_and_stalemates_have_their_values(fen, depth, value):
    assert plain_search(Position(fen), depth, own_material).value == value


def test_a_depth_below_zero_is_refused():
    with pytest.raises(LabError, match="depth must be at least 0, got -2"):
        plain_search(Position(), -2, own_material)
