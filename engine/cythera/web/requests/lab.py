"""Trees of the lab."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cythera.web.lab_process import draw_apart, offer
from cythera.web.messages import Fields, Machine, Request

if TYPE_CHECKING:
    from cythera.web.tab import Tab

DEEPEST = 100


@dataclass(frozen=True)
class LabList(Request):
    """What the lab has to offer."""

    kind = "lab"

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> LabList:
        return cls(fields.id())

    async def answer(self, tab: Tab) -> None:
        tab.outbox.put(self.kind, {"type": "lab", "id": self.id, **await asyncio.to_thread(offer)})


@dataclass(frozen=True)
class Draw(Request):
    """The tree that a search of the lab walks."""

    kind = "draw"

    algorithm: str
    game: str
    depth: int | None
    order: str

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> Draw:
        depth = None if fields.data.get("depth") is None else fields.integer("depth", 0, DEEPEST)
        algorithm, game, order = fields.text("algorithm"), fields.text("game"), fields.text("order", "natural")
        return cls(fields.id(), algorithm, game, depth, order)

    async def answer(self, tab: Tab) -> None:
        drawing = await draw_apart(self.algorithm, self.game, self.depth, self.order)
        tab.outbox.put(self.kind, {"type": "drawing", "id": self.id, **drawing})
