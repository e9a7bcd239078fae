"""One open page: what it asks for, the engines that answer, and their end when it closes.

A tab has at most one search of each kind; a new request of a kind ends the one before. Engines are
made when first needed, and thrown away after an error: whatever happened to one, the next request
gets a sound one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from cythera.board.position import Position
from cythera.board.scores import Score
from cythera.engine.api import Engine
from cythera.engine.limits import Limit
from cythera.engine.results import Line
from cythera.errors import CytheraError
from cythera.web.lab_process import draw_apart, offer
from cythera.web.messages import (
    Analyse,
    Draw,
    Graph,
    LabList,
    Machine,
    MessageError,
    Play,
    Request,
    Stop,
    parse,
    request_id,
)
from cythera.web.outbox import Message, Outbox

log = logging.getLogger("cythera.web")

HASH_MIB = 16
LONGEST_LINE = 24  # moves of a line that a page shows


class Socket(Protocol):
    """As much of a WebSocket as a tab needs; `receive` gives None when it is closed."""

    async def receive(self) -> str | bytes | None: ...
    async def send(self, text: str) -> None: ...


class Tab:
    """Serves one page until its socket closes; then everything it began has ended."""

    def __init__(self, socket: Socket, machine: Machine, hello: Message) -> None:
        self.socket = socket
        self.machine = machine
        self.hello = hello
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
            self.complain(None, "a message is text, and this is binary")
            return
        try:
            request = parse(text, self.machine)
        except CytheraError as error:
            self.complain(request_id(text), str(error))
            return
        except OverflowError as error:  # numbers of a FEN beyond the board's
            self.complain(request_id(text), str(error))
            return
        kind = kind_of(request)
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

    def complain(self, number: int | None, text: str) -> None:
        self.outbox.put("error", {"type": "error", "id": number, "text": text})

    # Searches

    async def run(self, request: Request) -> None:
        """A request from beginning to end. Only being ended leaves it without an answer."""
        role = role_of(request)
        try:
            await self.answer(request)
        except (CytheraError, OSError) as error:
            self.drop_engine(role)
            self.complain(request.id, str(error))
        except MemoryError:
            self.drop_engine(role)
            self.complain(request.id, "there is not enough memory for this")
        except Exception:
            log.exception("a search failed")
            self.drop_engine(role)
            self.complain(request.id, "the search failed; the server's terminal tells more")

    def answer(self, request: Request) -> Awaitable[None]:
        if isinstance(request, Analyse):
            return self.analyse(request)
        if isinstance(request, Play):
            return self.play(request)
        if isinstance(request, Graph):
            return self.graph(request)
        if isinstance(request, Draw):
            return self.draw(request)
        if isinstance(request, LabList):
            return self.list_lab(request)
        raise MessageError("there is nothing to do")

    async def analyse(self, request: Analyse) -> None:
        """Sends the lines as they come: the first at once, later ones at their pace, the last marked."""
        kind = kind_of(request)
        engine = await self.engine(kind, request.threads, request.hash_mib)
        expected = min(request.lines, len(request.position.legal_moves()))
        limit = None if request.time_s is None else Limit(time_s=max(request.time_s, 0.01))
        is_first = True
        try:
            async with engine.analysis_async(request.position, limit, request.lines) as analysis:
                async for line in analysis:
                    if line.multipv == expected and line.bound == "exact":  # the iteration is complete
                        lines = analysis.lines
                        self.outbox.put(kind, reporter(request.id, lines), urgent=is_first)
                        is_first = False
                lines = await analysis.wait()
        except asyncio.CancelledError:
            self.outbox.drop(kind)
            raise
        if lines:
            self.outbox.put(kind, {**report(request.id, lines), "done": True})
        else:  # stopped before it had looked at anything
            self.outbox.put(kind, {"type": "ended", "id": request.id})

    async def play(self, request: Play) -> None:
        engine = await self.engine(role_of(request), 1, HASH_MIB, request.seed)
        engine.limit_strength(elo=request.elo)
        played = await engine.play_async(request.position, request.limit)
        message: Message = {"type": "move", "id": request.id, "move": played.uci}
        if played.line is not None:
            message["line"] = line_data(played.line)
        self.outbox.put("play", message)

    async def graph(self, request: Graph) -> None:
        """Sends the points as they are found, in the order of the game."""
        engine = await self.engine("graph", 1, HASH_MIB)
        limit = Limit(nodes=request.nodes)
        points: list[list[Any]] = []

        def news() -> Message:
            message = {"type": "points", "id": request.id, "points": points[:]}
            points.clear()
            return message

        position = Position(request.position.root_fen(), chess960=request.position.chess960)
        moves = request.position.history()
        for ply in range(len(moves) + 1):
            if ply:
                position.push(moves[ply - 1])
            line = await engine.analyse_async(position, limit)
            points.append([ply, score_data(line.white_score)])
            self.outbox.put("graph", news, urgent=False)
        self.outbox.put("graph", lambda: {**news(), "done": True})

    async def draw(self, request: Draw) -> None:
        drawing = await draw_apart(request.algorithm, request.game, request.depth, request.order)
        self.outbox.put("draw", {"type": "drawing", "id": request.id, **drawing})

    async def list_lab(self, request: LabList) -> None:
        self.outbox.put("lab", {"type": "lab", "id": request.id, **await asyncio.to_thread(offer)})

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


def kind_of(request: Request) -> str:
    if isinstance(request, Stop):
        return request.what
    if isinstance(request, Analyse):
        return "hint" if request.is_hint else "analyse"
    return {Play: "play", Graph: "graph", Draw: "draw", LabList: "lab"}[type(request)]


def role_of(request: Request) -> str:
    """Whose engine answers: in a game between two, White's and Black's know nothing of each other."""
    if isinstance(request, Play):
        return f"play {request.position.turn}"
    return kind_of(request)


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


# What a page is told


def reporter(number: int, lines: list[Line]) -> Callable[[], Message]:
    return lambda: report(number, lines)


def report(number: int, lines: list[Line]) -> Message:
    """The state of a search: its lines, best first, and what they cost."""
    best = lines[0]
    return {
        "type": "lines",
        "id": number,
        "nodes": best.nodes,
        "nps": best.nps,
        "time": round(best.time_s, 3),
        "hashfull": best.hashfull,
        "lines": [line_data(line) for line in lines],
    }


def line_data(line: Line) -> Message:
    return {
        "depth": line.depth,
        "seldepth": line.seldepth,
        "score": score_data(line.white_score),
        "wdl": line.wdl if line.turn == "w" else line.wdl[::-1],
        "bound": line.bound,
        "moves": line.moves[:LONGEST_LINE],
    }


def score_data(score: Score) -> Message:
    """A score as White sees it; of a mate, also who gives it, since mate in 0 has no sign."""
    if score.cp is not None:
        return {"cp": score.cp}
    return {"mate": abs(score.mate or 0), "white": score.value > 0}
