"""Makes openings: random legal plies or given positions, kept where a search finds the wanted balance.

Candidate number n is a function of the seed and n alone (or the n-th position), and candidates are taken in
order, so the file does not depend on how many workers looked at them.
"""

import random
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

import chess

from cythera.common.executor import open_workers
from cythera.match.adjudication import MATE_CP
from cythera.match.match_errors import MatchError
from cythera.match.uci.engines import EngineSpec
from cythera.match.uci.info import final_info
from cythera.match.uci.pool import shared_pool
from cythera.match.uci.process import EngineProcess

BATCH = 16  # candidates a unit of work
THINK_S = 60.0
GRACE_S = 3.0

Evaluate = Callable[[str, int], int]  # (fen, nodes) -> centipawns for the side to move


@dataclass(frozen=True, slots=True)
class Criteria:
    """What an opening should be: `plies` random moves from the start, and a score for white within bounds.

    `low_cp` to `high_cp` is the range of the score's size; with `signed` it is the range of the score
    itself. `spread_plies` adds 0 or more plies at random, so that both sides come to move.
    """

    plies: int = 8
    spread_plies: int = 1
    nodes: int = 10_000
    low_cp: int = 0
    high_cp: int = 50
    signed: bool = False
    chess960: bool = False

    def __post_init__(self) -> None:
        if self.plies < 1 or self.spread_plies < 0:
            raise MatchError(f"plies must be at least 1 and spread 0 or more, got {self.plies}, {self.spread_plies}")
        if self.nodes < 1:
            raise MatchError(f"nodes must be at least 1, got {self.nodes}")
        if self.low_cp > self.high_cp or (not self.signed and self.low_cp < 0):
            floor = "" if self.signed else " from 0 up"
            raise MatchError(f"the window of scores must be LOW:HIGH{floor}, got {self.low_cp}:{self.high_cp}")

    def takes(self, score_cp: int) -> bool:
        """Whether a score, white's, is wanted."""
        return self.low_cp <= (score_cp if self.signed else abs(score_cp)) <= self.high_cp


def candidate(criteria: Criteria, seed: int, number: int) -> chess.Board | None:
    """The position of a candidate; None where its game ended early or its side to move is in check."""
    chances = random.Random(f"{seed}/{number}")
    board = chess.Board.from_chess960_pos(chances.randrange(960)) if criteria.chess960 else chess.Board()
    for _ in range(criteria.plies + chances.randint(0, criteria.spread_plies)):
        moves = sorted(board.legal_moves, key=lambda move: move.uci())
        if not moves:
            return None
        board.push(chances.choice(moves))
    if board.is_check() or not any(board.legal_moves):
        return None
    return board


@dataclass(frozen=True, slots=True)
class FoundOpening:
    """An opening: EPD without operations, and the score for white."""

    number: int
    epd: str
    score_cp: int


def find(
    criteria: Criteria, seed: int, numbers: range, evaluate: Evaluate, fens: Sequence[str] | None = None
) -> list[FoundOpening]:
    """The candidates of a range that are wanted; with `fens`, these positions instead of random ones."""
    found = []
    for number in numbers:
        board: chess.Board | None
        if fens is None:
            board = candidate(criteria, seed, number)
        else:
            board = chess.Board(fens[number - numbers.start], chess960=criteria.chess960)
        if board is None:
            continue
        score_cp = evaluate(board.fen(), criteria.nodes)
        if board.turn == chess.BLACK:
            score_cp = -score_cp
        if criteria.takes(score_cp):
            found.append(FoundOpening(number, board.epd(), score_cp))
    return found


def uci_evaluate(engine: EngineProcess) -> Evaluate:
    """An engine as a function. It forgets everything between positions, so that their order does not matter."""

    def evaluate(fen: str, nodes: int) -> int:
        engine.new_game()
        thought = engine.think(f"position fen {fen}", f"go nodes {nodes}", THINK_S, GRACE_S)
        info = final_info(thought.lines)
        if info.mate is not None:
            return MATE_CP if info.mate > 0 else -MATE_CP
        if info.score_cp is None:
            raise MatchError(f"{engine.name} gave no score for {fen}")
        return info.score_cp

    return evaluate


@dataclass(frozen=True, slots=True)
class OpeningUnit:
    engine: EngineSpec
    criteria: Criteria
    seed: int
    numbers: range
    fens: tuple[str, ...] | None = None


def find_in_unit(unit: OpeningUnit) -> list[FoundOpening]:
    """A worker's part of the search."""
    with shared_pool().lend(unit.engine, chess960=unit.criteria.chess960) as engine:
        return find(unit.criteria, unit.seed, unit.numbers, uci_evaluate(engine), unit.fens)


def make_openings(
    engine: EngineSpec,
    criteria: Criteria,
    seed: int,
    *,
    concurrency: int = 1,
    cluster: str | None = None,
    stop: Callable[[], bool] = lambda: False,
    fens: Sequence[str] | None = None,
) -> Generator[FoundOpening, None, None]:
    """A supply of different openings, in the order of their candidates: endless, or as long as `fens` last."""

    def units() -> Iterator[OpeningUnit]:
        begin = 0
        while fens is None or begin < len(fens):
            end = begin + BATCH if fens is None else min(begin + BATCH, len(fens))
            given = None if fens is None else tuple(fens[begin:end])
            yield OpeningUnit(engine, criteria, seed, range(begin, end), given)
            begin += BATCH

    seen: set[str] = set()
    waiting: dict[int, list[FoundOpening]] = {}
    expected = 0
    with open_workers(concurrency, cluster) as pool:
        for unit, found in pool.completed(find_in_unit, units(), stopped=stop):
            waiting[unit.numbers.start] = found
            while expected in waiting:
                for opening in waiting.pop(expected):
                    if opening.epd not in seen:
                        seen.add(opening.epd)
                        yield opening
                expected += BATCH
