"""A soak of `cythera web`: many tabs that analyse, play, review, probe and draw for hours.

    python bench/soak_web.py --tabs 32 --hours 12 --json soak.json

Every tab asks for one thing after the other, as the page does, and changes its mind in between; some close and open
again. Each request must be answered, by what it asked for or by its end, within a minute. The server must live, say
nothing on its terminal, answer plain requests, keep its memory, and have no search left when all tabs are closed.
With --json the figures of several runs add up.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from torture_areas.web import START, Server
from websockets.asyncio.client import connect

ANSWER_S = 60.0
WARM_S = 120.0  # before memory is compared
GROWTH_MIB = 150.0  # by which it may exceed what it was after warming up
LOOK_S = 10.0
GAME = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7", "f1e1", "b7b5", "a4b3", "d7d6"]
ENDING = "8/8/8/3k4/8/8/1r6/K3Q3 w - - 0 1"
LAST = {  # the message that ends the answer to a request
    "analyse": "lines", "hint": "lines", "play": "move", "offer": "offer", "evaluate": "points", "attempt": "attempt",
    "opening": "opening", "tables": "tables", "lab": "lab", "draw": "drawing",
}  # fmt: skip


def request(kind: str, rng: random.Random) -> dict[str, Any]:
    """A sensible request of the page."""
    moves = GAME[: rng.randint(1, len(GAME))]
    fields: dict[str, Any] = {"fen": START, "moves": moves}
    if kind == "analyse":
        fields |= {"lines": rng.randint(1, 3), "threads": rng.choice((1, 1, 2)), "time": rng.uniform(0.05, 0.5)}
    elif kind == "hint":
        fields |= {"time": 0.05}
    elif kind == "play":
        fields |= {"elo": rng.choice((800, 1500, 2200, 3200)), "time": 0.05, "seed": rng.randint(0, 3)}
    elif kind in ("evaluate", "attempt"):
        fields |= {"nodes": 500}
    elif kind == "tables":
        fields = {"fen": ENDING, "moves": []}
    elif kind == "lab":
        fields = {"language": rng.choice(("en", "es"))}
    elif kind == "draw":
        fields = {"algorithm": rng.choice(("minimax", "alphabeta")), "game": "tictactoe:XOX/.O./...", "depth": 2}
    return fields


class SilenceError(Exception):
    """A request was not answered in time."""


class Tab:
    """One page: asks, hears the answers, and counts."""

    def __init__(self, server: Server, number: int, seed: int, counts: Counter[str]) -> None:
        self.server = server
        self.rng = random.Random(f"{seed}/{number}")
        self.counts = counts
        self.next_id = 0

    async def live(self, end_s: float) -> None:
        """Opens a page again and again until the time is up."""
        host = f"127.0.0.1:{self.server.port}"
        while time.monotonic() < end_s:
            async with connect(f"ws://{host}/ws", origin=f"http://{host}", max_size=None) as socket:  # type: ignore[arg-type]
                self.counts["pages"] += 1
                for _ in range(self.rng.randint(5, 200)):
                    if time.monotonic() >= end_s:
                        break
                    await self.ask(socket)

    async def ask(self, socket: Any) -> None:
        kind = self.rng.choice(tuple(LAST))
        self.next_id += 1
        await socket.send(json.dumps({"type": kind, "id": self.next_id, **request(kind, self.rng)}))
        self.counts["requests"] += 1
        if self.rng.random() < 0.15:  # changes its mind: nothing is answered, or what was ready
            await socket.send(json.dumps({"type": "stop", "id": self.next_id, "what": kind}))
            self.counts["stops"] += 1
            return
        deadline = time.monotonic() + ANSWER_S
        while True:
            try:
                text = await asyncio.wait_for(socket.recv(), max(0.0, deadline - time.monotonic()))
            except TimeoutError:
                raise SilenceError(f"no answer to {kind} within {ANSWER_S:.0f} s") from None
            for message in json.loads(text):
                self.counts["messages"] += 1
                if message.get("id") == self.next_id and message["type"] == "error":
                    raise SilenceError(f"{kind} is answered by an error: {message['text']}")
                if message.get("id") == self.next_id and is_last(kind, message):
                    return


def is_last(kind: str, message: dict[str, Any]) -> bool:
    if message["type"] == "ended":
        return True
    return message["type"] == LAST[kind] and (LAST[kind] not in ("lines", "points") or bool(message.get("done")))


def memory_mib(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def thread_count(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


async def watch(server: Server, begin_s: float, end_s: float, figures: dict[str, float]) -> None:
    """Looks at the server's memory and asks for the plain page."""
    while time.monotonic() < end_s:
        await asyncio.sleep(min(LOOK_S, max(0.0, end_s - time.monotonic())))
        if server.process.poll() is not None:
            raise SilenceError(f"the server ended with {server.process.returncode}")
        line = await asyncio.to_thread(server.plain)
        if "200" not in line:
            raise SilenceError(f"the page is answered by {line!r}")
        now = memory_mib(server.process.pid)
        if time.monotonic() < begin_s + WARM_S or "warm" not in figures:
            figures["warm"] = max(now, figures.get("warm", 0.0))
        figures["highest"] = max(now, figures.get("highest", 0.0))


async def soak(tabs: int, hours: float, seed: int) -> tuple[Counter[str], dict[str, float], list[str]]:
    server = await asyncio.to_thread(Server)
    threads_before = thread_count(server.process.pid)
    counts: Counter[str] = Counter()
    figures: dict[str, float] = {}
    begin_s = time.monotonic()
    end_s = begin_s + hours * 3600
    lives = [Tab(server, number, seed, counts).live(end_s) for number in range(tabs)]
    found = await asyncio.gather(*lives, watch(server, begin_s, end_s, figures), return_exceptions=True)
    problems = [f"{type(one).__name__}: {one}" for one in found if isinstance(one, BaseException)]
    await asyncio.sleep(3)
    figures["after"] = memory_mib(server.process.pid) if server.process.poll() is None else 0.0
    if figures.get("highest", 0) > figures.get("warm", 0) + GROWTH_MIB:
        problems.append(f"memory grew from {figures['warm']:.0f} to {figures['highest']:.0f} MiB")
    if server.process.poll() is None:
        left = thread_count(server.process.pid) - threads_before
        if left > 40:  # the server's own worker threads stay
            problems.append(f"{left} threads more than before, with no tab open")
    if "Traceback" in "".join(server.output):
        problems.append("the server says: " + "".join(server.output)[-2000:])
    server.process.terminate()
    await asyncio.to_thread(server.process.wait, 30)
    counts["seconds"] = round(time.monotonic() - begin_s)
    return counts, figures, problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tabs", type=int, default=32, help="open at the same time (default: 32)")
    parser.add_argument("--hours", type=float, default=12.0, help="(default: 12)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="add the figures to those in this file")
    args = parser.parse_args()
    counts, figures, problems = asyncio.run(soak(args.tabs, args.hours, args.seed))
    if args.json:
        before = Counter(json.loads(args.json.read_text())) if args.json.exists() else Counter()
        counts["problems"] = len(problems)
        args.json.write_text(json.dumps(before + counts, indent=1) + "\n")
        print(f"in all: {dict(before + counts)}")
    print(", ".join(f"{times:,} {what}" for what, times in counts.items()))
    print(f"memory {figures.get('warm', 0):.0f} MiB after warming up, {figures.get('highest', 0):.0f} at most, "
          f"{figures['after']:.0f} with no tab open")  # fmt: skip
    for problem in problems[:20]:
        print(f"FAILED {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
