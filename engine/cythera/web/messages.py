"""Messages from a page: JSON text in, a checked request out, or a sentence that says why not.

A request is a class in `cythera.web.requests`: its `kind` is the message's type, `read` checks the
fields, `answer` does the work. A new kind is one class and its place in that package's list.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from cythera.board.position import Position
from cythera.errors import CytheraError

if TYPE_CHECKING:
    from cythera.web.tab import Tab

MOST_MOVES = 2000  # of a game
MOST_TEXT = 200  # characters of a FEN or of a lab game
LARGEST_ID = 2**53  # that a page can count to
LONGEST_S = 24 * 3600.0


class MessageError(CytheraError, ValueError):
    """A message that asks for nothing the server can do."""


@dataclass(frozen=True)
class Machine:
    """What may be asked of this machine."""

    threads: int
    hash_mib: int


class Fields:
    """The fields of a message, each checked before it is used."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def id(self) -> int:
        return self.integer("id", 0, LARGEST_ID)

    def integer(self, name: str, low: int, high: int, default: int | None = None) -> int:
        value = self.data.get(name, default)
        if type(value) is not int or not low <= value <= high:
            raise MessageError(f"{name} must be a whole number between {low} and {high}")
        return value

    def seconds(self, name: str) -> float | None:
        value = self.data.get(name)
        if value is None:
            return None
        if type(value) not in (int, float) or not 0 <= value <= LONGEST_S:
            raise MessageError(f"{name} must be a time in seconds, at most a day")
        return float(value)

    def text(self, name: str, default: str | None = None) -> str:
        value = self.data.get(name, default)
        if not isinstance(value, str) or len(value) > MOST_TEXT:
            raise MessageError(f"{name} must be a text of at most {MOST_TEXT} characters")
        return value

    def flag(self, name: str) -> bool:
        value = self.data.get(name, False)
        if not isinstance(value, bool):
            raise MessageError(f"{name} must be true or false")
        return value

    def position(self) -> Position:
        """The position at the end of the moves, with their history."""
        moves = self.data.get("moves", [])
        if not isinstance(moves, list) or len(moves) > MOST_MOVES:
            raise MessageError(f"moves must be a list of at most {MOST_MOVES} moves")
        position = Position(self.text("fen"), chess960=self.flag("chess960"))
        for move in moves:
            if not isinstance(move, str) or len(move) > 5:
                raise MessageError("a move must be written like e2e4 or e7e8q")
            position.push(move)
        return position


@dataclass(frozen=True)
class Request(ABC):
    """Something a page asks for. A new request of a kind ends the one before."""

    kind: ClassVar[str]

    id: int

    @classmethod
    @abstractmethod
    def read(cls, fields: Fields, machine: Machine) -> Request:
        """The request in a message; raises CytheraError with a message."""

    @abstractmethod
    async def answer(self, tab: Tab) -> None:
        """Does the work and leaves the answers in the tab's outbox."""

    @property
    def role(self) -> str:
        """Whose engine answers."""
        return self.kind


@dataclass(frozen=True)
class Stop:
    """The end of the request of a kind."""

    id: int
    what: str


def parse(text: str, machine: Machine, kinds: Mapping[str, type[Request]]) -> Request | Stop:
    """The request in a message; raises CytheraError with a message."""
    try:
        data = json.loads(text, parse_constant=no_constant)
    except (ValueError, RecursionError):
        raise MessageError("message is not valid JSON") from None
    if not isinstance(data, dict):
        raise MessageError("message is not a JSON object")
    kind, fields = data.get("type"), Fields(data)
    if kind == "stop":
        what = fields.text("what")
        if what not in kinds:
            raise MessageError(f"what must be one of {', '.join(kinds)}")
        return Stop(fields.id(), what)
    if not isinstance(kind, str) or kind not in kinds:
        raise MessageError(f"type must be one of {', '.join([*kinds, 'stop'])}")
    return kinds[kind].read(fields, machine)


def request_id(text: str) -> int | None:
    """The number of a message that could not be understood, if it has one, for the answer."""
    try:
        number = json.loads(text)["id"]
    except (ValueError, RecursionError, TypeError, KeyError):
        return None
    return number if type(number) is int and 0 <= number <= LARGEST_ID else None


def no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} must be a number")
