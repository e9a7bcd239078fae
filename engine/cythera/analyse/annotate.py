"""A judged game as PGN: what the engine thinks beside each move, and better lines where it erred.

What the game brings along stays: headers, comments, variations and NAGs. Evaluations (`[%eval]`) of
an earlier analysis are replaced, and what it said or showed is not said again.
"""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from cythera.analyse.judge import NAGS

if TYPE_CHECKING:
    import chess
    import chess.pgn

    from cythera.analyse.game_analysis import GameAnalysis, MoveAnalysis, SideSummary
    from cythera.engine.results import Line

JUDGING_NAGS = set(range(1, 7))  # !, ?, !!, ??, !?, ?!
PRAISING_NAGS = {1, 3, 5}
COLUMNS = 80
LONGEST_LINE = 12  # plies of a variation


def annotated_game(analysis: GameAnalysis) -> chess.pgn.Game:
    """A copy of the game with everything in its place."""
    game = copy_of(analysis.game)
    annotate_headers(game, analysis)
    node: chess.pgn.GameNode = game
    last_book = max((move.ply for move in analysis.moves if move.is_book), default=-1)
    known = ""
    for move in analysis.moves:
        parent, node = node, node.variations[0]
        set_evaluation(node, move)
        if move.tablebase.partition(" (")[0] != known.partition(" (")[0] and move.tablebase:
            say(node, f"{move.tablebase[0].upper()}{move.tablebase[1:]}.")
        known = move.tablebase
        if move.ply == last_book:
            mark_book(node, analysis)
        if move.word:
            annotate_move(parent, node, move)
    return game


def copy_of(game: chess.pgn.Game) -> chess.pgn.Game:
    """A game with its own tree. `copy.deepcopy` recurses into the moves and fails on long games."""
    copied = type(game)()
    copied.headers = game.headers.copy()
    copied.comment, copied.nags, copied.errors = game.comment, set(game.nags), list(game.errors)
    pairs: list[tuple[chess.pgn.GameNode, chess.pgn.GameNode]] = [(game, copied)]
    while pairs:
        old, new = pairs.pop()
        for child in old.variations:
            comments = {"comment": child.comment, "starting_comment": child.starting_comment}
            pairs.append((child, new.add_variation(child.move, nags=child.nags, **comments)))
    return copied


def annotated_text(analysis: GameAnalysis) -> str:
    import chess.pgn

    exporter = chess.pgn.StringExporter(columns=COLUMNS)
    return str(annotated_game(analysis).accept(exporter))


def annotate_headers(game: chess.pgn.Game, analysis: GameAnalysis) -> None:
    from cythera import __version__

    headers = game.headers
    if analysis.opening and headers.get("Opening", "?") in ("?", ""):
        headers["Opening"] = analysis.opening
    headers["Annotator"] = headers.get("Annotator") or f"Cythera {__version__}"
    for name, side in (("White", analysis.white), ("Black", analysis.black)):
        if side.accuracy is not None:
            headers[f"{name}Accuracy"] = f"{side.accuracy:.1f}"
            headers[f"{name}AverageLoss"] = shown_loss(side.average_loss_cp)
            headers[f"{name}Errors"] = errors_of(side)


def shown_loss(average_cp: float | None) -> str:
    """An average loss as all outputs show it, rounded half up.

    >>> shown_loss(6.5), shown_loss(7.4), shown_loss(None)
    ('7', '7', '–')
    """
    return "–" if average_cp is None else str(floor(average_cp + 0.5))


def errors_of(side: SideSummary) -> str:
    """The counts in words.

    >>> from cythera.analyse.game_analysis import SideSummary
    >>> errors_of(SideSummary(30, 90.0, 20.0, 2, 1, 0, 0))
    '2 inaccuracies, 1 mistake'
    """
    counts = (
        (side.inaccuracies, "inaccuracy", "inaccuracies"),
        (side.mistakes, "mistake", "mistakes"),
        (side.blunders, "blunder", "blunders"),
        (side.missed_mates, "missed mate", "missed mates"),
    )
    found = [f"{count} {one if count == 1 else many}" for count, one, many in counts if count]
    return ", ".join(found) or "none"


def set_evaluation(node: chess.pgn.ChildNode, move: MoveAnalysis) -> None:
    import chess
    import chess.engine

    if not move.depth:
        node.set_eval(None)  # mate or stalemate on the board says it itself
        return
    score = chess.engine.PovScore(move.white_score.to_chess(), chess.WHITE)
    # A mate needs no depth: the search has gone on to its end by then.
    node.set_eval(score, move.depth if move.score.mate is None else None)


def annotate_move(parent: chess.pgn.GameNode, node: chess.pgn.ChildNode, move: MoveAnalysis) -> None:
    """The sign, the word and the better line. What the annotator's own sign says is not contradicted."""
    signs = node.nags & JUDGING_NAGS
    is_ours = not signs or signs == {NAGS[move.word]}
    said = sentence(move) if is_ours else beside_sign(move, is_praised=bool(signs & PRAISING_NAGS))
    if not signs:
        node.nags.add(NAGS[move.word])
    say(node, said)
    for line in move.lines:
        show_line(parent, line)


def say(node: chess.pgn.ChildNode, said: str) -> None:
    if said not in node.comment:
        node.comment = f"{node.comment} {said}".strip()


def sentence(move: MoveAnalysis) -> str:
    """What is said of a move, as `Mistake. Hangs the knight on e5. Best was Nf3 (+0.40).`"""
    return f"{move.word.capitalize()}. {because(move)}Best was {best_move(move)}."


def beside_sign(move: MoveAnalysis, is_praised: bool) -> str:
    """The same where the annotator has judged the move: without a word of our own for it."""
    if is_praised:
        return f"The engine prefers {best_move(move)}."
    return f"{because(move)}Better was {best_move(move)}."


def because(move: MoveAnalysis) -> str:
    return f"{move.reason[0].upper()}{move.reason[1:]}. " if move.reason else ""


def best_move(move: MoveAnalysis) -> str:
    return f"{move.best_san[0]} ({move.best.score.white(move.turn)})"


def mark_book(node: chess.pgn.ChildNode, analysis: GameAnalysis) -> None:
    """Says where the book ends; all moves before it that are in the book have no sign of ours."""
    say(node, f"Last book move: {analysis.opening}." if analysis.opening else "Last book move.")


def show_line(parent: chess.pgn.GameNode, line: Line) -> None:
    """A line as a variation of the position, unless one begins with the same move."""
    board = parent.board()
    if not line.moves or parent.has_variation(board.parse_uci(line.moves[0])):
        return
    node = parent
    for text in line.moves[:LONGEST_LINE]:
        move = board.parse_uci(text)
        node = node.add_variation(move)
        board.push(move)
    first = parent.variations[-1]
    first.comment = str(line.white_score)
