"""bench/gate.py: two settings against each other in process."""

import re

import gate
import pytest

WEAK = "quiescence, tt, mvv, see ordering, capture history, killers, threats, butterfly history, lmr"


def run(book, first, second, *words):
    return gate.main([first, second, "--nodes", "40", "--workers", "1", "--openings", str(book), *words])


def last_line(capsys):
    return capsys.readouterr().out.splitlines()[-1]


def test_equal_sides_end_every_pair_level(book, capsys):
    assert run(book, "", "NMP_BASE=4", "--games", "6") == 0
    line = last_line(capsys)
    assert line.startswith("6 games: ") and "pairs 0, 0, 3, 0, 0; Elo +0.00" in line


def test_the_options_of_a_side_are_used_and_counted_for_the_first(book, capsys):
    # Without quiescence and with a poor order of moves, a search of forty nodes gives pieces away.
    assert run(book, "", f"Without={WEAK}", "--games", "12") == 0
    found = re.match(r"12 games: \+(\d+) =\d+ -(\d+),", last_line(capsys))
    assert found and int(found[1]) > int(found[2])


def test_a_test_stops_when_it_is_decided(book, capsys):
    assert run(book, "", f"Without={WEAK}", "--games", "400", "--sprt", "0,50") == 0
    *_, line, decision = capsys.readouterr().out.splitlines()
    assert decision == "accepted H1"
    assert int(line.split()[0]) < 400 and "LLR +" in line


@pytest.mark.parametrize(
    ("first", "sentence"),
    [
        ("NMP_BASE", "gate: an option is written NAME=VALUE, got 'NMP_BASE'"),
        ("NMP_BASE=99", "gate: NMP_BASE must be between 2 and 6, got 99"),
        ("Hash=16", "gate: option Hash is not supported in process"),
        ("EvalFile=none.net", "gate: cannot read none.net: no such file"),
    ],
)
def test_what_is_wrong_with_a_side_is_a_sentence(book, first, sentence):
    with pytest.raises(SystemExit, match=re.escape(sentence)):
        run(book, first, "")
