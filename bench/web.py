"""The board in the browser: how soon it shows an evaluation, how often it updates, how large it is.

    python bench/web.py

Starts the server and, where Chromium and Playwright are installed, the real page: from the moment a
move is made on the board until a score of the new position is on the screen. Without a browser the
same is measured at the WebSocket. On a busy machine the figures are the machine's.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import statistics
import threading
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cythera.web
from cythera.cli.web import check_libraries, check_page, listen, make_server

if TYPE_CHECKING:
    from collections.abc import Iterator

STATIC = Path(cythera.web.__file__).parent / "static"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MOVES = [
    "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7", "f1e1", "b7b5", "a4b3", "d7d6",
    "c2c3", "e8g8", "h2h3", "c6a5", "b3c2", "c7c5", "d2d4", "d8c7", "b1d2", "c5d4", "c3d4",
]  # fmt: skip
GOAL_MS, GOAL_BYTES, GOAL_RATE = 150, 300_000, 10
SWITCHES = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run",
]  # fmt: skip

# Runs in the page: makes a move through the text field and waits for the score of the new position.
TIMED_MOVE = """move => new Promise(done => {
    const [input, facts] = ['analyse-input', 'engine-facts'].map(id => document.getElementById(id));
    const watcher = new MutationObserver(() => {
        if (!facts.textContent.startsWith('depth')) return;
        watcher.disconnect();
        done(performance.now() - begun);
    });
    input.value = move;
    const begun = performance.now();
    input.form.requestSubmit();
    watcher.observe(facts, { childList: true, characterData: true, subtree: true });
})"""


@contextmanager
def live_server() -> Iterator[str]:
    listener, server = listen(0), make_server()
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def from_the_page(host: str, browser_path: str) -> tuple[list[float], list[float]]:
    """Milliseconds from each move to its first score on the screen, and when messages came."""
    from playwright.sync_api import sync_playwright

    frames: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=SWITCHES)
        page = browser.new_page()
        network = page.context.new_cdp_session(page)  # its events tell when, not when we look
        network.on("Network.webSocketFrameReceived", lambda event: frames.append(event["timestamp"]))
        network.send("Network.enable")
        page.goto(f"http://{host}/#analyse")
        page.locator("#engine-facts", has_text="depth").wait_for()
        waits = []
        for move in MOVES:
            time.sleep(0.4)
            waits.append(page.evaluate(TIMED_MOVE, move))
        page.wait_for_timeout(3000)
        browser.close()
    return waits, frames


def from_the_socket(host: str) -> tuple[list[float], list[float]]:
    """The same without a browser."""
    from websockets.sync.client import connect

    waits, frames = [], []
    with connect(f"ws://{host}/ws", origin=f"http://{host}") as socket:  # type: ignore[arg-type]
        for number in range(1, len(MOVES) + 1):
            begun = time.perf_counter()
            request = {"type": "analyse", "id": number, "fen": START, "moves": MOVES[:number], "lines": 2}
            socket.send(json.dumps(request))
            wait_ms = 0.0
            while time.perf_counter() < begun + 0.4 or not wait_ms:
                try:
                    messages: list[dict[str, Any]] = json.loads(socket.recv(timeout=0.1))
                except TimeoutError:
                    continue
                frames.append(time.perf_counter())
                if not wait_ms and any(one["type"] == "lines" and one["id"] == number for one in messages):
                    wait_ms = (frames[-1] - begun) * 1000
            waits.append(wait_ms)
    return waits, frames


def busiest_second(times: list[float]) -> int:
    return max((sum(at <= other < at + 1 for other in times) for at in times), default=0)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "").parse_args()
    check_libraries()
    check_page(STATIC)
    files = [path for path in STATIC.iterdir() if path.name != "sources.txt"]
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 9)) for path in files}
    for name, size in sorted(sizes.items()):
        print(f"{name:28}{size:9,} bytes compressed")
    total = sum(sizes.values())
    verdict = "" if total < GOAL_BYTES else "  over the goal"
    print(f"{'the page':28}{total:9,} bytes compressed, goal {GOAL_BYTES:,}{verdict}")

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with live_server() as host:
        if browser and find_spec("playwright"):
            where, (waits, frames) = "on the screen", from_the_page(host, browser)
        else:
            where, (waits, frames) = "at the socket", from_the_socket(host)
    worst = max(waits)
    verdict = "" if worst <= GOAL_MS else "  over the goal"
    print(f"first evaluation {where}: median {statistics.median(waits):.0f} ms, worst {worst:.0f} ms of {len(waits)}, "
          f"goal {GOAL_MS} ms{verdict}")  # fmt: skip
    rate = busiest_second(frames)
    print(f"messages in the busiest second: {rate}, goal {GOAL_RATE}{'' if rate <= GOAL_RATE else '  over the goal'}")


if __name__ == "__main__":
    main()
