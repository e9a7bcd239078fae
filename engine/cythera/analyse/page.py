"""The report: one HTML file with a board to step through, the graph, and the moments that mattered.

It needs nothing from anywhere: pieces, styles, script and games are in it, and its content policy
forbids the browser to fetch anything. What the games say is data in it and never markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from cythera.analyse.annotate import errors_of, shown_loss
from cythera.analyse.graph import draw_graph
from cythera.common.resources import data_text

if TYPE_CHECKING:
    import chess

    from cythera.analyse.game_analysis import GameAnalysis, MoveAnalysis, SideSummary
    from cythera.engine.results import Line

SHOWN_PLIES = 12  # of a better line
SHOWN_HEADERS = ("Event", "Site", "Date", "Round", "TimeControl", "Termination")


def draw_page(games: Iterable[GameAnalysis]) -> Iterator[str]:
    """The page in pieces, to be written as they come."""
    yield page_start()
    for number, analysis in enumerate(games):
        yield (",\n" if number else "") + page_game(analysis)
    yield page_end()


def page_start() -> str:
    import chess.svg

    pieces = "".join(chess.svg.PIECES.values())
    head = data_text("report.html").replace("@STYLE@", data_text("report.css")).replace("@PIECES@", pieces)
    head = head.replace("@TITLE@", escape("Cythera: analysis"))
    return head + '<script type="application/json" id="games">[\n'


def page_game(analysis: GameAnalysis) -> str:
    """A game as the script reads it. It has no `<`: `</script` or `<!--<script` would end or swallow the data."""
    return json.dumps(game_data(analysis), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def page_end() -> str:
    script = data_text("report.js")
    return f"\n]</script>\n<script>{script}</script>\n</html>\n"


def game_data(analysis: GameAnalysis) -> dict[str, Any]:
    board = analysis.start()
    start = placement(board)
    moves = []
    expectations = analysis.white_expectations()
    scores = analysis.white_scores()
    nodes = list(analysis.game.mainline())
    for move, node in zip(analysis.moves, nodes, strict=True):
        data = move_data(move, board)
        data["d"] = change(board, node.move)
        data["e"], data["x"] = score_text(str(scores[move.ply + 1])), round(expectations[move.ply + 1], 3)
        if not analysis.final[0].moves and move.ply + 1 == len(analysis.moves):
            data["e"] = analysis.result
        comment = re.sub(r"\[%[^\]]*\]", "", node.comment).strip()
        if comment:
            data["c"] = comment
        moves.append(data)
        board.push(node.move)
    headers = analysis.headers
    facts = [fact for name in SHOWN_HEADERS if (fact := headers.get(name, "").replace(".??", "").strip("?.- "))]
    words = [(move.ply + 1, move.word) for move in analysis.key_moments()]
    return {
        "title": analysis.title, "result": analysis.result, "opening": analysis.opening or headers.get("Opening", ""),
        "facts": " · ".join(facts), "start": start, "e0": score_text(str(scores[0])), "x0": round(expectations[0], 3),
        "sides": [side_data(headers.get("White", "White"), analysis.white),
                  side_data(headers.get("Black", "Black"), analysis.black)],
        "moves": moves, "graph": draw_graph(expectations, words),
    }  # fmt: skip


def side_data(name: str, side: SideSummary) -> dict[str, Any]:
    return {
        "name": name, "accuracy": side.accuracy, "loss": shown_loss(side.average_loss_cp), "errors": errors_of(side),
    }  # fmt: skip


def move_data(move: MoveAnalysis, board: chess.Board) -> dict[str, Any]:
    data: dict[str, Any] = {"n": move.move_number, "t": move.turn, "s": move.san, "m": squares(board, move.uci)}
    if move.is_book:
        data["k"] = 1
    if move.word:
        data["w"] = move.word
        if move.reason:
            data["r"] = move.reason
        data["l"] = round(100 * move.loss)
        data["be"] = score_text(str(move.best.white_score))
        data["bm"] = squares(board, move.best.moves[0])
        data["b"] = line_data(move.best, board)
    return data


def line_data(line: Line, board: chess.Board) -> list[list[str]]:
    """A line as texts with the changes they make, to be stepped through too."""
    board = board.copy(stack=False)
    steps: list[list[str]] = []
    for text in line.moves[:SHOWN_PLIES]:
        move = board.parse_uci(text)
        number = f"{board.fullmove_number}." if board.turn else f"{board.fullmove_number}..." if not steps else ""
        label = f"{number} {board.san(move)}".strip()
        steps.append([label, change(board, move)])
        board.push(move)
    return steps


def squares(board: chess.Board, uci: str) -> str:
    """Where a move begins and ends, as the eye sees it: a king that castles lands on its own square."""
    import chess

    move = board.parse_uci(uci)
    to = move.to_square
    if board.is_castling(move):
        to = chess.square(6 if board.is_kingside_castling(move) else 2, chess.square_rank(move.from_square))
    return chess.square_name(move.from_square) + chess.square_name(to)


def placement(board: chess.Board) -> str:
    """The pieces as 64 letters from a8 to h1, dots for empty squares."""
    return "".join(str(board.piece_at(square ^ 56) or ".") for square in range(64))


def change(board: chess.Board, move: chess.Move) -> str:
    """What a move changes on the board, as squares (00 is a8, 63 h1) with what is there after it.

    >>> import chess
    >>> change(chess.Board(), chess.Move.from_uci("e2e4"))
    '36P52.'
    """
    import chess

    touched = {move.from_square, move.to_square}
    if board.is_castling(move):
        rank = chess.square_rank(move.from_square)
        touched |= {chess.square(file, rank) for file in range(8)}
    elif board.is_en_passant(move):
        touched.add(chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square)))
    before = {square: board.piece_at(square) for square in touched}
    after = board.copy(stack=False)
    after.push(move)
    changed = sorted(square ^ 56 for square in touched if after.piece_at(square) != before[square])
    return "".join(f"{at:02}{after.piece_at(at ^ 56) or '.'}" for at in changed)


def score_text(text: str) -> str:
    return text.replace("-", "−")
