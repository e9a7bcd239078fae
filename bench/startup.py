"""What starting costs: time and memory over a bare interpreter, in alternating runs, as medians.

    python bench/startup.py

Wall time is what a user waits on an idle machine; CPU time is steadier on a busy one.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time

# What is run -> statement. Each line but the first is compared with the first.
STATEMENTS = {
    "bare python": "pass",
    "import cythera": "import cythera",
    "the core": "import cythera.core",
    "a Position": "from cythera import Position; Position()",
    "the UCI program": "import cythera.uci.program",
}
MEMORY = """
import resource, sys
try:
    with open("/proc/self/status") as status:
        rss_kib = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
except OSError:
    rss_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
print(rss_kib)
"""


def run_ms(statement: str) -> tuple[float, float]:
    """Wall and CPU time of a fresh interpreter that runs a statement."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall * 1e3, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3


def memory_mb(statement: str) -> float:
    done = subprocess.run([sys.executable, "-c", statement + "\n" + MEMORY], check=True, capture_output=True)
    return int(done.stdout) * 1024 / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure start-up time and memory over a bare interpreter.")
    parser.add_argument("--rounds", type=int, default=31)
    args = parser.parse_args()
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in STATEMENTS}
    for statement in STATEMENTS.values():
        run_ms(statement)  # bytecode and disk caches warm
    for _ in range(args.rounds):
        for name, statement in STATEMENTS.items():
            times[name].append(run_ms(statement))
    print(f"medians of {args.rounds} rounds, and over bare python")
    print(f"{'':16}{'wall ms':>9}{'over':>7}{'CPU ms':>9}{'over':>7}{'MB':>9}{'over':>7}")
    bare: list[float] = []
    for name, statement in STATEMENTS.items():
        figures = [statistics.median(column) for column in zip(*times[name], strict=True)]
        figures.append(statistics.median(memory_mb(statement) for _ in range(5)))
        bare = bare or figures
        columns = (f"{value:9.1f}{value - base:7.1f}" for value, base in zip(figures, bare, strict=True))
        print(f"{name:16}{''.join(columns)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
