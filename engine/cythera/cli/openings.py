"""`cythera openings`: makes an opening file for matches."""

import argparse
import gzip
import itertools
import lzma
import os
import sys
import time
from pathlib import Path

from cythera.common.signals import stop_signal
from cythera.match.errors import MatchError
from cythera.match.openings.maker import Found, Wish, make_openings
from cythera.match.uci.engines import identify, resolve

EPILOG = """\
examples:
  cythera openings 3000 -o balanced.epd.xz
  cythera openings 1000 -o unbalanced.epd --window 80:130 --plies 6
  cythera openings 500 -o white-is-better.epd --window +60:+120"""

REPORT_S = 5.0


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="cythera openings",
        description="Make openings by random legal moves, keeping those that a search finds balanced.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("count", type=int, metavar="N", help="how many openings")
    top.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="EPD, also .epd.xz or .epd.gz")
    top.add_argument(
        "--engine", default="cythera", metavar="ENGINE", help="who judges, as for `cythera match` (cythera)"
    )
    top.add_argument("--nodes", type=int, default=10_000, metavar="N", help="nodes a position (10000)")
    top.add_argument("--plies", type=int, default=8, metavar="N", help="random plies (8)")
    top.add_argument("--spread", type=int, default=1, metavar="N", help="up to so many plies more (1)")
    top.add_argument("--window", default="0:50", metavar="LOW:HIGH",
                     help="size of the score in centipawns (0:50); with signs, white's score")  # fmt: skip
    top.add_argument("--chess960", action="store_true", help="from the 960 starting positions")
    top.add_argument("--scores", action="store_true", help="write the score as `ce`, from the mover's side")
    top.add_argument("--seed", type=int, default=0, metavar="N")
    top.add_argument("--concurrency", type=int, metavar="N", help="positions at a time (the number of cores)")
    top.add_argument("--cluster", metavar="ADDRESS|local", help="work on a dask.distributed cluster")
    return top


def parse_window(text: str) -> tuple[int, int, bool]:
    """Bounds in centipawns, and whether they have signs.

    >>> parse_window("80:130"), parse_window("-20:+20")
    ((80, 130, False), (-20, 20, True))
    """
    low, _, high = text.partition(":")
    try:
        bounds = int(low), int(high)
    except ValueError:
        raise MatchError(f"--window {text!r} must be LOW:HIGH in centipawns, such as 0:50") from None
    return *bounds, "+" in text or "-" in text


def line(found: Found, *, scores: bool) -> str:
    if not scores:
        return found.epd
    mover_cp = found.score_cp if " w " in found.epd else -found.score_cp
    return f"{found.epd} ce {mover_cp};"


def write(path: Path, lines: list[str]) -> None:
    """Write all at once, compressed as the name says. The same lines give the same bytes."""
    data = "".join(f"{text}\n" for text in lines).encode()
    if path.suffix == ".xz":
        data = lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)
    elif path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise MatchError(f"the openings cannot be written to {path}: {error.strerror}") from error


def main(argv: list[str]) -> int:
    """Make a file of openings. 1 when it was stopped before it had all of them."""
    args = parser().parse_args(argv)
    if args.count < 1:
        raise MatchError(f"at least one opening must be asked for, not {args.count}")
    low, high, signed = parse_window(args.window)
    wish = Wish(args.plies, args.spread, args.nodes, low, high, signed, args.chess960)
    engine = resolve(args.engine, {})
    identify(engine, chess960=args.chess960)
    write(args.output, [])  # rather now than after all the work
    concurrency = args.concurrency if args.concurrency is not None else os.cpu_count() or 1
    found: list[Found] = []
    begin = report = time.monotonic()
    with stop_signal() as stop:
        supply = make_openings(engine, wish, args.seed, concurrency=concurrency, cluster=args.cluster, stop=stop)
        for opening in itertools.islice(supply, args.count):
            found.append(opening)
            if time.monotonic() - report > REPORT_S:
                report = time.monotonic()
                share = len(found) / (opening.number + 1)
                left_s = (report - begin) / len(found) * (args.count - len(found))
                print(f"{len(found)} of {args.count}, {share:.0%} of candidates kept, {left_s:.0f} s left",
                      file=sys.stderr, flush=True)  # fmt: skip
        supply.close()
    write(args.output, [line(opening, scores=args.scores) for opening in found])
    print(f"{len(found)} openings in {args.output}")
    return 0 if len(found) == args.count else 1
