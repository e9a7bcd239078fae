"""How the page looks and sounds in a real browser: sizes, themes, languages; and how a game is agreed on."""

import json
import re
from pathlib import Path

import pytest
from support.browser import Visitor

SOURCES = Path(__file__).parents[2] / "engine" / "cythera" / "web" / "page" / "src"

# Width and height of the window, and the least width of the board in it.
WINDOWS = [
    (360, 740, 310), (390, 844, 340), (760, 1024, 690), (820, 1180, 760), (900, 700, 470), (1024, 768, 580),
    (1280, 800, 600), (1920, 1080, 880),
]  # fmt: skip


@pytest.fixture
def visitor(visitor):
    visitor.engine(isOn=False)
    return visitor


def board_width(visitor):
    return visitor.page.locator("#board").bounding_box()["width"]


def wait_until(page, script, patience_ms=30_000):
    """`page.wait_for_function` evaluates text in the page again and again, which the page's policy forbids."""
    for _ in range(patience_ms // 50):
        if page.evaluate(script):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"still not true: {script}")


def test_the_board_is_as_large_as_the_window_allows_and_nothing_is_cut_off(visitor):
    visitor.open("/#analyse")
    for mode in ("analyse", "play", "watch", "lab"):
        visitor.click(f"nav [data-mode={mode}]")
        for width, height, least in WINDOWS if mode in ("analyse", "play") else WINDOWS[::5]:
            visitor.page.set_viewport_size({"width": width, "height": height})
            wait_until(visitor.page, "document.documentElement.scrollWidth <= innerWidth")
            if mode == "lab":
                continue
            assert board_width(visitor) >= least, (mode, width)
            box = visitor.page.locator("#board").bounding_box()
            assert box["x"] >= 0 and box["y"] + box["height"] <= height, (mode, width)
            steps = visitor.page.locator("#step-last").bounding_box()
            assert steps["y"] + steps["height"] <= height, (mode, width)


LONG_GAME = "1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Bf5 5. Ng3 Bg6 6. h4 h6 7. Nh3 Nf6 8. Nf4 Bh7 9. Bc4 e6 10. c3 Be7 *"


def test_nothing_leaves_the_panel_or_breaks_within_a_number(visitor):
    visitor.open("/#analyse")
    visitor.load(LONG_GAME)
    visitor.wait_for_moves(20, "analyse")
    visitor.page.evaluate("document.querySelector('[data-tab=explorer]').hidden = false")
    for width, height, _ in WINDOWS:
        visitor.page.set_viewport_size({"width": width, "height": height})
        section = visitor.page.locator("[data-panel=analyse]").bounding_box()
        for button in visitor.page.locator("#tabs button").all():
            box = button.bounding_box()
            assert box["x"] + box["width"] <= section["x"] + section["width"], (width, button.inner_text())
    visitor.page.set_viewport_size({"width": 900, "height": 700})
    visitor.tab("annotate")
    heights = visitor.page.locator(".glyph").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert max(heights) == min(heights), "a glyph has one line"


@pytest.mark.parametrize("code", ["es", "de"])
def test_longer_words_of_other_languages_fit_too(browser, server, code):
    visitor = Visitor(browser, server, locale=code)
    visitor.engine(isOn=False)
    visitor.open("/#analyse")
    visitor.page.evaluate("document.querySelector('[data-tab=explorer]').hidden = false")
    for width, height, _ in WINDOWS:
        visitor.page.set_viewport_size({"width": width, "height": height})
        for mode in ("play", "watch", "lab", "analyse") if width == WINDOWS[0][0] else ():
            visitor.click(f"nav [data-mode={mode}]")
            wait_until(visitor.page, "document.documentElement.scrollWidth <= innerWidth")
        for place in ("nav a", "#tabs button"):
            fits = "all => all.every(one => one.scrollWidth <= one.clientWidth)"
            assert visitor.page.locator(place).evaluate_all(fits), (width, place)
    visitor.leave()


def test_the_names_stand_above_the_board(visitor):
    visitor.open("/#analyse")
    for width in (390, 820, 1280):
        visitor.page.set_viewport_size({"width": width, "height": 1180})
        board = visitor.page.locator("#board").bounding_box()
        name = visitor.page.locator("#strip-top .name").bounding_box()
        assert abs(name["x"] - board["x"]) <= 4, width


