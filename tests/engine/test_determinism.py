"""One thread is deterministic: in this process, in another, through UCI or not, on either build."""

import os
import subprocess
import sys

import pytest
from support.uci import MIDDLEGAME, PATIENCE_S, START, Talk

from cythera import Engine, Limit, _cpu
from cythera.engine.bench import SIGNATURE, bench

FENS = (START, MIDDLEGAME, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
SHORT_BENCH_DEPTH = 7


def through_uci(fens, limits, options=()):
    talk = Talk()
    for option in options:
        talk.ask(f"setoption name {option}")
    found = []
    for fen in fens:
        talk.ask("ucinewgame")
        info = talk.go(limits, f"fen {fen}")[0][-1]
        found.append((info["nodes"], info["score"], tuple(info["pv"]), info["seldepth"]))
    assert talk.end() == 0
    return found


def in_process(fens, limit, **options):
    found = []
    for fen in fens:
        with Engine(**options) as engine:
            line = engine.analyse(fen, limit)
        kind, value = line.score.uci().split()
        found.append((line.nodes, (kind, int(value)), line.moves, line.seldepth))
    return found


@pytest.mark.parametrize(("limits", "limit"), [("depth 9", Limit(depth=9)), ("nodes 15000", Limit(nodes=15_000))])
def test_the_same_search_is_the_same_tree_in_every_process_and_through_uci(limits, limit):
    uci = through_uci(FENS, limits)
    assert uci == through_uci(FENS, limits)
    assert uci == in_process(FENS, limit)


def test_a_new_game_is_as_good_as_a_new_process():
    with Engine() as engine:
        engine.analyse(MIDDLEGAME, Limit(nodes=30_000))
        engine.new_game()
        again = engine.analyse(START, Limit(depth=9))
    with Engine() as fresh:
        first = fresh.analyse(START, Limit(depth=9))
    assert (again.nodes, again.moves) == (first.nodes, first.moves)


def test_nodes_as_time_make_a_timed_search_repeatable():
    found = [through_uci(FENS, "wtime 3000 btime 3000 winc 50 binc 50", ["nodestime value 500"]) for _ in range(2)]
    assert found[0] == found[1]


def test_multipv_is_repeatable():
    with Engine() as one, Engine() as two:
        lines = [engine.analyse(MIDDLEGAME, Limit(depth=7), multipv=3) for engine in (one, two)]
    assert [(line.moves, line.nodes) for line in lines[0]] == [(line.moves, line.nodes) for line in lines[1]]


def bench_of(variant, depth):
    done = subprocess.run(
        [sys.executable, "-m", "cythera", "bench", str(depth)],
        env={**os.environ, "CYTHERA_VARIANT": variant},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S * 5,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[0])


@pytest.mark.parametrize("variant", ["v3", "v4"])
def test_the_bench_is_the_same_on_all_builds(variant):
    if not getattr(_cpu, f"supports_{variant}")():
        pytest.skip(f"this CPU does not run the x86-64-{variant} build")
    from importlib.util import find_spec

    if find_spec(f"cythera._core_{variant}") is None:
        pytest.skip(f"the x86-64-{variant} build is not installed")
    assert bench_of("generic", SHORT_BENCH_DEPTH) == bench_of(variant, SHORT_BENCH_DEPTH)


def test_the_bench_is_the_same_when_several_run_at_once():
    command = [sys.executable, "-m", "cythera", "bench", str(SHORT_BENCH_DEPTH)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = {process.communicate(timeout=PATIENCE_S * 5)[0].split()[0] for process in processes}
    assert len(answers) == 1


def test_the_last_line_of_the_bench_is_nodes_and_speed():
    done = subprocess.run([sys.executable, "-m", "cythera", "bench", "3"], capture_output=True, text=True)
    words = done.stdout.splitlines()[-1].split()
    assert words[0].isdigit() and words[1] == "nodes" and words[2].isdigit() and words[3] == "nps"


def test_the_bench_gives_the_signature_of_this_version():
    nodes, _ = bench()
    assert nodes == SIGNATURE, f"if this change is meant to play differently, set SIGNATURE in bench.py to {nodes}"
