"""Coverage-guided fuzzing of everything that reads foreign data, with the address sanitizer.

    pip install atheris                        # and clang; neither is needed for anything else
    python bench/fuzz.py --minutes 1           # every target for a minute
    python bench/fuzz.py --only pgn,fen --minutes 5 --folder fuzz
    python bench/fuzz.py --only pgn --input fuzz/pgn/crash-…

The core is built by clang with C asserts, the address sanitizer and the counters of libFuzzer in build/fuzz, once for a
state of the sources. An input that raises anything but Cythera's own errors, breaks an assert, touches memory it should
not or takes longer than 20 seconds is a finding, and is kept as crash-…, leak-… or timeout-… in the folder of the
target. The inputs that reach new code are kept in its folder `corpus`, from which the next run goes on. Exit code 1 if
there is a finding.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "build" / "fuzz"
LONGEST = 4096  # bytes of an input
LONGER = {"net": 65536, "tables": 8192}  # where a sound one is longer
SLOWEST_S = 20
MEMORY_MIB = 3000

Target = Callable[[bytes], None]

sys.path.insert(0, str(ROOT / "bench"))


# Targets: each is a function that makes the reader, after the package was imported. Inputs are bytes.

def fen() -> Target:
    from cythera import Position

    def read(data: bytes) -> None:
        position = Position(data[1:].decode("utf-8", "replace"), chess960=bool(data[0] & 1))
        again = Position(position.fen(), chess960=bool(data[0] & 1))
        assert again.fen() == position.fen(), "a position that was written reads back to another"
        for move in position.legal_moves():
            position.push(move)
            position.pop()
        assert position.fen() == again.fen()

    return read


def uci() -> Target:
    from cythera.uci.program import Uci

    output = io.StringIO()
    program = Uci(output)
    program.handle("setoption name Hash value 1")
    forbidden = re.compile("bench|file|path|hash|threads", re.IGNORECASE)  # writes files, takes minutes or gigabytes

    def read(data: bytes) -> None:
        output.truncate(0)
        output.seek(0)
        for line in data.decode("utf-8", "replace").split("\n"):
            if not forbidden.search(line) and not program.handle(line):
                break
        program.session.stop()
        program.wait()
        assert " failed: " not in output.getvalue(), output.getvalue()[-500:]

    return read


def pgn() -> Target:
    import soak_pgn

    return lambda data: soak_pgn.check(data, 64 + data[0])


def net() -> Target:
    from cythera import Position
    from cythera.net import file
    from cythera.net.load import loaded

    position = Position()

    def read(data: bytes) -> None:
        (size,) = struct.unpack_from("<I", data.ljust(12, b"\0"), 8)
        at = 12 + size
        if data[:1] == b"C" and at + file.DIGEST_BYTES <= len(data):  # a right checksum lets the rest be seen
            payload = data[at + file.DIGEST_BYTES :]
            data = data[:at] + hashlib.sha256(payload).digest() + payload
        with scratch(data, ".net") as path:
            loaded(path).evaluate(position)

    return read


def games() -> Target:
    from cythera.core import GameCursor
    from cythera.training.game_file import BLOCK, BLOCK_MAGIC, MAGIC
    from cythera.training.positions import load

    def read(data: bytes) -> None:
        stored = data[1:]
        if data[0] & 1:  # records in a sound block
            stored = MAGIC + BLOCK.pack(BLOCK_MAGIC, len(stored), len(stored), 1, zlib.crc32(stored)) + stored
        elif data[0] & 2:
            with contextlib.suppress(ValueError):
                cursor = GameCursor(stored)
                for at in cursor.offsets():
                    cursor.game(at)
            return
        with scratch(stored, ".cyg") as path:
            load([Path(path)])

    return read


def book() -> Target:
    import random

    from cythera import Position
    from cythera.engine.book import open_book, pick_move

    position = Position()

    def read(data: bytes) -> None:
        with scratch(data, ".bin") as path:
            open_book(path)
            pick_move(path, position, random.Random(1))

    return read


def tables() -> Target:
    from cythera import Position
    from cythera.tables import Tables

    fens = ("8/8/8/8/8/3k4/8/K1R5 w - - 0 1", "8/8/8/8/8/2k5/8/K1R5 b - - 0 1", "k7/8/8/3R4/8/8/1K6/8 w - - 9 1",
            "8/8/8/8/8/2k5/2P5/K7 b - - 0 1", "8/2P5/8/8/8/2k5/8/K7 w - - 0 1")  # fmt: skip
    positions = [Position(text) for text in fens]
    names = ("KRvK.rtbw", "KRvK.rtbz", "KPvK.rtbw", "KPvK.rtbz")

    def read(data: bytes) -> None:
        with tempfile.TemporaryDirectory(dir=memory_folder()) as folder:
            Path(folder, names[data[0] & 3]).write_bytes(data[1:])
            found = Tables(folder)
            for position in positions:
                found.probe_wdl(position)
                found.probe_dtz(position)

    return read


TARGETS = {"fen": fen, "uci": uci, "pgn": pgn, "net": net, "games": games, "book": book, "tables": tables}


def seeds(name: str) -> list[bytes]:
    """Sound inputs of a target to begin with."""
    if name == "fen":
        return [b"\0rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
                b"\0008/8/8/8/8/4k3/4p3/4K3 b - - 99 80",
                b"\001bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1"]  # fmt: skip
    if name == "uci":
        return [b"uci\nposition startpos moves e2e4 e7e5\ngo depth 2\nisready",
                b"setoption name MultiPV value 3\nposition fen 8/8/8/8/8/4k3/4p3/4K3 w - - 99 80\ngo nodes 50\nd\neval",
                b"go wtime 5 btime 5 winc 1\nstop\nucinewgame\ngo ponder movetime 3\nponderhit"]  # fmt: skip
    if name == "pgn":
        from soak_pgn import SEEDS

        return SEEDS
    if name == "net":
        import json

        from cythera.net import file

        header = json.dumps({"architecture": file.architecture(file.NET_BLOCK)}).encode()
        payload = bytes(file.payload_bytes(file.NET_BLOCK))
        digest = hashlib.sha256(payload).digest()
        return [file.MAGIC + struct.pack("<I", len(header)) + header + digest + payload]
    if name == "games":
        from cythera import Position
        from cythera.core import Searcher, self_play

        record, *_ = self_play(Searcher(1), Position(), 3, nodes=20)
        return [bytes([kind]) + record for kind in (1, 2)]
    if name == "book":
        entry = struct.pack(">QHHI", 0x463B96181691FC9C, 28 | 12 << 6, 1, 0)
        return [entry, entry * 3]
    from cythera.tables import PACKAGE_TABLES

    files = ("KRvK.rtbw", "KRvK.rtbz", "KPvK.rtbw", "KPvK.rtbz")
    return [bytes([number]) + Path(PACKAGE_TABLES, file).read_bytes() for number, file in enumerate(files)]


def memory_folder() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@contextlib.contextmanager
def scratch(data: bytes, suffix: str) -> object:
    """The path of a file with this content."""
    with tempfile.NamedTemporaryFile(suffix=suffix, dir=memory_folder()) as file:
        file.write(data)
        file.flush()
        yield file.name


def fuzz(name: str, arguments: list[str]) -> None:
    """What the process of a target does; never returns."""
    import atheris

    with atheris.instrument_imports(include=["cythera"]):
        read = TARGETS[name]()
        from cythera.errors import CytheraError

    def one(data: bytes) -> None:
        with contextlib.suppress(CytheraError):
            if data:
                read(data)

    atheris.Setup([f"fuzz-{name}", *arguments], one)
    atheris.Fuzz()


def build() -> dict[str, str]:
    """Builds the core for fuzzing unless that has been done; the environment to run it in."""
    try:
        import atheris
    except ImportError:
        sys.exit("bench/fuzz.py needs atheris: pip install atheris")
    names = ["clang", *(f"clang-{number}" for number in range(25, 11, -1))]
    clang = next(filter(None, map(shutil.which, names)), None)
    if clang is None:
        sys.exit("bench/fuzz.py needs clang: apt-get install clang")
    listing = ["git", "ls-files", "-co", "--exclude-standard"]
    listing += ["ext", "engine", "setup.py", "pyproject.toml", "README.md"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    stamp = hashlib.sha256()
    for name in filter(None, names):
        stamp.update(name.encode() + (ROOT / name).read_bytes())
    marker = SOURCES / "stamp"
    if not marker.exists() or marker.read_text() != stamp.hexdigest():
        shutil.rmtree(SOURCES, ignore_errors=True)
        for name in filter(None, names):
            (SOURCES / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, SOURCES / name)
        print("building the core with clang …", flush=True)
        settings = {"CC": clang, "LDSHARED": f"{clang} -shared", "CYTHERA_DEBUG": "1", "CYTHERA_PAGE": "skip",
                    "CYTHERA_VARIANTS": "generic", "CYTHERA_SANITIZE": "address,fuzzer-no-link"}  # fmt: skip
        subprocess.run([sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"], cwd=SOURCES, check=True,
                       env={**os.environ, **settings}, stdout=subprocess.DEVNULL)  # fmt: skip
        marker.write_text(stamp.hexdigest())
    found = [os.environ["PYTHONPATH"]] if os.environ.get("PYTHONPATH") else []
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(SOURCES / "engine"), *found]),
            "PYTHONMALLOC": "malloc", "CYTHERA_VARIANT": "generic",
            "LD_PRELOAD": str(Path(atheris.path()) / "asan_with_fuzzer.so"),
            "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1"}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    everything = ",".join(TARGETS)
    parser.add_argument("--only", default=everything, help=f"targets, separated by commas (default: {everything})")
    parser.add_argument("--minutes", type=float, default=1.0, help="for each target (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: 1)")
    parser.add_argument("--folder", type=Path, default=Path("fuzz"), help="inputs and findings (default: fuzz)")
    parser.add_argument("--input", type=Path, help="read this input once")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("--seeds", nargs=2, help=argparse.SUPPRESS)
    args, rest = parser.parse_known_args()
    if args.inside:
        fuzz(args.inside, rest)
    if args.seeds:
        name, corpus = args.seeds
        for data in seeds(name):
            Path(corpus, hashlib.sha1(data).hexdigest()).write_bytes(data)
        return 0
    if rest:
        parser.error(f"unknown argument {rest[0]}")
    names = [name.strip() for name in args.only.split(",")]
    for name in names:
        if name not in TARGETS:
            parser.error(f"unknown target {name!r}; available: {', '.join(TARGETS)}")
    environment = build()
    found = 0
    for name in names:
        folder = args.folder / name
        corpus = folder / "corpus"
        corpus.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, __file__, "--seeds", name, str(corpus)], env=environment, check=True)
        limits = [f"-max_total_time={max(1, round(60 * args.minutes))}", f"-seed={args.seed}",
                  f"-max_len={LONGER.get(name, LONGEST)}", f"-timeout={SLOWEST_S}", f"-rss_limit_mb={MEMORY_MIB}",
                  "-print_final_stats=1", f"-artifact_prefix={folder}/"]  # fmt: skip
        command = [sys.executable, __file__, "--inside", name, *limits, str(args.input or corpus)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
        log = done.stdout + done.stderr
        (folder / "log.txt").write_text(log, encoding="utf-8")
        runs = re.findall(r"stat::number_of_executed_units:\s*(\d+)|Done (\d+) runs", log) or [("0", "")]
        edges = re.findall(r" cov: (\d+)", log) or ["0"]
        kept = len(list(corpus.iterdir()))
        outcome = "nothing found" if done.returncode == 0 else f"FINDING, see {folder}"
        count = int(max(runs[0]))
        print(f"{name:7} {count:>9,} inputs, {int(edges[0]):>6,} edges at first, {int(edges[-1]):>6,} at the end, "
              f"{kept:,} kept: {outcome}", flush=True)  # fmt: skip
        if done.returncode:
            found += 1
            print("\n".join(log.strip().splitlines()[-25:]), flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
