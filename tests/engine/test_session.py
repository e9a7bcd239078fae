"""The session under UCI and the Python API: options with callbacks, one search at a time, one state."""

import copy
import os
import pickle
import subprocess
import sys
import threading

import pytest
from support.uci import MIDDLEGAME, ONE_MOVE, STALEMATE

from cythera.board.position import Position
from cythera.core import Searcher, SearchLine
from cythera.engine import search_run
from cythera.engine.handle import Search
from cythera.engine.limits import Go, Limit
from cythera.engine.options import OPTIONS
from cythera.engine.search_run import DONE, PONDERING, SEARCHING, STOPPING, WAITING, SearchRun
from cythera.engine.session import Session
from cythera.engine.time_manager import LEAST_MS
from cythera.errors import CytheraError, EngineBusyError, EngineClosedError, NetError, OptionError

PATIENCE_S = 120


@pytest.fixture
def session():
    session = Session(hash_mib=1)
    yield session
    session.close()


def wait_for(event):
    assert event.wait(PATIENCE_S)


class Watch:
    """Hears the infos of a search."""

    def __init__(self):
        self.infos = []
        self.first = threading.Event()

    def __call__(self, info):
        self.infos.append(info)
        self.first.set()


def test_every_option_that_does_something_carries_its_callback(session):
    applied = {option.name for option in OPTIONS if option.apply is not None}
    assert applied == {"Hash", "Threads", "Clear Hash", "EvalFile", "Book File"}
    session.set_option("hash", "2")
    session.set_option("THREADS", "2")
    assert (session.searcher.hash_mib, session.searcher.threads) == (2, 2)
    assert (session.options["Hash"], session.options["Threads"]) == (2, 2)


def test_a_front_end_is_called_with_the_new_value_and_can_refuse_it(session):
    seen = []
    session.on_option["UCI_Chess960"] = seen.append
    session.set_option("UCI_Chess960", "true")
    assert seen == [True] and session.options["UCI_Chess960"] is True

    def refuse(value):
        raise OptionError("no")

    session.on_option["UCI_Chess960"] = refuse
    with pytest.raises(OptionError, match="no"):
        session.set_option("UCI_Chess960", "false")
    assert session.options["UCI_Chess960"] is True


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [("Hash", "0", OptionError), ("Hash", str(1 << 20), OptionError), ("Threads", "x", OptionError),
     ("EvalFile", "/no/such.net", NetError), ("Book File", "/no/such.bin", CytheraError), ("Hush", "1", OptionError)],
)  # fmt: skip
def test_a_value_that_is_refused_changes_nothing(session, name, value, error):
    before = dict(session.options.values)
    with pytest.raises(error):
        session.set_option(name, value)
    assert session.options.values == before and session.searcher.hash_mib == 1
    with session.idle():
        pass


def test_while_a_search_runs_others_are_refused_and_one_that_stops_is_waited_for(session):
    watch = Watch()
    search = session.start(Position(MIDDLEGAME), Go(infinite=True), on_info=watch)
    wait_for(watch.first)
    for busy in (
        lambda: session.start(Position(), Go(depth=1)),
        lambda: session.set_option("Hash", "2"),
        lambda: session.set_option("Clear Hash", None),
        session.new_game,
        lambda: session.evaluate(Position()),
    ):
        with pytest.raises(EngineBusyError, match="is not possible while the engine is searching; stop it first"):
            busy()
    session.set_option("MultiPV", "3")  # what needs no idle searcher can be set
    session.stop()
    again = session.start(Position(), Go(depth=1), multipv=1)
    assert search.wait() and len(again.wait()) == 1


def test_a_closed_session_says_so_and_closing_ends_the_search():
    session = Session(hash_mib=1)
    search = session.start(Position(), Go(infinite=True))
    session.close()
    session.close()
    assert search.outcome.done.is_set()
    for call in (session.new_game, lambda: session.start(Position(), Go(depth=1)), session.idle):
        with pytest.raises(EngineClosedError):
            call()


def test_a_search_that_is_dropped_stops_by_itself(session):
    session.start(Position(), Go(infinite=True))  # nobody keeps it
    for _ in range(1000):
        if not session.busy.locked():
            break
        threading.Event().wait(0.1)
    assert session.start(Position(), Go(depth=1)).wait()


def run_of(go, **settings):
    return SearchRun(Searcher(1, 1), Position(settings.pop("fen", MIDDLEGAME)), go, **settings)


def started(run):
    search = Search(run, lambda: None)
    search.start()
    return search


def test_a_search_is_searching_then_done():
    run = run_of(Go(depth=3))
    assert run.state == SEARCHING and not run.is_stopping
    assert run.run()[0].depth == 3
    assert run.state == DONE
    run.stop()
    run.ponderhit()
    assert run.state == DONE


def test_an_infinite_search_that_is_over_waits_for_stop():
    watch = Watch()
    run = run_of(Go(depth=1, infinite=True), on_info=watch)
    search = started(run)
    for _ in range(1000):
        if run.state == WAITING:
            break
        threading.Event().wait(0.1)
    assert run.state == WAITING and not search.outcome.done.is_set()
    run.ponderhit()  # means nothing here
    assert not search.outcome.done.wait(0.05)
    run.stop()
    assert run.state in (STOPPING, DONE) and search.wait()[0].pv


def test_pondering_becomes_searching_by_a_hit_and_then_the_clock_ends_it():
    watch = Watch()
    run = run_of(Go(wtime=40, btime=40, ponder=True), on_info=watch)
    search = started(run)
    wait_for(watch.first)
    assert run.state in (PONDERING, WAITING)
    run.ponderhit()
    assert search.wait() and run.state == DONE


