"""Moves are judged by what they give away of the game, not by centipawns."""

import pytest

from cythera import Score
from cythera.analyse.judge import WORDS, accuracy_of, expectation, loss_cp_of, loss_of, word_of


def test_expectation_is_fair_and_grows_with_the_score():
    values = [expectation(Score(cp=cp)) for cp in range(-1500, 1501, 50)]
    assert values == sorted(values)
    for cp in range(0, 1500, 70):
        assert expectation(Score(cp=cp)) + expectation(Score(cp=-cp)) == pytest.approx(1, abs=0.002)


def test_words_follow_the_loss_and_begin_at_their_thresholds():
    cases = [(Score(cp=a), Score(cp=b)) for a in range(-600, 601, 40) for b in range(-600, a + 1, 40)]
    for best, played in cases:
        loss = loss_of(best, played)
        expected = next((word for least, word in WORDS if loss >= least), "")
        assert word_of(best, played) == expected
    assert {word_of(best, played) for best, played in cases} == {"", "inaccuracy", "mistake", "blunder"}


def test_a_won_game_that_stays_won_has_no_blunder():
    assert word_of(Score(cp=1500), Score(cp=900)) == ""
    assert loss_cp_of(Score(cp=1500), Score(cp=900)) == 100


def test_mates_missed_given_and_kept():
    assert word_of(Score(mate=1), Score(mate=7)) == ""
    assert word_of(Score(mate=3), Score(cp=800)) == "missed mate"
    assert word_of(Score(mate=3), Score(cp=0)) == "blunder"
    assert word_of(Score(cp=0), Score(mate=-2)) == "blunder"
    assert word_of(Score(mate=-5), Score(mate=-1)) == ""
    assert word_of(Score(mate=1), Score(mate=0, given=True)) == ""


def test_a_better_score_than_expected_is_no_loss():
    assert loss_of(Score(cp=0), Score(cp=90)) == 0 and loss_cp_of(Score(cp=0), Score(cp=90)) == 0


def test_accuracy_falls_from_a_hundred():
    values = [accuracy_of(loss / 20) for loss in range(21)]
    assert values[0] == 100 and values == sorted(values, reverse=True) and values[-1] > 0
