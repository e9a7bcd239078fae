"""`cythera tune eval`: fits the weights of the classical evaluation to games."""

import argparse
import time
from pathlib import Path

from cythera.cli.arguments import add_output


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cythera tune eval",
        description="Fit the weights of the classical evaluation to self-play games (see `cythera datagen`).",
    )
    parser.add_argument("games", nargs="+", metavar="FILE", help="game files, or folders of them")
    add_output(parser, "file for the weights, such as ext/weights.txt", required=True)
    parser.add_argument("--describe", type=Path, metavar="FILE",
                        help="file with the descriptions of the weights (default: the output)")  # fmt: skip
    parser.add_argument("--positions", type=int, default=2_000_000, metavar="N",
                        help="largest number of positions (default: 2,000,000)")  # fmt: skip
    parser.add_argument("--keep", type=int, default=4, metavar="N", help="use every Nth position (default: 4)")
    parser.add_argument("--steps", type=int, default=300, metavar="N",
                        help="steps of gradient descent (default: 300)")  # fmt: skip
    parser.add_argument("--result-weight", dest="blend", type=float, default=0.5, metavar="W",
                        help="share of the game's result in the target (default: 0.5)")  # fmt: skip
    parser.add_argument("--pull", type=float, default=1000.0, metavar="N",
                        help="regularisation towards the present weights, in positions (default: 1000)")  # fmt: skip
    parser.add_argument("--held-out", type=float, default=0.1, metavar="SHARE",
                        help="share of games held out for validation (default: 0.1)")  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (default: 1)")
    return parser


def main(argv: list[str]) -> int:
    args = make_parser().parse_args(argv)
    import numpy as np
    from rich.progress import Progress

    from cythera.core import get_weights
    from cythera.tuning.texel import Fit, load_rows, read_descriptions, split_rows, write_weights

    table = get_weights()
    start = np.array([pair for _, pairs in table for pair in pairs], np.float32)
    begun = time.monotonic()
    rows = load_rows(args.games, args.keep, args.positions, args.seed)
    fitted, held_out = split_rows(rows, args.held_out)
    fit = Fit(fitted, start, args.blend, args.pull)
    check = Fit(held_out, start, args.blend)
    check.slope = fit.slope
    print(f"{len(rows):,} positions, {len(rows.indices) / len(rows):.0f} features each; "
          f"a centipawn moves the odds by {fit.slope:.5f}")  # fmt: skip
    before, check_before = fit.loss_and_gradient()[0], check.loss_and_gradient()[0]
    with Progress() as progress:
        task = progress.add_task("tuning", total=args.steps)
        fit.train(args.steps, on_step=lambda step, loss: progress.update(
            task, completed=step, description=f"loss {loss:.6f}"))  # fmt: skip
    check.weights = fit.weights
    after, check_after = fit.loss_and_gradient()[0], check.loss_and_gradient()[0]
    source = args.describe or args.output
    about = read_descriptions(source) if source.exists() else {}
    write_weights(args.output, [(name, len(pairs)) for name, pairs in table], fit.weights, about)
    print(f"loss {before:.6f} -> {after:.6f}; on games held out {check_before:.6f} -> {check_after:.6f}")
    print(f"{time.monotonic() - begun:.0f} s; written to {args.output}")
    return 0
