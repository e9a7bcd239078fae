"""Temporal differences: learn an evaluation from the changes of one's own mind.

An evaluation V(s) between −1 and 1 foretells the result of the game to MAX. Playing against itself, it
chooses the move after which V is best. When the game is over it goes through its positions in order, and at
each takes what it thought one move later as a better guess of what it should have thought:

    δ = V(s′) − V(s)            (at the end of the game, δ = result − V(s))
    e = λ·e + ∇V(s)             the trace: how much each weight had a part in the recent past
    w = w + rate · δ · e

TD(λ): with λ = 0 a δ moves only the state before it, with λ = 1 every state learns from the final result. This
is how TD-Gammon came to play backgammon (G. Tesauro, 1992). All values are MAX's: a move of MIN's is the one after
which V is least, and one V learns from the moves of both. V is either a linear function of the game's
features or a small network with one hidden layer, both squeezed by tanh.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from cythera.lab.game import CHANCE, MAX, AnyGame

Vector = list[float]


class Model(Protocol):
    """An evaluation with weights that can be moved."""

    weights: Vector

    def value(self, features: Sequence[float]) -> float: ...
    def gradient(self, features: Sequence[float]) -> tuple[float, Vector]: ...


class Linear:
    """tanh(w · f): one weight for each feature.

    >>> Linear([0.5, -0.5]).value([1.0, 1.0])
    0.0
    """

    def __init__(self, weights: Sequence[float]) -> None:
        self.weights = list(weights)

    def value(self, features: Sequence[float]) -> float:
        return math.tanh(sum(w * f for w, f in zip(self.weights, features, strict=True)))

    def gradient(self, features: Sequence[float]) -> tuple[float, Vector]:
        """V and how it changes with each weight."""
        value = self.value(features)
        slope = 1 - value * value
        return value, [slope * feature for feature in features]


class Network:
    """tanh(u · tanh(W f + b)): one hidden layer, in one flat list of weights.

    The weights of hidden unit i are i·(n + 1) … for n features and a bias; then one output weight for each.

    >>> network = Network(features=2, hidden=3, seed=1)
    >>> len(network.weights), -1 < network.value([1.0, 0.5]) < 1
    (12, True)
    """

    def __init__(self, features: int, hidden: int = 8, seed: int = 1) -> None:
        rng = random.Random(seed)
        self.features, self.hidden = features, hidden
        count = hidden * (features + 1) + hidden
        self.weights = [rng.uniform(-0.2, 0.2) for _ in range(count)]

    def layers(self, features: Sequence[float]) -> tuple[float, Vector]:
        width = self.features + 1
        units = []
        for unit in range(self.hidden):
            row = self.weights[unit * width : (unit + 1) * width]
            units.append(math.tanh(row[-1] + sum(w * f for w, f in zip(row, features, strict=False))))
        out = self.weights[self.hidden * width :]
        return math.tanh(sum(w * unit for w, unit in zip(out, units, strict=True))), units

    def value(self, features: Sequence[float]) -> float:
        return self.layers(features)[0]

    def gradient(self, features: Sequence[float]) -> tuple[float, Vector]:
        """V and how it changes with each weight, by backpropagation."""
        value, units = self.layers(features)
        slope = 1 - value * value
        out = self.weights[self.hidden * (self.features + 1) :]
        slopes: Vector = []
        for weight, unit in zip(out, units, strict=True):
            below = slope * weight * (1 - unit * unit)
            slopes += [below * feature for feature in features]
            slopes.append(below)
        return value, slopes + [slope * unit for unit in units]


def learn_from_game(
    model: Model, seen: Sequence[Sequence[float]], result: float, *, rate: float = 0.05, decay: float = 0.7
) -> float:
    """Moves the weights by one game: the features of its states in order, and how it ended for MAX.

    Returns the mean size of δ. `decay` is λ.

    >>> model = Linear([0.0])
    >>> for _ in range(50):
    ...     surprise = learn_from_game(model, [[1.0], [1.0]], 1.0, rate=0.2)
    >>> model.value([1.0]) > 0.9
    True
    """
    trace = [0.0] * len(model.weights)
    surprise = 0.0
    for index, features in enumerate(seen):
        value, slopes = model.gradient(features)
        following = model.value(seen[index + 1]) if index + 1 < len(seen) else result
        change = following - value
        surprise += abs(change)
        for place, slope in enumerate(slopes):
            trace[place] = decay * trace[place] + slope
            model.weights[place] += rate * change * trace[place]
    return surprise / len(seen) if seen else 0.0


def result_of(game: AnyGame, state: Any) -> float:
    """+1, 0 or −1 for MAX."""
    utility = game.utility(state)
    return float((utility > 0) - (utility < 0))


def best_move(game: AnyGame, state: Any, evaluate: Callable[[Any], float], rng: random.Random) -> Any:
    """The move after which the evaluation is best for the mover; a random one of equals."""
    us = 1 if game.player(state) == MAX else -1

    def worth(action: Any) -> float:
        after = game.result(state, action)
        return us * (result_of(game, after) if game.is_terminal(after) else evaluate(after))

    moves = list(game.actions(state))
    worths = [worth(move) for move in moves]
    greatest = max(worths)
    return rng.choice([move for move, value in zip(moves, worths, strict=True) if value == greatest])


def roll(game: AnyGame, state: Any, rng: random.Random) -> Any:
    """The state after the dice have fallen, if it is their turn."""
    if game.player(state) != CHANCE:
        return state
    outcome = rng.choices(list(game.actions(state)), weights=list(game.odds(state)))[0]
    return game.result(state, outcome)


def self_play(
    game: AnyGame,
    model: Model,
    games: int,
    seed: int = 1,
    *,
    rate: float = 0.05,
    decay: float = 0.7,
    exploring: float = 0.1,
    most_plies: int = 400,
) -> list[float]:
    """Games of the model against itself; it learns after each. Returns the mean surprise of every game.

    `exploring` is the share of random moves, without which a game without dice is always the same one.
    """
    rng = random.Random(seed)
    surprises = []
    for _ in range(games):
        state = game.initial()
        seen: list[Sequence[float]] = []
        for _ in range(most_plies):
            if game.is_terminal(state):
                break
            state = roll(game, state, rng)
            if rng.random() < exploring:
                move = rng.choice(game.actions(state))
            else:
                move = best_move(game, state, lambda after: model.value(game.features(after)), rng)
            state = game.result(state, move)
            if not game.is_terminal(state):
                seen.append(game.features(state))
        result = result_of(game, state) if game.is_terminal(state) else 0.0
        surprises.append(learn_from_game(model, seen, result, rate=rate, decay=decay))
    return surprises


def match(
    game: AnyGame, one: Callable[[Any], float], other: Callable[[Any], float], games: int, seed: int = 1,
    *, random_plies: int = 0, most_plies: int = 400,
) -> tuple[int, int, int]:  # fmt: skip
    """Wins, draws and losses of one evaluation against another, by turns as MAX and as MIN, one ply ahead."""
    rng = random.Random(seed)
    counts = [0, 0, 0]
    for number in range(games):
        state, plies = game.initial(), 0
        while not game.is_terminal(state) and plies < most_plies:
            state = roll(game, state, rng)
            is_one = (game.player(state) == MAX) == (number % 2 == 0)
            if plies < random_plies:
                move = rng.choice(game.actions(state))
            else:
                move = best_move(game, state, one if is_one else other, rng)
            state = game.result(state, move)
            plies += 1
        result = result_of(game, state) if game.is_terminal(state) else 0.0
        result = result if number % 2 == 0 else -result
        counts[1 - int(result)] += 1
    return counts[0], counts[1], counts[2]