def test_a_hit_before_the_thread_has_started_is_not_lost():
    run = run_of(Go(wtime=40, btime=40, ponder=True))
    run.ponderhit()
    assert run.state == SEARCHING
    assert run.run() and run.state == DONE


def test_a_stop_before_the_thread_has_started_is_not_lost():
    run = run_of(Go(infinite=True))
    run.stop()
    assert run.is_stopping
    assert run.run()[0].pv and run.state == DONE


def test_a_run_that_is_watched_finds_the_same_as_one_that_is_not():
    watch = Watch()
    seen, unseen = run_of(Go(nodes=5000), multipv=3, on_info=watch), run_of(Go(nodes=5000), multipv=3)
    lines = [[(info.pv, info.value, info.depth, info.multipv) for info in run.run()] for run in (seen, unseen)]
    assert lines[0] == lines[1] and len(lines[0]) == 3 and len(watch.infos) > 3


def test_a_node_cap_and_a_choice_replace_what_is_reported():
    watch = Watch()
    run = run_of(Go(depth=30), multipv=4, node_cap=2000, choose=lambda infos: infos[2], on_info=watch)
    (info,) = run.run()
    assert watch.infos == [info] and info.multipv == 1 and info.nodes <= 2000


def test_an_only_move_ends_a_timed_search_after_one_iteration():
    assert run_of(Go(wtime=60_000, btime=60_000), fen=ONE_MOVE).run()[0].depth == 1
    assert run_of(Go(depth=4), fen=ONE_MOVE).run()[0].depth == 4


def test_a_finished_game_has_no_lines():
    assert run_of(Go(depth=3), fen=STALEMATE).run() == []


def test_a_thread_that_cannot_be_started_ends_the_search_and_frees_the_session(session, monkeypatch):
    def fail(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", fail)
    search = session.start(Position(), Go(depth=1))
    monkeypatch.undo()
    with pytest.raises(RuntimeError, match="can't start new thread"):
        search.wait()
    assert session.start(Position(), Go(depth=1)).wait()


@pytest.mark.parametrize("is_started", [False, True])
def test_a_start_that_is_interrupted_leaves_the_session_free(session, monkeypatch, is_started):
    real = threading.Thread.start

    def interrupt(self):
        if is_started:
            real(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupt)
    with pytest.raises(KeyboardInterrupt):
        session.start(Position(), Go(infinite=True))
    monkeypatch.undo()
    assert session.start(Position(), Go(depth=1)).wait()


class Scripted:
    """A searcher that reports one line after an iteration and then returns another, with the same node count."""

    nodes, hashfull, table_hits = 1000, 0, 0

    def __init__(self, reported, returned):
        self.reported, self.returned = reported, returned
        self.hard_ms = None

    def go(self, position, **settings):
        self.hard_ms = settings["hard_ms"]
        settings["listener"](self, [self.reported])
        return [self.returned]

    def best_move_share(self):
        return 0.5

    def stop(self):
        pass


def test_the_line_that_is_played_is_the_last_reported_one_though_no_node_was_searched_since():
    watch = Watch()
    scripted = Scripted(
        SearchLine(["e2e4", "e7e5"], 10, "exact", 5, 7), SearchLine(["d2d4", "d7d5"], 12, "exact", 5, 6)
    )
    (info,) = SearchRun(scripted, Position(), Go(depth=5), on_info=watch).run()
    assert [info.pv[0] for info in watch.infos] == ["e2e4", "d2d4"] and watch.infos[-1] is info


def test_the_same_line_is_not_reported_twice():
    watch = Watch()
    line = SearchLine(["e2e4", "e7e5"], 10, "exact", 5, 7)
    SearchRun(Scripted(line, line), Position(), Go(depth=5), on_info=watch).run()
    assert len(watch.infos) == 1


def test_time_that_passed_before_the_search_got_the_processor_is_taken_off_its_limit(monkeypatch):
    line = SearchLine(["e2e4", "e7e5"], 10, "exact", 5, 7)
    scripted = Scripted(line, line)
    run = SearchRun(scripted, Position(), Go(movetime=500), overhead_ms=10, started_s=100.0)
    monkeypatch.setattr(search_run, "perf_counter", lambda: 100.150)
    run.run()
    assert scripted.hard_ms == pytest.approx(340)
    late = SearchRun(scripted, Position(), Go(movetime=500), overhead_ms=10, started_s=99.0)
    late.run()
    assert scripted.hard_ms == LEAST_MS


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_process_that_is_forked_during_a_search_can_close_its_engine_and_end():
    code = (
        "import os, sys, time\n"
        "import cythera\n"
        "engine, idle = cythera.Engine(hash_mib=1), cythera.Engine(hash_mib=1)\n"
        "analysis = engine.analysis(cythera.Position())\n"
        "next(analysis)\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    try:\n"
        "        engine.play(cythera.Position(), cythera.Limit(depth=1))\n"
        "    except cythera.EngineClosedError as error:\n"
        "        assert 'forked' in str(error), error\n"
        "    else:\n"
        "        raise SystemExit('the search is not here')\n"
        "    assert idle.play(cythera.Position(), cythera.Limit(depth=1)).uci\n"
        "    analysis.stop()\n"
        "    engine.close()\n"
        "    sys.exit(7)\n"
        "_, status = os.waitpid(child, 0)\n"
        "assert os.waitstatus_to_exitcode(status) == 7, status\n"
        "engine.stop()\n"
        "assert analysis.wait()\n"
        "engine.close()\n"
    )
    # Python 3.12 and later warn of any fork with several threads.
    command = [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_an_engine_cannot_be_copied(engine, copied):
    with pytest.raises(TypeError, match="an Engine cannot be copied or pickled"):
        copied(engine)
    assert engine.play(Position(), Limit(depth=1)).uci
