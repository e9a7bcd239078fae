"""What tables say of a position, for people: a result, a distance, and the same for each move."""

from __future__ import annotations

from typing import NamedTuple

from cythera.tables.probing import Tables, package_tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.core import Board

RESULTS = {2: "win", 1: "cursed win", 0: "draw", -1: "blessed loss", -2: "loss"}


class Verdict(NamedTuple):
    """A result for the side to move, the half-move clock of the position taken into account.

    `wdl` is 2 for a win, 1 for a win that the fifty-move rule makes a draw, 0, -1, -2 likewise. `dtz` is the number
    of half-moves to the next capture, pawn move or mate with the result in hand; None where there is no table of
    distances. It can be one half-move too small, so that a win on the last half-move before the fifty-move rule may
    turn out to be a cursed one.
    """

    wdl: int
    dtz: int | None

    @property
    def result(self) -> str:
        """`"win"`, `"cursed win"`, `"draw"`, `"blessed loss"` or `"loss"`."""
        return RESULTS[self.wdl]

    @property
    def text(self) -> str:
        """A phrase: `tablebase win, 12 half-moves to a capture, pawn move or mate`."""
        if self.wdl == 0:
            return "tablebase draw"
        note = ", a draw by the fifty-move rule" if abs(self.wdl) == 1 else ""
        if self.dtz is None:
            return f"tablebase {self.result}{note}"
        count = abs(self.dtz)
        unit = "half-move" if count == 1 else "half-moves"
        return f"tablebase {self.result}{note}, {count} {unit} to a capture, pawn move or mate"


def verdict(position: Board, tables: Tables | None = None) -> Verdict | None:
    """What tables (those of the package, unless given) know of a position, or None."""
    tables = package_tables() if tables is None else tables
    wdl = tables.probe_wdl(position)
    if wdl is None:
        return None
    dtz = tables.probe_dtz(position)
    if dtz is not None and abs(wdl) == 2 and abs(dtz) + position.halfmove_clock > 100:
        wdl //= 2  # the clock runs out before the next zeroing move
    return Verdict(wdl, dtz)


def move_verdicts(position: Board, tables: Tables | None = None) -> dict[str, Verdict]:
    """For each legal move (UCI text) that tables know, what they say to the side that makes it, best first.

    `dtz` counts from after the move: a winning move that is zeroing itself, or mates, has 0.
    """
    tables = package_tables() if tables is None else tables
    found = {}
    after = position.copy()
    for move in position.legal_moves():
        after.push(move)
        known = verdict(after, tables)
        if known is not None:
            zeroing = after.halfmove_clock == 0 or after.is_checkmate()
            dtz = None if known.dtz is None else 0 if zeroing else -known.dtz
            found[move.uci()] = Verdict(-known.wdl, dtz)
        after.pop()
    return dict(sorted(found.items(), key=lambda item: (-item[1].wdl, _haste(item[1]), item[0])))


def _haste(known: Verdict) -> int:
    """The winner is in a hurry, the loser is not."""
    return 0 if known.dtz is None else known.dtz if known.wdl > 0 else -abs(known.dtz)
