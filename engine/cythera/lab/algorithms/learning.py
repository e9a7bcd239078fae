"""Learning the weights of a linear evaluation from played games.

An evaluation is a weighted sum of features, squeezed by tanh into −1 (MIN wins) to +1 (MAX wins).
Games are played with the current weights. Every position that occurred is then labelled with the result
of its game, and the weights move down the gradient of the squared error between evaluation and label;
and so on, round after round.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.ordering import shuffled
from cythera.lab.game import Game, State
from cythera.lab.search import Search

Weights = tuple[float, ...]


@dataclass(frozen=True)
class Sample:
    """The features of a position, and the result of the game it occurred in: +1, 0 or −1 for MAX."""

    features: tuple[float, ...]
    result: float


def linear(game: Game[State, Any], weights: Weights) -> Callable[[State], float]:
    """The evaluation with these weights, between −1 and 1.

    >>> from cythera.lab.games.connect4 import ConnectFour
    >>> game = ConnectFour(moves="4")
    >>> linear(game, (0.0, 1.0, 1.0))(game.initial())
    0.0
    """
    return lambda state: predict(weights, game.features(state))


def predict(weights: Weights, features: Sequence[float]) -> float:
    return math.tanh(sum(weight * feature for weight, feature in zip(weights, features, strict=True)))


def play_games(
    game: Game[Any, Any], weights: Weights, games: int, seed: int, *, depth: int = 2, randomness: float = 0.2
) -> list[Sample]:
    """Games of the evaluation against itself; now and then a move is random, so that no two are alike."""
    rng = random.Random(seed)
    order = shuffled(seed)
    samples: list[Sample] = []
    for _ in range(games):
        state = game.initial()
        seen: list[tuple[float, ...]] = []
        while not game.is_terminal(state):
            seen.append(game.features(state))
            if rng.random() < randomness:
                move = rng.choice(game.actions(state))
            else:
                move = alphabeta(Search(game, depth, order=order, evaluate=linear(game, weights), start=state)).move
            state = game.result(state, move)
        utility = game.utility(state)
        samples += [Sample(features, (utility > 0) - (utility < 0)) for features in seen]
    return samples


def fit(samples: Sequence[Sample], weights: Weights, *, rate: float = 0.02, passes: int = 40) -> Weights:
    """Weights after gradient descent on the mean squared error of all samples together.

    >>> fit([Sample((1.0,), 1.0), Sample((-1.0,), -1.0)], (0.0,), rate=0.5, passes=50)[0] > 1
    True
    """
    for _ in range(passes):
        slopes = [0.0] * len(weights)
        for sample in samples:
            guess = predict(weights, sample.features)
            miss = (sample.result - guess) * (1 - guess * guess)
            for index, feature in enumerate(sample.features):
                slopes[index] += miss * feature
        weights = tuple(weight + rate * slope / len(samples) for weight, slope in zip(weights, slopes, strict=True))
    return weights


def error(samples: Sequence[Sample], weights: Weights) -> float:
    """The root of the mean squared error: 1 for an evaluation that knows nothing, 0 for one that is always right."""
    total = sum((sample.result - predict(weights, sample.features)) ** 2 for sample in samples)
    return math.sqrt(total / len(samples))
