"""Maps a game's index to engines, colours and opening. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cythera.match.match_errors import MatchError

ROUND_ROBIN = "round-robin"
GAUNTLET = "gauntlet"


@dataclass(frozen=True, slots=True)
class Pairing:
    """Game `index`: who is white, who is black (numbers of engines), and which opening."""

    index: int
    white: int
    black: int
    opening: int


def encounters(engines: int, kind: str) -> list[tuple[int, int]]:
    """All pairs of engines that meet; the first of each has white in the first game of a pair.

    >>> encounters(3, "gauntlet"), len(encounters(4, "round-robin"))
    ([(0, 1), (0, 2)], 6)
    """
    if engines < 2:
        raise MatchError("a match needs two engines or more")
    if kind == GAUNTLET:
        return [(0, other) for other in range(1, engines)]
    return [(one, other) for one in range(engines) for other in range(one + 1, engines)]


@dataclass(frozen=True, slots=True)
class Schedule:
    """A whole match: `pairs` game pairs for every encounter, all encounters taking turns.

    Every encounter of a round plays the same opening, once with each colour, so that game `index` is the
    same whatever else is going on.
    """

    meetings: tuple[tuple[int, int], ...]
    pairs: int

    def __len__(self) -> int:
        return 2 * self.pairs * len(self.meetings)

    def __getitem__(self, index: int) -> Pairing:
        pair, second = divmod(index, 2)
        round_number, meeting = divmod(pair, len(self.meetings))
        one, other = self.meetings[meeting]
        return Pairing(index, other, one, round_number) if second else Pairing(index, one, other, round_number)

    def games(self, done: Sequence[int] | set[int] = ()) -> Iterator[Pairing]:
        """All games but those already played, in order."""
        skip = set(done)
        return (self[index] for index in range(len(self)) if index not in skip)
