"""`Go`: what a search is asked to do, checked once and then passed around unchanged."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Go:
    """The limits of one search. Times are milliseconds, as UCI has them; None means not given."""

    __slots__ = (
        "binc", "btime", "depth", "infinite", "mate", "movestogo", "movetime", "nodes", "perft", "ponder",
        "searchmoves", "winc", "wtime",
    )  # fmt: skip

    def __init__(
        self,
        *,
        wtime: int | None = None,
        btime: int | None = None,
        winc: int = 0,
        binc: int = 0,
        movestogo: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        mate: int | None = None,
        movetime: int | None = None,
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
        wtime: int | None
        btime: int | None
        winc: int
        binc: int
        movestogo: int | None
        depth: int | None
        nodes: int | None
        mate: int | None
        movetime: int | None
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
