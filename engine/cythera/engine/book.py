"""Opening books in Polyglot's format, mapped to memory and read by the core."""

from cythera.common.text import shortened
from cythera.errors import BookError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

    from cythera.board.position import Position
    from cythera.core import PolyglotBook

ENTRY_BYTES = 16


def open_book(path: str) -> "PolyglotBook":
    """The book of a file; raises BookError with a message if it is not a Polyglot book."""
    import mmap

    from cythera.core import PolyglotBook

    try:
        with open(path, "rb") as file:
            size = file.seek(0, 2)
            if size == 0 or size % ENTRY_BYTES:
                multiple = f"it must have a multiple of {ENTRY_BYTES} bytes, got {size}"
                raise BookError(f"{shortened(path)!r} is not a Polyglot book: {multiple}")
            return PolyglotBook(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        reason = getattr(error, "strerror", None) or error
        raise BookError(f"cannot read book {shortened(path)!r}: {reason}") from None


def check_book(path: str) -> None:
    """Raises BookError with a message if `path` is not a Polyglot book."""
    open_book(path)


def pick_move(path: str, position: "Position", random: "Random | None" = None) -> str | None:
    """A book move as UCI text, likelier the greater its weight; None if the book knows nothing.

    `random` decides where given. Raises BookError if the book cannot be read.
    """
    entries = [(move, weight) for move, weight, _ in open_book(path).find(position) if weight > 0]
    if not entries:
        return None
    if random is None:
        from random import Random

        random = Random()
    moves, weights = zip(*entries, strict=True)
    chosen: str = random.choices(moves, weights)[0]
    return chosen
