"""The score so far: counts games and pairs as they come in. Pure."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from cythera.match.game_data import GameRecord
from cythera.match.stats.elo import Pentanomial


@dataclass(slots=True)
class WinsDrawsLosses:
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def add(self, points: float) -> None:
        if points == 1.0:
            self.wins += 1
        elif points == 0.0:
            self.losses += 1
        else:
            self.draws += 1


@dataclass(slots=True)
class Meeting:
    """Two engines' games against each other, from the first one's side."""

    one: str
    other: str
    total: WinsDrawsLosses = field(default_factory=WinsDrawsLosses)
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    half_pairs: dict[int, float] = field(default_factory=dict)

    @property
    def pentanomial(self) -> Pentanomial:
        lost_both, lost, even, won, won_both = self.pairs
        return (lost_both, lost, even, won, won_both)


class Tally:
    """Counts every game once, by its index; a game that comes again is refused."""

    def __init__(self, names: Iterable[str], meetings: Iterable[tuple[str, str]]) -> None:
        self.engines = {name: WinsDrawsLosses() for name in names}
        self.meetings = {frozenset(pair): Meeting(*pair) for pair in meetings}
        self.white = WinsDrawsLosses()
        self.results: Counter[tuple[str, str, str]] = Counter()  # (white, black, result)
        self.failures: Counter[tuple[str, str]] = Counter()  # (engine, failure)
        self.warnings: Counter[tuple[str, str]] = Counter()  # (engine, kind)
        self.examples: dict[tuple[str, str], str] = {}  # the first of each kind
        self.plies = 0
        self.overhead_ms = 0.0
        self.seen: set[int] = set()

    @property
    def games(self) -> int:
        return len(self.seen)

    def add(self, record: GameRecord) -> None:
        if record.index in self.seen:
            raise ValueError(f"game {record.index} was counted already")
        self.seen.add(record.index)
        for name in (record.white, record.black):
            self.engines[name].add(record.points(name))
        self.white.add(record.points(record.white))
        self.results[record.white, record.black, record.result] += 1
        meeting = self.meetings[frozenset((record.white, record.black))]
        points = record.points(meeting.one)
        meeting.total.add(points)
        pair = record.index // 2
        if pair in meeting.half_pairs:
            meeting.pairs[round(2 * (points + meeting.half_pairs.pop(pair)))] += 1
        else:
            meeting.half_pairs[pair] = points
        if record.failure:
            loser = record.white if record.result == "0-1" else record.black
            self.failures[loser, record.failure] += 1
        for who, kind, detail in record.warnings:
            self.warnings[who, kind] += 1
            self.examples.setdefault((who, kind), f"{detail} of game {record.index + 1}")
        self.plies += len(record.moves)
        self.overhead_ms += record.overhead_ms * len(record.moves)

    @property
    def first_meeting(self) -> Meeting:
        return next(iter(self.meetings.values()))
