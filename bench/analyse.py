"""What analysing costs: two workers against one, and one worker against the bare engine.

    python bench/analyse.py

The first part takes blocks of the bench's positions at the nodes the bench takes for them on average,
once by the bare searcher (nothing but its searches is counted) and once as a worker of `cythera
analyse` does it: emptying the table, searching with reports, lines as data, the progress file. Both
search the same tree. The goal is 3 % more processor time. The second analyses a file of games at fixed
nodes with one worker and with two, in turn; the goal is 1.85 times the speed on two idle cores. Times are
the best of the rounds, since whatever else a machine does can only add to them.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

import chess
import chess.pgn

from cythera.analyse.analysis_run import AnalysisRun, Outputs
from cythera.analyse.blocks import Settings, search_positions
from cythera.analyse.progress import Journal
from cythera.board.position import Position
from cythera.cli.analyse import NODES
from cythera.core import Searcher
from cythera.engine.batch import BLOCK
from cythera.engine.bench import DEPTH, HASH_MIB, POSITIONS, bench
from cythera.engine.limits import Limit

SPEEDUP_GOAL = 1.85
OVERHEAD_GOAL = 0.03
RANDOM_PLIES = 6


def some_games(count: int, plies: int) -> str:
    """Games of the engine against itself after a few random moves, the same every time."""
    rng = random.Random(1)
    searcher = Searcher(1, 1)
    texts = []
    for number in range(count):
        game = chess.pgn.Game({"Event": "bench", "Round": str(number + 1), "Result": "*"})
        node: chess.pgn.GameNode = game
        board = chess.Board()
        while board.ply() < plies and not board.is_game_over():
            if board.ply() < RANDOM_PLIES:
                move = rng.choice(list(board.legal_moves))
            else:
                move = chess.Move.from_uci(searcher.go(Position.from_board(board), nodes=500)[0].moves[0])
            node = node.add_variation(move)
            board.push(move)
        texts.append(str(game))
    return "\n\n".join(texts) + "\n"


def analyse_s(folder: Path, source: Path, nodes: int, workers: int) -> float:
    """Seconds of a whole run, from reading the file to the written outputs."""
    begun = time.perf_counter()
    outputs = Outputs(folder / "out.pgn", folder / "out.html")
    run = AnalysisRun(source, Settings(nodes=nodes), outputs, workers, restart=True)
    with run.journal() as journal:
        run.search(journal, lambda positions: None)
        journal.remove()
    return time.perf_counter() - begun


def speedup(args: argparse.Namespace) -> float:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "games.pgn"
        source.write_text(some_games(args.games, args.plies), encoding="utf-8")
        times: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(args.rounds):
            for workers in times:
                times[workers].append(analyse_s(folder, source, args.nodes, workers))
    one, two = (min(values) for values in times.values())
    positions = args.games * (args.plies + 1)
    print(f"{args.games} games, at most {positions:,} positions at {args.nodes:,} nodes, best of {args.rounds}")
    print(f"one worker {one:.2f} s, two workers {two:.2f} s: {one / two:.2f} times (goal {SPEEDUP_GOAL})")
    return one / two


def bench_blocks() -> list[list[Position]]:
    """The bench's positions in blocks, as the positions of games come."""
    positions = [Position(fen) for fen in POSITIONS]
    return [positions[at : at + BLOCK] for at in range(0, len(positions), BLOCK)]


def bare_s(nodes: int) -> float:
    """Processor seconds of the searches alone, tables as in the analysis."""
    searcher = Searcher(HASH_MIB, 1)
    spent = 0.0
    for block in bench_blocks():
        searcher.clear()
        for position in block:
            begun = time.process_time()
            searcher.go(position, nodes=nodes)
            spent += time.process_time() - begun
    return spent


def analysed_s(nodes: int, folder: Path) -> float:
    """Processor seconds of the whole way of a block from its positions to the progress file."""
    journal = Journal(folder / f"progress-{time.monotonic_ns()}", {})
    searcher = Searcher(HASH_MIB, 1)
    limit = Limit(nodes=nodes)
    begun = time.process_time()
    for number, block in enumerate(bench_blocks()):
        journal.add(number, 0, search_positions(searcher, block, limit, 1))
    spent = time.process_time() - begun
    journal.close()
    return spent


def overhead(args: argparse.Namespace) -> float:
    nodes = bench(args.depth)[0] // len(POSITIONS)
    with tempfile.TemporaryDirectory() as name:
        pairs = [(bare_s(nodes), analysed_s(nodes, Path(name))) for _ in range(args.rounds)]
    bare, analysed = (min(column) for column in zip(*pairs, strict=True))
    share = analysed / bare - 1
    print(f"{len(POSITIONS)} positions at {nodes:,} nodes, best of {args.rounds}")
    print(f"bare {bare:.3f} s, analysed {analysed:.3f} s: {share:+.1%} (goal {OVERHEAD_GOAL:+.0%})")
    return share


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure what analysing costs.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--plies", type=int, default=79)
    parser.add_argument("--nodes", type=int, default=NODES, help="nodes per position (default: the command's own)")
    parser.add_argument("--depth", type=int, default=DEPTH, help=f"of the bench (default: {DEPTH})")
    args = parser.parse_args()
    share = overhead(args)
    print()
    factor = speedup(args)
    return 0 if share <= OVERHEAD_GOAL and factor >= SPEEDUP_GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
