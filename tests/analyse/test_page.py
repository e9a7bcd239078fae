"""The report: one file that asks for nothing, shows any text as text, and works in a browser."""

import json
import re
import shutil

import chess
import pytest
from support.sample_games import CHESS960, FOOLS_MATE, HANGING, OPERA

from cythera import Engine, Limit
from cythera.analyse.page import change, draw_page, placement

NASTY = FOOLS_MATE.replace('"A"', '"</script><img src=x onerror=alert(1)>"').replace(
    "1. f3", "1. f3 {</script><b>bold</b>}"
)


@pytest.fixture(scope="module")
def games():
    with Engine(hash_mib=1) as engine:
        return [engine.analyse_game(text, Limit(nodes=1500), workers=1) for text in (OPERA, NASTY, CHESS960, HANGING)]


@pytest.fixture(scope="module")
def page(games):
    return "".join(draw_page(games))


def test_nothing_is_fetched_from_anywhere(page):
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)=[\"'](?!#)", page)
    without_names = page.replace("http://www.w3.org/2000/svg", "")
    assert "http://" not in without_names and "https://" not in without_names and "@import" not in page


def test_what_games_say_cannot_end_the_data(page):
    data = page.split('id="games">')[1].split("</script>")[0]
    assert data.rstrip().endswith("]") and "<" not in data
    assert [game["title"] for game in json.loads(data)][1].startswith("</script><img")


def test_a_comment_that_looks_like_markup_does_not_blank_the_page(browser, tmp_path):
    text = FOOLS_MATE.replace("1. f3", "1. f3 {<!--<script>}").replace('"A"', '"<!--<script>"')
    with Engine(hash_mib=1) as engine:
        page = engine.analyse_game(text, Limit(nodes=200), workers=1).html()
    path = tmp_path / "report.html"
    path.write_text(page, encoding="utf-8")
    tab = browser.new_page()
    tab.goto(path.as_uri())
    assert "<!--<script>" in tab.locator("#title").inner_text()
    tab.locator("#next").click()
    assert tab.locator("#said q").inner_text() == "<!--<script>"
    tab.close()


def test_changes_lead_from_each_position_to_the_next(games):
    for analysis in games:
        board = analysis.start()
        squares = list(placement(board))
        for move in analysis.game.mainline_moves():
            text = change(board, move)
            for at in range(0, len(text), 3):
                squares[int(text[at : at + 2])] = text[at + 2]
            board.push(move)
            assert "".join(squares) == placement(board)


@pytest.mark.parametrize(
    "fen, chess960",
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", False),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", False),
        ("1n6/P1P4k/8/8/8/8/p5K1/1N6 w - - 0 1", False),
        ("1n6/P1P4k/8/8/8/8/p5K1/1N6 b - - 0 1", False),
        ("bqnrkrnb/8/8/8/8/8/8/2RK1R2 w KQ - 0 1", True),
        ("k7/8/8/8/8/8/8/1RK4R w HB - 0 1", True),
    ],
)
def test_every_kind_of_move_changes_the_right_squares(fen, chess960):
    board = chess.Board(fen, chess960=chess960)
    for move in board.legal_moves:
        squares = list(placement(board))
        text = change(board, move)
        for at in range(0, len(text), 3):
            assert squares[int(text[at : at + 2])] != text[at + 2]
            squares[int(text[at : at + 2])] = text[at + 2]
        after = board.copy()
        after.push(move)
        assert "".join(squares) == placement(after), move


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium is installed")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def tab(browser, page, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(page, encoding="utf-8")
    context = browser.new_context(viewport={"width": 390, "height": 800})
    one = context.new_page()
    one.complaints = []
    one.on("pageerror", lambda error: one.complaints.append(str(error)))
    one.on("console", lambda message: one.complaints.append(message.text) if message.type == "error" else None)
    one.on("dialog", lambda dialog: one.complaints.append("a dialog: markup of a game was run"))
    one.on("request", lambda request: None if request.url.startswith("file:") else one.complaints.append(request.url))
    one.goto(path.as_uri())
    yield one
    assert one.complaints == []
    context.close()


def pieces(tab):
    return tab.locator("#board > div > svg").count()


def test_the_board_is_stepped_with_keys_buttons_and_clicks(tab, games):
    said = tab.locator("#said strong")
    assert said.inner_text() == "Start" and pieces(tab) == 32
    tab.keyboard.press("ArrowRight")
    assert said.inner_text() == "1. e4"
    tab.keyboard.press("End")
    assert said.inner_text() == "17. Rd8#"
    assert pieces(tab) == len(games[0].game.end().board().piece_map())
    tab.get_by_label("one move back").click()
    assert said.inner_text() == "16... Nxb8"
    tab.keyboard.press("Home")
    tab.locator("#moves button").nth(2).click()
    assert said.inner_text() == "2. Nf3"
    width = tab.locator("#graph").bounding_box()["width"]
    tab.locator("#graph").click(position={"x": width - 3, "y": 20})
    assert said.inner_text() == "17. Rd8#"


def test_key_moments_lead_to_their_moves_and_better_lines_can_be_stepped(tab, games):
    tab.locator("#choice").select_option("3")
    moments = games[3].key_moments()
    rows = tab.locator("#moments tbody tr")
    assert rows.count() == len(moments) > 0
    rows.first.get_by_role("button").click()
    assert tab.locator("#said strong").inner_text() == moments[0].label
    assert tab.locator("#arrow").count() == 1
    before = tab.locator("#board").get_attribute("aria-label")
    tab.locator("#said .line button").first.click()
    assert tab.locator("#board").get_attribute("aria-label") != before
    tab.keyboard.press("ArrowDown")
    assert tab.locator("#said strong").inner_text() == moments[1].label


def test_another_game_can_be_chosen_and_its_text_is_only_text(tab):
    tab.locator("#choice").select_option("1")
    assert "<img src=x" in tab.locator("#title").inner_text()
    tab.keyboard.press("Escape")
    tab.locator("#next").click()
    assert tab.locator("#said q").inner_text() == "</script><b>bold</b>"
    assert tab.locator("#said b").filter(has_text="bold").count() == 0


def test_the_page_fits_a_phone_and_turns_dark_and_round(tab):
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    light = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    tab.locator("#theme").click()
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") != light
    first = tab.locator("#board .rank").first.inner_text()
    tab.keyboard.press("f")
    assert (first, tab.locator("#board .rank").first.inner_text()) == ("8", "1")
