"""Lines of a position, as the search finds them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cythera.board.position import Position
from cythera.board.scores import Score
from cythera.engine.limits import Limit
from cythera.engine.results import Line
from cythera.web.messages import Fields, Machine, Request
from cythera.web.outbox import Message

if TYPE_CHECKING:
    from cythera.web.tab import Tab

MOST_LINES = 10
HASH_MIB = 16
LONGEST_LINE = 24  # moves of a line that a page shows
HINT_S = 0.5


@dataclass(frozen=True)
class Analyse(Request):
    """Lines of a position, until stopped or for `time_s`."""

    kind = "analyse"

    position: Position
    lines: int
    threads: int
    hash_mib: int
    time_s: float | None

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> Analyse:
        return cls(
            fields.id(),
            fields.position(),
            fields.integer("lines", 1, MOST_LINES, 1),
            fields.integer("threads", 1, machine.threads, 1),
            fields.integer("hash", 1, machine.hash_mib, HASH_MIB),
            fields.seconds("time"),
        )

    async def answer(self, tab: Tab) -> None:
        """Sends the lines as they come: the first at once, later ones at their pace, the last marked."""
        engine = await tab.engine(self.role, self.threads, self.hash_mib)
        expected = min(self.lines, len(self.position.legal_moves()))
        limit = None if self.time_s is None else Limit(time_s=max(self.time_s, 0.01))
        is_first = True
        try:
            async with engine.analysis_async(self.position, limit, self.lines) as analysis:
                async for line in analysis:
                    if line.multipv == expected and line.bound == "exact":  # the iteration is complete
                        lines = analysis.lines
                        tab.outbox.put(self.kind, reporter(self.id, lines), urgent=is_first)
                        is_first = False
                lines = await analysis.wait()
        except asyncio.CancelledError:
            tab.outbox.drop(self.kind)
            raise
        if lines:
            tab.outbox.put(self.kind, {**report(self.id, lines), "done": True})
        else:  # stopped before it had looked at anything
            tab.outbox.put(self.kind, {"type": "ended", "id": self.id})


@dataclass(frozen=True)
class Hint(Analyse):
    """One line for a short time, by an engine of its own."""

    kind = "hint"

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> Hint:
        return cls(fields.id(), fields.position(), 1, 1, HASH_MIB, fields.seconds("time") or HINT_S)


def reporter(number: int, lines: list[Line]) -> Callable[[], Message]:
    return lambda: report(number, lines)


def report(number: int, lines: list[Line]) -> Message:
    """The state of a search: its lines, best first, and what they cost."""
    best = lines[0]
    return {
        "type": "lines",
        "id": number,
        "nodes": best.nodes,
        "nps": best.nps,
        "time": round(best.time_s, 3),
        "hashfull": best.hashfull,
        "lines": [line_data(line) for line in lines],
    }


def line_data(line: Line) -> Message:
    return {
        "depth": line.depth,
        "seldepth": line.seldepth,
        "score": score_data(line.white_score),
        "wdl": line.wdl if line.turn == "w" else line.wdl[::-1],
        "bound": line.bound,
        "moves": line.moves[:LONGEST_LINE],
    }


def score_data(score: Score) -> Message:
    """A score as White sees it; of a mate, also who gives it, since mate in 0 has no sign."""
    if score.cp is not None:
        return {"cp": score.cp}
    return {"mate": abs(score.mate or 0), "white": score.value > 0}
