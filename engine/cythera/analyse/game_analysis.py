"""A game with what the engine thinks of it: the typed result behind all that is written and drawn.

The names here are the names in the JSON file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cythera.analyse.confirm import (
    LEAST,
    Confirmations,
    confirming,
)
from cythera.analyse.endings import table_phrase
from cythera.analyse.judge import (
    BLUNDER,
    INACCURACY,
    MISSED_MATE,
    MISTAKE,
    accuracy_of,
    expectation,
    loss_cp_of,
    loss_of,
    severity_of,
    word_of,
)
from cythera.analyse.reasons import reason_for
from cythera.board.position import Position
from cythera.board.scores import Score
from cythera.engine.limits import Limit
from cythera.engine.results import Line
from cythera.games.game import Game
from cythera.games.opening_names import book_plies, opening_of, uci_texts

if TYPE_CHECKING:
    import chess
    import chess.pgn

    from cythera.engine.engine_base import EngineBase

LEAST_PLIES = 8  # of a better line that is shown, and of the answer to an error
MOST_PLIES = 14  # to which they are played on until nothing is taken
PLAYING_ON = Limit(nodes=10_000)

__all__ = ["GameAnalysis", "MoveAnalysis", "SideSummary"]


@dataclass(frozen=True)
class MoveAnalysis:
    """A move that was played. Scores and losses are from the side of who played it.

    `lines` are the engine's in the position before it, best first; `score` is what the engine thinks
    once it is played, `depth` how deep it looked. `loss` is expected score given away (0 to 1), `loss_cp`
    centipawns. A move with a `word` has been searched again, deeper; `answer` is then the line that
    answers it, and `reason` says what it allows or misses, if that can be said.
    """

    ply: int  # plies of the game before it, 0 at its start
    move_number: int
    turn: str  # "w" or "b"
    san: str
    uci: str
    score: Score
    lines: tuple[Line, ...]
    best_san: tuple[str, ...]
    loss: float
    loss_cp: int
    accuracy: float
    word: str
    depth: int = 0  # of the search behind `score`, 0 if the game was over
    is_book: bool = False
    answer: Line | None = None
    reason: str = ""
    tablebase: str = ""  # what endgame tables say of the position after it

    @property
    def best(self) -> Line:
        return self.lines[0]

    @property
    def white_score(self) -> Score:
        return self.score.white(self.turn)

    @property
    def is_best(self) -> bool:
        return self.best.moves[:1] == (self.uci,)

    @property
    def label(self) -> str:
        """Number and move, as in `12... Nf6`."""
        return f"{self.move_number}{'.' if self.turn == 'w' else '...'} {self.san}"

    def as_json(self) -> dict[str, Any]:
        return {
            "ply": self.ply, "move_number": self.move_number, "turn": self.turn, "san": self.san, "uci": self.uci,
            "score": score_json(self.score), "best_san": " ".join(self.best_san), "loss": round(self.loss, 4),
            "loss_cp": self.loss_cp, "accuracy": round(self.accuracy, 1), "word": self.word,
            "depth": self.depth, "is_book": self.is_book, "reason": self.reason, "tablebase": self.tablebase,
            "answer": self.answer.as_json() if self.answer is not None else None,
            "lines": [line.as_json() for line in self.lines],
        }  # fmt: skip


@dataclass(frozen=True)
class SideSummary:
    """How one side played: accuracy in per cent and average loss in centipawns, None without a move."""

    moves: int
    accuracy: float | None
    average_loss_cp: float | None
    inaccuracies: int
    mistakes: int
    blunders: int
    missed_mates: int

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True)
class GameAnalysis:
    """A whole game: its moves judged, the lines of its last position, opening and summaries.

    `game` is the game as it was read, with its headers, comments and variations, untouched.
    """

    game: chess.pgn.Game
    moves: tuple[MoveAnalysis, ...]
    final: tuple[Line, ...]
    opening: str
    opening_plies: int
    white: SideSummary
    black: SideSummary

    @property
    def headers(self) -> dict[str, str]:
        return dict(self.game.headers)

    @property
    def title(self) -> str:
        """Who played whom, or the event, as far as the headers tell."""
        white, black = (self.game.headers.get(tag, "?") for tag in ("White", "Black"))
        if (white, black) != ("?", "?"):
            return f"{white} – {black}"
        event = self.game.headers.get("Event", "?")
        return event if event != "?" else "A game"

    @property
    def result(self) -> str:
        return self.game.headers.get("Result", "*")

    def start(self) -> chess.Board:
        """The board before the first move."""
        return self.game.board()

    def white_scores(self) -> list[Score]:
        """The engine's score of every position, from White's side: one more than there are moves."""
        first = self.moves[0].best if self.moves else self.final[0]
        return [first.white_score, *(move.white_score for move in self.moves)]

    def white_expectations(self) -> list[float]:
        """The same as expected score, 0 (Black wins) to 1 (White wins)."""
        return [expectation(score) for score in self.white_scores()]

    def key_moments(self, most: int = 0) -> list[MoveAnalysis]:
        """The moves that have a word, in the order of the game; or only the `most` that lost most."""
        found = [move for move in self.moves if move.word]
        if most and len(found) > most:
            worst = sorted(found, key=lambda move: -move.loss)[:most]
            found = [move for move in found if move in worst]
        return found

    def pgn(self) -> str:
        """The game as annotated PGN."""
        from cythera.analyse.annotate import annotated_text

        return annotated_text(self)

    def graph(self) -> str:
        """The evaluation over the game as an SVG picture."""
        from cythera.analyse.graph import draw_graph

        return draw_graph(self.white_expectations(), [(move.ply + 1, move.word) for move in self.key_moments()])

    def html(self) -> str:
        """The game as a page to step through, in one file."""
        from cythera.analyse.page import draw_page

        return "".join(draw_page([self]))

    def as_json(self) -> dict[str, Any]:
        board = self.start()
        return {
            "headers": self.headers, "title": self.title, "result": self.result, "start_fen": board.fen(),
            "chess960": board.chess960, "opening": self.opening, "opening_plies": self.opening_plies,
            "white": self.white.as_json(), "black": self.black.as_json(),
            "moves": [move.as_json() for move in self.moves], "final": [line.as_json() for line in self.final],
        }  # fmt: skip

    def _repr_html_(self) -> str:
        from cythera.analyse.analysis_html import game_html

        return game_html(self)


def score_json(score: Score) -> dict[str, int | None]:
    return {"cp": score.cp} if score.cp is not None else {"mate": score.mate}


def judge_game(game: chess.pgn.Game, lines: Sequence[Sequence[Line]], confirmed: Confirmations) -> GameAnalysis:
    """Puts a game and the engine's lines of all its positions together.

    A move is called an error only where the deeper searches of `confirmed` say so too.
    """
    board = game.board()
    played = list(game.mainline_moves())
    assert len(lines) == len(played) + 1
    start, texts = Position.from_board(board, history=False), uci_texts(board, played)
    opening, opening_plies = opening_of(start, texts)
    book = book_plies(start, texts)
    moves: list[MoveAnalysis] = []
    for at, move in enumerate(played):
        moves.append(judge_move(board, at, move, lines[at], lines[at + 1][0], confirmed, at in book))
        board.push(move)
    sides = [summary([move for move in moves if move.turn == turn]) for turn in "wb"]
    return GameAnalysis(game, tuple(moves), tuple(lines[-1]), opening, opening_plies, *sides)


def judge_move(
    board: chess.Board,
    at: int,
    move: chess.Move,
    before: Sequence[Line],
    after: Line,
    confirmed: Confirmations,
    is_book: bool,
) -> MoveAnalysis:
    """A move that was played, in the position before it."""
    uci = board.uci(move)
    best, score, word = before[0].score, -after.score, ""
    answer = None
    is_best = before[0].moves[:1] == (uci,)
    loss = 0.0 if is_best else loss_of(best, score)
    if at in confirmed and not is_best:
        deeper = confirmed[at]
        first = severity_of(best, score) if loss >= LEAST else 1.0
        best, score, answer = deeper.best.score, deeper.played, deeper.answer
        loss = loss_of(best, score)
        word = word_of(best, score, min(deeper.most, first))
        before = [deeper.best, *before[1:]]
    if is_book and word != BLUNDER:
        word, loss = "", 0.0
    reached = board.copy(stack=False)
    reached.push(move)
    reason = ""
    if word:
        assert answer is not None
        before = [played_on(line, board) for line in before]
        board.push(move)
        answer = played_on(answer, board)
        board.pop()
        reason = reason_for(board, move, before[0], answer)
    return MoveAnalysis(
        ply=at,
        move_number=board.fullmove_number,
        turn="w" if board.turn else "b",
        san=board.san(move),
        uci=uci,
        score=score,
        lines=tuple(before),
        best_san=tuple(before[0].san(board)),
        loss=loss,
        loss_cp=0 if is_best or (is_book and not word) else loss_cp_of(best, score),
        accuracy=accuracy_of(loss),
        word=word,
        depth=(answer or after).depth,
        is_book=is_book and not word,
        answer=answer if word else None,
        reason=reason,
        tablebase=table_phrase(reached) if reached.legal_moves else "",
    )


def played_on(line: Line, board: chess.Board) -> Line:
    """A line long enough to be understood: searches often cut theirs short, so small ones play it on, until nothing is
    taken and no check is to be met.

    They begin from an empty table, so that the result depends on the line alone.
    """
    if not line.moves:
        return line
    from cythera.board.position import Position
    from cythera.engine.batch import lines_of, new_run
    from cythera.net.load import new_searcher

    searcher = new_searcher(1, tables=True)
    position = Position.from_board(board)
    for text in line.moves:
        position.push(text)
    moves = list(line.moves)
    while len(moves) < MOST_PLIES and position.legal_moves() and not position.is_draw():
        if len(moves) >= LEAST_PLIES and is_quiet(position):
            break
        text = lines_of(new_run(searcher, position, PLAYING_ON, 1))[0].moves[0]
        if len(moves) >= LEAST_PLIES and not position.is_check() and text not in noisy(position):
            break
        moves.append(text)
        position.push(text)
    return Line.from_json({**line.as_json(), "moves": " ".join(moves)})


def noisy(position: Position) -> set[str]:
    return {move.uci() for move in position.legal_moves("noisy")}


def is_quiet(position: Position) -> bool:
    """Whether there is nothing to take, and no check to meet."""
    return not position.is_check() and not noisy(position)


def summary(moves: list[MoveAnalysis]) -> SideSummary:
    words = [move.word for move in moves]
    return SideSummary(
        moves=len(moves),
        accuracy=round(sum(move.accuracy for move in moves) / len(moves), 1) if moves else None,
        average_loss_cp=round(sum(move.loss_cp for move in moves) / len(moves), 1) if moves else None,
        inaccuracies=words.count(INACCURACY),
        mistakes=words.count(MISTAKE),
        blunders=words.count(BLUNDER),
        missed_mates=words.count(MISSED_MATE),
    )


def analyse_game(
    engine: EngineBase, game: chess.pgn.Game | Game | str, limit: Limit, multipv: int, workers: int | None
) -> GameAnalysis:
    """See `Engine.analyse_game`."""
    from cythera.analyse.pgn_input import chess_game, read_text

    if isinstance(game, str):
        game = read_text(game)
    if isinstance(game, Game):
        game = chess_game(game)
    board = game.end().board()
    count = len(board.move_stack)

    def backwards() -> Iterator[chess.Board]:
        yield board
        while board.move_stack:
            board.pop()
            yield board

    found = list(engine.analyse_many(backwards(), limit, multipv, workers=workers, fresh=False))
    assert len(found) == count + 1
    lines = found[::-1]
    rounds = confirming(game, lines, limit)
    results: list[Line] | None = None
    while True:
        try:
            boards, longer = rounds.send(results) if results is not None else next(rounds)
        except StopIteration as end:
            return judge_game(game, lines, end.value)
        results = list(engine.analyse_many(boards, longer, workers=workers))
