"""`cythera perft`: counts move sequences, the proof of a move generator."""

import argparse
import time

from cythera.board.position import Position


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="cythera perft", description="Count the move sequences of a length from a position."
    )
    parser.add_argument("depth", type=int, help="length in half-moves")
    parser.add_argument("--fen", metavar="FEN", help="position (default: the start position)")
    parser.add_argument("--chess960", action="store_true", help="the FEN is Chess960 or double Chess960")
    parser.add_argument("--divide", action="store_true", help="show the count of each first move")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads (default: 1)")
    args = parser.parse_args(argv)
    if not 0 <= args.depth <= 60:
        parser.error(f"depth must be between 0 and 60, got {args.depth}")
    if not 1 <= args.threads <= 256:
        parser.error(f"--threads must be between 1 and 256, got {args.threads}")
    position = Position(args.fen, chess960=args.chess960)
    start = time.perf_counter()
    if args.divide and args.depth:
        counts = position.divide(args.depth, args.threads)
        for move, count in sorted(counts.items()):
            print(f"{move}: {count}")
        nodes = sum(counts.values())
        print()
    else:
        nodes = position.perft(args.depth, args.threads)
    seconds = time.perf_counter() - start
    print(f"Nodes searched: {nodes}")
    print(f"Time: {seconds:.3f} s ({nodes / max(seconds, 1e-9) / 1e6:.1f} million per second)")
    return 0
