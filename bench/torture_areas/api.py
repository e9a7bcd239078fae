"""The Python API under threads, fork, signals, cancellation and wrong arguments, in a process of its own."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

TIMEOUT_S = 300

THREADS = """
import random, threading
from cythera import Engine, EngineBusyError, Limit, Position
rng = random.Random({seed})
engine = Engine(hash_mib=4)
done = []
def work(seed):
    own = random.Random(seed)
    for _ in range(30):
        try:
            found = engine.play(Position(), Limit(nodes=own.randint(1, 3000)))
            assert str(found.move) in {{str(move) for move in Position().legal_moves()}}
            done.append(1)
        except EngineBusyError:
            pass
threads = [threading.Thread(target=work, args=(rng.random(),)) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert done
engine.close()
print("ok", len(done))
"""

FORK = """
import os, sys, time
from cythera import Engine, Limit
engine = Engine(hash_mib=4)
analysis = engine.analysis("startpos" if False else "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
time.sleep(0.1)
child = os.fork()
if child == 0:
    engine.close()
    os._exit(0)
deadline = time.monotonic() + 60
while os.waitpid(child, os.WNOHANG)[0] == 0:
    if time.monotonic() > deadline:
        os.kill(child, 9)
        sys.exit("the child's close() does not return")
    time.sleep(0.05)
engine.close()
print("ok 1")
"""

SIGNALS = """
import os, random, signal, subprocess, sys, time
rng = random.Random({seed})
for number in range(15):
    process = subprocess.Popen([sys.executable, "-m", "cythera"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    process.stdin.write(b"uci\\n"); process.stdin.flush()
    while b"uciok" not in process.stdout.readline():
        pass
    process.stdin.write(b"go infinite\\n"); process.stdin.flush()
    time.sleep(rng.random() * 0.01)
    process.send_signal(signal.SIGINT)
    try:
        _, errors = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit("still runs 30 s after SIGINT")
    if b"Traceback" in errors or process.returncode in (-11, -6):
        sys.exit(f"exit {{process.returncode}}: {{errors.decode()[-1500:]}}")
print("ok", 15)
"""

CANCEL = """
import asyncio, random
from cythera import Engine, Limit
rng = random.Random({seed})
async def main():
    with Engine(hash_mib=4) as engine:
        count = 0
        for _ in range(20):
            task = asyncio.ensure_future(engine.play_async("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", Limit(time_s=5)))
            await asyncio.sleep(rng.random() * 0.05)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                count += 1
        found = await engine.play_async("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", Limit(nodes=200))
        assert found.move is not None
        print("ok", count)
asyncio.run(main())
"""

MEMORY = """
import resource
from cythera import Engine, Limit, Position
def mib():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20
with Engine(hash_mib=2) as engine:
    position = Position()
    for _ in range(300):
        engine.play(position, Limit(nodes=50))
    before = mib()
    for _ in range(3000):
        engine.play(position, Limit(nodes=50))
    grown = mib() - before
assert grown < 8, f"{{grown:.1f}} MiB more after 3,000 searches"
for _ in range(50):
    Engine(hash_mib=1).close()
before = mib()
for _ in range(200):
    Engine(hash_mib=1).close()
grown = mib() - before
assert grown < 40, f"{{grown:.1f}} MiB more after 200 engines"
print("ok", 3300)
"""

BAD_ARGUMENTS = """
from cythera import CytheraError, Engine, Limit, Position
tried = 0
with Engine(hash_mib=1) as engine:
    for call in (
        lambda: engine.play("x", Limit(nodes=1)), lambda: Limit(nodes=-1), lambda: Limit(depth=0),
        lambda: engine.analyse(Position(), Limit(nodes=1), multipv=0), lambda: Engine(hash_mib=0),
        lambda: Engine(threads=0),
        lambda: Engine(elo=1), lambda: Position("8/8/8/8/8/8/8/8 w - - 0 1"), lambda: Position().push("e2e5"),
        lambda: engine.play(Position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Limit(nodes=1)),
    ):
        try:
            call()
        except (CytheraError, TypeError, ValueError) as error:
            assert str(error)
            tried += 1
        else:
            raise SystemExit(f"no error from call {{tried}}")
    assert engine.play(Position(), Limit(nodes=50)).move is not None
print("ok", tried)
"""

SCRIPTS = {
    "calls from eight threads": THREADS,
    "forks": FORK,
    "interrupts": SIGNALS,
    "cancellations": CANCEL,
    "searches for memory": MEMORY,
    "bad arguments": BAD_ARGUMENTS,
}


def run(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    name = rng.choice(sorted(SCRIPTS))
    code = SCRIPTS[name].format(seed=rng.randrange(10**9))
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return f"{name}: not done after {TIMEOUT_S} s\n{code}"
    if done.returncode or not done.stdout.startswith("ok"):
        return f"{name}: exit {done.returncode}\n{done.stdout[-500:]}{done.stderr[-3000:]}\n\n{code}"
    tried[name] = tried.get(name, 0) + int(done.stdout.split()[1])
    return None
