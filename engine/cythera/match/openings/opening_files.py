"""Opening files: EPD or PGN, plain or compressed, each position chosen by the number of its pair."""

import gzip
import io
import lzma
import random
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import chess
import chess.pgn

from cythera.match.game_data import Opening
from cythera.match.match_errors import MatchError

SHIPPED = Path(__file__).resolve().parents[2] / "data" / "openings.epd.xz"

RANDOM = "random"
SEQUENTIAL = "sequential"


class Book(Protocol):
    """A list of openings, parsed one by one as they are asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, number: int) -> Opening: ...


class Openings:
    """The opening of every pair of games, by its number alone.

    In random order every opening is used once before any is used again; each pass has another order.
    """

    def __init__(
        self, book: Book, order: str = RANDOM, seed: int = 0, start: int = 1, plies: int | None = None
    ) -> None:
        """`plies` cuts the moves of an opening after that number."""
        if not 1 <= start <= len(book):
            raise MatchError(f"the first opening must be between 1 and {len(book)}, got {start}")
        self._book = book
        self._order = order
        self._seed = seed
        self._start = start
        self._plies = plies
        self._pass = -1
        self._deal: Sequence[int] = range(len(book))

    def __getitem__(self, pair: int) -> Opening:
        turn, place = divmod(pair + self._start - 1, len(self._book))
        if self._order == RANDOM and turn != self._pass:
            deal = list(range(len(self._book)))
            random.Random(f"{self._seed}/{turn}").shuffle(deal)
            self._deal, self._pass = deal, turn
        opening = self._book[self._deal[place]]
        return opening if self._plies is None else replace(opening, moves=opening.moves[: self._plies])


class EpdBook:
    """Positions, one a line: FEN or EPD; an `id` operation is the opening's name."""

    def __init__(self, lines: list[str], source: str, *, chess960: bool = False) -> None:
        self._lines = lines
        self._source = source
        self._chess960 = chess960

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, number: int) -> Opening:
        line = self._lines[number]
        try:
            fen, name = read_epd(line, chess960=self._chess960)
        except ValueError as error:
            raise MatchError(f"{self._source} has a line that is not a position, {line!r}: {error}") from error
        return Opening(fen, (), name)


def read_epd(line: str, *, chess960: bool = False) -> tuple[str, str]:
    """`(fen, name)` of a line; raises ValueError. Counters may be missing, or be hmvc and fmvn operations.

    >>> read_epd('4k3/8/8/8/8/8/4P3/4K3 w - - id "pawn ending";')
    ('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 'pawn ending')
    """
    words = line.split(maxsplit=6)
    if len(words) >= 6 and words[4].isdigit() and words[5].isdigit():
        board = chess.Board(" ".join(words[:6]), chess960=chess960)
        name = ""
    else:
        board = chess.Board(chess960=chess960)
        name = str(board.set_epd(line).get("id") or "")
    if not board.is_valid():
        raise ValueError("the position is not legal")
    return board.fen(), name


class PgnBook:
    """Games, each played to its end as an opening; its name is its ECO code and opening tags."""

    def __init__(self, games: list[str], source: str) -> None:
        self._games = games
        self._source = source

    def __len__(self) -> int:
        return len(self._games)

    def __getitem__(self, number: int) -> Opening:
        try:
            game = chess.pgn.read_game(io.StringIO(self._games[number]))
        except Exception as error:  # python-chess fails on some text that is no PGN
            raise MatchError(f"cannot read game {number + 1} of {self._source}: {error}") from error
        if game is None or game.errors:
            why = f": {game.errors[0]}" if game else ""
            raise MatchError(f"cannot read game {number + 1} of {self._source}{why}")
        tags = [game.headers.get(tag, "") for tag in ("ECO", "Opening", "Variation")]
        moves = tuple(move.uci() for move in game.mainline_moves())
        return Opening(game.board().fen(), moves, " ".join(tag for tag in tags if tag and tag != "?"))


class Chess960Starts:
    """The 960 starting positions."""

    def __len__(self) -> int:
        return 960

    def __getitem__(self, number: int) -> Opening:
        return Opening(chess.Board.from_chess960_pos(number).fen(), (), f"Chess960 position {number}")


class Startpos:
    """The one starting position: only for engines that vary their play."""

    def __len__(self) -> int:
        return 1

    def __getitem__(self, number: int) -> Opening:
        return Opening()


def load_book(source: str | None, *, chess960: bool = False) -> tuple[Book, str]:
    """The book and the name it goes by. None is the shipped one, "startpos" the starting position alone.

    The first opening is read at once, so that a file of another kind is found out before any game.
    """
    if source == "startpos":
        return Startpos(), "startpos"
    if source is None:
        if chess960:
            return Chess960Starts(), "chess960"
        if not SHIPPED.is_file():
            raise MatchError("this installation has no openings of its own: give a file with --openings")
        source = str(SHIPPED)
    path = Path(source).expanduser()
    name, text = read_text(path)
    book: Book
    if name.endswith(".pgn"):
        book = PgnBook(split_games(text), path.name)
    else:
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        book = EpdBook(lines, path.name, chess960=chess960)
    if not len(book):
        raise MatchError(f"the opening file {path} is empty")
    book[0]
    return book, str(path)


def read_text(path: Path) -> tuple[str, str]:
    """The name and the text of a file, unpacked from .gz, .xz or a .zip with one file in it."""
    try:
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                names = [name for name in archive.namelist() if not name.endswith("/")]
                if len(names) != 1:
                    raise MatchError(f"the archive {path} must hold exactly one opening file, got {len(names)}")
                return names[0], archive.read(names[0]).decode("utf-8", "replace")
        data = path.read_bytes()
        if path.suffix == ".gz":
            return path.stem, gzip.decompress(data).decode("utf-8", "replace")
        if path.suffix == ".xz":
            return path.stem, lzma.decompress(data).decode("utf-8", "replace")
        return path.name, data.decode("utf-8", "replace")
    except (zipfile.BadZipFile, lzma.LZMAError, EOFError) as error:
        raise MatchError(f"the opening file {path} is damaged: {error}") from error
    except OSError as error:
        raise MatchError(f"cannot read the opening file {path}: {error.strerror or error}") from error


def split_games(text: str) -> list[str]:
    """The games of a PGN text, cut before each tag section, unparsed: a large book opens in no time."""
    games: list[str] = []
    current: list[str] = []
    in_moves = False
    for line in text.splitlines(keepends=True):
        if line.startswith("[") and in_moves:
            games.append("".join(current))
            current, in_moves = [], False
        elif line.strip() and not line.startswith("["):
            in_moves = True
        current.append(line)
    if in_moves:
        games.append("".join(current))
    return games
