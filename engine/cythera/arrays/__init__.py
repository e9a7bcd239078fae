"""Games and positions as numpy arrays, without a Python object for each move (docs/games.md).

>>> import cythera.arrays as arrays
>>> boards = arrays.positions(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"])
>>> moves, offsets = arrays.legal_moves(boards)
>>> len(moves), offsets.tolist(), arrays.perft(boards, 3).tolist(), arrays.planes(boards).shape
(20, [0, 20], [8902], (1, 12, 8, 8))
"""

from cythera.arrays.boards import (
    MOVE_FLAGS,
    POSITION,
    evaluate,
    fens,
    keys,
    legal_moves,
    move_squares,
    perft,
    planes,
    positions,
    uci_texts,
)
from cythera.arrays.games import FIELDS, GameArrays, read_arrays

__all__ = [
    "FIELDS", "MOVE_FLAGS", "POSITION", "GameArrays", "evaluate", "fens", "keys", "legal_moves", "move_squares",
    "perft", "planes", "positions", "read_arrays", "uci_texts",
]  # fmt: skip
