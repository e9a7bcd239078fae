"""The notebook board in a real browser: its own script, with a model that talks to the real widget in Python."""

import os
import shutil
from pathlib import Path

import pytest
from support.browser import BROWSERS, PATIENCE_MS, SWITCHES
from support.sample_games import OPERA

import cythera.notebook
from cythera import Engine, Limit, board_widget

pytest.importorskip("anywidget", reason="the extra `notebook` is not installed")

FOLDER = Path(cythera.notebook.__file__).parent
STATE = ("fen", "moves", "ply", "flipped", "size", "arrows", "_board", "_record", "_lines", "_status", "_graph",
         "_pictures")  # fmt: skip
# What anywidget gives a script, as far as it is used: get, set, save_changes, send, on, off.
MODEL = """
window.state = {};
window.sent = 0;
const tell = (said) => { window.sent += 1; window.toPython(said); };
window.heard = {};
window.model = {
  get: (name) => window.state[name],
  set: (name, value) => { window.state[name] = value; window.changed = name; },
  save_changes: () => tell({kind: "set", name: window.changed, value: window.state[window.changed]}),
  send: (content) => tell({kind: "send", content}),
  on: (event, call) => (window.heard[event] ??= new Set()).add(call),
  off: (event, call) => window.heard[event]?.delete(call),
};
window.update = (news) => {
  Object.assign(window.state, news);
  for (const name of Object.keys(news)) for (const call of window.heard["change:" + name] ?? []) call();
};
"""


@pytest.fixture(scope="module")
def browser():
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path = None
    if path is None:
        if os.environ.get("CYTHERA_BROWSER") == "required":
            pytest.fail("there is no browser, or no playwright")
        pytest.skip("there is no browser, or no playwright")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=SWITCHES)
        yield browser
        browser.close()


