"""Memory: taken when it is needed, all of it before a clock runs, and given back when a searcher is gone."""

import inspect
import random
import subprocess
import sys

import chess
import pytest
from support.uci import MIDDLEGAME, PATIENCE_S, Talk

from cythera import Position
from cythera.core import Searcher, check_intervals
from cythera.net.load import new_searcher

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def resident_mib(process="self"):
    with open(f"/proc/{process}/statm") as file:
        return int(file.read().split()[1]) * 4096 / 2**20


def run(code):
    code = inspect.getsource(resident_mib) + code
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    return [float(word) for word in done.stdout.split()]


@ON_LINUX
def test_a_table_gets_its_memory_by_touch_and_keeps_it_when_it_is_cleared():
    before, made, touched, cleared, gone = run("""
from cythera.core import Searcher
from cythera.board.position import Position
before = resident_mib()
searcher = Searcher(64, 1)
made = resident_mib()
searcher.touch(2)
touched = resident_mib()
searcher.go(Position(), nodes=2000)
searcher.clear()
cleared = resident_mib()
del searcher
print(before, made, touched, cleared, resident_mib())
""")
    assert made - before < 8
    assert touched - made > 60 and cleared - made > 60
    assert gone - before < 8


@ON_LINUX
def test_the_table_of_a_uci_engine_is_ready_before_readyok():
    talk = Talk()
    talk.send("setoption name Hash value 96", "isready")
    talk.until("readyok")
    assert resident_mib(talk.process.pid) > 100
    talk.send("ucinewgame", "isready")
    talk.until("readyok")
    assert resident_mib(talk.process.pid) > 100
    assert talk.end() == 0


@ON_LINUX
def test_an_engine_that_has_not_searched_takes_little_and_a_closed_one_nothing():
    alive, closed = run("""
from cythera import Engine, Limit
for _ in range(3):
    with Engine(hash_mib=1) as engine:
        engine.play("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", Limit(depth=3))
before = resident_mib()
engines = [Engine(hash_mib=1) for _ in range(100)]
alive = resident_mib() - before
for engine in engines:
    engine.close()
for _ in range(100):
    with Engine(hash_mib=1) as engine:
        engine.play("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", Limit(depth=3))
print(alive, resident_mib() - before)
""")
    assert alive < 100 * 0.5  # MiB; 5 each before
    assert closed < 20


def lines_of(searcher, fen=MIDDLEGAME, **limits):
    return searcher.go(Position(fen), **limits), searcher.nodes, searcher.hashfull


def test_a_cleared_table_is_like_a_new_one():
    fresh = lines_of(new_searcher(1), nodes=30_000)
    used = new_searcher(1)
    for fen in (MIDDLEGAME, chess.STARTING_FEN):
        lines_of(used, fen, nodes=50_000)
        used.clear()
        assert used.hashfull == 0
        assert lines_of(used, nodes=30_000) == fresh
        used.clear()
    used.clear()
    assert lines_of(used, nodes=30_000) == fresh


def test_touching_changes_nothing_that_was_found():
    searcher = new_searcher(2)
    lines_of(searcher, nodes=20_000)
    before = searcher.hashfull
    searcher.touch(3)
    searcher.touch()
    assert searcher.hashfull == before > 0
    for threads in (0, 1025):
        with pytest.raises(ValueError, match="threads must be between 1 and 1024"):
            searcher.touch(threads)


def intervals_at(us_per_node, looks=20):
    """The nodes between two looks at the limits at this speed, one after the other."""
    passed, last = [], 32
    for _ in range(looks):
        passed.append(int(last * us_per_node))
        last = check_intervals(passed)[-1]
    return check_intervals(passed)


@pytest.mark.parametrize("us_per_node", [0.3, 1, 10, 100, 1000, 5000])
def test_the_clock_is_looked_at_often_enough_whatever_the_speed(us_per_node):
    intervals = intervals_at(us_per_node)
    assert 32 * us_per_node <= 20_000 or intervals[0] <= 2
    assert all(nodes == 1 or nodes * us_per_node <= 4_000 for nodes in intervals[1:])
    if us_per_node <= 0.3:
        assert intervals[-1] == 1024


def test_a_search_that_was_slow_becomes_fast_again():
    assert check_intervals([50_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])[-1] == 1024


def board_of(rng, pieces):
    """A random board with these pieces for White against a king, as python-chess has it."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), len(pieces) + 2)
        for letter, square in zip(pieces, squares, strict=False):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.set_piece_at(squares[-2], chess.Piece.from_symbol("K"))
        board.set_piece_at(squares[-1], chess.Piece.from_symbol("k"))
        if board.is_valid():
            return board


@pytest.mark.parametrize("pieces", ["Q" * 15, "R" * 15, "B" * 15, "N" * 15, "QQQQQQQRRRRBBBN"])
def test_boards_that_no_game_leads_to_are_searched_all_the_same(pieces):
    rng = random.Random(pieces)
    for number in range(30):
        board = board_of(rng, pieces)
        position = Position(board.fen())
        moves = {str(move) for move in position.legal_moves()}
        assert moves == {move.uci() for move in board.legal_moves}
        if number < 3:
            assert Searcher(1, 1).go(position, nodes=2000)[0].moves[0] in moves


def test_more_moves_than_any_real_position_has_are_all_found():
    fen = "2k2K1Q/Q4Q2/3Q4/1Q4Q1/4Q3/Q7/Q6Q/Q2QQQQ1 w - - 0 1"
    moves = {str(move) for move in Position(fen).legal_moves()}
    assert len(moves) == 225 and moves == {move.uci() for move in chess.Board(fen).legal_moves}
    assert len(Searcher(1, 1).go(Position(fen), depth=1, multipv=256)) == 225


def test_seven_knights_and_eight_pawns_are_accepted(talk):
    fen = "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w - - 0 1"
    assert Position(fen).perft(3) > 8000
    assert talk.go("depth 6", f"fen {fen}")[1][0] == "bestmove"
