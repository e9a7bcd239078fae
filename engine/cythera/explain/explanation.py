"""Why the engine plays a move: its line, what else there was, what is threatened, what changes.

Everything is taken from searches, from the board and from the evaluation that plays, nothing is guessed:
a sentence here stands for numbers that are in the same object.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cythera.analyse.game_analysis import score_json
from cythera.analyse.judge import is_mating, loss_of, word_of
from cythera.analyse.reasons import reason_for
from cythera.board.exchanges import VALUES, is_winnable, material_balance, swing_of, taken_by
from cythera.board.motifs import Motif, find_motifs
from cythera.board.position import Position, position_from
from cythera.board.scores import Score
from cythera.core import evaluation_terms
from cythera.engine.evaluation_table import readable, tapered
from cythera.engine.limits import Limit
from cythera.engine.results import Line
from cythera.errors import CytheraError, GameOverError, IllegalMoveError
from cythera.explain.words import sentences_of
from cythera.explain.worth import Worth, net_total, worths_of
from cythera.net.load import net_for

if TYPE_CHECKING:
    import chess

    from cythera.engine.engine_base import BoardLike, EngineBase, MoveLike

__all__ = ["Explanation", "Term", "Threat", "explain"]

DEFAULT = Limit(nodes=400_000)
OTHERS = 3  # lines looked at
SETTLING = Limit(depth=8)  # to play a line on until nothing hangs
MOST_SETTLING = 10  # plies
LEAST_PLIES = 6  # of a line
SHOWN_PLIES = 8  # of a line, before it is played on until nothing hangs
SHOWN_MATE_PLIES = 15
PROMOTION = "promotion"  # the motif of a threat to promote
THREAT_PLIES = 5  # of a threat, in which something must be won
LONGEST_MATE_THREAT = 8  # moves; a longer mate is a won game, not a threat
THREAT_SHARE_CP = 12  # per pawn won: the score must be better than the position is as it stands
DECIDED_CP = 700  # beyond this scores hardly follow the material, and a threat need only not lose DECIDED_LOSS_CP
DECIDED_LOSS_CP = 100


@dataclass(frozen=True)
class Choice:
    """A first move with its line and what the engine thinks of it, for the side to move."""

    san: str
    line: Line
    line_san: tuple[str, ...]
    loss: float  # expected score given away against the best
    word: str
    shown_san: tuple[str, ...] = ()  # the line as it is shown, played on until nothing hangs
    motifs: tuple[Motif, ...] = ()  # of the line, for the side to move
    wins: str = ""  # what the side to move wins in the line that is shown, as `a knight for a pawn`
    wins_back: bool = False  # it was behind in material, and is not ahead afterwards
    reason: str = ""  # what the move allows, loses or misses, if it is an error

    @property
    def score(self) -> Score:
        return self.line.score

    def as_json(self) -> dict[str, Any]:
        return {
            "san": self.san, "line": self.line.as_json(), "line_san": " ".join(self.line_san),
            "loss": round(self.loss, 4), "word": self.word, "shown_san": " ".join(self.shown_san),
            "motifs": [motif.text for motif in self.motifs], "wins": self.wins, "wins_back": self.wins_back,
            "reason": self.reason,
        }  # fmt: skip


@dataclass(frozen=True)
class Threat:
    """What a side would do if the other passed: mate, or something that it wins.

    It is measured against the position as it stands, not against what the other side could do instead of passing: a
    piece that gets out of danger threatens nothing, nor does one that can be taken (unless it would win more).
    `gain_cp` is the score after the pass, less the evaluation of the position with nothing searched.
    """

    side: str  # "w" or "b"
    after: str  # the move before the pass (SAN), empty if it is the position itself
    line_san: tuple[str, ...]
    score: Score  # for `side`, once the other has passed
    gain_cp: int
    is_real: bool
    wins: str  # in words, empty for a mate
    motif: str  # in words, empty if there is none

    def as_json(self) -> dict[str, Any]:
        return {
            "side": self.side, "after": self.after, "line_san": " ".join(self.line_san),
            "score": score_json(self.score), "gain_cp": self.gain_cp, "is_real": self.is_real,
            "wins": self.wins, "motif": self.motif,
        }  # fmt: skip


@dataclass(frozen=True)
class Term:
    """A term of the classical evaluation, in centipawns for White: here, and at the end of a line."""

    name: str
    start: float
    end: float  # after the engine's line
    end_of_move: float | None = None  # after the line of the move that was asked about

    @property
    def change(self) -> float:
        return self.end - self.start

    def as_json(self) -> dict[str, Any]:
        rounded = None if self.end_of_move is None else round(self.end_of_move, 1)
        return {"name": self.name, "start": round(self.start, 1), "end": round(self.end, 1), "end_of_move": rounded}


@dataclass(frozen=True)
class Explanation:
    """The answer to "why?". Scores are for the side to move, terms and the net's evaluation for White.

    `worths` is what each piece is worth to the net; without a net (`eval_file="<classical>"`) it is empty,
    and `terms` are those of the evaluation that plays.
    """

    fen: str
    chess960: bool
    turn: str
    best: Choice
    others: tuple[Choice, ...]  # the next best moves
    move: Choice | None  # the one that was asked about, if another than the best
    asked: str  # its SAN, also if it is the best; empty if none was asked about
    threats: tuple[Threat, ...]
    terms: tuple[Term, ...]
    worths: tuple[Worth, ...]
    net_cp: tuple[int, ...]  # the net's evaluation for White: now, after the best line, after the move's line
    material: dict[str, dict[str, int]]  # "best", "move": pieces more (White) or fewer than now
    sentences: tuple[str, ...]

    def position(self) -> Position:
        return Position(self.fen, chess960=self.chess960)

    @property
    def is_mate(self) -> bool:
        """Whether the engine's line mates: then the evaluation has nothing to say."""
        return self.best.score.mate is not None

    def text(self, classical: bool = False) -> str:
        """The sentences, and what changes in the evaluation that plays; the classical terms on request."""
        from cythera.explain.words import tables_text

        return "\n".join(self.sentences) + "".join(f"\n\n{table}" for table in tables_text(self, classical))

    def as_json(self) -> dict[str, Any]:
        return {
            "format": "cythera-explanation", "version": 2, "fen": self.fen, "chess960": self.chess960,
            "turn": self.turn, "best": self.best.as_json(), "others": [other.as_json() for other in self.others],
            "move": self.move.as_json() if self.move else None, "asked": self.asked,
            "threats": [threat.as_json() for threat in self.threats], "terms": [term.as_json() for term in self.terms],
            "worths": [worth.as_json() for worth in self.worths], "net_cp": list(self.net_cp),
            "material": self.material, "sentences": list(self.sentences),
        }  # fmt: skip

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        from html import escape

        from cythera.engine.lines_html import board_svg, side_by_side, table
        from cythera.explain.words import tables_of

        said = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)
        said += "".join(table(headings, rows, text=headings[:1]) for headings, rows in tables_of(self))
        return side_by_side(board_svg(self.position(), self.best.line.moves[0]), said)


