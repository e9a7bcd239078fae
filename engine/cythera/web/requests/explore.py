"""The user's own games: what was played in a position, and the games themselves."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cythera.board.position import Position
from cythera.games import GameIndex, explorer, game_text
from cythera.web.messages import Fields, Machine, MessageError, Request
from cythera.web.outbox import Message

if TYPE_CHECKING:
    from cythera.web.tab import Tab

MOST_ROWS = 40
MOST_GAMES = 2**32
SHOWN = ("game", "white", "black", "white_rating", "black_rating", "result", "date", "event")  # of a sample game


@dataclass(frozen=True)
class Explore(Request):
    """The moves that were played in a position, with results, ratings and sample games."""

    kind = "explore"

    position: Position

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> Explore:
        return cls(fields.id(), fields.position())

    async def answer(self, tab: Tab) -> None:
        found = await asyncio.to_thread(explorer, index_of(tab), self.position)
        tab.outbox.put(self.kind, {"type": "explore", "id": self.id, **explorer_data(found)})


@dataclass(frozen=True)
class OpenGame(Request):
    """A game of the index, as PGN."""

    kind = "game"

    game: int

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> OpenGame:
        return cls(fields.id(), fields.integer("game", 0, MOST_GAMES))

    async def answer(self, tab: Tab) -> None:
        index = index_of(tab)
        if self.game >= len(index):
            raise MessageError(f"game must be between 0 and {len(index) - 1}, got {self.game}")
        game = await asyncio.to_thread(index.game, self.game)
        tab.outbox.put(self.kind, {"type": "game", "id": self.id, "pgn": game_text(game)})


def index_of(tab: Tab) -> GameIndex:
    if tab.games is None:
        raise MessageError("no index of games is open; start the server with cythera web --games FILE")
    return tab.games


def explorer_data(found: dict[str, Any]) -> Message:
    """What a page shows: the most frequent moves, and of each sample game who played."""
    totals = {name: found[name] for name in ("games", "white", "draws", "black")}
    rows = [{**row, "samples": [sample_data(game) for game in row["samples"]]} for row in found["moves"][:MOST_ROWS]]
    return {**totals, "moves": rows}


def sample_data(game: dict[str, Any]) -> Message:
    return {name: game[name] for name in SHOWN}
