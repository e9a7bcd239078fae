"""The generalised sequential probability ratio test on pairs of games. Pure.

It decides between "the difference is elo0" and "the difference is elo1" as soon as the pairs played allow,
and bounds how often it is wrong by alpha (a false pass) and beta (a false fail). It decides; it does not
measure: a match that stopped on a decision overstates the difference.

The log-likelihood ratio compares the likeliest pentanomial distributions under the two hypotheses, given
the counts (M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
distribution" and "Normalized Elo").
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cythera.match.match_errors import MatchError
from cythera.match.stats.elo import NORMALISED, PAIR_SCORES, mean_and_variance, score_from_elo

LOGISTIC = "logistic"
NORMALISED_MODEL = "normalised"
REGULARISATION = 1e-3  # what an outcome that never came counts as, so that its logarithm exists

ACCEPT_H0 = "H0"
ACCEPT_H1 = "H1"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of elo0 against elo1, in logistic or normalised Elo.

    >>> Sprt(0, 5).bounds == (-Sprt(0, 5).bounds[1], 2.9444389791664403)
    True
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = NORMALISED_MODEL

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise MatchError(f"elo0 of an SPRT must be below elo1, got {self.elo0:g} and {self.elo1:g}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise MatchError(f"{name} must be above 0 and below 0.5, got {value:g}")
        if self.model not in (LOGISTIC, NORMALISED_MODEL):
            raise MatchError(f"the Elo model of an SPRT must be {LOGISTIC} or {NORMALISED_MODEL}, got {self.model!r}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted (Wald's approximation)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[float]) -> float:
        """The log-likelihood ratio of H1 to H0 given a pentanomial; 0 without any pair."""
        total = sum(counts)
        if total <= 0:
            return 0.0
        observed = [max(count, REGULARISATION) for count in counts]
        weight = sum(observed)
        shares = [count / weight for count in observed]
        under0: list[float] | None
        under1: list[float] | None
        if self.model == LOGISTIC:
            under0 = likeliest_with_mean(shares, [s - score_from_elo(self.elo0) for s in PAIR_SCORES])
            under1 = likeliest_with_mean(shares, [s - score_from_elo(self.elo1) for s in PAIR_SCORES])
        else:
            ratio0, ratio1 = (elo / NORMALISED * math.sqrt(2) for elo in (self.elo0, self.elo1))
            under0 = likeliest_with_ratio(shares, ratio0)
            under1 = likeliest_with_ratio(shares, ratio1)
            if under0 is None or under1 is None:
                return weight * _normal_llr(shares, ratio0, ratio1)
        return weight * sum(p * math.log(p1 / p0) for p, p0, p1 in zip(shares, under0, under1, strict=True))

    def decision(self, counts: Sequence[float]) -> str | None:
        """ "H0" or "H1" once a bound is reached, None before."""
        low, high = self.bounds
        llr = self.llr(counts)
        if llr >= high:
            return ACCEPT_H1
        return ACCEPT_H0 if llr <= low else None


def likeliest_with_mean(shares: Sequence[float], values: Sequence[float]) -> list[float]:
    """The distribution closest to `shares`, in likelihood, under which `values` have mean zero.

    By Lagrange it is share / (1 + x·value), with x the root of a function that falls monotonically between
    the poles at the extreme values. All shares are positive, and values of both signs occur.
    """
    low, high = -1 / max(values), -1 / min(values)
    x = 0.0
    for _ in range(100):
        terms = [v / (1 + x * v) for v in values]
        height = sum(p * term for p, term in zip(shares, terms, strict=True))
        slope = sum(p * term * term for p, term in zip(shares, terms, strict=True))
        low, high = (x, high) if height > 0 else (low, x)
        step = x + height / slope  # Newton's, unless it leaves the bracket
        nearer = step if low < step < high else (low + high) / 2
        if abs(nearer - x) <= 1e-14 * max(1.0, abs(x)):
            break
        x = nearer
    result = [p / (1 + x * v) for p, v in zip(shares, values, strict=True)]
    total = sum(result)
    return [p / total for p in result]


def likeliest_with_ratio(shares: Sequence[float], ratio: float) -> list[float] | None:
    """The same under which (mean score - 1/2) is `ratio` times the standard deviation.

    The condition is made linear around the last solution, solved as above, and again until it stands still.
    None where it has no solution near the last one, as for thousands of pairs that are all drawn.
    """
    current = [1 / len(PAIR_SCORES)] * len(PAIR_SCORES)  # far from the poles that one-sided shares have
    for _ in range(50):
        mean, variance = mean_and_variance(current)
        deviation = math.sqrt(variance)
        linear = [s - 0.5 - ratio / 2 * deviation * (1 + ((s - mean) / deviation) ** 2) for s in PAIR_SCORES]
        if not min(linear) < 0 < max(linear):
            return None
        previous, current = current, likeliest_with_mean(shares, linear)
        if max(abs(a - b) for a, b in zip(previous, current, strict=True)) < 1e-9:
            break
    return current


def _normal_llr(shares: Sequence[float], ratio0: float, ratio1: float) -> float:
    """The log-likelihood ratio a pair as if scores were normally distributed."""
    mean, variance = mean_and_variance(shares)
    observed = (mean - 0.5) / math.sqrt(variance)
    return math.log((1 + (observed - ratio0) ** 2) / (1 + (observed - ratio1) ** 2)) / 2
