"""A game judged move by move, as `cythera analyse` judges it, and a better move tried."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cythera.analyse.confirm import confirming
from cythera.analyse.game_analysis import GameAnalysis, MoveAnalysis, SideSummary, judge_game
from cythera.analyse.judge import word_of
from cythera.board.position import Position
from cythera.engine.limits import Limit
from cythera.engine.results import Line
from cythera.web.messages import Fields, Machine, MessageError, Request
from cythera.web.outbox import Message
from cythera.web.requests.lines import HASH_MIB, score_data

if TYPE_CHECKING:
    import chess.pgn

    from cythera.analyse.confirm import Confirmations
    from cythera.api import Engine
    from cythera.web.tab import Tab

MOST_NODES = 100_000_000  # for each position of a game
NODES = 50_000


@dataclass(frozen=True)
class Evaluate(Request):
    """The score of every position of a game, the start included, and then its moves judged."""

    kind = "evaluate"

    position: Position
    nodes: int

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> Evaluate:
        return cls(fields.id(), fields.position(), fields.integer("nodes", 1, MOST_NODES, NODES))

    async def answer(self, tab: Tab) -> None:
        """Sends the points as they are found: from the end, so that each search finds what follows in its table."""
        engine = await tab.engine(self.role, 1, HASH_MIB)
        limit = Limit(nodes=self.nodes)
        points: list[list[Any]] = []

        def news() -> Message:
            message = {"type": "points", "id": self.id, "points": points[:]}
            points.clear()
            return message

        position = self.position.copy()
        lines: list[list[Line]] = []
        for ply in range(len(position.history()), -1, -1):
            line = await engine.analyse_async(position, limit)
            lines.append([line])
            points.append([ply, score_data(line.white_score)])
            tab.outbox.put(self.kind, news, urgent=False)
            if ply:
                position.pop()
        lines.reverse()
        game = game_to(self.position)
        confirmed = await self.confirmed(engine, game, lines, limit)
        verdict = await asyncio.to_thread(judge_game, game, lines, confirmed)
        tab.outbox.put(self.kind, lambda: {**news(), **verdict_data(verdict), "done": True})

    async def confirmed(
        self, engine: Engine, game: chess.pgn.Game, lines: list[list[Line]], limit: Limit
    ) -> Confirmations:
        """The candidates of the game, searched deeper."""
        rounds = confirming(game, lines, limit)
        found: list[Line] | None = None
        while True:
            try:
                boards, longer = rounds.send(found) if found is not None else next(rounds)
            except StopIteration as end:
                confirmed: Confirmations = end.value
                return confirmed
            found = []
            for board in boards:
                engine.new_game()
                found.append(await engine.analyse_async(board, longer))


@dataclass(frozen=True)
class Attempt(Request):
    """A move tried in place of an error: the last move of the game, judged."""

    kind = "attempt"

    position: Position
    nodes: int

    @classmethod
    def read(cls, fields: Fields, machine: Machine) -> Attempt:
        position = fields.position()
        if not position.history():
            raise MessageError("moves must have a move to judge")
        return cls(fields.id(), position, fields.integer("nodes", 1, MOST_NODES, NODES))

    async def answer(self, tab: Tab) -> None:
        engine = await tab.engine(self.role, 1, HASH_MIB)
        limit = Limit(nodes=self.nodes)
        move = self.position.history()[-1]
        before = self.position.copy()
        before.pop()
        after = (await engine.analyse_async(self.position, limit)).score
        line = await engine.analyse_async(before, limit)
        is_best = line.moves[:1] == (move,)
        word = "" if is_best else word_of(line.score, -after)
        tab.outbox.put(
            self.kind,
            {"type": "attempt", "id": self.id, "word": word, "best": is_best,
             "score": score_data((-after).white(before.turn))},
        )  # fmt: skip


def game_to(position: Position) -> chess.pgn.Game:
    """The game that led to a position."""
    import chess.pgn

    return chess.pgn.Game.from_board(position.to_board())


def verdict_data(verdict: GameAnalysis) -> Message:
    return {
        "moves": [move_data(move) for move in verdict.moves],
        "chances": [round(chance, 4) for chance in verdict.white_expectations()],
        "white": side_data(verdict.white),
        "black": side_data(verdict.black),
    }


def move_data(move: MoveAnalysis) -> Message:
    """A judged move; of one with a word, also why, the better line and its score."""
    data: Message = {"accuracy": round(move.accuracy, 1), "word": move.word, "book": move.is_book}
    if move.word:
        data |= {
            "loss": round(move.loss, 3),
            "reason": move.reason,
            "best": move.best.moves,
            "score": score_data(move.best.white_score),
        }
    return data


def side_data(side: SideSummary) -> Message:
    return {
        "accuracy": side.accuracy,
        "loss": side.average_loss_cp,
        "inaccuracies": side.inaccuracies,
        "mistakes": side.mistakes,
        "blunders": side.blunders,
        "missed_mates": side.missed_mates,
    }
