"""What people see while a match runs."""

import io

from rich.console import Console

from cythera.match.display import LiveWatcher, PlainWatcher, standings, status_line
from cythera.match.runner import Files, Match
from cythera.match.stats.sprt import Sprt


def shown(renderable):
    console = Console(file=io.StringIO(), width=100)
    console.print(renderable)
    return console.file.getvalue()


def test_the_live_table_ends_in_the_plain_result(engine, config):
    console = Console(file=io.StringIO(), width=100, force_terminal=True)
    match = Match(config(engine("A"), engine("B"), sprt=Sprt(-3, 3)), Files())
    match.run(LiveWatcher(console))
    out = console.file.getvalue()
    assert "Games  4: +0 =4 -0, 50.0%" in out
    table = shown(standings(match))
    for word in ("Games", "Pairs", "Elo", "Normalised", "LOS", "SPRT", "LLR 0.00 (-2.94, 2.94) [-3, 3] normalised"):
        assert word in table


def test_several_engines_are_shown_by_rating(engine, config):
    match = Match(config(engine("A"), engine("B"), engine("C"), games=2), Files())
    assert "engine" in shown(standings(match))
    match.run(PlainWatcher(quiet=True))
    table = shown(standings(match))
    assert all(name in table for name in "ABC")
    assert "A +0 ±" in status_line(match)


def test_faults_are_told_at_once(engine, config, capsys):
    match = Match(config(engine("A", "--fault", "illegal"), engine("B"), games=2), Files())
    match.run(PlainWatcher())
    captured = capsys.readouterr()
    assert "game 1: A played e2e7, which is illegal here" in captured.err
    assert "Faults A: illegal move in 2 games" in captured.out
    assert "A: illegal move 2x" in shown(standings(match))
