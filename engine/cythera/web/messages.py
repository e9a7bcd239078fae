"""What a page may ask for. Text comes in, a checked request comes out, or a sentence says why not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from cythera.board.position import Position
from cythera.engine.limits import Limit
from cythera.engine.options import MAX_ELO, MIN_ELO
from cythera.errors import CytheraError

MOST_MOVES = 2000  # of a game
MOST_TEXT = 200  # characters of a FEN or of a lab game
MOST_LINES = 10
MOST_NODES = 100_000_000  # for each position of a game
LARGEST_ID = 2**53  # that a page can count to
LARGEST_SEED = 2**31
LONGEST_S = 24 * 3600.0


class MessageError(CytheraError, ValueError):
    """A message that asks for nothing the server can do."""


@dataclass(frozen=True)
class Machine:
    """What may be asked of this machine."""

    threads: int
    hash_mib: int


@dataclass(frozen=True)
class Analyse:
    """Lines of a position, until stopped or for `time_s`; a `hint` has an engine of its own."""

    id: int
    position: Position
    lines: int
    threads: int
    hash_mib: int
    time_s: float | None
    is_hint: bool = False


@dataclass(frozen=True)
class Play:
    """A move, at a level; `elo` None is full strength. White and Black have an engine each."""

    id: int
    position: Position
    elo: int | None
    seed: int
    limit: Limit


@dataclass(frozen=True)
class Graph:
    """The score of every position of a game, the start included."""

    id: int
    position: Position
    nodes: int


@dataclass(frozen=True)
class Draw:
    """The tree that a search of the lab walks."""

    id: int
    algorithm: str
    game: str
    depth: int | None
    order: str


@dataclass(frozen=True)
class LabList:
    """What the lab has to offer."""

    id: int


@dataclass(frozen=True)
class Stop:
    """The end of everything of a kind: analyse, hint, play, graph or draw."""

    id: int
    what: str


Request = Analyse | Play | Graph | Draw | LabList | Stop


class Fields:
    """The fields of a message, each looked at before it is used."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def integer(self, name: str, low: int, high: int, default: int | None = None) -> int:
        value = self.data.get(name, default)
        if type(value) is not int or not low <= value <= high:
            raise MessageError(f"{name} is a whole number from {low} to {high}")
        return value

    def seconds(self, name: str) -> float | None:
        value = self.data.get(name)
        if value is None:
            return None
        if type(value) not in (int, float) or not 0 <= value <= LONGEST_S:
            raise MessageError(f"{name} is a time in seconds, at most a day")
        return float(value)

    def text(self, name: str, default: str | None = None) -> str:
        value = self.data.get(name, default)
        if not isinstance(value, str) or len(value) > MOST_TEXT:
            raise MessageError(f"{name} is a text of at most {MOST_TEXT} characters")
        return value

    def flag(self, name: str) -> bool:
        value = self.data.get(name, False)
        if not isinstance(value, bool):
            raise MessageError(f"{name} is true or false")
        return value

    def position(self) -> Position:
        """The position at the end of the moves, with their history."""
        moves = self.data.get("moves", [])
        if not isinstance(moves, list) or len(moves) > MOST_MOVES:
            raise MessageError(f"a game has at most {MOST_MOVES} moves")
        position = Position(self.text("fen"), chess960=self.flag("chess960"))
        for move in moves:
            if not isinstance(move, str) or len(move) > 5:
                raise MessageError("a move is written like e2e4 or e7e8q")
            position.push(move)
        return position


def parse(text: str, machine: Machine) -> Request:
    """The request in a message; raises CytheraError with a sentence."""
    try:
        data = json.loads(text, parse_constant=no_constant)
    except (ValueError, RecursionError):
        raise MessageError("a message is a JSON object, and this is none") from None
    if not isinstance(data, dict):
        raise MessageError("a message is a JSON object, and this is something else")
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in READERS:
        raise MessageError(f"a message has a type: {', '.join(READERS)}")
    return READERS[kind](Fields(data), machine)


def request_id(text: str) -> int | None:
    """The number of a message that could not be understood, if it has one, for the answer."""
    try:
        number = json.loads(text)["id"]
    except (ValueError, RecursionError, TypeError, KeyError):
        return None
    return number if type(number) is int and 0 <= number <= LARGEST_ID else None


def no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def number_of(fields: Fields) -> int:
    return fields.integer("id", 0, LARGEST_ID)


def read_analyse(fields: Fields, machine: Machine) -> Analyse:
    return Analyse(
        number_of(fields),
        fields.position(),
        fields.integer("lines", 1, MOST_LINES, 1),
        fields.integer("threads", 1, machine.threads, 1),
        fields.integer("hash", 1, machine.hash_mib, 16),
        fields.seconds("time"),
    )


def read_hint(fields: Fields, machine: Machine) -> Analyse:
    return Analyse(number_of(fields), fields.position(), 1, 1, 16, fields.seconds("time") or 0.5, is_hint=True)


def read_play(fields: Fields, machine: Machine) -> Play:
    elo = fields.integer("elo", MIN_ELO, MAX_ELO, MAX_ELO)
    clocks = {name: fields.seconds(name) for name in ("white", "black", "increment")}
    time_s = fields.seconds("time")
    if clocks["white"] is None or clocks["black"] is None:
        limit = Limit(time_s=max(0.01, time_s if time_s is not None else 1.0))
    else:
        limit = Limit(
            white_clock_s=clocks["white"],
            black_clock_s=clocks["black"],
            white_increment_s=clocks["increment"] or 0.0,
            black_increment_s=clocks["increment"] or 0.0,
        )
    return Play(
        number_of(fields),
        fields.position(),
        None if elo == MAX_ELO else elo,
        fields.integer("seed", 0, LARGEST_SEED, 0),
        limit,
    )


def read_graph(fields: Fields, machine: Machine) -> Graph:
    return Graph(number_of(fields), fields.position(), fields.integer("nodes", 1, MOST_NODES, 50_000))


def read_draw(fields: Fields, machine: Machine) -> Draw:
    depth = None if fields.data.get("depth") is None else fields.integer("depth", 0, 100)
    algorithm, game, order = fields.text("algorithm"), fields.text("game"), fields.text("order", "natural")
    return Draw(number_of(fields), algorithm, game, depth, order)


def read_lab(fields: Fields, machine: Machine) -> LabList:
    return LabList(number_of(fields))


def read_stop(fields: Fields, machine: Machine) -> Stop:
    what = fields.text("what")
    if what not in KINDS:
        raise MessageError(f"what can be stopped is {', '.join(KINDS)}")
    return Stop(number_of(fields), what)


KINDS = ("analyse", "hint", "play", "graph", "draw")

READERS: dict[str, Callable[[Fields, Machine], Request]] = {
    "analyse": read_analyse,
    "hint": read_hint,
    "play": read_play,
    "graph": read_graph,
    "draw": read_draw,
    "lab": read_lab,
    "stop": read_stop,
}
