"""The index file of games: arrays one after the other, mapped to memory when it is opened.

It begins with a mark, the place of the table of contents and its size; the table is JSON at the end of the file. All
arrays are little-endian and begin at multiples of 64 bytes.
"""

from __future__ import annotations

import json
import mmap
import os
import shutil
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from cythera.common.files import replacing
from cythera.errors import CytheraError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MARK = b"CYINDEX\x01"
HEAD_BYTES = 64

# What a position's move has in the explorer table.
ENTRY = [
    ("move", "<u2"), ("rating", "<u2"),  # average of both players of its games, 0 not known
    ("white", "<u4"), ("draws", "<u4"), ("black", "<u4"), ("unknown", "<u4"),  # games by result
    ("samples", "<u4", (3,)),  # games, the best rated first; NO_GAME where there are fewer
]  # fmt: skip
NO_GAME = 0xFFFFFFFF


class IndexFileError(CytheraError):
    """An index that cannot be read or made."""


class SectionWriter:
    """Collects the arrays of an index in files beside it, so that none has to stay in memory."""

    def __init__(self, output: Path) -> None:
        self.output = output
        self.folder = output.with_name(output.name + ".parts")
        try:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
        except OSError as error:
            raise IndexFileError(f"cannot write {output}: {error.strerror or error}") from error
        self.files: dict[str, IO[bytes]] = {}
        self.types: dict[str, tuple[Any, int]] = {}

    def append(self, name: str, array: NDArray[Any]) -> None:
        if name not in self.files:
            self.files[name] = open(self.folder / name, "wb")  # noqa: SIM115
            self.types[name] = (array.dtype, 0)
        dtype, count = self.types[name]
        self.types[name] = (dtype, count + array.size)
        array.tofile(self.files[name])

    def finish(self, facts: dict[str, Any]) -> None:
        """Puts the parts together; the file appears whole or not at all."""
        sections = {}
        try:
            with replacing(self.output, "wb") as out:
                out.write(bytes(HEAD_BYTES))
                for name, file in self.files.items():
                    file.close()
                    out.write(bytes(-out.tell() % 64))
                    dtype, count = self.types[name]
                    sections[name] = {"at": out.tell(), "count": count, "type": described(dtype)}
                    with open(self.folder / name, "rb") as part:
                        shutil.copyfileobj(part, out, 1 << 20)
                    (self.folder / name).unlink()
                table = json.dumps({**facts, "sections": sections}).encode()
                at = out.tell()
                out.write(table)
                out.seek(0)
                out.write(MARK + at.to_bytes(8, "little") + len(table).to_bytes(8, "little"))
        except OSError as error:
            raise IndexFileError(f"cannot write {self.output}: {error.strerror or error}") from error

    def close(self) -> None:
        for file in self.files.values():
            file.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def is_index(path: Path) -> bool:
    """Whether a file begins like an index; raises IndexFileError if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MARK)) == MARK
    except OSError as error:
        raise IndexFileError(f"cannot read {path}: {error.strerror or error}") from error


def described(dtype: np.dtype[Any]) -> Any:
    return dtype.str if dtype.names is None else "entry"


def open_sections(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The facts and the arrays of an index; raises IndexFileError with a message."""
    import numpy as np

    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            head = file.read(HEAD_BYTES)
            if len(head) < HEAD_BYTES or not head.startswith(MARK):
                raise IndexFileError(f"{path} is not an index of games: make one with `cythera games index`")
            at, length = int.from_bytes(head[8:16], "little"), int.from_bytes(head[16:24], "little")
            if at + length != size:
                raise IndexFileError(f"{path} is damaged or cut off: rebuild it with `cythera games index`")
            file.seek(at)
            facts = json.loads(file.read(length))
            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        arrays = {}
        for name, section in facts.pop("sections").items():
            dtype = np.dtype(ENTRY) if section["type"] == "entry" else np.dtype(section["type"])
            arrays[name] = np.frombuffer(memory, dtype, section["count"], section["at"])
    except OSError as error:
        raise IndexFileError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise IndexFileError(f"{path} is damaged: rebuild it with `cythera games index`") from error
    return facts, arrays
