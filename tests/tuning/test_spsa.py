"""SPSA on simulated games, and its files."""

import json
import random
import xml.etree.ElementTree as ET

import pytest

from cythera.match.match_errors import MatchError
from cythera.match.stats.elo import score_from_elo
from cythera.tuning.spsa import Parameter, Spsa
from cythera.tuning.spsa_plot import plot

PARAMETERS = [
    Parameter("margin", 100, 0, 200, 10),
    Parameter("base", 50, 0, 100, 5),
    Parameter("divisor", 10, 0, 20, 1),
]
BEST = (140, 35, 14)


def play_pair(trial, chances):
    """A pair of games whose expected score falls with the distance from BEST."""

    def elo(values):
        return -60 * sum(
            ((value - best) / (4 * parameter.step)) ** 2
            for value, best, parameter in zip(values, BEST, PARAMETERS, strict=True)
        )

    win = score_from_elo(elo(trial.plus) - elo(trial.minus)) - 0.2
    return sum(chances.choices((1, 0, -1), (max(win, 0), 0.4, max(0.6 - win, 0)), k=2))


def tuned(iterations, seed, **fields):
    spsa = Spsa(PARAMETERS, iterations, seed=seed, **fields)
    chances = random.Random(seed)
    for iteration in range(iterations):
        trial = spsa.trial(iteration)
        spsa.update(trial, play_pair(trial, chances))
    return spsa


def test_parameters_find_their_best_values_through_the_noise():
    values = tuned(10_000, seed=1, rate=0.005).values
    for value, best, parameter in zip(values, BEST, PARAMETERS, strict=True):
        assert abs(value - best) < 1.5 * parameter.step < abs(parameter.default - best)


def test_pure_noise_leads_nowhere_far():
    spsa = Spsa(PARAMETERS, 3000)
    chances = random.Random(4)
    for iteration in range(3000):
        spsa.update(spsa.trial(iteration), chances.choice((-2, -1, 0, 1, 2)))
    for value, parameter in zip(spsa.values, PARAMETERS, strict=True):
        assert abs(value - parameter.default) < 2 * parameter.step


def test_the_last_perturbation_is_the_step_and_earlier_ones_are_larger():
    spsa = Spsa(PARAMETERS, 1000)
    assert spsa.perturbation(1000, PARAMETERS[0]) == pytest.approx(10)
    assert spsa.perturbation(0, PARAMETERS[0]) > 19
    assert spsa.gain(1000) == pytest.approx(spsa.rate)


def test_trials_are_mirror_images_within_bounds_and_repeatable():
    spsa = Spsa([Parameter("edge", 199, 0, 200, 50)], 100, seed=7)
    for iteration in range(50):
        trial = spsa.trial(iteration)
        assert 0 <= min(*trial.plus, *trial.minus) <= max(*trial.plus, *trial.minus) <= 200
        assert trial == spsa.trial(iteration)
    assert {spsa.trial(iteration).signs for iteration in range(50)} == {(1,), (-1,)}


def test_fractions_are_rounded_up_as_often_as_they_are_large():
    spsa = Spsa([Parameter("small", 10.25, 0, 20, 1e-9)], 2000)
    ups = sum(spsa.trial(iteration).plus == (11,) for iteration in range(2000))
    assert 430 < ups < 570


def test_the_state_survives_json():
    spsa = tuned(50, seed=2)
    again = Spsa.from_json(json.loads(json.dumps(spsa.as_json())))
    assert (again.values, again.done, again.trial(50)) == (spsa.values, 50, spsa.trial(50))
    with pytest.raises(MatchError, match="not one of ours"):
        Spsa.from_json({"parameters": []} | {"values": 1})


@pytest.mark.parametrize(
    "make",
    [
        lambda: Parameter("x", 5, 6, 10, 1),
        lambda: Parameter("x", 5, 5, 5, 1),
        lambda: Parameter("x", 5, 0, 10, 0),
        lambda: Spsa([], 10),
        lambda: Spsa(PARAMETERS, 0),
        lambda: Spsa(PARAMETERS, 10, rate=0),
        lambda: Spsa([PARAMETERS[0], PARAMETERS[0]], 10),
    ],
)
def test_what_cannot_be_tuned_is_refused(make):
    with pytest.raises(MatchError):
        make()


def test_the_plot_is_a_picture_with_a_line_for_each_parameter():
    history = [[float(at), 100.0 + at, 50.0 - at, 10.0] for at in range(20)]
    picture = ET.fromstring(plot([*PARAMETERS[:2], Parameter("a<b", 10, 0, 20, 1)], history, 20))
    lines = picture.findall(".//{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == 3
    assert len(lines[0].attrib["points"].split()) == 20
    assert "a<b" in {text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")}