def test_the_current_move_stays_in_view_when_the_window_changes(visitor):
    visitor.open("/#analyse")
    visitor.load(LONG_GAME)
    visitor.wait_for_moves(20, "analyse")
    visitor.click("#step-last")
    is_seen = """() => {
        const [box, move] = ['#analyse-moves', '#analyse-moves [aria-current]']
          .map((one) => document.querySelector(one).getBoundingClientRect());
        return move.top >= box.top && move.bottom <= box.bottom;
    }"""
    for width, height in ((1920, 1080), (900, 700), (390, 844), (1280, 800)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        wait_until(visitor.page, is_seen)


def test_the_board_is_resized_by_its_corner(visitor):
    visitor.open("/#play")
    full = board_width(visitor)
    handle = visitor.page.locator("#resize").bounding_box()
    x, y = handle["x"] + 9, handle["y"] + 9
    visitor.page.mouse.move(x, y)
    visitor.page.mouse.down()
    visitor.page.mouse.move(x - 160, y - 160)
    visitor.page.mouse.up()
    small = board_width(visitor)
    assert full - 176 <= small <= full - 144
    visitor.reload()
    assert board_width(visitor) == small
    visitor.page.locator("#resize").focus()
    visitor.page.keyboard.press("ArrowRight")
    assert board_width(visitor) == small + 16
    visitor.page.locator("#resize").dblclick()
    assert board_width(visitor) == full


def test_board_and_pieces_have_themes_that_are_kept(visitor):
    visitor.open("/#play")
    square = "getComputedStyle(document.querySelector('#board cg-board')).backgroundColor"
    knight = "getComputedStyle(document.querySelector('#board piece.knight.white')).backgroundImage"
    looks = {(visitor.page.evaluate(square), visitor.page.evaluate(knight))}
    visitor.click("#settings-open")
    for board, pieces in (("wood", "flat"), ("sea", "letters")):
        visitor.click(f"#set-board [data-value={board}]")
        visitor.click(f"#set-pieces [data-value={pieces}]")
        looks.add((visitor.page.evaluate(square), visitor.page.evaluate(knight)))
    assert len({colour for colour, _ in looks}) == len({picture for _, picture in looks}) == 3
    visitor.reload()
    assert visitor.page.evaluate(square) in {colour for colour, _ in looks}
    assert visitor.page.evaluate("document.documentElement.dataset.pieces") == "letters"


def test_sounds_are_off_until_they_are_switched_on(visitor):
    visitor.context.add_init_script(
        """window.tones = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...all) { window.tones += 1; return start.apply(this, all); };"""
    )
    visitor.open("/#analyse")
    visitor.type_move("e4", "analyse")
    visitor.page.locator("#analyse-moves > .move").wait_for()
    assert visitor.page.evaluate("tones") == 0
    visitor.click("#settings-open")
    visitor.page.check("#set-sounds")
    visitor.click("#settings-close")
    heard = visitor.page.evaluate("tones")
    visitor.type_move("d5", "analyse")
    visitor.page.locator("#analyse-moves > .move").nth(1).wait_for()
    assert visitor.page.evaluate("tones") > heard > 0
    visitor.reload()
    assert visitor.page.is_checked("#set-sounds")


def test_the_lab_speaks_the_language_of_the_page(browser, server):
    visitor = Visitor(browser, server, locale="es").open("/#lab")
    visitor.wait_for("#lab-status", "valor 3")
    assert "Juego" in visitor.page.inner_text("#lab-form")
    assert "minimax sin lo que no puede importar" in visitor.page.inner_text("#lab-algorithm")
    assert "entrar en la raíz" in visitor.page.inner_text("#lab-log")
    assert "línea principal" in visitor.page.locator("#lab-tree .legend").text_content()
    visitor.leave()


@pytest.mark.parametrize(
    ("code", "play", "status"), [("es", "Jugar", "Te toca."), ("de", "Spielen", "Sie sind am Zug.")]
)
def test_the_page_speaks_the_browser_s_language(browser, server, code, play, status):
    visitor = Visitor(browser, server, locale=code).open("/#play")
    assert visitor.page.inner_text("nav [data-mode=play]") == play
    visitor.wait_for("#play-status", status)
    assert visitor.page.evaluate("document.documentElement.lang") == code
    visitor.click("#settings-open")
    visitor.page.select_option("#set-language", "en")
    visitor.wait_for("nav [data-mode=play]", "Play")
    visitor.wait_for("#play-status", "Your move.")
    visitor.leave()


def test_no_text_of_the_page_is_outside_the_table_of_texts():
    page = (SOURCES / "index.html").read_text(encoding="utf-8")
    body = re.sub(r"<!--.*?-->|<svg.*?</svg>", "", page[page.index("<body") :], flags=re.DOTALL)
    words = {text.strip() for text in re.findall(r">([^<]*[A-Za-z]{2}[^<]*)<", body)}
    words -= {
        "Cythera",
        "FEN",
        "Chess960",
        "Home End",
        "Ctrl Z, Ctrl Y",
        "p Del",
        "PgUp PgDn",
        "Shift ← →",
        "Shift ↑ ↓",
    }
    assert {word for word in words if not re.fullmatch(r"[\d. +]+( min)?( \+ \d+ s| s)?", word)} == set()
    texts = (SOURCES / "texts.ts").read_text(encoding="utf-8")
    known = set(re.findall(r"^  '?([\w. ]+?)'?: \[", texts, flags=re.MULTILINE))
    used = set(re.findall(r'data-t(?:-\w+)?="(\w+)"', page))
    assert len(used) > 100
    assert used <= known


def test_every_text_is_in_every_language():
    texts = (SOURCES / "texts.ts").read_text(encoding="utf-8")
    rows = re.findall(r"^  '?([\w. ]+?)'?: \[(.*)\],$", texts, flags=re.MULTILINE)
    assert len(rows) > 250
    same = 0
    for key, row in rows:
        values = [first or second for first, second in re.findall(r"'((?:[^'\\]|\\.)*)'|\"([^\"]*)\"", row)]
        assert len(values) == 3, key
        holes = [sorted(re.findall(r"\{\w+\}", value)) for value in values]
        assert holes[0] == holes[1] == holes[2], key
        same += values[0] == values[1] or values[0] == values[2]
    assert same < 0.12 * len(rows)


def test_material_and_a_draw_by_agreement_and_a_rematch(visitor):
    visitor.open("/#play")
    visitor.new_game(fen="8/8/8/3k4/8/8/4R3/3K4 b - - 0 60", side="black", level=2400)
    visitor.wait_for("#play-status", "Your move")
    assert visitor.page.locator("#strip-top .captured piece.rook").count() == 1
    assert visitor.page.inner_text("#strip-top .captured") == "+5"
    visitor.type_move("Kd4")
    visitor.wait_for("#play-status", "Your move")
    visitor.click("#play-draw")
    visitor.wait_for("#play-status", "Cythera declines the draw.")
    assert visitor.page.locator("#play-draw").is_disabled()
    visitor.new_game(fen="8/8/8/3k4/8/8/4R3/3K4 w - - 0 60", side="white", level=800)
    visitor.type_move("Rd2")
    visitor.wait_for("#play-status", "Your move")
    visitor.click("#play-draw")
    visitor.wait_for("#play-status", "Draw by agreement. ½–½")
    visitor.wait_for("#play-moves .result", "½–½")
    assert not visitor.page.locator("#play-resign").is_visible()
    visitor.click("#play-rematch")
    visitor.page.locator("#board.orientation-black").wait_for()
    visitor.wait_for("#play-status", "Your move")
    visitor.click("nav [data-mode=analyse]")
    visitor.tab("games")
    visitor.click("#load-open")
    visitor.wait_for("#kept-list .row-main >> nth=0", "played · ½–½")  # the game that ended is kept


def test_a_depth_that_is_none_is_refused_in_a_sentence(visitor):
    visitor.open("/#lab")
    visitor.wait_for("#lab-status", "value 3")
    for text in ("x", "-1", "2.5", "101"):
        visitor.page.fill("#lab-depth", text)
        visitor.page.press("#lab-depth", "Enter")
        visitor.wait_for("#lab-status", f"got '{text}'")
        assert "Depth must be a whole number between 0 and 100" in visitor.page.inner_text("#lab-status")
        assert visitor.page.get_attribute("#lab-depth", "aria-invalid") == "true"
    visitor.page.fill("#lab-depth", "end")
    visitor.page.press("#lab-depth", "Enter")
    visitor.wait_for("#lab-status", "value 3")
    assert visitor.page.get_attribute("#lab-depth", "aria-invalid") == "false"


def test_a_tree_is_fitted_and_zoomed(visitor):
    visitor.open("/#lab")
    visitor.wait_for("#lab-status", "value 3")
    inside = """() => {
        const box = name => document.querySelector(name).getBoundingClientRect();
        const [frame, tree] = ['#lab-tree', '#lab-tree svg'].map(box);
        return tree.width <= frame.width && tree.height <= frame.height;
    }"""
    assert visitor.page.evaluate(inside)
    for _ in range(4):
        visitor.click("#lab-larger")
    assert not visitor.page.evaluate(inside)
    zoom = int(visitor.page.inner_text("#lab-zoom").split()[0])
    visitor.page.locator("#lab-tree").hover()
    visitor.page.keyboard.down("Control")
    visitor.page.mouse.wheel(0, 200)
    visitor.page.keyboard.up("Control")
    wait_until(visitor.page, f"parseInt(document.querySelector('#lab-zoom').textContent) < {zoom}")
    visitor.click("#lab-fit")
    assert visitor.page.evaluate(inside)


def test_a_custom_clock_must_be_sensible(visitor):
    visitor.open("/#play")
    visitor.click("#play-new")
    visitor.page.select_option("#new-start", "960")
    visitor.page.fill("#new-number", "abc")
    visitor.click("#new-form button[type=submit]")
    visitor.wait_for("#new-error", "Number must be between 0 and 959, got 'abc'.")
    assert json.loads(visitor.page.evaluate("localStorage['cythera.play'] ?? '{}'")).get("start") != "960"
    visitor.page.keyboard.press("Escape")
