"""What a GUI reads as an option's default can be set as its value: by the parsers of well-known clients."""

import re
import sys

import chess.engine
import pytest
from support.uci import Talk

from cythera.engine.options import OPTIONS, find
from cythera.net.load import ALIASES

WORDS = ("name", "type", "default", "min", "max", "var")


def python_chess():
    """Name -> default, as python-chess reads them from a live engine; None for a button."""
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "cythera"]) as engine:
        return {name: option.default for name, option in engine.options.items()}


def by_keywords(lines):
    """As cutechess reads: word by word, a keyword starts a new part unless it has been seen."""
    found = {}
    for line in lines:
        parts, current = {}, ""
        for word in line.split()[1:]:
            if word in WORDS and word not in parts:
                current = word
                parts[current] = []
            else:
                parts[current].append(word)
        texts = {name: " ".join(words) for name, words in parts.items()}
        found[texts["name"]] = texts.get("default")
    return found


def by_position(lines):
    """As Arena and other old GUIs read: what stands between the first " default " and " min " or the end."""
    found = {}
    for line in lines:
        name = line.partition(" name ")[2].partition(" type ")[0]
        default = re.search(r" default (.*?)(?: min | max | var |$)", line)
        found[name] = default[1] if default else None
    return found


def setoption(name, value):
    if value is None:
        return f"setoption name {name}"
    return f"setoption name {name} value {str(value).lower() if isinstance(value, bool) else value}"


@pytest.mark.parametrize("client", ["python-chess", "keywords", "position"])
def test_every_default_can_be_read_and_set_back(client):
    parser = {"keywords": by_keywords, "position": by_position}.get(client)
    found = parser([option.uci() for option in OPTIONS]) if parser else python_chess()
    assert set(found) == {option.name for option in OPTIONS}
    for option in OPTIONS:
        if option.kind != "button":
            value = found[option.name]
            text = str(value).lower() if isinstance(value, bool) else str(value)
            assert option.parse(text) == option.default
    talk = Talk()
    for name, value in found.items():
        assert talk.ask(setoption(name, value)) == [], name
        if value in ("", "<empty>"):
            assert talk.ask(f"setoption name {name} value", f"setoption name {name} value <empty>") == []
    assert talk.go("depth 2")[1][0] == "bestmove" and talk.end() == 0


def test_no_default_holds_a_keyword_or_an_angle_bracket():
    for option in OPTIONS:
        text = str(option.default or "")
        assert not set(re.findall(r"\w+", text)) & set(WORDS) and "<" not in text


def test_the_old_words_for_the_evaluation_are_still_accepted(talk):
    assert set(ALIASES) == {"", "<default>", "<classical>"} and find("EvalFile").default in ALIASES.values()
    for word in ("<default>", "<classical>", "builtin", "classical", "<empty>"):
        assert talk.ask(f"setoption name EvalFile value {word}") == []
