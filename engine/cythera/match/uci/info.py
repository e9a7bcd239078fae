"""What an engine says while it thinks: parsing of UCI `info` lines. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

_ONE_WORD = frozenset({"depth", "seldepth", "time", "nodes", "multipv", "nps", "hashfull", "tbhits", "currmove",
                       "currmovenumber", "cpuload"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """One `info` line with a score. Scores are from the mover's side; `mate` is in moves, 0 unknown sign."""

    depth: int | None = None
    seldepth: int | None = None
    time_ms: int | None = None
    nodes: int | None = None
    multipv: int = 1
    score_cp: int | None = None
    mate: int | None = None
    bound: bool = False
    pv: tuple[str, ...] = ()


def parse_info(line: str) -> EngineInfo | None:
    """The numbers of an `info` line; None for lines without any, such as `info string …`.

    Words that are not understood are skipped, since engines add their own.

    >>> parse_info("info depth 9 score cp -31 nodes 1200 time 4 pv e2e4 e7e5").score_cp
    -31
    """
    words = line.split()
    if not words or words[0] != "info" or "string" in words:
        return None
    found: dict[str, int] = {}
    pv: tuple[str, ...] = ()
    score_cp: int | None = None
    mate: int | None = None
    bound = False
    at = 1
    while at < len(words):
        word = words[at]
        if word == "pv":
            pv = tuple(words[at + 1 :])
            break
        if word in ("lowerbound", "upperbound"):
            bound = True
        elif word == "score" and at + 2 < len(words):
            value = _whole(words[at + 2])
            if words[at + 1] == "cp":
                score_cp = value
            elif words[at + 1] == "mate":
                mate = value
            at += 2
        elif word in _ONE_WORD and at + 1 < len(words):
            if (value := _whole(words[at + 1])) is not None:
                found[word] = value
            at += 1
        at += 1
    return EngineInfo(
        depth=found.get("depth"),
        seldepth=found.get("seldepth"),
        time_ms=found.get("time"),
        nodes=found.get("nodes"),
        multipv=found.get("multipv", 1),
        score_cp=score_cp,
        mate=mate,
        bound=bound,
        pv=pv,
    )


def _whole(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def final_info(lines: Iterable[str]) -> EngineInfo:
    """The last word on the main line: the last exact score of multipv 1, or else the last bound.

    Nodes come from the last line that has them, since some engines report them apart.
    """
    last_bound: EngineInfo | None = None
    nodes: int | None = None
    for line in reversed(list(lines)):
        if not line.startswith("info ") or " string " in line:
            continue
        info = parse_info(line)
        if info is None:
            continue
        if nodes is None:
            nodes = info.nodes
        if info.multipv != 1 or (info.score_cp is None and info.mate is None):
            continue
        if not info.bound:
            return _with_nodes(info, nodes)
        last_bound = last_bound or info
    return _with_nodes(last_bound or EngineInfo(), nodes)


def _with_nodes(info: EngineInfo, nodes: int | None) -> EngineInfo:
    from dataclasses import replace

    return info if nodes is None or info.nodes == nodes else replace(info, nodes=nodes)
