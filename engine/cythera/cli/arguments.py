"""Arguments that several commands share, so that one spelling means one thing everywhere.

`-o/--output` is output, `--workers` processes or games in parallel, `--option` a UCI option, `--seed` a random
seed, `--cluster` a dask cluster, `--resume FILE` the state of a stopped run. Runs that append to their output
(`datagen`, `analyse`) are resumed by the same command. Defaults are shown as "(default: X)".
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from cythera.board.position import Position
from cythera.common.machine import available_cores
from cythera.errors import CytheraError

Group = argparse._ActionsContainer


def add_workers(group: Group, what: str = "processes in parallel") -> None:
    group.add_argument("--workers", type=int, metavar="N", help=f"{what} (default: the number of cores)")


def workers_of(args: argparse.Namespace) -> int:
    """The number of workers asked for, or one per core; raises CytheraError for less than one."""
    if args.workers is None:
        return available_cores()
    if args.workers < 1:
        raise CytheraError(f"--workers must be at least 1, got {args.workers}")
    return int(args.workers)


def add_cluster(group: Group) -> None:
    group.add_argument("--cluster", metavar="ADDRESS|local", help="run on a dask.distributed cluster")


def add_seed(group: Group, what: str = "random seed") -> None:
    group.add_argument("--seed", type=int, default=0, metavar="N", help=f"{what} (default: 0)")


def add_output(group: Group, what: str, *, metavar: str = "FILE", required: bool = False) -> None:
    group.add_argument("-o", "--output", type=Path, required=required, metavar=metavar, help=what)


def add_resume(group: Group, what: str) -> None:
    group.add_argument("--resume", type=Path, metavar="FILE", help=f"resume {what}")


def add_openings(group: Group) -> None:
    group.add_argument("--openings", metavar="FILE",
                       help="EPD or PGN, also as .gz, .xz, .zip; or startpos (default: the shipped book)")  # fmt: skip


def add_options(group: Group, who: str, *, selector: bool = False) -> None:
    metavar = "[NAME:]OPTION=VALUE" if selector else "OPTION=VALUE"
    group.add_argument("--option", action="append", default=[], metavar=metavar, help=f"UCI option of {who}")


def add_movetime(group: Group, *, several: bool = False) -> None:
    extra = {"action": "append", "default": []} if several else {}
    group.add_argument("--movetime", metavar="SECONDS", help="time per move", **extra)  # type: ignore[arg-type]


def position_after(fen: str, moves: str, *, chess960: bool = False) -> Position:
    """The position of a FEN (empty or startpos for the start position) after moves in SAN, such as "1. e4 e5"."""
    position = Position(None if fen in ("", "startpos") else fen, chess960=chess960)
    for san in moves.split():
        if not san.rstrip(".").isdigit():
            position.push_san(san)
    return position


def problem_printer(command: str) -> Callable[[object], None]:
    """A function that prints games that cannot be read; smaller problems of a file are not worth a line."""

    def show(problem: object) -> None:
        if getattr(problem, "is_fatal", True):
            print(f"cythera {command}: {problem}", file=sys.stderr)

    return show
