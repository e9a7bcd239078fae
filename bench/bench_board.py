"""What the board costs, operation by operation, beside python-chess where it has the same one.

    pytest bench/bench_board.py --benchmark-enable
    pytest bench/bench_board.py --benchmark-enable --benchmark-autosave --benchmark-compare

The second keeps the numbers in .benchmarks/ and compares them with the last ones kept.
"""

import pickle

import chess
import pytest

from cythera import Position
from cythera.core import is_legal_word, move_words

FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
]
OPENING = (
    *("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"),
    *("e1g1", "f8e7", "f1e1", "b7b5", "a4b3", "d7d6", "c2c3", "e8g8"),
)
BOARDS = {"cythera": Position, "python-chess": chess.Board}


@pytest.fixture(params=FENS, ids=["start", "kiwipete", "endgame", "promotion", "middlegame"])
def fen(request):
    return request.param


@pytest.fixture(params=BOARDS)
def board(request):
    return BOARDS[request.param]


@pytest.mark.benchmark(group="perft, a million leaves or so, one thread")
@pytest.mark.parametrize("listed", [False, True], ids=["counted", "listed"])
def test_perft(benchmark, listed, fen):
    position = Position(fen)
    depth = next(depth for depth in range(4, 9) if position.perft(depth) > 400_000)
    benchmark(position.perft, depth, listed=listed)


@pytest.mark.benchmark(group="legal moves as a list of objects")
def test_generation(benchmark, board, fen):
    position = board(fen)
    if board is Position:
        benchmark(position.legal_moves)
    else:
        benchmark(lambda: list(position.legal_moves))


@pytest.mark.benchmark(group="legal moves as words")
def test_generation_of_words(benchmark, fen):
    benchmark(move_words, Position(fen))


@pytest.mark.benchmark(group="every legal move made and taken back")
def test_make_and_unmake(benchmark, board, fen):
    position = board(fen)
    moves = list(position.legal_moves() if board is Position else position.legal_moves)

    def make_all():
        for move in moves:
            position.push(move)
            position.pop()

    benchmark(make_all)


@pytest.mark.benchmark(group="an opening of 16 moves played from UCI text")
def test_opening(benchmark, board):
    def play():
        position = board()
        push = position.push if board is Position else position.push_uci
        for move in OPENING:
            push(move)

    benchmark(play)


@pytest.mark.benchmark(group="static exchange of every legal move")
def test_see(benchmark, fen):
    position = Position(fen)
    moves = position.legal_moves()
    benchmark(lambda: [position.see(move, 0) for move in moves])


@pytest.mark.benchmark(group="a test of a word, as for hash moves")
def test_legality_of_words(benchmark, fen):
    position = Position(fen)
    benchmark(lambda: [is_legal_word(position, word) for word in range(0, 65536, 64)])


@pytest.mark.benchmark(group="FEN read")
def test_fen_read(benchmark, board, fen):
    benchmark(board, fen)


@pytest.mark.benchmark(group="FEN written")
def test_fen_written(benchmark, board, fen):
    benchmark(board(fen).fen)


@pytest.mark.benchmark(group="copy with history")
def test_copy(benchmark, board):
    position = board()
    push = position.push if board is Position else position.push_uci
    for move in OPENING:
        push(move)
    benchmark(position.copy)


@pytest.mark.benchmark(group="pickled and back")
def test_pickle(benchmark):
    position = Position()
    for move in OPENING:
        position.push(move)
    benchmark(lambda: pickle.loads(pickle.dumps(position)))


@pytest.mark.benchmark(group="to a chess.Board and back")
def test_conversion(benchmark):
    position = Position()
    for move in OPENING:
        position.push(move)
    benchmark(lambda: Position.from_board(position.to_board()))
