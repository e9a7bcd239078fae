"""`cythera web`: the board in the browser, served to this machine alone."""

from __future__ import annotations

import argparse
import contextlib
import errno
import logging
import os
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from cythera.errors import CytheraError

if TYPE_CHECKING:
    import uvicorn

HERE = Path(__file__).parents[1] / "web"
ADDRESS = "127.0.0.1"
PORT = 8127
PORTS_TRIED = 20
LARGEST_MESSAGE = 256 * 1024  # bytes; a game of two thousand moves has fifteen thousand
GOODBYE_S = 3


class WebError(CytheraError):
    """The page cannot be served."""


def options(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="cythera web", description="Play, analyse and watch games in the browser. Only this machine can connect."
    )
    parser.add_argument("--port", type=int, metavar="P", help=f"port on loopback (default: {PORT}, or the next free)")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser; the address is printed")
    parser.add_argument("--games", metavar="FILE",
                        help="games for the explorer: PGN, or an index made by cythera games index")  # fmt: skip
    parser.add_argument("--tables", metavar="FOLDERS", help="folders of more Syzygy tables, for verdicts")
    args = parser.parse_args(argv)
    if args.port is not None and not 0 <= args.port <= 65535:
        parser.error(f"--port must be between 0 and 65535, got {args.port}")
    return args


def check_page(static: Path) -> None:
    """Raises WebError, with what to do, if the page has not been built."""
    if (static / "index.html").exists():
        return
    sources = static.parent / "page"
    if (sources / "package.json").exists():
        raise WebError(
            "the page has not been built. With npm (it comes with Node.js) build it once:\n"
            f"  cd {sources} && npm ci && npm run build"
        )
    raise WebError(
        "this installation has no page: it was made from source on a machine without npm (it comes with Node.js).\n"
        "Install npm and then Cythera again, or take a wheel, which has the page inside."
    )


def check_libraries() -> None:
    """Raises WebError, with what to do, if the server's libraries are not installed."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as error:
        raise WebError(
            f'the board in the browser needs {error.name}; this installs what is missing:\n  pip install "cythera[web]"'
        ) from None


def listen(port: int | None) -> socket.socket:
    """A socket on loopback: at the port, or at the first free one from PORT on."""
    for candidate in range(PORT, PORT + PORTS_TRIED) if port is None else [port]:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform != "win32":  # there it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((ADDRESS, candidate))
            listener.listen(128)
        except OSError as error:
            listener.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise WebError(f"cannot use port {candidate}: {error.strerror}") from None
            reason = error.strerror
        else:
            return listener
    if port is None:
        raise WebError(f"the ports from {PORT} to {PORT + PORTS_TRIED - 1} are all in use; choose one with --port")
    raise WebError(f"cannot use port {port}: {reason}; choose another with --port")


def make_server(games: str | None = None, folders: str | None = None) -> uvicorn.Server:
    """The server, ready to run on a listening socket; `games` is a file of games or of an index, `folders` are those
    of tables, separated as in PATH."""
    import uvicorn

    from cythera.web.app import make_app

    index = None
    if games is not None:
        from cythera.games import open_index

        index = open_index(games, on_making=lambda file: print(f"making the index of {file}", flush=True))
    tables = None
    if folders is not None:
        from cythera.tables import PACKAGE_TABLES, Tables

        tables = Tables(*filter(None, folders.split(os.pathsep)), PACKAGE_TABLES)
    config = uvicorn.Config(
        make_app(games=index, tables=tables),
        http="h11",
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GOODBYE_S,
    )
    # The library closes a page that sends invalid UTF-8, as it should, but shows a traceback of its own.
    logging.getLogger("uvicorn.error").addFilter(without_decoding_traceback)
    return uvicorn.Server(config)


def without_decoding_traceback(record: logging.LogRecord) -> bool:
    """A log filter: what another program sent is no error of the server; one line is enough."""
    if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
        record.exc_info = None
    return True


def open_browser(url: str) -> None:
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def main(argv: list[str]) -> int:
    args = options(argv)
    check_libraries()
    check_page(HERE / "static")
    server = make_server(args.games, args.tables)
    listener = listen(args.port)
    url = f"http://{ADDRESS}:{listener.getsockname()[1]}/"

    print(f"Cythera is at {url} for this machine alone; Ctrl-C ends it.", flush=True)
    if not args.no_browser:
        open_browser(url)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    print("Goodbye.")
    return 0
