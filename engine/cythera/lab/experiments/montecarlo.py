"""Monte Carlo tree search against alpha-beta with the same time for each move, on Othello and Connect Four.

Both play for the win. Alpha-beta may look at values of any size, since only their order counts; MCTS takes means, so
its games are worth 1, 0 or −1, and evaluations lie between.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cythera.common.plot import Series, line_plot
from cythera.lab.algorithms.mcts import Uct
from cythera.lab.algorithms.ordering import urgent_first
from cythera.lab.algorithms.table import Table, alphabeta_table
from cythera.lab.experiments.report import Report
from cythera.lab.game import MAX, AnyGame
from cythera.lab.games.connect4 import ConnectFour, Discs
from cythera.lab.games.othello import Board, Othello
from cythera.lab.search import Search
from cythera.lab.texts import say

TIMES_MS = (20, 60, 180)
GAMES = 20
RANDOM_PLIES = 4  # so that no two games are alike

Player = Callable[[AnyGame, Any, float], Any]


class WonConnectFour(ConnectFour):
    """Connect Four without the difference between quick and slow wins. Its evaluation lies between −1 and 1 already.

    >>> game = WonConnectFour(moves="4142434")
    >>> game.utility(game.initial())
    1.0
    """

    def utility(self, state: Discs) -> float:
        return sign_of(super().utility(state))


class WonOthello(Othello):
    """Othello without the difference between large and small wins."""

    def utility(self, state: Board) -> float:
        return sign_of(super().utility(state))

    def evaluate(self, state: Board) -> float:
        return super().evaluate(state) / self.squares


def sign_of(value: float) -> float:
    return float((value > 0) - (value < 0))


class TimeUpError(Exception):
    """Ends a search whose time is over."""


def by_playouts(won: AnyGame, playing_out: bool, seed: int) -> Player:
    """MCTS that counts results of a game as `won` does."""

    def choose(game: AnyGame, state: Any, seconds: float) -> Any:
        uct = Uct(Search(won, start=state), seed=seed, playing_out=playing_out)
        end = time.thread_time() + seconds
        while time.thread_time() < end or uct.root.visits < 2 * len(game.actions(state)):
            uct.playout()
        return uct.result().move

    return choose


def by_alphabeta(game: AnyGame, state: Any, seconds: float) -> Any:
    """Iterative deepening until the time is up; the move is that of the last depth that was finished."""
    end = time.thread_time() + seconds
    table, depth, move = Table(), 1, None

    def evaluate(state: Any) -> float:
        if depth > 1 and time.thread_time() >= end:
            raise TimeUpError
        return game.evaluate(state)

    try:
        while True:
            step = Search(game, depth, order=urgent_first, evaluate=evaluate, start=state)
            move = alphabeta_table(step, table).move
            if not step.has_estimated or time.thread_time() >= end:
                return move
            depth += 1
    except TimeUpError:
        return move


@dataclass
class Used:
    """The time that a player took, as a multiple of the time he was given."""

    moves: int = 0
    shares: float = 0.0

    def add(self, share: float) -> None:
        self.moves, self.shares = self.moves + 1, self.shares + share

    def mean(self) -> float:
        return self.shares / max(self.moves, 1)


def play(
    game: AnyGame,
    players: tuple[Player, Player],
    one_is_max: bool,
    seconds: float,
    rng: random.Random,
    used: tuple[Used, Used],
) -> float:
    """The points of the first of two players: 1, ½ or 0."""
    state, plies = game.initial(), 0
    while not game.is_terminal(state):
        if plies < RANDOM_PLIES:
            move = rng.choice(game.actions(state))
        elif len(game.actions(state)) == 1:
            move = game.actions(state)[0]
        else:
            number = int((game.player(state) == MAX) != one_is_max)
            started = time.thread_time()
            move = players[number](game, state, seconds)
            used[number].add((time.thread_time() - started) / seconds)
        state, plies = game.result(state, move), plies + 1
    utility = game.utility(state) if one_is_max else -game.utility(state)
    return (1 + (utility > 0) - (utility < 0)) / 2


def montecarlo(seed: int, size: int | None) -> Report:
    """Points of MCTS against alpha-beta for each time per move, over `size` games of each pairing."""
    count = size or GAMES
    rows, lines = [], {}
    used = Used(), Used()
    pairs: tuple[tuple[AnyGame, AnyGame], ...] = (ConnectFour(), WonConnectFour()), (Othello(6), WonOthello(6))
    for game, won in pairs:
        for playing_out in (True, False):
            name = say("x.montecarlo.playouts" if playing_out else "x.montecarlo.evaluation")
            points = []
            for time_ms in TIMES_MS:
                rng = random.Random(f"{seed} {game.name} {time_ms}")
                players = by_playouts(won, playing_out, seed), by_alphabeta
                total = sum(play(game, players, number % 2 == 0, time_ms / 1000, rng, used) for number in range(count))
                points.append(total)
            rows.append([game.name, name, *(f"{total:g} / {count}" for total in points)])
            lines[f"{game.name}, {name}"] = [(ms, total / count) for ms, total in zip(TIMES_MS, points, strict=True)]
    heads = [say("x.montecarlo.game"), say("x.montecarlo.search"), *(f"{ms} ms" for ms in TIMES_MS)]
    plot = line_plot(
        say("x.montecarlo.plot"),
        say("x.montecarlo.x"),
        say("x.montecarlo.y"),
        [Series(name, points) for name, points in lines.items()],
        log_x=True,
    )
    remark = say("x.montecarlo.remark", mcts=f"{used[0].mean():.2f}", alphabeta=f"{used[1].mean():.2f}")
    return Report(say("x.montecarlo.title", games=count), heads, rows, [remark], plot)
