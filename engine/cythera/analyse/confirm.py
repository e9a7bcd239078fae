"""No move is called an error on the strength of one short search: both moves are searched again, deeper.

The first search of a game finds candidates, moves that seem to give something away. For each of them the
positions after the best move and after the move played are searched from an empty table, each four times as
long, and what still seems to be an error then once more, each sixteen times as long. Both are one ply after
the same position and get the same effort, so what remains of their errors is the same for both. The mildest of
the judgements counts.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cythera.analyse.judge import INACCURACY, WORDS, is_missed_mate, loss_of, severity_of
from cythera.board.position import Position
from cythera.engine.limits import Limit
from cythera.engine.results import Line
from cythera.games.opening_names import book_plies, uci_texts

if TYPE_CHECKING:
    import chess
    import chess.pgn

    from cythera.analyse.blocks import Settings
    from cythera.board.scores import Score

# The effort of the confirming searches, one round after the other: a factor for nodes and time, plies for depth.
ROUNDS = ((4, 3), (16, 6))
BOOK_LEAST = WORDS[0][0]  # a book move is judged if it seems to be a blunder

LEAST = {word: least for least, word in WORDS}[INACCURACY]

Confirmations = Mapping[int, "Confirmation"]


@dataclass(frozen=True)
class Confirmation:
    """What the deeper searches say: the line of the best move, and the answer to the one played."""

    best: Line  # from the position before the move
    answer: Line  # from the position after the move played, for the other side
    most: float = 1.0  # the severity that the rounds before have found

    @property
    def played(self) -> Score:
        """The score of the move played, from the mover's side."""
        return -self.answer.score

    @property
    def severity(self) -> float:
        """How bad the move is by the mildest of the judgements."""
        return min(self.most, severity_of(self.best.score, self.played))

    @property
    def is_doubtful(self) -> bool:
        """Whether another round is worth its time. A mate that was found is no matter of judgement."""
        return self.severity >= LEAST


@dataclass(frozen=True)
class Confirming:
    """Work for a worker: the candidates of a game, as plies with the move that seemed best."""

    game: int
    fen: str
    chess960: bool
    moves: tuple[str, ...]
    candidates: tuple[tuple[int, str], ...]


def confirm_limits(limit: Limit) -> list[Limit]:
    """The limit of each round.

    >>> [one.nodes for one in confirm_limits(Limit(nodes=1000))], [one.depth for one in confirm_limits(Limit(depth=10))]
    ([4000, 16000], [13, 16])
    """
    longer = [
        Limit(
            nodes=None if limit.nodes is None else factor * limit.nodes,
            depth=None if limit.depth is None else limit.depth + more_plies,
            time_s=None if limit.time_s is None else factor * limit.time_s,
            mate=limit.mate,
        )
        for factor, more_plies in ROUNDS
    ]
    return [limit] if longer[0].unlimited else longer


def candidates_of(game: chess.pgn.Game, lines: Sequence[Sequence[Line]]) -> list[tuple[int, str]]:
    """The moves of a game that seem to be errors: ply, and the move that seemed best."""
    board = game.board()
    played = list(game.mainline_moves())
    book = book_plies(Position.from_board(board, history=False), uci_texts(board, played))
    found = []
    for ply, move in enumerate(played):
        before, after = lines[ply][0], lines[ply + 1][0]
        if before.moves[:1] != (board.uci(move),):
            loss = loss_of(before.score, -after.score)
            least = BOOK_LEAST if ply in book else LEAST
            if loss >= least or is_missed_mate(before.score, -after.score):
                found.append((ply, before.moves[0]))
        board.push(move)
    return found


def candidate_boards(game: chess.pgn.Game, candidates: Sequence[tuple[int, str]]) -> Iterator[chess.Board]:
    """For each candidate the positions after the best move and after the one played, with their histories."""
    board = game.board()
    best_moves = dict(candidates)
    for ply, move in enumerate(game.mainline_moves()):
        if ply in best_moves:
            for one in (board.parse_uci(best_moves[ply]), move):
                after = board.copy()
                after.push(one)
                yield after
        board.push(move)


