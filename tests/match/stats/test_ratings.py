import itertools
import random

import pytest

from cythera.match.stats.ratings import rate


def play(strengths, games, seed=1, draw_weight=1.0, white=30.0):
    """Results of a round robin drawn from the model itself."""
    chances = random.Random(seed)
    results = {}
    for one, other in itertools.permutations(strengths, 2):
        a, b = 10 ** ((strengths[one] + white) / 400), 10 ** (strengths[other] / 400)
        weights = (a, draw_weight * (a * b) ** 0.5, b)
        for result in chances.choices(("1-0", "1/2-1/2", "0-1"), weights, k=games):
            results[one, other, result] = results.get((one, other, result), 0) + 1
    return results


def test_two_engines_differ_as_their_score_says():
    counts = {"1-0": 30, "1/2-1/2": 40, "0-1": 30}
    results = {("A", "B", result): times for result, times in counts.items()}
    results |= {("B", "A", result): times for result, times in counts.items()}
    table = rate(["A", "B"], results)
    assert [rated.elo for rated in table.rated] == pytest.approx([0.0, 0.0], abs=1e-6)
    assert table.white_advantage == pytest.approx(0.0, abs=1e-6)
    assert table.draw_rate == pytest.approx(0.4, abs=0.002)
    assert table.superiority["A"]["B"] == pytest.approx(0.5)


def test_ratings_advantage_and_draw_rate_are_recovered():
    strengths = {"A": 150.0, "B": 40.0, "C": -60.0, "D": -130.0}
    table = rate(strengths, play(strengths, 3000))
    for rated in table.rated:
        assert rated.elo == pytest.approx(strengths[rated.name], abs=10)
    assert [rated.name for rated in table.rated] == ["A", "B", "C", "D"]
    assert table.white_advantage == pytest.approx(30, abs=6)
    assert table.draw_rate == pytest.approx(1 / 3, abs=0.02)


def test_error_bars_hold_the_truth_as_often_as_they_say():
    strengths = {"A": 60.0, "B": 0.0, "C": -60.0}
    held = total = 0
    for seed in range(60):
        for rated in rate(strengths, play(strengths, 40, seed)).rated:
            held += abs(rated.elo - strengths[rated.name]) <= rated.margin
            total += 1
    assert 0.89 <= held / total <= 0.99


def test_anchored_engines_keep_their_rating_and_move_the_others():
    strengths = {"A": 100.0, "B": 0.0, "C": -100.0}
    table = rate(strengths, play(strengths, 500), {"B": 3000.0})
    found = {rated.name: rated for rated in table.rated}
    assert found["B"].elo == pytest.approx(3000.0)
    assert found["B"].margin == 0.0
    assert found["A"].elo == pytest.approx(3100, abs=25)
    assert found["C"].elo == pytest.approx(2900, abs=25)


def test_two_anchors_are_both_kept():
    strengths = {"A": 100.0, "B": 0.0, "C": -100.0}
    found = {one.name: one.elo for one in rate(strengths, play(strengths, 300), {"A": 2600.0, "C": 2400.0}).rated}
    assert (found["A"], found["C"]) == (pytest.approx(2600.0), pytest.approx(2400.0))
    assert found["B"] == pytest.approx(2500, abs=30)


def test_an_engine_that_won_everything_has_a_finite_rating():
    table = rate(["A", "B"], {("A", "B", "1-0"): 20, ("B", "A", "0-1"): 20})
    assert 300 < table.rated[0].elo < 3000
    assert table.rated[0].name == "A"
    assert table.superiority["A"]["B"] > 0.95


def test_an_engine_without_games_is_rated_at_the_mean():
    strengths = {"A": 50.0, "B": -50.0}
    found = {one.name: one for one in rate(["A", "B", "C"], play(strengths, 200)).rated}
    assert found["C"].games == 0
    assert abs(found["C"].elo) < 1.0
    assert found["C"].margin > 500


def test_points_and_games_are_those_played():
    table = rate(["A", "B"], {("A", "B", "1-0"): 3, ("B", "A", "1/2-1/2"): 2})
    assert [(one.name, one.games, one.points) for one in table.rated] == [("A", 5, 4.0), ("B", 5, 1.0)]
