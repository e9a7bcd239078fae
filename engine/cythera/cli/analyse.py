"""`cythera analyse`: games in a file, or one position watched live."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cythera.cli.arguments import add_cluster, add_workers, workers_of
from cythera.errors import CytheraError

if TYPE_CHECKING:
    from rich.console import Console

    from cythera.analyse.analysis_run import AnalysisRun
    from cythera.analyse.game_analysis import GameAnalysis, SideSummary
    from cythera.analyse.progress import Journal

NODES = 100_000  # per position by default
SHOWN_GAMES = 40
PIPE_WIDTH = 400
STANDARD = Path("-")
LINE_S = 10.0  # between lines of progress where there is no terminal

DESCRIPTION = """\
Analyse all games of a PGN file, or follow the search of one position (--fen). Games are
judged move by move; what is written depends on the options. Nothing leaves this machine, except to
the workers of a --cluster you name."""

EPILOG = """\
examples:
  cythera analyse games.pgn -o annotated.pgn --html report.html
  cythera analyse - -o - < games.pgn > annotated.pgn
  cythera analyse games.pgn --depth 18 --workers 4 --json games.json
  cythera analyse --fen "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3" --multipv 3

A stopped run resumes when the same command is given again: progress is kept
beside the first output, in a file that ends in .progress. The exit code is 0 if all games were
analysed, 1 if something was wrong with some of them, 2 if nothing could be done."""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="cythera analyse",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = top.add_mutually_exclusive_group(required=True)
    what.add_argument("file", nargs="?", type=Path, metavar="FILE.pgn", help="the games; - is standard input")
    what.add_argument("--fen", metavar="FEN", help="one position (or startpos), searched until Ctrl-C or a limit")
    limit = top.add_argument_group("limits per position (default for games: --nodes 100000)")
    limit.add_argument("--depth", type=int, metavar="N", help="search depth in half-moves")
    limit.add_argument("--nodes", type=int, metavar="N", help="nodes; the same result every time")
    limit.add_argument("--movetime", type=float, metavar="SECONDS", help="time per position")
    top.add_argument("--multipv", type=int, default=1, metavar="N", help="lines per position (default: 1)")
    top.add_argument("--hash", type=int, default=16, metavar="MIB", help="hash table of each worker (default: 16)")
    top.add_argument("--chess960", action="store_true", help="read --fen as Chess960")
    top.add_argument("--threads", type=int, default=1, metavar="N", help="search threads with --fen (default: 1)")
    where = top.add_argument_group("workers")
    add_workers(where, "processes, one engine each")
    add_cluster(where)
    out = top.add_argument_group("output (- is standard output, instead of the table)")
    out.add_argument("-o", "--output", type=Path, metavar="FILE.pgn", help="annotated games")
    out.add_argument("--html", type=Path, metavar="FILE.html", help="report with a board, in one file")
    out.add_argument("--json", type=Path, metavar="FILE.json", help="everything, for programs")
    out.add_argument("--no-resume", action="store_true", help="discard the progress of an earlier run")
    out.add_argument("--quiet", action="store_true", help="no progress bar and no table")
    return top


def main(argv: list[str]) -> int:
    args = check(parser(), argv)
    if args.fen is not None:
        from cythera.cli.analyse_position import watch

        return watch(args)
    from cythera.analyse.analysis_run import AnalysisRun, Outputs
    from cythera.analyse.blocks import Settings

    nodes = NODES if args.depth is None and args.nodes is None and args.movetime is None else args.nodes
    settings = Settings(nodes, args.depth, args.movetime, args.multipv, args.hash)
    settings.limit()  # complains here, not in a worker
    workers = workers_of(args)
    with contextlib.ExitStack() as stack:
        source, name = args.file, str(args.file)
        if source == STANDARD:
            source, name = from_standard_input(stack), "standard input"
        wanted = [args.output, args.html, args.json]
        to_stdout = stack.enter_context(standard_output()) if STANDARD in wanted else None
        outputs = Outputs(*(to_stdout if path == STANDARD else path for path in wanted))
        try:
            with reading(name, args.quiet):
                run = AnalysisRun(source, settings, outputs, workers, args.cluster, args.no_resume, name)
        except CytheraError as error:
            raise type(error)(str(error).replace(str(source), name)) from error
        return analyse(run, args.quiet, to_stdout)


def from_standard_input(stack: contextlib.ExitStack) -> Path:
    """Standard input as a file, since games are read more than once."""
    import shutil
    import tempfile

    folder = stack.enter_context(tempfile.TemporaryDirectory())
    path = Path(folder) / "games.pgn"
    with open(path, "wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return path


@contextlib.contextmanager
def standard_output() -> Iterator[Path]:
    """A file for what goes to standard output once all of it is there."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "output"


def reading(name: str, quiet: bool) -> contextlib.AbstractContextManager[object]:
    """A sign of life while a long file is read, on a terminal."""
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        return contextlib.nullcontext()
    return console.status(Text(f"reading {name}"))


