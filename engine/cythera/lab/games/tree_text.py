"""Trees as text: the tree in parentheses, players alternating from MAX at the root.

    ((3 12 8) (2 4 6) (14 5 2))          two plies; also written  3 12 8 / 2 4 6 / 14 5 2
    (B(3 12 8) C(2 x y=6) D(14 5 2))     named nodes and leaves; x has no value
    (min(3 5) max:C(1 9))                who moves, when it is not simply the next in turn
    (chance(0.9*2 0.1*8) chance(3 5))    odds before a star; equal odds when left out
    ((1,2,6 4,3,3) (6,1,2 7,4,1))        three players (max, min or p1, p2, p3), one number each
    (A[2,9](4 7) B[1,5](3 5))            pessimistic and optimistic values, for B*

`#` starts a comment. A leaf without a value may be passed over by a search, but not asked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from cythera.lab.errors import LabError
from cythera.lab.game import CHANCE, MAX, MIN, Player
from cythera.lab.games.trees import TreeGame, Vertex
from cythera.lab.texts import say

TOKEN = re.compile(r"(?P<head>[^\s()]*)\(|(?P<close>\))|(?P<leaf>[^\s()]+)")
HEAD = re.compile(
    r"((?P<odds>[^*]+)\*)?"  # 0.9* or 1/6*
    r"((?P<player>max|min|chance|p[1-9])(:|(?=\[)|$))?"  # min:
    r"(?P<name>[^*:=\[\]]*)"
    r"(\[(?P<low>[^,\]]+),(?P<high>[^,\]]+)\])?"  # [2,9]
)
LEAF = re.compile(r"((?P<odds>[^*]+)\*)?((?P<name>[^*=]+)=)?(?P<value>[^*=]+)")
PLAYERS = {"max": MAX, "min": MIN, "chance": CHANCE} | {f"p{number}": number - 1 for number in range(1, 10)}


def parse_tree(text: str, name: str = "tree") -> TreeGame:
    """The game a text describes; raises LabError with the line of the mistake.

    >>> format_tree(parse_tree("(B(3 12 8) C(2 x y=6))").root)
    '(B(3 12 8) C(2 x y=6))'
    >>> parse_tree("((3 12)")
    Traceback (most recent call last):
    cythera.lab.errors.LabError: the parenthesis opened on line 1 is never closed
    """
    text = re.sub("#.*", "", text)
    if "(" not in text and ")" not in text and text.strip():
        text = "((" + re.sub(r"(?<!\S)/(?!\S)", ") (", text) + "))"
    draft = read_drafts(text)
    counts = {len(leaf.payoff) for leaf in draft.leaves() if leaf.payoff}
    if len(counts) > 1:
        raise LabError(say("error.tree_numbers"))
    players = max(2, *counts, 2)
    return TreeGame(build(draft, MAX, players), name, players)


def load_tree(path: str) -> TreeGame:
    """The tree in a text file."""
    if not path:
        raise LabError(say("error.tree_path"))
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise LabError(say("error.tree_read", path=path, reason=error.strerror)) from error
    except UnicodeDecodeError as error:
        raise LabError(say("error.tree_binary", path=path)) from error
    try:
        return parse_tree(text, Path(path).stem)
    except LabError as error:
        raise LabError(f"{path}: {error}") from error
    except RecursionError as error:
        raise LabError(say("error.tree_deep", path=path)) from error


def format_tree(root: Vertex) -> str:
    """The tree as text. Who moves is written only where chance does."""
    if not root.children:
        value = ",".join(f"{number:g}" for number in root.payoff or ())
        return f"{root.name}={value}" if root.name and value else root.name or value
    below = [format_tree(child) for child in root.children]
    if root.odds:
        below = [f"{odds:g}*{text}" for odds, text in zip(root.odds, below, strict=True)]
    chance = ("chance:" if root.name else "chance") if root.player == CHANCE else ""
    interval = "[{:g},{:g}]".format(*root.interval) if root.interval else ""
    return f"{chance}{root.name}{interval}({' '.join(below)})"


@dataclass
class Draft:
    """A vertex as it was read, before it is known how many play and who moves."""

    line: int
    name: str = ""
    odds: float | None = None
    player: Player | None = None
    payoff: tuple[float, ...] | None = None
    interval: tuple[float, float] | None = None
    children: list[Draft] = field(default_factory=list)

    def leaves(self) -> Iterator[Draft]:
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()


def read_drafts(text: str) -> Draft:
    """The root of the nested parentheses."""
    above = Draft(0)  # stands over the root
    unclosed = [above]
    for token in TOKEN.finditer(text):
        line = text.count("\n", 0, token.start()) + 1
        if token["close"]:
            closed = unclosed.pop()
            if closed is above:
                raise LabError(say("error.tree_not_opened", line=line))
            if not closed.children:
                raise LabError(say("error.tree_nothing", line=line))
        elif token["leaf"]:
            unclosed[-1].children.append(read_leaf(token["leaf"], line))
        else:
            draft = read_head(token["head"], line)
            unclosed[-1].children.append(draft)
            unclosed.append(draft)
    if len(unclosed) > 1:
        raise LabError(say("error.tree_not_closed", line=unclosed[-1].line))
    if len(above.children) != 1:
        count = len(above.children)
        raise LabError(say("error.tree_two", count=count) if count else say("error.tree_none"))
    return above.children[0]


def read_head(text: str, line: int) -> Draft:
    """An inner node from what stands before its parenthesis."""
    match = HEAD.fullmatch(text)
    if match is None:
        raise LabError(say("error.tree_head", line=line, text=text))
    draft = Draft(line, match["name"])
    if match["odds"]:
        draft.odds = read_number(match["odds"], line)
    if match["player"]:
        draft.player = PLAYERS[match["player"]]
    if match["low"]:
        draft.interval = read_number(match["low"], line), read_number(match["high"], line)
        if draft.interval[0] > draft.interval[1]:
            raise LabError(say("error.tree_interval", line=line, text=text))
    return draft


def read_leaf(text: str, line: int) -> Draft:
    """A leaf: a value, a name with a value, or a name alone."""
    match = LEAF.fullmatch(text)
    if match is None:
        raise LabError(say("error.tree_leaf", line=line, text=text))
    draft = Draft(line, match["name"] or "")
    if match["odds"]:
        draft.odds = read_number(match["odds"], line)
    if match["name"] is None and re.fullmatch("[A-Za-z_]\\w*", match["value"]):
        draft.name = match["value"]
    else:
        draft.payoff = tuple(read_number(part, line) for part in match["value"].split(","))
    return draft


def read_number(text: str, line: int) -> float:
    """A number as people write it: 3, −0.5, 1/6."""
    try:
        number = float(Fraction(text.replace("−", "-")))
    except (ValueError, ZeroDivisionError, OverflowError) as error:
        raise LabError(say("error.tree_number", line=line, text=text)) from error
    return int(number) if number.is_integer() else number


def build(draft: Draft, player: Player, players: int) -> Vertex:
    """The vertex of a draft, where `player` moves unless the draft says otherwise."""
    who = player if draft.player is None else draft.player
    if who >= players:
        raise LabError(say("error.tree_player", line=draft.line, player=who + 1))
    following = player if who == CHANCE else (who + 1) % players
    children = tuple(build(child, following, players) for child in draft.children)
    odds = read_odds(draft) if who == CHANCE and children else ()
    return Vertex(who, draft.name, draft.payoff, children, odds, draft.interval)


def read_odds(draft: Draft) -> tuple[float, ...]:
    """The odds of a chance node: all written, or all left out and equal."""
    written = [child.odds for child in draft.children if child.odds is not None]
    if not written:
        return (1 / len(draft.children),) * len(draft.children)
    if len(written) < len(draft.children) or min(written) < 0 or not math.isclose(sum(written), 1, abs_tol=1e-6):
        raise LabError(say("error.tree_odds", line=draft.line))
    return tuple(written)
