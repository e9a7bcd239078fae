"""What endgame tables know of a position and of its moves."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cythera.board.position import Position
from cythera.tables import Tables, Verdict, move_verdicts, verdict
from cythera.web.messages import Fields, Machine, Request
from cythera.web.outbox import Message

if TYPE_CHECKING:
    from cythera.web.tab import Tab


@dataclass(frozen=True)
class Probe(Request):
    """The result of a position for the side to move, and of each of its moves, best first."""

    kind = "tables"

    position: Position

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> Probe:
        return cls(fields.id(), fields.position())

    async def answer(self, tab: Tab) -> None:
        found = await asyncio.to_thread(table_data, self.position, tab.tables)
        tab.outbox.put(self.kind, {"type": "tables", "id": self.id, **found})


def table_data(position: Position, tables: Tables) -> Message:
    """What a page shows; `result` is null where no table has the position."""
    known = verdict(position, tables)
    if known is None:
        return {"result": None, "dtz": None, "moves": []}
    rows = [move_data(position, uci, found) for uci, found in move_verdicts(position, tables).items()]
    return {"result": known.result, "dtz": known.dtz, "moves": rows}


def move_data(position: Position, uci: str, known: Verdict) -> Message:
    """A move: `dtz` is the number of half-moves to the next zeroing move after it, 0 if it is one or mates."""
    return {"uci": uci, "san": position.san(uci), "result": known.result, "dtz": known.dtz}
