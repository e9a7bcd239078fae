"""The games of the lab, by the names people type: `NAME` or `NAME:DETAILS`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.game import AnyGame
from cythera.lab.games import classroom
from cythera.lab.games.chess import HORIZON_FEN, START_FEN, Chess
from cythera.lab.games.connect4 import ConnectFour
from cythera.lab.games.pacman import GRIDS, PacMan
from cythera.lab.games.race import DiceRace
from cythera.lab.games.tictactoe import TicTacToe
from cythera.lab.games.tree_text import load_tree, parse_tree
from cythera.lab.games.trees import random_tree
from cythera.lab.games.trio import Trio


class Entry(NamedTuple):
    usage: str
    summary: str
    make: Callable[[str], AnyGame]


def numbers(name: str, text: str, defaults: tuple[int, ...]) -> list[int]:
    """The whole numbers in `text`, separated by commas or x, completed from the defaults."""
    try:
        found = [int(part) for part in text.replace("x", ",").split(",")] if text else []
    except ValueError as error:
        raise LabError(f"{name}:{text} should have whole numbers after the colon") from error
    if len(found) > len(defaults):
        raise LabError(f"{name}:{text} has too many numbers; {len(defaults)} will do")
    return [*found, *defaults[len(found) :]]


def connect4(text: str) -> AnyGame:
    size, _, moves = text.partition(",") if "x" in text else ("", "", text)
    width, height = numbers("connect4", size, (7, 6))
    return ConnectFour(width, height, moves)


def race(text: str) -> AnyGame:
    length, runners = numbers("race", text.removesuffix("safe").rstrip(","), (6, 2))
    return DiceRace(length, runners, hits=not text.endswith("safe"))


def pacman(text: str) -> AnyGame:
    if text and text not in GRIDS and "|" not in text:
        raise LabError(
            f"there is no Pac-Man grid {text!r}; choose from {', '.join(GRIDS)}, or write one, rows apart by |"
        )
    return PacMan(text or "small")


def horizon(text: str) -> AnyGame:
    game = Chess(text or HORIZON_FEN)
    game.default_depth = 3
    return game


def classroom_tree(name: str) -> Callable[[str], AnyGame]:
    def make(text: str) -> AnyGame:
        if text:
            raise LabError(f"{name} takes nothing after the colon")
        return parse_tree(classroom.TREES[name], name)

    return make


GAMES: dict[str, Entry] = {
    "tictactoe": Entry("tictactoe[:X.O/.X./...]", "three in a line", lambda text: TicTacToe(text or ".........")),
    "connect4": Entry("connect4[:7x6,MOVES]", "four in a line on a board of any size", connect4),
    "chess": Entry("chess[:FEN]", "chess, by the compiled board", lambda text: Chess(text or START_FEN)),
    "horizon": Entry("horizon", "chess where a search of three plies is fooled", horizon),
    "race": Entry("race[:LENGTH,RUNNERS][safe]", "a dice race with hits: backgammon cut down", race),
    "trio": Entry(
        "trio[:STONES]", "a heap of stones for three players", lambda text: Trio(*numbers("trio", text, (7,)))
    ),
    "pacman": Entry("pacman[:GRID]", f"Pac-Man on a small grid: {', '.join(GRIDS)}", pacman),
    "tree": Entry("tree:FILE", "a tree from a text file", load_tree),
    "random": Entry(
        "random[:BRANCHING,DEPTH,SEED]",
        "a random tree",
        lambda text: random_tree(*numbers("random", text, (3, 4, 1)), values=100),
    ),
    **{name: Entry(name, summary, classroom_tree(name)) for name, summary in classroom.SUMMARIES.items()},
}


def make_game(spec: str) -> AnyGame:
    """The game a person asks for.

    >>> make_game("connect4:5x4").name
    'Connect Four 5x4'
    >>> make_game("checkers")
    Traceback (most recent call last):
    cythera.lab.errors.LabError: there is no game 'checkers'; `cythera lab list` shows them all
    """
    name, _, details = spec.partition(":")
    if name not in GAMES:
        raise LabError(f"there is no game {name!r}; `cythera lab list` shows them all")
    return GAMES[name].make(details)
