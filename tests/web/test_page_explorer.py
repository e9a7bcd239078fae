"""The explorer of the user's own games, at the socket and in a real browser."""

import pytest
from support.browser import Visitor
from support.web import START, LiveServer, Talker, need_libraries, searches, wait_until

from cythera.__main__ import main as cythera_command
from cythera.games.index import build_index

GAMES = """\
[Event "Club"]
[White "Ann"]
[Black "Bob"]
[WhiteElo "2000"]
[BlackElo "1900"]
[Date "2024.03.02"]
[Result "1-0"]

1. e4 e5 2. Nf3 {a comment} Nc6 3. Bb5 a6 1-0

[White "Cid"]
[Black "Dan"]
[Result "1/2-1/2"]

1. e4 c5 2. Nf3 d6 1/2-1/2

[White "Eve"]
[Black "Fay"]
[Result "0-1"]

1. d4 d5 2. c4 e6 0-1
"""


@pytest.fixture(scope="module")
def games_server(tmp_path_factory):
    need_libraries()
    folder = tmp_path_factory.mktemp("games")
    (folder / "club.pgn").write_text(GAMES, encoding="utf-8")
    build_index([folder / "club.pgn"], folder / "club.index")
    live = LiveServer(games=str(folder / "club.index"))
    yield live
    live.end()
    assert searches() == 0


def test_the_moves_of_a_position_come_with_results_and_games(games_server):
    talker = Talker(games_server)
    assert talker.hello["games"] == {"name": "club.index", "count": 3}
    answer = talker.hear("explore", talker.say("explore", fen=START))
    assert (answer["games"], answer["white"], answer["draws"], answer["black"]) == (3, 1, 1, 1)
    best = answer["moves"][0]
    assert (best["san"], best["games"], best["white"], best["draws"]) == ("e4", 2, 1, 1)
    sample = next(game for game in best["samples"] if game["white"] == "Ann")
    pgn = talker.hear("game", talker.say("game", game=sample["game"]))["pgn"]
    assert "{a comment}" in pgn.replace("{ ", "{").replace(" }", "}")
    assert "game must be between 0 and 2, got 9" in talker.hear("error", talker.say("game", game=9))["text"]
    talker.close()


def test_without_an_index_it_says_how_to_have_one(talker):
    assert talker.hello["games"] is None
    assert "cythera web --games FILE" in talker.hear("error", talker.say("explore", fen=START))["text"]


def test_an_index_that_cannot_be_read_is_an_error_in_a_sentence(tmp_path, monkeypatch, capsys):
    need_libraries()
    monkeypatch.setattr("cythera.cli.web.check_page", lambda static: None)
    (tmp_path / "bad.index").write_bytes(b"nothing")
    assert cythera_command(["web", "--no-browser", "--port", "0", "--games", str(tmp_path / "bad.index")]) == 2
    assert "bad.index" in capsys.readouterr().err


def test_the_explorer_plays_moves_and_opens_games(browser, games_server):
    visitor = Visitor(browser, games_server)
    visitor.engine(isOn=False)
    visitor.open("/#analyse")
    visitor.tab("explorer")
    visitor.wait_for("#explorer-state", "3 of 3 games in club.index")
    assert visitor.page.locator(".explorer-move").all_inner_texts() == ["1. e4", "1. d4"]
    visitor.page.evaluate("document.querySelector('tr[data-uci=e2e4] td:nth-child(2)').firstChild.data = '12,345 '")
    for width in (390, 1024):
        visitor.page.set_viewport_size({"width": width, "height": 768})
        height = visitor.page.locator("tr[data-uci=e2e4]").bounding_box()["height"]
        assert height < 40, "number and percentage stand in one line"
    visitor.click("tr[data-uci=e2e4] .explorer-move")
    visitor.wait_for("#explorer-state", "2 of 3 games")
    assert visitor.sans("analyse") == ["e4"]
    visitor.page.locator("#explorer-games .moment", has_text="Ann (2000) – Bob (1900)").click()
    visitor.wait_for("#analyse-moves", "a comment")
    assert visitor.sans("analyse") == ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]
    visitor.page.keyboard.press("End")
    visitor.wait_for("#explorer-state", "No game in club.index has this position.")
    visitor.wait_for("#analyse-opening", "C60 Ruy Lopez, Morphy Defence")
    visitor.leave()
    wait_until(lambda: not games_server.tabs and searches() == 0)


def test_without_an_index_there_is_no_explorer(visitor):
    visitor.open("/#analyse")
    assert not visitor.page.locator("[data-tab=explorer]").is_visible()
