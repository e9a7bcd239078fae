"""Opening books in Polyglot's format, read by python-chess, which is imported only here and when used."""

from cythera.common.text import shortened
from cythera.errors import CytheraError, IllegalMoveError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

    from cythera.board.position import Position

ENTRY_BYTES = 16


class BookError(CytheraError):
    """A book that cannot be read."""


def open_book(path: str) -> None:
    """`check_book`, and the libraries are loaded, so that the first move does not wait for them on its clock."""
    check_book(path)
    import chess.polyglot  # noqa: F401


def check_book(path: str) -> None:
    """Raises BookError if `path` is not a Polyglot book."""
    try:
        with open(path, "rb") as file:
            size = file.seek(0, 2)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        raise unreadable(path, error) from None
    if size == 0 or size % ENTRY_BYTES:
        raise BookError(
            f"{shortened(path)!r} is not a Polyglot book: it must have a multiple of {ENTRY_BYTES} bytes, got {size}"
        )


def unreadable(path: str, error: OSError | ValueError) -> BookError:
    return BookError(f"cannot read book {shortened(path)!r}: {getattr(error, 'strerror', None) or error}")


def pick_move(path: str, position: "Position", random: "Random | None" = None) -> str | None:
    """A book move as UCI text, likelier the greater its weight; None if the book knows nothing.

    `random` decides where given. Raises BookError if the book cannot be read.
    """
    check_book(path)
    from random import Random

    import chess.polyglot

    board = chess.Board(position.fen(), chess960=position.chess960)  # a book knows no history, and clocks are running
    try:
        with chess.polyglot.open_reader(path) as reader:
            entries = [(entry.move.uci(), entry.weight) for entry in reader.find_all(board)]
    except OSError as error:
        raise unreadable(path, error) from None
    # A key can be another position's: what is not legal here is not for us.
    entries = [(move, weight) for move, weight in entries if weight > 0 and is_legal(position, move)]
    if not entries:
        return None
    moves, weights = zip(*entries, strict=True)
    chosen: str = (random or Random()).choices(moves, weights)[0]
    return position.parse_move(chosen).uci()


def is_legal(position: "Position", move: str) -> bool:
    try:
        return position.is_legal(move)
    except IllegalMoveError:
        return False
