"""Options are declared once; what is written about them is made from that."""

from pathlib import Path

import pytest

from cythera.common import machine
from cythera.engine import options
from cythera.engine.options import OPTIONS, Options, affordable_hash, as_markdown, find
from cythera.errors import OptionError

DOCUMENT = Path(__file__).parents[2] / "docs" / "uci-options.md"


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_a_default_can_be_set_and_is_what_an_option_has(option):
    if option.kind == "button":
        assert option.parse(None) is None
        return
    text = str(option.default)
    assert option.parse(text or "<empty>") == option.default == Options()[option.name]


@pytest.mark.parametrize("option", [option for option in OPTIONS if option.kind == "spin"], ids=lambda o: o.name)
def test_a_number_out_of_range_is_refused(option):
    assert option.parse(str(option.low)) == option.low and option.parse(f" {option.high} ") == option.high
    for text in (str(option.low - 1), str(option.high + 1), "", "x", "1.5", "9" * 5000):
        with pytest.raises(OptionError, match=option.name):
            option.parse(text)


def test_a_switch_is_true_or_false():
    option = find("Ponder")
    assert [option.parse(text) for text in ("true", "TRUE", "on", "1")] == [True] * 4
    assert [option.parse(text) for text in ("false", "Off", "0")] == [False] * 3
    with pytest.raises(OptionError, match="Ponder must be true or false, got 'yes, please'"):
        option.parse("yes, please")


def test_an_unknown_option_is_refused_by_name():
    with pytest.raises(OptionError, match="unknown option 'Hush'"):
        find("Hush")


def test_a_table_larger_than_the_memory_is_refused():
    assert affordable_hash(1) == 1
    with pytest.raises(OptionError, match=r"Hash must be at most \d+ MiB on this machine"):
        affordable_hash(1 << 40)


def test_more_threads_than_there_is_memory_for_are_refused(monkeypatch):
    monkeypatch.setattr(machine, "memory_mib", lambda: 100)
    assert options.affordable_threads(20) == 20
    with pytest.raises(OptionError, match=r"Threads must be at most 23 on this machine \(100 MiB of memory\), got 30"):
        options.affordable_threads(30)
    monkeypatch.setattr(machine, "memory_mib", lambda: None)
    assert options.affordable_threads(1024) == 1024


def test_every_option_has_a_sentence():
    assert all(option.about and not option.about.endswith(".") for option in OPTIONS)


def test_the_document_of_the_options_is_current():
    if not DOCUMENT.exists():
        pytest.skip("the documents are not here")
    assert DOCUMENT.read_text(encoding="utf-8").endswith(as_markdown()), (
        "write it again: python -m cythera.engine.options > docs/uci-options.md"
    )
