"""Why a move is an error, in words: what it allows, loses or misses. Lines in, a phrase out.

Only what the lines show is said: mate, material that is gone at the end of a line, and the motif that wins it; then
a result that changes by endgame tables. Where none of that explains the loss, the phrase names the answer and claims
no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cythera.analyse.endings import table_reason
from cythera.analyse.judge import is_mating
from cythera.board.exchanges import NAMES, VALUES, exchange_gain, is_winnable, swing_of, taken_by
from cythera.board.motifs import find_motifs

if TYPE_CHECKING:
    import chess

    from cythera.board.motifs import Motif
    from cythera.engine.results import Line

SHOWN = 10  # plies of a line in which material is counted
TACTICS = (
    "double check", "discovered check", "discovered attack", "fork", "skewer", "pin", "removal of the defender",
    "deflection", "trapped piece", "promotion",
)  # fmt: skip
LEAST_SHARE = 0.4  # of the material at stake that the scores must confirm
PAIR = 2


def reason_for(board: chess.Board, move: chess.Move, best: Line, answer: Line) -> str:
    """What is wrong with a move: a phrase without subject, as `hangs the knight on e5`; may be empty.

    `best` is the better line from the position, `answer` the line that follows the move.
    """
    after = board.copy()
    after.push(move)
    sans = answer.san(after)
    if is_mating(answer.score) and not is_mating(-best.score):
        return f"allows {mate_words(after, answer)}"
    if is_mating(best.score) and not is_mating(-answer.score):
        return f"misses {mate_words(board, best)}"
    if after.is_stalemate():
        return "is stalemate"
    lost = swing_of(after, answer.moves, SHOWN)  # for the other side: what they win
    played_value = VALUES.get(taken_by(board, move), 0) - lost.value
    missed = swing_of(board, best.moves, SHOWN)
    stake = missed.value - played_value
    fallen_cp = clipped_cp(best) + clipped_cp(answer)
    known, material = table_reason(board, move), ""
    if stake >= 1 and fallen_cp >= 100 * LEAST_SHARE * stake:
        if played_value <= -1:
            material = loss_words(board, move, after, answer)
        elif missed.value >= 1:
            material = missed_words(board, best)
    if known or material:
        return " and ".join(filter(None, (material, known)))
    if gives_up_the_pair(board, move, after, answer, best) and stake < 1:
        return "gives up the bishop pair for nothing"
    if draws(after, answer) and best.score.value >= 150:
        return "allows a draw"
    return f"the answer is {sans[0]}" if sans else ""


def clipped_cp(line: Line) -> int:
    return max(-1500, min(1500, line.score.value))


def mate_words(board: chess.Board, line: Line) -> str:
    """A mate that a line shows or a score promises, as `a back-rank mate (Re8#)`."""
    first = line.san(board)[0]
    count = abs(line.score.mate or 0)
    pattern = next((motif for motif in find_motifs(board, line.moves) if motif.name.endswith(" mate")), None)
    if pattern is not None and count <= 1:
        return f"{pattern.text} ({first})"
    if pattern is not None:
        return f"{pattern.text} in {count} ({first})"
    return f"mate in {count} ({first})"


def loss_words(board: chess.Board, move: chess.Move, after: chess.Board, answer: Line) -> str:
    """How something is lost: a piece that hangs, the motif that wins it, or what is gone in the end."""
    swing = swing_of(after, answer.moves, SHOWN)
    first = after.parse_uci(answer.moves[0])
    san = after.san(first)
    words = swing.won_words()
    kind = taken_by(after, first)
    gain = exchange_gain(after, first) if kind else 0
    if kind > 1 and words != "the exchange" and gain >= VALUES[kind] - 1 and swing.value >= VALUES[kind] - 2:
        return f"hangs the {NAMES[kind]}{place_of(first, move)}"
    motif = tactic(after, answer)
    if motif is not None and motif.name != "promotion":
        text = motif.text if motif.name != "trapped piece" else f"{san}: {motif.text}"
        return f"allows {text} ({motif.san})" if motif.name != "trapped piece" else f"allows {text}"
    if swing.promoted > 0:
        return f"lets a pawn promote ({san})"
    return f"loses {words} ({san})" if words else f"the answer is {san}"


def place_of(capture: chess.Move, move: chess.Move) -> str:
    import chess

    return "" if capture.to_square == move.to_square else f" on {chess.square_name(capture.to_square)}"


def missed_words(board: chess.Board, best: Line) -> str:
    """What the better move would have won."""
    swing = swing_of(board, best.moves, SHOWN)
    san = best.san(board)[0]
    motif = tactic(board, best)
    words = swing.won_words()
    if motif is not None and motif.name == "trapped piece":
        return f"misses {san}: {motif.text}"
    if motif is not None:
        return f"misses {motif.text} ({motif.san})"
    return f"misses winning {words} ({san})" if words else ""


def tactic(board: chess.Board, line: Line) -> Motif | None:
    """The first motif of a line that explains a gain."""
    return next((motif for motif in find_motifs(board, line.moves) if motif.name in TACTICS), None)


def gives_up_the_pair(
    board: chess.Board, move: chess.Move, after: chess.Board, answer: Line, best: Line
) -> bool:
    """Whether a bishop of the pair was given for a knight, which the better line does not do."""
    import chess

    us = board.turn
    if board.piece_type_at(move.from_square) != chess.BISHOP or taken_by(board, move) != chess.KNIGHT:
        return False
    if len(board.pieces(chess.BISHOP, us)) != PAIR or not is_winnable(after, move.to_square):
        return False
    end = board.copy()
    for text in best.moves[:4]:
        end.push(end.parse_uci(text))
    return len(end.pieces(chess.BISHOP, us)) == PAIR


def draws(after: chess.Board, answer: Line) -> bool:
    """Whether a line ends in stalemate or goes in circles."""
    end = after.copy()
    for text in answer.moves:
        end.push(end.parse_uci(text))
    return answer.score.cp == 0 and (end.is_stalemate() or end.is_repetition(2))
