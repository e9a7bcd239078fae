"""Pac-Man against adversarial and random ghosts, planned by minimax and by expectimax."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.expectimax import expectimax
from cythera.lab.algorithms.minimax import minimax
from cythera.lab.algorithms.ordering import shuffled
from cythera.lab.experiments.report import Report
from cythera.lab.games.pacman import PacMan, Policy, World, play_out
from cythera.lab.search import Result, Search
from cythera.lab.texts import say

GAMES = 5
PACMAN_DEPTH = 4  # plies: two moves of each
GHOST_DEPTH = 3
CHASE_POINTS = 5  # what a step closer to Pac-Man is worth to an adversarial ghost
TRAP_CLOCK = 30

Planner = Callable[[Search[Any, Any]], Result[float, Any]]


def pacman(seed: int, size: int | None) -> Report:
    """Wins and mean scores over `size` games of each pair, on the grid `small`."""
    games = size or GAMES
    rows = []
    for planner_name, planner in (("minimax", alphabeta), ("expectimax", expectimax)):
        row = [planner_name]
        for make_ghost in (adversarial_ghost, random_ghost):
            ends = [one_game(planner, make_ghost, seed + number) for number in range(games)]
            wins = sum(PacMan().is_won(world) for world in ends)
            row += [say("x.of", part=wins, whole=games), f"{sum(world.score for world in ends) / games:.0f}"]
        rows.append(row)
    return Report(
        say("x.pacman.title", depth=PACMAN_DEPTH, games=games),
        [
            say("x.pacman.planner"),
            *(say("x.pacman.adversarial"), say("x.pacman.score")),
            *(say("x.pacman.random"), say("x.pacman.score") + " "),
        ],
        rows,
        [say("x.pacman.remark")],
    )


def one_game(planner: Planner, make_ghost: Callable[[int], Policy], seed: int) -> World:
    """One game; the seed breaks ties between equal moves, and moves the random ghost."""
    order = shuffled(seed)

    def plan(game: PacMan, world: World) -> str:
        move = planner(Search(game, PACMAN_DEPTH, order=order, evaluate=game.near_dots, start=world)).move
        assert isinstance(move, str)
        return move

    return play_out(PacMan(), plan, make_ghost(seed))


def random_ghost(seed: int) -> Policy:
    rng = random.Random(seed)
    return lambda game, world: rng.choice(game.actions(world))


def adversarial_ghost(seed: int) -> Policy:
    """Looks ahead for a low score, and closes in while there is none to be had."""
    order = shuffled(seed)

    def hunt(game: PacMan, world: World) -> str:
        def worth(world: World) -> float:
            return world.score + CHASE_POINTS * min(game.distance(world.pacman, ghost) for ghost in world.ghosts)

        move = alphabeta(Search(game, GHOST_DEPTH, order=order, evaluate=worth, start=world)).move
        assert move is not None
        return move

    return hunt


def trap(seed: int, size: int | None) -> Report:
    """The replanning trap: looking two moves ahead, with two evaluations. Nothing random in it."""
    game = PacMan("trap", clock=size or TRAP_CLOCK)
    rows = []
    for name, evaluate in (("score", game.evaluate), ("near", game.near_dots)):
        walk: list[str] = []

        def plan(game: PacMan, world: World, evaluate: Callable[[World], float] = evaluate) -> str:
            move = minimax(Search(game, 2, evaluate=evaluate, start=world)).move
            assert move is not None
            walk.append(move)  # noqa: B023
            return move

        end = play_out(game, plan, plan)
        outcome = say("x.trap.won" if game.is_won(end) else "x.trap.starved")
        rows.append([say(f"x.trap.{name}"), "".join(walk), outcome, str(end.score)])
    return Report(
        say("x.trap.title", grid=game.describe(game.initial()).split("\n")[1]),
        [say("x.trap.evaluation"), say("x.trap.walk"), say("x.trap.end"), say("x.trap.points")],
        rows,
        [say("x.trap.remark")],
    )
