"""Perft: exact counts of move sequences, the proof of move generation, make and unmake."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
CORPORA = ("standard", "chess960", "double960")
MOST_NODES_TWICE = 10_000_000  # for ways of counting that need no second full run


def corpus(name):
    """FEN -> {depth: leaves}, from the file of that name."""
    rows = {}
    for line in (HERE / f"{name}.epd").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            fen, *counts = line.split(" ;")
            rows[fen] = {int(depth[1:]): int(leaves) for depth, leaves in map(str.split, counts)}
    return rows


def deepest(counts, most_nodes):
    depth = max(depth for depth, leaves in counts.items() if leaves <= most_nodes)
    return depth, counts[depth]


@pytest.mark.parametrize("name", CORPORA)
def test_perft_counts_are_exact_at_every_depth(core, name):
    for fen, counts in corpus(name).items():
        board = core.Board(fen, chess960=name != "standard")
        assert {depth: board.perft(depth) for depth in counts} == counts, fen


@pytest.mark.parametrize("name", CORPORA)
def test_perft_with_listed_leaves_counts_the_same(core, name):
    for fen, counts in corpus(name).items():
        depth, leaves = deepest(counts, MOST_NODES_TWICE)
        assert core.Board(fen, chess960=name != "standard").perft(depth, listed=True) == leaves, fen


@pytest.mark.parametrize("name", CORPORA)
def test_perft_with_two_threads_counts_the_same(core, name):
    for fen, counts in corpus(name).items():
        depth, leaves = deepest(counts, MOST_NODES_TWICE)
        board = core.Board(fen, chess960=name != "standard")
        assert board.perft(depth, threads=2) == leaves, fen
        assert board.perft(depth, 2, listed=True) == leaves, fen


@pytest.mark.parametrize("name", CORPORA)
def test_divide_sums_to_perft_and_names_the_legal_moves(core, name):
    for fen, counts in corpus(name).items():
        board = core.Board(fen, chess960=name != "standard")
        parts = board.divide(3)
        assert sum(parts.values()) == counts[3], fen
        assert sorted(parts) == sorted(move.uci() for move in board.legal_moves()), fen


def test_there_are_at_least_fifty_chess960_and_fifty_double_chess960_positions():
    assert len(corpus("chess960")) >= 50
    assert len(corpus("double960")) >= 50


def test_perft_to_depth_zero_counts_the_position_itself(core):
    assert core.Board().perft(0) == 1


def test_perft_where_no_move_is_left_is_zero(core):
    stalemate = core.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert [stalemate.perft(depth) for depth in (1, 2, 3, 4)] == [0, 0, 0, 0]
    assert stalemate.perft(4, threads=2) == 0
    assert stalemate.divide(2) == {}


def test_perft_leaves_the_position_and_its_history_alone(core):
    board = core.Board()
    board.push("e2e4")
    board.push_null()
    board.push("e4e5")
    before = board.fen(), board.key, board.history()
    board.perft(4)
    board.perft(3, threads=3)
    board.divide(2)
    assert (board.fen(), board.key, board.history()) == before


def test_perft_is_exact_deep_inside_a_long_game(core):
    board = core.Board()
    for _ in range(200):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push(move)
    assert board.perft(4) == 197_281


@pytest.mark.parametrize("depth", [-1, 61, 10**9])
def test_perft_refuses_impossible_depths(core, depth):
    for count in (core.Board().perft, core.Board().divide):
        with pytest.raises(ValueError, match="depth must be between 0 and 60"):
            count(depth)


@pytest.mark.parametrize("threads", [0, -1, 257, 10**6])
def test_perft_refuses_impossible_numbers_of_threads(core, threads):
    with pytest.raises(ValueError, match="threads must be between 1 and 256"):
        core.Board().perft(3, threads)


def test_the_two_builds_are_two_builds():
    from cythera import _cpu

    if not _cpu.supports_v3():
        pytest.skip("this CPU does not run the x86-64-v3 build")
    from cythera import _core_generic

    v3 = pytest.importorskip("cythera._core_v3")
    assert v3.build_info()["pext"]
    assert not _core_generic.build_info()["pext"]
