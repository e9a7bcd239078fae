"""`cythera doctor`: is this installation sound, and how fast is it?"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING

from cythera import __version__, _cpu

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Position -> depth and number of move sequences, as everyone counts them.
PERFT = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": (5, 4_865_609),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (4, 4_085_603),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (6, 11_030_083),
}


def check_installation() -> Iterator[str]:
    yield f"Cythera {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    yield f"installed in {os.path.dirname(os.path.dirname(os.path.abspath(__file__)))}"  # noqa: PTH100, PTH120


def check_builds() -> Iterator[str]:
    from cythera.core import NAMES, VARIANT, build_info

    names = [name for name in NAMES if find_spec(f"cythera._core_{name}") is not None]
    info = build_info()
    forced = " (forced by CYTHERA_VARIANT)" if os.environ.get("CYTHERA_VARIANT") else ""
    best = "v4" if _cpu.supports_v4() else "v3" if _cpu.supports_v3() else "generic"
    yield f"builds: {', '.join(names)}; this CPU runs up to {best}"
    yield f"in use: {VARIANT}{forced}, compiled with {compiler_name(str(info['compiler']))}"
    if info["debug"]:
        yield "a debug build: expect a small fraction of the speed"


def compiler_name(text: str) -> str:
    """gcc says only its version."""
    return f"gcc {text}" if text[:1].isdigit() else text


def check_libraries() -> Iterator[str]:
    for name in ("chess", "numpy", "rich"):
        if find_spec(name) is None:
            raise AssertionError(f"{name} is missing: pip install {name}")
    import chess

    yield f"python-chess {chess.__version__} and the other libraries are there"


def check_perft() -> Iterator[str]:
    from cythera.board.position import Position

    total, start = 0, time.perf_counter()
    for fen, (depth, expected) in PERFT.items():
        count = Position(fen).perft(depth)
        if count != expected:
            raise AssertionError(f"perft {depth} of {fen} is {count}, not {expected}")
        total += count
    seconds = time.perf_counter() - start
    yield f"{total:,} moves counted right, {total / seconds / 1e6:.0f} million per second"


def check_bench() -> Iterator[str]:
    from cythera.engine.bench import SIGNATURE, bench

    nodes, seconds = bench()
    if nodes != SIGNATURE:
        raise AssertionError(f"the bench searched {nodes} nodes, expected {SIGNATURE}")
    yield f"bench signature {nodes} is right, {nodes / seconds / 1e6:.2f} million nodes per second"


def check_page() -> Iterator[str]:
    from pathlib import Path

    import cythera.web

    if (Path(cythera.web.__file__).parent / "static" / "index.html").is_file():
        yield "the page of `cythera web` is installed"
    else:
        yield "not installed: npm was missing when Cythera was installed; `cythera web` will not work"
        yield "install npm (Node.js) and then Cythera again, or use a wheel; everything else works without it"


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "installation": check_installation,
    "core": check_builds,
    "libraries": check_libraries,
    "move generation": check_perft,
    "search": check_bench,
    "page": check_page,
}


def main(argv: list[str]) -> int:
    argparse.ArgumentParser(
        prog="cythera doctor", description="Check the installation: build, libraries, move generator, search, speed."
    ).parse_args(argv)
    mark, cross = ("✓", "✗") if "utf" in (sys.stdout.encoding or "").lower() else ("+", "!")
    failures = 0
    for name, check in CHECKS.items():
        try:
            lines = list(check())
        except Exception as error:
            failures += 1
            print(f"{cross} {name:16} {error}", flush=True)
            continue
        for i, line in enumerate(lines):
            print(f"{mark if i == 0 else ' '} {name if i == 0 else '':16} {line}", flush=True)
    print("All is well." if not failures else f"{failures} of {len(CHECKS)} checks failed.")
    return 1 if failures else 0
