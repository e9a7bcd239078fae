"""What a search is asked to do: `Limit` as people write it, `Go` as the search takes it."""

from cythera.errors import CytheraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# The largest number of anything that can be asked for; beyond it there is a slip of the pen.
LARGEST = 10**15


class LimitError(CytheraError, ValueError):
    """A limit that no search can keep."""


class Go:
    """The limits of one search. Times are milliseconds, as UCI has them; None means not given."""

    __slots__ = (
        "binc", "btime", "depth", "infinite", "mate", "movestogo", "movetime", "nodes", "perft", "ponder",
        "searchmoves", "winc", "wtime",
    )  # fmt: skip

    def __init__(
        self,
        *,
        wtime: float | None = None,
        btime: float | None = None,
        winc: float = 0,
        binc: float = 0,
        movestogo: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        mate: int | None = None,
        movetime: float | None = None,
        infinite: bool = False,
        ponder: bool = False,
        searchmoves: "Sequence[str] | None" = None,
        perft: int | None = None,
    ) -> None:
        for name, value in (
            ("wtime", wtime), ("btime", btime), ("winc", winc), ("binc", binc), ("movestogo", movestogo),
            ("depth", depth), ("nodes", nodes), ("mate", mate), ("movetime", movetime), ("infinite", infinite),
            ("ponder", ponder), ("searchmoves", searchmoves), ("perft", perft),
        ):  # fmt: skip
            object.__setattr__(self, name, value)

    if TYPE_CHECKING:
        wtime: float | None
        btime: float | None
        winc: float
        binc: float
        movestogo: int | None
        depth: int | None
        nodes: int | None
        mate: int | None
        movetime: float | None
        infinite: bool
        ponder: bool
        searchmoves: Sequence[str] | None
        perft: int | None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Go does not change; make a new one")

    def __repr__(self) -> str:
        given = {name: getattr(self, name) for name in self.__slots__ if getattr(self, name) not in (None, 0, False)}
        return f"Go({', '.join(f'{name}={value!r}' for name, value in given.items())})"

    @property
    def timed(self) -> bool:
        """Whether a clock or a time for the move was given."""
        return self.movetime is not None or self.wtime is not None or self.btime is not None

    @property
    def endless(self) -> bool:
        """Whether the answer must wait for `stop` (or `ponderhit`)."""
        return self.infinite or self.ponder


class Limit:
    """How long to think. What is not given does not limit; the first limit reached ends the search.

    Times and clocks are seconds, `depth` is half-moves, `mate` ends the search on a mate in so many
    moves, `nodes` is exact with one thread. Clocks share out the time of a whole game, for the side
    to move, with an increment a move and perhaps `moves_to_go` until the next period.

    >>> Limit(time_s=0.5, depth=20)
    Limit(time_s=0.5, depth=20)
    >>> Limit(depth=0)
    Traceback (most recent call last):
    cythera.engine.limits.LimitError: a search with depth=0 cannot be; the least is 1
    """

    NAMES = (
        "time_s", "nodes", "depth", "mate", "white_clock_s", "black_clock_s", "white_increment_s",
        "black_increment_s", "moves_to_go",
    )  # fmt: skip
    __slots__ = NAMES

    def __init__(
        self,
        time_s: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        mate: int | None = None,
        *,
        white_clock_s: float | None = None,
        black_clock_s: float | None = None,
        white_increment_s: float | None = None,
        black_increment_s: float | None = None,
        moves_to_go: int | None = None,
    ) -> None:
        for name, value in (
            ("time_s", checked("time_s", time_s, 0)),
            ("nodes", whole("nodes", nodes)),
            ("depth", whole("depth", depth)),
            ("mate", whole("mate", mate)),
            ("white_clock_s", checked("white_clock_s", white_clock_s, -LARGEST)),
            ("black_clock_s", checked("black_clock_s", black_clock_s, -LARGEST)),
            ("white_increment_s", checked("white_increment_s", white_increment_s, 0)),
            ("black_increment_s", checked("black_increment_s", black_increment_s, 0)),
            ("moves_to_go", whole("moves_to_go", moves_to_go)),
        ):
            object.__setattr__(self, name, value)

    if TYPE_CHECKING:
        time_s: float | None
        nodes: int | None
        depth: int | None
        mate: int | None
        white_clock_s: float | None
        black_clock_s: float | None
        white_increment_s: float | None
        black_increment_s: float | None
        moves_to_go: int | None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Limit does not change; make a new one")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Limit) and all(getattr(self, n) == getattr(other, n) for n in self.NAMES)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in self.NAMES))

    def __repr__(self) -> str:
        given = [(name, getattr(self, name)) for name in self.NAMES if getattr(self, name) is not None]
        return f"Limit({', '.join(f'{name}={value!r}' for name, value in given)})"

    def go(self, *, searchmoves: "Sequence[str] | None" = None, infinite: bool = False) -> Go:
        """The same limits as the search takes them."""
        return Go(
            wtime=milliseconds(self.white_clock_s),
            btime=milliseconds(self.black_clock_s),
            winc=milliseconds(self.white_increment_s) or 0,
            binc=milliseconds(self.black_increment_s) or 0,
            movestogo=self.moves_to_go,
            depth=None if self.depth is None else min(self.depth, 1000),
            nodes=self.nodes,
            mate=None if self.mate is None else min(self.mate, 1000),
            movetime=milliseconds(self.time_s),
            infinite=infinite,
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
    raise TypeError(f"a limit is a cythera.Limit or a chess.engine.Limit, not {type(limit).__name__}")


def milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else seconds * 1000


def checked(name: str, value: float | None, least: float) -> float | None:
    """The number if it can be a limit (NaN cannot); raises LimitError."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise LimitError(f"{name} is a number, not {value!r}")
    if not least <= value <= LARGEST:
        raise LimitError(f"a search with {name}={value!r} cannot be; the least is {least}" if value < least
                         else f"a search with {name}={value!r} is out of all proportion")  # fmt: skip
    return value


def whole(name: str, value: int | None) -> int | None:
    number = checked(name, value, 1)
    if number is not None and not isinstance(number, int):
        raise LimitError(f"{name} is a whole number, not {number!r}")
    return number
