"""Small boards at the nodes of a drawing, as SVG: marks, discs, Othello, draughts, chess, points and mazes.

Every board is drawn with its top edge at y = 0 and its middle at x = 0. Colours come from classes, so
that a page can show them in light and dark; boards with colours of their own keep them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

WIDEST_PX = 104.0
LARGEST_CELL_PX = 13.0
FIGURES = {"k": "♚", "q": "♛", "r": "♜", "b": "♝", "n": "♞", "p": "♟"}

CSS = """
.board .ground{fill:var(--leaf);stroke:var(--faint);stroke-width:.8}
.board .lines{fill:none;stroke:var(--rule);stroke-width:.8}
.board .green{fill:#3d8a5f}
.board .green+.lines{stroke:#2c6a48}
.board .panel{fill:var(--rule)}
.board .light{fill:#eef1f6}
.board .dark{fill:#a9b7c9}
.board .wall{fill:var(--muted)}
.board .point{fill:var(--rule)}
.board .hole{fill:var(--paper)}
.board .cross{fill:none;stroke:var(--max);stroke-width:1.6;stroke-linecap:round}
.board .ring{fill:none;stroke:var(--min);stroke-width:1.6}
.board .first{fill:var(--max)}
.board .second{fill:var(--min)}
.board .black{fill:#17191e}
.board .white{fill:#fff;stroke:#17191e;stroke-width:.5}
.board .dot{fill:var(--ink)}
.board .crown{fill:none;stroke:#fff;stroke-width:1}
.board text{font-size:inherit}
.board text.white{fill:#fff;stroke:#17191e;stroke-width:1.1px;paint-order:stroke}
.board text.black{fill:#17191e}
.pruned .board{opacity:.4}
"""
GROUNDS = {"discs": "ground panel", "othello": "ground green", "chess": "ground light", "draughts": "ground light"}


def cell_px(rows: Sequence[str]) -> float:
    return min(LARGEST_CELL_PX, WIDEST_PX / max(map(len, rows)))


def board_size(board: tuple[str, Sequence[str]] | None) -> tuple[float, float]:
    """The width and height of a board in pixels; nothing for no board.

    >>> board_size(("marks", ["X.O", "...", "..."])), board_size(None)
    ((39.0, 39.0), (0.0, 0.0))
    """
    if board is None:
        return 0.0, 0.0
    rows = board[1]
    cell = cell_px(rows)
    return round(cell * max(map(len, rows)), 1), round(cell * len(rows), 1)


def draw_board(board: tuple[str, Sequence[str]]) -> str:
    """The board as a group of shapes.

    >>> draw_board(("marks", ["X.O", "...", "..."])).count("<circle")
    1
    """
    style, rows = board
    cell = cell_px(rows)
    width, height = board_size(board)
    ground = GROUNDS.get(style, "ground")
    parts = [f'<rect class="{ground}" x="{-width / 2:g}" y="0" width="{width:g}" height="{height:g}"/>']
    if style in ("chess", "draughts"):
        parts.append(squares(rows, cell, "dark", lambda row, column, mark: (row + column) % 2 == 1))
    elif style == "maze":
        parts.append(squares(rows, cell, "wall", lambda row, column, mark: mark == "#"))
    elif style in ("marks", "othello"):
        parts.append(grid(rows, cell))
    elif style == "points":
        parts.append(points(rows, cell))
    for row, text in enumerate(rows):
        for column, mark in enumerate(text):
            x, y = -width / 2 + (column + 0.5) * cell, (row + 0.5) * cell
            parts.append(PIECES[style](mark, x, y, cell))
    return f'<g class="board" font-size="{cell * 1.2:.1f}">{"".join(parts)}</g>'


def squares(rows: Sequence[str], cell: float, kind: str, wanted: Callable[[int, int, str], bool]) -> str:
    """Some of the squares, as one path."""
    left = -cell * max(map(len, rows)) / 2
    path = "".join(
        f"M{left + column * cell:.1f} {row * cell:.1f}h{cell:.1f}v{cell:.1f}h{-cell:.1f}z"
        for row, text in enumerate(rows)
        for column, mark in enumerate(text)
        if wanted(row, column, mark)
    )
    return f'<path class="{kind}" d="{path}"/>'


def grid(rows: Sequence[str], cell: float) -> str:
    across, down = max(map(len, rows)), len(rows)
    left = -cell * across / 2
    path = "".join(f"M{left + i * cell:.1f} 0v{down * cell:.1f}" for i in range(1, across))
    path += "".join(f"M{left:.1f} {i * cell:.1f}h{across * cell:.1f}" for i in range(1, down))
    return f'<path class="lines" d="{path}"/>'


def points(rows: Sequence[str], cell: float) -> str:
    """The points of backgammon as narrow triangles; the first column is the bar."""
    across, down = max(map(len, rows)), len(rows)
    left = -cell * across / 2
    path = "".join(
        f"M{left + i * cell:.1f} {down * cell:.1f}h{cell:.1f}l{-cell / 2:.1f} {-down * cell:.1f}z"
        for i in range(1, across)
    )
    return f'<path class="point" d="{path}"/><path class="lines" d="M{left + cell:.1f} 0v{down * cell:.1f}"/>'


def circle(kind: str, x: float, y: float, radius: float) -> str:
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'


def draw_mark(mark: str, x: float, y: float, cell: float) -> str:
    arm = cell * 0.28
    if mark == "X":
        d = f"M{x - arm:.1f} {y - arm:.1f}l{2 * arm:.1f} {2 * arm:.1f}m0 {-2 * arm:.1f}l{-2 * arm:.1f} {2 * arm:.1f}"
        return f'<path class="cross" d="{d}"/>'
    return circle("ring", x, y, cell * 0.3) if mark == "O" else ""


def draw_disc(mark: str, x: float, y: float, cell: float) -> str:
    """A disc of Connect Four, or the hole where none is."""
    return circle({"X": "first", "O": "second"}.get(mark, "hole"), x, y, cell * 0.4)


def draw_reversi_disc(mark: str, x: float, y: float, cell: float) -> str:
    return circle("black" if mark == "X" else "white", x, y, cell * 0.4) if mark in "XO" else ""


def draw_checker(mark: str, x: float, y: float, cell: float) -> str:
    return circle("first" if mark == "X" else "second", x, y, cell * 0.44) if mark in "XO" else ""


def draw_draughtsman(mark: str, x: float, y: float, cell: float) -> str:
    if mark not in "xXoO":
        return ""
    piece = circle("first" if mark in "xX" else "second", x, y, cell * 0.38)
    return piece + (circle("crown", x, y, cell * 0.18) if mark.isupper() else "")


def draw_chessman(mark: str, x: float, y: float, cell: float) -> str:
    if mark.lower() not in FIGURES:
        return ""
    side = "white" if mark.isupper() else "black"
    figure = FIGURES[mark.lower()]
    return f'<text class="{side}" text-anchor="middle" x="{x:.1f}" y="{y + cell * 0.42:.1f}">{figure}</text>'


def draw_in_maze(mark: str, x: float, y: float, cell: float) -> str:
    kinds = {".": ("dot", 0.12), "P": ("first", 0.42), "G": ("second", 0.42)}
    return circle(kinds[mark][0], x, y, cell * kinds[mark][1]) if mark in kinds else ""


PIECES: dict[str, Callable[[str, float, float, float], str]] = {
    "marks": draw_mark,
    "discs": draw_disc,
    "othello": draw_reversi_disc,
    "points": draw_checker,
    "draughts": draw_draughtsman,
    "chess": draw_chessman,
    "maze": draw_in_maze,
}


def board_title(board: tuple[str, Sequence[str]]) -> str:
    """The board in text, for those who do not see it.

    >>> board_title(("marks", ["X.O", "...", "..."]))
    'X.O/.../...'
    """
    return escape("/".join(board[1]))
