"""`cythera datagen`: plays games against itself for tuning and training."""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path

from cythera.cli.arguments import add_cluster, add_output, add_workers, workers_of
from cythera.common.executor import open_workers
from cythera.common.signals import terminated_as_interrupted
from cythera.training.datagen import (
    START_NODES,
    DatagenRun,
    DatagenSettings,
    batches,
    engine_signature,
    games_per_unit,
    hash_for,
    play_batch,
    read_openings,
)  # fmt: skip

RESULTS = ("Black wins", "draws", "White wins")
SCORE_LABELS = ("below -8", "-8 to -3", "-3 to -1", "-1 to -0.3", "level", "0.3 to 1", "1 to 3", "3 to 8", "above 8")


def histogram(counts: list[int], labels: tuple[str, ...]) -> str:
    total = max(sum(counts), 1)
    return "\n".join(
        f"  {label:>12} {count:>9,} {'█' * round(40 * count / total)}"
        for label, count in zip(labels, counts, strict=True)
    )


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="cythera datagen",
        description="Play games against itself for tuning and training. The same command resumes a stopped run.",
    )
    add_output(parser, "folder for the games", metavar="DIR", required=True)
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--games", type=int, metavar="N", help="stop when the file holds this many games")
    amount.add_argument("--positions", type=int, metavar="N", help="stop when the file holds this many positions")
    parser.add_argument("--nodes", type=int, default=1000, metavar="N", help="soft node limit per move (default: 1000)")
    add_workers(parser)
    add_cluster(parser)
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="random seed, also the name of the run (default: 1)"
    )
    parser.add_argument(
        "--openings", default="random", metavar="random|FILE", help="random moves, or EPD or PGN (default: random)"
    )
    parser.add_argument(
        "--chess960", type=float, default=0.0, metavar="SHARE", help="share of Chess960 games, 0 to 1 (default: 0)"
    )
    parser.add_argument(
        "--net", default="<default>", metavar="FILE",
        help="net to play with, as EvalFile in docs/uci-options.md (default: the shipped net)",
    )  # fmt: skip
    args = parser.parse_args(argv)
    workers = workers_of(args)
    if args.net not in ("<default>", "<classical>"):
        args.net = str(Path(args.net).absolute())
    for name, low in (("games", 1), ("positions", 1), ("nodes", 1), ("seed", 0)):
        value = getattr(args, name)
        if value is not None and value < low:
            parser.error(f"--{name} must be at least {low}, got {value}")
    if not 0 <= args.chess960 <= 1:
        parser.error(f"--chess960 must be between 0 and 1, got {args.chess960}")
    if args.chess960 and args.openings != "random":
        parser.error("--chess960 is for random openings; a file says itself where games start")
    fens = [] if args.openings == "random" else read_openings(args.openings)
    settings = DatagenSettings(
        seed=args.seed, nodes=args.nodes, chess960_share=args.chess960, openings=args.openings,
        eval_file=args.net, signature=engine_signature(args.net), hash_mib=hash_for(args.nodes),
        start_nodes=max(START_NODES, args.nodes),
    )  # fmt: skip
    return generate(DatagenRun(args.output, settings), args, workers, fens)


def generate(run: DatagenRun, args: argparse.Namespace, workers: int, fens: list[str]) -> int:
    """Plays until there is enough or Ctrl-C; prints what there is."""
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    total = args.games or args.positions
    begun, plies_before = time.monotonic(), run.plies
    spent = inside = 0.0
    units = batches(run.writer.games, args.games, fens, games_per_unit(run.settings.nodes))
    interrupted = False
    with (
        terminated_as_interrupted(),
        Progress(*Progress.get_default_columns(), TimeElapsedColumn(), TextColumn("{task.fields[speed]}")) as progress,
    ):
        task = progress.add_task("playing", total=total, speed="")
        try:
            with open_workers(workers, args.cluster) as pool:
                enough = partial(has_enough, run, args.positions)
                for batch, (raw, lengths, _, seconds, searching) in pool.completed(
                    partial(play_batch, run.settings), units, stopped=enough
                ):
                    run.add(batch, raw, lengths)
                    spent, inside = spent + seconds, inside + searching
                    rate = (run.plies - plies_before) / max(time.monotonic() - begun, 1e-9)
                    done = run.writer.games if args.games else run.plies
                    progress.update(task, completed=done, speed=f"{rate:,.0f} positions/s")
        except KeyboardInterrupt:
            interrupted = True
    run.writer.close()
    print(f"{run.writer.games:,} games, {run.plies:,} positions in {run.path}")
    if spent:
        print(f"{inside / spent:.1%} of the workers' time was spent in the search")
    print(histogram(run.results, RESULTS))
    print(histogram(run.scores, SCORE_LABELS))
    return 130 if interrupted else 0


def has_enough(run: DatagenRun, positions: int | None) -> bool:
    return positions is not None and run.plies >= positions
