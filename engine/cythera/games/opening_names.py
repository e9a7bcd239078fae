"""Names of openings, found by position: however a game got there, it has the name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from cythera.board.opening_table import opening_lines
from cythera.board.position import Position
from cythera.errors import IllegalMoveError

if TYPE_CHECKING:
    import chess
    import numpy as np
    from numpy.typing import NDArray

LONGEST_PLIES = 40  # where to stop looking: by detours too, no named position is much deeper


@cache
def named_positions() -> dict[int, int]:
    """Key of a position -> number of its line in the table, from 1."""
    numbers = {}
    for number, (_, _, moves) in enumerate(opening_lines(), 1):
        position = Position()
        for san in moves:
            position.push_san(san)
        numbers[position.key] = number
    return numbers


def opening_keys() -> tuple[NDArray[np.uint64], NDArray[np.uint16]]:
    """The keys of all named positions in order, and their numbers."""
    import numpy as np

    numbers = named_positions()
    keys = np.array(sorted(numbers), np.uint64)
    return keys, np.array([numbers[int(key)] for key in keys], np.uint16)


def opening_name(number: int) -> str:
    """The name of a line of the table; nothing for 0."""
    return opening_lines()[number - 1][1] if number else ""


def opening_code(number: int) -> str:
    """The ECO code of a line of the table; nothing for 0."""
    return opening_lines()[number - 1][0] if number else ""


def opening_number(start: Position, moves: Iterable[str]) -> tuple[int, int]:
    """The number of the opening that moves (UCI texts) lead to, and the plies played when it was last known."""
    numbers = named_positions()
    position = start.copy()
    found = (numbers.get(position.key, 0), 0)
    for ply, move in enumerate(moves, 1):
        if ply > LONGEST_PLIES:
            break
        try:
            position.push(move)
        except IllegalMoveError:  # a null move
            break
        if position.key in numbers:
            found = (numbers[position.key], ply)
    return found


@cache
def book_positions() -> frozenset[int]:
    """Keys of all named positions and of those on the way to them: what counts as book."""
    keys = set()
    for _, _, moves in opening_lines():
        position = Position()
        for san in moves:
            position.push_san(san)
            keys.add(position.key)
    return frozenset(keys)


def book_plies(start: Position, moves: Iterable[str]) -> set[int]:
    """The moves of a game (UCI texts), counted from 0, that lead to a book position.

    >>> sorted(book_plies(Position(), "e2e4 e7e5 g1f3 b8c6 f1b5 h7h6".split()))
    [0, 1, 2, 3, 4]
    """
    keys = book_positions()
    position = start.copy()
    found = set()
    for ply, move in enumerate(moves):
        if ply == LONGEST_PLIES:
            break
        try:
            position.push(move)
        except IllegalMoveError:  # a null move
            break
        if position.key in keys:
            found.add(ply)
    return found


def opening_of(start: Position, moves: Iterable[str]) -> tuple[str, int]:
    """The name of the opening and the plies played when it was last known; nothing if it has none.

    >>> opening_of(Position(), "g1f3 b8c6 e2e4 e7e5 f1b5 h7h6".split())
    ('Ruy Lopez', 5)
    """
    number, ply = opening_number(start, moves)
    return opening_name(number), ply


def uci_texts(start: chess.Board, moves: Iterable[chess.Move]) -> list[str]:
    """Moves of python-chess as the texts that the functions above take."""
    board = start.copy(stack=False)
    texts = []
    for move in moves:
        texts.append(board.uci(move))
        board.push(move)
    return texts
