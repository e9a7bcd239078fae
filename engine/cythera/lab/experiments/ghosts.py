"""Two ghosts that coordinate, and two that do not: the same look-ahead, alone or together."""

from __future__ import annotations

from cythera.common.plot import Series, line_plot
from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.ordering import shuffled
from cythera.lab.experiments.pacman import CHASE_POINTS, random_ghost
from cythera.lab.experiments.report import Report
from cythera.lab.games.pacman import PacMan, Policy, World, play_out
from cythera.lab.search import Search
from cythera.lab.texts import say

GAMES = 100
GRID = "duel"
PACMAN_DEPTH = 3  # plies: a move of each
GHOST_DEPTH = 3
ROOM_POINTS = 2  # what a square that Pac-Man can reach first is worth to him


def hunting(game: PacMan, world: World) -> float:
    """The score, how far the nearest ghost and, for less, all of them are, and the room Pac-Man has left."""
    ways = [game.distance(world.pacman, ghost) for ghost in world.ghosts]
    return world.score + CHASE_POINTS * min(ways) + sum(ways) + ROOM_POINTS * room(game, world)


def room(game: PacMan, world: World) -> int:
    """How many squares Pac-Man can reach before any ghost.

    >>> game = PacMan("#######|#P. .G#|#######")
    >>> room(game, game.initial())
    2
    """
    return sum(
        all(steps < game.distance(ghost, square) for ghost in world.ghosts)
        for square, steps in game.distances[world.pacman].items()
    )


def coordinated(seed: int) -> Policy:
    """Each ghost plans with the other: the search knows both, and both are MIN."""
    order = shuffled(seed)

    def hunt(game: PacMan, world: World) -> str:
        search = Search(game, GHOST_DEPTH, order=order, evaluate=lambda after: hunting(game, after), start=world)
        move = alphabeta(search).move
        assert move is not None
        return move

    return hunt


def alone(seed: int) -> Policy:
    """Each ghost plans as if there were no other."""
    order = shuffled(seed)

    def hunt(game: PacMan, world: World) -> str:
        mine = world.ghosts[world.turn - 1]
        single = world._replace(ghosts=(mine,), turn=1)
        search = Search(game, GHOST_DEPTH, order=order, evaluate=lambda after: hunting(game, after), start=single)
        move = alphabeta(search).move
        assert move is not None
        return move

    return hunt


def one_game(make_ghost: object, seed: int) -> World:
    """Pac-Man looks a round ahead and expects the worst; ties are broken by the seed."""
    assert callable(make_ghost)
    order = shuffled(seed + 1000)

    def plan(game: PacMan, world: World) -> str:
        move = alphabeta(Search(game, PACMAN_DEPTH, order=order, evaluate=game.near_dots, start=world)).move
        assert isinstance(move, str)
        return move

    return play_out(PacMan(GRID), plan, make_ghost(seed))


def ghosts(seed: int, size: int | None) -> Report:
    """How often and how soon Pac-Man is caught, and what he scores, over `size` games of each kind."""
    games = size or GAMES
    rows, curves = [], []
    for name, make_ghost in (("coordinated", coordinated), ("alone", alone), ("random", random_ghost)):
        ends = [one_game(make_ghost, seed + number) for number in range(games)]
        caught = sum(world.pacman in world.ghosts for world in ends)
        won = sum(PacMan(GRID).is_won(world) for world in ends)
        moves = [PacMan(GRID).initial().clock - world.clock for world in ends]
        score = sum(world.score for world in ends) / games
        label = say(f"x.ghosts.{name}")
        rows.append([label, f"{caught} / {games}", f"{won} / {games}", f"{score:.0f}", f"{sum(moves) / games:.0f}"])
        ends_at = [count for count, world in zip(moves, ends, strict=True) if world.pacman in world.ghosts]
        curves.append(
            Series(label, [(float(at), sum(end <= at for end in ends_at) / games) for at in range(0, 101, 5)])
        )
    heads = [say(f"x.ghosts.head_{name}") for name in ("ghosts", "caught", "won", "score", "moves")]
    plot = line_plot(say("x.ghosts.plot"), say("x.ghosts.x"), say("x.ghosts.y"), curves)
    return Report(say("x.ghosts.title", games=games), heads, rows, [say("x.ghosts.remark")], plot)
