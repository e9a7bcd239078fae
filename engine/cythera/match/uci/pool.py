"""Engines that stay alive between the games of a worker."""

import atexit
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from cythera.match.match_errors import EngineError
from cythera.match.uci.engines import EngineSpec, start
from cythera.match.uci.process import EngineProcess

IDLE = 4  # engines kept waiting in one worker; the one unused for longest leaves first

_Key = tuple[EngineSpec, bool, bool]


class EnginePool:
    """Lends engines out and takes them back. Safe for several threads of one worker."""

    def __init__(self, idle: int = IDLE) -> None:
        self._limit = idle
        self._idle: OrderedDict[int, tuple[_Key, EngineProcess]] = OrderedDict()
        self._lent: set[EngineProcess] = set()
        self._lock = threading.Lock()

    @contextmanager
    def lend(
        self, spec: EngineSpec, *, chess960: bool, ponder: bool = False, fresh: bool = False
    ) -> Iterator[EngineProcess]:
        """A running engine for one game. A dead one is replaced; one that fails the borrower is killed.

        The borrower lets exceptions out only when the engine cannot be trusted any more.
        """
        key = (spec, chess960, ponder)
        engine = None if fresh else self._take(key)
        if engine is None:
            engine = _start_with_retry(spec, chess960=chess960, ponder=ponder)
        self._lent.add(engine)
        try:
            yield engine
        except BaseException:
            self._lent.discard(engine)
            engine.kill()
            raise
        self._lent.discard(engine)
        if fresh or not engine.alive:
            engine.quit()
        else:
            self._keep(key, engine)

    def close(self) -> None:
        """End every engine, lent or idle."""
        with self._lock:
            idle = [engine for _, engine in self._idle.values()]
            self._idle.clear()
        for engine in list(self._lent):
            engine.kill()
        for engine in idle:
            engine.quit()

    def _take(self, key: _Key) -> EngineProcess | None:
        with self._lock:
            for ticket, (owner, engine) in reversed(self._idle.items()):
                if owner == key:
                    del self._idle[ticket]
                    return engine if engine.alive else None
        return None

    def _keep(self, key: _Key, engine: EngineProcess) -> None:
        leaving = []
        with self._lock:
            self._idle[id(engine)] = (key, engine)
            while len(self._idle) > self._limit:
                leaving.append(self._idle.popitem(last=False)[1][1])
        for old in leaving:
            old.quit()


def _start_with_retry(spec: EngineSpec, *, chess960: bool, ponder: bool) -> EngineProcess:
    """Start an engine that has started before; one failure may be the machine's, a second is not."""
    try:
        return start(spec, chess960=chess960, ponder=ponder)
    except EngineError:
        return start(spec, chess960=chess960, ponder=ponder)


_pool: EnginePool | None = None
_pool_lock = threading.Lock()


def shared_pool() -> EnginePool:
    """This process's pool, emptied when the process ends."""
    global _pool
    with _pool_lock:
        if _pool is None:
            _pool = EnginePool()
            atexit.register(_pool.close)
        return _pool
