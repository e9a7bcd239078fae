import random

import pytest

from cythera.match.match_errors import MatchError
from cythera.match.stats.elo import mean_and_variance, score_from_elo
from cythera.match.stats.sprt import ACCEPT_H0, ACCEPT_H1, LOGISTIC, NORMALISED_MODEL, Sprt

# (pentanomial, elo0, elo1, LLR) as published: tests.stockfishchess.org and OpenBench servers.
NORMALISED_FIGURES = [
    ((19, 4020, 10316, 4215, 24), -1.75, 0.25, 2.94),
    ((103, 3851, 8316, 3728, 98), 0, 2, -2.03),
    ((291, 10353, 21899, 10175, 306), 0, 2, -3.08),
    ((99, 3323, 8399, 3606, 109), 0, 2, 2.98),
    ((2, 40, 72, 14, 0), 0, 2, -0.36),
    ((326, 12015, 26044, 12357, 362), 0, 2, 2.93),
    ((900, 30596, 67292, 30899, 809), 0, 2, -2.96),
    ((45, 8506, 25934, 8883, 57), 0.5, 2.5, 2.94),
    ((105, 19880, 51075, 20005, 108), 0.5, 2.5, -2.94),
    ((41, 5118, 12924, 5334, 31), -1.75, 0.25, 2.94),
    ((155, 5201, 11386, 5412, 188), 0, 3, 2.95),  # RubiChess pull request 439, STC
    ((36, 3236, 8115, 3446, 45), 0, 3, 2.95),  # the same, LTC
    ((1453, 8952, 16711, 9425, 1427), 0, 3, 2.96),  # Weiss 766, STC
    ((119, 2013, 3987, 2118, 142), -3, 0, 2.97),  # the same, LTC
    ((365, 16618, 36229, 16974, 390), 0, 2, 2.25),  # fastchess's own tests, as those below
    ((127, 4883, 10712, 5150, 104), -1.75, 0.25, 3.01),
    ((0, 0, 0, 0, 5550), 0, 5, 111.82),
    ((0, 0, 2, 0, 37), 0, 20, 2.96),
]
LOGISTIC_FIGURES = [
    ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
    ((871, 26175, 55983, 26678, 821), 0, 2, -4.98),
]


@pytest.mark.parametrize(("counts", "elo0", "elo1", "llr"), NORMALISED_FIGURES)
def test_normalised_llr_agrees_with_published_figures(counts, elo0, elo1, llr):
    assert Sprt(elo0, elo1, model=NORMALISED_MODEL).llr(counts) == pytest.approx(llr, abs=0.0101, rel=0.0005)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "llr"), LOGISTIC_FIGURES)
def test_logistic_llr_agrees_with_published_figures(counts, elo0, elo1, llr):
    assert Sprt(elo0, elo1, model=LOGISTIC).llr(counts) == pytest.approx(llr, abs=0.0101, rel=0.0005)


@pytest.mark.parametrize("model", [LOGISTIC, NORMALISED_MODEL])
def test_an_engine_against_itself_gives_zero_between_symmetric_bounds(model):
    assert Sprt(-3, 3, model=model).llr((11, 150, 400, 150, 11)) == pytest.approx(0.0, abs=1e-6)


def test_no_pairs_say_nothing():
    assert Sprt(0, 5).llr((0, 0, 0, 0, 0)) == 0.0
    assert Sprt(0, 5).decision((0, 0, 0, 0, 0)) is None


@pytest.mark.parametrize("model", [LOGISTIC, NORMALISED_MODEL])
@pytest.mark.parametrize("bounds", [(0, 5), (-3, 1), (-100, 100)])
@pytest.mark.parametrize("pairs", [1, 7, 500, 20_000])
def test_one_sided_results_have_an_answer_on_the_right_side(model, bounds, pairs):
    sprt = Sprt(*bounds, model=model)
    wins, draws, losses = (sprt.llr([pairs * (at == outcome) for at in range(5)]) for outcome in (4, 2, 0))
    assert wins > 0 > losses
    assert wins > draws > losses


def test_the_llr_grows_with_the_score():
    counts = [(20 - extra, 100, 300, 100, 20 + extra) for extra in range(-20, 21, 4)]
    for model in (LOGISTIC, NORMALISED_MODEL):
        found = [Sprt(-2, 2, model=model).llr(one) for one in counts]
        assert found == sorted(found)


def test_bounds_follow_from_the_error_rates():
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    assert Sprt(0, 5, alpha=0.05, beta=0.10).bounds == pytest.approx((-2.251, 2.890), abs=0.001)


@pytest.mark.parametrize(
    "fields",
    [{"elo0": 5, "elo1": 0}, {"elo0": 0, "elo1": 0}, {"alpha": 0.0}, {"beta": 0.7}, {"model": "bayes"}],
)
def test_a_test_that_cannot_decide_is_refused(fields):
    with pytest.raises(MatchError):
        Sprt(**({"elo0": 0, "elo1": 5} | fields))


# ---------------------------------------------------------------- simulation

WEIGHTS = (0.03, 0.22, 0.46, 0.25, 0.04)  # a typical pentanomial before it is tilted to a score


def tilted(score: float) -> list[float]:
    """WEIGHTS with the mean moved to `score`."""
    low, high = -50.0, 50.0
    while high - low > 1e-12:
        tilt = (low + high) / 2
        weights = [w * 2.718281828 ** (tilt * s) for w, s in zip(WEIGHTS, (0, 0.25, 0.5, 0.75, 1), strict=True)]
        if mean_and_variance(weights)[0] < score:
            low = tilt
        else:
            high = tilt
    total = sum(weights)
    return [w / total for w in weights]


def simulate(sprt: Sprt, elo: float, matches: int, seed: int) -> tuple[float, float]:
    """Share of matches that accept H1, and their mean length in pairs; looked at every ten pairs."""
    chances = random.Random(seed)
    weights = tilted(score_from_elo(elo))
    passed = pairs = 0
    for _ in range(matches):
        counts = [0] * 5
        decision = None
        while decision is None:
            for outcome in chances.choices(range(5), weights, k=10):
                counts[outcome] += 1
            decision = sprt.decision(counts)
        passed += decision == ACCEPT_H1
        pairs += sum(counts)
    return passed / matches, pairs / matches


@pytest.mark.parametrize(("elo", "passes"), [(0.0, 0.10), (30.0, 0.90)])
def test_wrong_decisions_are_as_rare_as_promised(elo, passes):
    share, _ = simulate(Sprt(0, 30, alpha=0.1, beta=0.1, model=LOGISTIC), elo, matches=300, seed=3)
    # The true rate is a little better than promised, since the last pairs overshoot the bound.
    assert abs(share - passes) < 0.06


def test_the_expected_length_is_the_one_of_walds_formula():
    sprt = Sprt(0, 30, alpha=0.1, beta=0.1, model=LOGISTIC)
    _, pairs = simulate(sprt, 30.0, matches=300, seed=4)
    low, high = sprt.bounds
    weights = tilted(score_from_elo(30.0))
    drift = sprt.llr([w * 1e6 for w in weights]) / 1e6
    expected = (0.9 * high + 0.1 * low) / drift
    assert expected < pairs < 1.35 * expected


def test_halfway_between_the_bounds_either_way_is_as_likely():
    share, _ = simulate(Sprt(-20, 20, alpha=0.1, beta=0.1), 0.0, matches=200, seed=5)
    assert 0.38 < share < 0.62


def test_the_test_fails_what_is_far_below_it():
    assert Sprt(0, 5).decision((300, 400, 300, 100, 10)) == ACCEPT_H0
