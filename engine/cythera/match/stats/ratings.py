"""A rating list from any set of games: maximum likelihood with draws modelled. Pure.

The model is Davidson's: with strengths a and b (10^(Elo/400)) and a white advantage w, a win of white, a
draw and a win of black have probabilities in the proportion  a·w : ν·sqrt(a·w·b) : b.  Strengths, advantage
and draw weight are fitted together; the logarithm of the likelihood is concave, so Newton finds its one
top. Error bars come from the curvature there.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from cythera.match.stats.elo import Z95

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

ELO_UNIT = 400 / math.log(10)
# A wide bell around the mean keeps an engine that won or lost everything at a finite rating. For any
# other it changes nothing that can be seen.
PRIOR_ELO = 1000.0
PRIOR_REST = 10.0  # the same for advantage and draw weight, in natural logarithms

OUTCOMES = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}
Results = Mapping[tuple[str, str, str], int]


@dataclass(frozen=True, slots=True)
class Rated:
    """An engine's rating, its 95 % margin (0 for an anchor), and its games."""

    name: str
    elo: float
    margin: float
    games: int
    points: float


@dataclass(frozen=True, slots=True)
class RatingList:
    """Ratings, best first, with the fitted white advantage in Elo and the draw rate between equals.

    `superiority[a][b]` is the probability that a is stronger than b.
    """

    rated: tuple[Rated, ...]
    white_advantage: float
    draw_rate: float
    superiority: Mapping[str, Mapping[str, float]]


def rate(names: Iterable[str], results: Results, anchors: Mapping[str, float] | None = None) -> RatingList:
    """Fit ratings to counts of `(white, black, result)`.

    Anchored engines keep their Elo; without anchors the mean is 0. An engine without games gets the mean
    and a margin that says so.

    >>> table = rate("AB", {("A", "B", "1-0"): 6, ("B", "A", "1-0"): 2, ("B", "A", "1/2-1/2"): 4})
    >>> [rated.name for rated in table.rated]
    ['A', 'B']
    """
    import numpy as np

    players = list(names)
    count = len(players)
    anchors = anchors or {}
    fit = _Fit(players, results, anchors)
    theta, covariance = fit.maximum()

    shift = np.eye(count, count + 2)
    if not anchors:  # only differences mean anything: rate against the mean of all
        shift[:, :count] -= 1.0 / count
    elo = [float(value) for value in ELO_UNIT * (shift @ theta)]
    spread = ELO_UNIT**2 * (shift @ covariance @ shift.T)
    played, points = _played(results)
    draw_weight = math.exp(float(theta[count + 1]))
    rated = [
        Rated(
            name, elo[at], Z95 * math.sqrt(max(0.0, float(spread[at, at]))), played.get(name, 0), points.get(name, 0.0)
        )
        for at, name in enumerate(players)
    ]
    return RatingList(
        rated=tuple(sorted(rated, key=lambda one: -one.elo)),
        white_advantage=ELO_UNIT * float(theta[count]),
        draw_rate=draw_weight / (2 + draw_weight),
        superiority={
            one: {
                other: _above_zero(elo[i] - elo[j], float(spread[i, i] + spread[j, j] - 2 * spread[i, j]))
                for j, other in enumerate(players)
                if j != i
            }
            for i, one in enumerate(players)
        },
    )


def _above_zero(mean: float, variance: float) -> float:
    return NormalDist(mean, math.sqrt(max(variance, 1e-12))).cdf(2 * mean) if mean else 0.5


def _played(results: Results) -> tuple[dict[str, int], dict[str, float]]:
    games: dict[str, int] = {}
    points: dict[str, float] = {}
    for (white, black, result), times in results.items():
        won = times * (1.0, 0.5, 0.0)[OUTCOMES[result]]
        for name, share in ((white, won), (black, times - won)):
            games[name] = games.get(name, 0) + times
            points[name] = points.get(name, 0.0) + share
    return games, points


class _Fit:
    """The likelihood and its maximum. Parameters: strengths, white advantage, log draw weight (natural)."""

    def __init__(self, players: list[str], results: Results, anchors: Mapping[str, float]) -> None:
        import numpy as np

        self.size = len(players) + 2
        count = len(players)
        centre = sum(anchors.values()) / len(anchors) / ELO_UNIT if anchors else 0.0
        self.centre = np.array([centre] * count + [0.0, 0.0])
        self.weight = np.array([(ELO_UNIT / PRIOR_ELO) ** 2] * count + [PRIOR_REST**-2] * 2)
        self.begin = self.centre.copy()
        number = {name: at for at, name in enumerate(players)}
        for name, elo in anchors.items():
            self.begin[number[name]] = elo / ELO_UNIT
        self.free = [at for at in range(self.size) if at >= count or players[at] not in anchors]
        # For each kind of game: the logarithms of the three outcomes' weights as linear functions.
        self.games: list[tuple[Vector, int, int]] = []
        for (white, black, result), times in results.items():
            rows = np.zeros((3, self.size))
            rows[0, number[white]] = rows[0, count] = rows[2, number[black]] = 1.0
            rows[1, number[white]] = rows[1, number[black]] = rows[1, count] = 0.5
            rows[1, count + 1] = 1.0
            self.games.append((rows, OUTCOMES[result], times))

    def shape(self, theta: "Vector") -> tuple[float, "Vector", "Vector"]:
        """Logarithm of the likelihood, its gradient and its negated second derivatives."""
        import numpy as np

        away = theta - self.centre
        value = -float(self.weight @ away**2) / 2
        gradient = -self.weight * away
        curvature = np.diag(self.weight)
        for rows, outcome, times in self.games:
            logs = rows @ theta
            top = float(logs.max())
            shares = np.exp(logs - top)
            total = float(shares.sum())
            shares = shares / total
            mean = shares @ rows
            value += times * (float(logs[outcome]) - top - math.log(total))
            gradient = gradient + times * (rows[outcome] - mean)
            curvature = curvature + times * (rows.T @ (shares[:, None] * rows) - np.outer(mean, mean))
        return value, gradient, curvature

    def maximum(self) -> tuple["Vector", "Vector"]:
        """The likeliest parameters and their covariance, by Newton's method with halved steps."""
        import numpy as np

        theta = self.begin
        free = np.ix_(self.free, self.free)
        value, gradient, curvature = self.shape(theta)
        for _ in range(100):
            step = np.zeros(self.size)
            step[self.free] = np.linalg.solve(curvature[free], gradient[self.free])
            there = self.shape(theta + step)
            while there[0] < value - 1e-12 and float(np.abs(step).max()) > 1e-9:
                step = step / 2
                there = self.shape(theta + step)
            theta = theta + step
            value, gradient, curvature = there
            if float(np.abs(step).max()) < 1e-9:
                break
        covariance = np.zeros((self.size, self.size))
        covariance[free] = np.linalg.inv(curvature[free])
        return theta, covariance
