"""Match files: what is written is read back, and a damaged one is refused with a message."""

import copy
import json

import pytest

from cythera.match.archive import Archive, read_archive
from cythera.match.game_data import GameRecord, MoveRecord, Opening
from cythera.match.match_errors import MatchError

WRONG = (None, True, -1, 10**30, 2.5, "", "text", [], [1], {}, {"a": 1})


def a_game(index):
    moves = (MoveRecord("e2e4"), MoveRecord("e7e5"))
    return GameRecord(index, "A", "B", Opening(), "1-0", "normal", "white mates", moves=moves, started="2026-01-01")


@pytest.fixture
def document(engine, config, tmp_path):
    archive = Archive(tmp_path / "match.json", config(engine("A"), engine("B"), control="1+0.1"), {"host": "x"})
    for index in range(2):
        archive.add(a_game(index))
    archive.document["pgn"] = {"path": "games.pgn", "bytes": 100}
    archive.save(final=True)
    return archive.document


def places(node, path=()):
    """The path of every key and item of a JSON document."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


def test_a_match_file_is_read_back(document, tmp_path):
    config, again, games = read_archive(tmp_path / "match.json")
    assert config.as_json() == document["match"]
    assert [game.index for game in games] == [0, 1]
    assert again == document


def test_a_damaged_match_file_is_refused_or_read_but_never_raises_anything_else(document, tmp_path):
    path = tmp_path / "damaged.json"
    refused = tried = 0
    for place in places(json.loads(json.dumps(document))):
        for wrong in (*WRONG, "DELETE"):
            damaged = copy.deepcopy(document)
            parent = damaged
            for key in place[:-1]:
                parent = parent[key]
            if wrong == "DELETE":
                del parent[place[-1]]
            else:
                parent[place[-1]] = wrong
            path.write_text(json.dumps(damaged))
            tried += 1
            try:
                read_archive(path)
            except MatchError as error:
                refused += 1
                assert str(error)
    assert tried > 500
    assert refused > tried // 2


def test_a_game_of_another_match_is_refused(document, tmp_path):
    document["games"][0]["white"] = "C"
    path = tmp_path / "damaged.json"
    path.write_text(json.dumps(document))
    with pytest.raises(MatchError, match="game 0 is not one of this match"):
        read_archive(path)
