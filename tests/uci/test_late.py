"""Answers on a loaded machine: given once, by the first thread that gets a processor."""

import io
import os
import threading
from time import monotonic, sleep

import pytest
from support.uci import PATIENCE_S

from cythera import Position
from cythera.core import Searcher
from cythera.engine.limits import Go
from cythera.engine.search_run import SearchRun
from cythera.engine.session import Session
from cythera.uci.answer import Answer
from cythera.uci.line_reader import LineReader
from cythera.uci.program import Uci

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes cannot be polled on Windows")


class Writes(io.StringIO):
    """A stream that remembers its pieces."""

    def __init__(self):
        super().__init__()
        self.pieces = []

    def write(self, text):
        self.pieces.append(text)
        return super().write(text)


@pytest.fixture
def pipe():
    read_end, write_end = os.pipe()
    with open(read_end, "rb", buffering=0) as reader, open(write_end, "wb", buffering=0) as writer:
        yield reader, writer


@pytest.mark.parametrize("cut", [1, 3, 7, 1000])
def test_lines_are_read_as_they_are_however_they_arrive(pipe, cut):
    stream, writer = pipe
    text = b"uci\r\n\nposition startpos\ngo depth 3\n\n" + b"x" * 5000 + b"\nlast"
    reader = LineReader(stream)
    found = []
    for at in range(0, len(text), cut):
        writer.write(text[at : at + cut])
        while (line := reader.line(0.0)) is not None:
            found.append(line)
    writer.close()
    while line := reader.line():
        found.append(line)
    assert found == io.BytesIO(text).readlines()
    assert reader.line() == b""


def test_a_stream_without_a_file_is_read_too():
    reader = LineReader(io.BytesIO(b"uci\nquit"))
    assert [reader.line(), reader.line(0.0), reader.line()] == [b"uci\n", b"quit", b""]


def test_the_reading_thread_answers_for_a_search_that_gets_no_processor(pipe, monkeypatch):
    stream, writer = pipe
    processor = threading.Event()  # what the search waits for

    def search(self):
        lines = self.searcher.go(self.position, depth=3, listener=self.after_iteration)
        processor.wait(PATIENCE_S)
        return lines

    monkeypatch.setattr(SearchRun, "search", search)
    out = io.StringIO()
    program = Uci(out)
    program.handle("position startpos moves e2e4")
    program.handle("go movetime 30")
    read = []
    thread = threading.Thread(target=lambda: read.append(program.read(LineReader(stream))))
    thread.start()
    deadline = monotonic() + PATIENCE_S
    while "bestmove" not in out.getvalue() and monotonic() < deadline:
        sleep(0.01)
    answer = out.getvalue()
    assert "bestmove" in answer and not processor.is_set()
    last_line = [line for line in answer.splitlines() if " pv " in line][-1]
    assert last_line.split(" pv ")[1].split()[0] == answer.split("bestmove ")[1].split()[0]
    processor.set()
    writer.write(b"isready\n")
    thread.join(PATIENCE_S)
    assert read == [b"isready\n"]
    program.handle("ucinewgame")  # waits for the search
    assert out.getvalue() == answer  # nothing more is said of it
    program.close()


def test_a_late_answer_prints_the_line_it_plays_if_that_is_not_printed_yet():
    run = SearchRun(Searcher(1, 1), Position(), Go(movetime=1000))
    run.run()
    older, newer = run.infos(run.searcher.go(Position(), depth=3)), run.infos(run.searcher.go(Position(), depth=4))
    said = []
    answer = Answer(lambda *lines: said.extend(lines), show_wdl=False)
    answer.run, run.latest = run, newer
    answer.info(older[0])
    answer.give_late()
    assert [line.split()[:3] for line in said[:-1]] == [["info", "depth", "3"], ["info", "depth", "4"]]
    assert said[-1].split()[1] == newer[0].pv[0]
    said.clear()
    answer = Answer(lambda *lines: said.extend(lines), show_wdl=False)
    answer.run = run
    answer.info(newer[0])
    answer.give_late()
    assert [line.split()[0] for line in said] == ["info", "bestmove"]


def test_a_search_without_a_clock_is_waited_for(pipe):
    program = Uci(io.StringIO())
    program.handle("go infinite")
    assert program.answer.due_s is None
    program.handle("stop")
    program.wait()
    program.handle("go ponder movetime 1000")
    assert program.answer.due_s is None
    program.handle("ponderhit")
    assert program.answer.due_s is not None
    program.close()


def test_the_last_line_and_the_move_are_written_in_one_piece():
    out = Writes()
    program = Uci(out)
    program.handle("position startpos")
    program.handle("go nodes 700")
    program.wait()
    program.close()
    assert out.pieces[-1].startswith("info ") and "\nbestmove " in out.pieces[-1]


def test_the_clock_tells_of_time_lost_on_the_way():
    program = Uci(io.StringIO())
    program.handle("go wtime 10000 btime 10000 winc 100 binc 100 depth 1")
    program.wait()
    run = program.answer.run
    run.answered_s = run.started_s + 0.05
    program.handle("go wtime 9800 btime 10000 winc 100 binc 100 depth 1")  # 10000 + 100 - 50 - 250
    program.wait()
    assert program.session.lag.largest_ms == pytest.approx(250)
    program.handle("ucinewgame")
    program.handle("go wtime 5000 btime 10000 depth 1")  # another game
    program.wait()
    assert program.session.lag.largest_ms == pytest.approx(250)
    program.close()


def test_a_command_after_the_end_of_a_search_waits_for_its_answer(monkeypatch):
    """Between the two, on a loaded machine, there may be milliseconds."""
    processor = threading.Event()
    real = Uci.conclude

    def conclude(self, *args):
        processor.wait(PATIENCE_S)
        real(self, *args)

    monkeypatch.setattr(Uci, "conclude", conclude)
    out = io.StringIO()
    program = Uci(out)
    idle = Session.idle
    program.handle("go depth 1")
    monkeypatch.setattr(Session, "idle", lambda self, what="": (processor.set(), idle(self, what))[1])
    while program.search.run.state != "done":
        sleep(0.001)
    program.search.outcome.finished = False  # as it is before the callbacks begin
    program.handle("ucinewgame")
    assert "bestmove" in out.getvalue() and "error" not in out.getvalue()
    program.close()


def test_a_search_with_helper_threads_makes_no_thread_of_python():
    """A thread of Python waits for the GIL at its beginning and its end, and with it the answer."""
    before, counts = threading.active_count(), []
    lines = Searcher(1, 4).go(Position(), depth=7, listener=lambda *_: counts.append(threading.active_count()))
    assert lines and set(counts) == {before}
