"""Pairs of games between two settings of this engine, in one process and at fixed nodes.

For tuning, and for what a technique is worth: at a few thousand nodes per move, half the time of a match over UCI
goes into pipes and the referee. The games follow from the two sides and the opening alone.

The search parameters belong to the whole process (`set_tunables`), so only one search may run in it at a
time. Pairs see to that among themselves; nothing else may search while one is played. The UCI program never
loads this module, and `cythera.match` only where games are to be played in process.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from cythera.board.position import Position
from cythera.core import TUNABLES, Searcher, SearchLine, features_without, get_tunables, set_tunables
from cythera.errors import CytheraError, OptionError
from cythera.match.adjudication import TUNING_RULES, Adjudicator, Rules
from cythera.net.load import DEFAULT, new_searcher

HASH_MIB = 8
MAX_PLIES = 400  # then it is a draw
SEARCHERS_KEPT = 4  # two for each of two evaluations

WHITE_POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
LIMITS = {row.name: (row.low, row.high) for row in TUNABLES}

_one_at_a_time = threading.Lock()


@dataclass(frozen=True, slots=True)
class Side:
    """A player: `nodes` a move, search parameters that differ from their defaults, techniques it does without,
    and its evaluation as the option EvalFile names it. Raises OptionError.

    >>> Side(nodes=1000, without=("nmp",)).nodes
    1000
    """

    nodes: int
    tunables: Mapping[str, int] = field(default_factory=dict, hash=False)
    without: tuple[str, ...] = ()
    eval_file: str = DEFAULT

    def __post_init__(self) -> None:
        if self.nodes < 1:
            raise OptionError(f"nodes per move must be at least 1, got {self.nodes}")
        for name, value in self.tunables.items():
            if name not in LIMITS:
                raise OptionError(f"unknown search parameter {name!r}; `cythera tunables` lists them")
            low, high = LIMITS[name]
            if not low <= value <= high:
                raise OptionError(f"{name} must be between {low} and {high}, got {value}")
        features_without(",".join(self.without))

    @classmethod
    def from_options(
        cls, options: Iterable[tuple[str, str]], nodes: int, tunables: Mapping[str, int] | None = None
    ) -> "Side":
        """A side from UCI options: EvalFile, Without and search parameters; `tunables` come on top.

        >>> Side.from_options([("Without", "nmp, razoring")], 1000).without
        ('nmp', 'razoring')
        """
        numbers: dict[str, int] = {}
        without: tuple[str, ...] = ()
        eval_file = DEFAULT
        for name, value in options:
            if name.lower() == "evalfile":
                eval_file = value
            elif name.lower() == "without":
                without = tuple(part.strip() for part in value.split(",") if part.strip())
            elif name in LIMITS:
                numbers[name] = whole(name, value)
            else:
                supported = "EvalFile, Without, search parameters"
                raise OptionError(f"option {name} is not supported in process (supported: {supported})")
        return cls(nodes, numbers | dict(tunables or {}), without, eval_file)

    @classmethod
    def from_text(cls, text: str, nodes: int) -> "Side":
        """A side from options separated by semicolons.

        >>> Side.from_text("NMP_BASE=5; Without=nmp", 1000).without
        ('nmp',)
        """
        options: list[tuple[str, str]] = []
        for part in filter(None, (part.strip() for part in text.split(";"))):
            name, equals, value = part.partition("=")
            if not equals:
                raise OptionError(f"an option is written NAME=VALUE, got {part!r}")
            options.append((name.strip(), value.strip()))
        return cls.from_options(options, nodes)


def whole(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise OptionError(f"{name} must be a whole number, got {text!r}") from None


@dataclass(frozen=True, slots=True)
class PairGame:
    """A game that was played: its result as PGN writes it, and the moves after the opening."""

    result: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening. The first side has White in the first one and Black in the second."""

    games: tuple[PairGame, PairGame]

    @property
    def scores(self) -> tuple[float, float]:
        """The first side's points in each game."""
        return WHITE_POINTS[self.games[0].result], 1.0 - WHITE_POINTS[self.games[1].result]

    @property
    def points(self) -> float:
        """Points of the first side less points of the second, from -2 to 2."""
        return 2 * sum(self.scores) - 2

    @property
    def plies(self) -> int:
        """Of both games together."""
        return sum(len(game.moves) for game in self.games)


