"""The page in a real browser: Chromium, headless, driven by Playwright; and a person who uses it."""

import json
import shutil
from pathlib import Path

import cythera.web

BROWSERS = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)  # fmt: skip
SWITCHES = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run", "--disable-dev-shm-usage",
]  # fmt: skip
PATIENCE_MS = 60_000  # only a hang is longer, on a busy machine too

GAME = """\
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 (3... g6 4. Qf3 {now f7 again}) 4. Qxf7# 1-0
"""


def missing():
    """Why the page cannot be tested here, or None."""
    if not (Path(cythera.web.__file__).parent / "static" / "index.html").exists():
        return "the page is not built: python setup.py build_page, with npm"
    if not any(map(shutil.which, BROWSERS)):
        return f"there is no browser: none of {', '.join(BROWSERS)} was found"
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed: pip install 'cythera[test]'"
    return None


class Visitor:
    """A person with a mouse and a keyboard, who notices every error and every request to elsewhere."""

    def __init__(self, browser, server, **options):
        wishes = {"viewport": {"width": 1200, "height": 800}, "reduced_motion": "reduce", "color_scheme": "light"}
        self.context = browser.new_context(**{**wishes, **options})
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page = self.context.new_page()
        self.errors, self.strangers = [], []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.page.on("request", lambda asked: self.notice(asked.url, server.url))
        self.page.on("websocket", lambda socket: self.notice(socket.url, server.url.replace("http", "ws")))
        self.server = server

    def notice(self, url, home):
        if not url.startswith((home, "data:", "blob:")):
            self.strangers.append(url)

    def open(self, address="/"):
        self.page.goto(self.server.url + address)
        self.page.wait_for_selector("body[data-link=open]")
        return self

    def reload(self):
        self.page.reload()
        self.page.wait_for_selector("body[data-link=open]")

    def engine(self, **settings):
        """Settings of the engine from the start, as isOn=False. Games are evaluated with few nodes per position:
        enough for blunders, and soon done."""
        chosen = json.dumps({"graphNodes": 3000, **settings})
        at_home = "location.protocol === 'http:'"  # an empty page has no storage
        self.context.add_init_script(f"if ({at_home}) localStorage['cythera.engine'] ??= '{chosen}'")

    def click(self, selector):
        self.page.click(selector)

    def type_move(self, text, panel="play"):
        self.page.fill(f"#{panel}-input", text)
        self.page.press(f"#{panel}-input", "Enter")

    def square(self, name):
        """The middle of a square, in pixels."""
        board = self.page.locator("#board cg-board").bounding_box()
        file, rank = "abcdefgh".index(name[0]), int(name[1]) - 1
        if self.page.locator("#board.orientation-black").count():
            file, rank = 7 - file, 7 - rank
        side = board["width"] / 8
        return board["x"] + side * (file + 0.5), board["y"] + side * (7 - rank + 0.5)

    def move(self, uci):
        """Two clicks on the board."""
        self.page.mouse.click(*self.square(uci[:2]))
        self.page.mouse.click(*self.square(uci[2:4]))

    def moves(self, panel="play"):
        return self.page.locator(f"#{panel}-moves > .move").all_inner_texts()

    def sans(self, panel="play"):
        """The moves without signs and scores."""
        return self.page.locator(f"#{panel}-moves > .move").evaluate_all("all => all.map(one => one.firstChild.data)")

    def wait_for_moves(self, count, panel="play"):
        self.page.locator(f"#{panel}-moves > .move").nth(count - 1).wait_for()

    def new_game(self, *, fen=None, side="white", level=800, time="0+0", number=None):
        self.click("#play-new")
        self.page.locator("#new-level").evaluate(
            "(slider, elo) => { slider.value = elo; slider.dispatchEvent(new Event('input')) }", str(level)
        )
        self.click(f"input[name=side][value={side}] + span")
        self.page.select_option("#new-time", time)
        self.page.select_option("#new-start", "960" if number is not None else "fen" if fen else "standard")
        if fen:
            self.page.fill("#new-fen", fen)
        if number is not None:
            self.page.fill("#new-number", str(number))
        self.click("#new-form button[type=submit]")

    def wait_for(self, selector, text):
        self.page.locator(selector, has_text=text).wait_for()

    def tab(self, name):
        """Opens a part of the analysis panel."""
        self.click(f"[data-tab={name}]")

    def load(self, text):
        self.tab("games")
        self.click("#load-open")
        self.page.fill("#load-text", text)
        self.click("#load-form button[type=submit]")

    def leave(self):
        self.context.close()
        assert self.errors == []
        assert self.strangers == []
