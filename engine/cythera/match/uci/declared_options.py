"""UCI options as engines declare them, and checking of the values people give. Pure."""

import difflib
import re
from dataclasses import dataclass

from cythera.match.match_errors import MatchError

_KEYWORDS = re.compile(r"\s(name|type|default|min|max|var)(?=\s|$)")
MANAGED = frozenset({"uci_chess960", "ponder"})  # the referee's own


@dataclass(frozen=True, slots=True)
class DeclaredOption:
    """One declared option."""

    name: str
    kind: str
    default: str = ""
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()


def parse_option(line: str) -> DeclaredOption | None:
    """An option from its `option name …` line, None if the line makes no sense.

    >>> parse_option("option name Move Overhead type spin default 10 min 0 max 5000").high
    5000
    """
    pieces = _KEYWORDS.split(line.strip())
    fields = list(zip(pieces[1::2], (piece.strip() for piece in pieces[2::2]), strict=True))
    values = dict(fields)
    if not values.get("name") or not values.get("type"):
        return None
    return DeclaredOption(
        name=values["name"],
        kind=values["type"],
        default=values.get("default", ""),
        low=_bound(values.get("min")),
        high=_bound(values.get("max")),
        choices=tuple(value for key, value in fields if key == "var"),
    )


def _bound(text: str | None) -> int | None:
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


def check_value(engine: str, declared: dict[str, DeclaredOption], name: str, value: str) -> tuple[str, str]:
    """The option's own spelling and the value to send. Raises a sentence where the engine would be confused."""
    option = declared.get(name.lower())
    if option is None:
        close = difflib.get_close_matches(name.lower(), declared, n=1)
        hint = f": do you mean {declared[close[0]].name}?" if close else ""
        raise MatchError(f"unknown option {name!r} of {engine}{hint or '.'}")
    if option.kind == "spin":
        try:
            number = int(value)
        except ValueError:
            raise MatchError(f"option {option.name} of {engine} must be a whole number, got {value!r}") from None
        if (option.low is not None and number < option.low) or (option.high is not None and number > option.high):
            span = f"between {option.low} and {option.high}"
            raise MatchError(f"option {option.name} of {engine} must be {span}, got {number}")
        return option.name, str(number)
    if option.kind == "check":
        if value.lower() not in ("true", "false"):
            raise MatchError(f"option {option.name} of {engine} must be true or false, got {value!r}")
        return option.name, value.lower()
    if option.kind == "combo" and option.choices and value.lower() not in {c.lower() for c in option.choices}:
        raise MatchError(f"option {option.name} of {engine} must be one of {', '.join(option.choices)}, got {value!r}")
    return option.name, value