def explain(engine: EngineBase, where: BoardLike, move: MoveLike | None, limit: Limit | None) -> Explanation:
    """See `Engine.explain`."""
    position = position_from(where).copy()
    limit = limit or DEFAULT
    if not position.legal_moves():
        raise GameOverError(f"there is no move: {'checkmate' if position.is_check() else 'stalemate'}")
    board = position.to_board()
    asked = None if move is None else find_move(position, board, move)
    lines = engine.analyse(position, limit, OTHERS)
    lines[0] = lengthened(engine, position, lines[0])
    choices = [choice_of(board, line, lines[0].score) for line in lines]
    best, others = choices[0], tuple(choices[1:])
    best, end = shown(engine, position, best)
    ends = [end]
    given = None
    if asked is not None and asked != best.line.moves[0]:
        line = lengthened(engine, position, engine.analyse(position, limit, searchmoves=[asked]))
        given, end = shown(engine, position, choice_of(board, line, best.score))
        given = replace(given, reason=reason_of(board, best, given))
        ends.append(end)
    net = net_for(engine.eval_file)
    explanation = Explanation(
        fen=position.fen(shredder=position.chess960),
        chess960=position.chess960,
        turn=position.turn,
        best=best,
        others=others,
        move=given,
        asked="" if asked is None else board.san(board.parse_uci(asked)),
        threats=tuple(find_threats(engine, position, best, limit)),
        terms=compare(position, ends),
        worths=() if net is None else tuple(worths_of(net, position, ends)),
        net_cp=() if net is None else tuple(net_total(net, one) for one in (position, *ends)),
        material={name: material_change(position, one) for name, one in zip(("best", "move"), ends, strict=False)},
        sentences=(),
    )
    return replace(explanation, sentences=tuple(sentences_of(explanation)))


