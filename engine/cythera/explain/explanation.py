"""Why the engine plays a move: its line, what else there was, what is threatened, what changes.

Everything is taken from searches and from the evaluation of this engine, nothing is guessed: a
sentence here stands for numbers that are in the same object.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cythera.analyse.game import score_json
from cythera.analyse.judge import loss_of, word_of
from cythera.board.position import Position, position_from
from cythera.board.scores import Score
from cythera.core import evaluation_terms
from cythera.engine.api import GameOverError
from cythera.engine.evaluation_table import FULL_PHASE, FULL_SCALE, readable
from cythera.engine.limits import Limit
from cythera.errors import CytheraError
from cythera.explain.words import sentences_of

if TYPE_CHECKING:
    import chess

    from cythera.engine.api import BoardLike, EngineBase, MoveLike
    from cythera.engine.results import Line

__all__ = ["Explanation", "Term", "Threat", "explain"]

DEFAULT = Limit(nodes=400_000)
OTHERS = 3  # lines looked at
SETTLING = Limit(depth=8)  # to play a line on until nothing hangs
MOST_SETTLING = 10  # plies
THREAT_CP = 100  # what a free move must bring to be a threat: the move itself is worth something


@dataclass(frozen=True)
class Choice:
    """A first move with its line and what the engine thinks of it, for the side to move."""

    san: str
    line: Line
    line_san: tuple[str, ...]
    loss: float  # expected score given away against the best
    word: str

    @property
    def score(self) -> Score:
        return self.line.score

    def as_json(self) -> dict[str, Any]:
        return {
            "san": self.san, "line": self.line.as_json(), "line_san": " ".join(self.line_san),
            "loss": round(self.loss, 4), "word": self.word,
        }  # fmt: skip


@dataclass(frozen=True)
class Threat:
    """What a side would play if the other passed; `gain_cp` is what the pass would give away."""

    side: str  # "w" or "b"
    after: str  # the move before the pass (SAN), empty if it is the position itself
    line_san: tuple[str, ...]
    score: Score  # for `side`, once the other has passed
    gain_cp: int

    @property
    def is_real(self) -> bool:
        return self.gain_cp >= THREAT_CP

    def as_json(self) -> dict[str, Any]:
        return {
            "side": self.side, "after": self.after, "line_san": " ".join(self.line_san),
            "score": score_json(self.score), "gain_cp": self.gain_cp, "is_real": self.is_real,
        }  # fmt: skip


@dataclass(frozen=True)
class Term:
    """A term of the evaluation, in centipawns for White: here, and at the end of a line."""

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
    """The answer to "why?". Scores are for the side to move, terms for White."""

    fen: str
    chess960: bool
    turn: str
    best: Choice
    others: tuple[Choice, ...]  # the next best moves
    move: Choice | None  # the one that was asked about, if another than the best
    asked: str  # its SAN, also if it is the best; empty if none was asked about
    threats: tuple[Threat, ...]
    terms: tuple[Term, ...]
    material: dict[str, dict[str, int]]  # "best", "move": pieces more (White) or fewer than now
    sentences: tuple[str, ...]

    def position(self) -> Position:
        return Position(self.fen, chess960=self.chess960)

    def text(self) -> str:
        """The sentences, and the terms that change as a table."""
        from cythera.explain.words import terms_text

        return "\n".join(self.sentences) + "\n\n" + terms_text(self)

    def as_json(self) -> dict[str, Any]:
        return {
            "format": "cythera-explanation", "version": 1, "fen": self.fen, "chess960": self.chess960,
            "turn": self.turn, "best": self.best.as_json(), "others": [other.as_json() for other in self.others],
            "move": self.move.as_json() if self.move else None, "asked": self.asked,
            "threats": [threat.as_json() for threat in self.threats], "terms": [term.as_json() for term in self.terms],
            "material": self.material, "sentences": list(self.sentences),
        }  # fmt: skip

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        from html import escape

        from cythera.analyse.notebook import board_svg, side_by_side, table
        from cythera.explain.words import terms_rows

        headings, rows = terms_rows(self)
        said = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)
        return side_by_side(board_svg(self.position(), self.best.line.moves[0]), said + table(headings, rows))


def explain(engine: EngineBase, where: BoardLike, move: MoveLike | None, limit: Limit | None) -> Explanation:
    """See `Engine.explain`."""
    position = position_from(where).copy()
    limit = limit or DEFAULT
    if not position.legal_moves():
        raise GameOverError(f"there is no move: {'checkmate' if position.is_check() else 'stalemate'}")
    board = position.to_board()
    asked = None if move is None else find_move(position, board, move)
    lines = engine.analyse(position, limit, OTHERS)
    choices = [choice_of(board, line, lines[0].score) for line in lines]
    best, others = choices[0], tuple(choices[1:])
    given = None
    if asked is not None and asked != best.line.moves[0]:
        line = engine.analyse(position, limit, searchmoves=[asked])
        given = choice_of(board, line, best.score)
    threats = tuple(find_threats(engine, position, best, limit))
    ends = [end_of(engine, position, best.line)] + ([end_of(engine, position, given.line)] if given else [])
    terms = compare(position, ends)
    material = {"best": material_change(position, ends[0])}
    if given:
        material["move"] = material_change(position, ends[1])
    explanation = Explanation(
        fen=position.fen(shredder=position.chess960),
        chess960=position.chess960,
        turn=position.turn,
        best=best,
        others=others,
        move=given,
        asked="" if asked is None else board.san(board.parse_uci(asked)),
        threats=threats,
        terms=terms,
        material=material,
        sentences=(),
    )
    return replace(explanation, sentences=tuple(sentences_of(explanation)))


def find_move(position: Position, board: chess.Board, move: MoveLike) -> str:
    """The UCI text of a move given as SAN, UCI or an object; raises CytheraError."""
    if isinstance(move, str):
        try:
            return board.uci(board.parse_san(move))
        except ValueError:
            pass
    try:
        return position.parse_move(move).uci()
    except (CytheraError, ValueError) as error:
        raise CytheraError(f"{move} is not a legal move here, as SAN or UCI") from error


def choice_of(board: chess.Board, line: Line, best: Score) -> Choice:
    sans = tuple(line.san(board))
    loss = loss_of(best, line.score)
    return Choice(sans[0], line, sans, loss, word_of(best, line.score))


def find_threats(engine: EngineBase, position: Position, best: Choice, limit: Limit) -> list[Threat]:
    """What the other side would do now if we passed, and what our best move prepares."""
    found = []
    passed = passing(position)
    if passed is not None:
        found.append(threat_of(engine, passed, "", -best.score, limit))
    after = position.copy()
    after.push(best.line.moves[0])
    passed = passing(after)
    if passed is not None:
        found.append(threat_of(engine, passed, best.san, best.score, limit))
    return found


def passing(position: Position) -> Position | None:
    """The position with the other side to move, or None if one cannot pass, or the game is over."""
    if position.is_check() or not position.legal_moves():
        return None
    passed = position.copy()
    passed.push_null()
    return passed if passed.legal_moves() else None


def threat_of(engine: EngineBase, passed: Position, after: str, expected: Score, limit: Limit) -> Threat:
    """The best of a side that moves twice; `expected` is its score without the pass."""
    line = engine.analyse(passed, limit)
    gain = clip(line.score) - clip(expected)
    import chess

    board = chess.Board(passed.fen(shredder=passed.chess960), chess960=passed.chess960)
    return Threat(passed.turn, after, tuple(line.san(board)), line.score, gain)


def clip(score: Score) -> int:
    return max(-2000, min(2000, score.value))


def end_of(engine: EngineBase, position: Position, line: Line) -> Position:
    """Where a line leads: played on until the best move takes nothing, and no check is to be met.

    The evaluation means little in the middle of an exchange, and lines are often cut short there. A
    line that mates ends one move before it.
    """
    end = position.copy()
    for text in line.moves:
        end.push(text)
    for _ in range(MOST_SETTLING):
        if not end.legal_moves() or end.is_draw():
            break
        text = engine.analyse(end, SETTLING).moves[0]
        if not end.is_check() and text not in {move.uci() for move in end.legal_moves("noisy")}:
            break
        end.push(text)
    while end.is_check() and len(end.history()) > len(position.history()):
        end.pop()
    return end


def weighed_terms(position: Position) -> dict[str, float]:
    """Term -> centipawns for White, middlegame and endgame weighed by what is on the board."""
    terms, phase, scale, _ = evaluation_terms(position)
    found = {}
    for name, white_mg, white_eg, black_mg, black_eg in terms:
        mg, eg = white_mg - black_mg, white_eg - black_eg
        found[readable(name)] = (mg * phase + eg * scale / FULL_SCALE * (FULL_PHASE - phase)) / FULL_PHASE
    return found


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
