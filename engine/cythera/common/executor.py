"""Units of work on many processes, here or on a cluster, behind `concurrent.futures.Executor`.

Matches, tuning, data generation and analysis all submit their work to `open_workers` and read it back with
`WorkerPool.completed`. A unit is a module-level function and picklable arguments. A unit whose worker dies
runs again elsewhere, and its result arrives exactly once.

Local workers are plain child processes fed with pickles over pipes, not `multiprocessing`: they never
import the caller's `__main__`, so scripts need no guard and notebooks work.
"""

import contextlib
import itertools
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from typing import IO, Any, Generic, ParamSpec, TypeVar

from cythera.errors import CytheraError

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

RETRIES = 2  # how often a unit is given to another worker after its worker died
END_S = 5.0  # how long a worker may take to leave before it is killed
TICK_S = 0.2  # how often `completed` looks at its stop flag while nothing completes

WORKER_NUMBER = "CYTHERA_WORKER"  # environment variable of local workers: their number, from 0

_SIZE = struct.Struct("<Q")


class WorkerLostError(CytheraError):
    """A unit of work whose worker process died, again and again."""


# ---------------------------------------------------------------- frames over a pipe


def _send(stream: IO[bytes], payload: bytes) -> None:
    stream.write(_SIZE.pack(len(payload)))
    stream.write(payload)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes | None:
    """The next frame, or None where the other end is gone."""
    head = stream.read(_SIZE.size)
    if len(head) < _SIZE.size:
        return None
    (size,) = _SIZE.unpack(head)
    body = stream.read(size)
    return body if len(body) == size else None


# ---------------------------------------------------------------- the worker's side


def serve() -> None:
    """The life of a local worker: a unit in, its result out, until the pipe closes.

    Ctrl-C is the parent's business; a termination signal unwinds the running unit, so that its
    `finally` blocks can end the processes it started.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    units = os.fdopen(os.dup(0), "rb")
    results = os.fdopen(os.dup(1), "wb")
    # Nothing a unit starts or prints may touch the two pipes.
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    while (frame := _receive(units)) is not None:
        try:
            function, args, kwargs = pickle.loads(frame)
            reply = pickle.dumps((True, function(*args, **kwargs)))
        except Exception as error:
            reply = _pickled_error(error)
        try:
            _send(results, reply)
        except OSError:
            return


def _leave(number: int, frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
    sys.exit(1)


def _pickled_error(error: Exception) -> bytes:
    with contextlib.suppress(Exception):
        reply = pickle.dumps((False, error))
        pickle.loads(reply)
        return reply
    return pickle.dumps((False, CytheraError(f"{type(error).__name__}: {error}")))


# ---------------------------------------------------------------- the local executor


class LocalExecutor(Executor):
    """Worker processes on this machine.

    `workers` processes start when first needed. Unlike `ProcessPoolExecutor`, one dead worker does
    not break the rest: its unit is run again by a fresh worker, at most `retries` times, and then
    fails with `WorkerLostError`.
    """

    def __init__(self, workers: int, *, retries: int = RETRIES) -> None:
        if workers < 1:
            raise CytheraError(f"workers must be at least 1, got {workers}")
        self.workers = workers
        self._retries = retries
        self._units: queue.SimpleQueue[_Unit[Any] | None] = queue.SimpleQueue()
        self._closed = False
        self._stopping = False
        self._slots = [_WorkerSlot(number) for number in range(workers)]
        self._threads = [
            threading.Thread(target=self._feed, args=(slot,), name=f"worker-{slot.number}", daemon=True)
            for slot in self._slots
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Queue `fn(*args, **kwargs)`. Raises what pickling the unit raises, at once."""
        if self._closed:
            raise RuntimeError("the executor is shut down")
        unit = _Unit[T](pickle.dumps((fn, args, kwargs)))
        self._units.put(unit)
        return unit.future

    def pids(self) -> list[int]:
        """Process ids of the workers that are running."""
        processes = [slot.process for slot in self._slots]
        return [process.pid for process in processes if process and process.poll() is None]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._closed = True
        if cancel_futures:
            self._cancel_waiting()
        for _ in self._threads:
            self._units.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def terminate(self) -> None:
        """End all workers now; units under way are abandoned and never deliver a result."""
        self._closed = self._stopping = True
        self._cancel_waiting()
        for slot in self._slots:
            if slot.busy:
                slot.end()
        self.shutdown(wait=True)

    def _cancel_waiting(self) -> None:
        with contextlib.suppress(queue.Empty):
            while (unit := self._units.get_nowait()) is not None:
                unit.future.cancel()

    def _feed(self, slot: "_WorkerSlot") -> None:
        while (unit := self._units.get()) is not None:
            if unit.future.set_running_or_notify_cancel():
                self._run(slot, unit)
        slot.close()

    def _run(self, slot: "_WorkerSlot", unit: "_Unit[Any]") -> None:
        for _ in range(1 + self._retries):
            reply = None if self._stopping else slot.ask(unit.frame)
            if self._stopping:
                unit.future.set_exception(CancelledError())
                return
            if reply is not None:
                break
        else:
            unit.future.set_exception(
                WorkerLostError(f"a unit of work ended its worker process {1 + self._retries} times and was given up")
            )
            return
        try:
            succeeded, value = pickle.loads(reply)
        except Exception as error:
            unit.future.set_exception(CytheraError(f"a worker's answer could not be read: {error}"))
            return
        if succeeded:
            unit.future.set_result(value)
        else:
            unit.future.set_exception(value)


