"""UCI options, declared once: the parser, `Session`, the `uci` answer and docs/uci-options.md all read this."""

from cythera.common.record import Record
from cythera.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from cythera.engine.session import Session

    Value = str | int | bool | None

MIN_ELO = 800
MAX_ELO = 3200
MAX_SKILL = 20
MAX_HASH_MIB = 1 << 20
THREAD_MIB = 4  # memory of one search thread, most of it histories


class Option(Record):
    """One option: `kind` is UCI's type; a spin is a whole number from `low` to `high`.

    `apply` is called with the session and a new value before the value is stored; what it raises is the
    answer, and the old value stays. An option that `needs_idle` is refused while the engine searches.
    """

    name: str
    kind: str
    default: "Value"
    about: str
    low: int = 0
    high: int = 0
    apply: "Callable[[Session, Any], None] | None" = None
    needs_idle: bool = False

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

    def parse(self, text: str | None) -> "Value":
        """The value that `text` stands for; raises OptionError."""
        if self.kind == "button":
            return None
        if text is None:
            raise OptionError(f"{self.name} needs a value")
        if self.kind == "string":
            return "" if text == "<empty>" else text
        text = text.partition("#")[0].strip()  # a comment
        if self.kind == "check":
            if text.lower() in ("true", "on", "1"):
                return True
            if text.lower() in ("false", "off", "0"):
                return False
            raise OptionError(f"{self.name} must be true or false, got {text[:40]!r}")
        try:
            value = int(text)
        except ValueError:
            raise OptionError(f"{self.name} must be a whole number, got {text[:40]!r}") from None
        if not self.low <= value <= self.high:
            raise OptionError(f"{self.name} must be between {self.low} and {self.high}, got {text[:40]}")
        return value


OPTIONS = (
    Option("Hash", "spin", 16, "size of the transposition table, MiB", 1, MAX_HASH_MIB,
           lambda session, mib: session.set_hash(mib), needs_idle=True),
    Option("Threads", "spin", 1, "search threads", 1, 1024,
           lambda session, count: session.set_threads(count), needs_idle=True),
    Option("Clear Hash", "button", None, "empty the transposition table and all histories",
           apply=lambda session, _: session.clear(), needs_idle=True),
    Option("EvalFile", "string", "builtin", "the evaluation: `builtin` (a net), `classical`, or the path of a net",
           apply=lambda session, path: session.set_net(path), needs_idle=True),
    Option("Ponder", "check", False, "the GUI may let the engine think on the opponent's time"),
    Option("MultiPV", "spin", 1, "how many best lines to show", 1, 256),
    Option("Move Overhead", "spin", 10, "milliseconds per move lost between engine and GUI", 0, 10_000),
    Option("Slow Mover", "spin", 100, "percent of the usual thinking time", 10, 1000),
    Option("nodestime", "spin", 0, "nodes that count as a millisecond, for reproducible games; 0 is off", 0, 100_000),
    Option("UCI_Chess960", "check", False, "castling is written king takes rook, and any back rank is allowed"),
    Option("UCI_ShowWDL", "check", False, "show chances of win, draw and loss with each score"),
    Option("UCI_AnalyseMode", "check", False, "analysis: the opening book is not used, and strength is not limited"),
    Option("UCI_LimitStrength", "check", False, "play at the strength given by UCI_Elo"),
    Option("UCI_Elo", "spin", 1500, "strength with UCI_LimitStrength (see docs/levels.md)", MIN_ELO, MAX_ELO),
    Option("Skill Level", "spin", MAX_SKILL, "strength in steps from 0 (about Elo 800) to 20 (full)", 0, MAX_SKILL),
    Option("UCI_Opponent", "string", "", "the opponent's name; not used"),
    Option("OwnBook", "check", False, "play opening moves from Book File; if it is set at all, a limited strength does "
           "without its own openings"),
    Option("Book File", "string", "", "a Polyglot opening book (.bin)",
           apply=lambda session, path: session.check_book(path)),
    Option("SyzygyPath", "string", "",
           "folders of endgame tables, separated by `:` (on Windows by `;`), used before those of the package"),
    Option("SyzygyBuiltin", "check", True, "use the endgame tables of the package"),
    Option("SyzygyProbeDepth", "spin", 1,
           "positions with as many pieces as the largest tables are probed from this search depth on", 1, 100),
    Option("SyzygyProbeLimit", "spin", 7, "positions with more pieces are not probed", 0, 7),
    Option("Syzygy50MoveRule", "check", True, "a table win that the fifty-move rule spoils counts as a draw"),
    Option("Debug Log File", "string", "", "copy all input and output to this file"),
)  # fmt: skip

BY_NAME = {option.name.lower(): option for option in OPTIONS}


def find(name: str) -> Option:
    """The option of a name, in any case; raises OptionError."""
    option = BY_NAME.get(" ".join(name.split()).lower())
    if option is None:
        raise OptionError(f"unknown option {name[:60]!r}")
    return option


class Options:
    """The present values, by name."""

    def __init__(self) -> None:
        self.values = {option.name: option.default for option in OPTIONS}

    def __getitem__(self, name: str) -> "Value":
        return self.values[name]

    def number(self, name: str) -> int:
        value = self.values[name]
        assert isinstance(value, int)
        return value

    def text(self, name: str) -> str:
        return str(self.values[name] or "")


def affordable_hash(mib: int) -> int:
    """Refuses a table larger than the machine's memory: the system would grant it and end the process later."""
    from cythera.common.machine import memory_mib

    there_mib = memory_mib()
    if there_mib is not None and mib > there_mib * 0.95:
        raise OptionError(f"Hash must be at most {int(there_mib * 0.95)} MiB on this machine, got {mib}")
    return mib


def affordable_threads(count: int) -> int:
    """Refuses more threads than the machine has memory for."""
    from cythera.common.machine import memory_mib

    there_mib = memory_mib()
    if there_mib is not None and count * THREAD_MIB > there_mib * 0.95:
        most = int(there_mib * 0.95) // THREAD_MIB
        raise OptionError(f"Threads must be at most {most} on this machine ({there_mib} MiB of memory), got {count}")
    return count


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
value stays. `Hash`, `Threads`, `Clear Hash` and `EvalFile` are refused while the engine searches; the others can be
set at any time and take effect with the next `go`.

`Move Overhead` is subtracted from every move. The engine counts its time from the moment it has read `go`, so the
option has to cover what it cannot see: how long the GUI and the connection take, and how long the operating system
lets the engine or the GUI wait for a processor. The default of 10 ms is right for a GUI on the same idle machine. Use
50 to 100 over a network and 300 or more on a machine that swaps. On a machine where more wants to run than there are
processors, 10 will do mostly: the engine measures what its clock loses from move to move, and keeps twice the largest
loss of late in reserve if that is more than the option. With eight busy processes on two processors, one move in a
hundred loses 15 ms or more outside the engine ([reliability](measurements/reliability.md)); a game at one second and
0.01 s per move leaves little room for that, so use a longer time control there. `EvalFile` also accepts the old words
`<default>` and `<classical>`.

Endgame tables ([tables](tables.md)) are found at `isready` or the first `go` and opened when first needed. Folders of
`SyzygyPath` come before the tables of the package, which stay in use beside them; `SyzygyBuiltin` turns those off. A
folder that cannot be read, and a file that is damaged, is named once in an `info string`, and the engine plays on
without it. [Levels](levels.md) below full strength use only tables that a player of that strength would know.

"""

if __name__ == "__main__":
    print(HEADER + as_markdown(), end="")
