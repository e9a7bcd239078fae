"""`cythera perft`, run as a user runs it."""

import subprocess
import sys

import pytest

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def cythera(*args):
    return subprocess.run([sys.executable, "-m", "cythera", *args], capture_output=True, text=True)


@pytest.mark.parametrize(
    ("args", "nodes"),
    [
        (["4"], 197_281),
        (["0"], 1),
        (["3", "--fen", KIWIPETE], 97_862),
        (["4", "--threads", "2"], 197_281),
        (["3", "--chess960", "--fen", "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1"], 9_697),
    ],
)
def test_the_count_is_printed_as_stockfish_prints_it(args, nodes):
    done = cythera("perft", *args)
    assert done.returncode == 0, done.stderr
    assert f"Nodes searched: {nodes}" in done.stdout.splitlines()


def test_divide_shows_the_count_behind_each_first_move():
    lines = cythera("perft", "3", "--divide", "--fen", KIWIPETE).stdout.splitlines()
    assert "e1g1: 2059" in lines
    assert "Nodes searched: 97862" in lines
    assert sum(int(line.split(": ")[1]) for line in lines[: lines.index("")]) == 97_862


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["61"], "depth must be between 0 and 60, got 61"),
        (["-1"], "depth must be between 0 and 60, got -1"),
        (["x"], "invalid int value"),
        (["3", "--threads", "0"], "--threads must be between 1 and 256, got 0"),
        (["3", "--threads", "5000"], "--threads must be between 1 and 256, got 5000"),
        (["3", "--fen", "nonsense"], "a FEN must have 4 or 6 fields"),
        (["3", "--fen", "1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1"], "is this Chess960?"),
        ([], "depth"),
    ],
)
def test_bad_arguments_end_in_a_sentence_and_exit_code_2(args, sentence):
    done = cythera("perft", *args)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
