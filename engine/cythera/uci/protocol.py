"""UCI as text: lines in to plain data, plain data out to lines. No I/O and no state."""

from cythera.engine.limits import LARGEST, Go
from cythera.errors import CytheraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.engine.search_run import Info

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "perft")
FLAGS = ("infinite", "ponder")


class ProtocolError(CytheraError, ValueError):
    """A command that does not make sense."""


def tokens(line: str) -> list[str]:
    """The words of a line; `#` begins a comment."""
    words = line.split()
    for i, word in enumerate(words):
        if word.startswith("#"):
            return words[:i]
    return words


def parse_number(name: str, word: str) -> int:
    """A whole number; one with a fraction, as some GUIs send times, is cut."""
    try:
        value = int(word) if "." not in word else int(float(word))
    except (ValueError, OverflowError):
        raise ProtocolError(f"go {name} needs a number, not {word[:40]!r}") from None
    if abs(value) > LARGEST:
        raise ProtocolError(f"go {name} {word[:40]} is out of all proportion")
    return value


def parse_go(words: list[str]) -> Go:
    """The limits behind `go`. Unknown words are passed over, as UCI asks.

    >>> parse_go("wtime 1000 btime 900 winc 10".split())
    Go(btime=900, winc=10, wtime=1000)
    """
    given: dict[str, int] = {}
    flags: dict[str, bool] = {}
    moves: list[str] | None = None
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
            flags[word] = True
        elif word == "searchmoves":
            moves = []
            while i < len(words) and words[i] not in NUMBERS and words[i] not in FLAGS:
                moves.append(words[i])
                i += 1
    for name, least in (("depth", 1), ("nodes", 1), ("mate", 1), ("perft", 0)):
        if given.get(name, least) < least:
            raise ProtocolError(f"go {name} is at least {least}, not {given[name]}")
    # GUIs send zero moves to go for "all of them", and negative times when they are late.
    if given.get("movestogo", 1) < 1:
        del given["movestogo"]
    if "movetime" in given:
        given["movetime"] = max(given["movetime"], 0)
    # More than a game can need is as good as that.
    given["depth"] = min(given.get("depth", 0), 1000)
    given["mate"] = min(given.get("mate", 0), 1000)
    return Go(
        wtime=given.get("wtime"),
        btime=given.get("btime"),
        winc=given.get("winc", 0),
        binc=given.get("binc", 0),
        movestogo=given.get("movestogo"),
        depth=given["depth"] or None,
        nodes=given.get("nodes"),
        mate=given["mate"] or None,
        movetime=given.get("movetime"),
        infinite=flags.get("infinite", False),
        ponder=flags.get("ponder", False),
        searchmoves=moves or None,
        perft=given.get("perft"),
    )


def parse_position(words: list[str]) -> tuple[str, list[str]]:
    """FEN and moves behind `position`."""
    if not words:
        raise ProtocolError("position needs startpos or fen")
    split = words.index("moves") if "moves" in words else len(words)
    head, moves = words[:split], words[split + 1 :]
    if head[:1] == ["startpos"]:
        return START_FEN, moves
    if head[:1] == ["fen"]:
        return " ".join(head[1:]), moves
    raise ProtocolError(f"position needs startpos or fen, not {words[0][:40]!r}")


def parse_setoption(text: str) -> tuple[str, str | None]:
    """Name and value behind `setoption`; both may hold spaces, and those of a value are kept.

    >>> parse_setoption("name Book File value my  book.bin")
    ('Book File', 'my  book.bin')
    """
    text = text.replace("\t", " ").strip()
    head, found, value = (text + " ").partition(" value ")
    keyword, _, name = head.strip().partition(" ")
    if keyword != "name" or not name.strip():
        raise ProtocolError("setoption needs a name")
    return name.strip(), value.strip() if found else None


def format_info(info: "Info", show_wdl: bool) -> str:
    """An `info` line."""
    score = info.score.uci()
    if info.bound in ("lower", "upper"):
        score += f" {info.bound}bound"
    if show_wdl:
        score += " wdl {} {} {}".format(*info.score.wdl(info.ply))
    return (
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv} score {score} "
        f"nodes {info.nodes} nps {info.nps} hashfull {info.hashfull} tbhits 0 time {int(info.time_ms)} "
        f"pv {' '.join(info.pv)}"
    )
