"""`Session`: the engine under UCI and under the Python API.

It owns the searchers, the net, the book and the options, starts and stops searches, and refuses what
cannot be done while one runs. It knows no protocol: UCI reads and prints, `Engine` converts types.
"""

import threading

from cythera.core import Searcher, features_without, get_tunables, set_tunable
from cythera.engine.handle import Search
from cythera.engine.limits import Go
from cythera.engine.options import MAX_ELO, MAX_SKILL, Options, affordable_hash, affordable_threads, find
from cythera.engine.search_run import SearchRun
from cythera.engine.session_tables import MOST_PIECES, SessionTables
from cythera.engine.time_manager import LagMeter
from cythera.errors import EngineBusyError, EngineClosedError, OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cythera.board.position import Position
    from cythera.engine.handle import Outcome, Run
    from cythera.engine.options import Value
    from cythera.engine.search_run import Info

__all__ = ["Session"]


SMALL_HASH_MIB = 32  # that one core touches in a few milliseconds


class Held:
    """A lock that is held; released by leaving the `with` block or by `release`, from any thread."""

    __slots__ = ("lock",)

    def __init__(self, lock: threading.Lock) -> None:
        self.lock = lock

    def release(self) -> None:
        self.lock.release()

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: object) -> None:
        self.lock.release()


