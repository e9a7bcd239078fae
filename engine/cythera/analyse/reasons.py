"""Why a move is an error, in words: what it allows, loses or misses. Lines in, a phrase out.

Only what the lines show is said, most telling first: mate, material that is gone at the end of a line, with the
motif that wins it, a result that changes by endgame tables, a win or a draw that is let slip, an exchange of queens or
rooks, a piece that is attacked. Where none of that explains the loss, the phrase names the answer and claims no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cythera.analyse.endings import table_reason
from cythera.analyse.judge import is_mating
from cythera.board.exchanges import (
    NAMES,
    VALUES,
    exchange_gain,
    is_winnable,
    lasting_swing,
    material_balance,
    taken_by,
)
from cythera.board.motifs import find_motifs

if TYPE_CHECKING:
    import chess

    from cythera.board.motifs import Motif
    from cythera.engine.results import Line

SOON_PLIES = 5  # in which something must be taken for a move to be about it
TACTICS = (
    "double check", "discovered check", "discovered attack", "fork", "skewer", "pin", "removal of the defender",
    "deflection", "trapped piece", "promotion",
)  # fmt: skip
LEAST_SHARE = 0.4  # of the material at stake that the scores must confirm
LEAST_STANDING = 0.3  # the same for the score against the material on the board before
LAST_TACTIC_PLY = 2  # a motif that comes later is not what the first move is about
LONGEST_MATE = 8
PAIR = 2
WON_CP, LEVEL_CP = 200, 50
PROMOTED = 4  # pawns' worth: a rook or a queen
ENDING_PIECES = 10  # on the board, kings and pawns included
EARLY_PLIES = 6  # in which an exchange counts as what a move leads to


def reason_for(board: chess.Board, move: chess.Move, best: Line, answer: Line) -> str:
    """What is wrong with a move: a phrase without subject, as `hangs the knight on e5`; may be empty.

    `best` is the better line from the position, `answer` the line that follows the move; both should be long enough
    that no capture is left over at their end.
    """
    after = board.copy()
    after.push(move)
    if after.is_stalemate():
        return "gives stalemate"
    if is_near_mate(answer) and not is_mating(-best.score):
        return f"allows {mate_words(after, answer)}"
    if is_near_mate(best) and not is_mating(-answer.score):
        return f"misses {mate_words(board, best)}"
    known = table_reason(board, move)
    if not answer.moves:
        return known or ("allows a draw" if best.score.value >= WON_CP // 2 else "")
    material = material_words(board, move, after, best, answer)
    if known or material:
        return " and ".join(filter(None, (material, known)))
    return (
        outcome_words(board, after, best, answer)
        or exchange_words(board, move, after, best, answer)
        or missed_tactic(board, best)
        or attack_words(board, after, best, answer)
        or answer_words(board, move, after, answer)
    )


def clipped_cp(line: Line) -> int:
    return max(-1500, min(1500, line.score.value))


def wins_soon(board: chess.Board, line: Line) -> bool:
    """Whether the side to move makes a capture that pays, or promotes, among the first moves of a line."""
    end = board.copy()
    for at, text in enumerate(line.moves[:SOON_PLIES]):
        move = end.parse_uci(text)
        if at % 2 == 0 and (move.promotion or (taken_by(end, move) and exchange_gain(end, move) > 0)):
            return True
        end.push(move)
    return False


def san_of(board: chess.Board, line: Line) -> str:
    return board.san(board.parse_uci(line.moves[0]))


# Mate


def is_near_mate(line: Line) -> bool:
    """Whether a line mates in few enough moves for a player to see it."""
    return is_mating(line.score) and (line.score.mate or 0) <= LONGEST_MATE


def mate_words(board: chess.Board, line: Line) -> str:
    """A mate that a line shows or a score promises, as `a back-rank mate (Re8#)`."""
    first = san_of(board, line)
    count = abs(line.score.mate or 0)
    pattern = next((motif for motif in find_motifs(board, line.moves) if motif.name.endswith(" mate")), None)
    if pattern is not None and count <= 1:
        return f"{pattern.text} ({first})"
    if pattern is not None:
        return f"{pattern.text} in {count} ({first})"
    return f"mate in {count} ({first})"


# Material


def material_words(board: chess.Board, move: chess.Move, after: chess.Board, best: Line, answer: Line) -> str:
    """What is lost or not won, if the scores confirm it; else nothing."""
    lost = lasting_swing(after, answer.moves)  # for the other side: what they win
    played_value = VALUES.get(taken_by(board, move), 0) - lost.value
    missed = lasting_swing(board, best.moves)
    balance_cp = 100 * material_balance(board)
    is_sound = clipped_cp(best) >= balance_cp - LEVEL_CP  # then what the better line gives up is no loss
    stake = max(missed.value, 0 if is_sound else missed.value) - played_value
    fallen_cp = clipped_cp(best) + clipped_cp(answer)
    if stake < 1 or fallen_cp < 100 * LEAST_SHARE * stake:
        if is_other_capture(board, move, best):
            return f"takes with the wrong {wrong_taker(board, move, best)}"
        return "gives up the bishop pair for nothing" if gives_up_the_pair(board, move, after, best) else ""
    is_lost = played_value <= -1 and -clipped_cp(answer) - balance_cp <= 100 * LEAST_STANDING * played_value
    is_missed = missed.value >= 1 and clipped_cp(best) - balance_cp >= 100 * LEAST_STANDING * missed.value
    is_lost &= wins_soon(after, answer)
    is_missed &= wins_soon(board, best)
    if is_missed and (not is_lost or missed.value > -played_value):
        return missed_words(board, best)
    return loss_words(board, move, after, answer) if is_lost else ""


def loss_words(board: chess.Board, move: chess.Move, after: chess.Board, answer: Line) -> str:
    """How something is lost: a piece that hangs, the motif that wins it, or what is gone in the end."""
    swing = lasting_swing(after, answer.moves)
    first = after.parse_uci(answer.moves[0])
    san = after.san(first)
    words = swing.won_words()
    kind = taken_by(after, first)
    gain = exchange_gain(after, first) if kind else 0
    if kind > 1 and words != "the exchange" and gain >= VALUES[kind] - 1 and swing.value >= VALUES[kind] - 2:
        return f"hangs the {NAMES[kind]}{place_of(first, move)}"
    motif = tactic(after, answer)
    if motif is not None and motif.name != "promotion":
        moves = motif.san if motif.ply == 0 else f"{san}, then {motif.san}"
        return f"allows {moves}: {motif.text}" if motif.name == "trapped piece" else f"allows {motif.text} ({moves})"
    if swing.promoted >= PROMOTED:
        return f"lets a pawn promote ({san})"
    return f"loses {words} ({san})" if words else ""


def missed_tactic(board: chess.Board, best: Line) -> str:
    """A motif of the better move that wins something, where the move played won as much in another way."""
    motif = tactic(board, best)
    if motif is None or motif.ply or motif.name == "trapped piece" or lasting_swing(board, best.moves).value < 1:
        return ""
    return f"misses {motif.text} ({motif.san})"


def place_of(capture: chess.Move, move: chess.Move) -> str:
    import chess

    return "" if capture.to_square == move.to_square else f" on {chess.square_name(capture.to_square)}"


def missed_words(board: chess.Board, best: Line) -> str:
    """What the better move would have won."""
    import chess

    swing = lasting_swing(board, best.moves)
    san = san_of(board, best)
    first = board.parse_uci(best.moves[0])
    if board.move_stack and taken_by(board, first) and is_recapture(board, first):
        return f"does not take back on {chess.square_name(first.to_square)} ({san})"
    motif = tactic(board, best)
    words = swing.won_words()
    if motif is not None and motif.name == "promotion":
        return f"misses the promotion of a pawn ({san})"
    if motif is not None:
        moves = motif.san if motif.ply == 0 else f"{san}, then {motif.san}"
        return f"misses {moves}: {motif.text}" if motif.name == "trapped piece" else f"misses {motif.text} ({moves})"
    if swing.promoted >= PROMOTED:
        return f"misses the promotion of a pawn ({san})"
    return f"misses winning {words} ({san})" if words else ""


def is_recapture(board: chess.Board, move: chess.Move) -> bool:
    """Whether a move takes what has just taken something."""
    last = board.peek()
    before = board.copy()
    before.pop()
    return bool(last) and last.to_square == move.to_square and bool(taken_by(before, last))


def tactic(board: chess.Board, line: Line) -> Motif | None:
    """The first motif of a line that explains a gain, near its beginning."""
    found = (motif for motif in find_motifs(board, line.moves) if motif.name in TACTICS)
    return next((motif for motif in found if motif.ply <= LAST_TACTIC_PLY), None)


def is_other_capture(board: chess.Board, move: chess.Move, best: Line) -> bool:
    """Whether the better move takes the same with another piece."""
    first = board.parse_uci(best.moves[0])
    same = first.to_square == move.to_square and first.from_square != move.from_square
    return same and bool(taken_by(board, move))


def wrong_taker(board: chess.Board, move: chess.Move, best: Line) -> str:
    """What takes wrongly: of two pieces of a kind the kind, else just a piece."""
    kinds = {board.piece_type_at(one.from_square) or 0 for one in (move, board.parse_uci(best.moves[0]))}
    return NAMES[kinds.pop()] if len(kinds) == 1 else "piece"


def gives_up_the_pair(board: chess.Board, move: chess.Move, after: chess.Board, best: Line) -> bool:
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


# Results and exchanges


def outcome_words(board: chess.Board, after: chess.Board, best: Line, answer: Line) -> str:
    """A win or a draw that is let slip, where the scores leave no doubt."""
    san = san_of(after, answer)
    played_cp = -clipped_cp(answer)
    if answer.score.cp == 0 and clipped_cp(best) >= WON_CP // 2 and draws(after, answer):
        return f"allows a draw ({san})"
    if clipped_cp(best) >= WON_CP and abs(played_cp) <= LEVEL_CP:
        return f"lets the win slip ({san})"
    is_ending = len(board.piece_map()) <= ENDING_PIECES
    if is_ending and best.score.cp == 0 and played_cp <= -WON_CP:
        return f"loses a drawn ending ({san})"
    return ""


def draws(after: chess.Board, answer: Line) -> bool:
    """Whether a line ends in stalemate, in bare kings or the like, or goes in circles."""
    end = after.copy()
    for text in answer.moves:
        end.push(end.parse_uci(text))
    return end.is_stalemate() or end.is_insufficient_material() or end.is_repetition(2)


def exchange_words(board: chess.Board, move: chess.Move, after: chess.Board, best: Line, answer: Line) -> str:
    """The last queens or rooks go, which the better line keeps."""
    import chess

    for kind in (chess.QUEEN, chess.ROOK):
        if kind == chess.ROOK and (board.queens or len(board.piece_map()) > ENDING_PIECES):
            continue
        if not all(len(board.pieces(kind, side)) == 1 for side in (True, False)):
            continue
        played = without(after, answer.moves[: EARLY_PLIES - 1], kind)
        if not played or without(board, best.moves[: EARLY_PLIES + 2], kind):
            continue
        name = f"{NAMES[kind]}s"
        if taken_by(board, move) == kind or (played == 1 and board.piece_type_at(move.from_square) == kind):
            return f"exchanges {name}"
        return f"allows the exchange of {name} ({san_of(after, answer)})"
    have_pieces = all(board.occupied_co[side] & ~(board.kings | board.pawns) for side in (True, False))
    is_bare = pawns_alone(after, answer.moves[: EARLY_PLIES - 1])
    if have_pieces and is_bare and not pawns_alone(board, best.moves[: EARLY_PLIES + 2]):
        if taken_by(board, move):
            return "goes into a bad pawn ending"
        return f"allows the exchange into a pawn ending ({san_of(after, answer)})"
    return ""


def pawns_alone(board: chess.Board, moves: tuple[str, ...]) -> bool:
    """Whether a line takes the last pieces off, so that kings and pawns are left."""
    end = board.copy()
    for text in moves:
        end.push(end.parse_uci(text))
        if end.occupied == end.kings | end.pawns:
            return bool(end.pawns)
    return False


def without(board: chess.Board, moves: tuple[str, ...], kind: int) -> int:
    """After how many moves of a line no piece of a type is left, 0 if some is."""
    end = board.copy()
    for count, text in enumerate(moves, 1):
        end.push(end.parse_uci(text))
        if not end.pieces(kind, True) and not end.pieces(kind, False):
            return count
    return 0


# Attacks


def attack_words(board: chess.Board, after: chess.Board, best: Line, answer: Line) -> str:
    """A piece that the answer attacks, or that the better move would have attacked."""
    missed, allowed = attacked_by(board, best), attacked_by(after, answer)
    is_advantage_gone = clipped_cp(best) >= LEVEL_CP and clipped_cp(answer) < LEVEL_CP
    if missed and (is_advantage_gone or not allowed):
        return f"misses {san_of(board, best)}, attacking {missed}"
    return f"allows {san_of(after, answer)}, attacking {allowed}" if allowed else ""


def answer_words(board: chess.Board, move: chess.Move, after: chess.Board, answer: Line) -> str:
    """The answer, unless it only takes back, which says nothing."""
    first = after.parse_uci(answer.moves[0])
    is_taken_back = bool(taken_by(board, move)) and first.to_square == move.to_square
    return "" if is_taken_back else f"the answer is {after.san(first)}"


def attacked_by(board: chess.Board, line: Line) -> str:
    """What the first move of a line newly attacks, worth more than the attacker or not defended; may be empty."""
    import chess

    move = board.parse_uci(line.moves[0])
    us = board.turn
    after = board.copy()
    after.push(move)
    if board.is_castling(move) or taken_by(board, move) or is_winnable(after, move.to_square):
        return ""
    value = VALUES[after.piece_type_at(move.to_square) or chess.KING]
    found = []
    for square in after.attacks(move.to_square):
        kind = after.piece_type_at(square) or 0
        if after.color_at(square) == us or kind in (0, chess.PAWN, chess.KING):
            continue
        is_new = square not in board.attacks(move.from_square)
        if is_new and (VALUES[kind] > value or not after.is_attacked_by(not us, square)):
            found.append((VALUES[kind], square))
    if not found:
        return ""
    _, square = max(found)
    return f"the {NAMES[after.piece_type_at(square) or 0]} on {chess.square_name(square)}"
