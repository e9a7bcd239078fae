"""Names of openings, found by position: however a game got there, it has the name."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import chess

TABLE = Path(__file__).parents[1] / "data" / "opening_names.txt"
LONGEST_PLIES = 40  # where to stop looking: by detours too, no named position is much deeper


def opening_lines() -> list[tuple[str, list[str]]]:
    """The table as it is written: names and moves."""
    lines = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, moves = line.partition(": ")
            lines.append((name, moves.split()))
    return lines


@cache
def named_positions() -> dict[str, str]:
    """Position (the first four fields of its FEN) -> name of the opening."""
    import chess

    names = {}
    for name, moves in opening_lines():
        board = chess.Board()
        for san in moves:
            board.push_san(san)
        names[board.epd()] = name
    return names


@cache
def book_positions() -> frozenset[str]:
    """All positions on the way to a named one, and these: what counts as book."""
    import chess

    positions = set()
    for _, moves in opening_lines():
        board = chess.Board()
        for san in moves:
            board.push_san(san)
            positions.add(board.epd())
    return frozenset(positions)


def book_plies(start: chess.Board, moves: list[chess.Move]) -> set[int]:
    """The moves of a game, counted from 0, that lead to a book position.

    >>> import chess
    >>> moves = [chess.Move.from_uci(text) for text in "e2e4 e7e5 g1f3 b8c6 f1b5 h7h6".split()]
    >>> sorted(book_plies(chess.Board(), moves))
    [0, 1, 2, 3, 4]
    """
    positions = book_positions()
    board = start.copy(stack=False)
    found = set()
    for ply, move in enumerate(moves[:LONGEST_PLIES]):
        board.push(move)
        if board.epd() in positions:
            found.add(ply)
    return found


def opening_of(start: chess.Board, moves: list[chess.Move]) -> tuple[str, int]:
    """The name of the opening and the plies played when it was last known; nothing if it has none.

    >>> import chess
    >>> moves = [chess.Move.from_uci(text) for text in "g1f3 b8c6 e2e4 e7e5 f1b5 h7h6".split()]
    >>> opening_of(chess.Board(), moves)
    ('Ruy Lopez', 5)
    """
    names = named_positions()
    board = start.copy(stack=False)
    found = ("", 0)
    for ply, move in enumerate(moves[:LONGEST_PLIES], 1):
        board.push(move)
        name = names.get(board.epd())
        if name:
            found = (name, ply)
    return found