@dataclass(frozen=True, slots=True)
class PairTask:
    """A pair to be played: plain data that travels between processes. `index` is the caller's."""

    index: int
    first: Side
    second: Side
    fen: str
    moves: tuple[str, ...] = ()
    rules: Rules = TUNING_RULES
    chess960: bool = False


def play_task(task: PairTask) -> Pair:
    """The unit of work for `cythera.common.executor`."""
    return play_pair(task.first, task.second, task.fen, task.moves, rules=task.rules, chess960=task.chess960)


def play_pair(
    first: Side,
    second: Side,
    fen: str,
    moves: Sequence[str] = (),
    *,
    rules: Rules = TUNING_RULES,
    max_plies: int = MAX_PLIES,
    chess960: bool = False,
) -> Pair:
    """Plays an opening, a position and moves from it, with both colours.

    Whatever happens, the search parameters are afterwards what they were before. Raises CytheraError where
    the opening or a net is of no use.
    """
    opening = Position(fen, chess960=chess960)
    for move in moves:
        opening.push(move)
    with _one_at_a_time:
        one, other = player(0, first), player(1, second)
        before = list(get_tunables().values())
        try:
            return Pair(
                (
                    play_game(one, other, opening.copy(), rules, max_plies),
                    play_game(other, one, opening.copy(), rules, max_plies),
                )
            )
        finally:
            set_tunables(before)


class Player(NamedTuple):
    """A side at the board: what it hands to the core."""

    searcher: Searcher
    numbers: list[int]
    features: int
    nodes: int


def player(number: int, side: Side) -> Player:
    numbers = [side.tunables.get(row.name, row.default) for row in TUNABLES]
    return Player(searcher_of(number, side.eval_file), numbers, features_without(",".join(side.without)), side.nodes)


@lru_cache(maxsize=SEARCHERS_KEPT)
def searcher_of(number: int, eval_file: str) -> Searcher:
    """The two sides of a pair have a searcher each, which stays for the next pair; raises NetError."""
    return new_searcher(HASH_MIB, 1, eval_file)


def think(mover: Player, position: Position) -> tuple[list[str], int | None]:
    """The line to play, and its score as a referee takes it from UCI: the last exact one, or else the last bound."""
    exact: list[int] = []

    def note_exact(_: Searcher, lines: list[SearchLine]) -> None:
        if lines[0].bound == "exact":
            exact[:] = [lines[0].score]

    line = mover.searcher.go(position, nodes=mover.nodes, features=mover.features, listener=note_exact)[0]
    if line.bound == "exact" or not exact:
        return line.moves, None if line.bound == "none" else line.score
    return line.moves, exact[0]


def play_game(white: Player, black: Player, position: Position, rules: Rules, max_plies: int) -> PairGame:
    """Plays from `position` on, which it changes. Leaves the search parameters as the last mover had them."""
    judge = Adjudicator(rules)
    played: list[str] = []
    white.searcher.clear()
    black.searcher.clear()
    result = position.outcome()
    while result is None and len(played) < max_plies:
        whites_turn, number = position.turn == "w", position.fullmove_number
        mover = white if whites_turn else black
        set_tunables(mover.numbers)
        line, score = think(mover, position)
        if not line:
            raise CytheraError(f"the search found no move in {position.fen()}")
        position.push(line[0])
        played.append(line[0])
        result = position.outcome()
        if result is None:
            zeroing = position.halfmove_clock == 0
            # A mate is beyond any number of centipawns.
            verdict = judge.verdict(score, None, white=whites_turn, move=number, zeroing=zeroing)
            result = verdict[0] if verdict else None
    return PairGame(result or "1/2-1/2", tuple(played))