class _Unit(Generic[T]):
    def __init__(self, frame: bytes) -> None:
        self.frame = frame
        self.future: Future[T] = Future()


class _WorkerSlot:
    """A place for one worker process, which is replaced when it dies. Used by one thread, `end` by any."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.process: subprocess.Popen[bytes] | None = None
        self.busy = False

    def ask(self, frame: bytes) -> bytes | None:
        """Have the worker run a unit; None where the worker died over it."""
        if self.process is None:
            code = f"import sys; sys.path[:] = {sys.path!r}; from cythera.common.executor import serve; serve()"
            self.process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, WORKER_NUMBER: str(self.number)},
            )
        assert self.process.stdin and self.process.stdout
        self.busy = True
        try:
            _send(self.process.stdin, frame)
            reply = _receive(self.process.stdout)
        except OSError:
            reply = None
        self.busy = False
        if reply is None:
            self.end()
            self._forget()
        return reply

    def close(self) -> None:
        """Let an idle worker leave by itself: its pipe closes and it has nothing to do."""
        if self.process is None:
            return
        assert self.process.stdin
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._forget()

    def end(self) -> None:
        """End the worker at once, giving it a moment to end what it started."""
        process = self.process
        if process is None or process.poll() is not None:
            return
        process.terminate()
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()

    def _forget(self) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        process.wait()
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if stream:
                    stream.close()


# ---------------------------------------------------------------- worker pools


class WorkerPool:
    """An executor that knows how many units it can run at once, and hands results back as they come.

    >>> with open_workers(2) as pool:
    ...     sorted(result for _, result in pool.completed(abs, [-3, 2, -1]))
    [1, 2, 3]
    """

    def __init__(self, executor: Executor, places: Callable[[], int]) -> None:
        self.executor = executor
        self._places = places

    def places(self) -> int:
        """Units that can run at the same time; on a cluster it changes as workers come and go."""
        return max(1, self._places())

    def completed(
        self,
        function: Callable[[T], R],
        units: Iterable[T],
        *,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Generator[tuple[T, R], None, None]:
        """Yield `(unit, function(unit))` as units complete, in any order, each exactly once.

        Only as many units are taken from `units` as there are places, so it may be endless, and may depend
        on results so far. Closing the generator, or a true `stopped()`, abandons what is under way. An
        exception of a unit is raised here.
        """
        source = iter(units)
        pending: dict[Future[R], T] = {}
        try:
            while not stopped():
                for unit in itertools.islice(source, max(0, self.places() - len(pending))):
                    pending[self.executor.submit(function, unit)] = unit
                if not pending:
                    return
                done, _ = wait(pending, timeout=TICK_S, return_when=FIRST_COMPLETED)
                for future in done:
                    yield pending.pop(future), _result(future)
        finally:
            for future in pending:
                future.cancel()


def _result(future: "Future[R]") -> R:
    try:
        return future.result()
    except Exception as error:
        if type(error).__name__ == "KilledWorker":  # dask's, which need not be installed
            raise WorkerLostError(f"a unit of work ended one worker of the cluster after another: {error}") from error
        raise


@contextlib.contextmanager
def open_workers(workers: int, cluster: str | None = None) -> Iterator[WorkerPool]:
    """Workers for as long as the context lasts; units still under way at its end are abandoned.

    `cluster` is None for `workers` processes on this machine, the address of a dask scheduler, or "local"
    to start a dask cluster of `workers` processes here.
    """
    if cluster is not None:
        from cythera.common.cluster import cluster_client

        with cluster_client(workers, cluster) as client:
            yield WorkerPool(client.get_executor(pure=False, retries=RETRIES), lambda: sum(client.nthreads().values()))
        return
    local = LocalExecutor(workers)
    try:
        yield WorkerPool(local, lambda: workers)
    finally:
        local.terminate()
