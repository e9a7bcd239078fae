"""Files that are replaced as a whole: a reader, or a crash, never meets a half-written one.

Standard library without pathlib: the UCI program may import this.
"""

import contextlib
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO, Any


@contextlib.contextmanager
def replacing(path: "str | os.PathLike[str]", mode: str = "w") -> "Iterator[IO[Any]]":
    """An open file beside `path` that takes its name when the block ends, and is removed if it raises."""
    final = os.fspath(path)
    draft = f"{final}.part"
    options = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    try:
        with open(draft, mode, **options) as file:  # type: ignore[call-overload]
            yield file
        os.replace(draft, final)  # noqa: PTH105 - see above
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)  # noqa: PTH108
        raise


def atomic_write(path: "str | os.PathLike[str]", content: "str | bytes") -> None:
    """Replaces a file by new content at once, or leaves it as it was and raises OSError."""
    with replacing(path, "wb" if isinstance(content, bytes) else "w") as file:
        file.write(content)
