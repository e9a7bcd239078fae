"""The engine as an opponent: its moves, and its answer to an offer of a draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cythera.board.position import Position
from cythera.board.scores import Score
from cythera.engine.limits import Limit
from cythera.engine.options import MAX_ELO, MIN_ELO
from cythera.web.messages import Fields, Machine, Request
from cythera.web.outbox import Message
from cythera.web.requests.lines import HASH_MIB, line_data

if TYPE_CHECKING:
    from cythera.web.tab import Tab

LARGEST_SEED = 2**31
OFFER_NODES = 60_000
EARLY_PLIES = 20  # before this, a draw is accepted only in a bad position
BAD_CP, EQUAL_CP = -150, 20


@dataclass(frozen=True)
class Play(Request):
    """A move, at a level; `elo` None is full strength. White and Black have an engine each."""

    kind = "play"

    position: Position
    elo: int | None
    seed: int
    limit: Limit

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> Play:
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
        return cls(
            fields.id(),
            fields.position(),
            None if elo == MAX_ELO else elo,
            fields.integer("seed", 0, LARGEST_SEED, 0),
            limit,
        )

    @property
    def role(self) -> str:
        """In a game between two levels, White's and Black's engine know nothing of each other."""
        return f"play {self.position.turn}"

    async def answer(self, tab: Tab) -> None:
        engine = await tab.engine(self.role, 1, HASH_MIB, self.seed)
        engine.limit_strength(elo=self.elo)
        played = await engine.play_async(self.position, self.limit)
        message: Message = {"type": "move", "id": self.id, "move": played.uci}
        if played.line is not None:
            message["line"] = line_data(played.line)
        tab.outbox.put(self.kind, message)


@dataclass(frozen=True)
class Offer(Request):
    """The player, whose turn it is, offers a draw."""

    kind = "offer"

    position: Position

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> Offer:
        return cls(fields.id(), fields.position())

    async def answer(self, tab: Tab) -> None:
        engine = await tab.engine(self.role, 1, HASH_MIB)
        line = await engine.analyse_async(self.position, Limit(nodes=OFFER_NODES))
        accepted = accepts_draw(-line.score, len(self.position.history()))
        tab.outbox.put(self.kind, {"type": "offer", "id": self.id, "accepted": accepted})


def accepts_draw(score: Score, plies: int) -> bool:
    """Whether the engine takes a draw, given its own score and the length of the game.

    >>> accepts_draw(Score(cp=10), 60), accepts_draw(Score(cp=10), 6), accepts_draw(Score(cp=90), 60)
    (True, False, False)
    >>> accepts_draw(Score(cp=-300), 6), accepts_draw(Score(mate=3), 80), accepts_draw(Score(mate=-3), 80)
    (True, False, True)
    """
    return score.value <= (BAD_CP if plies < EARLY_PLIES else EQUAL_CP)
