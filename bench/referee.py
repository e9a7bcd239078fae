"""What the match referee costs: time it adds to an engine's move, and time between moves, two games at once.

    python bench/referee.py
    python bench/referee.py --think 5 --games 40

The engines play a prepared game without thinking (or burn `--think` ms of CPU a move) and say how long they
took by their own clock; whatever the referee measures beyond that is its own and the pipes'.
"""

import argparse
import random
import statistics
import sys
import time
from pathlib import Path

try:
    import cythera  # noqa: F401
except ImportError:
    sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))

PLIES = 160


def prepared_game() -> list[str]:
    """A legal game that is long enough and has no draw in it."""
    import chess

    for seed in range(1000):
        board, chances = chess.Board(), random.Random(seed)
        while len(board.move_stack) < PLIES and not board.is_game_over(claim_draw=True):
            board.push(chances.choice(sorted(board.legal_moves, key=lambda move: move.uci())))
        if len(board.move_stack) == PLIES:
            return [move.uci() for move in board.move_stack]
    raise AssertionError("no game found")


def engine(think_ms: float, game: list[str]) -> None:
    """The engine's side. Its own time travels as its node count, in microseconds."""
    played = 0
    for line in sys.stdin:
        begin = time.perf_counter()
        if line.startswith("uci\n"):
            print("id name Prepared\nuciok", flush=True)
        elif line.startswith("isready"):
            print("readyok", flush=True)
        elif line.startswith("position"):
            played = len(line.partition(" moves ")[2].split())
        elif line.startswith("go"):
            while (time.perf_counter() - begin) * 1000 < think_ms:
                pass
            move = game[played]
            own_us = round((time.perf_counter() - begin) * 1e6)
            print(f"info depth 1 score cp 20 nodes {own_us} pv {move}\nbestmove {move}", flush=True)
        elif line.startswith("quit"):
            return


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--think", type=float, default=2.0, metavar="MS")
    parser.add_argument("--engine", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.engine:
        engine(args.think, args.engine.split())
        return 0

    from cythera.common.executor import open_workers
    from cythera.match.adjudication import Rules
    from cythera.match.game_data import GameTask, Opening
    from cythera.match.referee import play_game
    from cythera.match.time_control import parse_time_control
    from cythera.match.uci.engines import EngineSpec

    command = (sys.executable, __file__, "--think", str(args.think), "--engine", " ".join(prepared_game()))
    white, black = EngineSpec("white", command), EngineSpec("black", command)
    control = parse_time_control("60+1")
    rules = Rules(max_moves=PLIES // 2)
    tasks = [GameTask(n, white, black, control, control, Opening(), rules) for n in range(args.games)]
    added: list[float] = []
    between: list[float] = []
    begin = time.perf_counter()
    with open_workers(args.workers) as pool:
        for _, record in pool.completed(play_game, tasks):
            assert not record.failure, record.reason
            assert not record.warnings, record.warnings
            added += [move.time_ms - (move.nodes or 0) / 1000 for move in record.moves]
            between.append(record.overhead_ms)
    wall_ms = (time.perf_counter() - begin) * 1000 * args.workers / len(added)
    added.sort()
    print(f"{args.games} games, {args.workers} at once, {len(added)} moves of {args.think:g} ms")
    print(f"on the engine's clock    median {statistics.median(added):.3f} ms, mean {statistics.fmean(added):.3f} ms,"
          f" 99 % {added[len(added) * 99 // 100]:.3f} ms, most {added[-1]:.3f} ms")  # fmt: skip
    print(f"between two moves        mean {statistics.fmean(between):.3f} ms")
    print(f"everything, with checks of lines, starts and files: {wall_ms - args.think:.3f} ms per move")
    return 0


if __name__ == "__main__":
    sys.exit(main())
