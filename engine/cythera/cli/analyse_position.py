"""`cythera analyse --fen`: the lines of a position in a table that is updated during the search."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from cythera.common.text import numbered_moves
from cythera.engine.limits import Limit

if TYPE_CHECKING:
    import argparse

    import chess

    from cythera.engine.results import Line

UPDATES_PER_SECOND = 8
WAKE_S = 0.1


def watch(args: argparse.Namespace) -> int:
    """Searches until a limit or Ctrl-C, and prints the last table."""
    import chess
    from rich.console import Console
    from rich.live import Live

    from cythera.board.position import Position
    from cythera.engine.engine_base import EngineBase

    position = Position(None if args.fen == "startpos" else args.fen, chess960=args.chess960)
    board = position.to_board()
    limit = Limit(nodes=args.nodes, depth=args.depth, time_s=args.movetime)
    console = Console(highlight=False)
    if not position.legal_moves():
        console.print(f"The game is over: {position.outcome() or 'no legal move'}.")
        return 0
    if limit.unlimited and not (console.is_terminal or args.quiet):
        print("searching until Ctrl-C; --depth, --nodes or --movetime set a limit", file=sys.stderr)
    with EngineBase(hash_mib=args.hash, threads=args.threads) as engine:
        analysis = engine.analysis(position, limit, args.multipv)
        if args.quiet or not console.is_terminal:
            follow(analysis)
        else:
            with Live(console=console, auto_refresh=False, transient=True) as live:
                follow(analysis, lambda: live.update(table(analysis.lines, board), refresh=True))
        lines = analysis.lines
    assert isinstance(board, chess.Board)
    console.print(position.text())
    console.print(table(lines, board))
    return 0


def follow(analysis: Any, draw: Any = lambda: None) -> None:
    """Waits for the end of an analysis, drawing at intervals; Ctrl-C ends it without an error."""
    next_s = 0.0
    try:
        while not analysis.finished(WAKE_S):
            if time.monotonic() >= next_s and analysis.lines:
                draw()
                next_s = time.monotonic() + 1 / UPDATES_PER_SECOND
    except KeyboardInterrupt:
        pass
    finally:
        analysis.stop()
    analysis.wait()


def table(lines: list[Line], board: chess.Board) -> Any:
    """The lines as a rich table, best first; scores are for the side to move."""
    from rich.table import Table
    from rich.text import Text

    best = lines[0] if lines else None
    caption = ""
    if best is not None:
        caption = f"{best.nodes:,} nodes, {best.nps:,} per second, {best.time_s:.1f} s, hash {best.hashfull / 10:.0f} %"
    side = "White" if board.turn else "Black"
    shown = Table(box=None, pad_edge=False, header_style="dim", caption=caption, caption_justify="left")
    shown.add_column("#", justify="right")
    shown.add_column(f"score for {side}", justify="right")
    shown.add_column("win draw loss", justify="right", no_wrap=True)
    shown.add_column("depth", justify="right")
    shown.add_column("line")
    for line in lines:
        sign = {"lower": "≥", "upper": "≤"}.get(line.bound, "")
        wdl = " ".join(f"{round(part / 10):3d}%" for part in line.wdl)
        words = numbered_moves(line.san(board), board.fullmove_number, board.turn)
        shown.add_row(str(line.multipv), f"{sign}{line.score}", wdl, f"{line.depth}/{line.seldepth}", Text(words))
    return shown
