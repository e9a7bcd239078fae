"""Many positions analysed at once: one searcher per worker, results in the order of the input.

Threads are enough, since a search releases the GIL. Input is read a little ahead of the results and
no further, so memory use does not grow with the number of positions.

Results do not depend on the number of workers. Either each position has an empty table, or positions
come in blocks of BLOCK, cut by their number in the input, and a table is emptied before each block:
what costs milliseconds for each position is then paid once for several.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING

from cythera.board.position import Position, position_from
from cythera.engine.handle import WAKE_UP_S, running
from cythera.engine.results import Line, game_over_infos
from cythera.engine.search_run import SearchRun
from cythera.errors import CytheraError
from cythera.net.load import new_searcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cythera.core import Searcher
    from cythera.engine.limits import Limit

    Outcome = list[Line] | BaseException

AHEAD = 8  # positions in work or waiting, for each worker; or two blocks
BLOCK = 8  # positions that share a table where they need not have one each
BYTES_PER_NODE = 64  # of table, more than enough: an entry has 12


def new_run(searcher: Searcher, position: Position, limit: Limit, multipv: int) -> SearchRun:
    """The search of one position among many."""
    return SearchRun(searcher, position, limit.go(), multipv=multipv, overhead_ms=0)


def lines_of(run: SearchRun) -> list[Line]:
    """Runs a search to its end: the lines it finds, or the one of a game that is over."""
    position = run.position
    return [Line(info, position.turn) for info in run.run() or game_over_infos(position)]


def table_mib(hash_mib: int, limit: Limit) -> int:
    """As much table as a search can fill, and no more than `hash_mib`: emptying it takes time.

    >>> from cythera.engine.limits import Limit
    >>> table_mib(64, Limit(nodes=2000)), table_mib(64, Limit(nodes=500_000)), table_mib(64, Limit(depth=9))
    (1, 31, 64)
    """
    return hash_mib if limit.nodes is None else max(1, min(hash_mib, -(-limit.nodes * BYTES_PER_NODE // 2**20)))


class Task:
    """Positions on their way through the pool, with an error where there should be one."""

    __slots__ = ("done", "found", "positions")

    def __init__(self) -> None:
        self.positions: list[Position | BaseException] = []
        self.found: deque[Outcome] = deque()
        self.done = threading.Event()


class BatchPool:
    """Workers and their tasks. They hold no reference to the batch, so that it can be dropped."""

    def __init__(
        self, size: int, hash_mib: int, limit: Limit, multipv: int, eval_file: str, prepare: Callable[[Searcher], None]
    ) -> None:
        self.size = size
        self.hash_mib = hash_mib
        self.limit = limit
        self.multipv = multipv
        self.eval_file = eval_file
        self.prepare = prepare
        self.tasks: SimpleQueue[Task | None] = SimpleQueue()
        self.stopping = False
        self.at_work: dict[int, SearchRun] = {}
        self.threads: list[threading.Thread] = []

    def give(self, task: Task) -> None:
        if self.stopping:
            task.found.append(ended())
            task.done.set()
            return
        self.tasks.put(task)
        if len(self.threads) < self.size:
            thread = threading.Thread(target=self.work, args=(len(self.threads),), name="cythera-batch", daemon=True)
            thread.start()
            self.threads.append(thread)

    def work(self, index: int) -> None:
        """The loop of a worker."""
        searcher: Searcher | None = None
        running[threading.current_thread()] = self.shut_down
        while (task := self.tasks.get()) is not None:
            try:
                if searcher is None:
                    searcher = new_searcher(self.hash_mib, 1, self.eval_file)
                    self.prepare(searcher)
                else:
                    searcher.clear()
                for position in task.positions:
                    if isinstance(position, BaseException):
                        raise position
                    task.found.append(self.search(index, searcher, position))
            except BaseException as error:
                task.found.append(error)
            task.done.set()
        self.tasks.put(None)  # for the next worker to end
        del running[threading.current_thread()]

    def search(self, index: int, searcher: Searcher, position: Position) -> list[Line]:
        run = new_run(searcher, position, self.limit, self.multipv)
        self.at_work[index] = run
        if self.stopping:
            raise ended()
        return lines_of(run)

    def shut_down(self) -> None:
        """Stops the searches and ends the workers."""
        self.stopping = True
        self.tasks.put(None)
        for run in list(self.at_work.values()):
            run.stop()

    def wait(self) -> None:
        for thread in self.threads:
            thread.join()


def ended() -> CytheraError:
    return CytheraError("the analysis was ended")


class Batch(Iterator[list[Line]]):
    """An iterator over the lines of each position, in the order of the input. See `Engine.analyse_many`.

    `prepare` gives a new searcher what it needs besides its evaluation.
    """

    def __init__(
        self,
        boards: Iterable[object],
        limit: Limit,
        *,
        workers: int,
        hash_mib: int,
        multipv: int,
        fresh: bool,
        eval_file: str,
        prepare: Callable[[Searcher], None],
    ) -> None:
        self._source: Iterator[object] | None = iter(boards)
        mib = table_mib(hash_mib, limit) if fresh else hash_mib
        self._pool = BatchPool(workers, mib, limit, multipv, eval_file, prepare)
        self._pending: deque[Task] = deque()
        self._block = 1 if fresh else BLOCK
        self._room = AHEAD * workers if fresh else 2 * workers
        self._taken = 0
        self._shut_down = weakref.finalize(self, self._pool.shut_down)
        self._shut_down.atexit = False

    def __iter__(self) -> Batch:
        return self

    def __next__(self) -> list[Line]:
        try:
            self._fill()
            if not self._pending:
                raise StopIteration
            task = self._pending[0]
            while not task.done.wait(WAKE_UP_S):
                pass
            found = task.found.popleft()
            if isinstance(found, BaseException):
                raise found
            if not task.found:
                self._pending.popleft()
        except BaseException:
            self.close()
            raise
        return found

    def _fill(self) -> None:
        """Takes input as far as there is room, but not while a result is ready to be handed out."""
        while self._source is not None and len(self._pending) < self._room:
            if self._pending and self._pending[0].done.is_set():
                return
            task = self._next_task(self._source)
            if task is not None:
                self._pending.append(task)
                self._pool.give(task)

    def _next_task(self, source: Iterator[object]) -> Task | None:
        """As many positions as make a task, or None at the end of the input."""
        task = Task()
        while len(task.positions) < self._block:
            try:
                board = next(source)
            except StopIteration:
                self._source = None
                break
            task.positions.append(self._position(board))
        return task if task.positions else None

    def _position(self, board: object) -> Position | BaseException:
        """A bad position fails when its turn comes, not before."""
        self._taken += 1
        try:
            return position_from(board).copy()
        except (CytheraError, TypeError) as error:
            return type(error)(f"position {self._taken}: {error}")

    def close(self) -> None:
        """Ends all searches; iteration is over."""
        self._source = None
        self._shut_down()
        self._pool.wait()
        self._pending.clear()
