"""Soak: sums that follow the moves against sums from the definition, on a million positions a net, or as many as told.

    python bench/soak_net.py --positions 1000000 --workers 2 --seed 1

Random games are played and taken back as a search would, and evaluated now and then on the way: once by the
vector code with the sums that followed the moves, once number by number from the board. The nets are the
package's own and random ones of several sizes, whose weights clip and nearly overflow. Ends with exit code 1 if
any two evaluations differ.
"""

from __future__ import annotations

import argparse
import random
import struct
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from cythera.common.machine import available_cores
from cythera.core import Net, Searcher, check_net, choose_variant
from cythera.net.load import net_for

SIZES = (32, 96, 256, 512, 768, 1024)
CHUNK = 50_000  # positions a job


def random_net(hidden: int, seed: int) -> Net:
    """Weights of the largest sizes that cannot overflow."""
    rng = random.Random(seed)
    words = [rng.randint(-150, 150) for _ in range(768 * hidden)]
    words += [rng.randint(-500, 500) for _ in range(hidden)]
    words += [rng.choice((-127, 127, rng.randint(-127, 127))) for _ in range(16 * hidden)]
    biases = [rng.randint(-30_000, 30_000) for _ in range(8)]
    return Net(struct.pack(f"<{len(words)}h", *words) + struct.pack("<8i", *biases), hidden)


def differences(hidden: int, seed: int, positions: int) -> int:
    """How many positions are judged differently; the package's net for 0 hidden units."""
    searcher = Searcher(1)
    searcher.set_net(random_net(hidden, seed) if hidden else net_for())
    return check_net(searcher, seed=seed, positions=positions)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1_000_000, help="positions per net")
    parser.add_argument("--workers", type=int, default=available_cores())
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print(f"{args.positions} positions a net, seed {args.seed}, {choose_variant()} build, {args.workers} workers")
    start = time.perf_counter()
    chunks = [min(CHUNK, args.positions - at) for at in range(0, args.positions, CHUNK)]
    seeds = [args.seed * 1_000_000 + i for i in range(len(chunks))]
    sizes = SIZES if net_for() is None else (0, *SIZES)
    found = 0
    with ProcessPoolExecutor(args.workers) as pool:
        for hidden in sizes:
            wrong = sum(pool.map(differences, repeat(hidden), seeds, chunks))
            name = f"random net, {hidden} units" if hidden else "the package's net"
            print(f"{name}: {wrong} differences, {time.perf_counter() - start:.0f} s", flush=True)
            found += wrong
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
