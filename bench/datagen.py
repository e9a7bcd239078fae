"""Speed of self-play: positions per second by nodes per move and workers, and what becomes of them.

    python bench/datagen.py
    python bench/datagen.py --nodes 300 1000 --net "<classical>" --seconds 20

Nodes and workers take turns in every round, and the best round counts. Also told: the share of the time that
workers spend in the search, nodes per second, and the share of positions fit for training.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

try:
    import cythera  # noqa: F401
except ImportError:
    sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))

import numpy as np

from cythera.core import GameCursor
from cythera.errors import CytheraError
from cythera.net.load import net_for
from cythera.training.datagen import DatagenSettings, GameBatch, games_per_unit, hash_for, play_batch
from cythera.training.positions import PLY_BYTES, RECORD_BYTES


class Played(NamedTuple):
    """What one worker did."""

    plies: int
    quiet: int
    nodes: int
    seconds: float
    searching: float


def play_for(seconds: float, settings: DatagenSettings) -> Played:
    """Whole batches of games until the time is up."""
    plies = quiet = nodes = 0
    spent = searching = 0.0
    number = 0
    unit = games_per_unit(settings.nodes)
    while spent < seconds:
        raw, lengths, searched, took, inside = play_batch(settings, GameBatch(number, unit))
        number += unit
        room = np.empty((len(raw) // PLY_BYTES, RECORD_BYTES), np.uint8)
        quiet += GameCursor(raw).training_records(room, 0, len(room), 0, 1, 0.0)[0]
        plies += sum(length - 36 for length in lengths) // PLY_BYTES
        nodes, spent, searching = nodes + searched, spent + took, searching + inside
    return Played(plies, quiet, nodes, spent, searching)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, nargs="+", default=[300, 1000], help="soft nodes per move")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="processes")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, of which the best counts")
    parser.add_argument("--seconds", type=float, default=10.0, help="seconds per round")
    parser.add_argument("--net", default="<default>", metavar="FILE", help="as for `cythera datagen`")
    args = parser.parse_args()
    net_for(args.net)  # a bad one is told here, not by the workers
    best: dict[tuple[int, int], tuple[float, list[Played]]] = {}
    for turn in range(args.rounds):
        for nodes in args.nodes:
            for workers in args.workers:
                jobs = [
                    DatagenSettings(seed=100 * turn + worker, nodes=nodes, eval_file=args.net, hash_mib=hash_for(nodes))
                    for worker in range(workers)
                ]
                with ProcessPoolExecutor(workers) as pool:
                    done = list(pool.map(play_for, [args.seconds] * workers, jobs))
                rate = sum(one.plies / one.seconds for one in done)
                best[nodes, workers] = max(best.get((nodes, workers), (0.0, [])), (rate, done))
    print("| nodes per move | workers | positions/s | fit for training/s | nodes/s | time in the search |")
    print("|---|---|---|---|---|---|")
    for (nodes, workers), (rate, done) in best.items():
        quiet = sum(one.quiet / one.seconds for one in done)
        speed = sum(one.nodes / one.seconds for one in done)
        inside = sum(one.searching for one in done) / sum(one.seconds for one in done)
        print(f"| {nodes:,} | {workers} | {rate:,.0f} | {quiet:,.0f} | {speed:,.0f} | {inside:.1%} |")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except CytheraError as error:
        sys.exit(f"{error}")
