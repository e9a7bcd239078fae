"""python-chess as a client: options written back, play, analysis, pondering, Chess960."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import chess
import chess.engine

LIMITS = (
    chess.engine.Limit(nodes=500),
    chess.engine.Limit(depth=5),
    chess.engine.Limit(time=0.05),
    chess.engine.Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01),
    chess.engine.Limit(mate=2, nodes=2000),
)


def run(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "cythera"], timeout=60) as engine:
        for name, option in engine.options.items():
            if option.type == "button" or option.is_managed():
                continue
            try:
                engine.configure({name: option.default})
            except chess.engine.EngineError as error:
                return f"the default {option.default!r} of {name} is refused: {error}"
            tried["options"] = tried.get("options", 0) + 1
        engine.configure({"Hash": rng.choice((1, 16)), "Threads": rng.choice((1, 2))})
        chess960 = rng.random() < 0.3
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        for _ in range(40):
            if board.is_game_over(claim_draw=True):
                break
            if rng.random() < 0.3:
                infos = engine.analyse(board, rng.choice(LIMITS), multipv=rng.randint(1, 4))
                for info in infos:
                    walk = board.copy()
                    for move in info.get("pv", []):
                        if not walk.is_legal(move):
                            return f"illegal {move} in the line of {board.fen()}"
                        walk.push(move)
            result = engine.play(board, rng.choice(LIMITS), ponder=rng.random() < 0.3)
            tried["moves"] = tried.get("moves", 0) + 1
            if result.move is None or not board.is_legal(result.move):
                return f"played {result.move} in {board.fen()}"
            board.push(result.move)
    return None
