"""Simultaneous perturbation stochastic approximation: many numbers tuned at once by playing games. Pure.

Every iteration moves all parameters at random a little up or down, plays the two mirror images of that
move against each other, and steps towards the winner. The steps and the perturbations shrink with time
(J. C. Spall, "Implementation of the simultaneous perturbation algorithm", 1998), in such a way that the
last iterations perturb every parameter by its own `step`.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cythera.match.match_errors import MatchError

ALPHA = 0.602  # how the steps shrink
GAMMA = 0.101  # how the perturbations shrink
STABILITY = 0.1  # this share of the iterations delays the shrinking, against wild first steps
RATE = 0.002  # the last step for one point, as a share of the last perturbation


@dataclass(frozen=True, slots=True)
class Parameter:
    """A whole number to be tuned. `step` is a change that should just be felt in play."""

    name: str
    default: float
    low: float
    high: float
    step: float

    def __post_init__(self) -> None:
        if not self.low <= self.default <= self.high or self.low == self.high:
            raise MatchError(f"parameter {self.name}: {self.default:g} must be between {self.low:g} and {self.high:g}")
        if self.step <= 0:
            raise MatchError(f"the step of parameter {self.name} must be above 0, got {self.step:g}")


@dataclass(frozen=True, slots=True)
class Trial:
    """One iteration's two sets of values, to be played against each other."""

    iteration: int
    signs: tuple[int, ...]
    plus: tuple[int, ...]
    minus: tuple[int, ...]


class Spsa:
    """The state of a tuning: where the parameters are, and how far the iterations.

    Trials are a function of the seed, the iteration and the values at that time. Results may come in any
    order, as they do from many workers.
    """

    def __init__(self, parameters: Sequence[Parameter], iterations: int, *, seed: int = 0, rate: float = RATE) -> None:
        if not parameters:
            raise MatchError("there is nothing to tune: no parameter is given")
        names = [parameter.name for parameter in parameters]
        if len(set(names)) < len(names):
            raise MatchError("every parameter can be given only once")
        if iterations < 1:
            raise MatchError(f"iterations must be at least 1, got {iterations}")
        if rate <= 0:
            raise MatchError(f"the rate must be above 0, got {rate:g}")
        self.parameters = tuple(parameters)
        self.iterations = iterations
        self.seed = seed
        self.rate = rate
        self.values = [float(parameter.default) for parameter in parameters]
        self.done = 0

    def perturbation(self, iteration: int, parameter: Parameter) -> float:
        """How far a parameter is moved up and down; `step` at the end, more before."""
        return parameter.step * self._wider(iteration)

    def gain(self, iteration: int) -> float:
        """The step for one point of the result, as a share of the perturbation."""
        delay = STABILITY * self.iterations
        shrunk = ((delay + self.iterations + 1) / (delay + iteration + 1)) ** ALPHA
        # In Spall's terms it is a_k / c_k², with c in units of the last perturbation.
        return float(self.rate * shrunk / self._wider(iteration) ** 2)

    def _wider(self, iteration: int) -> float:
        return float(((self.iterations + 1) / (iteration + 1)) ** GAMMA)

    def trial(self, iteration: int) -> Trial:
        """The values to try. Engines take whole numbers: fractions are rounded up as often as they are large."""
        chances = random.Random(f"{self.seed}/{iteration}")
        signs = tuple(chances.choice((-1, 1)) for _ in self.parameters)
        rounding = chances.random()
        return Trial(
            iteration,
            signs,
            plus=self._moved(iteration, signs, rounding),
            minus=self._moved(iteration, tuple(-sign for sign in signs), rounding),
        )

    def _moved(self, iteration: int, signs: tuple[int, ...], rounding: float) -> tuple[int, ...]:
        moved = []
        for parameter, value, sign in zip(self.parameters, self.values, signs, strict=True):
            wanted = value + sign * self.perturbation(iteration, parameter)
            moved.append(math.floor(min(max(wanted, parameter.low), parameter.high) + rounding))
        return tuple(
            min(number, math.floor(parameter.high)) for number, parameter in zip(moved, self.parameters, strict=True)
        )

    def update(self, trial: Trial, points: float) -> None:
        """Step towards the winner; `points` are those of `plus` less those of `minus`, of a pair of games."""
        gain = self.gain(trial.iteration)
        for at, (parameter, sign) in enumerate(zip(self.parameters, trial.signs, strict=True)):
            stepped = self.values[at] + gain * self.perturbation(trial.iteration, parameter) * sign * points
            self.values[at] = min(max(stepped, parameter.low), parameter.high)
        self.done += 1

    def as_json(self) -> dict[str, Any]:
        return {
            "parameters": [asdict(parameter) for parameter in self.parameters],
            "iterations": self.iterations,
            "seed": self.seed,
            "rate": self.rate,
            "values": self.values,
            "done": self.done,
        }

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> "Spsa":
        try:
            parameters = [Parameter(**parameter) for parameter in found["parameters"]]
            spsa = cls(parameters, found["iterations"], seed=found["seed"], rate=found["rate"])
            spsa.values = [float(value) for value in found["values"]]
            spsa.done = int(found["done"])
        except (KeyError, TypeError, ValueError) as error:
            raise MatchError(f"the tuning file is not one of ours: {error}") from error
        return spsa
