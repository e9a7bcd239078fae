"""How many of the errors that `cythera analyse` names are errors, by the judgement of another engine.

    python bench/verdicts.py games.pgn [more.pgn ...] [--flags 200] [--engine stockfish] [--depth 20]

Games are drawn at random from the files, the same number from each, and analysed as `cythera analyse` does
by default, until there are enough moves with a word. All of these are checked: the other engine searches the
position, and the move played alone, to a fixed depth. Its scores become winning chances
by the curve that lichess publishes, 1 / (1 + exp(-0.00368208 * centipawns)), which is not our own, so that
a fault of our curve shows. A word holds if the move loses, by that, as much as lichess asks for the word or
for the next milder one (0.05 inaccuracy, 0.10 mistake, 0.15 blunder). Below an inaccuracy there is no word;
half of its bar is taken, and the share that reaches the whole bar is told beside it.

Of the moves that many games of the files have played from the same position in the first eight moves (book
moves, whatever our own table knows), those that the other engine finds sound are counted, and how many of
these have a word.

Everything found is added to a file (--keep) at once; the same command resumes a stopped run.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import chess
import chess.engine

from cythera import Engine, Limit, Position, read_games
from cythera.cli.analyse import NODES
from cythera.games.game import Game

LICHESS_SLOPE = 0.00368208  # published: lichess.org/page/accuracy
BARS = {"inaccuracy": 0.05, "mistake": 0.10, "blunder": 0.15}
ONE_BELOW = {"inaccuracy": 0.025, "mistake": 0.05, "blunder": 0.10}
GOALS = {"mistakes and blunders": 0.85, "inaccuracies": 0.75}
BOOK_GOAL = 0.01
BOOK_PLIES = 16
BOOK_COUNT = 5  # games with the same move in the same position


class Store:
    """Rows of JSON in a file, kept as they come."""

    def __init__(self, path: Path) -> None:
        self.path = path
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        self.rows: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines() if line.endswith("}")]

    def add(self, row: dict[str, Any]) -> None:
        self.rows.append(row)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [row for row in self.rows if row["kind"] == kind]


def games_of(path: Path) -> list[Game]:
    """The games of a file from the start position that are long enough to be judged."""
    start = Position().fen()
    return [game for game in read_games(path, mode="moves") if game.fen == start and len(game) >= 2 * BOOK_PLIES]


def analysed(engine: Engine, game: Game, nodes: int, workers: int | None) -> dict[str, Any]:
    """A game's moves with words, and its opening moves, as plain data."""
    found = engine.analyse_game(game.to_chess(), Limit(nodes=nodes), workers=workers)
    board = found.start()
    keys = opening_keys(game)
    flags, opening = [], []
    for move in found.moves:
        row = {
            "fen": board.fen(), "move": move.uci, "label": move.label, "word": move.word, "reason": move.reason,
            "best": move.best.moves[0], "ours": [str(move.best.score), str(move.score)], "ply": move.ply,
        }  # fmt: skip
        if move.word:
            flags.append(row)
        if move.ply < BOOK_PLIES:
            opening.append({"key": keys[move.ply], **row})
        board.push_uci(move.uci)
    return {"flags": flags, "opening": opening, "moves": len(found.moves)}


def chance(score: chess.engine.PovScore) -> float:
    one = score.relative
    if one.is_mate():
        return 1.0 if one > chess.engine.Cp(0) else 0.0
    return 1 / (1 + math.exp(-LICHESS_SLOPE * (one.score() or 0)))


def checked_by(other: chess.engine.SimpleEngine, fen: str, move: str, depth: int) -> dict[str, Any]:
    """What a move loses of the winning chances by another engine, with its best line and both scores."""
    board = chess.Board(fen)
    limit = chess.engine.Limit(depth=depth)
    best = other.analyse(board, limit, game=object())
    played = other.analyse(board, limit, root_moves=[chess.Move.from_uci(move)], game=object())
    loss = max(0.0, chance(best["score"]) - chance(played["score"]))
    lines = [" ".join(str(one) for one in found["pv"][:8]) for found in (best, played)]
    scores = [str(found["score"].relative) for found in (best, played)]
    return {"loss": round(loss, 4), "scores": scores, "lines": lines}


def opening_keys(game: Game) -> list[str]:
    """The opening moves of a game, each with the position it was played in."""
    position = Position()
    keys = []
    for move in game.uci()[:BOOK_PLIES]:
        keys.append(f"{position.key} {move}")
        position.push(move)
    return keys


def popular_moves(games: Iterable[Game]) -> set[str]:
    """Position and move of what at least BOOK_COUNT games have played in the opening."""
    found = Counter(key for game in games for key in opening_keys(game))
    return {key for key, times in found.items() if times >= BOOK_COUNT}


def interval(groups: Sequence[Sequence[bool]], draws: int = 2000) -> tuple[float, float]:
    """The bounds that hold 95 % of the share of true values when whole groups (games) are drawn again.

    Errors of one game are alike, so that the flags of few games say less than as many of many games.

    >>> interval([[True], [True]])
    (1.0, 1.0)
    """
    rng = random.Random(1)
    counts = [(sum(some), len(some)) for some in groups if some]
    shares = []
    for _ in range(draws):
        drawn = rng.choices(counts, k=len(counts))
        shares.append(sum(true for true, _ in drawn) / sum(size for _, size in drawn))
    shares.sort()
    return shares[round(0.025 * draws)], shares[round(0.975 * draws) - 1]


