"""`cythera.Engine` with many positions, in asyncio, and thousands of times over: nothing is left behind."""

import asyncio
import gc
import os
import signal
import threading

import pytest
from support.engines import some_boards, threads_of_ours, wait_for_no_threads
from support.uci import MATE_IN_ONE, MATED, MIDDLEGAME

import cythera
from cythera import Engine, InvalidFenError, Limit, Score

# Side by side


def test_engines_do_not_disturb_each_other():
    with Engine(hash_mib=1) as alone:
        expected = [alone.analyse(fen, Limit(nodes=4000)).moves for fen in (MIDDLEGAME,)]
    results = [None] * 6

    def think(i):
        with Engine(hash_mib=1) as engine:
            results[i] = engine.analyse(MIDDLEGAME, Limit(nodes=4000)).moves

    threads = [threading.Thread(target=think, args=(i,)) for i in range(len(results))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == expected * len(results)


def test_many_positions_are_answered_in_order_whatever_the_number_of_workers(engine):
    boards = some_boards(60)
    expected = []
    for board in boards:
        engine.new_game()
        expected.append(engine.analyse(board, Limit(nodes=600)))
    for workers in (1, 2, 5):
        lines = list(engine.analyse_many(boards, Limit(nodes=600), workers=workers))
        assert [(line.moves, line.score, line.nodes) for line in lines] == [
            (line.moves, line.score, line.nodes) for line in expected
        ]


def test_many_positions_with_several_lines_each(engine):
    for lines in engine.analyse_many([MIDDLEGAME, MATE_IN_ONE, MATED], Limit(depth=3), multipv=2):
        assert 1 <= len(lines) <= 2


def test_input_is_taken_only_a_little_ahead(engine):
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield MIDDLEGAME

    results = engine.analyse_many(endless(), Limit(nodes=100), workers=2)
    for i in range(1, 200):
        next(results)
        assert taken <= i + 16
    results.close()
    wait_for_no_threads()


def test_a_bad_position_among_many_fails_in_its_turn(engine):
    results = engine.analyse_many([MIDDLEGAME, MATED, "rubbish", MIDDLEGAME], Limit(nodes=100), workers=2)
    assert next(results).moves and next(results).score == Score(mate=0)
    with pytest.raises(InvalidFenError, match="position 3: "):
        next(results)
    assert list(results) == []
    wait_for_no_threads()


def test_an_error_of_the_input_reaches_the_caller(engine):
    def failing():
        yield MIDDLEGAME
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(engine.analyse_many(failing(), Limit(nodes=100)))
    wait_for_no_threads()


def test_many_positions_that_nobody_waits_for_are_given_up(engine):
    results = engine.analyse_many([MIDDLEGAME] * 50, Limit(time_s=3600), workers=2, multipv=1)
    results._fill()
    assert threads_of_ours()
    del results
    gc.collect()
    wait_for_no_threads()


# asyncio


def test_async_twins_answer_as_the_others_do(engine):
    async def scenario():
        assert (await engine.play_async(MATE_IN_ONE, Limit(depth=3))).uci == "a1a8"
        assert (await engine.analyse_async(MATE_IN_ONE, Limit(depth=3))).score == Score(mate=1)
        assert len(await engine.analyse_async(MIDDLEGAME, Limit(depth=3), multipv=2)) == 2
        async with engine.analysis_async(MIDDLEGAME, Limit(depth=5)) as analysis:
            assert [line.depth async for line in analysis] == [1, 2, 3, 4, 5]
        assert (await analysis.wait())[0].depth == 5
        async with engine.analysis_async(MIDDLEGAME) as analysis:
            async for line in analysis:
                if line.depth == 4:
                    break
        assert analysis.lines[0].depth >= 4
        boards = some_boards(10)
        lines = [line async for line in engine.analyse_many_async(boards, Limit(nodes=200), workers=2)]
        assert [line.turn for line in lines] == ["w" if board.turn else "b" for board in boards]
        both = [lines async for lines in engine.analyse_many_async(boards, Limit(nodes=200), 2, workers=2)]
        assert [len(lines) for lines in both] == [min(2, board.legal_moves.count()) for board in boards]

    asyncio.run(scenario())
    wait_for_no_threads()


def test_the_event_loop_runs_while_the_engine_thinks(engine):
    async def scenario():
        beats = 0

        async def beat():
            nonlocal beats
            while True:
                await asyncio.sleep(0)
                beats += 1

        heart = asyncio.create_task(beat())
        await engine.analyse_async(MIDDLEGAME, Limit(nodes=50_000))
        heart.cancel()
        return beats

    assert asyncio.run(scenario()) > 10


def test_cancelling_stops_the_search(engine):
    async def scenario():
        for start in (
            lambda: engine.play_async(MIDDLEGAME, Limit(time_s=3600)),
            lambda: engine.analyse_async(MIDDLEGAME, Limit(time_s=3600)),
        ):
            task = asyncio.create_task(start())
            while not engine._session.busy.locked():
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert (await engine.play_async(MATE_IN_ONE, Limit(depth=2))).uci == "a1a8"

    asyncio.run(scenario())
    wait_for_no_threads()


def test_several_engines_think_at_once_in_one_loop():
    async def scenario():
        engines = [Engine(hash_mib=1) for _ in range(3)]
        played = await asyncio.gather(*(engine.play_async(MIDDLEGAME, Limit(nodes=2000)) for engine in engines))
        for engine in engines:
            engine.close()
        return {move.uci for move in played}

    assert len(asyncio.run(scenario())) == 1


# Nothing is left behind


def memory_kib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def use_engines(count):
    for i in range(count):
        with Engine(hash_mib=1) as engine:
            if i % 20 == 0:
                engine.analyse(MIDDLEGAME, Limit(nodes=200))
            if i % 100 == 0:
                analysis = engine.analysis(MIDDLEGAME)
                next(analysis)
    gc.collect()


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is read from /proc")  # noqa: PTH110
def test_thousands_of_engines_leave_nothing_behind():
    use_engines(300)
    before = memory_kib()
    use_engines(3000)
    assert memory_kib() - before < 4096, "3,000 engines of 1 MiB and more, and a few MiB are left"
    wait_for_no_threads()


def test_engines_that_are_never_closed_are_freed_too():
    engines = [Engine(hash_mib=1) for _ in range(20)]
    analyses = [engine.analysis(MIDDLEGAME) for engine in engines[:3]]
    del engines, analyses
    gc.collect()
    wait_for_no_threads()


def test_the_names_of_the_package_lead_to_the_engine():
    assert {"Engine", "Limit", "Score", "Line", "Played", "Analysis"} <= set(cythera.__all__)
    for name in cythera.__all__:
        assert getattr(cythera, name) is not None
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler, "signals are the program's own"
