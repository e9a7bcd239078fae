"""One search from start to end: limits in, infos on the way, the best lines at the end.

This is the layer between the compiled searcher and `Session`. It knows the time manager and the
reports; it knows no protocol and imports no library.
"""

from threading import Event, RLock
from time import perf_counter

from cythera.board.position import Position
from cythera.board.scores import Score
from cythera.core import Searcher
from cythera.engine.limits import Go
from cythera.engine.time_manager import LEAST_MS, TimeManager, budget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cythera.core import SearchLine

__all__ = ["DONE", "PONDERING", "SEARCHING", "STOPPING", "WAITING", "Info", "SearchRun"]

# The states of a run. `stop` leads from each of the first three to STOPPING, `ponderhit` from PONDERING to
# SEARCHING, and from WAITING on if the search was not infinite.
SEARCHING = "searching"  # by the clock if there is one; also before the thread of the search has started
PONDERING = "pondering"  # on the opponent's time, until `ponderhit`
WAITING = "waiting"  # the search is over, but UCI wants no answer before `stop` or `ponderhit`
STOPPING = "stopping"  # told to stop
DONE = "done"  # the searcher belongs to others again


class Info:
    """What an iteration found about one line. `value` is the score as the core has it."""

    __slots__ = (
        "bound", "depth", "hashfull", "is_last", "multipv", "nodes", "nps", "ply", "pv", "score", "seldepth", "tbhits",
        "time_ms", "value",
    )  # fmt: skip

    def __init__(
        self, line: "SearchLine", multipv: int, nodes: int, time_ms: float, hashfull: int, ply: int, tbhits: int = 0
    ) -> None:
        self.pv = line.moves
        self.value = line.score
        self.bound = line.bound
        self.depth = line.depth
        self.seldepth = line.seldepth
        self.score = Score.from_core(self.value)
        self.multipv = multipv
        self.nodes = nodes
        self.time_ms = time_ms
        self.nps = int(nodes * 1000 / max(time_ms, 0.01))
        self.hashfull = hashfull
        self.ply = ply
        self.tbhits = tbhits
        self.is_last = False  # the result of the search, which ends with it

    def __repr__(self) -> str:
        return f"Info(depth={self.depth}, score={self.score}, pv={' '.join(self.pv)!r})"