class Session:
    """An engine with its options and state; one search at a time.

    `on_option` holds what a front end does when an option of a name changes, besides what the option does
    itself. A limited strength draws from `seed` and the number of the game; from the latter alone without one.
    """

    def __init__(
        self, *, hash_mib: int | None = None, threads: int | None = None, seed: int | str | None = None
    ) -> None:
        self.options = Options()
        self.chosen: set[str] = set()  # names of options that were set
        self.on_option: dict[str, Callable[[Value], None]] = {}
        self.seed = seed
        self.game = 0
        self.features: int | None = None  # search features in use, None for all
        self.busy = threading.Lock()  # held while a search runs, or something that no search may run beside
        self.closed = False
        self.net_loaded = False  # the searcher has the net of the option EvalFile
        for name, given, check in (("Hash", hash_mib, affordable_hash), ("Threads", threads, affordable_threads)):
            if given is not None:
                self.options.values[name] = value = find(name).parse(str(given))
                check(int(value or 0))
        self.searcher = Searcher(self.options.number("Hash"), self.options.number("Threads"))
        self.tables = SessionTables(self.options)
        self.lag = LagMeter()
        self.limited: Searcher | None = None  # for a limited strength, created when first needed
        # The last search; not its handle, since a search whose handle is dropped stops.
        self.run: Run | None = None
        self.outcome: Outcome | None = None

    # One thing at a time

    def check_open(self) -> None:
        if self.closed:
            raise EngineClosedError("the engine is closed; make a new one")
        if self.is_lost:
            raise EngineClosedError("the engine was searching when this process was forked; make a new one")

    @property
    def is_lost(self) -> bool:
        """Whether it was searching when this process was forked: the search has no thread here, and its locks may
        be held for ever."""
        return self.outcome is not None and self.outcome.is_lost

    def idle(self, what: str = "this") -> "Held":
        """A `with` block in which no search runs. While one does, raises EngineBusyError; but one that was told to
        stop, or is printing its answer, is waited for: GUIs send `stop` and the next command together."""
        self.check_open()
        run, outcome = self.run, self.outcome
        if run is not None and outcome is not None and (run.is_stopping or outcome.finished):
            outcome.wait_elsewhere()
        if not self.busy.acquire(blocking=False):
            raise EngineBusyError(f"{what} is not possible while the engine is searching; stop it first")
        held = Held(self.busy)
        if self.closed:  # meanwhile
            held.release()
        self.check_open()
        return held

    # Options

    def set_option(self, name: str, text: str | None) -> None:
        """Parses, applies and stores a value; raises OptionError (or what applying raises) and changes nothing."""
        try:
            option = find(name)
        except OptionError:
            self.set_undeclared(name, text)
            return
        value = option.parse(text)
        held = self.idle(f"setoption {option.name}") if option.needs_idle else None
        try:
            if option.apply is not None:
                option.apply(self, value)
            if option.name in self.on_option:
                self.on_option[option.name](value)
            self.options.values[option.name] = value
            self.chosen.add(option.name)
        finally:
            if held is not None:
                held.release()

    def set_undeclared(self, name: str, text: str | None) -> None:
        """Options for measuring, which no GUI shows: search parameters (`cythera tune search` sets them), and
        `Without`, the search features to switch off, separated by commas."""
        if name == "Without":
            self.features = features_without(text or "")
            return
        if name not in get_tunables():
            raise OptionError(f"unknown option {name[:60]!r}")
        with self.idle(f"setoption {name}"):
            try:
                set_tunable(name, int(text or ""))
            except (ValueError, OverflowError) as error:
                raise OptionError(str(error)) from None

    def set_hash(self, mib: int) -> None:
        """Sets the size of the table and has it get its memory at once, before a clock runs. If there is none, the
        old table stays."""
        try:
            self.searcher.set_hash(affordable_hash(mib))
        except MemoryError as error:
            raise OptionError(str(error)) from None
        self.touch_table()

    def touch_table(self) -> None:
        """Has the table get its memory, by all cores: pages that are first used in a search take their time there."""
        threads = 1
        if self.searcher.hash_mib > SMALL_HASH_MIB:
            from cythera.common.machine import available_cores

            threads = available_cores()
        self.searcher.touch(threads)

    def clear(self) -> None:
        """Empties the table and the histories."""
        self.searcher.clear()

    def set_threads(self, count: int) -> None:
        try:
            self.searcher.set_threads(affordable_threads(count))
        except MemoryError as error:
            raise OptionError(str(error)) from None

    def set_net(self, eval_file: str) -> None:
        """Evaluates by the net that a value of EvalFile stands for; raises NetError and keeps the old one."""
        from cythera.net.load import net_for

        self.searcher.set_net(net_for(eval_file))
        self.net_loaded = True

    def load_net(self) -> None:
        """Reads the net of EvalFile, if that has not been done: the answer to `uci` does not wait for it.

        If it cannot be read, raises NetError the first time, and the classical evaluation is used.
        """
        if not self.net_loaded:
            self.net_loaded = True
            self.set_net(self.options.text("EvalFile"))

    def check_book(self, path: str) -> None:
        """Refuses a file that is no book, and loads what reading one needs before a clock runs."""
        if path:
            from cythera.engine.book import open_book

            open_book(path)

    @property
    def elo(self) -> int | None:
        """The strength of play; None if it is not limited."""
        skill = self.options.number("Skill Level")
        if self.options["UCI_LimitStrength"]:
            elo = self.options.number("UCI_Elo")
        elif skill == MAX_SKILL:
            return None
        else:
            from cythera.engine.levels import elo_of_skill

            elo = elo_of_skill(skill)
        return elo if elo < MAX_ELO else None

    # Searches

    def new_game(self) -> None:
        """Empties the table and the histories. A limited strength draws new random choices."""
        with self.idle("ucinewgame"):
            self.clear()
            self.game += 1
            self.run = None  # the next clock is that of another game

    def start(
        self,
        position: "Position",
        go: Go,
        *,
        multipv: int | None = None,
        full_strength: bool = False,
        on_info: "Callable[[Info], None] | None" = None,
        on_move: "Callable[[str, int], None] | None" = None,
        started_s: float | None = None,
    ) -> Search:
        """Starts a search of a position, which must not change meanwhile; the session is busy until it ends.

        `started_s` is when its clock started, on `perf_counter`; now if not given.
        """
        held = self.idle("go")
        try:
            self.load_net()
            self.tables.load()
            if go.timed or go.endless:
                self.touch_table()
            run = self.new_run(position, go, multipv, full_strength, on_info, on_move, started_s)
        except BaseException:
            held.release()
            raise
        return self.launch(run, held.release)

    def new_run(
        self,
        position: "Position",
        go: Go,
        multipv: int | None,
        full_strength: bool,
        on_info: "Callable[[Info], None] | None",
        on_move: "Callable[[str, int], None] | None",
        started_s: float | None,
    ) -> SearchRun:
        options = self.options
        searcher, features, node_cap, choose, pieces = self.searcher, self.features, None, None, MOST_PIECES
        elo = None if full_strength or options["UCI_AnalyseMode"] else self.elo
        if elo is not None:
            from cythera.engine.levels import chooser, level_of, level_searcher

            level = level_of(elo)
            assert level is not None
            self.limited = searcher = self.limited or level_searcher()
            multipv, node_cap, features, on_move = level.lines, level.nodes, None, None
            choose, pieces = chooser(level, position, self.game_name), level.table_pieces
        self.tables.use(searcher, pieces)
        overhead_ms = options.number("Move Overhead")
        if isinstance(self.run, SearchRun):
            self.lag.compare(self.run, position, go)
        return SearchRun(
            searcher,
            position,
            go,
            multipv=multipv or options.number("MultiPV"),
            overhead_ms=overhead_ms,
            reserve_ms=self.lag.reserve_ms(overhead_ms),
            slow_mover=options.number("Slow Mover"),
            nodestime=options.number("nodestime"),
            features=features,
            node_cap=node_cap,
            fresh=choose is not None,
            choose=choose,
            on_info=on_info,
            on_move=on_move,
            started_s=started_s,
        )

    @property
    def game_name(self) -> int | str:
        """What the chances of a limited strength depend on, besides the position."""
        if self.seed is None:
            return self.game
        return f"{self.seed}.{self.game}" if self.game else self.seed

    def start_run(self, run: "Run", what: str) -> Search:
        """Starts something else that takes the session's time, such as a perft."""
        return self.launch(run, self.idle(what).release)

    def run_held(self, run: SearchRun) -> "list[Info]":
        """Runs a search within an `idle` block, to its end."""
        return self.launch(run, lambda: None).wait()

    def launch(self, run: "Run", at_end: "Callable[[], object]") -> Search:
        search = Search(run, at_end)
        self.run, self.outcome = run, search.outcome  # before it runs, so that no stop misses it
        search.start()
        return search

    def book_move(self, position: "Position", go: Go) -> str | None:
        """A move of the opening book, None if there is none or it is not to be used; raises BookError.

        A limited strength opens by the named openings, unless OwnBook was set, to whatever value.
        """
        if go.endless or go.searchmoves is not None or self.options["UCI_AnalyseMode"]:
            return None
        path = self.options.text("Book File")
        if self.options["OwnBook"] and path:
            from cythera.engine.book import pick_move

            return pick_move(path, position)
        if "OwnBook" in self.chosen or (elo := self.elo) is None:
            return None
        from cythera.engine.level_book import level_move
        from cythera.engine.levels import seed_of

        return level_move(position, elo, self.game_name, seed_of(position, self.game_name))

    def evaluate(self, position: "Position") -> int:
        """The static evaluation in centipawns, from the side to move."""
        with self.idle("an evaluation"):
            self.load_net()
            return self.searcher.evaluate(position)

    def stop(self) -> None:
        """Ends the running search, if there is one."""
        if self.run is not None and not self.is_lost:
            self.run.stop()

    def ponderhit(self) -> None:
        """The expected move was played."""
        if self.run is not None:
            self.run.ponderhit()

    def close(self) -> None:
        """Stops the search, waits for it and frees the memory. Closing again does nothing."""
        if self.closed:
            return
        self.closed = True
        self.stop()
        with self.busy if not self.is_lost else threading.Lock():
            self.searcher = self.limited = self.run = None  # type: ignore[assignment]
