"""Monte Carlo tree search against alpha-beta with the same time for each move, on Othello and Connect Four."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from cythera.common.plot import Series, line_plot
from cythera.lab.algorithms.mcts import Uct
from cythera.lab.algorithms.ordering import urgent_first
from cythera.lab.algorithms.table import Table, alphabeta_table
from cythera.lab.experiments.report import Report
from cythera.lab.game import MAX, AnyGame
from cythera.lab.games.connect4 import ConnectFour
from cythera.lab.games.othello import Othello
from cythera.lab.search import Search
from cythera.lab.texts import say

TIMES_MS = (20, 60, 180)
GAMES = 8
RANDOM_PLIES = 4  # so that no two games are alike

Player = Callable[[AnyGame, Any, float], Any]


def by_playouts(playing_out: bool, seed: int) -> Player:
    def choose(game: AnyGame, state: Any, seconds: float) -> Any:
        uct = Uct(Search(game, start=state), seed=seed, playing_out=playing_out)
        end = time.thread_time() + seconds
        while time.thread_time() < end or uct.root.visits < 2 * len(game.actions(state)):
            uct.playout()
        return uct.result().move

    return choose


def by_alphabeta(game: AnyGame, state: Any, seconds: float) -> Any:
    """Iterative deepening; a further depth is begun while a third of the time is left for it."""
    end = time.thread_time() + seconds
    table, depth, move = Table(), 1, None
    while move is None or (time.thread_time() < end - 2 / 3 * seconds and depth <= 40):
        step = Search(game, depth, order=urgent_first, start=state)
        move = alphabeta_table(step, table).move
        if not step.has_estimated:
            break
        depth += 1
    return move


def play(game: AnyGame, one: Player, other: Player, one_is_max: bool, seconds: float, rng: random.Random) -> float:
    """The points of one: 1, ½ or 0."""
    state, plies = game.initial(), 0
    while not game.is_terminal(state):
        if plies < RANDOM_PLIES:
            move = rng.choice(game.actions(state))
        elif len(game.actions(state)) == 1:
            move = game.actions(state)[0]
        else:
            player = one if (game.player(state) == MAX) == one_is_max else other
            move = player(game, state, seconds)
        state, plies = game.result(state, move), plies + 1
    utility = game.utility(state) if one_is_max else -game.utility(state)
    return (1 + (utility > 0) - (utility < 0)) / 2


def montecarlo(seed: int, size: int | None) -> Report:
    """Points of MCTS against alpha-beta for each time per move, over `size` games of each pairing."""
    count = size or GAMES
    rows, lines = [], {}
    for game in (ConnectFour(), Othello(6)):
        for playing_out in (True, False):
            name = say("x.montecarlo.playouts" if playing_out else "x.montecarlo.evaluation")
            points = []
            for time_ms in TIMES_MS:
                rng = random.Random(f"{seed} {game.name} {time_ms}")
                player = by_playouts(playing_out, seed)
                total = sum(
                    play(game, player, by_alphabeta, number % 2 == 0, time_ms / 1000, rng) for number in range(count)
                )
                points.append(total)
            rows.append([game.name, name, *(f"{total:g} / {count}" for total in points)])
            lines[f"{game.name}, {name}"] = [(ms, total / count) for ms, total in zip(TIMES_MS, points, strict=True)]
    heads = [say("x.montecarlo.game"), say("x.montecarlo.search"), *(f"{ms} ms" for ms in TIMES_MS)]
    plot = line_plot(
        say("x.montecarlo.plot"),
        say("x.montecarlo.x"),
        say("x.montecarlo.y"),
        [Series(name, points) for name, points in lines.items()],
    )
    return Report(say("x.montecarlo.title", games=count), heads, rows, [say("x.montecarlo.remark")], plot)
