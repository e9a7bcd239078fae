"""Speed of training: positions per second, compiled and in PyTorch, by size of the net and threads.

    python bench/train.py games
    python bench/train.py games --hidden 256 512 768 --threads 1 --rounds 5 --no-torch --cpu

A step is a batch of 16,384 positions: gradient and AdamW. Sizes and threads take turns in every round, and the
best round counts; on a busy machine only ratios within one call say something, and `--cpu` takes the processor time
of the threads in place of the clock. Also told: how fast games become positions, and the shuffling of an epoch.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

try:
    import cythera  # noqa: F401
except ImportError:
    sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))

import numpy as np

from cythera.errors import CytheraError
from cythera.training.game_file import game_files, raw_size
from cythera.training.positions import PLY_BYTES, Positions, load
from cythera.training.run import TrainingRun, TrainingSettings

BATCH = 16_384


def compiled_speed(
    positions: Positions, hidden: int, threads: int, steps: int, king_buckets: int = 1, cpu: bool = False
) -> float:
    """Positions per second of some steps, the first of which does not count; per second of a processor with `cpu`."""
    settings = TrainingSettings(
        hidden=hidden, threads=threads, batch=BATCH, epochs=1_000_000, king_buckets=king_buckets
    )
    run = TrainingRun(settings, positions)
    records, order = positions.shard(0), positions.order(0, 1, 0)
    clock = time.process_time if cpu else time.perf_counter
    with ThreadPoolExecutor(threads) as pool:
        run.step(pool, records, order)
        begun = clock()
        for _ in range(steps):
            run.progress.batch %= run.batches[0]
            run.step(pool, records, order)
        return steps * run.batch / (clock() - begun)


def torch_speed(positions: Positions, hidden: int, threads: int, steps: int) -> float:
    import torch

    from cythera.training import torch_reference as reference

    torch.set_num_threads(threads)
    net = reference.Perspectives(hidden)
    net.load_flat(np.random.default_rng(1).normal(0, 0.04, 785 * hidden + 8).astype(np.float32))
    adam = reference.optimiser(net, 1e-3, 0.01)
    chosen = positions.order(0, 1, 0)[:BATCH]
    batch = reference.batch_of(np.ascontiguousarray(positions.shard(0)[chosen]), 0.3)  # not timed
    reference.step(net, adam, batch)
    begun = time.perf_counter()
    for _ in range(steps):
        reference.step(net, adam, batch)
    return steps * len(chosen) / (time.perf_counter() - begun)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", help="game files, or folders of them")
    parser.add_argument("--hidden", type=int, nargs="+", default=[32, 64, 128, 256], help="sizes of the net")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="numbers of threads")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the best counts")
    parser.add_argument("--steps", type=int, default=40, help="steps per round, a tenth with PyTorch (default: 40)")
    parser.add_argument("--king-buckets", type=int, default=1, choices=(1, 2, 4, 8), help="of the compiled trainer")
    parser.add_argument("--cpu", action="store_true", help="processor time in place of the clock")
    parser.add_argument("--no-torch", action="store_true", help="leave PyTorch out")
    args = parser.parse_args()
    begun = time.perf_counter()
    positions = load(args.games)
    took = time.perf_counter() - begun
    plies = sum(map(raw_size, game_files([Path(path) for path in args.games]))) // PLY_BYTES
    print(f"{positions.facts.positions:,} positions; {plies / took / 1e6:.1f} million plies read a second")
    begun = time.perf_counter()
    positions.order(0, 1, 0)
    print(f"an epoch is shuffled in {time.perf_counter() - begun:.2f} s")
    ways = {"compiled": (partial(compiled_speed, king_buckets=args.king_buckets, cpu=args.cpu), args.steps)}
    if not args.no_torch:
        try:
            import torch  # noqa: F401

            ways["PyTorch"] = (torch_speed, max(1, args.steps // 10))
        except ImportError:
            print("PyTorch is not installed (extra `train`): left out", file=sys.stderr)
    best: dict[tuple[str, int, int], float] = {}
    for _ in range(args.rounds):
        for way, (speed, steps) in ways.items():
            for hidden in args.hidden:
                for threads in args.threads:
                    key = way, hidden, threads
                    best[key] = max(best.get(key, 0.0), speed(positions, hidden, threads, steps))
    columns = [(way, threads) for way in ways for threads in args.threads]
    names = [f"{way}, {threads} thread{'s' * (threads > 1)}" for way, threads in columns]
    print(f"\n| hidden | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for hidden in args.hidden:
        cells = " | ".join(f"{best[way, hidden, threads]:,.0f}" for way, threads in columns)
        print(f"| {hidden} | {cells} |")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CytheraError as error:
        sys.exit(f"{error}")
