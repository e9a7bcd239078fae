"""The compliance checks: an engine that keeps the rules passes, and each broken rule is named."""

import sys
from pathlib import Path

import pytest

from cythera.match import compliance
from cythera.match.uci.engines import EngineSpec

OWN = EngineSpec("cythera", ("cythera",))

# A wrapper that passes lines both ways and spoils some of them.
SPOILER = """
import subprocess, sys, threading
engine = subprocess.Popen([sys.executable, "-m", "cythera"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
kind = sys.argv[1]
if kind == "chatty":
    print("id name early", flush=True)
def pump():
    for line in engine.stdout:
        if kind == "illegal" and line.startswith("bestmove"):
            line = "bestmove a1a1\\n"
        if kind == "options" and line.startswith("option name Hash"):
            line = "option name Hash type spin default 0 min 1 max 16\\n"
        if kind == "mate" and " mate 1" in line:
            line = line.replace(" mate 1", " cp 30000")
        print(line, end="", flush=True)
threading.Thread(target=pump, daemon=True).start()
for line in sys.stdin:
    if kind == "no-stop" and line.strip() == "stop":
        continue
    engine.stdin.write(line)
    engine.stdin.flush()
engine.stdin.close()
engine.wait()
"""


@pytest.fixture
def spoiled(tmp_path: Path):
    path = tmp_path / "spoiler.py"
    path.write_text(SPOILER)
    return lambda kind: EngineSpec(kind, (sys.executable, str(path), kind))


def run_one(spec, rule):
    """The outcome of one rule after a handshake: a whole run takes too long to be repeated for every rule."""
    with compliance.opened(spec) as subject:
        if rule not in (compliance.says_nothing_before_uci, compliance.answers_uci):
            subject.engine.handshake()
        rule(subject)


def test_our_own_engine_keeps_every_rule(monkeypatch):
    for name in ("LATE_S", "CLOCK_S", "SEARCH_S", "ANSWER_S"):  # a busy machine is no fault of the engine
        monkeypatch.setattr(compliance, name, 30.0)
    outcomes = list(compliance.check(OWN))
    assert len(outcomes) == len(compliance.CHECKS)
    assert [outcome for outcome in outcomes if outcome.state == compliance.FAILED] == []


@pytest.mark.parametrize(
    ("kind", "rule", "sentence"),
    [
        ("chatty", compliance.says_nothing_before_uci, "before `uci`"),
        ("illegal", compliance.searches_to_a_depth, "'a1a1', which is not a legal move"),
        ("options", compliance.declares_sound_options, "the default of Hash is out of range"),
        ("mate", compliance.finds_and_reports_a_mate, "does not report `score mate 1`"),
    ],
)
def test_a_broken_rule_is_named(spoiled, monkeypatch, kind, rule, sentence):
    run_one(OWN, rule)
    monkeypatch.setattr(compliance, "QUIET_S", 5.0)
    with pytest.raises(compliance.FailedError) as caught:
        run_one(spoiled(kind), rule)
    assert sentence in str(caught.value)


def test_an_engine_that_ignores_stop_is_named(spoiled, monkeypatch):
    monkeypatch.setattr(compliance, "ANSWER_S", 1.0)
    with pytest.raises(compliance.EngineError, match="did not say bestmove within 1 seconds"):
        run_one(spoiled("no-stop"), compliance.searches_until_it_is_stopped)
