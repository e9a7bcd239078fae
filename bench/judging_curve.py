"""Fits the curve that judges moves: what a score of this engine was worth in games between people.

    python bench/judging_curve.py games.pgn [more.pgn ...] [--games 6000] [--nodes 10000]

Of rated games between players of about the same strength some positions are drawn at random, searched,
and compared with how the game ended: expected score = 1 / (1 + exp(-score / SCALE)), fitted by maximum
likelihood (a draw counts as half a win and half a loss). It prints the scale for all games and by rating,
with its standard error, and how well the curve meets the results. `cythera.analyse.judge.CURVE_SCALE_CP`
is the number for all games.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn

from cythera import Engine, Limit

RESULTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
FIRST_PLY = 16  # before it, the result says little of the position
LAST_PLIES = 4  # at the end of a game, which is often given up or agreed drawn
CLEAR_CP = 1500  # beyond this the curve is flat


def rated_games(paths: list[Path], apart: int, least: int, most: int) -> Iterator[tuple[Path, int, int, float]]:
    """Where games are, with their mean rating and White's score, of players at most `apart` Elo apart."""
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as file:
            while True:
                place = file.tell()
                headers = chess.pgn.read_headers(file)
                if headers is None:
                    break
                result = RESULTS.get(headers.get("Result", "*"))
                try:
                    ratings = [int(headers[f"{side}Elo"]) for side in ("White", "Black")]
                except (KeyError, ValueError):
                    continue
                is_human = not headers.get("FEN") and least <= min(ratings) <= max(ratings) <= most
                if result is not None and is_human and abs(ratings[0] - ratings[1]) <= apart:
                    yield path, place, sum(ratings) // 2, result


def read_game(path: Path, place: int) -> chess.pgn.Game | None:
    with open(path, encoding="utf-8", errors="replace") as file:
        file.seek(place)
        game = chess.pgn.read_game(file)
        return None if game is None or game.errors else game


def positions_of(game: chess.pgn.Game, count: int, rng: random.Random) -> Iterator[chess.Board]:
    """Some quiet positions of a game: the side to move is not in check."""
    board = game.board()
    seen = []
    for move in game.mainline_moves():
        board.push(move)
        if board.ply() >= FIRST_PLY and not board.is_check():
            seen.append(board.copy(stack=False))
    seen = seen[:-LAST_PLIES]
    yield from rng.sample(seen, min(count, len(seen)))


def fit(rows: list[tuple[float, float]]) -> tuple[float, float]:
    """The scale in centipawns and its standard error, by Newton's method on 1 / scale."""
    slope = 1 / 300
    information = 0.0
    for _ in range(12):
        gradient = information = 0.0
        for score, result in rows:
            expected = 1 / (1 + math.exp(-score * slope))
            gradient += (result - expected) * score
            information += expected * (1 - expected) * score * score
        slope += gradient / information
    return 1 / slope, math.sqrt(1 / information) / slope**2


def main() -> int:
    parser = argparse.ArgumentParser(description="Fit the curve that judges moves to games between people.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.pgn")
    parser.add_argument("--games", type=int, default=6000)
    parser.add_argument("--positions", type=int, default=4, help="of each game (default: 4)")
    parser.add_argument("--nodes", type=int, default=10_000, help="per position (default: 10,000)")
    parser.add_argument("--apart", type=int, default=100, help="most Elo between the players (default: 100)")
    parser.add_argument("--least", type=int, default=800, help="Elo of both players (default: 800)")
    parser.add_argument("--most", type=int, default=2950, help="likewise (default: 2950, which no engine is below)")
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    rng = random.Random(args.seed)
    places = list(rated_games(args.files, args.apart, args.least, args.most))
    chosen = rng.sample(places, min(args.games, len(places)))
    boards, facts = [], []
    for path, place, rating, result in chosen:
        game = read_game(path, place)
        if game is not None:
            for board in positions_of(game, args.positions, rng):
                boards.append(board)
                facts.append((rating, result))
    rows: list[tuple[int, int, float, float]] = []  # rating, ply, score for White, result for White
    with Engine(hash_mib=2) as engine:
        found = engine.analyse_many(boards, Limit(nodes=args.nodes), workers=args.workers)
        for board, (rating, result), line in zip(boards, facts, found, strict=True):
            score = max(-CLEAR_CP, min(CLEAR_CP, line.white_score.value))
            rows.append((rating, board.ply(), float(score), result))
    print(f"{len(chosen):,} games, {len(rows):,} positions, {args.nodes:,} nodes each")

    def show(name: str, some: list[tuple[int, int, float, float]]) -> None:
        if len(some) >= 200:
            scale, error = fit([(score, result) for _, _, score, result in some])
            print(f"{name:<16} {len(some):>7,} positions  scale {scale:6.1f} ± {2 * error:.1f} cp (95 %)")

    show("all", rows)
    for low in range(1000, 2800, 200):
        show(f"Elo {low}-{low + 200}", [row for row in rows if low <= row[0] < low + 200])
    for low, high in ((0, 30), (30, 50), (50, 80), (80, 500)):
        show(f"ply {low}-{high}", [row for row in rows if low <= row[1] < high])
    scale, _ = fit([(score, result) for _, _, score, result in rows])
    print("score for White   games' result   curve")
    for low in range(-700, 700, 100):
        part = [(score, result) for _, _, score, result in rows if low <= score < low + 100]
        if len(part) >= 50:
            mean = sum(result for _, result in part) / len(part)
            curve = sum(1 / (1 + math.exp(-score / scale)) for score, _ in part) / len(part)
            print(f"{low:+5d} to {low + 100:+5d}   {mean:13.3f}   {curve:5.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