def report(store: Store, popular: set[str]) -> bool:
    """Prints the figures; whether all goals are met."""
    checked = {(row["fen"], row["move"]): row["loss"] for row in store.of("check")}
    groups = {"mistakes and blunders": ("mistake", "blunder"), "inaccuracies": ("inaccuracy",)}
    games = store.of("game")
    flags = [flag for game in games for flag in game["flags"]]
    moves = sum(game["moves"] for game in games)
    print(f"{len(games)} games, {moves:,} moves, {len(flags)} with a word, {len(checked)} checked")
    is_good = True
    for name, words in groups.items():
        by_game = [
            [(flag["word"], checked[flag["fen"], flag["move"]]) for flag in game["flags"]
             if flag["word"] in words and (flag["fen"], flag["move"]) in checked]
            for game in games
        ]  # fmt: skip
        rows = [row for some in by_game for row in some]
        if not rows:
            continue
        below = [[loss >= ONE_BELOW[word] for word, loss in some] for some in by_game]
        held = sum(map(sum, below))
        least, most = interval(below)
        level = sum(loss >= BARS[word] for word, loss in rows)
        print(
            f"{name}: {len(rows)} checked, {held} ({held / len(rows):.0%}, 95 %: {least:.0%} to {most:.0%}) hold at "
            f"their level or one below (goal {GOALS[name]:.0%}), {level} ({level / len(rows):.0%}) at their level"
        )
        is_good &= held / len(rows) >= GOALS[name]
    opening = [move for game in games for move in game["opening"] if move["key"] in popular]
    named = [move for move in opening if move["word"]]
    wrong = [move for move in named if checked.get((move["fen"], move["move"]), 1.0) < BARS["inaccuracy"]]
    sound = len(opening) - (len(named) - len(wrong))
    share = len(wrong) / max(1, sound)
    print(f"book moves: {sound} sound, {len(wrong)} of them with a word: {share:.1%} (goal at most {BOOK_GOAL:.0%})")
    for move in wrong:
        print(f"  {move['label']} ({move['word']}) {move['fen']}")
    return is_good and share <= BOOK_GOAL


def main() -> int:
    parser = argparse.ArgumentParser(description="Have the errors that analyse names checked by another engine.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.pgn")
    parser.add_argument("--flags", type=int, default=200, help="moves with a word to check (default: 200)")
    parser.add_argument("--engine", default="stockfish", help="UCI engine (default: stockfish)")
    parser.add_argument("--depth", type=int, default=20, help="of the other engine (default: 20)")
    parser.add_argument("--engine-hash", type=int, default=256, help="MiB of its table (default: 256)")
    parser.add_argument("--nodes", type=int, default=NODES, help="per position (default: the command's own)")
    parser.add_argument("--hash", type=int, default=16, help="MiB of our table (default: 16)")
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("verdicts.jsonl"), help="file of results")
    args = parser.parse_args()

    store = Store(args.keep)
    rng = random.Random(args.seed)
    games = {path: games_of(path) for path in args.files}
    if not any(games.values()):
        print("no game of the files can be judged", file=sys.stderr)
        return 2
    popular = popular_moves(game for some in games.values() for game in some)
    orders = [rng.sample([(path, game) for game in some], len(some)) for path, some in games.items()]
    queue = [one for turn in zip_longest(*orders) for one in turn if one is not None]
    other = chess.engine.SimpleEngine.popen_uci(args.engine, timeout=None)
    other.configure({"Hash": args.engine_hash})
    try:
        with Engine(hash_mib=args.hash) as engine:
            measure(store, queue, popular, engine, other, args)
    finally:
        other.quit()
    return 0 if report(store, popular) else 1


def measure(store: Store, queue: Sequence[tuple[Path, Game]], popular: set[str],
            engine: Engine, other: chess.engine.SimpleEngine, args: argparse.Namespace) -> None:  # fmt: skip
    """Analyses games and has their errors checked, game by game, until enough have been."""
    rows = {(row["file"], row["number"]): row for row in store.of("game")}
    known = {(row["fen"], row["move"]) for row in store.of("check")}
    flags = 0
    for path, game in queue:
        if flags >= args.flags:
            return
        row = rows.get((path.name, game.number))
        if row is None:
            found = analysed(engine, game, args.nodes, args.workers)
            row = {"kind": "game", "file": path.name, "number": game.number, **found}
            store.add(row)
        flags += len(row["flags"])
        in_book = [move for move in row["opening"] if move["word"] and move["key"] in popular]
        for flag in (*row["flags"], *in_book):
            fen, move = flag["fen"], flag["move"]
            if (fen, move) not in known:
                known.add((fen, move))
                store.add({"kind": "check", "fen": fen, "move": move, **checked_by(other, fen, move, args.depth)})


if __name__ == "__main__":
    sys.exit(main())