def find_move(position: Position, board: chess.Board, move: MoveLike) -> str:
    """The UCI text of a move given as SAN, UCI or an object; raises IllegalMoveError."""
    if isinstance(move, str):
        try:
            return board.uci(board.parse_san(move))
        except ValueError:
            pass
    try:
        return position.parse_move(move).uci()
    except (CytheraError, ValueError) as error:
        raise IllegalMoveError(f"{move} is not a legal move here, as SAN or UCI") from error


def choice_of(board: chess.Board, line: Line, best: Score) -> Choice:
    sans = tuple(line.san(board))
    loss = loss_of(best, line.score)
    return Choice(sans[0], line, sans, loss, word_of(best, line.score))


def shown(engine: EngineBase, position: Position, choice: Choice) -> tuple[Choice, Position]:
    """A choice with the line that is shown of it, what this wins, and the position it leads to."""
    board = position.to_board()
    is_mate = choice.score.mate is not None
    kept = choice.line.moves[: SHOWN_MATE_PLIES if is_mate else SHOWN_PLIES]
    end, moves = end_of(engine, position, kept)
    moves = kept if is_mate else moves
    walked = board.copy(stack=False)
    sans = tuple(walked.san_and_push(walked.parse_uci(text)) for text in moves)
    swing = swing_of(board, moves)
    ahead = material_balance(board)
    found = replace(
        choice,
        shown_san=sans,
        motifs=tuple(find_motifs(board, moves)),
        wins=swing.won_words(),
        wins_back=ahead < 0 and ahead + swing.value <= 0,
    )
    return found, end


def reason_of(board: chess.Board, best: Choice, given: Choice) -> str:
    """What is wrong with a move, if it is called an error."""
    if not given.word:
        return ""
    move = board.parse_uci(given.line.moves[0])
    return reason_for(board, move, best.line, following(given.line))


def following(line: Line) -> Line:
    """A line without its first move, seen from the other side."""
    score = -line.score
    if line.score.mate is not None and line.score.value > 0:
        shown: dict[str, int | None] = {"mate": 1 - line.score.mate}
    else:
        shown = score_json(score)
    turn = "b" if line.turn == "w" else "w"
    return Line.from_json({**line.as_json(), "moves": " ".join(line.moves[1:]), "score": shown, "turn": turn})


def find_threats(engine: EngineBase, position: Position, best: Choice, limit: Limit) -> list[Threat]:
    """What the other side would do now if we passed, and what our best move prepares."""
    found = []
    if passing(position) is not None:
        found.append(threat_of(engine, position, "", limit))
    after = position.copy()
    after.push(best.line.moves[0])
    if passing(after) is not None:
        found.append(threat_of(engine, after, best.san, limit))
    return found


def passing(position: Position) -> Position | None:
    """The position with the other side to move, or None if one cannot pass, or the game is over."""
    if position.is_check() or not position.legal_moves():
        return None
    passed = position.copy()
    passed.push_null()
    return passed if passed.legal_moves() else None


def threat_of(engine: EngineBase, position: Position, after: str, limit: Limit) -> Threat:
    """The best of a side that moves twice in a row, and whether it mates or wins something."""
    import chess

    passed = passing(position)
    assert passed is not None
    standing = engine.evaluate(passed)
    line = engine.analyse(passed, limit)
    board = chess.Board(passed.fen(shredder=passed.chess960), chess960=passed.chess960)
    is_mate = is_mating(line.score) and (line.score.mate or 0) <= LONGEST_MATE_THREAT
    moves = line.moves if is_mate else continued(engine, passed, line.moves, THREAT_PLIES)
    gain = clip(line.score) - clip(standing)
    swing = swing_of(board, moves)
    motifs = find_motifs(board, moves)
    needed = -DECIDED_LOSS_CP if abs(clip(standing)) >= DECIDED_CP else THREAT_SHARE_CP * swing.value
    is_material = swing.value >= 1 and gain >= needed
    is_real = is_mate or (is_material and is_direct(position.to_board(), board, moves[0], motifs, swing.value))
    motif = next((one for one in motifs if one.name != "hanging piece"), None)
    wins = "" if is_mate or not is_real else swing.won_words()
    shown_motif = "" if motif is None or not is_real or motif.name in ("mate", "trapped piece") else motif.text
    if motif is not None and motif.name == "promotion":
        shown_motif = PROMOTION if is_real and motif.ply == 0 else ""
    walked = board.copy(stack=False)
    sans = tuple(walked.san_and_push(walked.parse_uci(text)) for text in moves)
    return Threat(passed.turn, after, sans, line.score, gain, is_real, wins, shown_motif)


