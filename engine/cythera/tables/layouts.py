"""In which order a file can list the pieces of its table: the order decides how well it compresses."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

CODES = {letter: code for code, letter in enumerate("PNBRQK", 1)}
BLACK = 8
NO_SECOND = 15


class Layout(NamedTuple):
    """Pieces in the format's code, where the leading group comes among the groups, and the other side's pawns."""

    pieces: tuple[int, ...]
    order: int
    second_order: int


def groups_of(name: str) -> list[tuple[int, ...]]:
    """Equal pieces together: White's king, Black's, then the others as named."""
    white, black = name.split("v")
    codes = [CODES[letter] for letter in white] + [CODES[letter] | BLACK for letter in black]
    return [(code,) * codes.count(code) for code in dict.fromkeys(codes)]


def flat(groups: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    return tuple(code for group in groups for code in group)


def layouts_of(name: str) -> list[Layout]:
    """Every layout that the format allows."""
    groups = groups_of(name)
    pawns = [group for group in groups if group[0] & 7 == CODES["P"]]
    found = []
    if pawns:
        pawns.sort(key=len)  # the side with fewer leads
        rest = [group for group in groups if group not in pawns]
        second = len(pawns) > 1
        for others in permutations(rest):
            places = range(len(rest) + len(pawns))
            for order in places:
                for second_order in places if second else (NO_SECOND,):
                    if order != second_order:
                        found.append(Layout(flat((*pawns, *others)), order, second_order))
        return found
    singles = [group for group in groups if len(group) == 1]
    kings = [group for group in groups if group[0] & 7 == CODES["K"]]
    leads = permutations(singles, 3) if len(singles) >= 3 else permutations(kings)
    for lead in leads:
        rest = [group for group in groups if group not in lead]
        for others in permutations(rest):
            found += [Layout(flat((*lead, *others)), order, NO_SECOND) for order in range(len(rest) + 1)]
    return found


def neighbours_of(name: str, layout: Layout) -> list[Layout]:
    """Layouts that differ by one exchange of pieces or by the place of a group."""

    def close(other: Layout) -> bool:
        moved = sum(a != b for a, b in zip(layout.pieces, other.pieces, strict=True))
        placed = (layout.order, layout.second_order) != (other.order, other.second_order)
        return (moved == 0 and placed) or (0 < moved <= 2 and not placed)

    return [other for other in layouts_of(name) if close(other)]
