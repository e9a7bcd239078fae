"""`cythera compliance`: does a UCI engine behave as GUIs and tournament managers expect?"""

import argparse

from cythera.match.compliance import FAILED, check
from cythera.match.uci.engines import resolve


def main(argv: list[str]) -> int:
    """Check an engine. 0 when no check failed, 1 otherwise."""
    parser = argparse.ArgumentParser(
        prog="cythera compliance",
        description="Check that a UCI engine behaves as GUIs and tournament managers expect.",
        epilog="example: cythera compliance /usr/games/stockfish",
    )
    parser.add_argument("engine", metavar="ENGINE", help="a command, a checkout of Cythera, or cythera")
    args = parser.parse_args(argv)
    outcomes = []
    for outcome in check(resolve(args.engine, {})):
        outcomes.append(outcome)
        detail = f": {outcome.detail}" if outcome.detail else ""
        print(f"{outcome.state:15} {outcome.name}{detail}", flush=True)
    failed = sum(outcome.state == FAILED for outcome in outcomes)
    print(f"{len(outcomes)} checks, {failed} failed")
    return 1 if failed else 0
