"""`analyse_many` with tables that are shared by blocks: quick, and still the same for any workers."""

import itertools
import os

import chess
import pytest

from cythera import Engine, InvalidFenError, Limit
from cythera.engine.batch import BLOCK, table_mib


def boards(count):
    """Positions of games that follow their moves, as they come in practice."""
    import random

    rng = random.Random(3)
    board = chess.Board()
    for _ in range(count):
        yield board.fen()
        if board.is_game_over() or len(board.move_stack) > 60:
            board = chess.Board()
        else:
            board.push(rng.choice(list(board.legal_moves)))


def found(lines):
    return [(line.moves, line.score, line.nodes, line.depth, line.bound) for line in lines]


@pytest.mark.parametrize("limit", [Limit(nodes=300), Limit(depth=3)])
def test_shared_tables_give_the_same_for_any_workers(limit):
    count = 5 * BLOCK + 3
    with Engine(hash_mib=1) as engine:
        once = found(engine.analyse_many(boards(count), limit, workers=1, fresh=False))
        assert len(once) == count
        for workers in (2, 5):
            assert found(engine.analyse_many(boards(count), limit, workers=workers, fresh=False)) == once


def test_a_block_begins_with_an_empty_table():
    fens = list(boards(2 * BLOCK))
    with Engine(hash_mib=1) as engine:
        both = found(engine.analyse_many(fens, Limit(nodes=500), workers=1, fresh=False))
        second = found(engine.analyse_many(fens[BLOCK:], Limit(nodes=500), workers=1, fresh=False))
    assert both[BLOCK:] == second


def test_lean_searches_report_what_full_ones_do():
    fens = list(boards(30))
    for limit in (Limit(nodes=700), Limit(depth=4), Limit(nodes=1), Limit(mate=1, depth=4)):
        with Engine(hash_mib=1) as engine:
            many = list(engine.analyse_many(fens, limit, workers=1))
            for fen, line in zip(fens, many, strict=True):
                engine.new_game()
                assert found([engine.analyse(fen, limit)]) == found([line])


def test_a_bad_position_in_a_block_fails_in_its_turn():
    fens = [*boards(BLOCK + 2), "rubbish", *boards(3)]
    with Engine(hash_mib=1) as engine:
        results = engine.analyse_many(fens, Limit(nodes=100), workers=2, fresh=False)
        assert len(list(itertools.islice(results, BLOCK + 2))) == BLOCK + 2
        with pytest.raises(InvalidFenError, match=f"position {BLOCK + 3}: "):
            next(results)


def test_the_table_is_as_large_as_a_search_can_fill():
    assert table_mib(256, Limit(nodes=1000)) == 1
    assert table_mib(256, Limit(nodes=10**9)) == table_mib(256, Limit(time_s=1)) == 256
    sizes = [table_mib(256, Limit(nodes=nodes)) for nodes in range(1000, 5_000_000, 50_000)]
    assert sizes == sorted(sizes)


def memory_kib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is read from /proc")  # noqa: PTH110
@pytest.mark.parametrize("fresh, count", [(True, 4000), (False, 20_000)])
def test_thousands_of_positions_take_no_more_memory_than_a_few(fresh, count):
    source = itertools.cycle(list(boards(500)))
    with Engine(hash_mib=1) as engine:
        results = engine.analyse_many(source, Limit(nodes=1), workers=2, fresh=fresh)
        for _ in itertools.islice(results, 1000):
            pass
        before = memory_kib()
        for _ in itertools.islice(results, count):
            pass
        grown = memory_kib() - before
        results.close()
    assert grown < 2048, f"{grown} KiB more after {count} positions"
