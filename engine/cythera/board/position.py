"""`Position`: the compiled board with its Python conveniences."""

from __future__ import annotations

from cythera.core import Board
from cythera.errors import CytheraError, IllegalMoveError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    import chess

    from cythera.tables import Tables

__all__ = ["Position"]


class Position(Board):
    """A chess position with its history: standard chess, Chess960 or double Chess960.

    Moves are UCI strings or move objects. Everything is exact; an error leaves the position as it
    was. Equal positions have the same pieces, side to move, rights, legal en-passant square and
    counters; the history does not matter.

    >>> position = Position()
    >>> position.push("e2e4")
    >>> len(position.legal_moves()), position.fen()
    (20, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1')
    >>> position.perft(4)
    405385
    """

    __slots__ = ()

    @classmethod
    def from_board(cls, board: chess.Board, *, history: bool = True) -> Position:
        """The position of a python-chess board, with the moves that led to it."""
        if board.uci_variant != "chess":
            raise CytheraError(f"the board plays {board.uci_variant}, and Cythera plays chess")
        root = board.root() if history else board
        position = cls(root.fen(shredder=board.chess960, en_passant="fen"), chess960=board.chess960)
        for move in board.move_stack if history else ():
            if move:
                position.push(move)
            else:
                position.push_null()
        return position

    def to_board(self) -> chess.Board:
        """A python-chess board with the same position and history."""
        import chess

        board = chess.Board(self.root_fen(), chess960=self.chess960)
        for text in self.history():
            board.push(chess.Move.null() if text == "0000" else board.parse_uci(text))
        return board

    def outcome(self) -> str | None:
        """`"1-0"`, `"0-1"` or `"1/2-1/2"` if the game is over by mate or draw, else None."""
        if self.is_checkmate():
            return "0-1" if self.turn == "w" else "1-0"
        return "1/2-1/2" if self.is_draw() else None

    @property
    def game_ply(self) -> int:
        """Half-moves since the first move of the game, by turn and move number.

        >>> Position("8/8/8/4k3/8/8/4P3/4K3 b - - 0 3").game_ply
        5
        """
        return 2 * self.fullmove_number - (2 if self.turn == "w" else 1)

    def piece_at(self, square: int | str) -> str | None:
        """The piece on a square, as in a FEN, or None; squares are numbers from 0 (a1) to 63 (h8), or names.

        >>> Position().piece_at("e1"), Position().piece_at(4), Position().piece_at("e4")
        ('K', 'K', None)
        """
        return Board.piece_at(self, square_number(square) if isinstance(square, str) else square)

    def attackers(self, side: Literal["w", "b"] | bool, square: int | str) -> list[int]:
        """The squares from which a side attacks a square, pinned pieces included."""
        return Board.attackers(self, side, square_number(square) if isinstance(square, str) else square)

    def probe_wdl(self, tables: Tables | None = None) -> int | None:
        """What endgame tables (those of the package, unless given) say to the side to move, with the fifty-move counter
        taken to be zero: 2 is a win, 0 a draw, -2 a loss; 1 a win and -1 a loss that the fifty-move rule makes a draw.
        None if no table has the position: too many pieces, or castling rights.

        >>> Position("8/8/8/8/3k4/8/8/K1Q5 w - - 0 1").probe_wdl(), Position().probe_wdl()
        (2, None)
        """
        return _tables(tables).probe_wdl(self)

    def probe_dtz(self, tables: Tables | None = None) -> int | None:
        """Half-moves to the next capture or pawn move with the result in hand, or to mate: positive for a win, negative
        for a loss, 0 for a draw, beyond ±100 where the fifty-move rule makes it a draw. None as for `probe_wdl`.

        >>> Position("8/8/8/8/3k4/8/8/K1Q5 w - - 0 1").probe_dtz()
        15
        """
        return _tables(tables).probe_dtz(self)

    def text(self, *, unicode: bool = False, flipped: bool = False) -> str:
        """The board as eight lines of text with coordinates, seen by White unless `flipped`.

        >>> print(Position("8/8/8/3k4/8/8/4P3/4K3 w - - 0 1").text())
        8  . . . . . . . .
        7  . . . . . . . .
        6  . . . . . . . .
        5  . . . k . . . .
        4  . . . . . . . .
        3  . . . . . . . .
        2  . . . . P . . .
        1  . . . . K . . .
           a b c d e f g h
        """
        figures = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))
        ranks = range(8) if flipped else range(7, -1, -1)
        files = range(7, -1, -1) if flipped else range(8)
        lines = []
        for rank in ranks:
            pieces = [Board.piece_at(self, 8 * rank + file) or "." for file in files]
            lines.append(f"{rank + 1}  " + " ".join(figures.get(p, "·") if unicode else p for p in pieces))
        lines.append("   " + " ".join("abcdefgh"[file] for file in files))
        return "\n".join(lines)

    def svg(self, *, size: int = 360, flipped: bool = False) -> str:
        """The board as an SVG image, drawn by python-chess, with the last move and checks marked."""
        import chess
        import chess.svg

        board = self.to_board()
        return str(
            chess.svg.board(
                board,
                size=size,
                orientation=chess.BLACK if flipped else chess.WHITE,
                lastmove=board.peek() if board.move_stack else None,
                check=board.king(board.turn) if board.is_check() else None,
            )
        )

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Position({self.fen()!r}{', chess960=True' if self.chess960 else ''})"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), self.root_fen(), self.chess960, self.history())


def _tables(tables: Tables | None) -> Tables:
    """The tables given, or those of the package."""
    if tables is not None:
        return tables
    from cythera.tables.probing import package_tables

    return package_tables()


def _restore(cls: type[Position], fen: str, chess960: bool, history: list[str]) -> Position:
    """Rebuilds a pickled position, on whichever build of the core runs here."""
    position = cls(fen, chess960=chess960)
    for text in history:
        if text == "0000":
            position.push_null()
        else:
            position.push(text)
    return position


def square_number(name: str) -> int:
    """
    >>> square_number("a1"), square_number("h8")
    (0, 63)
    """
    if len(name) != 2 or name[0] not in "abcdefgh" or name[1] not in "12345678":
        raise ValueError(f"a square must have a name like 'e4', got {name[:20]!r}")
    return "abcdefgh".index(name[0]) + 8 * int(name[1]) - 8


def position_from(board: object) -> Position:
    """A `Position` from what callers have: a Position, a chess.Board or a FEN."""
    if isinstance(board, Position):
        return board
    if isinstance(board, str):
        return Position(board)
    if hasattr(board, "move_stack") and hasattr(board, "root"):
        try:
            return Position.from_board(board)  # type: ignore[arg-type]
        except IllegalMoveError as error:
            raise CytheraError(f"the board's history does not fit the rules of chess: {error}") from error
    raise TypeError(f"a position must be a Position, a chess.Board or a FEN, got {type(board).__name__}")
