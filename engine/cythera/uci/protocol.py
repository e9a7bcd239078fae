"""UCI as text: lines in to plain data, plain data out to lines. No I/O and no state."""

from cythera.core import START_FEN
from cythera.engine.limits import DEEPEST, LARGEST, Go
from cythera.errors import CytheraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from cythera.engine.search_run import Info

# What may follow `go`: numbers and their least value, and words without a value.
NUMBERS = {
    "wtime": -LARGEST, "btime": -LARGEST, "winc": -LARGEST, "binc": -LARGEST, "movestogo": -LARGEST,
    "depth": 1, "nodes": 1, "mate": 1, "movetime": -LARGEST, "perft": 0,
}  # fmt: skip
FLAGS = ("infinite", "ponder")


class ProtocolError(CytheraError, ValueError):
    """A command that cannot be understood."""


def tokens(line: str) -> list[str]:
    """The words of a line; `#` starts a comment."""
    words = line.split()
    for i, word in enumerate(words):
        if word.startswith("#"):
            return words[:i]
    return words


def parse_number(name: str, word: str) -> int:
    """A whole number; the fraction that some GUIs send with times is dropped."""
    try:
        value = int(word) if "." not in word else int(float(word))
    except (ValueError, OverflowError):
        raise ProtocolError(f"go {name} must be a number, got {word[:40]!r}") from None
    if value < NUMBERS[name]:
        raise ProtocolError(f"go {name} must be at least {NUMBERS[name]}, got {word[:40]}")
    if value > LARGEST:
        raise ProtocolError(f"go {name} must be at most {LARGEST}, got {word[:40]}")
    return value


def parse_go(words: list[str]) -> Go:
    """The limits after `go`. Unknown words are ignored, as UCI requires.

    >>> parse_go("wtime 1000 btime 900 winc 10".split())
    Go(wtime=1000, btime=900, winc=10)
    """
    given: dict[str, Any] = {}
    i = 0
    while i < len(words):
        word = words[i]
        i += 1
        if word in NUMBERS:
            if i == len(words):
                raise ProtocolError(f"go {word} needs a number")
            given[word] = parse_number(word, words[i])
            i += 1
        elif word in FLAGS:
            given[word] = True
        elif word == "searchmoves":
            moves = []
            while i < len(words) and words[i] not in NUMBERS and words[i] not in FLAGS:
                moves.append(words[i])
                i += 1
            given[word] = moves or None
    # GUIs send zero moves to go for "all of them", and negative times when they are late.
    if given.get("movestogo", 1) < 1:
        del given["movestogo"]
    if "movetime" in given:
        given["movetime"] = max(given["movetime"], 0)
    for name in ("depth", "mate"):
        if name in given:
            given[name] = min(given[name], DEEPEST)
    return Go(**given)


def parse_position(words: list[str]) -> tuple[str, list[str]]:
    """The FEN and the moves after `position`."""
    if not words:
        raise ProtocolError("position needs startpos or fen")
    split = words.index("moves") if "moves" in words else len(words)
    head, moves = words[:split], words[split + 1 :]
    if head[:1] == ["startpos"]:
        return START_FEN, moves
    if head[:1] == ["fen"]:
        return " ".join(head[1:]), moves
    raise ProtocolError(f"position needs startpos or fen, got {words[0][:40]!r}")


def parse_setoption(text: str) -> tuple[str, str | None]:
    """The name and the value after `setoption`; both may contain spaces, and those of a value are kept.

    >>> parse_setoption("name Book File value my  book.bin")
    ('Book File', 'my  book.bin')
    """
    text = text.replace("\t", " ").strip()
    head, found, value = (text + " ").partition(" value ")
    keyword, _, name = head.strip().partition(" ")
    if keyword != "name" or not name.strip():
        raise ProtocolError("setoption needs a name")
    return name.partition("#")[0].strip(), value.strip() if found else None


def format_info(info: "Info", show_wdl: bool) -> str:
    """An `info` line."""
    score = info.score.uci()
    if info.bound in ("lower", "upper"):
        score += f" {info.bound}bound"
    if show_wdl:
        score += " wdl {} {} {}".format(*info.score.wdl(info.ply))
    return (
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv} score {score} "
        f"nodes {info.nodes} nps {info.nps} hashfull {info.hashfull} tbhits {info.tbhits} time {int(info.time_ms)} "
        f"pv {' '.join(info.pv)}"
    )


def format_bestmove(pv: list[str]) -> str:
    """The `bestmove` line of a search that ended with this line, which may be empty."""
    ponder = f" ponder {pv[1]}" if len(pv) > 1 else ""
    return f"bestmove {pv[0] if pv else '(none)'}{ponder}"
