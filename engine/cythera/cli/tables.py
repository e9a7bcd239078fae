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
        description="Make, check, probe and list endgame tables in the Syzygy format.",
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
        help="folder of tables to use before those of the package; may be repeated",
    )  # fmt: skip


def tables_of(args: argparse.Namespace) -> Tables:
    return Tables(*args.tables, PACKAGE_TABLES)


def add_make(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="tables, like KRPvK or KQvKR")
    parser.add_argument("--pieces", type=int, metavar="N", help="all tables with up to N pieces, 3 to 5")
    add_output(parser, "folder for the tables; those already there are kept", metavar="DIR", required=True)
    add_workers(parser, "threads")
    parser.add_argument("--memory", type=float, metavar="GIB", help="refuse a table that needs more than this")
    parser.epilog = (
        "Smaller tables that a capture or promotion leads to are taken from the folder or from the package, or made "
        "first. A stopped run resumes when the same command is given again."
    )


def run_make(args: argparse.Namespace) -> int:
    from cythera.tables.check import is_usable
    from cythera.tables.make import ensure_folder, make, memory_needed

    workers = workers_of(args)
    if args.pieces is not None and not 3 <= args.pieces <= 5:
        raise CytheraError(f"--pieces must be between 3 and 5, got {args.pieces}")
    names = [normal_name(name) for name in args.names]
    names += [name for pieces in range(3, (args.pieces or 0) + 1) for name in names_with(pieces)]
    if not names:
        raise CytheraError("name a table, like KRPvK, or say --pieces N")
    folder: Path = args.output
    present, package = Tables(*([folder] if folder.exists() else [])), Tables(PACKAGE_TABLES)
    usable = {name for name in present.names() if is_usable(present, name)}
    wanted = [name for name in in_order(list(dict.fromkeys(names))) if name in names or name not in package.names()]
    for name in wanted:
        if len(name) - 1 > 5:
            raise CytheraError(f"pieces of a table to be made must be between 3 and 5, got {name}")
        needed = memory_needed(name, workers) / 2**30
        if args.memory is not None and needed > args.memory and name not in usable:
            raise CytheraError(f"{name} needs {needed:.1f} GiB, more than --memory {args.memory:g}")
    ensure_folder(folder)
    if to_make := [name for name in wanted if name not in usable]:
        most = max(memory_needed(name, workers) for name in to_make) / 2**20
        what = f"{_plural(len(to_make), 'table')} to make, {_plural(workers, 'worker')}"
        print(f"{what}, up to {most:.0f} MiB", flush=True)
    begun = time.perf_counter()
    for number, name in enumerate(wanted, 1):
        head = f"{number}/{len(wanted)} {name}"
        if name in usable:
            print(f"{head}: there already", flush=True)
            continue
        started = time.perf_counter()
        line = _Line(f"{head} (up to {memory_needed(name, workers) / 2**20:.0f} MiB)")
        # The folder's own tables first; damaged ones are rebuilt before anything needs them.
        made = make(name, folder, Tables(folder, PACKAGE_TABLES), workers, line.show)
        line.clear()
        size = sum(made.sizes.values())
        print(f"{head}: {_seconds(started)}, {size:,} bytes, {_longest(made.counts)}", flush=True)
    print(f"{_plural(len(wanted), 'table')} in {folder}, {_seconds(begun)}")
    return 0


def _seconds(since: float) -> str:
    return f"{time.perf_counter() - since:.1f} s"


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
    return f"longest win {_distance(max(levels))}" if levels else "no wins"


def _distance(half_moves: int) -> str:
    return f"{_plural(half_moves, 'half-move')} to a capture, pawn move or mate"


def add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="folder of tables")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these tables")
    parser.add_argument("--moves", action="store_true", help="check every position against its moves (up to 5 pieces)")
    parser.add_argument("--against", metavar="DIR", help="compare every position with other tables (up to 5 pieces)")
    parser.add_argument("--solve", action="store_true", help="solve the endings again and compare (up to 5 pieces)")
    add_workers(parser, "threads")
    parser.epilog = (
        "Every value of every file is read; the options go through all positions. Smaller tables that they need are "
        "taken from DIR or from the package. A distance may differ by one half-move from that of other tables where "
        "one of them counts in moves."
    )


