"""What a game is before and after it is played: plain data that travels between processes."""

from dataclasses import dataclass, field
from typing import Any, get_type_hints

import chess

from cythera.common.typed import fits
from cythera.match.adjudication import Rules
from cythera.match.time_control import TimeControl
from cythera.match.uci.engines import EngineSpec

POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}  # white's

# Terminations, as PGN names them
NORMAL = "normal"
ADJUDICATION = "adjudication"
TIME_FORFEIT = "time forfeit"
RULES_INFRACTION = "rules infraction"
ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a game starts: a position, the book moves played from it, and a name."""

    fen: str = chess.STARTING_FEN
    moves: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class GameTask:
    """One game to be played. `index` counts games from 0; games 2k and 2k+1 are a pair.

    The settings are options set for this game on engines that stay alive between games.
    """

    index: int
    white: EngineSpec
    black: EngineSpec
    white_control: TimeControl
    black_control: TimeControl
    opening: Opening
    rules: Rules = field(default_factory=Rules)
    chess960: bool = False
    margin_ms: float = 0.0
    hang_s: float = 60.0
    restart: bool = False
    ponder: bool = False
    cores_per_game: int = 0  # with affinity: pin the worker and its engines to this many cores; 0 for none
    white_settings: tuple[tuple[str, str], ...] = ()
    black_settings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """A move and what its engine said about it; the score is the mover's."""

    uci: str
    time_ms: float = 0.0
    score_cp: int | None = None
    mate: int | None = None
    depth: int | None = None
    nodes: int | None = None
    seldepth: int | None = None
    left_ms: float | None = None
    pv: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game that has been played.

    `result` is PGN's, `termination` one of PGN's words, `reason` says it in full. `failure` is empty or
    what went wrong with the loser: time loss, illegal move, crash, hang or protocol violation. `warnings`
    are faults that cost nothing, such as an illegal move in a PV: (engine, kind, detail).
    """

    index: int
    white: str
    black: str
    opening: Opening
    result: str
    termination: str
    reason: str
    failure: str = ""
    moves: tuple[MoveRecord, ...] = ()
    warnings: tuple[tuple[str, str, str], ...] = ()
    started: str = ""
    duration_s: float = 0.0
    overhead_ms: float = 0.0

    def points(self, name: str) -> float:
        """The points of one of the two players."""
        white = POINTS[self.result]
        return white if name == self.white else 1.0 - white

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "index": self.index,
            "white": self.white,
            "black": self.black,
            "result": self.result,
            "termination": self.termination,
            "reason": self.reason,
            "fen": self.opening.fen,
            "book": " ".join(self.opening.moves),
            "moves": " ".join(move.uci for move in self.moves),
            "started": self.started,
            "seconds": round(self.duration_s, 3),
        }
        if self.opening.name:
            found["opening"] = self.opening.name
        if self.failure:
            found["failure"] = self.failure
        if self.warnings:
            found["warnings"] = [list(warning) for warning in self.warnings]
        return found

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> "GameRecord":
        """A record as far as the JSON file keeps it: without the scores of its moves.

        Raises KeyError, TypeError or ValueError where something is missing or of the wrong type.
        """
        if found["result"] not in POINTS:
            raise ValueError(f"unknown result {found['result']!r}")
        record = cls(
            index=found["index"],
            white=found["white"],
            black=found["black"],
            opening=Opening(found["fen"], tuple(found["book"].split()), found.get("opening", "")),
            result=found["result"],
            termination=found["termination"],
            reason=found["reason"],
            failure=found.get("failure", ""),
            moves=tuple(MoveRecord(uci) for uci in found["moves"].split()),
            warnings=tuple((who, kind, detail) for who, kind, detail in found.get("warnings", [])),
            started=found["started"],
            duration_s=found["seconds"],
        )
        hints = get_type_hints(cls)
        for name in ("index", "white", "black", "termination", "reason", "failure", "started", "duration_s"):
            if not fits(getattr(record, name), hints[name]):
                raise TypeError(f"{name} of a game has the wrong type")
        return record
