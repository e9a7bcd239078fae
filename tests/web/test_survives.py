"""What the server survives: garbage, very large input, searches that die."""

import json
import logging
import random
import socket

import pytest
from support.web import START, Talker, searches, wait_until

from cythera.cli.web import LARGEST_MESSAGE
from cythera.engine.search_run import SearchRun
from cythera.web import lab_process as drawing
from cythera.web.requests import KINDS

GARBAGE = [
    "", "garbage", "null", "[]", "{}", '"text"', "12", "{" * 2000, "[" * 100_000, '{"type":', "\x00", "\U0001f4a5",
    '{"type": 5}', '{"type": ["analyse"]}', '{"type": "shutdown"}', '{"type": "analyse"}',
    '{"type":"analyse","id":NaN}', '{"type":"analyse","id":1}', '{"type":"analyse","id":1e400,"fen":""}', "9" * 5000,
]  # fmt: skip

WRONG = [
    {"type": "analyse", "id": -1, "fen": START},
    {"type": "analyse", "id": True, "fen": START},
    {"type": "analyse", "fen": START},
    {"type": "analyse", "id": 1, "fen": "not a fen"},
    {"type": "analyse", "id": 1, "fen": "k" * 100_000},
    {"type": "analyse", "id": 1, "fen": "\ud800"},
    {"type": "analyse", "id": 1, "fen": 5},
    {"type": "analyse", "id": 1, "fen": "8/8/8/8/8/8/8/8 w - - 0 1"},
    {"type": "analyse", "id": 1, "fen": START.replace("w KQkq - 0 1", "w KQkq - 99999999999999999999 1")},
    {"type": "analyse", "id": 1, "fen": START, "moves": ["e2e5"]},
    {"type": "analyse", "id": 1, "fen": START, "moves": ["0000"]},
    {"type": "analyse", "id": 1, "fen": START, "moves": [None]},
    {"type": "analyse", "id": 1, "fen": START, "moves": "e2e4"},
    {"type": "analyse", "id": 1, "fen": START, "moves": ["g1f3", "g8f6", "f3g1", "f6g8"] * 501},
    {"type": "analyse", "id": 1, "fen": START, "lines": 0},
    {"type": "analyse", "id": 1, "fen": START, "lines": 100_000},
    {"type": "analyse", "id": 1, "fen": START, "lines": 1.5},
    {"type": "analyse", "id": 1, "fen": START, "threads": 100_000},
    {"type": "analyse", "id": 1, "fen": START, "hash": 10**12},
    {"type": "analyse", "id": 1, "fen": START, "time": -1},
    {"type": "analyse", "id": 1, "fen": START, "time": "long"},
    {"type": "analyse", "id": 1, "fen": START, "chess960": "yes"},
    {"type": "play", "id": 1, "fen": START, "elo": 0},
    {"type": "play", "id": 1, "fen": START, "seed": -5},
    {"type": "evaluate", "id": 1, "fen": START, "nodes": 10**15},
    {"type": "draw", "id": 1, "game": {}, "algorithm": "minimax"},
    {"type": "draw", "id": 1, "game": "two-ply", "algorithm": "minimax", "depth": -3},
    {"type": "stop", "id": 1, "what": "everything"},
    {"type": "stop", "id": 1},
]


def is_well(talker):
    """Whether the tab still answers a sensible request."""
    number = talker.say("analyse", fen=START, time=0.05)
    return len(talker.hear("lines", number, done=True)["lines"]) == 1


def test_garbage_is_answered_by_a_sentence_and_harms_nobody(talker):
    for text in GARBAGE:
        talker.socket.send(text)
        assert talker.hear("error")["text"]
    talker.socket.send(b"\x00\xff")
    assert "binary" in talker.hear("error")["text"]
    assert is_well(talker)


@pytest.mark.parametrize("message", WRONG, ids=lambda message: json.dumps(message)[:60])
def test_a_request_that_is_wrong_is_answered_by_a_sentence(talker, message):
    talker.socket.send(json.dumps(message))
    assert len(talker.hear("error")["text"]) > 10
    assert searches() == 0