def run_check(args: argparse.Namespace) -> int:
    from cythera.tables.check import check_file, walk

    workers = workers_of(args)
    tables = Tables(args.folder)
    probed = Tables(args.folder, PACKAGE_TABLES)
    other = Tables(args.against) if args.against else None
    names = [normal_name(name) for name in args.names] or tables.names()
    through_all = args.moves or args.solve or other is not None
    if through_all:
        for name in names:
            for where in (probed, other) if other else (probed,):
                _require(where, [*sorted(needed_by(name)), *([name] if where is other else [])], name)
    bad = 0
    for name in names:
        whole = True
        for suffix in (WDL_SUFFIX, DTZ_SUFFIX):
            if tables.path(name, suffix) is None:
                problem = "missing"
            else:
                report = check_file(tables, name, suffix)
                problem = report.problem or ""
                checked = "checksum right" if report.made_here else "not made by Cythera, so without a known checksum"
            print(f"{name}{suffix}: {problem or f'{report.values:,} values, {checked}'}", flush=True)
            bad += bool(problem)
            whole &= not problem
        if not whole or not through_all:
            continue
        line = _Line(name)
        reports = walk(
            probed, name, moves=args.moves, against=other, solved=args.solve, workers=workers, report=line.show
        )
        line.clear()
        for found, what in zip(reports, ("its moves", args.against, "the ending solved"), strict=True):
            if found is not None:
                print(f"{name} against {what}: {found.text}", flush=True)
                bad += not found.sound
    print(f"{_plural(len(names), 'table')}, {_plural(bad, 'problem')}")
    return 1 if bad else 0


def _require(tables: Tables, needed: list[str], name: str) -> None:
    missing = [other for other in needed if tables.path(other) is None or tables.path(other, DTZ_SUFFIX) is None]
    if missing:
        raise CytheraError(f"{name} needs {', '.join(missing)}, not found in {' or '.join(tables.folders)}")


def _plural(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


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
    print(f"{'table':9}{'results':>13}{'distances':>13}  folder")
    for name in tables.names():
        paths = [tables.path(name, suffix) for suffix in (WDL_SUFFIX, DTZ_SUFFIX)]
        sizes = [Path(path).stat().st_size if path else 0 for path in paths]
        total += sum(sizes)
        columns = "".join(f"{f'{size:,}' if path else '-':>13}" for path, size in zip(paths, sizes, strict=True))
        folders = dict.fromkeys(str(Path(path).parent) for path in paths if path)
        print(f"{name:9}{columns}  {', '.join(folders)}")
    print(f"{_plural(len(tables), 'table')}, {total / 1e6:.2f} MB")
    return 0


def add_stats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="+", metavar="NAME", help="endings, like KQvKR")
    add_folders(parser)
    add_workers(parser, "threads")
    parser.epilog = (
        "The ending is solved: its own table is not needed, only those of the endings that a capture or promotion "
        "leads to. Mirror images count. With five pieces it takes minutes and up to 1.5 GiB."
    )


def run_stats(args: argparse.Namespace) -> int:
    from cythera.tables.make import solve

    tables = tables_of(args)
    workers = workers_of(args)
    names = [normal_name(name) for name in args.names]
    for name in names:
        if len(name) - 1 > 5:
            raise CytheraError(f"pieces of an ending to be counted must be between 3 and 5, got {name}")
        _require(tables, sorted(needed_by(name)), name)
    for name in names:
        line = _Line(name)
        solver = solve(name, tables.core, workers, line.show)
        line.clear()
        print(name)
        for side, colour in ((0, "White"), (1, "Black")):
            rows = solver.counts(side)
            total = sum(rows.values())
            parts = []
            for result, what in ((2, "wins"), (1, "cursed wins"), (0, "draws"), (-1, "blessed losses"), (-2, "losses")):
                count = sum(n for (value, _), n in rows.items() if value == result)
                if count:
                    parts.append(f"{100 * count / total:.2f} % {what}")
            print(f"  {colour} to move: {total:,} positions, {', '.join(parts)}")
            for result, what in ((2, "win"), (1, "cursed win"), (-2, "loss"), (-1, "blessed loss")):
                levels = [level for value, level in rows if value == result]
                if levels:
                    fen = solver.find(side, result, max(levels))
                    print(f"    longest {what}: {_distance(max(levels))}, {fen}")
    return 0


COMMANDS = {
    "make": (run_make, "solve endings and write their tables", add_make),
    "check": (run_check, "read every value; compare tables with their moves or with other tables", add_check),
    "probe": (run_probe, "show the results of a position and of its moves", add_probe),
    "list": (run_list, "list the available tables and their sizes", add_folders),
    "stats": (run_stats, "count results and find the longest wins of an ending", add_stats),
}
