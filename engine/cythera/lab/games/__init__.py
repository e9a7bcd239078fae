"""The games of the lab, by the names people type: `NAME` or `NAME:DETAILS`."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cythera.core import START_FEN
from cythera.lab.errors import LabError
from cythera.lab.game import AnyGame
from cythera.lab.games import classroom
from cythera.lab.games.backgammon import Backgammon
from cythera.lab.games.checkers import Checkers
from cythera.lab.games.chess import HORIZON_FEN, Chess
from cythera.lab.games.connect4 import ConnectFour
from cythera.lab.games.ending import Ending
from cythera.lab.games.mnk import InALine
from cythera.lab.games.othello import Othello
from cythera.lab.games.pacman import GRIDS, PacMan
from cythera.lab.games.race import DiceRace
from cythera.lab.games.tictactoe import TicTacToe
from cythera.lab.games.tree_text import load_tree, parse_tree
from cythera.lab.games.trees import coin_tree, random_tree
from cythera.lab.games.trio import Trio
from cythera.lab.texts import say


class Entry(NamedTuple):
    name: str
    usage: str
    make: Callable[[str], AnyGame]

    @property
    def summary(self) -> str:
        return say(f"game.{self.name}", grids=", ".join(GRIDS))


def numbers(name: str, text: str, defaults: tuple[int, ...]) -> list[int]:
    """The whole numbers in `text`, separated by commas or x, completed from the defaults."""
    try:
        found = [int(part) for part in text.replace("x", ",").split(",")] if text else []
    except ValueError as error:
        raise LabError(say("error.numbers", name=name, text=text)) from error
    if len(found) > len(defaults):
        raise LabError(say("error.too_many_numbers", name=name, text=text, most=len(defaults)))
    return [*found, *defaults[len(found) :]]


def connect4(text: str) -> AnyGame:
    size, _, moves = text.partition(",") if "x" in text else ("", "", text)
    width, height = numbers("connect4", size, (7, 6))
    return ConnectFour(width, height, moves)


def side_of(name: str, text: str, default: int) -> int:
    """The side of a square board, written as 6 or 6x6.

    >>> side_of("othello", "6x6", 8), side_of("othello", "", 8)
    (6, 8)
    """
    sides = numbers(name, text, (default, 0))
    if sides[1] not in (0, sides[0]):
        raise LabError(say("error.square", name=name, text=text))
    return sides[0]


def othello(text: str) -> AnyGame:
    size, _, moves = text.partition(",")
    return Othello(side_of("othello", size, 8), moves)


def mnk(text: str) -> AnyGame:
    size, _, moves = text.partition(" ")
    columns, rows, in_line = numbers("mnk", size, (5, 5, 4))
    return InALine(columns, rows, in_line, moves)


def checkers(text: str) -> AnyGame:
    if "/" in text:
        return Checkers(text.count("/") + 1, text)
    return Checkers(side_of("checkers", text, 6))


def ending(text: str) -> AnyGame:
    name, _, board = text.partition(",")
    return Ending(name or "KRvK", board.strip())


def race(text: str) -> AnyGame:
    length, runners = numbers("race", text.removesuffix("safe").rstrip(","), (6, 2))
    return DiceRace(length, runners, hits=not text.endswith("safe"))


def pacman(text: str) -> AnyGame:
    if text and text not in GRIDS and "|" not in text:
        raise LabError(say("error.pacman_name", name=text, names=", ".join(GRIDS)))
    return PacMan(text or "small")


def horizon(text: str) -> AnyGame:
    game = Chess(text or HORIZON_FEN)
    game.default_depth = 3
    return game


def classroom_tree(name: str) -> Callable[[str], AnyGame]:
    def make(text: str) -> AnyGame:
        if text:
            raise LabError(say("error.nothing_after_colon", name=name))
        return parse_tree(classroom.TREES[name], name)

    return make


GAMES: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("tictactoe", "tictactoe[:X.O/.X./...]", lambda text: TicTacToe(text or ".........")),
        Entry("connect4", "connect4[:7x6,MOVES]", connect4),
        Entry("othello", "othello[:8,MOVES]", othello),
        Entry("mnk", "mnk[:5,5,4 MOVES]", mnk),
        Entry("checkers", "checkers[:6 or BOARD]", checkers),
        Entry("chess", "chess[:FEN]", lambda text: Chess(text or START_FEN)),
        Entry("horizon", "horizon", horizon),
        Entry("ending", "ending[:KRvK,FEN]", ending),
        Entry("race", "race[:LENGTH,RUNNERS][safe]", race),
        Entry(
            "backgammon",
            "backgammon[:POINTS,CHECKERS,SIDES]",
            lambda text: Backgammon(*numbers("backgammon", text, (12, 5, 4))),
        ),
        Entry("trio", "trio[:STONES]", lambda text: Trio(*numbers("trio", text, (7,)))),
        Entry("pacman", "pacman[:GRID]", pacman),
        Entry("coin", "coin[:DEPTH,SEED]", lambda text: coin_tree(*numbers("coin", text, (4, 1)))),
        Entry("tree", "tree:FILE", load_tree),
        Entry(
            "random",
            "random[:BRANCHING,DEPTH,SEED]",
            lambda text: random_tree(*numbers("random", text, (3, 4, 1)), values=100),
        ),
        *(Entry(name, name, classroom_tree(name)) for name in classroom.TREES),
    )
}


def make_game(spec: str) -> AnyGame:
    """The game a person asks for.

    >>> make_game("connect4:5x4").name
    'Connect Four 5x4'
    >>> make_game("poker")
    Traceback (most recent call last):
    cythera.lab.errors.LabError: unknown game 'poker'; `cythera lab list` shows them all
    """
    name, _, details = spec.partition(":")
    if name not in GAMES:
        raise LabError(say("error.game", name=name))
    return GAMES[name].make(details)
