"""What the tests of the board in the browser share: a live server, and one who talks to it."""

import json
import threading
import time
from contextlib import ExitStack
from http.client import HTTPConnection

import pytest

from cythera.cli.web import listen, make_server
from cythera.engine.handle import running

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PATIENCE_S = 60  # far longer than anything takes; only a hang is longer


def need_libraries():
    """Skips where the server's libraries are not installed."""
    for library in ("starlette", "uvicorn", "websockets"):
        pytest.importorskip(library, reason=f"{library} is not installed: pip install 'cythera[web]'")


class LiveServer:
    """The server of `cythera web`, in a thread."""

    def __init__(self, port=0, games=None):
        self.listener = listen(port)
        self.port = self.listener.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"
        self.server = make_server(games)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listener]})
        self.thread.start()
        wait_until(lambda: self.server.started)

    @property
    def tabs(self):
        return self.server.config.app.app.state.tabs

    def get(self, path="/", headers=None, method="GET"):
        """Status, headers and body; the headers are sent as they are given."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in ({"Host": self.host} if headers is None else headers).items():
                connection.putheader(name, value)
            connection.endheaders()
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read().decode()
        finally:
            connection.close()

    def end(self):
        self.server.should_exit = True
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()
        self.listener.close()


class Talker:
    """A page without a browser: asks, and hears what is said, message by message."""

    def __init__(self, server):
        from websockets.sync.client import connect

        wish = connect(f"ws://{server.host}/ws", origin=server.url, max_size=None, open_timeout=PATIENCE_S)
        self.connection = ExitStack()
        self.socket = self.connection.enter_context(wish)
        self.heard = []
        self.number = 0
        self.hello = self.hear("hello")

    def say(self, kind, **fields):
        """Sends a request and gives its number."""
        self.number += 1
        self.socket.send(json.dumps({"type": kind, "id": self.number, **fields}))
        return self.number

    def hear(self, kind, number=None, **wanted):
        """The next message of a kind (and number, and with these fields); others are left aside."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            while self.heard:
                message = self.heard.pop(0)
                fits = all(message.get(name) == value for name, value in wanted.items())
                if message["type"] == kind and number in (None, message.get("id")) and fits:
                    return message
            self.heard += json.loads(self.socket.recv(timeout=PATIENCE_S))
        raise AssertionError(f"no {kind} came")

    def close(self):
        self.connection.close()


def wait_until(condition):
    """Waits for something that must come; fails if it never does."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.005)


def searches():
    """How many searches run in this process."""
    return len(running)
