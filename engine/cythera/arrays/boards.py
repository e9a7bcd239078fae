"""Arrays of positions: from FENs, to planes, and what the core computes of many at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cythera import core

if TYPE_CHECKING:
    from cythera.core import Net

# A position, 112 bytes. Squares are numbered a1 = 0, b1 = 1 … h8 = 63; 64 is no square.
POSITION = np.dtype(
    [
        ("bitboards", "<u8", (12,)),  # White's pawns, knights, bishops, rooks, queens, king; then Black's
        ("halfmove_clock", "<u2"),
        ("fullmove_number", "<u2"),
        ("turn", "u1"),  # 0 White, 1 Black
        ("castling", "u1"),  # bits 0 to 3: K, Q, k, q
        ("en_passant", "u1"),  # the square, where a capture is legal; else 64
        ("chess960", "u1"),
        ("rooks", "u1", (4,)),  # the squares of the rooks that may castle, in the order of the bits; else 64
        ("unused", "u1", (4,)),
    ]
)

# Bits 12 to 15 of a move: what kind it is.
MOVE_FLAGS = {
    "quiet": 0, "double push": 1, "castling": 2, "capture": 4, "en passant": 5, "to knight": 8, "to bishop": 9,
    "to rook": 10, "to queen": 11, "takes, to knight": 12, "takes, to bishop": 13, "takes, to rook": 14,
    "takes, to queen": 15,
}  # fmt: skip

Positions: TypeAlias = NDArray[np.void]


def positions(fens: Iterable[str], *, chess960: bool = False) -> Positions:
    """FENs as an array of `POSITION`; raises InvalidFenError with the row."""
    texts = list(fens)
    boards = np.zeros(len(texts), POSITION)
    core.pack_fens(texts, as_bytes(boards), chess960=chess960)
    return boards


def fens(boards: Positions | Sequence[str]) -> list[str]:
    """The FENs of positions."""
    return core.unpack_fens(checked(boards))


def as_bytes(boards: Positions) -> NDArray[np.uint8]:
    return boards.view(np.uint8).reshape(-1)


def checked(boards: Any) -> NDArray[np.uint8]:
    """The bytes of an array of positions, or of FENs."""
    if not isinstance(boards, np.ndarray):
        boards = positions([boards] if isinstance(boards, str) else boards)
    if boards.dtype != POSITION:
        raise TypeError(f"positions must be an array of cythera.arrays.POSITION, got {boards.dtype}")
    return as_bytes(np.ascontiguousarray(boards).reshape(-1))


def planes(boards: Positions | Sequence[str]) -> NDArray[np.uint8]:
    """Positions as planes of 0 and 1, uint8 (n, 12, 8, 8): piece (White's pawn to king, then Black's), rank, file."""
    bitboards = np.ascontiguousarray(checked(boards).view(POSITION)["bitboards"])
    bits = np.unpackbits(bitboards.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    return bits.reshape(-1, 12, 8, 8)


def keys(boards: Positions | Sequence[str], *, polyglot: bool = False) -> NDArray[np.uint64]:
    """The Zobrist key of each position, uint64, as `Position.key` has it; or the key Polyglot books use."""
    data = checked(boards)
    out = np.empty(len(data) // POSITION.itemsize, np.uint64)
    core.batch_keys(data, out, polyglot=polyglot)
    return out


def legal_moves(boards: Positions | Sequence[str]) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """The legal moves of all positions, uint16, and offsets, int64 (n + 1): those of position i are
    moves[offsets[i]:offsets[i + 1]]."""
    data = checked(boards)
    counts = np.empty(len(data) // POSITION.itemsize, np.int64)
    core.batch_legal_counts(data, counts)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    moves = np.empty(int(offsets[-1]), np.uint16)
    core.batch_legal_moves(data, offsets, moves)
    return moves, offsets


def evaluate(boards: Positions | Sequence[str], net: Net | None = None, *, endgames: bool = True) -> NDArray[np.int32]:
    """The static evaluation of each position by a net (the shipped one), int32 centipawns from the side to move.

    `endgames` scales it by what is known of endgames, as the search does.
    """
    if net is None:
        from cythera.net.load import net_for

        net = net_for()
        assert net is not None
    data = checked(boards)
    scores = np.empty(len(data) // POSITION.itemsize, np.int32)
    core.batch_evaluate(net, data, scores, endgames=endgames)
    return scores


def perft(boards: Positions | Sequence[str], depth: int) -> NDArray[np.uint64]:
    """Perft of each position, uint64."""
    data = checked(boards)
    counts = np.empty(len(data) // POSITION.itemsize, np.uint64)
    core.batch_perft(data, depth, counts)
    return counts


def move_squares(moves: NDArray[np.uint16]) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """From squares, to squares and flags (`MOVE_FLAGS`) of moves, uint8 each. Castling goes to the rook's square."""
    return (moves & 63).astype(np.uint8), (moves >> 6 & 63).astype(np.uint8), (moves >> 12).astype(np.uint8)


def uci_texts(moves: NDArray[np.uint16], *, chess960: bool = False) -> list[str]:
    """The UCI texts of moves."""
    return [core.uci_of_move_word(word, chess960=chess960) for word in moves.tolist()]
