"""Names of tables: those with a given number of pieces, and which a table needs."""

from cythera.core import table_name
from cythera.errors import CytheraError

LETTERS = "QRBNP"


class TableNameError(CytheraError, ValueError):
    """A name that is not a table's."""


def normal_name(name: str) -> str:
    """A table's name as its files are named: `kvkrp` is KRPvK."""
    try:
        return table_name(name.strip().upper().replace("V", "v"))
    except ValueError as error:
        raise TableNameError(str(error)) from None


def sides_with(pieces: int) -> list[str]:
    """The material of one side with its king and `pieces` others, strongest first."""
    sides = ["K"]
    for _ in range(pieces):
        sides = [side + letter for side in sides for letter in LETTERS[max(LETTERS.find(side[-1]), 0) :]]
    return sides


def names_with(pieces: int) -> list[str]:
    """All tables with this many pieces, kings included."""
    names = set()
    for black in range((pieces - 2) // 2 + 1):
        names |= {
            table_name(f"{first}v{second}")
            for first in sides_with(pieces - 2 - black)
            for second in sides_with(black)
        }
    return sorted(names, key=lambda name: (name.count("P"), name))


def needed_by(name: str) -> set[str]:
    """The tables that one move of zeroing leads to from a table, KvK left out."""
    found = set()
    white, black = name.split("v")
    for own, other in ((white, black), (black, white)):
        for letter in sorted(set(other[1:])):
            found.add((own, other.replace(letter, "", 1)))
        if "P" in own:
            for promoted in "QRBN":
                grown = own.replace("P", promoted, 1)
                found.add((grown, other))
                for letter in sorted(set(other[1:]) - {"P"}):
                    found.add((grown, other.replace(letter, "", 1)))
    return {table_name(f"{own}v{other}") for own, other in found if len(own) + len(other) > 2}


def in_order(names: list[str]) -> list[str]:
    """The names with all they need, each after what it needs."""
    ordered: list[str] = []

    def add(name: str) -> None:
        if name in ordered:
            return
        for needed in sorted(needed_by(name)):
            add(needed)
        ordered.append(name)

    for name in names:
        add(name)
    return ordered
