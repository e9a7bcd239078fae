"""What a search is asked to do: `Limit` as people write it, `Go` as the search takes it."""

from cythera.common.record import Record
from cythera.errors import LimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST = 10**15  # no limit is larger: what is, is a typing error
DEEPEST = 1000  # a larger depth or mate is the same as this one


class Go(Record):
    """The limits of one search. Times are milliseconds, as in UCI; None means not given."""

    wtime: float | None = None
    btime: float | None = None
    winc: float = 0
    binc: float = 0
    movestogo: int | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    movetime: float | None = None
    infinite: bool = False
    ponder: bool = False
    searchmoves: "Sequence[str] | None" = None
    perft: int | None = None

    @property
    def timed(self) -> bool:
        """Whether a clock or a time for the move was given."""
        return self.movetime is not None or self.wtime is not None or self.btime is not None

    @property
    def endless(self) -> bool:
        """Whether the answer must wait for `stop` (or `ponderhit`)."""
        return self.infinite or self.ponder


class Limit(Record):
    """When to stop searching. What is not given does not limit; the first limit reached ends the search.

    Times and clocks are in seconds and `depth` is in plies. `mate` ends the search on a mate in this many
    moves. `nodes` is exact with one thread. The clocks are those of a game: the engine decides how much
    of its own to use, given the increment per move and the moves until the next time control.

    >>> Limit(time_s=0.5, depth=20)
    Limit(time_s=0.5, depth=20)
    >>> Limit(depth=0)
    Traceback (most recent call last):
    cythera.errors.LimitError: depth must be at least 1, got 0
    """

    time_s: float | None = None
    nodes: int | None = None
    depth: int | None = None
    mate: int | None = None
    white_clock_s: float | None = None
    black_clock_s: float | None = None
    white_increment_s: float | None = None
    black_increment_s: float | None = None
    moves_to_go: int | None = None

    def __post_init__(self) -> None:
        """Checks the numbers: a name that ends in `_s` is a time, any other a count."""
        for name in self.FIELDS:
            value = getattr(self, name)
            if value is None:
                continue
            if not name.endswith("_s"):
                check_number(name, value, int, 1)
            else:
                # A clock may be below zero: the game goes on until somebody claims it.
                check_number(name, value, (int, float), -LARGEST if name.endswith("_clock_s") else 0)

    def go(self, *, searchmoves: "Sequence[str] | None" = None) -> Go:
        """The same limits as the search takes them."""
        return Go(
            wtime=milliseconds(self.white_clock_s),
            btime=milliseconds(self.black_clock_s),
            winc=milliseconds(self.white_increment_s) or 0,
            binc=milliseconds(self.black_increment_s) or 0,
            movestogo=self.moves_to_go,
            depth=None if self.depth is None else min(self.depth, DEEPEST),
            nodes=self.nodes,
            mate=None if self.mate is None else min(self.mate, DEEPEST),
            movetime=milliseconds(self.time_s),
            searchmoves=searchmoves,
        )

    @property
    def unlimited(self) -> bool:
        """Whether nothing but `stop` would end the search."""
        ends = (self.time_s, self.nodes, self.depth, self.mate, self.white_clock_s, self.black_clock_s)
        return all(end is None for end in ends)


def limit_from(limit: object) -> Limit:
    """A `Limit` from a `Limit` or from python-chess's `chess.engine.Limit`."""
    if isinstance(limit, Limit):
        return limit
    if all(hasattr(limit, name) for name in ("time", "depth", "nodes", "mate", "white_clock", "remaining_moves")):
        given = vars(limit)
        return Limit(
            time_s=given["time"],
            nodes=given["nodes"],
            depth=given["depth"],
            mate=given["mate"],
            white_clock_s=given["white_clock"],
            black_clock_s=given["black_clock"],
            white_increment_s=given["white_inc"],
            black_increment_s=given["black_inc"],
            moves_to_go=given["remaining_moves"] or None,
        )
    raise TypeError(f"limit must be a cythera.Limit or a chess.engine.Limit, got {type(limit).__name__}")


def ending_limit(limit: object) -> Limit:
    """`limit_from` for a search that must end by itself; raises LimitError if nothing would end it."""
    wanted = limit_from(limit)
    if wanted.unlimited:
        raise LimitError("nothing would end this search; give a time, nodes, a depth, a mate or clocks")
    return wanted


def milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else seconds * 1000


def check_number(name: str, value: object, kind: "type | tuple[type, ...]", least: float) -> None:
    """Raises LimitError unless the value is a number of that kind from `least` to LARGEST (NaN is not)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise LimitError(f"{name} must be a number, got {value!r}")
    if not isinstance(value, kind):
        raise LimitError(f"{name} must be a whole number, got {value!r}")
    if not least <= value <= LARGEST:
        bound = f"at least {least}" if value < least else f"at most {LARGEST}"
        raise LimitError(f"{name} must be {bound}, got {value!r}")
