"""Who may ask: pages of this server, and programs of this machine. Nobody else's web page.

The server listens on loopback, but a browser on this machine brings strangers' pages along. Two of
their ways in are closed here. A page may send requests to 127.0.0.1 from its own origin: the
`Origin` must be ours. And a page may point its own name at 127.0.0.1 (DNS rebinding), so that the
browser takes us for its server: the `Host` must be a loopback name, whatever the port, for somebody
may have forwarded it.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-cache",
}


def objection(headers: Iterable[tuple[bytes, bytes]], *, is_socket: bool) -> str | None:
    """Why a request is refused, or None.

    >>> objection([(b"host", b"localhost:8127")], is_socket=False) is None
    True
    >>> objection([(b"host", b"evil.example:8127")], is_socket=False)
    'this server answers to 127.0.0.1 and localhost only'
    """
    found: dict[str, list[str]] = {}
    for name, value in headers:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    hosts, origins = found.get("host", []), found.get("origin", [])
    if len(hosts) != 1 or not LOOPBACK.fullmatch(hosts[0].lower()):
        return "this server answers to 127.0.0.1 and localhost only"
    if is_socket and not origins:
        return "a WebSocket needs the Origin of this server's own page"
    if origins and [origin.lower() for origin in origins] != [f"http://{hosts[0].lower()}"]:
        return "this server answers to its own page only"
    site, mode = found.get("sec-fetch-site", [""])[0], found.get("sec-fetch-mode", [""])[0]
    if site in ("cross-site", "same-site") and mode != "navigate":
        return "this server answers to its own page only"
    return None


class Guard:
    """Stands before an ASGI app: refuses strangers, and gives every answer its headers."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        is_socket = scope["type"] == "websocket"
        refusal = objection(scope["headers"], is_socket=is_socket)
        if refusal is None:
            await self.app(scope, receive, send if is_socket else with_headers(scope, send))
        elif is_socket:
            await receive()  # the request to connect; closing before accepting answers 403
            await send({"type": "websocket.close", "code": 1008, "reason": refusal})
        else:
            body = f"Refused: {refusal}.\n".encode()
            await send(
                {
                    "type": "http.response.start",
                    "status": 403,
                    "headers": [
                        (b"content-type", b"text/plain; charset=utf-8"),
                        (b"content-length", str(len(body)).encode()),
                    ],
                }
            )
            await send({"type": "http.response.body", "body": body})


def with_headers(scope: Scope, send: Send) -> Send:
    """`send`, with our headers on every answer."""
    host = next(value for name, value in scope["headers"] if name.lower() == b"host").decode("latin-1")
    ours = {**HEADERS, "content-security-policy": POLICY.format(host=host)}

    async def send_with(event: Event) -> None:
        if event["type"] == "http.response.start":
            kept = [(name, value) for name, value in event.get("headers", []) if name.decode().lower() not in ours]
            event["headers"] = [*kept, *((name.encode(), value.encode()) for name, value in ours.items())]
        await send(event)

    return send_with
