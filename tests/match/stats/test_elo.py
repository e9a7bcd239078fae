import math
import random

import pytest

from cythera.match.match_errors import MatchError
from cythera.match.stats.elo import elo_from_score, estimate, mean_and_variance, pentanomial, score_from_elo

# (pentanomial, Elo, 95 % margin) as published with tests of other engines on OpenBench servers.
PUBLISHED = [
    ((214, 8992, 19871, 9102, 235), 0.69, 1.25),  # PlentyChess pull request 334, STC
    ((5, 942, 2469, 1050, 5), 4.20, 3.43),  # the same, LTC
    ((115, 5262, 11758, 5498, 134), 2.09, 1.62),  # PlentyChess 329
    ((1453, 8952, 16711, 9425, 1427), 1.93, 1.55),  # Weiss 766
    ((1943, 4319, 7583, 4561, 2021), 3.38, 2.62),  # PlentyChess 220, N=5000
    ((28, 743, 1649, 901, 47), 10.11, 4.45),  # PlentyChess 220, STC
]


@pytest.mark.parametrize(("counts", "elo", "margin"), PUBLISHED)
def test_elo_and_its_margin_agree_with_published_figures(counts, elo, margin):
    found = estimate(counts).elo
    assert found.value == pytest.approx(elo, abs=0.006)
    assert found.margin == pytest.approx(margin, abs=0.011)


def test_normalised_elo_agrees_with_a_published_figure():
    # fastchess's own example output: 78 games, Ptnml [0, 0, 2, 0, 37]
    found = estimate((0, 0, 2, 0, 37))
    assert found.elo.value == pytest.approx(631.91, abs=0.01)
    assert found.normalised_elo.value == pytest.approx(1056.68, abs=0.01)
    assert found.normalised_elo.margin == pytest.approx(77.10, abs=0.01)


def test_elo_and_score_are_inverse():
    for elo in (-800.0, -3.0, 0.0, 12.5, 400.0):
        assert elo_from_score(score_from_elo(elo)) == pytest.approx(elo)
    assert elo_from_score(0.0) == -math.inf
    assert elo_from_score(1.0) == math.inf


def test_pairs_are_counted_by_their_points():
    assert pentanomial([0, 0.5, 0.5, 1, 1.5, 2]) == (1, 2, 1, 1, 1)


def test_an_engine_against_itself_is_even():
    found = estimate((7, 90, 300, 90, 7))
    assert found.elo.value == pytest.approx(0.0, abs=1e-9)
    assert found.los == pytest.approx(0.5)


def test_all_wins_and_all_draws_have_an_answer():
    wins = estimate((0, 0, 0, 0, 4))
    assert wins.elo.value == math.inf
    assert wins.los > 0.999
    assert str(wins.elo) == "+inf [+313, +inf]"
    assert str(estimate((0, 0, 2, 0, 37)).elo) == "+631.91 [+477, +inf]"
    draws = estimate((0, 0, 4, 0, 0))
    assert (draws.elo.value, draws.los) == (pytest.approx(0.0), 0.5)
    same_games = estimate((0, 0, 30, 0, 0))
    assert str(same_games.elo) == "+0.00 ± 0.00"
    assert estimate((0, 0, 0, 0, 30)).los == 1.0


@pytest.mark.parametrize("counts", [(0, 0, 1, 0, 0), (0, 0, 2, 0, 0), (0, 1, 0, 0, 0), (0, 1, 2, 1, 0)])
def test_a_few_pairs_leave_much_open(counts):
    found = estimate(counts)
    assert found.elo.high - found.elo.low > 200
    assert 0.01 < found.los < 0.99


def test_ten_pairs_with_different_results_are_taken_as_they_are():
    mean, variance = mean_and_variance((1, 2, 4, 2, 1))
    found = estimate((1, 2, 4, 2, 1))
    assert found.elo.high == pytest.approx(elo_from_score(mean + 1.959964 * math.sqrt(variance / 10)), abs=1e-4)


def test_statistics_of_nothing_are_refused():
    with pytest.raises(MatchError):
        estimate((0, 0, 0, 0, 0))


def test_the_95_percent_interval_holds_the_truth_95_times_in_100():
    chances = random.Random(7)
    weights = (0.05, 0.2, 0.4, 0.25, 0.1)
    truth = elo_from_score(sum(w * s for w, s in zip(weights, (0, 0.25, 0.5, 0.75, 1), strict=True)))
    held = 0
    for _ in range(1000):
        counts = pentanomial(value / 2 for value in chances.choices(range(5), weights, k=200))
        interval = estimate(counts).elo
        held += interval.low <= truth <= interval.high
    assert 925 <= held <= 975
