"""Files as streams of bytes, unpacked on the way: plain, gzip, xz, bzip2, Zstandard, zip and standard input."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, Any, cast

from cythera.errors import PgnError

# How a packed file begins. What is packed is told by this and not by the name, which may say anything.
GZIP = b"\x1f\x8b"
BZIP2 = b"BZh"
XZ = b"\xfd7zXZ\x00"
ZSTD = b"\x28\xb5\x2f\xfd"
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
UTF16 = (b"\xff\xfe", b"\xfe\xff")
ZSTD_MODULES = ("compression.zstd", "backports.zstd", "zstandard", "pyzstd")


def streams(source: object) -> Iterator[tuple[str, IO[bytes]]]:
    """The streams of a source with their names: one, or one for each member of a zip archive.

    A source is a path, "-" for standard input, or a binary file. Raises PgnError with a message.
    """
    if isinstance(source, (str, os.PathLike)) and os.fspath(source) == "-":
        yield from unpacked("standard input", sys.stdin.buffer)
    elif isinstance(source, (str, os.PathLike)):
        path = Path(os.fspath(source)).expanduser()
        try:
            file: IO[bytes] = open(path, "rb", buffering=1 << 17)  # noqa: SIM115
        except OSError as error:
            raise PgnError(f"cannot read {path}: {error.strerror or error}") from error
        with file:
            yield from unpacked(str(path), file)
    elif hasattr(source, "read"):
        if isinstance(source, io.TextIOBase):
            buffer = getattr(source, "buffer", None)
            if buffer is None:
                raise TypeError("a file of games must be opened in binary mode; cythera.games.parse_games reads text")
            source = buffer
        yield from unpacked(str(getattr(source, "name", "a stream")), cast("IO[bytes]", source))
    else:
        raise TypeError(f"source must be a path or a binary file, got {type(source).__name__}")


def unpacked(name: str, file: IO[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    if not hasattr(file, "peek"):
        file = io.BufferedReader(cast("Any", file))
    try:
        begin = file.peek(8)[:8]
    except OSError as error:
        raise PgnError(f"cannot read {name}: {error.strerror or error}") from error
    if begin.startswith(UTF16):
        raise PgnError(f"cannot read {name}: it is UTF-16; save it as UTF-8")
    if begin.startswith(ZIP):
        yield from members(name, file)
    elif begin.startswith(GZIP):
        import gzip

        yield name, cast("IO[bytes]", gzip.open(file))  # noqa: SIM115
    elif begin.startswith(XZ):
        import lzma

        yield name, lzma.open(file)  # noqa: SIM115
    elif begin.startswith(BZIP2):
        import bz2

        yield name, cast("IO[bytes]", bz2.open(file))  # noqa: SIM115
    elif begin.startswith(ZSTD):
        yield name, open_zstd(name, file)
    else:
        yield name, file


def members(name: str, file: IO[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    import zipfile

    if not file.seekable():
        file = io.BytesIO(file.read())
    try:
        with zipfile.ZipFile(file) as archive:
            names = [inner for inner in archive.namelist() if not inner.endswith("/")]
            chosen = [inner for inner in names if inner.lower().endswith(".pgn")] or names
            for inner in chosen:
                with archive.open(inner) as member:
                    yield f"{name}/{inner}" if len(chosen) > 1 else name, member
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise PgnError(f"cannot read {name}: {error}") from error


def open_zstd(name: str, file: IO[bytes]) -> IO[bytes]:
    for module in ZSTD_MODULES:
        with contextlib.suppress(ImportError):
            found: Any = import_module(module)
            if module == "zstandard":
                return cast("IO[bytes]", found.ZstdDecompressor().stream_reader(file, read_across_frames=True))
            return cast("IO[bytes]", found.ZstdFile(file))
    raise PgnError(f"cannot read {name}: Zstandard files need Python 3.14 or `pip install zstandard`")


def read_fully(name: str, stream: IO[bytes], size: int) -> bytes:
    """This many bytes, fewer only at the end. A damaged archive is a PgnError."""
    import zlib

    parts = []
    missing = size
    try:
        while missing:
            part = stream.read(missing)
            if not part:
                break
            parts.append(part)
            missing -= len(part)
    except OSError as error:
        raise PgnError(f"cannot read {name}: {error.strerror or error}") from error
    except (EOFError, ValueError, zlib.error) as error:
        raise PgnError(f"cannot read {name}: {error}") from error
    except Exception as error:  # LZMAError, ZstdError, BadZipFile have no common base
        if type(error).__name__ not in ("LZMAError", "ZstdError", "BadZipFile"):
            raise
        raise PgnError(f"cannot read {name}: {error}") from error
    return parts[0] if len(parts) == 1 else b"".join(parts)
