"""A judged game as PGN: what the engine thinks beside each move, and better lines where it erred.

What the game brings along stays: headers, comments, variations and NAGs. Evaluations (`[%eval]`) of
an earlier analysis are replaced, and what it said or showed is not said again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cythera.analyse.judge import MISSED_MATE, NAGS, is_mating

if TYPE_CHECKING:
    import chess
    import chess.pgn

    from cythera.analyse.game import GameAnalysis, MoveAnalysis, SideSummary
    from cythera.engine.results import Line

JUDGING_NAGS = set(range(1, 7))  # !, ?, !!, ??, !?, ?!
COLUMNS = 80
LONGEST_LINE = 12  # plies of a variation


def annotated_game(analysis: GameAnalysis) -> chess.pgn.Game:
    """A copy of the game with everything in its place."""
    game = copy_of(analysis.game)
    annotate_headers(game, analysis)
    node: chess.pgn.GameNode = game
    for move in analysis.moves:
        parent, node = node, node.variations[0]
        set_evaluation(node, move, analysis)
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
            headers[f"{name}AverageLoss"] = f"{side.average_loss_cp:.0f}"
            headers[f"{name}Errors"] = errors_of(side)


def errors_of(side: SideSummary) -> str:
    """The counts in words.

    >>> from cythera.analyse.game import SideSummary
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


def set_evaluation(node: chess.pgn.ChildNode, move: MoveAnalysis, analysis: GameAnalysis) -> None:
    import chess
    import chess.engine

    after = analysis.moves[move.ply + 1].best if move.ply + 1 < len(analysis.moves) else analysis.final[0]
    if not after.moves and not after.depth:
        node.set_eval(None)  # mate or stalemate on the board says it itself
        return
    score = chess.engine.PovScore(after.white_score.to_chess(), chess.WHITE)
    # A mate needs no depth: the search has gone on to its end by then.
    node.set_eval(score, after.depth if after.score.mate is None else None)


def annotate_move(parent: chess.pgn.GameNode, node: chess.pgn.ChildNode, move: MoveAnalysis) -> None:
    """The sign, the word and the better line."""
    if not node.nags & JUDGING_NAGS:
        node.nags.add(NAGS[move.word])
    said = sentence(move)
    if said not in node.comment:
        node.comment = f"{node.comment} {said}".strip()
    for line in move.lines:
        show_line(parent, line)


def sentence(move: MoveAnalysis) -> str:
    """What is said of a move, as `Mistake. Best was Nf3 (+0.40).`"""
    best = move.best.score
    chance = ""
    if is_mating(best) and not is_mating(move.score) and move.word != MISSED_MATE:
        chance = " There was a mate."
    elif move.score.mate is not None and move.score.value < 0 and best.mate is None:
        chance = " It allows a mate."
    return f"{move.word.capitalize()}.{chance} Best was {move.best_san[0]} ({best.white(move.turn)})."


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
