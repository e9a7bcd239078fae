"""What notebooks show of an analysis: board, lines and graph, as HTML without script."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from cythera.analyse.annotate import errors_of, shown_loss
from cythera.analyse.graph import draw_graph
from cythera.analyse.judge import expectation
from cythera.analyse.live import numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cythera.analyse.game import GameAnalysis
    from cythera.board.position import Position
    from cythera.board.scores import Score
    from cythera.engine.results import Line

BOARD_PX = 320
SHOWN_PLIES = 10


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """
    >>> table(["a"], [["<b>"]])
    '<table><tr><th>a</th></tr><tr><td>&lt;b&gt;</td></tr></table>'
    """
    head = "".join(f"<th>{escape(text)}</th>" for text in headings)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


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


def analysis_html(position: Position, lines: Sequence[Line], scores: Sequence[Score]) -> str:
    """A position with its lines, and how the score went from depth to depth (for White)."""
    board = position.to_board()
    rows = [
        [
            str(line.score),
            " ".join(f"{round(part / 10)}%" for part in line.wdl),
            f"{line.depth}/{line.seldepth}",
            f"{line.nodes:,}",
            numbered(line.san(board)[:SHOWN_PLIES], board),
        ]
        for line in lines
    ]
    white = [expectation(score.white(position.turn)) for score in scores]
    right = table(["score", "win draw loss", "depth", "nodes", "line"], rows)
    if len(white) > 1:
        right += f"<p>White's chances, depth by depth:</p>{draw_graph(white)}"
    best = lines[0].moves[0] if lines and lines[0].moves else ""
    return side_by_side(board_svg(position, best), right)


def game_html(analysis: GameAnalysis) -> str:
    """A game: the position before its worst move, graph, accuracy and key moments."""
    moments = analysis.key_moments()
    worst = max(moments, key=lambda move: move.loss, default=None)
    sides = [
        [
            analysis.headers.get(name, name),
            "–" if side.accuracy is None else f"{side.accuracy:.1f} %",
            shown_loss(side.average_loss_cp),
            errors_of(side),
        ]
        for name, side in (("White", analysis.white), ("Black", analysis.black))
    ]
    right = f"<p><b>{escape(analysis.title)}</b> {escape(analysis.result)} {escape(analysis.opening)}</p>"
    right += analysis.graph() + table(["side", "accuracy", "average loss", "errors"], sides)
    rows = [
        [move.label, move.word, str(move.white_score), str(move.best.white_score), " ".join(move.best_san[:6])]
        for move in moments
    ]
    if rows:
        right += table(["move", "word", "after", "best", "better"], rows)
    from cythera.board.position import Position

    board = analysis.start()
    for move in list(analysis.game.mainline_moves())[: worst.ply if worst else len(analysis.moves)]:
        board.push(move)
    left = board_svg(Position.from_board(board), worst.best.moves[0] if worst else "")
    if worst:
        left += f"<p>Before {escape(worst.label)} ({worst.word}); the arrow was better.</p>"
    return side_by_side(left, right)
