"""Ctrl-C at any moment ends the UCI program quietly."""

import os
import signal
import subprocess
import sys

import pytest
from support.uci import HOME, PATIENCE_S, Talk

from cythera.uci.interrupts import Interrupts

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are another thing on Windows")

# A program that gets SIGINT at the worst moments: just before and just after a thread is started, and while it closes.
CODE = """
import os, signal, sys, threading
real_start = threading.Thread.start
def start(self):
    {before}
    real_start(self)
    {after}
threading.Thread.start = start
from cythera.uci import program
real_close = program.Uci.close
def close(self):
    {closing}
    real_close(self)
program.Uci.close = close
sys.exit(program.main([]))
"""
KILL = "os.kill(os.getpid(), signal.SIGINT)"


@pytest.mark.parametrize("moment", ["before", "after", "closing"])
@pytest.mark.parametrize("go", ["go infinite", "go perft 9", "go depth 3"])
def test_an_interrupt_while_a_search_starts_or_the_program_ends_leaves_no_traceback(moment, go):
    code = CODE.format(**{"before": "pass", "after": "pass", "closing": "pass", moment: KILL})
    done = subprocess.run(
        [sys.executable, "-c", code], input=f"position startpos\n{go}\n", capture_output=True, text=True,
        timeout=PATIENCE_S, env={**os.environ, "PYTHONPATH": HOME},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "bestmove" in done.stdout or "perft" in go


def test_an_interrupt_right_after_go_ends_the_program():
    for _ in range(5):
        talk = Talk()
        talk.send("isready", "go infinite")
        talk.until("readyok")
        talk.process.send_signal(signal.SIGINT)
        talk.rest()
        assert talk.end() == 0 and talk.errors == []


def test_an_interrupt_is_raised_in_a_block_only_and_once():
    interrupts = Interrupts()
    interrupts.handle(2, None)  # nothing happens outside a block
    with pytest.raises(KeyboardInterrupt), interrupts:
        pass
    with interrupts:
        interrupts.handle(2, None)
    other = Interrupts()
    with pytest.raises(KeyboardInterrupt), other:
        other.handle(2, None)