def confirmations_of(
    candidates: Sequence[tuple[int, str]], found: Sequence[Line], before: Confirmations | None = None
) -> dict[int, Confirmation]:
    """The confirmations by ply, from the lines of the positions of `candidate_boards`, after those of rounds before."""
    pairs = zip(candidates, found[::2], found[1::2], strict=True)
    most = {ply: one.severity for ply, one in (before or {}).items()}
    return {
        ply: Confirmation(preceded(best, after_best), answer, most.get(ply, 1.0))
        for (ply, best), after_best, answer in pairs
    }


def confirming(
    game: chess.pgn.Game, lines: Sequence[Sequence[Line]], limit: Limit
) -> Generator[tuple[list[chess.Board], Limit], Sequence[Line], dict[int, Confirmation]]:
    """Confirms the candidates of a game: asks for searches, a round at a time, and returns what they say.

    The caller sends the lines of the boards, each searched from an empty table.
    """
    candidates = candidates_of(game, lines)
    found: dict[int, Confirmation] = {}
    for longer in confirm_limits(limit):
        if not candidates:
            break
        results = yield list(candidate_boards(game, candidates)), longer
        found.update(confirmations_of(candidates, results, found))
        candidates = [(ply, best) for ply, best in candidates if found[ply].is_doubtful]
    return found


def preceded(move: str, line: Line) -> Line:
    """A line with a move of the other side before it."""
    data = line.as_json()
    score = -line.score
    if score.mate is not None and score.value > 0:
        shown: dict[str, int | None] = {"mate": score.mate + 1}
    else:
        shown = {"cp": score.cp} if score.cp is not None else {"mate": score.mate}
    turn = "b" if line.turn == "w" else "w"
    moves = " ".join((move, *line.moves))
    more = {"moves": moves, "score": shown, "turn": turn, "wdl": list(line.wdl[::-1]), "multipv": 1}
    return Line.from_json({**data, **more, "depth": line.depth + 1, "seldepth": line.seldepth + 1})


def confirming_of(game: chess.pgn.Game, number: int, lines: Sequence[Sequence[Line]]) -> Confirming:
    """The unit of work for a game that has been searched."""
    board = game.board()
    fen = board.fen(shredder=board.chess960, en_passant="fen")
    moves = []
    for move in game.mainline_moves():
        moves.append(board.uci(move))
        board.push(move)
    return Confirming(number, fen, board.chess960, tuple(moves), tuple(candidates_of(game, lines)))


def search_candidates(settings: Settings, unit: Confirming) -> list[Any]:
    """What a worker does: `[ply, most, line of the best move, line after the move played]` for each candidate."""
    from cythera.engine.batch import lines_of, new_run, table_mib
    from cythera.net.load import new_searcher

    found: dict[int, Confirmation] = {}
    candidates = unit.candidates
    for limit in confirm_limits(settings.limit()):
        searcher = new_searcher(table_mib(settings.hash_mib, limit), tables=True)
        lines = []
        for ply, best in candidates:
            for move in (best, unit.moves[ply]):
                searcher.clear()
                lines.append(lines_of(new_run(searcher, position_after(unit, ply, move), limit, 1))[0])
        found.update(confirmations_of(candidates, lines, found))
        candidates = tuple((ply, best) for ply, best in candidates if found[ply].is_doubtful)
    return [[ply, one.most, one.best.as_json(), one.answer.as_json()] for ply, one in found.items()]


def position_after(unit: Confirming, ply: int, move: str) -> Position:
    position = Position(unit.fen, chess960=unit.chess960)
    for text in unit.moves[:ply]:
        position.push(text)
    position.push(move)
    return position


def confirmations_from(rows: Sequence[Any]) -> dict[int, Confirmation]:
    """The confirmations that `search_candidates` made the data of."""
    return {ply: Confirmation(Line.from_json(best), Line.from_json(answer), most) for ply, most, best, answer in rows}
