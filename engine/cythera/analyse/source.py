"""PGN files as they are found: games with the lines they stand in, and what is wrong with them.

A file is cut into games first, by its lines alone, so that one broken game does not spoil the next;
each game is then read by itself. Comments, variations, NAGs and headers are kept. Text is UTF-8, or
else Latin-1, as the PGN standard has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cythera.errors import CytheraError

if TYPE_CHECKING:
    import chess.pgn

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
SUFFIX_NAGS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
UTF8_MARK = b"\xef\xbb\xbf"

TAG_LINE = re.compile(rb'\s*\[\s*[A-Za-z0-9_]+\s+"')
FIRST_TAG_LINE = re.compile(rb'\s*\[\s*Event\s+"')
MARKS = re.compile(rb"[{}();]|1-0|0-1|1/2-1/2|\*")
TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"?\s*\]?\s*')
CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f]")
TOKEN = re.compile(
    r"""(?P<comment>\{[^}]*\}) | (?P<rest>;[^\n]*) | (?P<open>\() | (?P<close>\)) | (?P<nag>\$\d+)
      | (?P<result>1-0(?!-)|0-1|1/2-1/2|\*) | (?P<number>\d+\s*\.+|\.+)
      | (?P<null>--|Z0|@@@@) | (?P<suffix>[!?]{1,2})
      | (?P<move>[a-hKQRBNPO0][a-hxKQRBNO0-8=@:-]*[+#]*) | (?P<count>\d+) | (?P<space>\s+) | (?P<other>.)""",
    re.VERBOSE,
)


class PgnError(CytheraError):
    """A file or a game that cannot be read; `line` is where, counted from 1."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Problem:
    """Something wrong with a game: where, what, and whether the game had to be left out."""

    line: int
    game: int  # the how-manieth of the file, from 1
    text: str
    is_fatal: bool = True

    def __str__(self) -> str:
        return f"line {self.line}: game {self.game}{' left out' if self.is_fatal else ''}: {self.text}"


@dataclass(frozen=True)
class Span:
    """Where a game is in its file."""

    number: int  # from 1
    line: int  # its first, from 1
    start: int  # bytes
    size: int


@dataclass
class ReadGame:
    """A game and what was noticed in reading it."""

    game: chess.pgn.Game
    problems: list[Problem] = field(default_factory=list)


def find_games(path: Path) -> list[Span]:
    """All games of a file by their places; raises PgnError if there are none or it cannot be read."""
    try:
        with open(path, "rb") as file:
            if file.read(2) in UTF16_MARKS:
                raise PgnError(f"{path} is UTF-16; save it as UTF-8")
            file.seek(0)
            spans = list(cut(file))
    except OSError as error:
        raise PgnError(f"{path} cannot be read: {error.strerror}") from error
    if not spans:
        raise PgnError(f"there is no game in {path}")
    return spans


def cut(lines: Iterable[bytes]) -> Iterator[Span]:
    """Cuts lines into games: at a tag after moves, and at moves after a result.

    >>> [(span.line, span.size) for span in cut([b'[Event "a"]\\n', b"\\n", b"1. e4 *\\n", b"\\n", b"1. d4 *\\n"])]
    [(1, 21), (5, 8)]
    """
    number = start = size = first_line = 0
    at = 0
    has_moves = is_over = in_comment = False
    is_parted = False  # a blank line came after tags
    depth = 0
    for line_number, line in enumerate(lines, 1):
        content = line.removeprefix(UTF8_MARK) if line_number == 1 else line
        is_blank = not content.strip(b" \t\r\n\f\x1a")
        is_tag = TAG_LINE.match(content) is not None and (not in_comment or FIRST_TAG_LINE.match(content) is not None)
        is_next = is_tag and (has_moves or (is_parted and FIRST_TAG_LINE.match(content) is not None))
        is_parted = bool(size) and (is_blank or (is_parted and not is_tag))
        if is_next or (is_over and not is_blank and not is_tag and not content.startswith(b"%")):
            yield Span(number, first_line, start, size)
            size = 0
            has_moves = is_over = in_comment = False
            depth = 0
        if not size and not is_blank and not content.startswith(b"%"):
            number += 1
            start, first_line = at, line_number
            size = len(line)
        elif size:
            size = at + len(line) - start if not is_blank else size
        at += len(line)
        if is_blank or is_tag or content.startswith(b"%"):
            continue
        has_moves = True
        for mark in MARKS.findall(content):
            if in_comment:
                in_comment = mark != b"}"
            elif mark == b"{":
                in_comment = True
            elif mark == b";":
                break
            elif mark in b"()":
                depth = max(0, depth + (1 if mark == b"(" else -1))
            elif mark != b"}" and depth == 0:
                is_over = True
    if size:
        yield Span(number, first_line, start, size)


def read_span(path: Path, span: Span) -> ReadGame:
    """The game at a place; raises PgnError, with its line, if it cannot be read."""
    return read_text(text_of(path, span), span)


def text_of(path: Path, span: Span) -> str:
    """The text of a game as it stands in its file."""
    with open(path, "rb") as file:
        file.seek(span.start)
        data = file.read(span.size)
    return decode(data.removeprefix(UTF8_MARK))


def decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_text(text: str, span: Span | None = None) -> ReadGame:
    """The game a text holds; lines are counted from the span's."""
    span = span or Span(1, 1, 0, len(text))
    bad = CONTROL.search(text)
    if bad:
        line = span.line + text.count("\n", 0, bad.start())
        raise PgnError(f"there is a byte {ord(bad[0]):#04x} in it: this is no text, or of another encoding", line)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x1a", "").split("\n")
    headers: dict[str, str] = {}
    places: dict[str, int] = {}
    at = 0
    while at < len(lines):
        match = TAG.fullmatch(lines[at])
        if match:
            headers[match[1]] = match[2].replace('\\"', '"').replace("\\\\", "\\")
            places[match[1]] = span.line + at
        elif lines[at].strip() and not lines[at].startswith("%"):
            break
        at += 1
    moves = "\n".join("" if line.startswith("%") else line for line in lines[at:])
    return Reader(headers, places, moves, span, span.line + at).read()


class Reader:
    """Reads the moves of one game into a tree."""

    def __init__(self, headers: dict[str, str], places: dict[str, int], text: str, span: Span, line: int) -> None:
        import chess.pgn

        self.span = span
        self.line = line
        self.text = text
        self.problems: list[Problem] = []
        self.game = chess.pgn.Game(headers=headers)
        try:
            self.board = self.game.board()
        except ValueError as error:
            raise PgnError(str(error), places.get("FEN", places.get("Variant", span.line))) from None
        check_start(self.board, places.get("FEN", places.get("Variant", span.line)))
        self.node: chess.pgn.GameNode = self.game
        self.stack: list[tuple[chess.pgn.GameNode, chess.Board, bool]] = []
        self.skipping = 0  # levels of a variation whose rest cannot be read
        self.pending = ""  # a comment before the first move of a variation
        self.result = ""
        self.is_opening = False  # the next move begins a variation

    def read(self) -> ReadGame:
        for match in TOKEN.finditer(self.text):
            kind = match.lastgroup or "other"
            if kind not in ("space", "number"):
                if self.result and kind not in ("comment", "rest"):
                    self.note(match.start(), f"{match[0]!r} after the result was not read")
                    break
                self.take(kind, match[0], match.start())
        last = self.line + self.text.rstrip().count("\n")
        if self.stack or self.skipping:
            self.problems.append(Problem(last, self.span.number, "a variation is not closed: cut off?", False))
        elif not self.result:
            self.problems.append(Problem(last, self.span.number, "there is no result at its end: cut off?", False))
        if self.result and "Result" not in self.game.headers:
            self.game.headers["Result"] = self.result
        return ReadGame(self.game, self.problems)

    def take(self, kind: str, text: str, at: int) -> None:
        if kind == "open":
            self.open(at)
        elif kind == "close":
            self.close(at)
        elif self.skipping:
            return
        elif kind == "comment":
            self.comment(text[1:-1])
        elif kind == "rest":
            self.comment(text[1:])
        elif kind in ("nag", "suffix"):
            self.node.nags.add(int(text[1:]) if kind == "nag" else SUFFIX_NAGS[text])
        elif kind in ("move", "null"):
            self.move(text, at)
        elif kind == "result":
            if not self.stack:
                self.result = text
        elif kind == "count" or text == ".":
            return  # a move number without its dot
        elif text == "{":
            self.fail(at, "a comment is not closed: cut off?")
        else:
            self.fail(at, f"{text!r} is not understood")

    def move(self, text: str, at: int) -> None:
        import chess

        if text in ("--", "Z0", "@@@@"):
            if not self.stack:
                self.fail(at, "a null move is no move of a game")
                return
            move = chess.Move.null()
        else:
            try:
                move = self.board.parse_san(text.replace(":", ""))
            except ValueError:
                number = f"{self.board.fullmove_number}{'.' if self.board.turn else '...'}"
                self.fail(at, f"{number} {text} is not a legal move")
                return
        self.node = self.node.add_variation(move)
        self.board.push(move)
        if self.is_opening:
            self.node.starting_comment, self.pending = self.pending, ""
        self.is_opening = False

    def comment(self, text: str) -> None:
        text = " ".join(text.split())
        if self.is_opening:
            self.pending = joined(self.pending, text)
        else:
            self.node.comment = joined(self.node.comment, text)

    def open(self, at: int) -> None:
        if self.skipping:
            self.skipping += 1
            return
        if self.node.parent is None or self.is_opening:
            self.note(at, "a variation before the first move was not read")
            self.skipping = 1
            return
        self.stack.append((self.node, self.board.copy(), self.is_opening))
        self.node = self.node.parent
        self.board.pop()
        self.is_opening = True

    def close(self, at: int) -> None:
        if self.skipping > 1:
            self.skipping -= 1
        elif self.skipping == 1 and not self.stack:
            self.skipping = 0
        elif self.stack:
            self.skipping = 0
            self.node, self.board, self.is_opening = self.stack.pop()
            self.pending = ""
        else:
            self.note(at, "a variation is closed that was not open")

    def fail(self, at: int, text: str) -> None:
        """The game cannot be read; or only a variation, whose rest is then passed over."""
        if not self.stack:
            raise PgnError(text, self.line_at(at))
        self.note(at, f"in a variation {text}; the rest of it was not read")
        self.skipping = 1

    def note(self, at: int, text: str) -> None:
        self.problems.append(Problem(self.line_at(at), self.span.number, text, is_fatal=False))

    def line_at(self, at: int) -> int:
        return self.line + self.text.count("\n", 0, at)


def check_start(board: chess.Board, line: int) -> None:
    """Raises PgnError if Cythera cannot play from here."""
    from cythera.board.position import Position

    try:
        Position.from_board(board, history=False)
    except CytheraError as error:
        raise PgnError(str(error), line) from None


def joined(first: str, second: str) -> str:
    return f"{first} {second}".strip()


def read_file(path: Path) -> tuple[list[Span], list[Problem], list[int]]:
    """All games of a file that can be read, what is wrong with it, and the plies of each."""
    spans, problems, plies = [], [], []
    for span in find_games(path):
        try:
            read = read_span(path, span)
        except PgnError as error:
            problems.append(Problem(error.line, span.number, str(error)))
            continue
        spans.append(span)
        plies.append(read.game.end().ply() - read.game.ply())
        problems += read.problems
    return spans, problems, plies