class Notebook:
    """A page with the widget in it; `settle` brings the page what the widget has."""

    def __init__(self, browser, widget):
        self.widget = widget
        self.heard = 0
        self.known = {}
        self.context = browser.new_context(viewport={"width": 900, "height": 600})
        self.context.set_default_timeout(PATIENCE_MS)
        self.page = self.context.new_page()
        self.errors, self.requests = [], []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.on("request", lambda asked: self.requests.append(asked.url))
        self.page.expose_function("toPython", self.hear)
        self.page.set_content(f"<style>{(FOLDER / 'board.css').read_text()}</style><div id=cell></div>")
        self.page.add_script_tag(content=MODEL)
        self.settle()
        script = (FOLDER / "board.js").read_text(encoding="utf-8")
        script = script.replace("export default { render };", "window.render = render;")
        self.page.add_script_tag(content=script, type="module")
        self.page.wait_for_function("() => !!window.render")
        cell = "{model: window.model, el: document.getElementById('cell')}"
        self.page.evaluate(f"() => {{ window.leave = window.render({cell}); }}")

    def hear(self, said):
        self.heard += 1
        if said["kind"] == "set":
            setattr(self.widget, said["name"], said["value"])
        else:
            self.widget._hear(self.widget, said["content"], [])

    def settle(self):
        while self.heard < self.page.evaluate("window.sent"):
            self.page.wait_for_timeout(20)  # messages of the page reach Python first
        assert self.widget.wait(60)
        state = self.widget.get_state(list(STATE))
        changed = {name: value for name, value in state.items() if self.known.get(name) != value}
        self.known = state
        self.page.evaluate("news => window.update(news)", changed)

    def middle(self, square):
        box = self.page.locator(".cy-board").bounding_box()
        file, rank = "abcdefgh".index(square[0]), int(square[1]) - 1
        if self.widget.flipped:
            file, rank = 7 - file, 7 - rank
        side = box["width"] / 8
        return box["x"] + side * (file + 0.5), box["y"] + side * (7 - rank + 0.5)

    def click(self, square):
        self.page.mouse.click(*self.middle(square))

    def drag(self, start, end):
        self.page.mouse.move(*self.middle(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.middle(end), steps=4)
        self.page.mouse.up()
        self.settle()

    def pieces(self):
        rows = "all => all.map(one => [one.dataset.on, one.dataset.piece])"
        return dict(self.page.locator(".cy-piece").evaluate_all(rows))

    def leave(self):
        self.page.evaluate("window.leave()")
        assert not any(self.page.evaluate("Object.values(window.heard).map(one => one.size)")), "it stops listening"
        self.context.close()
        assert self.errors == [] and [url for url in self.requests if not url.startswith(("data:", "about:"))] == []


@pytest.fixture
def notebook(browser):
    opened = []

    def open_one(*args, **kwargs):
        opened.append(Notebook(browser, board_widget(*args, **kwargs)))
        return opened[-1]

    yield open_one
    for one in opened:
        one.leave()


def test_a_move_by_two_clicks_by_drag_and_by_typing(notebook):
    page = notebook()
    assert len(page.pieces()) == 32
    page.click("e2")
    assert page.page.locator(".cy-target").count() == 2
    page.click("e4")
    page.settle()
    assert page.widget.moves == ["e2e4"] and page.pieces()["e4"] == "P"
    page.drag("e7", "e5")
    assert page.widget.moves == ["e2e4", "e7e5"]
    page.page.fill(".cy-input", "Nf3")
    page.page.press(".cy-input", "Enter")
    page.settle()
    assert page.page.locator(".cy-moves .cy-move").all_inner_texts() == ["e4", "e5", "Nf3"]
    page.drag("a7", "h3")
    assert len(page.widget.moves) == 3, "an illegal move goes back"


def test_promotion_asks_for_the_piece(notebook):
    page = notebook("8/4P2k/8/8/8/8/8/K7 w - - 0 1")
    page.drag("e7", "e8")
    assert page.widget.moves == [] and page.page.locator(".cy-promotion").count() == 4
    page.page.click("[data-promotion=r]")
    page.settle()
    assert page.widget.moves == ["e7e8r"] and page.pieces()["e8"] == "R"


def test_keys_and_buttons_step_and_flip(notebook):
    page = notebook()
    for move in ("d4", "d5", "c4"):
        page.widget.push(move)
    page.settle()
    page.page.focus(".cy-board")
    for key, ply in (("ArrowLeft", 2), ("Home", 0), ("ArrowRight", 1), ("End", 3)):
        page.page.keyboard.press(key)
        page.settle()
        assert page.widget.ply == ply
    page.page.click(".cy-back")
    page.settle()
    assert page.page.locator(".cy-moves [aria-current]").inner_text() == "d5"
    page.page.click(".cy-flip")
    page.settle()
    assert page.widget.flipped
    page.click("d8")  # lies elsewhere now
    page.click("e7")
    assert page.page.locator(".cy-squares > div").first.get_attribute("data-square") == "h1"
    page.drag("e2", "e4")
    assert page.widget.moves == ["d2d4", "d7d5", "e2e4"]


def test_the_engine_answers_on_the_board(notebook):
    with Engine(hash_mib=1) as engine:
        page = notebook(engine=engine, side="w", limit=Limit(depth=2))
        page.drag("e2", "e4")
        assert len(page.widget.moves) == 2 and page.page.locator(".cy-last").count() == 2


def test_a_game_shows_marks_a_graph_and_lines_to_walk_into(notebook):
    with Engine(hash_mib=1) as engine:
        analysis = engine.analyse_game(OPERA, Limit(nodes=10000), workers=1)
    page = notebook(analysis)
    marks = page.page.locator(".cy-moves [data-mark]")
    assert marks.count() == len(analysis.key_moments()) >= 1
    assert page.page.locator(".cy-graph img").evaluate("one => one.complete && one.naturalWidth > 0")
    marks.first.click()
    page.settle()
    assert analysis.key_moments()[0].word in page.page.locator(".cy-status").inner_text()
    assert page.page.locator(".cy-arrows polygon").count() == 1
    page.page.locator(".cy-line").first.locator(".cy-move").nth(1).click()
    page.settle()
    assert page.widget.ply == analysis.key_moments()[0].ply + 3
    assert page.page.locator(".cy-game").is_visible() == page.widget._record["left_game"]


def test_a_narrow_cell_shows_the_whole_board(notebook):
    page = notebook(size=500)
    page.page.set_viewport_size({"width": 320, "height": 600})
    box = page.page.locator(".cy-board").bounding_box()
    assert 200 <= box["width"] <= 320 and abs(box["width"] - box["height"]) <= 1
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 320
