"""What notebooks show of an analysis: board, lines and graph, as HTML without script."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from cythera.analyse.annotate import errors_of, shown_loss
from cythera.analyse.graph import draw_graph
from cythera.analyse.judge import expectation
from cythera.engine.lines_html import board_svg, lines_table, side_by_side, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cythera.analyse.game_analysis import GameAnalysis
    from cythera.board.position import Position
    from cythera.board.scores import Score
    from cythera.engine.results import Line


def analysis_html(position: Position, lines: Sequence[Line], scores: Sequence[Score]) -> str:
    """A position with its lines, and how the score went from depth to depth (for White)."""
    white = [expectation(score.white(position.turn)) for score in scores]
    right = lines_table(position, lines)
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
    right += analysis.graph() + table(["side", "accuracy", "average loss", "errors"], sides, text=["side", "errors"])
    rows = [
        [
            move.label,
            move.word,
            str(move.white_score),
            str(move.best.white_score),
            " ".join(move.best_san[:6]),
            move.reason,
        ]
        for move in moments
    ]
    if rows:
        right += table(["move", "word", "after", "best", "better", "why"], rows, text=["move", "word", "better", "why"])
    from cythera.board.position import Position

    board = analysis.start()
    for move in list(analysis.game.mainline_moves())[: worst.ply if worst else len(analysis.moves)]:
        board.push(move)
    left = board_svg(Position.from_board(board), worst.best.moves[0] if worst else "")
    if worst:
        left += f"<p>Before {escape(worst.label)} ({worst.word}); the arrow was better.</p>"
    return side_by_side(left, right)
