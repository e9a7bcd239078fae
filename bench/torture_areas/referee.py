"""Engines that misbehave: the referee must end every game with a result, in time, and leave no process."""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

from support.scripted_engine import FAULTS, INFOS

from cythera.match.adjudication import Rules
from cythera.match.game_data import GameTask, Opening
from cythera.match.match_errors import EngineError, MatchError
from cythera.match.referee import play
from cythera.match.time_control import parse_time_control
from cythera.match.uci.engines import EngineSpec
from cythera.match.uci.pool import EnginePool

SCRIPT = Path(__file__).parents[2] / "tests" / "support" / "scripted_engine.py"
# Faults that cost nothing, or only time; all others lose the game.
HARMLESS = {"garbage", "pv", "mismatch", "twice", "late", "full-stderr", "readyok-unasked", "uciok-unasked",
            "illegal-ponder", "no-ponder-move", "carriage-returns", "slow-bytes", *INFOS}  # fmt: skip
ENDING = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
LIMIT_S = 120.0


def run(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    fault, at = rng.choice(FAULTS), str(rng.randint(1, 3))
    good = EngineSpec("good", (sys.executable, str(SCRIPT), "--name", "good"))
    bad = EngineSpec("bad", (sys.executable, str(SCRIPT), "--name", "bad", "--fault", fault, "--at", at))
    control = parse_time_control(rng.choice(("0.5+0.1", "nodes=10", "movetime=0.3", "5/1")))
    white, black = (good, bad) if rng.random() < 0.5 else (bad, good)
    task = GameTask(0, white, black, control, control, Opening(ENDING), rules=Rules(max_moves=8), hang_s=1.0,
                    margin_ms=200.0, ponder=rng.random() < 0.3)  # fmt: skip
    pool = EnginePool()
    begin = time.monotonic()
    try:
        record = play(task, pool)
    except (EngineError, MatchError) as error:
        return f"{fault} at {at}: {error}"
    finally:
        pool.close()
    tried["games"] = tried.get("games", 0) + 1
    taken_s = time.monotonic() - begin
    if taken_s > LIMIT_S:
        return f"{fault} at {at}: the game took {taken_s:.0f} s"
    loser = "white" if record.result == "0-1" else "black" if record.result == "1-0" else ""
    has_lost = bool(record.failure) and getattr(record, loser or "white") == "bad"
    if fault in HARMLESS:
        # Slow answers may cost the game by the clock, and nothing else may.
        if record.failure and "time" not in record.failure:
            return f"{fault} at {at}: a harmless fault ends the game: {record.failure!r} {record.reason}"
    elif not has_lost:
        return f"{fault} at {at}: {record.result} {record.failure!r} {record.reason}"
    for line in os.popen("ps -eo pid,args").read().splitlines():
        if str(SCRIPT) in line and f"--fault {fault}" in line and "ps -eo" not in line:
            time.sleep(1)
            if Path(f"/proc/{line.split()[0]}").exists():
                return f"{fault} at {at}: a process survived: {line}"
    return None