def test_a_very_large_message_closes_its_own_tab_only(server, talker):
    from websockets.exceptions import ConnectionClosed

    other = Talker(server)
    with pytest.raises(ConnectionClosed) as caught:
        for _ in range(2):
            other.socket.send("x" * (LARGEST_MESSAGE + 1))
            other.socket.recv(timeout=60)
            other.socket.recv(timeout=60)
    assert caught.value.rcvd.code == 1009
    assert is_well(talker)


def test_text_that_is_not_utf8_closes_its_own_tab_without_a_traceback(server, talker):
    tracebacks = []
    watcher = logging.Handler()
    watcher.emit = lambda record: tracebacks.append(record.exc_info)
    logger = logging.getLogger("uvicorn.error")
    logger.addHandler(watcher)
    try:
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as link:
            link.sendall(
                f"GET /ws HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.url}\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            link.recv(4096)
            link.sendall(b"\x81\x82\0\0\0\0\xff\xfe")  # a text of two bytes, masked by zeros
            while link.recv(4096):
                pass  # until the server closes
    finally:
        logger.removeHandler(watcher)
    assert not any(tracebacks)
    assert is_well(talker)


def test_a_long_game_is_not_too_large(talker):
    number = talker.say("analyse", fen=START, moves=["g1f3", "g8f6", "f3g1", "f6g8"] * 500, time=0.05)
    assert talker.hear("lines", number, done=True)


def test_no_sequence_of_bent_messages_harms_the_server(server):
    chance = random.Random(5)
    values = [None, True, -1, 0, 1, 3, 2**70, 1.5, "", "e2e4", START, [], ["e2e4"], {}, "x" * 500]
    names = ["id", "fen", "moves", "lines", "threads", "hash", "time", "elo", "seed", "white", "black", "what", "nodes"]
    kinds = [*KINDS, "stop", "hello"]
    talker = Talker(server)
    for number in range(400):
        message = {"type": chance.choice(kinds), "id": number, "fen": START, "time": 0.01}
        for _ in range(chance.randrange(3)):
            message[chance.choice(names)] = chance.choice(values)
        text = json.dumps(message)
        if chance.random() < 0.2:
            cut = chance.randrange(len(text))
            text = text[:cut] + chance.choice(["", "\\", '"', "}", "\x7f"]) + text[cut + 1 :]
        talker.socket.send(text)
    for kind in KINDS:
        talker.say("stop", what=kind)
    assert is_well(talker)
    talker.close()
    wait_until(lambda: searches() == 0 and not server.tabs)


def test_a_search_that_dies_is_told_and_the_next_one_works(talker, monkeypatch, caplog):
    def die(self):
        raise RuntimeError("killed")

    number = talker.say("analyse", fen=START)
    talker.hear("lines", number)
    with monkeypatch.context() as patch:
        patch.setattr(SearchRun, "run", die)
        for kind in ("analyse", "hint", "play", "offer", "evaluate", "attempt"):
            number = talker.say(kind, fen=START, moves=["e2e4"], elo=3200, time=0.1)
            assert "failed" in talker.hear("error", number)["text"]
    assert "killed" in caplog.text
    assert is_well(talker)


def test_a_search_that_is_killed_from_outside_ends_as_stopped(server, talker):
    number = talker.say("analyse", fen=START)
    talker.hear("lines", number)
    (tab,) = server.tabs
    tab.engines["analyse"].close()
    talker.hear("lines", number, done=True)
    number = talker.say("analyse", fen=START)  # finds the engine closed, and throws it away
    assert "closed" in talker.hear("error", number)["text"]
    assert is_well(talker)


def test_a_drawing_that_takes_too_long_is_ended(talker, monkeypatch):
    monkeypatch.setattr(drawing, "LONGEST_S", 0.01)
    number = talker.say("draw", game="two-ply", algorithm="alphabeta")
    assert "takes longer" in talker.hear("error", number)["text"]
    monkeypatch.undo()
    number = talker.say("draw", game="two-ply", algorithm="alphabeta")
    assert talker.hear("drawing", number)["steps"]


def test_there_is_an_end_to_open_tabs(server, monkeypatch):
    from websockets.exceptions import ConnectionClosed

    from cythera.web import app

    monkeypatch.setattr(app, "MOST_TABS", 1)
    first = Talker(server)
    with pytest.raises(ConnectionClosed) as caught:
        Talker(server)
    assert caught.value.rcvd.code == app.TOO_MANY
    first.close()
    wait_until(lambda: not server.tabs)
    Talker(server).close()
