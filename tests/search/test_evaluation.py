"""The classical evaluation: symmetric, traceable, and wise in simple endgames."""

import random

import pytest

from cythera import Position
from cythera.core import FULL_PHASE, FULL_SCALE, Searcher, evaluation_terms, get_weights, set_weights
from cythera.engine.evaluation_table import mirrored_fen


def random_positions(count, seed):
    rng = random.Random(seed)
    while count:
        position = Position()
        for _ in range(rng.randrange(6, 160)):
            moves = position.legal_moves()
            if not moves or position.is_draw():
                break
            position.push(rng.choice(moves))
        count -= 1
        yield position


def test_the_sum_of_the_terms_is_the_evaluation():
    searcher = Searcher(1)
    for position in random_positions(300, 3):
        found = evaluation_terms(position)
        mg = sum(term.white_mg - term.black_mg for term in found.terms)
        eg = sum(term.white_eg - term.black_eg for term in found.terms)
        eg = int(eg * found.scale / FULL_SCALE)
        whole = int((mg * found.phase + eg * (FULL_PHASE - found.phase)) / FULL_PHASE)
        assert found.score == (whole if position.turn == "w" else -whole)
        assert searcher.evaluate(position) == found.score


def test_colours_swapped_the_evaluation_is_the_same():
    searcher = Searcher(1)
    for position in random_positions(300, 4):
        assert searcher.evaluate(position) == searcher.evaluate(Position(mirrored_fen(position.fen())))


def test_the_pawn_cache_changes_nothing():
    warm = Searcher(1)
    for position in random_positions(200, 5):
        assert warm.evaluate(position) == Searcher(1).evaluate(position) == warm.evaluate(position)


@pytest.mark.parametrize(
    ("fen", "wins"),
    [
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", False),  # the king is not in front
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", True),  # king on the sixth before its pawn
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", True),
        ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", False),  # stalemate
        ("8/8/8/8/8/k7/P7/K7 w - - 0 1", False),  # rook pawn
        ("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", False),  # Black has the opposition
        ("8/8/8/3k4/8/3K4/3P4/8 b - - 0 1", True),  # and now White has it
        ("7k/8/8/8/8/8/P7/K7 w - - 0 1", True),  # too far to catch
    ],
)
def test_king_and_pawn_against_king_is_known_exactly(fen, wins):
    searcher = Searcher(1)
    for text in (fen, mirrored_fen(fen)):
        assert (searcher.evaluate(Position(text)) != 0) == wins


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/4k3/8/KNN5 w - - 0 1",  # two knights
        "k7/8/K7/P7/8/8/8/6B1 w - - 0 1",  # the bishop does not see the corner: g1 is dark, a8 is light
        "8/8/3k4/8/8/3KB3/8/8 w - - 0 1",
    ],
)
def test_drawn_material_is_worth_nothing(fen):
    assert Searcher(1).evaluate(Position(fen)) == 0


def test_weights_can_be_replaced_and_restored():
    before = [pair for _, pairs in get_weights() for pair in pairs]
    position = Position("4k3/8/8/8/8/8/8/QN2K3 w - - 0 1")
    value = Searcher(1).evaluate(position)
    try:
        set_weights([(2 * mg, 2 * eg) for mg, eg in before])
        assert Searcher(1).evaluate(position) > 1.8 * value
    finally:
        set_weights(before)
    assert Searcher(1).evaluate(position) == value
    with pytest.raises(ValueError):
        set_weights(before[:-1])
    with pytest.raises(ValueError):
        set_weights([(100_000, 0), *before[1:]])