def is_direct(before: chess.Board, passed: chess.Board, text: str, motifs: list[Motif], value: int) -> bool:
    """Whether a move that wins something is a threat, and not a plan or an escape.

    A piece that can be won now threatens nothing of less worth: it will be taken. A quiet move threatens something if
    it has a motif or wins more than a pawn; else it only prepares.
    """
    move = passed.parse_uci(text)
    attacker = VALUES[before.piece_type_at(move.from_square) or 1]
    if attacker >= value and is_winnable(before, move.from_square):
        return False
    has_motif = any(motif.ply == 0 for motif in motifs)
    is_loud = bool(taken_by(passed, move)) or passed.gives_check(move) or move.promotion is not None
    return is_loud or has_motif or value > 1


def lengthened(engine: EngineBase, position: Position, line: Line) -> Line:
    """A line long enough to be understood: searches often cut theirs short."""
    if len(line.moves) >= LEAST_PLIES:
        return line
    return Line.from_json({**line.as_json(), "moves": " ".join(continued(engine, position, line.moves, LEAST_PLIES))})


def continued(engine: EngineBase, position: Position, moves: tuple[str, ...], plies: int) -> tuple[str, ...]:
    """The first plies of a line, played on if the search cut it short."""
    end = position.copy()
    found = list(moves[:plies])
    for text in found:
        end.push(text)
    while len(found) < plies and end.legal_moves() and not end.is_draw():
        text = engine.analyse(end, SETTLING).moves[0]
        end.push(text)
        found.append(text)
    return tuple(found)


def clip(score: Score) -> int:
    return max(-2000, min(2000, score.value))


def end_of(engine: EngineBase, position: Position, line: tuple[str, ...]) -> tuple[Position, tuple[str, ...]]:
    """Where a line leads: played on until the best move takes nothing, and no check is to be met.

    The evaluation means little in the middle of an exchange, and lines are often cut short there. A
    line that mates ends one move before it. The moves are given back as well.
    """
    end = position.copy()
    moves = list(line)
    for text in line:
        end.push(text)
    for _ in range(MOST_SETTLING):
        if not end.legal_moves() or end.is_draw():
            break
        text = engine.analyse(end, SETTLING).moves[0]
        if not end.is_check() and text not in {move.uci() for move in end.legal_moves("noisy")}:
            break
        end.push(text)
        moves.append(text)
    while end.is_check() and len(end.history()) > len(position.history()):
        end.pop()
    return end, tuple(moves)


def weighed_terms(position: Position) -> dict[str, float]:
    """Term -> centipawns for White, middlegame and endgame weighed by what is on the board."""
    found = evaluation_terms(position)
    return {readable(term.name): tapered(term, found) for term in found.terms}


def compare(position: Position, ends: list[Position]) -> tuple[Term, ...]:
    """All terms that are something somewhere, in the order of the evaluation."""
    start, *after = [weighed_terms(one) for one in (position, *ends)]
    found = []
    for name, value in start.items():
        last = after[1][name] if len(after) > 1 else None
        term = Term(name, value, after[0][name], last)
        if any(abs(number) >= 0.5 for number in (term.start, term.end, last or 0.0)):
            found.append(term)
    return tuple(found)


def material_change(start: Position, end: Position) -> dict[str, int]:
    """Pieces that White (capitals) and Black (small letters) have more (or fewer) at the end."""
    counts = []
    for position in (start, end):
        letters = position.fen().split()[0]
        counts.append({piece: letters.count(piece) for piece in "PNBRQpnbrq"})
    return {piece: counts[1][piece] - counts[0][piece] for piece in counts[0] if counts[1][piece] != counts[0][piece]}
