"""`cythera openings`: makes an opening file for matches."""

from __future__ import annotations

import argparse
import gzip
import itertools
import lzma
import sys
import time
from pathlib import Path

from cythera.cli.arguments import add_cluster, add_output, add_seed, add_workers, problem_printer, workers_of
from cythera.common.signals import stop_signal
from cythera.match.match_errors import MatchError
from cythera.match.openings.maker import Criteria, FoundOpening, make_openings
from cythera.match.uci.engines import identify, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.games.lines import PlayedLine

EPILOG = """\
examples:
  cythera openings 3000 -o balanced.epd.xz
  cythera openings 1000 -o unbalanced.epd --window 80:130 --plies 6
  cythera openings 500 -o white-is-better.epd --window +60:+120
  cythera openings 2000 -o played.pgn --from games.pgn.zst --plies 12 --min-games 3"""

REPORT_S = 5.0


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="cythera openings",
        description="Make openings by random legal moves, or take lines from games, keeping those that a search finds "
        "balanced.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("count", type=int, metavar="N", help="number of openings")
    add_output(top, "EPD, also .epd.xz or .epd.gz; with --from also .pgn, with the moves", required=True)
    top.add_argument("--from", dest="games", nargs="+", metavar="GAMES",
                     help="take the first moves of these games (PGN, also packed) instead of random ones")  # fmt: skip
    top.add_argument("--min-games", type=int, default=1, metavar="N",
                     help="with --from: lowest number of games of a position (default: 1)")  # fmt: skip
    top.add_argument("--min-rating", type=int, default=0, metavar="N", help="with --from: lowest rating of both")
    top.add_argument("--engine", default="cythera", metavar="ENGINE",
                     help="engine that evaluates them, as for `cythera match` (default: cythera)")  # fmt: skip
    top.add_argument("--nodes", type=int, default=10_000, metavar="N", help="nodes per position (default: 10000)")
    top.add_argument("--plies", type=int, default=8, metavar="N", help="plies per opening (default: 8)")
    top.add_argument("--spread", type=int, default=1, metavar="N", help="up to N more plies, at random (default: 1)")
    top.add_argument("--window", default="0:50", metavar="LOW:HIGH",
                     help="absolute score in centipawns; with signs, white's score (default: 0:50)")  # fmt: skip
    top.add_argument("--chess960", action="store_true", help="start from the 960 positions of Chess960")
    top.add_argument("--scores", action="store_true", help="write the score as `ce`, from the side to move")
    add_seed(top)
    add_workers(top, "positions in parallel")
    add_cluster(top)
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


def line(found: FoundOpening, *, scores: bool) -> str:
    if not scores:
        return found.epd
    mover_cp = found.score_cp if " w " in found.epd else -found.score_cp
    return f"{found.epd} ce {mover_cp};"


def lines_from(args: argparse.Namespace) -> list[PlayedLine]:
    """The lines of the games that --from names, in an order by the seed."""
    from cythera.games.lines import played_lines

    if args.chess960:
        raise MatchError("--from takes lines from the usual start, and --chess960 has others")

    found = played_lines(args.games, args.plies, spread_plies=args.spread, min_games=args.min_games,
                         min_rating=args.min_rating, seed=args.seed,
                         on_problem=problem_printer("openings"))  # fmt: skip
    if not found:
        raise MatchError(f"no game of {', '.join(args.games)} has such a line")
    return found


def pgn(moves: tuple[str, ...], found: FoundOpening) -> str:
    """A line as a game without result."""
    from cythera.board.position import Position
    from cythera.games.opening_names import opening_code, opening_name, opening_number

    number, _ = opening_number(Position(), moves)
    tags = f'[ECO "{opening_code(number)}"]\n[Opening "{opening_name(number)}"]\n' if number else ""
    score = f"{{ {found.score_cp / 100:+.2f} }} "
    return f'[Event "Opening {found.number + 1}"]\n[Result "*"]\n{tags}\n{Position().variation_san(moves)} {score}*\n'


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
        raise MatchError(f"cannot write the openings to {path}: {error.strerror}") from error


def main(argv: list[str]) -> int:
    """Make a file of openings. 130 when it was stopped, 1 when there were not enough of them."""
    args = parser().parse_args(argv)
    if args.count < 1:
        raise MatchError(f"the number of openings must be at least 1, got {args.count}")
    if args.output.suffix == ".pgn" and not args.games:
        raise MatchError("random openings are written as EPD; .pgn is for --from")
    low, high, signed = parse_window(args.window)
    criteria = Criteria(args.plies, args.spread, args.nodes, low, high, signed, args.chess960)
    engine = resolve(args.engine, {})
    identify(engine, chess960=args.chess960)
    lines = lines_from(args) if args.games else []
    write(args.output, [])  # fail now rather than after all the work
    found: list[FoundOpening] = []
    begin = report = time.monotonic()
    with stop_signal() as stop:
        supply = make_openings(
            engine, criteria, args.seed, concurrency=workers_of(args), cluster=args.cluster, stop=stop,
            fens=[line.fen for line in lines] if args.games else None,
        )  # fmt: skip
        for opening in itertools.islice(supply, args.count):
            found.append(opening)
            if time.monotonic() - report > REPORT_S:
                report = time.monotonic()
                share = len(found) / (opening.number + 1)
                left_s = (report - begin) / len(found) * (args.count - len(found))
                print(f"{len(found)} of {args.count}, {share:.0%} of candidates kept, {left_s:.0f} s left",
                      file=sys.stderr, flush=True)  # fmt: skip
        supply.close()
        was_stopped = stop()
    if args.output.suffix == ".pgn":
        write(args.output, [pgn(lines[opening.number].moves, opening) for opening in found])
    else:
        write(args.output, [line(opening, scores=args.scores) for opening in found])
    print(f"{len(found)} openings in {args.output}")
    if len(found) == args.count:
        return 0
    return 130 if was_stopped or not args.games else 1
