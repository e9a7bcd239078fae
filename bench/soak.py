"""Soak: the compiled board against python-chess on a million random positions, or as many as told.

    python bench/soak.py --positions 1000000 --workers 2 --seed 1

The checks are those of the tests (twin_checks.py), the dear ones at some positions only. Ends with
exit code 1 at the first difference, told with the game that leads there.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from cythera import Position
from cythera.common.machine import available_cores
from cythera.core import choose_variant

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support import twin_checks, twins

CHUNK = 2000  # positions a job: a few seconds


def soak(kind: str, seed: int, positions: int) -> Counter[str]:
    """Visits `positions` positions and returns the number of checks of each kind."""
    made: Counter[str] = Counter()
    for at, pair in enumerate(twins.walk(kind, seed, positions, Position)):
        for name, (check, every) in twin_checks.CHECKS.items():
            if at % every == 0:
                check(pair)
                made[name] += 1
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description="Hold the compiled board to python-chess on random games.")
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=available_cores())
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    kinds = list(twins.STARTS)
    jobs = []
    left = args.positions
    while left > 0:
        jobs.append((kinds[len(jobs) % len(kinds)], args.seed * 1_000_000 + len(jobs), min(CHUNK, left)))
        left -= CHUNK
    print(f"{args.positions} positions, seed {args.seed}, {choose_variant()} build, {args.workers} workers", flush=True)
    start = time.perf_counter()
    made: Counter[str] = Counter()
    walked = 0
    with ProcessPoolExecutor(args.workers) as pool:
        running = {pool.submit(soak, *job): job for job in jobs}
        for done in as_completed(running):
            kind, seed, positions = running[done]
            try:
                made += done.result()
            except AssertionError as difference:
                print(f"\nDifference in {kind}, seed {seed}:\n{difference}")
                pool.shutdown(cancel_futures=True)
                return 1
            before, walked = walked, walked + positions
            if walked * 20 // args.positions > before * 20 // args.positions:
                print(f"{walked:>9} positions, {time.perf_counter() - start:.0f} s", flush=True)
    for name, count in made.items():
        print(f"{name:>14}: agreed {count} times")
    print(f"No difference in {walked} positions, {time.perf_counter() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
