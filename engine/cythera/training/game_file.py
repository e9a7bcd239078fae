"""Game files: many self-play games in one append-only file (docs/data-format.md).

A file is a header and blocks. A block holds whole games and a checksum, so a run that is killed
loses at most the block it was writing, and damage is found out.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cythera.core import GAME_ENDING, GAME_HEADER, GAME_PLIES, GAME_RESULT, PACKED_PLY, PLY_BYTES
from cythera.errors import CytheraError

MAGIC = b"CYGAMES1"
BLOCK = struct.Struct("<4sIIII")  # b"BLK1", stored bytes, raw bytes, games, crc32 of the stored bytes
BLOCK_MAGIC = b"BLK1"
SHORT = struct.Struct("<H")
LARGEST_RATIO = 1032  # of deflate: the most bytes one byte can stand for


class SelfPlayFileError(CytheraError):
    """A game file that is not one, or is damaged."""


class GameWriter:
    """Appends games to a file, a block at a time. A half-written last block is cut off first."""

    def __init__(self, path: str | os.PathLike[str], block_games: int = 200) -> None:
        self.path = Path(path)
        self.block_games = block_games
        self.pending: list[bytes] = []
        self.games = 0
        if self.path.exists() and self.path.stat().st_size:
            sound = len(MAGIC)
            for end, games, _ in scan_blocks(self.path):
                self.games += games
                sound = end
            os.truncate(self.path, sound)
        else:
            self.path.write_bytes(MAGIC)
        self.file = open(self.path, "ab")  # noqa: SIM115 - closed by close(), like any writer

    def add(self, record: bytes) -> None:
        self.pending.append(record)
        self.games += 1
        if len(self.pending) >= self.block_games:
            self.flush()

    def flush(self) -> None:
        """Writes the games so far as a block."""
        if self.pending:
            raw = b"".join(self.pending)
            stored = zlib.compress(raw, 6)
            if len(stored) >= len(raw):
                stored = raw  # equal sizes are the mark of what is not compressed
            self.file.write(BLOCK.pack(BLOCK_MAGIC, len(stored), len(raw), len(self.pending), zlib.crc32(stored)))
            self.file.write(stored)
            self.pending = []
        self.file.flush()

    def close(self) -> None:
        self.flush()
        self.file.close()

    def abandon(self) -> None:
        """Closes the file after an error, without another try to write; half a block is cut off by the next writer."""
        self.pending = []
        with suppress(OSError):
            self.file.close()

    def __enter__(self) -> GameWriter:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def scan_blocks(path: str | os.PathLike[str]) -> Iterator[tuple[int, int, bytes]]:
    """Yields (offset of the block's end, games, raw records) for each sound block.

    A block cut off at the end of the file ends the scan, and so do zeros there (what some file systems leave of a
    write that was not finished); one whose checksum or head is wrong raises.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if file.read(len(MAGIC)) != MAGIC:
            raise SelfPlayFileError(f"{path} is not a game file of Cythera")
        while True:
            head = file.read(BLOCK.size)
            if len(head) < BLOCK.size:
                return
            begins = file.tell() - BLOCK.size
            magic, stored_size, raw_size, games, checksum = BLOCK.unpack(head)
            stored = file.read(min(stored_size, size - begins))  # a damaged size asks for no memory
            # A size that was damaged reaches beyond the end too, but there are blocks after it.
            if magic == BLOCK_MAGIC and len(stored) < stored_size and BLOCK_MAGIC not in stored:
                return
            if not any(head) and not any(stored) and not any(file.read()):
                return
            raw = stored if stored_size == raw_size or magic != BLOCK_MAGIC else unpacked(stored, raw_size)
            if magic != BLOCK_MAGIC or zlib.crc32(stored) != checksum or len(raw) != raw_size:
                raise SelfPlayFileError(f"{path}: the block at byte {begins} is damaged")
            yield file.tell(), games, raw


class RecordHead(NamedTuple):
    """What a game record says before its moves."""

    first_ply: int  # the game ply it starts at
    result: int  # RESULT_… of the core
    ending: int  # END_… of the core
    plies: int
    moves_at: int  # offset of the first ply


def record_heads(raw: bytes) -> Iterator[RecordHead]:
    """The heads of the game records that stand one after the other in a block."""
    at = 0
    while at < len(raw):
        (first_ply,) = SHORT.unpack_from(raw, at + PACKED_PLY)
        (plies,) = SHORT.unpack_from(raw, at + GAME_PLIES)
        moves_at = at + GAME_HEADER
        yield RecordHead(first_ply, raw[at + GAME_RESULT], raw[at + GAME_ENDING], plies, moves_at)
        at = moves_at + PLY_BYTES * plies


def unpacked(stored: bytes, size: int) -> bytes:
    """What was compressed, no more than one byte longer than it should be; nothing if it is damaged."""
    try:
        return zlib.decompressobj().decompress(stored, size + 1)
    except zlib.error:
        return b""


def raw_size(path: str | os.PathLike[str]) -> int:
    """Bytes of all records of a file at most, from the heads of its blocks alone: a block may yet be cut off or
    damaged, but a damaged size does not count for more than the bytes there are can hold."""
    total = 0
    with open(path, "rb") as file:
        file_size = os.fstat(file.fileno()).st_size
        if file.read(len(MAGIC)) != MAGIC:
            raise SelfPlayFileError(f"{path} is not a game file of Cythera")
        while len(head := file.read(BLOCK.size)) == BLOCK.size:
            magic, stored_size, size, _, _ = BLOCK.unpack(head)
            if magic != BLOCK_MAGIC:
                break
            total += min(size, LARGEST_RATIO * min(stored_size, file_size - file.tell()))
            file.seek(stored_size, os.SEEK_CUR)
    return total


def game_files(paths: list[str] | list[Path]) -> list[Path]:
    """The game files named, or found in the folders named, in a fixed order."""
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            found += sorted(path.glob("*.cyg"))
        elif path.exists():
            found.append(path)
        else:
            raise SelfPlayFileError(f"there is no file or folder {path}")
    if not found:
        raise SelfPlayFileError(f"there are no game files (*.cyg) in {', '.join(map(str, paths))}")
    return found
