"""`cythera tune wdl`: fits the WDL model to games."""

import argparse

from cythera.cli.arguments import add_output


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="cythera tune wdl", description="Fit the chances of win, draw and loss by score to self-play games."
    )
    parser.add_argument("games", nargs="+", metavar="FILE", help="game files, or folders of them")
    parser.add_argument("--rescale", metavar="NET", help="the net that played them, to be written with a new scale")
    add_output(parser, "the rescaled net: +100 is a 50 %% chance to win at move 32", metavar="NET")
    args = parser.parse_args(argv)
    if (args.rescale is None) != (args.output is None):
        parser.error("--rescale and --output must be given together")

    from cythera.net.file import read
    from cythera.training.game_file import game_files
    from cythera.tuning.wdl import ChancesError, fit, rescale, tally

    net = read(args.rescale) if args.rescale else None
    try:
        counts = tally(game_files(args.games))
    except OSError as error:
        raise ChancesError(f"cannot read {error.filename}: {error.strerror}") from error
    shift, spread, rows = fit(counts)
    print("  move   positions       a       b   fitted a, b")
    for move, positions, a, b in rows:
        at = [sum(c * (move / 32) ** power for power, c in enumerate(row)) for row in (shift, spread)]
        print(f"{move:6.0f} {positions:11,.0f} {a:7.1f} {b:7.1f}   {at[0]:7.1f} {at[1]:7.1f}")
    if net is not None:
        factor = rescale(net, shift, args.output)
        shift, spread = ([c * factor for c in row] for row in (shift, spread))
        print(f"\n{args.output}: scores are multiplied by {factor:.4f}, chances are for the new ones")
    print("\nFor engine/cythera/board/scores.py:")
    for name, row in (("WDL_SHIFT", shift), ("WDL_SPREAD", spread)):
        print(f"{name} = ({', '.join(f'{c:.2f}' for c in row)})")
    return 0
