"""`cythera bench`: the engine's signature and speed, in the form that OpenBench reads."""

import argparse


def main(argv: list[str]) -> int:
    from cythera.engine.bench import DEPTH, HASH_MIB, run_bench

    parser = argparse.ArgumentParser(
        prog="cythera bench",
        description="Search fixed positions to a fixed depth. The node count is the signature of this version: "
        "equal on every machine and build. The last line is `N nodes M nps`.",
    )
    parser.add_argument("depth", nargs="?", default=str(DEPTH), help=f"search depth (default: {DEPTH})")
    parser.add_argument("hash", nargs="?", default=str(HASH_MIB), help=f"hash table in MiB (default: {HASH_MIB})")
    parser.add_argument("threads", nargs="?", default="1", help="search threads (default: 1)")
    args = parser.parse_args(argv)
    run_bench([args.depth, args.hash, args.threads], print)
    return 0