class SearchRun:
    """One search. `run` blocks; `stop` and `ponderhit` come from other threads, at any time.

    `on_info` is called with each line of each iteration, in the searching thread and under the GIL, and after
    the first seconds also with bounds in between; `on_move` then with each root move and its number before it
    is searched. `node_cap` is a limit besides those of `go`. With `choose`, nothing is reported until the end:
    it picks the line that is played, and that one is reported. `fresh` empties the table first. `started_s` is
    when the clock started, on `perf_counter`: when the command was read. `answered_s` is when the answer was given.
    """

    def __init__(
        self,
        searcher: Searcher,
        position: Position,
        go: Go,
        *,
        multipv: int = 1,
        overhead_ms: float = 10,
        reserve_ms: float = 0,
        slow_mover: int = 100,
        nodestime: int = 0,
        features: int | None = None,
        node_cap: int | None = None,
        fresh: bool = False,
        choose: "Callable[[list[Info]], Info] | None" = None,
        on_info: "Callable[[Info], None] | None" = None,
        on_move: "Callable[[str, int], None] | None" = None,
        started_s: float | None = None,
    ) -> None:
        self.searcher = searcher
        self.position = position
        self.go = go
        self.multipv = multipv
        self.nodestime = nodestime
        self.features = features
        self.node_cap = node_cap
        self.fresh = fresh
        self.choose = choose
        self.on_info = on_info
        self.on_move = on_move
        self.state = PONDERING if go.ponder else SEARCHING
        self.lock = RLock()  # held to change the state and to tell the searcher of it
        self.released = Event()  # ends WAITING
        self.started_s = perf_counter() if started_s is None else started_s
        self.budget = budget(go, position.turn == "w", overhead_ms, slow_mover, reserve_ms)
        choices = len(set(go.searchmoves)) if go.searchmoves else len(position.legal_moves())
        self.time = TimeManager(self.budget, only_move=choices == 1)
        self.ply = position.game_ply
        # Without a listener and a soft limit nobody looks at an iteration: small searches are faster so.
        self.is_watched = on_info is not None or self.budget.soft_ms is not None
        self.last: SearchLine | None = None  # the best line of the last iteration
        self.reported: tuple[int, list[str]] = (-1, [])  # nodes and best line of the last report
        self.latest: list[Info] = []  # the last report, best line first; none if the result is still to be chosen
        self.answered_s: float | None = None
        self.deadline_s: float | None = None  # when the search must end, on `perf_counter`; None while no clock runs
        if not go.ponder:
            self.start_clock(self.started_s)

    def start_clock(self, now_s: float) -> None:
        if self.budget.hard_ms and not self.nodestime:
            self.deadline_s = now_s + self.budget.hard_ms / 1000

    @property
    def is_stopping(self) -> bool:
        """Whether it was told to stop or has ended: its answer is on its way."""
        return self.state in (STOPPING, DONE)

    def run(self) -> list[Info]:
        """Searches and returns the final infos, best line first; empty if there is no legal move."""
        try:
            if self.fresh:
                self.searcher.clear()
            infos = self.conclude(self.infos(self.search()))
            with self.lock:
                if self.state == PONDERING or (self.go.infinite and self.state == SEARCHING):
                    self.state = WAITING
            if self.state == WAITING:
                self.released.wait()
        finally:
            with self.lock:
                self.state = DONE
        return infos

    def search(self) -> "list[SearchLine]":
        go = self.go
        caps = [cap for cap in (go.nodes, self.node_cap) if cap]
        if self.nodestime and self.budget.hard_ms:
            caps.append(max(1, int(self.budget.hard_ms * self.nodestime)))
        keywords: dict[str, int] = {} if self.features is None else {"features": self.features}
        return self.searcher.go(
            self.position,
            depth=go.depth or 0,
            nodes=min(caps, default=0),
            mate=go.mate or 0,
            hard_ms=self.hard_ms(),
            multipv=self.multipv,
            searchmoves=go.searchmoves,
            ponder=self.state == PONDERING,
            listener=self.after_iteration,
            move_listener=self.before_root_move if self.on_move else None,
            miss_listener=self.after_miss,
            **keywords,
        )

    def conclude(self, infos: list[Info]) -> list[Info]:
        """The result of the search, reported if it is news."""
        if not infos:
            return infos
        is_searched = infos[0].bound != "none"  # else not one move was
        if len(infos) > 1:
            # Stopped within an iteration, some lines are of the new depth and some of the old one.
            infos.sort(key=lambda info: -info.score.value)
            for number, info in enumerate(infos, 1):
                info.multipv = number
        best = infos[0]
        if self.last is not None:
            last = Info(self.last, 1, 0, 0.0, 0, self.ply)
            if best.pv == last.pv and best.score == last.score:
                # Stopped within an iteration: what the new depth has not reached is still of the old one.
                best.depth, best.seldepth, best.bound = last.depth, last.seldepth, last.bound
        if self.choose is not None:
            best = self.choose(infos)
            best.multipv = 1
            infos = [best]
        # With several threads the line may be another thread's, found without a node more.
        if self.choose is not None or (is_searched and (best.nodes, best.pv) != self.reported):
            for info in infos:
                info.is_last = self.state != PONDERING and not self.go.infinite
            self.report(infos)
        return infos

    def hard_ms(self) -> float:
        """When the searcher must stop by the clock, 0 for never: with `nodestime` the nodes are counted instead.

        Milliseconds from now: on a loaded machine, some have passed before the searcher gets the processor.
        """
        if self.nodestime or not self.budget.hard_ms:
            return 0.0
        passed_ms = 0.0 if self.go.ponder else (perf_counter() - self.started_s) * 1000
        return max(self.budget.hard_ms - passed_ms, LEAST_MS)

    def elapsed_ms(self) -> float:
        """Since the clock started, pondering included; by nodes if they are the clock."""
        if self.nodestime:
            return self.searcher.nodes / self.nodestime
        return (perf_counter() - self.started_s) * 1000

    def infos(self, lines: "list[SearchLine]") -> list[Info]:
        nodes, elapsed, full = self.searcher.nodes, self.elapsed_ms(), self.searcher.hashfull
        hits = self.searcher.table_hits
        return [Info(line, i + 1, nodes, elapsed, full, self.ply, hits) for i, line in enumerate(lines)]

    def report(self, infos: list[Info]) -> None:
        self.reported = infos[0].nodes, infos[0].pv
        self.latest = infos
        if self.on_info:
            for info in infos:
                self.on_info(info)

    def after_iteration(self, searcher: Searcher, lines: "list[SearchLine]") -> bool:
        """Called by the searcher after each iteration; True ends the search."""
        if self.last is None:
            self.repeat_hit()
        self.last = lines[0]
        if not self.is_watched:
            return self.is_stopping
        infos = self.infos(lines)
        if self.choose is None:
            self.report(infos)
        best = infos[0]
        self.time.should_stop(self.elapsed_ms(), best.depth, best.pv[0], best.value, searcher.best_move_share())
        # A stop that came before the searcher had started did not reach it.
        return self.is_stopping or (self.time.is_time_up and self.state == SEARCHING)

    def repeat_hit(self) -> None:
        """After the first iteration: a ponder hit that came before the searcher had started did not reach it."""
        with self.lock:
            if self.go.ponder and self.state == SEARCHING:
                self.searcher.ponderhit(self.hard_ms())

    def after_miss(self, searcher: Searcher, lines: "list[SearchLine]") -> None:
        """Called in a long search when a score is only a bound until the window has been widened."""
        self.last = lines[0]
        if self.choose is None:
            self.report(self.infos(lines))

    def before_root_move(self, searcher: Searcher, move: str, number: int) -> None:
        if self.on_move:
            self.on_move(move, number)

    def stop(self) -> None:
        """Ends the search as soon as possible; does nothing if it has ended."""
        with self.lock:
            if self.state != DONE:
                self.state = STOPPING
                self.searcher.stop()
        self.released.set()

    def ponderhit(self) -> None:
        """The expected move was played: from now on our clock runs.

        Time spent pondering counts for the soft limit, so a search that has had enough ends at
        once; the hard limit is counted from here.
        """
        with self.lock:
            if self.state == PONDERING:
                self.state = SEARCHING
                self.start_clock(perf_counter())
                self.searcher.ponderhit(self.hard_ms())
                if self.time.is_time_up:
                    self.searcher.stop()
            elif self.state == WAITING and self.go.ponder and not self.go.infinite:
                self.released.set()
