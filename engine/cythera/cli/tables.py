"""`cythera tables`: endgame tables made, checked, probed, listed and counted."""

import argparse
import sys
import time
from pathlib import Path

from cythera.board.position import Position
from cythera.cli.arguments import add_output, add_workers, workers_of
from cythera.errors import CytheraError
from cythera.tables import PACKAGE_TABLES, Tables, move_verdicts, verdict
from cythera.tables.names import in_order, names_with, needed_by, normal_name
from cythera.tables.probing import DTZ_SUFFIX, WDL_SUFFIX

SHOWN_MOVES = 12


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="cythera tables",
        description="Endgame tables in the Syzygy format: make, check, probe, list and count them.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (run, about, add) in COMMANDS.items():
        command = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
        add(command)
        command.set_defaults(run=run)
    args = parser.parse_args(argv)
    return int(args.run(args))


def add_folders(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tables", action="append", default=[], metavar="DIR",
        help="folder of tables, in front of those of the package; may be repeated",
    )  # fmt: skip


def tables_of(args: argparse.Namespace) -> Tables:
    return Tables(*args.tables, PACKAGE_TABLES)


def add_make(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="tables, like KRPvK or KQvKR")
    parser.add_argument("--pieces", type=int, metavar="N", help="all tables with up to N pieces, 3 to 5")
    add_output(parser, "folder for the tables", metavar="DIR", required=True)
    add_workers(parser, "threads")
    parser.add_argument("--memory", type=float, metavar="GIB", help="refuse a table that needs more than this")


def run_make(args: argparse.Namespace) -> int:
    from cythera.tables.check import check_file
    from cythera.tables.make import make, memory_needed

    workers = workers_of(args)
    if args.pieces is not None and not 3 <= args.pieces <= 5:
        raise CytheraError(f"--pieces must be between 3 and 5, got {args.pieces}")
    names = [normal_name(name) for name in args.names]
    names += [name for pieces in range(3, (args.pieces or 0) + 1) for name in names_with(pieces)]
    if not names:
        raise CytheraError("name a table, like KRPvK, or say --pieces N")
    wanted = in_order(list(dict.fromkeys(names)))
    for name in wanted:
        if len(name) - 1 > 5:
            raise CytheraError(f"pieces of a table to be made must be between 3 and 5, got {name}")
        needed = memory_needed(name) / 2**30
        if args.memory is not None and needed > args.memory:
            raise CytheraError(f"{name} needs {needed:.1f} GiB, more than --memory {args.memory:g}")
    folder: Path = args.output
    folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(wanted, 1):
        found = Tables(folder)
        head = f"{number}/{len(wanted)} {name}"
        paths = [found.path(name, suffix) for suffix in (WDL_SUFFIX, DTZ_SUFFIX)]
        if all(paths) and all(check_file(found, name, s).problem is None for s in (WDL_SUFFIX, DTZ_SUFFIX)):
            print(f"{head}: there already", flush=True)
            continue
        begun = time.perf_counter()
        line = _Line(f"{head} ({memory_needed(name) / 2**20:.0f} MiB)")
        made = make(name, folder, found, workers, line.show)
        line.clear()
        size = sum(made.sizes.values()) / 1024
        print(f"{head}: {time.perf_counter() - begun:.1f} s, {size:.0f} KiB, {_longest(made.counts)}", flush=True)
    return 0


class _Line:
    """Progress on one line of a terminal; silent elsewhere."""

    def __init__(self, head: str) -> None:
        self.head = head
        self.width = 0

    def show(self, phase: str, share: float) -> None:
        if sys.stderr.isatty():
            text = f"{self.head}: {phase} {share:.0%}"
            sys.stderr.write(f"\r{text:{self.width}}")
            sys.stderr.flush()
            self.width = len(text)

    def clear(self) -> None:
        if self.width:
            sys.stderr.write(f"\r{'':{self.width}}\r")
            sys.stderr.flush()


def _longest(counts: tuple[dict[tuple[int, int], int], dict[tuple[int, int], int]]) -> str:
    levels = [level for rows in counts for result, level in rows if result > 0]
    return f"longest win {max(levels)} half-moves to zeroing" if levels else "no wins"


def add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="folder of tables")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these tables")
    parser.add_argument("--moves", action="store_true", help="hold every position against its moves (up to 5 pieces)")
    parser.add_argument("--against", metavar="DIR", help="compare every position with other tables (up to 5 pieces)")
    add_workers(parser, "threads")


