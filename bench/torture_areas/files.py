"""Damaged nets, game files, match files, books and PGN: refused with Cythera's own errors or read, never a crash.

A batch of damaged files is read in a process of its own with a limit of memory, so that a crash is seen.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

BATCH = 100
MEMORY_GIB = 4

READER = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({memory} << 30, {memory} << 30))
sys.path[:0] = {paths!r}
from torture_areas import files
from cythera.errors import CytheraError
kind = sys.argv[1]
for path in sys.argv[2:]:
    print("reading", path, flush=True)
    try:
        files.READERS[kind](path)
    except CytheraError as error:
        assert str(error), "an error without a sentence"
    print("done", path, flush=True)
"""


def damaged(rng: random.Random, data: bytes) -> bytes:
    """Bytes flipped, cut off, inserted, removed, doubled or zeroed at random places."""
    text = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 40))):
        if not text:
            break
        at = rng.randrange(len(text)) if rng.random() < 0.6 else rng.randrange(min(len(text), 300))
        size = min(rng.choice((1, 4, 100)), len(text) - at)
        kind = rng.randrange(6)
        if kind == 0:
            text[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del text[at : len(text) if rng.random() < 0.3 else at + size]
        elif kind == 2:
            text[at:at] = rng.randbytes(size)
        elif kind == 3:
            text[at : at + size] = text[at : at + size] * 2
        elif kind == 4:
            text[at : at + size] = bytes(size)
        else:
            text[at : at + size] = rng.randbytes(size)
    return bytes(text)


def read_net(path: str) -> None:
    from cythera.net.load import loaded

    loaded(path)


def read_game_file(path: str) -> None:
    from cythera.training.positions import load

    load([Path(path)])


def read_match(path: str) -> None:
    from cythera.match.archive import read_archive

    read_archive(Path(path))


def read_book(path: str) -> None:
    from cythera.board.position import Position
    from cythera.engine.book import open_book, pick_move

    open_book(path)
    pick_move(path, Position(), random.Random(1))


def read_openings(path: str) -> None:
    from cythera.match.openings.opening_files import load_book

    book, _ = load_book(path)
    for number in range(min(5, len(book))):
        book[number]


def read_table(path: str) -> None:
    from cythera import Position
    from cythera.tables import Tables

    tables = Tables(str(Path(path).parent))
    for fen in ("8/8/8/8/8/2k5/8/K1R5 w - - 0 1", "8/8/8/8/8/2k5/2P5/K7 b - - 0 1", "8/8/8/8/2q5/2k5/8/K1R5 w - - 0 1"):
        tables.probe_wdl(Position(fen))
        tables.probe_dtz(Position(fen))


READERS: dict[str, Callable[[str], None]] = {
    "net": read_net,
    "games": read_game_file,
    "match": read_match,
    "book": read_book,
    "openings": read_openings,
}


def samples(scratch: Path) -> dict[str, tuple[bytes, str]]:
    """An intact file of each kind, and its suffix."""
    import chess
    import chess.polyglot

    from cythera.core import self_play  # noqa: F401 - a build that cannot play has no samples
    from cythera.net.load import SHIPPED

    found = {"net": (Path(SHIPPED).read_bytes(), ".net")}
    subprocess.run(
        [sys.executable, "-m", "cythera", "datagen", "-o", str(scratch / "data"), "--games", "4", "--nodes", "40",
         "--workers", "1"], check=True, capture_output=True,
    )  # fmt: skip
    found["games"] = (next((scratch / "data").glob("*.cyg")).read_bytes(), ".cyg")
    subprocess.run(
        [sys.executable, "-m", "cythera", "match", "a=cythera", "b=cythera", "--nodes", "20", "--games", "2",
         "--workers", "1", "--max-moves", "5", "--json", str(scratch / "match.json"), "--quiet"],
        check=True, capture_output=True,
    )  # fmt: skip
    found["match"] = ((scratch / "match.json").read_bytes(), ".json")
    entries = b""
    board = chess.Board()
    for move in list(board.legal_moves)[:8]:
        word = move.to_square | move.from_square << 6
        entries += chess.polyglot.zobrist_hash(board).to_bytes(8, "big") + word.to_bytes(2, "big") + bytes(6)
    found["book"] = (entries, ".bin")
    found["openings"] = (b'[Event "a"]\n\n1. e4 e5 2. Nf3 {x} *\n\n[Event "b"]\n\n1. d4 d5 *\n', ".pgn")
    return found


_samples: dict[str, tuple[bytes, str]] = {}


def run(rng: random.Random, scratch: Path, tried: dict[str, int]) -> str | None:
    if not _samples:
        _samples.update(samples(scratch))
    kind = rng.choice(sorted(_samples))
    data, suffix = _samples[kind]
    paths = []
    for number in range(BATCH):
        path = scratch / f"{kind}{number}{suffix}"
        path.write_bytes(damaged(rng, data))
        paths.append(str(path))
    here = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "tests"), *filter(None, sys.path)]
    code = READER.format(memory=MEMORY_GIB, paths=here)
    done = subprocess.run([sys.executable, "-c", code, kind, *paths], capture_output=True, text=True, timeout=600)
    tried[f"damaged {kind} files"] = tried.get(f"damaged {kind} files", 0) + done.stdout.count("done ")
    if done.returncode == 0:
        return None
    last = [line for line in done.stdout.splitlines() if line.startswith("reading ")][-1].split(" ", 1)[1]
    content = Path(last).read_bytes()
    return f"{kind}: exit {done.returncode}\n{done.stderr[-3000:]}\nfile ({len(content)} bytes): {content[:4000].hex()}"
