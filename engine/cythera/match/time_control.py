"""Time controls and clocks. Pure: no I/O and no reading of the time."""

import re
from dataclasses import dataclass, replace

from cythera.match.match_errors import MatchError

_NUMBER = r"\d+(?:\.\d+)?"
_CLOCK = re.compile(rf"(?:(?P<moves>\d+)/)?(?:(?P<minutes>\d+):)?(?P<seconds>{_NUMBER})(?:\+(?P<inc>{_NUMBER}))?")
_DURATION = re.compile(rf"({_NUMBER})\s*(ms|s)?")

EXAMPLES = "8+0.08, 40/60, 40/60+0.5, movetime=0.1, nodes=20000 or depth=8"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """What one side may spend on its moves: a clock, a fixed time, nodes or depth, or several at once.

    `period_moves` is the number of moves after which `base_ms` is added again, None for the whole game.
    """

    base_ms: int | None = None
    increment_ms: int = 0
    period_moves: int | None = None
    movetime_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name in ("base_ms", "period_moves", "movetime_ms", "nodes", "depth"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                what = name.removesuffix("_ms").replace("_", " ")
                raise MatchError(f"{what} of a time control must be above 0, got {value}: give for example {EXAMPLES}")
        if self.base_ms is not None and self.movetime_ms is not None:
            raise MatchError("a time control must be either a clock or a fixed time per move, got both")
        if not any((self.base_ms, self.movetime_ms, self.nodes, self.depth)):
            raise MatchError(f"no time control is given: give for example {EXAMPLES}")

    @property
    def is_timed(self) -> bool:
        return self.base_ms is not None or self.movetime_ms is not None

    def __str__(self) -> str:
        """The text that `parse_time_control` reads back.

        >>> str(parse_time_control("40/60+0.5"))
        '40/60+0.5'
        >>> str(parse_time_control("nodes=2000,depth=9"))
        'nodes=2000,depth=9'
        """
        parts = []
        if self.base_ms is not None:
            moves = f"{self.period_moves}/" if self.period_moves else ""
            inc = f"+{self.increment_ms / 1000:g}" if self.increment_ms else ""
            parts.append(f"{moves}{self.base_ms / 1000:g}{inc}")
        if self.movetime_ms is not None:
            parts.append(f"movetime={self.movetime_ms / 1000:g}")
        if self.nodes is not None:
            parts.append(f"nodes={self.nodes}")
        if self.depth is not None:
            parts.append(f"depth={self.depth}")
        return ",".join(parts)


def parse_seconds(text: str) -> int:
    """Milliseconds from "0.1" (seconds), "0.1s" or "100ms".

    >>> parse_seconds("0.25"), parse_seconds("250ms")
    (250, 250)
    """
    match = _DURATION.fullmatch(text.strip())
    if not match:
        raise MatchError(f"a duration must be in seconds or milliseconds, such as 0.1 or 100ms, got {text!r}")
    return round(float(match[1]) * (1 if match[2] == "ms" else 1000))


def parse_time_control(text: str) -> TimeControl:
    """A time control from text: a clock and/or `movetime=`, `nodes=`, `depth=`, separated by commas.

    >>> parse_time_control("8+0.08").increment_ms
    80
    >>> parse_time_control("40/1:30").base_ms
    90000
    """
    fields: dict[str, int] = {}
    for part in text.split(","):
        key, equals, value = part.strip().partition("=")
        if not equals:
            fields |= _parse_clock(key, text)
        elif key == "movetime":
            fields["movetime_ms"] = parse_seconds(value)
        elif key in ("nodes", "depth") and value.isdigit():
            fields[key] = int(value)
        else:
            raise MatchError(f"a time control must be written like {EXAMPLES}, got {text!r}")
    return TimeControl(**fields)


def _parse_clock(text: str, whole: str) -> dict[str, int]:
    match = _CLOCK.fullmatch(text)
    if not match:
        raise MatchError(f"a time control must be written like {EXAMPLES}, got {whole!r}")
    base_ms = round((60 * int(match["minutes"] or 0) + float(match["seconds"])) * 1000)
    increment_ms = round(float(match["inc"] or 0) * 1000)
    if base_ms == 0:
        raise MatchError(f"{whole!r} gives no time for the first move: the part before + must be above zero")
    fields = {"base_ms": base_ms, "increment_ms": increment_ms}
    if match["moves"]:
        fields["period_moves"] = int(match["moves"])
    return fields


@dataclass(frozen=True, slots=True)
class Clock:
    """One side's clock between two moves."""

    control: TimeControl
    remaining_ms: float = 0.0
    moves_to_go: int | None = None

    @classmethod
    def start(cls, control: TimeControl) -> "Clock":
        return cls(control, float(control.base_ms or 0), control.period_moves)

    def allowance_ms(self) -> float | None:
        """The most the next move may take, None where time does not count."""
        if self.control.movetime_ms is not None:
            return float(self.control.movetime_ms)
        return self.remaining_ms if self.control.base_ms is not None else None

    def after(self, elapsed_ms: float) -> "Clock":
        """The clock after a move of that length. An overrun that was forgiven empties it, no more.

        >>> Clock.start(parse_time_control("2/10+1")).after(4000.0).after(4000.0).remaining_ms
        14000.0
        """
        if self.control.base_ms is None:
            return self
        remaining = max(0.0, self.remaining_ms - elapsed_ms) + self.control.increment_ms
        to_go = self.moves_to_go
        if to_go is not None:
            to_go -= 1
            if to_go == 0:
                remaining += self.control.base_ms
                to_go = self.control.period_moves
        return replace(self, remaining_ms=remaining, moves_to_go=to_go)


def go_command(mover: Clock, opponent: Clock, *, white: bool) -> str:
    """The UCI `go` for a move. An opponent without a clock is shown the mover's own time.

    >>> clock = Clock.start(parse_time_control("8+0.08"))
    >>> go_command(clock, clock, white=True)
    'go wtime 8000 btime 8000 winc 80 binc 80'
    """
    control = mover.control
    words = ["go"]
    if control.base_ms is not None:
        other = opponent if opponent.control.base_ms is not None else mover
        first, second = (mover, other) if white else (other, mover)
        words.append(f"wtime {max(1, int(first.remaining_ms))} btime {max(1, int(second.remaining_ms))}")
        if first.control.increment_ms or second.control.increment_ms:
            words.append(f"winc {first.control.increment_ms} binc {second.control.increment_ms}")
        if mover.moves_to_go is not None:
            words.append(f"movestogo {mover.moves_to_go}")
    if control.movetime_ms is not None:
        words.append(f"movetime {control.movetime_ms}")
    if control.nodes is not None:
        words.append(f"nodes {control.nodes}")
    if control.depth is not None:
        words.append(f"depth {control.depth}")
    return " ".join(words)