def check(top: argparse.ArgumentParser, argv: list[str]) -> argparse.Namespace:
    """The options, if they make sense together; else argparse's way of saying so."""
    args = top.parse_args(argv)
    for name, low, high in (("multipv", 1, 256), ("hash", 1, 1 << 20), ("workers", 1, 1024), ("threads", 1, 256)):
        value = getattr(args, name)
        if value is not None and not low <= value <= high:
            top.error(f"--{name} must be between {low} and {high}, got {value}")
    if args.fen is not None:
        for name in ("output", "html", "json", "workers", "cluster"):
            if getattr(args, name) is not None:
                top.error(f"--{name} is for games; --fen is only watched")
    paths = [path for path in (args.output, args.html, args.json) if path is not None]
    if len(set(paths)) < len(paths):
        top.error("two outputs have the same name")
    return args


def analyse(run: AnalysisRun, quiet: bool, to_stdout: Path | None = None) -> int:
    """Searches what is missing, writes everything, says what was wrong."""
    from rich.console import Console

    console = Console(stderr=True)
    told = tell_problems(run, 0)
    if not run.inputs:
        raise CytheraError(f"no game of {run.name} can be read")
    with run.journal() as journal:
        try:
            search(run, journal, console, quiet)
        except KeyboardInterrupt:
            done = run.done(journal)
            print(f"\nStopped after {done:,} of {run.positions:,} positions.", file=sys.stderr)
            if run.outputs.paths() and to_stdout is None:
                print(f"The same command goes on from here (progress is in {journal.path}).", file=sys.stderr)
            return 130
        tell_problems(run, told)
        shown = [] if quiet or to_stdout else list(islice(run.games(journal), SHOWN_GAMES))
        journal.remove()
    if to_stdout is not None:
        sys.stdout.write(to_stdout.read_text(encoding="utf-8"))
    elif not quiet:
        show(run, shown)
    return 1 if run.problems else 0


def tell_problems(run: AnalysisRun, told: int) -> int:
    """Says what was wrong with games, except for what was said already; returns how many problems there are."""
    for problem in run.problems[told:]:
        print(f"cythera analyse: {problem}", file=sys.stderr)
    return len(run.problems)


def search(run: AnalysisRun, journal: Journal, console: Console, quiet: bool) -> None:
    """Has the missing positions searched, with a bar on a terminal, and a line now and then elsewhere."""
    done, total, count = run.done(journal), run.positions, len(run.inputs)
    if done and not quiet:
        print(f"going on: {done:,} of {total:,} positions are there already", file=sys.stderr)
    if quiet or not console.is_terminal:
        run.search(journal, ProgressLines(done, total, quiet).tell)
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("positions"),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(f"{count:,} {'game' if count == 1 else 'games'}", total=total, completed=done)
        run.search(journal, lambda positions: progress.advance(task, positions))


class ProgressLines:
    """Progress for logs: a line every few seconds."""

    def __init__(self, done: int, total: int, quiet: bool) -> None:
        self.done, self.total, self.quiet = done, total, quiet
        self.next_s = time.monotonic() + LINE_S

    def tell(self, positions: int) -> None:
        self.done += positions
        if not self.quiet and time.monotonic() >= self.next_s:
            self.next_s = time.monotonic() + LINE_S
            print(f"{self.done:,} of {self.total:,} positions", file=sys.stderr, flush=True)


def show(run: AnalysisRun, games: list[GameAnalysis]) -> None:
    """What came of it, as a table; of one game also its key moments."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from cythera.analyse.annotate import shown_loss

    console = Console(highlight=False, width=table_width())
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("#", justify="right")
    for heading in ("game", "result", "opening", "accuracy", "loss", "errors"):
        table.add_column(heading, no_wrap=heading not in ("game", "opening"))
    numbers = [game.number for at, game in enumerate(run.inputs) if at not in run.failed]
    for place, game in zip(numbers, games, strict=False):
        both = (game.white, game.black)
        table.add_row(
            str(place),
            Text(game.title),
            game.result,
            Text(game.opening),
            " / ".join(number(side.accuracy, 1) for side in both),
            " / ".join(shown_loss(side.average_loss_cp) for side in both),
            Text(" / ".join(error_signs(side) for side in both)),
        )
    console.print(table)
    left = len(run.inputs) - len(run.failed) - len(games)
    if left:
        console.print(f"… and {left:,} more")
    if len(games) == 1 and not left and games[0].key_moments():
        console.print()
        console.print(moments_table(games[0]))
    for path in run.outputs.paths():
        console.print(Text(f"written: {path}"))


def table_width() -> int | None:
    """As wide as the terminal; in a pipe, so wide that every game is one line."""
    return None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH


def number(value: float | None, places: int) -> str:
    return "–" if value is None else f"{value:.{places}f}"


def error_signs(side: SideSummary) -> str:
    """
    >>> from cythera.analyse.game_analysis import SideSummary
    >>> error_signs(SideSummary(30, 90.0, 20.0, 2, 1, 0, 0))
    '2?! 1?'
    """
    counts = ((side.inaccuracies + side.missed_mates, "?!"), (side.mistakes, "?"), (side.blunders, "??"))
    return " ".join(f"{count}{sign}" for count, sign in counts if count) or "–"


def moments_table(game: GameAnalysis) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("move", "word", "after", "best", "better", "why"):
        is_number = heading in ("after", "best")
        table.add_column(heading, justify="right" if is_number else "left", no_wrap=heading != "why")
    for move in game.key_moments():
        line = " ".join(move.best_san[:4])
        scores = (str(move.white_score), str(move.best.white_score))
        table.add_row(Text(move.label), move.word, *scores, Text(line), Text(move.reason))
    return table
