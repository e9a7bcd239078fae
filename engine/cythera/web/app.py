"""The few addresses there are: the page, its files, the style of the lab's drawings, the socket."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from cythera import __version__
from cythera.common.machine import available_cores, memory_mib
from cythera.engine.levels import NAMES
from cythera.engine.options import MAX_ELO, MIN_ELO
from cythera.tables import Tables, package_tables
from cythera.web.guard import App, Guard
from cythera.web.lab_process import style
from cythera.web.messages import Machine
from cythera.web.outbox import Message
from cythera.web.requests.lines import MOST_LINES
from cythera.web.tab import Tab

if TYPE_CHECKING:
    from cythera.games import GameIndex

STATIC = Path(__file__).parent / "static"
MOST_TABS = 32
MOST_HASH_MIB = 4096
TOO_MANY = 1013  # the WebSocket code for "try again later"


def this_machine() -> Machine:
    """All cores, and up to a quarter of the memory for a table."""
    hash_mib = 256
    quarter_mib = (memory_mib() or 0) // 4
    while hash_mib < MOST_HASH_MIB and 2 * hash_mib <= quarter_mib:
        hash_mib *= 2
    return Machine(available_cores(), hash_mib)


def greeting(machine: Machine, tables: Tables, games: GameIndex | None) -> Message:
    """What a page needs to know before it asks for anything."""
    return {
        "type": "hello",
        "version": __version__,
        "levels": [{"name": name, "elo": elo} for name, elo in NAMES.items()],
        "elo": [MIN_ELO, MAX_ELO],
        "threads": machine.threads,
        "hash": machine.hash_mib,
        "lines": MOST_LINES,
        "tables": tables.largest,
        "games": None if games is None else {"name": games.path.name, "count": len(games)},
    }


class StarletteSocket:
    """A WebSocket as a tab wants it."""

    def __init__(self, websocket: WebSocket) -> None:
        self.websocket = websocket

    async def receive(self) -> str | bytes | None:
        event = await self.websocket.receive()
        if event["type"] != "websocket.receive":
            return None
        text: str | None = event.get("text")
        return text if text is not None else bytes(event.get("bytes") or b"")

    async def send(self, text: str) -> None:
        try:
            await self.websocket.send_text(text)
        except (WebSocketDisconnect, RuntimeError):
            return  # closed meanwhile; `receive` says so too


def make_app(static: Path = STATIC, games: GameIndex | None = None, tables: Tables | None = None) -> App:
    """The whole server, guarded; with an index of games, the page has an explorer. Without `tables` those of the
    package are used."""
    machine = this_machine()
    tables = package_tables() if tables is None else tables
    hello = greeting(machine, tables, games)
    tabs: set[Tab] = set()

    async def page(request: Request) -> Response:
        return FileResponse(static / "index.html", media_type="text/html")

    async def lab_style(request: Request) -> Response:
        return Response(style(), media_type="text/css")

    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        if len(tabs) >= MOST_TABS:
            await websocket.close(TOO_MANY, f"{MOST_TABS} boards are open already")
            return
        tab = Tab(StarletteSocket(websocket), machine, hello, tables, games)
        tabs.add(tab)
        try:
            await tab.serve()
        finally:
            tabs.discard(tab)

    app = Starlette(
        routes=[
            Route("/", page),
            Route("/lab.css", lab_style),
            WebSocketRoute("/ws", socket),
            Mount("/static", StaticFiles(directory=static)),
        ]
    )
    app.state.tabs = tabs
    return Guard(app)
