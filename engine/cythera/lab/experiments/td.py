"""Learning curves of TD(λ): backgammon cut down and Othello, learned by self-play from nothing.

What was learned at Othello then takes the place of random playouts in Monte Carlo tree search, as in programs for Go.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from cythera.common.plot import Series, line_plot
from cythera.lab.algorithms.mcts import Uct
from cythera.lab.algorithms.td import Linear, Model, Network, match, result_of, self_play
from cythera.lab.experiments.montecarlo import WonOthello
from cythera.lab.experiments.report import Report
from cythera.lab.game import MAX, AnyGame
from cythera.lab.games.backgammon import Backgammon
from cythera.lab.games.othello import Board, Othello
from cythera.lab.search import Search
from cythera.lab.texts import say

LESSONS = (50, 100, 150, 300)  # games between examinations
EXAM_GAMES = 200
RATE = 0.01
DECAYS = (0.0, 0.7, 1.0)


def td(seed: int, size: int | None) -> Report:
    """The share of games won against random play, after more and more games, for several λ. `size` games an exam."""
    exam = size or EXAM_GAMES
    game = Backgammon()
    count = len(game.features(game.initial()))
    pupils: list[tuple[str, Model, float]] = [
        (f"{say('x.td.linear')}, λ = {decay:g}", Linear([0.0] * count), decay) for decay in DECAYS
    ]
    pupils.append((f"{say('x.td.network')}, λ = 0.7", Network(count, hidden=6, seed=seed), 0.7))
    series, rows = [], []
    for name, model, decay in pupils:
        points, played = [(0.0, examine(game, model, exam, seed))], 0
        for number, lesson in enumerate(LESSONS):
            self_play(game, model, lesson, seed=seed + number, decay=decay, rate=RATE, exploring=0.0)
            played += lesson
            points.append((float(played), examine(game, model, exam, seed)))
        series.append(Series(name, points))
        rows.append([name, *(f"{share:.0%}" for _, share in points)])
    totals = [0, *(sum(LESSONS[: i + 1]) for i in range(len(LESSONS)))]
    learned = pupils[1][1]
    versus = match(game, lambda state: learned.value(game.features(state)), game.evaluate, 2 * exam, seed)
    features = ", ".join(f"{weight:+.2f}" for weight in learned.weights)
    return Report(
        say("x.td.title", game=game.name, exam=exam),
        [say("x.td.learner"), *(say("x.td.after", games=total) for total in totals)],
        rows,
        [
            say("x.td.remark"),
            say("x.td.race", won=versus[0], games=sum(versus)),
            say("x.td.weights", weights=features),
        ],
        line_plot(say("x.td.plot"), say("x.td.x"), say("x.td.y"), series),
    )


def examine(game: AnyGame, model: Model, games: int, seed: int) -> float:
    """The share of games won against one who plays at random."""
    wins, draws, losses = match(
        game, lambda state: model.value(game.features(state)), lambda state: 0.0, games, seed
    )  # fmt: skip
    return (wins + draws / 2) / (wins + draws + losses)


OTHELLO_GAMES = (40, 80, 160)
SCALES = (0.05, 0.5, 0.1, 0.2)  # that bring the features of Othello to the size of 1
PLAYOUTS = 50  # per move of MCTS
RANDOM_PLIES = 4

Chooser = Callable[[Board], int]


class ScaledOthello(WonOthello):
    """Othello for learning: features of about the size of 1, and a game is worth 1, 0 or −1."""

    def features(self, state: Board) -> tuple[float, ...]:
        return tuple(scale * feature for scale, feature in zip(SCALES, super().features(state), strict=True))


def othello(seed: int, size: int | None) -> Report:
    """An Othello evaluation learned from its own games on 6×6, against the count of discs and random play."""
    exam = size or EXAM_GAMES
    game = ScaledOthello(6)
    model = Linear([0.0] * len(SCALES))
    names = [say(f"x.othello.{name}") for name in ("discs", "corners", "moves", "beside")]
    rows, points, played = [], [], 0

    def learned(state: Board) -> float:
        return model.value(game.features(state))

    def discs(state: Board) -> float:
        return Othello.features(game, state)[0]

    def enter() -> None:
        shares = []
        for opponent in (lambda state: 0.0, discs):
            wins, draws, losses = match(game, learned, opponent, exam, seed, random_plies=4)
            shares.append((wins + draws / 2) / (wins + draws + losses))
        points.append((float(played), *shares))
        weights = [f"{weight:+.2f}" for weight in model.weights]
        rows.append([str(played), *weights, *(f"{share:.0%}" for share in shares)])

    enter()
    for number, lesson in enumerate(OTHELLO_GAMES):
        self_play(game, model, lesson, seed=seed + number, decay=0.7, rate=0.05, exploring=0.15)
        played += lesson
        enter()
    versus = max(exam // 4, 1)
    by_learned = by_mcts(game, seed, learned)
    points_of = [
        mcts_points(by_learned, other, versus, seed)
        for other in (by_mcts(WonOthello(6), seed), by_mcts(WonOthello(6), seed, WonOthello(6).evaluate))
    ]
    series = [
        Series(say("x.othello.random"), [(games, share) for games, share, _ in points]),
        Series(say("x.othello.against_discs"), [(games, share) for games, _, share in points]),
    ]
    return Report(
        say("x.othello.title", exam=exam),
        [say("x.othello.games"), *names, say("x.othello.random"), say("x.othello.against_discs")],
        rows,
        [
            say("x.othello.remark"),
            say(
                "x.othello.mcts", playouts=PLAYOUTS, games=versus, random=f"{points_of[0]:g}", hand=f"{points_of[1]:g}"
            ),
        ],
        line_plot(say("x.othello.plot"), say("x.td.x"), say("x.td.y"), series),
    )


def by_mcts(game: Othello, seed: int, evaluate: Callable[[Board], float] | None = None) -> Chooser:
    """The move of Monte Carlo tree search, with an evaluation in the place of random playouts if there is one."""

    def choose(state: Board) -> int:
        uct = Uct(Search(game, evaluate=evaluate, start=state), seed=seed, playing_out=evaluate is None)
        for _ in range(PLAYOUTS):
            uct.playout()
        move = uct.result().move
        assert move is not None
        return move

    return choose


def mcts_points(one: Chooser, other: Chooser, games: int, seed: int) -> float:
    """The points of one player against another, by turns as Black and as White, after a few random plies."""
    rng = random.Random(seed)
    game, points = Othello(6), 0.0
    for number in range(games):
        state, plies, is_black = game.initial(), 0, number % 2 == 0
        while not game.is_terminal(state):
            actions = game.actions(state)
            if plies < RANDOM_PLIES or len(actions) == 1:
                move = rng.choice(actions)
            else:
                move = (one if (state.turn == MAX) == is_black else other)(state)
            state, plies = game.result(state, move), plies + 1
        result = result_of(game, state)
        points += (1 + (result if is_black else -result)) / 2
    return points
