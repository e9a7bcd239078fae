"""A Connect Four evaluation learns its weights from its own games."""

from __future__ import annotations

from itertools import product

from cythera.common.plot import Series, line_plot
from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.learning import Sample, Weights, error, fit, linear, play_games
from cythera.lab.experiments.report import Report
from cythera.lab.game import MAX
from cythera.lab.games.connect4 import ConnectFour
from cythera.lab.search import Search
from cythera.lab.texts import say

ROUNDS = 8
GAMES_PER_ROUND = 60
RANDOMNESS = 0.35
START: Weights = (0.01, 0.01, 0.01)
BY_HAND: Weights = ConnectFour().weights
FEATURES = ("one", "two", "three")  # discs in a line of four
MATCH_DEPTH = 2


def learning(seed: int, size: int | None) -> Report:
    """The weights after each of `size` rounds, and two matches with the last ones."""
    rounds = size or ROUNDS
    game, weights = ConnectFour(), START
    samples: list[Sample] = []
    history = [weights]
    rows = [[say("x.learning.start"), *(f"{weight:.3f}" for weight in weights), ""]]
    for number in range(1, rounds + 1):
        fresh = play_games(game, weights, GAMES_PER_ROUND, 1000 * seed + number, randomness=RANDOMNESS)
        miss = error(fresh, weights)
        samples += fresh
        weights = fit(samples, weights, passes=20)
        history.append(weights)
        rows.append([str(number), *(f"{weight:.3f}" for weight in weights), f"{miss:.3f}"])
    series = [
        Series(say(f"x.learning.{name}"), [(number, weights[index]) for number, weights in enumerate(history)])
        for index, name in enumerate(FEATURES)
    ]
    ratio = " : ".join(f"{weight / weights[0]:.0f}" for weight in weights)
    return Report(
        say("x.learning.title", games=rounds * GAMES_PER_ROUND),
        [say("x.learning.round"), *(say(f"x.learning.{name}") for name in FEATURES), say("x.learning.error")],
        rows,
        [
            say("x.learning.ratio", ratio=ratio),
            say(
                "x.learning.match",
                depth=MATCH_DEPTH,
                start=match_words(weights, START),
                hand=match_words(weights, BY_HAND),
            ),
        ],
        line_plot(say("x.learning.plot"), say("x.learning.round"), say("x.learning.weight"), series),
    )


def match_words(one: Weights, other: Weights) -> str:
    wins, draws, losses = match(one, other)
    return say("x.learning.score", wins=wins, draws=draws, losses=losses)


def match(one: Weights, other: Weights) -> tuple[int, int, int]:
    """Wins, draws and losses of one evaluation against another."""
    results = [0, 0, 0]
    for first, second, one_is_x in product(range(1, 8), range(1, 8), (True, False)):
        game = ConnectFour(moves=f"{first}{second}")
        state = game.initial()
        while not game.is_terminal(state):
            weights = one if (game.player(state) == MAX) == one_is_x else other
            move = alphabeta(Search(game, MATCH_DEPTH, evaluate=linear(game, weights), start=state)).move
            assert move is not None
            state = game.result(state, move)
        utility = game.utility(state) if one_is_x else -game.utility(state)
        results[(utility < 0) + (utility <= 0)] += 1
    return results[0], results[1], results[2]
