"""Elo, normalised Elo and their error bars from pairs of games. Pure.

The unit of observation is a pair: the same opening with both colours. Its five possible scores, 0 to 2
points in halves, are counted in a pentanomial; the two games of a pair are not independent, the pairs are.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from cythera.match.match_errors import MatchError

Z95 = NormalDist().inv_cdf(0.975)
NORMALISED = 800 / math.log(10)  # normalised Elo per unit of (score - 1/2) / standard deviation per game
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # a pair's score per game

FEW_PAIRS = 10  # below this the variance seen says little, and some prior variance is added
PRIOR_PAIRS = 2.0
PRIOR_VARIANCE = 1 / 16  # of a pair's score per game: that of pairs which end 3/2 - 1/2 or 1/2 - 3/2

Pentanomial = tuple[int, int, int, int, int]


def elo_from_score(score: float) -> float:
    """The logistic Elo difference of an expected score; infinite at 0 and 1.

    >>> round(elo_from_score(0.75), 1)
    190.8
    """
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def score_from_elo(elo: float) -> float:
    """The expected score of a logistic Elo difference.

    >>> score_from_elo(0)
    0.5
    """
    return 1 / (1 + 10 ** (-elo / 400))


def pentanomial(pair_points: Iterable[float]) -> Pentanomial:
    """Counts of pairs by points: 0, 1/2, 1, 3/2, 2.

    >>> pentanomial([1.0, 2.0, 1.0])
    (0, 0, 2, 0, 1)
    """
    counts = [0] * 5
    for points in pair_points:
        counts[round(2 * points)] += 1
    return (counts[0], counts[1], counts[2], counts[3], counts[4])


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        if math.isfinite(self.margin):
            return f"{self.value:+.2f} ± {self.margin:.2f}"
        digits = 2 if math.isfinite(self.value) else 0
        return f"{self.value:+.{digits}f} [{self.low:+.0f}, {self.high:+.0f}]"


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a pentanomial says about the difference between two engines.

    `los` is the likelihood of superiority: the probability, seen from a flat prior, that the first engine
    is the stronger one. `draw_ratio` is the share of pairs that end 1-1.
    """

    pairs: int
    score: float
    elo: Interval
    normalised_elo: Interval
    los: float
    draw_ratio: float


def mean_and_variance(counts: Sequence[float], scores: Sequence[float] = PAIR_SCORES) -> tuple[float, float]:
    """Of the score per game, over pairs; the variance is that of one pair."""
    total = sum(counts)
    if total <= 0:
        raise MatchError("statistics need at least one pair of games")
    mean = sum(n * s for n, s in zip(counts, scores, strict=True)) / total
    variance = sum(n * (s - mean) ** 2 for n, s in zip(counts, scores, strict=True)) / total
    return mean, variance


def estimate(counts: Sequence[int]) -> Estimate:
    """Elo, normalised Elo and likelihood of superiority of a pentanomial with at least one pair.

    The variance of a few pairs is blended with a prior one: two drawn games do not show that two engines
    are equal.

    >>> round(estimate((10, 40, 100, 40, 10)).elo.value, 6)
    0.0
    """
    pairs = sum(counts)
    mean, variance = mean_and_variance(counts)
    if pairs < FEW_PAIRS:
        variance = (pairs * variance + PRIOR_PAIRS * PRIOR_VARIANCE) / (pairs + PRIOR_PAIRS)
    half_width = Z95 * math.sqrt(variance / pairs)
    elo = Interval(elo_from_score(mean), elo_from_score(mean - half_width), elo_from_score(mean + half_width))
    if variance > 0:
        los = NormalDist().cdf((mean - 0.5) / math.sqrt(variance / pairs))
        # A pair is two games: its score per game has half the variance of a game's.
        normalised = NORMALISED * (mean - 0.5) / math.sqrt(2 * variance)
        spread = NORMALISED * Z95 / math.sqrt(2 * pairs)
        nelo = Interval(normalised, normalised - spread, normalised + spread)
    else:
        los = 0.5 if mean == 0.5 else float(mean > 0.5)
        value = 0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5)
        nelo = Interval(value, -math.inf, math.inf)
    return Estimate(pairs, mean, elo, nelo, los, counts[2] / pairs)
