"""One search from beginning to end: limits in, infos on the way, a best move at the end.

This is the layer between the compiled searcher and everyone who wants a move: UCI, the Python API,
the terminal game. It knows the clock and the reports; it knows no protocol and imports no library.
"""

from threading import Lock
from time import perf_counter

from cythera.board.position import Position
from cythera.board.scores import Score
from cythera.core import Searcher
from cythera.engine.limits import Go
from cythera.engine.time_manager import Governor, budget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    Line = tuple[list[str], int, str, int, int]

__all__ = ["Info", "Thinking"]


class Info:
    """What a finished iteration knows of one line. Times are milliseconds."""

    __slots__ = ("bound", "depth", "hashfull", "multipv", "nodes", "nps", "ply", "pv", "score", "seldepth", "time_ms")

    def __init__(self, line: "Line", multipv: int, nodes: int, time_ms: float, hashfull: int, ply: int) -> None:
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
    """One search. `run` blocks; `stop` and `ponderhit` come from other threads, at any time.

    `on_info` hears of each line of each iteration, in the searching thread and under the GIL, and after the
    first seconds of bounds in between; `on_move`, then too, of each root move and its number before it is
    searched.
    """

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
        on_move: "Callable[[str, int], None] | None" = None,
        features: int | None = None,
    ) -> None:
        self.searcher = searcher
        self.position = position
        self.go = go
        self.multipv = multipv
        self.nodestime = nodestime
        self.on_info = on_info
        self.on_move = on_move
        self.features = features
        self.ply = 2 * position.fullmove_number - (2 if position.turn == "w" else 1)
        self.limits = budget(go, position.turn == "w", overhead_ms, slow_mover)
        self.governor = Governor(self.limits)
        self.started = perf_counter()
        self.pondering = go.ponder
        self.stopped = False
        self.enough = False  # pondered as long as the clock would have allowed
        self.single_move = False
        self.begun = False  # the searcher has let itself be heard
        self.over = False  # the searcher may be another's by now; under the lock
        self.lock = Lock()
        self.released: Event | None = None
        self.last: Info | None = None  # the best line of the last report
        self.node_cap = 0  # a limit that is not the caller's, 0 for none
        if go.endless:
            import threading

            self.released = threading.Event()

    def run(self) -> list[Info]:
        """Searches and returns the final infos, best line first; empty if there is no legal move."""
        try:
            infos = self.infos(self.search())
        finally:
            with self.lock:
                self.over = True
        infos = self.concluded(infos)
        if self.released is not None and not self.stopped:
            self.released.wait()
        return infos

    def concluded(self, infos: list[Info]) -> list[Info]:
        """What the search comes to, reported if it is news."""
        if not infos or infos[0].bound == "none":  # no legal move, or not one that was looked at
            return infos
        if len(infos) > 1:
            # Stopped in mid-iteration, some lines are of the new depth and some of the old one.
            infos.sort(key=lambda info: -info.score.value)
            for number, info in enumerate(infos, 1):
                info.multipv = number
        if self.last is not None and infos[0].pv == self.last.pv and infos[0].score == self.last.score:
            # Stopped in mid-iteration: what the new depth has not touched is still of the old one.
            infos[0].depth, infos[0].seldepth, infos[0].bound = self.last.depth, self.last.seldepth, self.last.bound
        if self.last is None or infos[0].nodes != self.last.nodes:
            self.report(infos)
        return infos

    def search(self) -> "list[Line]":
        go = self.go
        choices = len(set(go.searchmoves)) if go.searchmoves else len(self.position.legal_moves())
        # With only one move there is nothing to think about when the clock runs.
        self.single_move = choices == 1 and self.limits.soft_ms is not None
        caps = [cap for cap in (go.nodes, self.node_cap) if cap]
        if self.nodestime and self.limits.hard_ms:
            caps.append(max(1, int(self.limits.hard_ms * self.nodestime)))
        keywords: dict[str, int] = {} if self.features is None else {"features": self.features}
        return self.searcher.go(
            self.position,
            depth=go.depth or 0,
            nodes=min(caps, default=0),
            mate=go.mate or 0,
            hard_ms=self.hard_ms(),
            multipv=self.multipv,
            searchmoves=go.searchmoves,
            ponder=self.pondering,
            listener=self.after_iteration,
            move_listener=self.before_root_move if self.on_move else None,
            miss_listener=self.after_miss,
            **keywords,
        )

    def hard_ms(self) -> float:
        """When the searcher must stop by the clock, 0 for never: nodes that stand for time are counted instead."""
        return 0.0 if self.nodestime else self.limits.hard_ms or 0.0

    def infos(self, lines: "list[Line]") -> list[Info]:
        nodes, elapsed, full = self.searcher.nodes, self.elapsed_ms(), self.searcher.hashfull
        return [Info(line, i + 1, nodes, elapsed, full, self.ply) for i, line in enumerate(lines)]

    def report(self, infos: list[Info]) -> None:
        self.last = infos[0]
        if self.on_info:
            for info in infos:
                self.on_info(info)

    def elapsed_ms(self) -> float:
        """Since the search was asked for, pondering included; by nodes if they are the clock."""
        if self.nodestime:
            return self.searcher.nodes / self.nodestime
        return (perf_counter() - self.started) * 1000

    def after_iteration(self, searcher: Searcher, lines: "list[Line]") -> bool:
        """Hears of each iteration; True ends the search."""
        if not self.begun:
            # A ponder hit that came before the searcher had begun went past it.
            self.begun = True
            if self.go.ponder and not self.pondering:
                searcher.ponderhit(self.hard_ms())
        infos = self.infos(lines)
        self.report(infos)
        self.enough = self.single_move or self.governor.should_stop(
            self.elapsed_ms(), infos[0].depth, infos[0].pv[0], lines[0][1], searcher.best_move_share()
        )
        # So did a stop; and while we ponder, having had enough must wait for the hit.
        return self.stopped or (self.enough and not self.pondering)

    def after_miss(self, searcher: Searcher, lines: "list[Line]") -> None:
        """Hears, in a long search, of a score that is only a bound until the window has been widened."""
        self.report(self.infos(lines))

    def before_root_move(self, searcher: Searcher, move: str, number: int) -> None:
        if self.on_move:
            self.on_move(move, number)

    def stop(self) -> None:
        """Ends the search as soon as possible; does nothing if it has ended."""
        self.stopped = True
        with self.lock:
            if not self.over:
                self.searcher.stop()
        if self.released is not None:
            self.released.set()

    def ponderhit(self) -> None:
        """The expected move was played: from now on our clock runs.

        Time spent pondering counts for the soft limit, so a search that has had enough ends at
        once; the hard limit is counted from here.
        """
        if not self.pondering:
            return
        self.pondering = False
        with self.lock:
            if not self.over:
                self.searcher.ponderhit(self.hard_ms())
                if self.enough:
                    self.searcher.stop()
        if self.released is not None and not self.go.infinite:
            self.released.set()
