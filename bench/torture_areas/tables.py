"""Damaged endgame tables: probed, searched with and read through, in a process of its own, so that a crash is seen."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path

BATCH = 200
NAMES = ("KQvK", "KRvK", "KPvK", "KNvK", "KBvK")

CHILD = """
import sys
sys.path[:0] = {paths!r}
from torture_areas import tables
tables.use_many({seed}, {count})
"""


def use_many(seed: int, count: int) -> None:
    """What the process does: opens a number of folders of damaged tables, one after the other."""
    from support.damaged_tables import damage_folder, sources_in, use

    from cythera.tables import PACKAGE_TABLES, package_tables

    rng = random.Random(seed)
    four = [name for name in package_tables().names() if len(name) == 5]
    bad = 0
    for case in range(count):
        names = [*NAMES, *rng.sample(four, min(2, len(four)))]
        with tempfile.TemporaryDirectory(prefix="tables-") as folder:
            print(f"folder {case} of seed {seed}", flush=True)
            damage_folder(rng, Path(folder), sources_in(Path(PACKAGE_TABLES), names))
            bad += use(rng, Path(folder), names)
    print(f"unusable {bad}", flush=True)


def run(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    seed = rng.randrange(1 << 30)
    code = CHILD.format(paths=sys.path, seed=seed, count=BATCH)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    tried["folders"] = tried.get("folders", 0) + done.stdout.count("folder ")
    if done.returncode != 0:
        return f"exit code {done.returncode}\n{done.stdout[-300:]}\n{done.stderr[-4000:]}"
    tried["unusable files"] = tried.get("unusable files", 0) + int(done.stdout.split()[-1])
    return None
