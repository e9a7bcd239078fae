"""One open page: what it asks for, the engines that answer, and their end when it closes.

A tab has at most one search of each kind; a new request of a kind ends the one before. Engines are
made when first needed, and thrown away after an error: whatever happened to one, the next request
gets a sound one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from cythera.api import Engine
from cythera.errors import CytheraError
from cythera.web.messages import Machine, Request, Stop, parse, request_id
from cythera.web.outbox import Message, Outbox
from cythera.web.requests import KINDS

if TYPE_CHECKING:
    from cythera.games import GameIndex
    from cythera.tables import Tables

log = logging.getLogger("cythera.web")


class Socket(Protocol):
    """As much of a WebSocket as a tab needs; `receive` gives None when it is closed."""

    async def receive(self) -> str | bytes | None: ...
    async def send(self, text: str) -> None: ...


class Tab:
    """Serves one page until its socket closes; then everything it began has ended."""

    def __init__(
        self, socket: Socket, machine: Machine, hello: Message, tables: Tables, games: GameIndex | None = None
    ) -> None:
        self.socket = socket
        self.machine = machine
        self.hello = hello
        self.games = games  # the user's own, for the explorer
        self.tables = tables
        self.outbox = Outbox(socket.send)
        self.jobs: dict[str, asyncio.Task[None]] = {}
        self.engines: dict[str, Engine] = {}
        self.settings: dict[str, tuple[int, int, int]] = {}  # of each engine: threads, hash_mib, seed

    async def serve(self) -> None:
        self.outbox.put("hello", self.hello)
        sender = asyncio.create_task(self.outbox.run())
        try:
            while (text := await self.socket.receive()) is not None:
                await self.hear(text)
        finally:
            for kind in list(self.jobs):
                await self.end(kind)
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)
            for engine in self.engines.values():
                engine.close()

    async def hear(self, text: str | bytes) -> None:
        """Understands a message and begins what it asks for; complains of what it is not."""
        if isinstance(text, bytes):
            self.send_error(None, "message is binary, not text")
            return
        try:
            request = parse(text, self.machine, KINDS)
        except CytheraError as error:
            self.send_error(request_id(text), str(error))
            return
        except OverflowError as error:  # numbers of a FEN beyond the board's
            self.send_error(request_id(text), str(error))
            return
        kind = request.what if isinstance(request, Stop) else request.kind
        had_ended = await self.end(kind)
        if not isinstance(request, Stop):
            self.jobs[kind] = asyncio.create_task(self.run(request), name=str(request.id))
        elif had_ended is not None:
            self.outbox.put(f"{kind} ended", {"type": "ended", "id": had_ended})

    async def end(self, kind: str) -> int | None:
        """Ends the search of a kind and waits for it; its number, or None if there was none to end."""
        job = self.jobs.pop(kind, None)
        if job is None or job.done():
            return None
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)
        return int(job.get_name())

    def send_error(self, number: int | None, text: str) -> None:
        self.outbox.put("error", {"type": "error", "id": number, "text": text})

    # Searches

    async def run(self, request: Request) -> None:
        """A request from beginning to end. Only being ended leaves it without an answer."""
        role = request.role
        try:
            await request.answer(self)
        except (CytheraError, OSError) as error:
            self.drop_engine(role)
            self.send_error(request.id, str(error))
        except MemoryError:
            self.drop_engine(role)
            self.send_error(request.id, "there is not enough memory for this")
        except Exception:
            log.exception("a search failed")
            self.drop_engine(role)
            self.send_error(request.id, "the search failed; the server's terminal says more")

    # Engines

    async def engine(self, role: str, threads: int, hash_mib: int, seed: int = 0) -> Engine:
        """The engine of a role, set as wished. A large table takes a moment: not in the server's thread."""
        known = self.settings.get(role)
        if known is not None and known[2] != seed:
            self.drop_engine(role)
        engine = self.engines.get(role)
        if engine is None:
            engine = await finish(asyncio.to_thread(Engine, hash_mib=hash_mib, threads=threads, seed=seed))
            self.engines[role] = engine
        elif known != (threads, hash_mib, seed):
            await finish(asyncio.to_thread(set_engine, engine, hash_mib, threads))
        self.settings[role] = threads, hash_mib, seed
        return engine

    def drop_engine(self, role: str) -> None:
        self.settings.pop(role, None)
        engine = self.engines.pop(role, None)
        if engine is not None:
            engine.close()


def set_engine(engine: Engine, hash_mib: int, threads: int) -> None:
    if engine.threads != threads:
        engine.threads = threads
    if engine.hash_mib != hash_mib:
        engine.hash_mib = hash_mib


async def finish(work: Coroutine[Any, Any, Any]) -> Any:
    """Waits for work in a thread even when cancelled, for nothing else can end it; then is cancelled."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with contextlib.suppress(Exception):
            result = await task
            if isinstance(result, Engine):
                result.close()
        raise
