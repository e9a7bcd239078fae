"""Moves are judged by what they give away of the game, not by centipawns."""

import math

import pytest

from cythera import Score
from cythera.analyse.judge import WORDS, accuracy_of, expectation, loss_cp_of, loss_of, word_of


def test_expectation_is_fair_and_grows_with_the_score():
    values = [expectation(Score(cp=cp)) for cp in range(-1500, 1501, 50)]
    assert values == sorted(values)
    for cp in range(0, 1500, 70):
        assert expectation(Score(cp=cp)) + expectation(Score(cp=-cp)) == pytest.approx(1, abs=0.002)


def test_words_begin_at_the_thresholds_of_our_curve_and_are_as_grave_as_the_graver_of_two():
    grades = ["", "inaccuracy", "mistake", "blunder"]
    cases = [(Score(cp=a), Score(cp=b)) for a in range(-600, 601, 40) for b in range(-600, a + 1, 40)]
    raised = 0
    for best, played in cases:
        ours = sum(loss_of(best, played) >= least for least, _ in WORDS)
        lichess = [1 / (1 + math.exp(-0.00368208 * score.cp / 0.85)) for score in (best, played)]
        theirs = sum(lichess[0] - lichess[1] >= bar for bar in (0.05, 0.10, 0.15))
        assert word_of(best, played) == grades[max(ours, theirs) if ours else 0], (best, played)
        raised += 0 < ours < theirs
    assert {word_of(best, played) for best, played in cases} == set(grades) and raised > 20


def test_a_piece_that_is_hung_in_a_bad_position_is_a_blunder_but_not_in_a_lost_one():
    assert word_of(Score(cp=-274), Score(cp=-1479)) == "blunder"
    assert word_of(Score(cp=-274), Score(mate=-4)) == "blunder"
    assert word_of(Score(cp=-274), Score(mate=-4), 0.09) == "inaccuracy", "not more than an earlier search thought"
    assert word_of(Score(cp=-700), Score(mate=-4)) == ""


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
