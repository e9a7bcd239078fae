"""What starting costs: time and memory over a bare interpreter, in alternating runs, as medians.

python bench/startup.py
"""

from __future__ import annotations

import argparse
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
    "the UCI program": "import cythera.uci",
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


def run_ms(statement: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return (time.perf_counter() - start) * 1e3


def memory_mb(statement: str) -> float:
    done = subprocess.run([sys.executable, "-c", statement + "\n" + MEMORY], check=True, capture_output=True)
    return int(done.stdout) * 1024 / 1e6


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure start-up time and memory over a bare interpreter.")
    parser.add_argument("--rounds", type=int, default=31)
    args = parser.parse_args()
    times: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    for statement in STATEMENTS.values():
        run_ms(statement)  # bytecode and disk caches warm
    for _ in range(args.rounds):
        for name, statement in STATEMENTS.items():
            times[name].append(run_ms(statement))
    print(f"{'':16}{'ms':>8}{'over bare':>11}{'MB':>8}{'over bare':>11}   medians of {args.rounds} rounds")
    bare_ms = bare_mb = None
    for name, statement in STATEMENTS.items():
        ms = statistics.median(times[name])
        mb = statistics.median(memory_mb(statement) for _ in range(5))
        bare_ms = ms if bare_ms is None else bare_ms
        bare_mb = mb if bare_mb is None else bare_mb
        print(f"{name:16}{ms:8.1f}{ms - bare_ms:11.1f}{mb:8.1f}{mb - bare_mb:11.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
