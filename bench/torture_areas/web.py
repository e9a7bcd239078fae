"""HTTP and WebSocket attacks on `cythera web`; after each the server must still answer a plain request."""

from __future__ import annotations

import contextlib
import json
import random
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from cythera.web.requests import KINDS as REQUESTS

ATTACKS = 60
START_S = 60
KINDS = (*REQUESTS, *REQUESTS, "stop", "nonsense", "", None, 3)
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# Field by field, values that make sense and values that do not.
VALUES: dict[str, tuple[Any, ...]] = {
    "id": (1, 2, 2**53, "1", None, -5, 1.5),
    "fen": (START, START, START, "8/8/8/8/8/4k3/4p3/4K3 w - - 99 80", "startpos", "8/8/8/8/8/8/8/8 w - - 0 1", "x",
            "a" * 3000, None, 7),
    "moves": ([], [], ["e2e4"], ["e2e4", "e7e5"], ["e2e5"], "e2e4", [3] * 50, ["e2e4"] * 5000, None),
    "chess960": (False, True, "yes", 1),
    "lines": (1, 3, 0, -1, 10**9, "x", None),
    "threads": (1, 2, 0, 10**6, "x"),
    "hash": (1, 16, 0, 10**9, "x"),
    "time": (0.01, 0.05, 0, -1, 1e300, "x"),
    "white": (1, 0.05, -1, None, "x"),
    "black": (1, 0.05, -1, None, "x"),
    "increment": (0, 0.01, -1, "x"),
    "elo": (1500, 800, 0, 10**6, "x"),
    "seed": (0, 7, -1, 2**40, "x"),
    "nodes": (1, 500, 0, 10**12, "x"),
    "game": (0, 10**9, -1, "x", "tic-tac-toe", "figure: two-ply"),
    "language": ("", "de", "es", "x" * 999, 3),
    "algorithm": ("alphabeta", "minimax", "x", 3, None),
    "depth": (1, 2, "end", -3, 10**9, None),
    "order": ("natural", "best", "x", 3),
    "what": (*REQUESTS, "x", None),
}  # fmt: skip


class Server:
    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cythera", "web", "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert self.process.stdout
        self.output: list[str] = []
        for line in self.process.stdout:
            self.output.append(line)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                # A full pipe would stop the server.
                threading.Thread(target=lambda: self.output.extend(self.process.stdout or ()), daemon=True).start()
                return
        raise RuntimeError(f"the server did not start: {''.join(self.output)}")

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=START_S)

    def plain(self) -> str:
        """The first line of the answer to an honest request."""
        with self.connect() as link:
            link.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n\r\n".encode())
            return link.makefile("rb").readline().decode()

    def handshake(self) -> socket.socket:
        link = self.connect()
        link.sendall(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nOrigin: http://127.0.0.1:{self.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        link.recv(4096)
        return link


def frame(payload: bytes, rng: random.Random, opcode: int = 1) -> bytes:
    """A masked WebSocket frame."""
    mask = rng.randbytes(4)
    size = len(payload)
    head = bytes([0x80 | opcode])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += bytes([0x80 | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([0x80 | 127]) + size.to_bytes(8, "big")
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


def message(rng: random.Random) -> bytes:
    """A request of the page, sensible or not, and sometimes damaged."""
    value = {name: rng.choice(choices) for name, choices in VALUES.items()} | {"type": rng.choice(KINDS)}
    if rng.random() < 0.5:  # one that the server understands as far as id and position go
        value |= {"id": rng.randrange(1000), "fen": START, "moves": [], "chess960": False}
    for key in list(value):
        if rng.random() < 0.3:
            del value[key]
    text = json.dumps(rng.choice((value, value, value, [value], value.get("type", 0)))).encode()
    if rng.random() < 0.2:
        at = rng.randrange(len(text))
        text = text[:at] + rng.randbytes(3) + text[at:]
    return text


def attack(server: Server, rng: random.Random, tried: dict[str, int]) -> None:
    kind = rng.randrange(5)
    with contextlib.suppress(OSError):
        if kind == 0:
            with server.connect() as link:
                link.sendall(rng.randbytes(rng.choice((1, 100, 5000))))
                link.settimeout(0.2)
                link.recv(1000)
        elif kind == 1:
            path = rng.choice(
                ("/", "/../../etc/passwd", "/%2e%2e/x", "/static/", "/" + "a" * 9000, "/ws", "//x", "/\x00")
            )
            host = rng.choice((f"127.0.0.1:{server.port}", "evil.example", "", "localhost"))
            method = rng.choice(("GET", "POST", "PUT", "DELETE", "OPTIONS", "X"))
            with server.connect() as link:
                link.sendall(f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode("latin-1"))
                answer = link.makefile("rb").read(200)
                if b"root:" in answer:
                    raise AssertionError(f"served {path}")
        elif kind == 2:
            with server.handshake() as link:
                for _ in range(rng.randint(1, 20)):
                    link.sendall(frame(message(rng), rng))
                    tried["messages"] = tried.get("messages", 0) + 1
                link.settimeout(0.3)
                link.recv(65536)
        elif kind == 3:
            with server.handshake() as link:
                link.sendall(
                    frame(rng.randbytes(rng.choice((10, 300_000))), rng, opcode=rng.choice((0, 1, 2, 8, 9, 15)))
                )
        else:
            links = [server.connect() for _ in range(20)]
            for link in links:
                link.sendall(b"GET / HT")
            for link in links:
                link.close()
    tried["attacks"] = tried.get("attacks", 0) + 1


def run(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    server = Server()
    try:
        for number in range(ATTACKS):
            attack(server, rng, tried)
            if number % 10 == 9 and "200" not in (line := server.plain()):
                return f"after {number + 1} attacks the page is answered by {line!r}"
        if server.process.poll() is not None:
            return f"the server ended with {server.process.returncode}"
        said = "".join(server.output)
        return f"the server says:\n{said[-3000:]}" if "Traceback" in said else None
    finally:
        server.process.terminate()
        try:
            server.process.wait(20)
        except subprocess.TimeoutExpired:
            server.process.kill()
            return "the server did not end 20 s after SIGTERM"
