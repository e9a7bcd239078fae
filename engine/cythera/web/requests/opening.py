"""The name of an opening."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cythera.board.position import Position
from cythera.games.opening_names import opening_code, opening_name, opening_number
from cythera.web.messages import Fields, Machine, Request

if TYPE_CHECKING:
    from cythera.web.tab import Tab


@dataclass(frozen=True)
class NameOpening(Request):
    """Name and ECO code of the opening that a game follows, and for how many plies."""

    kind = "opening"

    position: Position

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> NameOpening:
        return cls(fields.id(), fields.position())

    async def answer(self, tab: Tab) -> None:
        start = Position(self.position.root_fen(), chess960=self.position.chess960)
        number, plies = await asyncio.to_thread(opening_number, start, self.position.history())
        name, eco = opening_name(number), opening_code(number)
        tab.outbox.put(self.kind, {"type": "opening", "id": self.id, "name": name, "eco": eco, "plies": plies})
