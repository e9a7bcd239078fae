"""Twins: the compiled board and python-chess's, walked through the same random games.

`walk` plays, the checks in `twin_checks` compare. The tests use some thousands of positions
(tests/board/test_twins.py), the soak as many as it is told (bench/soak.py).
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import chess

LONGEST_WALK = 140  # half-moves of a random game
PIECES_AT_START = {chess.QUEEN: 1, chess.ROOK: 2, chess.BISHOP: 2, chess.KNIGHT: 2}


@dataclass
class Pair:
    """One position held twice: by the compiled board (`ours`) and by python-chess (`theirs`)."""

    ours: Any  # a Position, or the Board of either build
    theirs: chess.Board
    rng: random.Random
    passed: bool = False  # a null move is in the history
    restless: float = 0.1  # how often a piece goes back where it came from: repetitions
    fens: list[str] = field(default_factory=list)  # ours before each move
    keys: list[tuple[int, ...]] = field(default_factory=list)
    named: dict[int, str] = field(default_factory=dict)  # key -> position without counters
    keyed: dict[str, int] = field(default_factory=dict)  # the other way round

    @property
    def core(self) -> Any:
        """The compiled module that `ours` is from; its test hooks are functions."""
        board = next(kind for kind in type(self.ours).__mro__ if kind.__name__ == "Board")
        return sys.modules[board.__module__]

    def keys_now(self) -> tuple[int, ...]:
        return (self.ours.key, self.ours.pawn_key, *self.ours.nonpawn_keys)

    def push(self, move: chess.Move) -> None:
        self.fens.append(self.ours.fen())
        self.keys.append(self.keys_now())
        self.theirs.push(move)
        if move:
            self.ours.push(move.uci())
        else:
            self.passed = True
            self.ours.push_null()

    def rewind(self) -> None:
        """Takes everything back; each position on the way must be the one that was left."""
        while self.fens:
            move, theirs = self.ours.pop(), self.theirs.pop()
            self.agree("move taken back", None if move is None else move.uci(), theirs.uci() if theirs else None)
            self.agree("position after taking back", self.ours.fen(), self.fens.pop())
            self.agree("keys after taking back", self.keys_now(), self.keys.pop())

    def agree(self, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            moves = " ".join(move.uci() for move in self.theirs.move_stack)
            raise AssertionError(
                f"{what}: cythera says {ours!r}, python-chess {theirs!r}\n"
                f"  in {self.theirs.fen()} (chess960={self.theirs.chess960})\n"
                f"  from {self.theirs.root().fen()} by {moves or 'no moves'}"
            )


def with_late_clock(board: chess.Board, rng: random.Random) -> chess.Board:
    """Now and then a game starts close to the fifty-move rule."""
    if rng.random() < 0.2:
        board.halfmove_clock = rng.randrange(80, 105)
        board.fullmove_number = rng.randrange(60, 300)
    return board


def standard_start(rng: random.Random) -> chess.Board:
    return with_late_clock(chess.Board(), rng)


def chess960_start(rng: random.Random) -> chess.Board:
    return with_late_clock(chess.Board.from_chess960_pos(rng.randrange(960)), rng)


def double960_start(rng: random.Random) -> chess.Board:
    board = chess.Board.empty(chess960=True)
    for squares in (chess.SQUARES[:16], chess.SQUARES[48:]):
        army = chess.Board.from_chess960_pos(rng.randrange(960))
        for square in squares:
            board.set_piece_at(square, army.piece_at(square))
    board.castling_rights = board.rooks
    return with_late_clock(board, rng)


def scattered_start(rng: random.Random) -> chess.Board:
    """Pieces thrown on the board, pawns mostly about to promote, sometimes rights and en passant."""
    while True:
        board = chess.Board.empty(chess960=True)
        free = list(chess.SQUARES)
        rng.shuffle(free)
        for colour in chess.COLORS:
            army = scattered_army(rng)
            back_rank = chess.BB_RANK_1 if colour else chess.BB_RANK_8
            for piece_type in army:
                square = free.pop()
                if piece_type == chess.PAWN:
                    rank = rng.choice((1, 2, 3, 4, 5, 6, 6, 6, 6))
                    square = chess.square(rng.randrange(8), rank if colour else 7 - rank)
                elif piece_type in (chess.KING, chess.ROOK) and rng.random() < 0.6:
                    square = chess.square(rng.randrange(8), 0 if colour else 7)
                if not board.piece_at(square):
                    board.set_piece_at(square, chess.Piece(piece_type, colour))
            if rng.random() < 0.7:
                board.castling_rights |= board.rooks & board.occupied_co[colour] & back_rank
        board.turn = rng.random() < 0.5
        board.castling_rights = board.clean_castling_rights()
        board.ep_square = scattered_en_passant(board, rng)
        board.halfmove_clock = 0 if board.ep_square else rng.choice((0, 0, 0, 30, 97, 99, 100, 150))
        if board.is_valid():
            return board


def scattered_army(rng: random.Random) -> list[chess.PieceType]:
    pawns = rng.randrange(9)
    army = [chess.KING] + [chess.PAWN] * pawns
    for _ in range(rng.randrange(9 - pawns)):  # promoted from the missing pawns
        army.append(rng.choice((chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)))
    for piece_type, count in PIECES_AT_START.items():
        army += [piece_type] * rng.randrange(count + 1)
    return army


def scattered_en_passant(board: chess.Board, rng: random.Random) -> chess.Square | None:
    """A square some pawn of the side not to move may just have passed over, if there is one."""
    step = 8 if board.turn else -8
    rank = 4 if board.turn else 3
    squares = [
        pawn + step
        for pawn in board.pieces(chess.PAWN, not board.turn)
        if chess.square_rank(pawn) == rank and not board.piece_at(pawn + step) and not board.piece_at(pawn + 2 * step)
    ]
    return rng.choice(squares) if squares and rng.random() < 0.7 else None


STARTS: dict[str, Callable[[random.Random], chess.Board]] = {
    "standard": standard_start,
    "chess960": chess960_start,
    "double960": double960_start,
    "scattered": scattered_start,
}


def choose(pair: Pair) -> chess.Move | None:
    """A random legal move, leaning towards what is rare: castling, pawns, going back and forth."""
    board, rng = pair.theirs, pair.rng
    moves = list(board.legal_moves)
    if not moves:
        return None
    mood = rng.random()
    if mood < 0.01 and not board.is_check():
        return chess.Move.null()
    if rng.random() < pair.restless and len(board.move_stack) >= 2:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves:
            return back
    if mood < 0.15:
        moves = [move for move in moves if board.is_castling(move) or board.is_en_passant(move)] or moves
    elif mood < 0.35:
        moves = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN] or moves
    elif mood < 0.55:
        moves = [move for move in moves if board.is_capture(move)] or moves
    return rng.choice(moves)


def walk(kind: str, seed: int, positions: int, board_class: Callable[..., Any]) -> Iterator[Pair]:
    """Yields a pair at each of a number of positions of random games; the pair moves on between."""
    rng = random.Random(f"{kind} {seed}")
    left = positions
    while True:
        theirs = STARTS[kind](rng)
        chess960 = theirs.chess960
        ours = board_class(theirs.fen(shredder=chess960, en_passant="fen"), chess960=chess960)
        pair = Pair(ours, theirs, rng, restless=rng.choice((0.1, 0.1, 0.8)))
        for _ in range(rng.randrange(20, LONGEST_WALK)):
            if left == 0:
                return
            left -= 1
            yield pair
            move = choose(pair)
            if move is None:
                break
            pair.push(move)
        pair.rewind()
