"""UCI options, declared once: the parser, the `uci` answer and docs/uci-options.md all read this."""

from cythera.errors import CytheraError

MIN_ELO = 800
MAX_ELO = 3200
MAX_HASH_MIB = 1 << 20
THREAD_MIB = 4  # what a search thread has for itself: histories above all


class OptionError(CytheraError, ValueError):
    """An option that does not exist or a value it cannot have."""


class Option:
    """One option: `kind` is UCI's type; a spin is a whole number from `low` to `high`."""

    __slots__ = ("about", "choices", "default", "high", "kind", "low", "name")

    def __init__(
        self,
        name: str,
        kind: str,
        default: str | int | bool | None,
        about: str,
        low: int = 0,
        high: int = 0,
        choices: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.kind = kind
        self.default = default
        self.about = about
        self.low = low
        self.high = high
        self.choices = choices

    def uci(self) -> str:
        """The line that declares the option."""
        text = f"option name {self.name} type {self.kind}"
        if self.kind == "button":
            return text
        if self.kind == "check":
            return f"{text} default {'true' if self.default else 'false'}"
        if self.kind == "spin":
            return f"{text} default {self.default} min {self.low} max {self.high}"
        return f"{text} default {self.default or '<empty>'}"

    def parse(self, text: str | None) -> str | int | bool | None:
        """The value that `text` stands for; raises OptionError with a sentence."""
        if self.kind == "button":
            return None
        if text is None:
            raise OptionError(f"option {self.name} needs a value")
        if self.kind == "check":
            if text.lower() in ("true", "on", "1"):
                return True
            if text.lower() in ("false", "off", "0"):
                return False
            raise OptionError(f"option {self.name} is true or false, not {text[:40]!r}")
        if self.kind == "spin":
            try:
                value = int(text)
            except ValueError:
                raise OptionError(f"option {self.name} is a number, not {text[:40]!r}") from None
            if not self.low <= value <= self.high:
                raise OptionError(f"option {self.name} is from {self.low} to {self.high}, not {value}")
            return value
        return "" if text == "<empty>" else text


OPTIONS = (
    Option("Hash", "spin", 16, "size of the transposition table, MiB", 1, MAX_HASH_MIB),
    Option("Threads", "spin", 1, "search threads", 1, 1024),
    Option("Clear Hash", "button", None, "forget everything learned in earlier searches"),
    Option("EvalFile", "string", "<default>", "the evaluation: `<default>`, `<classical>`, or the path of a net"),
    Option("Ponder", "check", False, "the GUI may let the engine think on the opponent's time"),
    Option("MultiPV", "spin", 1, "how many best lines to show", 1, 256),
    Option("Move Overhead", "spin", 10, "milliseconds a move lost between engine and GUI", 0, 10_000),
    Option("Slow Mover", "spin", 100, "percent of the usual thinking time", 10, 1000),
    Option("nodestime", "spin", 0, "if not 0, so many nodes count as a millisecond: reproducible games", 0, 100_000),
    Option("UCI_Chess960", "check", False, "castling is written king takes rook, and any back rank is allowed"),
    Option("UCI_ShowWDL", "check", False, "show chances of win, draw and loss with each score"),
    Option("UCI_AnalyseMode", "check", False, "analysis: the opening book is not used, and strength is not limited"),
    Option("UCI_LimitStrength", "check", False, "play at the strength given by UCI_Elo"),
    Option("UCI_Elo", "spin", 1500, "strength with UCI_LimitStrength (see docs/levels.md)", MIN_ELO, MAX_ELO),
    Option("Skill Level", "spin", 20, "strength in steps from 0 (about Elo 800) to 20 (full)", 0, 20),
    Option("UCI_Opponent", "string", "", "who plays against us; noted, and nothing else"),
    Option("OwnBook", "check", False, "play opening moves from Book File"),
    Option("Book File", "string", "", "a Polyglot opening book (.bin)"),
    Option("SyzygyPath", "string", "", "accepted for compatibility: endgame tables are not probed yet"),
    Option("Debug Log File", "string", "", "copy all input and output to this file"),
)

BY_NAME = {option.name.lower(): option for option in OPTIONS}


def find(name: str) -> Option:
    """The option of a name, whatever its case; raises OptionError."""
    option = BY_NAME.get(" ".join(name.split()).lower())
    if option is None:
        raise OptionError(f"there is no option {name[:60]!r}")
    return option


class Options:
    """The present values, by name. `options["Hash"] = "64"` parses and checks."""

    def __init__(self) -> None:
        self.values = {option.name: option.default for option in OPTIONS}

    def __getitem__(self, name: str) -> str | int | bool | None:
        return self.values[name]

    def number(self, name: str) -> int:
        value = self.values[name]
        assert isinstance(value, int)
        return value

    def text(self, name: str) -> str:
        return str(self.values[name] or "")


def affordable_hash(mib: int) -> int:
    """Refuses a table larger than the machine's memory: it would be granted, and kill us later."""
    memory_mib = machine_memory_mib()
    if memory_mib is not None and mib > memory_mib * 0.95:
        raise OptionError(f"Hash {mib} MiB is more than this machine has ({memory_mib} MiB); the old table stays")
    return mib


def affordable_threads(count: int) -> int:
    """Refuses more threads than the machine has memory for, likewise."""
    memory_mib = machine_memory_mib()
    if memory_mib is not None and count * THREAD_MIB > memory_mib * 0.95:
        raise OptionError(f"{count} threads need {count * THREAD_MIB} MiB, and this machine has {memory_mib} MiB")
    return count


def machine_memory_mib() -> int | None:
    """None where the system does not say."""
    import os

    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    return None


def as_markdown() -> str:
    """docs/uci-options.md from the table on."""
    lines = ["| option | type | default | range | what it does |", "|---|---|---|---|---|"]
    for option in OPTIONS:
        default = {"True": "true", "False": "false", "None": "", "": "empty"}.get(text := str(option.default), text)
        if default.startswith("<"):
            default = f"`{default}`"
        span = f"{option.low}–{option.high}" if option.kind == "spin" else ""
        lines.append(f"| `{option.name}` | {option.kind} | {default} | {span} | {option.about} |")
    return "\n".join(lines) + "\n"


HEADER = """\
# UCI options

All options of the engine, as `setoption name … value …` sets them. This page is generated from
`engine/cythera/engine/options.py` (`python -m cythera.engine.options > docs/uci-options.md`); a test keeps it current.

Names are found in any case; a value that does not fit is answered by `info string error: …`, and the old
value stays. `Hash`, `Threads`, `Clear Hash` and `EvalFile` are refused while the engine thinks; the others can be set
at any time and count from the next `go` on.

"""

if __name__ == "__main__":
    print(HEADER + as_markdown(), end="")