def run_check(args: argparse.Namespace) -> int:
    from cythera.tables.check import check_file, walk

    tables = Tables(args.folder)
    names = [normal_name(name) for name in args.names] or tables.names()
    other = Tables(args.against) if args.against else None
    bad = 0
    for name in names:
        for suffix in (WDL_SUFFIX, DTZ_SUFFIX):
            if tables.path(name, suffix) is None:
                print(f"{name}{suffix}: missing", flush=True)
                bad += 1
                continue
            report = check_file(tables, name, suffix)
            checked = "its checksum is right" if report.made_here else "not made by Cythera, its checksum is unknown"
            print(f"{name}{suffix}: {report.problem or f'{report.values} values, {checked}'}", flush=True)
            bad += report.problem is not None
        for against in ([None] if args.moves else []) + ([other] if other else []):
            missing = sorted(needed for needed in needed_by(name) if tables.path(needed) is None)
            if missing:
                raise CytheraError(f"{name} cannot be probed without {', '.join(missing)}")
            found = walk(tables, name, against, workers_of(args))
            what = "against its moves" if against is None else f"against {args.against}"
            print(
                f"{name} {what}: {found.positions} positions, {found.results} other results, {found.close} distances "
                f"rounded differently, {found.far} wrong" + (f" (first: {found.example})" if found.example else ""),
                flush=True,
            )
            bad += not found.sound
    print(f"{len(names)} tables, {bad} problems")
    return 1 if bad else 0


def add_probe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("fen", nargs="+", metavar="FEN", help="the position")
    add_folders(parser)


def run_probe(args: argparse.Namespace) -> int:
    tables = tables_of(args)
    position = Position(" ".join(args.fen))
    known = verdict(position, tables)
    for path, reason in tables.problems():
        print(f"cannot use {path}: {reason}", file=sys.stderr)
    if known is None:
        print(f"no table knows this position; the largest here has {tables.largest} pieces")
        return 1
    print(known.text)
    for move, after in list(move_verdicts(position, tables).items())[:SHOWN_MOVES]:
        distance = "" if after.dtz is None or not after.wdl else f" {abs(after.dtz)}"
        print(f"  {move:6}{after.result}{distance}")
    return 0


def run_list(args: argparse.Namespace) -> int:
    tables = tables_of(args)
    total = 0
    for name in tables.names():
        sizes = []
        for suffix in (WDL_SUFFIX, DTZ_SUFFIX):
            path = tables.path(name, suffix)
            size = Path(path).stat().st_size if path else 0
            total += size
            sizes.append(f"{size:>10}" if path else f"{'-':>10}")
        print(f"{name:9}{''.join(sizes)}  {Path(tables.path(name) or tables.path(name, DTZ_SUFFIX) or '').parent}")
    print(f"{len(tables)} tables, {total / 1e6:.2f} MB")
    return 0


def add_stats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="+", metavar="NAME", help="tables, like KQvKR")
    add_folders(parser)
    add_workers(parser, "threads")


def run_stats(args: argparse.Namespace) -> int:
    from cythera.tables.make import solve

    tables = tables_of(args)
    for name in [normal_name(name) for name in args.names]:
        solver = solve(name, tables.core, workers_of(args))
        print(name)
        for side, colour in ((0, "White"), (1, "Black")):
            rows = solver.counts(side)
            total = sum(rows.values())
            parts = []
            for result, what in ((2, "wins"), (1, "cursed wins"), (0, "draws"), (-1, "blessed losses"), (-2, "losses")):
                count = sum(n for (value, _), n in rows.items() if value == result)
                if count:
                    parts.append(f"{what} {100 * count / total:.2f} %")
            print(f"  {colour} to move: {total} positions, {', '.join(parts)}")
            for result, what in ((2, "win"), (1, "cursed win"), (-2, "loss"), (-1, "blessed loss")):
                levels = [level for value, level in rows if value == result]
                if levels:
                    fen = solver.find(side, result, max(levels))
                    print(f"    longest {what}: {max(levels)} half-moves to zeroing, {fen}")
    return 0


COMMANDS = {
    "make": (run_make, "solve endings and write their tables", add_make),
    "check": (run_check, "read tables to the last value, and hold them against their moves or other tables", add_check),
    "probe": (run_probe, "tell what tables know of a position and its moves", add_probe),
    "list": (run_list, "list the tables there are, with the bytes of results and distances", add_folders),
    "stats": (run_stats, "count results and find the longest wins of an ending", add_stats),
}
