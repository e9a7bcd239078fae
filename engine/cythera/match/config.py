"""All that defines a match, as data: it can be written to a file and played again from it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cythera.common.typed import build, checked
from cythera.match.adjudication import DrawRule, ResignRule, Rules, WinRule
from cythera.match.game_data import GameTask, Opening
from cythera.match.match_errors import MatchError
from cythera.match.openings.opening_files import RANDOM, SEQUENTIAL
from cythera.match.schedule import GAUNTLET, ROUND_ROBIN, Pairing, Schedule, encounters
from cythera.match.stats.sprt import Sprt
from cythera.match.time_control import TimeControl, parse_time_control
from cythera.match.uci.engines import EngineSpec, spec_from_table


@dataclass(frozen=True, slots=True)
class MatchConfig:
    """A match. `games` is for each pair of engines, rounded up to whole pairs of games.

    `margin_ms` is forgiven on the clock for what pipes and the operating system take; `hang_s` is how long
    an engine without a clock may think.
    """

    engines: tuple[EngineSpec, ...]
    control: TimeControl | None
    games: int = 100
    kind: str = ROUND_ROBIN
    openings: str | None = None
    order: str = RANDOM
    start: int = 1
    seed: int = 0
    chess960: bool = False
    rules: Rules = field(default_factory=Rules)
    sprt: Sprt | None = None
    margin_ms: float = 10.0
    hang_s: float = 60.0
    restart: bool = False
    ponder: bool = False
    opening_plies: int | None = None
    affinity: bool = False
    anchors: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.games < 1:
            raise MatchError(f"games must be at least 1, got {self.games}")
        if self.opening_plies is not None and self.opening_plies < 0:
            raise MatchError(f"the plies of openings must be at least 0, got {self.opening_plies}")
        if self.kind not in (ROUND_ROBIN, GAUNTLET):
            raise MatchError(f"unknown kind of match {self.kind!r}; available: {ROUND_ROBIN}, {GAUNTLET}")
        if self.order not in (RANDOM, SEQUENTIAL):
            raise MatchError(f"unknown order of openings {self.order!r}; available: {RANDOM}, {SEQUENTIAL}")
        names = [spec.name for spec in self.engines]
        if len(set(names)) < len(names):
            raise MatchError("every engine of a match needs a name of its own")
        if self.sprt and len(self.engines) != 2:
            raise MatchError("an SPRT compares two engines, no more")
        for name in self.anchors:
            if name not in names:
                raise MatchError(f"unknown anchor {name!r}; the engines are {', '.join(names)}")
        for spec in self.engines:
            if self.control is None and spec.control is None:
                raise MatchError(f"{spec.name} has no time control: give --tc, --movetime, --nodes or --depth")

    def schedule(self) -> Schedule:
        return Schedule(tuple(encounters(len(self.engines), self.kind)), (self.games + 1) // 2)

    def control_of(self, spec: EngineSpec) -> TimeControl:
        control = spec.control or self.control
        assert control is not None
        return control

    def task(self, pairing: Pairing, opening: Opening) -> GameTask:
        white, black = self.engines[pairing.white], self.engines[pairing.black]
        return GameTask(
            index=pairing.index,
            white=white,
            black=black,
            white_control=self.control_of(white),
            black_control=self.control_of(black),
            opening=opening,
            rules=self.rules,
            chess960=self.chess960,
            margin_ms=self.margin_ms,
            hang_s=self.hang_s,
            restart=self.restart,
            ponder=self.ponder,
            cores_per_game=self.cores_per_game() if self.affinity else 0,
        )

    def cores_per_game(self) -> int:
        """Cores that a game keeps busy: the threads of the engine with most of them, both engines' if they ponder."""
        threads = [int({k.lower(): v for k, v in spec.options}.get("threads", "1")) for spec in self.engines]
        return 2 * max(threads) if self.ponder else max(threads)

    def as_json(self) -> dict[str, Any]:
        return {
            "engines": [spec.as_json() for spec in self.engines],
            "tc": str(self.control) if self.control else None,
            "games": self.games,
            "kind": self.kind,
            "openings": self.openings,
            "order": self.order,
            "start": self.start,
            "seed": self.seed,
            "chess960": self.chess960,
            "rules": asdict(self.rules),
            "sprt": asdict(self.sprt) if self.sprt else None,
            "margin_ms": self.margin_ms,
            "hang_s": self.hang_s,
            "restart": self.restart,
            "ponder": self.ponder,
            "opening_plies": self.opening_plies,
            "affinity": self.affinity,
            "anchors": dict(self.anchors),
        }

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> "MatchConfig":
        """The match of `as_json`; raises `MatchError` where something is missing or of the wrong kind."""
        try:
            rules, tc, sprt = found["rules"], found["tc"], found["sprt"]
            tables = found["engines"]
            engines = [spec_from_table(str(table["name"]), table, Path(), "the match file") for table in tables]
            return cls(
                engines=tuple(engines),
                control=parse_time_control(str(tc)) if tc else None,
                rules=Rules(
                    draw=build(DrawRule, rules["draw"]) if rules["draw"] else None,
                    win=build(WinRule, rules["win"]) if rules["win"] else None,
                    resign=build(ResignRule, rules["resign"]) if rules.get("resign") else None,
                    **checked(Rules, rules, leave_out=frozenset({"draw", "win", "resign"})),
                ),
                sprt=build(Sprt, sprt) if sprt else None,
                **checked(cls, found, leave_out=frozenset({"engines", "tc", "rules", "sprt"})),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            reason = f"{error} is missing" if isinstance(error, KeyError) else error
            raise MatchError(f"the match file has a damaged description of the match: {reason}") from error
