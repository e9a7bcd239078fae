"""One search from beginning to end: limits in, infos on the way, a best move at the end.

This is the layer between the compiled searcher and everyone who wants a move: UCI, the Python API,
the terminal game. It knows the clock and the reports; it knows no protocol and imports no library.
"""

from cythera.clock import Budget, Governor, budget
from cythera.core import Searcher
from cythera.limits import Go
from cythera.position import Position
from cythera.scores import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    Line = tuple[list[str], int, str, int, int]


class Info:
    """What a finished iteration knows of one line. Times are milliseconds."""

    __slots__ = ("bound", "depth", "hashfull", "multipv", "nodes", "nps", "ply", "pv", "score", "seldepth", "time_ms")

    def __init__(
        self, line: "Line", multipv: int, nodes: int, time_ms: float, hashfull: int, ply: int
    ) -> None:
        self.pv, value, self.bound, self.depth, self.seldepth = line
        self.score = Score.from_core(value)
        self.multipv = multipv
        self.nodes = nodes
        self.time_ms = time_ms
        self.nps = int(nodes * 1000 / max(time_ms, 0.01))
        self.hashfull = hashfull
        self.ply = ply

    def __repr__(self) -> str:
        return f"Info(depth={self.depth}, score={self.score}, pv={' '.join(self.pv)!r})"


class Thinking:
    """One search. `run` blocks; `stop` and `ponderhit` come from other threads."""

    def __init__(
        self,
        searcher: Searcher,
        position: Position,
        go: Go,
        *,
        multipv: int = 1,
        overhead_ms: float = 10,
        slow_mover: int = 100,
        nodestime: int = 0,
        on_info: "Callable[[Info], None] | None" = None,
        features: int | None = None,
    ) -> None:
        self.searcher = searcher
        self.position = position
        self.go = go
        self.multipv = multipv
        self.nodestime = nodestime
        self.on_info = on_info
        self.features = features
        self.ply = 2 * position.fullmove_number - (2 if position.turn == "w" else 1)
        self.limits = budget(go, position.turn == "w", overhead_ms, slow_mover)
        self.governor = Governor(self.limits)
        self.pondering = go.ponder
        self.stopped = False
        self.single_move = False
        self.released: Event | None = None
        self.last_best = ""
        if go.endless:
            import threading

            self.released = threading.Event()

    def run(self) -> list[Info]:
        """Searches and returns the final infos, best line first; empty if there is no legal move."""
        go = self.go
        moves = len(self.position.legal_moves())
        # With only one move there is nothing to think about when the clock runs.
        self.single_move = moves == 1 and go.movetime is None and self.limits.soft_ms is not None
        hard_ms, nodes = self.limits.hard_ms or 0.0, go.nodes or 0
        if self.nodestime and hard_ms:
            nodes, hard_ms = max(1, int(hard_ms * self.nodestime)), 0.0
        keywords: dict[str, int] = {} if self.features is None else {"features": self.features}
        lines = self.searcher.go(
            self.position,
            depth=go.depth or 0,
            nodes=nodes,
            mate=go.mate or 0,
            hard_ms=hard_ms,
            multipv=self.multipv,
            searchmoves=go.searchmoves,
            ponder=go.ponder,
            listener=self.after_iteration,
            **keywords,
        )
        if self.released is not None and not self.stopped:
            self.released.wait()
        infos = self.infos(lines)
        # A search that is stopped in mid-iteration may have changed its mind since the last report.
        if infos and infos[0].bound != "none" and infos[0].pv[0] != self.last_best and self.on_info:
            for info in infos:
                self.on_info(info)
        return infos

    def infos(self, lines: "list[Line]") -> list[Info]:
        nodes, elapsed, full = self.searcher.nodes, self.elapsed_ms(), self.searcher.hashfull
        return [Info(line, i + 1, nodes, elapsed, full, self.ply) for i, line in enumerate(lines)]

    def elapsed_ms(self) -> float:
        return self.searcher.nodes / self.nodestime if self.nodestime else self.searcher.elapsed_ms

    def after_iteration(self, searcher: Searcher, lines: "list[Line]") -> bool:
        """Hears of each iteration; True ends the search."""
        infos = self.infos(lines)
        self.last_best = infos[0].pv[0]
        if self.on_info:
            for info in infos:
                self.on_info(info)
        stop = self.governor.should_stop(
            self.elapsed_ms(), lines[0][3], self.last_best, lines[0][1], searcher.best_move_share()
        )
        return (stop or self.single_move) and not self.pondering

    def stop(self) -> None:
        """Ends the search as soon as possible."""
        self.stopped = True
        self.searcher.stop()
        if self.released is not None:
            self.released.set()

    def ponderhit(self) -> None:
        """The expected move was played: from now on our clock runs."""
        self.pondering = False
        self.searcher.ponderhit(self.limits.hard_ms or 0.0)
        if self.released is not None and not self.go.infinite:
            self.released.set()


__all__ = ["Budget", "Info", "Thinking"]
