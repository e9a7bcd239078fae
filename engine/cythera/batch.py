"""Many positions analysed at once: one searcher a worker, results in the order of the input.

Threads suffice, since a search lets go of the GIL. Input is taken a little ahead of the results and
no further, so memory stays flat however many positions there are.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING

from cythera.analysis import Line, game_over_infos
from cythera.core import Searcher
from cythera.errors import CytheraError
from cythera.position import Position, position_from
from cythera.search import LOOK_UP_S, running
from cythera.thinking import Thinking

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cythera.limits import Limit

AHEAD = 8  # positions in work or waiting, for each worker


class Task:
    """One position on its way through the crew."""

    __slots__ = ("done", "error", "lines", "position")

    def __init__(self, position: Position | None) -> None:
        self.position = position
        self.lines: list[Line] = []
        self.error: BaseException | None = None
        self.done = threading.Event()

    def fail(self, error: BaseException) -> None:
        self.error = error
        self.done.set()


class Crew:
    """Workers and their tasks. They hold no reference to the batch, so that it can be dropped."""

    def __init__(self, size: int, hash_mib: int, limit: Limit, multipv: int, fresh: bool) -> None:
        self.size = size
        self.hash_mib = hash_mib
        self.limit = limit
        self.multipv = multipv
        self.fresh = fresh
        self.tasks: SimpleQueue[Task | None] = SimpleQueue()
        self.stopping = False
        self.at_work: dict[int, Thinking] = {}
        self.threads: list[threading.Thread] = []

    def give(self, task: Task) -> None:
        if self.stopping:
            task.fail(ended())
            return
        self.tasks.put(task)
        if len(self.threads) < self.size:
            thread = threading.Thread(target=self.work, args=(len(self.threads),), name="cythera-batch", daemon=True)
            thread.start()
            self.threads.append(thread)

    def work(self, index: int) -> None:
        """The life of a worker."""
        searcher: Searcher | None = None
        running[threading.current_thread()] = self.dismiss
        while (task := self.tasks.get()) is not None:
            try:
                if searcher is None:
                    searcher = Searcher(self.hash_mib, 1)
                self.search(index, searcher, task)
            except BaseException as error:
                task.error = error
            task.done.set()
        self.tasks.put(None)  # for the next to go home
        del running[threading.current_thread()]

    def search(self, index: int, searcher: Searcher, task: Task) -> None:
        if self.fresh:
            searcher.clear()
        assert task.position is not None
        thinking = Thinking(searcher, task.position, self.limit.go(), multipv=self.multipv, overhead_ms=0)
        self.at_work[index] = thinking
        if self.stopping:
            raise ended()
        turn = task.position.turn
        task.lines = [Line(info, turn) for info in thinking.run() or game_over_infos(task.position)]

    def dismiss(self) -> None:
        """Stops the searches and sends the workers home."""
        self.stopping = True
        self.tasks.put(None)
        for thinking in list(self.at_work.values()):
            thinking.stop()

    def wait(self) -> None:
        for thread in self.threads:
            thread.join()


def ended() -> CytheraError:
    return CytheraError("the analysis was ended")


class Batch(Iterator[list[Line]]):
    """An iterator over the lines of each position, in the order of the input. See `Engine.analyse_many`."""

    def __init__(
        self,
        boards: Iterable[object],
        limit: Limit,
        *,
        workers: int,
        hash_mib: int,
        multipv: int,
        fresh: bool,
    ) -> None:
        self._source: Iterator[object] | None = iter(boards)
        self._crew = Crew(workers, hash_mib, limit, multipv, fresh)
        self._pending: deque[Task] = deque()
        self._room = AHEAD * workers
        self._taken = 0
        self._dismiss = weakref.finalize(self, self._crew.dismiss)
        self._dismiss.atexit = False

    def __iter__(self) -> Batch:
        return self

    def __next__(self) -> list[Line]:
        try:
            self._fill()
            if not self._pending:
                raise StopIteration
            task = self._pending.popleft()
            while not task.done.wait(LOOK_UP_S):
                pass
            if task.error is not None:
                raise task.error
        except BaseException:
            self.close()
            raise
        return task.lines

    def _fill(self) -> None:
        """Takes input as far as there is room, but not while a result is ready to be handed out."""
        while self._source is not None and len(self._pending) < self._room:
            if self._pending and self._pending[0].done.is_set():
                return
            try:
                board = next(self._source)
            except StopIteration:
                self._source = None
                return
            self._pending.append(self._task(board))

    def _task(self, board: object) -> Task:
        """A bad position fails when its turn comes, not before."""
        self._taken += 1
        try:
            task = Task(position_from(board).copy())
        except (CytheraError, TypeError) as error:
            task = Task(None)
            task.fail(type(error)(f"position {self._taken}: {error}"))
        else:
            self._crew.give(task)
        return task

    def close(self) -> None:
        """Ends all searches; iteration is over."""
        self._source = None
        self._dismiss()
        self._crew.wait()
        self._pending.clear()
