"""Trees of the lab."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cythera.lab.search import read_depth
from cythera.web.lab_process import draw_apart, offer
from cythera.web.messages import Fields, Machine, Request

if TYPE_CHECKING:
    from cythera.web.tab import Tab

DEEPEST = 100


@dataclass(frozen=True)
class LabList(Request):
    """What the lab has to offer."""

    kind = "lab"

    language: str

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> LabList:
        return cls(fields.id(), fields.text("language", ""))

    async def answer(self, tab: Tab) -> None:
        tab.outbox.put(self.kind, {"type": "lab", "id": self.id, **await asyncio.to_thread(offer, self.language)})


@dataclass(frozen=True)
class Draw(Request):
    """The tree that a search of the lab walks."""

    kind = "draw"

    algorithm: str
    game: str
    depth: int | None
    order: str
    language: str

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> Draw:
        depth = fields.data.get("depth")
        if isinstance(depth, str):  # as it was typed
            depth = read_depth(fields.text("depth"))
        if depth is not None:
            depth = Fields({"depth": depth}).integer("depth", 0, DEEPEST)
        algorithm, game, order = fields.text("algorithm"), fields.text("game"), fields.text("order", "natural")
        return cls(fields.id(), algorithm, game, depth, order, fields.text("language", ""))

    async def answer(self, tab: Tab) -> None:
        drawing = await draw_apart(self.algorithm, self.game, self.depth, self.order, self.language)
        tab.outbox.put(self.kind, {"type": "drawing", "id": self.id, **drawing})
