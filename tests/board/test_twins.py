"""The compiled board and python-chess agree, subject by subject, on seeded random games."""

import pytest
import twin_checks
import twins

from cythera import Position

POSITIONS = 400
FEWER = {"words": 100, "copies": 150, "refusals": 200}


@pytest.mark.parametrize("kind", twins.STARTS)
@pytest.mark.parametrize("subject", twin_checks.CHECKS)
def test_the_twins_agree_on(subject, kind):
    check, _ = twin_checks.CHECKS[subject]
    for pair in twins.walk(kind, 2024, FEWER.get(subject, POSITIONS), Position):
        check(pair)


@pytest.mark.parametrize("kind", twins.STARTS)
@pytest.mark.parametrize("subject", ["legal_moves", "keys", "effects", "endings", "exchanges"])
def test_both_builds_agree_with_python_chess_on(core, subject, kind):
    check, _ = twin_checks.CHECKS[subject]
    for pair in twins.walk(kind, 7, 100, core.Board):
        check(pair)


def test_random_games_meet_what_is_rare():
    met = set()
    for kind in twins.STARTS:
        for pair in twins.walk(kind, 2024, 1500, Position):
            ours = pair.ours
            moves = ours.legal_moves()
            met |= {
                name
                for name, here in (
                    ("castling", any(move.is_castling for move in moves)),
                    ("en passant", any(move.is_en_passant for move in moves)),
                    ("promotion", any(move.promotion for move in moves)),
                    ("checkmate", ours.is_checkmate()),
                    ("stalemate", ours.is_stalemate()),
                    ("repetition", ours.is_repetition(3)),
                    ("fifty moves", ours.is_fifty_moves()),
                    ("insufficient material", ours.is_insufficient_material()),
                    ("null move", pair.passed),
                )
                if here
            }
    assert len(met) == 9, met


def test_a_wrong_answer_is_noticed_and_told_with_the_game():
    class Wrong(Position):
        def is_check(self):
            return not super().is_check()

    with pytest.raises(AssertionError, match=r"check: cythera says True, python-chess False\n  in .*\n  from .* by"):
        for pair in twins.walk("standard", 1, 10, Wrong):
            twin_checks.endings(pair)
