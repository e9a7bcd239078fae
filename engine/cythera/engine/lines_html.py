"""What notebooks show of lines and moves: a board and tables, as HTML without script."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cythera.board.position import Position
    from cythera.engine.results import Line

BOARD_PX = 320
SHOWN_PLIES = 10


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], text: Collection[str] = ()) -> str:
    """A table; columns whose heading is in `text` are set left, the others, which are numbers, right.

    >>> table(["a", "b"], [["<b>", "1"]], text=["a"])
    '<table><tr><th style="text-align:left">a</th><th style="text-align:right">b</th></tr><tr><td style="text-align:left">&lt;b&gt;</td><td style="text-align:right">1</td></tr></table>'
    """  # noqa: E501
    sides = ["left" if heading in text else "right" for heading in headings]

    def row_of(tag: str, cells: Sequence[str]) -> str:
        parts = zip(sides, cells, strict=True)
        return "".join(f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>' for side, cell in parts)

    body = "".join(f"<tr>{row_of('td', row)}</tr>" for row in rows)
    return f"<table><tr>{row_of('th', headings)}</tr>{body}</table>"


def side_by_side(left: str, right: str) -> str:
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1.2rem;align-items:flex-start">'
        f'<div>{left}</div><div style="flex:1;min-width:18rem;max-width:44rem">{right}</div></div>'
    )


def board_svg(position: Position, best: str = "") -> str:
    """A position with an arrow for the best move."""
    import chess
    import chess.svg

    board = position.to_board()
    arrows = []
    if best:
        move = board.parse_uci(best)
        arrows = [chess.svg.Arrow(move.from_square, move.to_square, color="green")]
    last = board.peek() if board.move_stack else None
    check = board.king(board.turn) if board.is_check() else None
    return str(chess.svg.board(board, size=BOARD_PX, arrows=arrows, lastmove=last, check=check))


def lines_table(position: Position, lines: Sequence[Line]) -> str:
    """The lines of a position, one per row."""
    rows = [
        [
            str(line.score),
            " ".join(f"{round(part / 10)}%" for part in line.wdl),
            f"{line.depth}/{line.seldepth}",
            f"{line.nodes:,}",
            position.variation_san(line.moves[:SHOWN_PLIES]),
        ]
        for line in lines
    ]
    return table(["score", "win draw loss", "depth", "nodes", "line"], rows, text=["line"])


def lines_html(position: Position, lines: Sequence[Line]) -> str:
    """A position with its lines, the first move of the best one as an arrow."""
    best = lines[0].moves[0] if lines and lines[0].moves else ""
    return side_by_side(board_svg(position, best), lines_table(position, lines))


def move_html(position: Position, move: str, line: Line | None) -> str:
    """A position with a move that was chosen in it, and what the engine was thinking."""
    right = f"<p><b>{escape(position.san(move))}</b>{'' if line else ', from the opening book'}</p>"
    return side_by_side(board_svg(position, move), right + (lines_table(position, [line]) if line else ""))
