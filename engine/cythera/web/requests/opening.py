"""The name of an opening."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cythera.board.position import Position
from cythera.games.openings import opening_of
from cythera.web.messages import Fields, Machine, Request

if TYPE_CHECKING:
    from cythera.web.tab import Tab


@dataclass(frozen=True)
class Opening(Request):
    """The name of the opening that a game follows, and for how many plies."""

    kind = "opening"

    position: Position

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> Opening:
        return cls(fields.id(), fields.position())

    async def answer(self, tab: Tab) -> None:
        name, plies = await asyncio.to_thread(opening_of_position, self.position)
        tab.outbox.put(self.kind, {"type": "opening", "id": self.id, "name": name, "plies": plies})


def opening_of_position(position: Position) -> tuple[str, int]:
    board = position.to_board()
    return opening_of(Position.from_board(board.root(), history=False), position.history())
