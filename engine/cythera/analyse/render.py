"""A searched game as the texts that go into the outputs: work for a worker too, since it is not little."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from cythera.analyse.confirm import confirmations_from
from cythera.analyse.game_analysis import GameAnalysis, judge_game
from cythera.analyse.pgn_input import chess_game
from cythera.engine.results import Line
from cythera.games.game import Game


@dataclass(frozen=True)
class Rendering:
    """A game that has been searched, its lines by ply, the confirmed candidates, and what is wanted."""

    number: int
    game: Game
    lines: list[list[dict[str, Any]]]
    confirmed: list[Any]  # as `search_candidates` gives them
    kinds: tuple[str, ...]  # of KINDS


def judged(rendering: Rendering) -> GameAnalysis:
    lines = [[Line.from_json(line) for line in lines] for lines in rendering.lines]
    return judge_game(chess_game(rendering.game), lines, confirmations_from(rendering.confirmed))


def render(rendering: Rendering) -> dict[str, str]:
    """The texts by kind of output."""
    analysis = judged(rendering)
    return {kind: KINDS[kind](analysis) for kind in rendering.kinds}


def as_pgn(analysis: GameAnalysis) -> str:
    return analysis.pgn() + "\n\n"


def as_page(analysis: GameAnalysis) -> str:
    from cythera.analyse.page import page_game

    return page_game(analysis)


def as_json(analysis: GameAnalysis) -> str:
    return json.dumps(analysis.as_json(), ensure_ascii=False, separators=(",", ":"))


KINDS = {"pgn": as_pgn, "html": as_page, "json": as_json}
