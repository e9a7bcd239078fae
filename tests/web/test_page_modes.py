"""The modes of the page in a real browser: play, analyse, watch, lab, and what they share.

Skipped where there is no browser or no built page, with the reason; with CYTHERA_BROWSER=required
in the environment (as in .ci/run) that is a failure.
"""

import re

import chess
from support.browser import GAME, Visitor
from support.web import LiveServer, searches, wait_until

from cythera import Engine, Limit, Position

PIECES = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}
PROMOTION = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
CASTLING_960 = "4k3/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w BH - 0 1"


def test_a_whole_game_is_played_to_mate(visitor):
    visitor.open("/#play")
    visitor.new_game(level=800)
    position = Position()
    with Engine(hash_mib=4) as friend:
        while not position.outcome():
            uci = friend.play(position, Limit(nodes=8000)).uci
            position.push(uci)
            visitor.move(uci)
            if len(uci) == 5:
                visitor.click(f"#promotion .{PIECES[uci[4]]}")
            if position.outcome():
                break
            visitor.wait_for_moves(len(position.history()) + 1)
            san = visitor.moves()[-1]
            position.push(position.to_board().parse_san(san).uci())
            assert len(position.history()) < 300
    assert position.outcome() == "1-0"
    visitor.wait_for("#play-status", "You win by checkmate. 1–0")
    assert visitor.moves()[-1].endswith("#")


def test_promotion_asks_what_the_pawn_becomes(visitor):
    visitor.open("/#play")
    visitor.new_game(fen=PROMOTION)
    visitor.move("a7a8")
    dialog = visitor.page.locator("#promotion")
    dialog.wait_for()
    assert [button.get_attribute("aria-label") for button in dialog.locator("button").all()] == [
        "Promote to queen", "Promote to knight", "Promote to rook", "Promote to bishop",
    ]  # fmt: skip
    visitor.page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    assert visitor.moves() == []
    visitor.move("a7a8")
    dialog.wait_for()
    visitor.page.keyboard.press("ArrowDown")
    visitor.page.keyboard.press("ArrowDown")
    visitor.page.keyboard.press("Enter")
    visitor.wait_for("#play-moves", "a8=R+")


def test_castling_in_chess960_is_king_takes_rook(visitor):
    visitor.open(f"/#analyse?fen={CASTLING_960.replace(' ', '_')}&chess960=1")
    visitor.move("c1h1")
    visitor.wait_for("#analyse-moves", "O-O")
    assert visitor.page.input_value("#analyse-fen").startswith("4k3/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 b")
    visitor.page.locator("#engine-lines li:first-child b", has_text=re.compile(r"\d")).wait_for()
    visitor.page.keyboard.press("ArrowLeft")
    visitor.move("c1b1")
    visitor.wait_for("#analyse-moves", "O-O-O")


def test_a_chess960_game_starts_from_its_number(visitor):
    visitor.open("/#play")
    for number in (0, 518, 692, 959):
        visitor.click("nav [data-mode=play]")
        visitor.new_game(number=number, side="black")
        visitor.wait_for("#play-status", "Your move")
        assert len(visitor.moves()) == 1
        visitor.click("#play-analyse")
        visitor.page.keyboard.press("Home")
        start = chess.Board.from_chess960_pos(number).board_fen()
        assert visitor.page.input_value("#analyse-fen").startswith(f"{start} w KQkq")


def test_analysis_starts_stops_and_follows_the_moves(visitor):
    visitor.open("/#analyse")
    facts = visitor.page.locator("#engine-facts")
    visitor.wait_for("#engine-facts", "depth")
    assert searches() == 1
    assert visitor.page.locator("#eval-bar").is_visible()
    assert visitor.page.locator(".cg-shapes line").count() >= 1
    visitor.click("#engine-switch")
    wait_until(lambda: searches() == 0)
    stopped = facts.inner_text()
    visitor.page.locator("#board").hover()
    assert facts.inner_text() == stopped
    visitor.page.locator("#engine-switch").evaluate("button => button.blur()")
    visitor.page.keyboard.press("Space")
    visitor.click("#engine-more")
    visitor.page.select_option("#set-lines", "4")
    visitor.type_move("e4", "analyse")
    visitor.page.locator("#engine-lines li:nth-child(4) b", has_text=re.compile(r"\d")).wait_for()
    assert "1…" in visitor.page.inner_text("#engine-lines li:first-child")
    visitor.click("#engine-lines li:first-child .line-move")
    visitor.page.locator("#analyse-moves > .move").nth(1).wait_for()


def test_a_pgn_is_loaded_stepped_through_and_drawn_as_a_curve(visitor):
    visitor.open("/#analyse")
    visitor.load(GAME)
    assert visitor.sans("analyse") == ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
    visitor.wait_for(".aside.variation", "now f7 again")
    assert visitor.page.inner_text("#strip-bottom .name") == "Ann"
    visitor.page.locator("#graph svg[data-known='8']").wait_for()
    visitor.page.locator("[data-tab=review].news").wait_for()
    current = visitor.page.locator("#analyse-moves [aria-current]")
    visitor.page.keyboard.press("End")
    assert current.inner_text().split()[0] == "Qxf7#"
    assert visitor.page.inner_text("#engine-score") == "1–0"
    visitor.page.keyboard.press("ArrowLeft")
    assert current.inner_text().startswith("Nf6")
    visitor.page.mouse.move(*visitor.square("e4"))
    visitor.page.mouse.wheel(0, -100)
    visitor.wait_for("#analyse-moves [aria-current]", "Qh5")
    box = visitor.page.locator("#graph").bounding_box()
    visitor.page.mouse.click(box["x"] + 1, box["y"] + 20)
    assert current.count() == 0
    visitor.tab("share")
    visitor.click("#analyse-copy-pgn")
    visitor.wait_for("#toast", "PGN copied")
    pgn = visitor.page.evaluate("navigator.clipboard.readText()")
    assert '[White "Ann"]' in pgn
    assert "( 3... g6" in pgn
    assert "[%eval" in pgn


def test_a_file_can_be_dropped_and_a_bad_game_is_shown_up_to_its_mistake(visitor):
    visitor.open("/#play")
    text = GAME.replace("Nc6", "Nc5") + "\n" + GAME
    visitor.page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], 'games.pgn'));
            document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        text,
    )
    visitor.wait_for("#toast", "2… Nc5 is not legal")
    assert visitor.sans("analyse") == ["e4", "e5", "Bc4"]
    visitor.tab("games")
    visitor.click("#file-list li:nth-child(3) .row-main")
    assert len(visitor.moves("analyse")) == 7
    visitor.load("neither one nor the other")
    visitor.wait_for("#load-error", "There is no game")
    visitor.page.keyboard.press("Escape")


def test_games_that_cannot_be_shown_are_named_and_the_others_loaded(visitor):
    visitor.open("/#analyse")
    impossible = '[White "Eve"]\n[Black "Fay"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 *\n'
    visitor.load(impossible + "\n" + GAME)
    visitor.wait_for("#toast", "1. Eve – Fay: impossible start, or another kind of chess.")
    assert len(visitor.moves("analyse")) == 7
    visitor.load(impossible)
    visitor.wait_for("#load-error", "Eve – Fay")
    visitor.page.keyboard.press("Escape")


def test_a_position_is_shared_by_its_address(visitor):
    visitor.open("/#analyse")
    visitor.type_move("Nf3", "analyse")
    visitor.click("#flip")
    visitor.tab("share")
    visitor.click("#analyse-link")
    visitor.wait_for("#toast", "Link copied")
    url = visitor.page.evaluate("navigator.clipboard.readText()")
    fen = visitor.page.input_value("#analyse-fen")
    visitor.page.evaluate("sessionStorage.clear()")
    visitor.page.goto("about:blank")
    visitor.strangers.clear()
    visitor.open(url.removeprefix(visitor.server.url))
    assert visitor.page.input_value("#analyse-fen") == fen
    assert visitor.page.locator("#board.orientation-black").count() == 1


def test_take_back_hint_resign_and_a_premove(visitor):
    visitor.open("/#play")
    visitor.new_game(level=3200)
    visitor.move("e2e4")
    visitor.move("d2d4")  # while the engine thinks
    visitor.page.locator("square.current-premove").first.wait_for()
    visitor.wait_for_moves(3)
    visitor.wait_for("#play-status", "Your move")
    played = visitor.moves()
    assert (played[0], played[2], len(played)) == ("e4", "d4", 4)
    visitor.click("#play-hint")
    visitor.wait_for("#play-status", "Hint: 3.")
    visitor.click("#play-back")
    assert len(visitor.moves()) == 2
    visitor.click("#play-resign")
    visitor.click("#play-resign")
    visitor.wait_for("#play-status", "You resigned; Cythera wins. 0–1")


def test_a_draw_is_announced_and_a_clock_runs(visitor):
    visitor.open("/#play")
    visitor.new_game(fen="7k/8/8/8/8/8/p7/K7 w - - 0 1", time="3+2")
    visitor.move("a1a2")
    visitor.wait_for("#play-status", "Draw by insufficient material. ½–½")
    assert visitor.page.inner_text("#clock-top") == "3:00"
    visitor.new_game(time="1+0")
    visitor.move("e2e4")
    visitor.wait_for("#play-status", "Your move")
    visitor.page.locator("#clock-bottom.running").wait_for()
    visitor.wait_for("#clock-bottom", re.compile("0:[0-9]"))


def test_dark_mode_follows_the_system_and_the_button(browser, server):
    visitor = Visitor(browser, server, color_scheme="dark").open()
    background = "getComputedStyle(document.documentElement).backgroundColor"
    dark = visitor.page.evaluate(background)
    assert max(map(int, re.findall(r"\d+", dark)[:3])) < 60
    visitor.click("#theme")
    light = visitor.page.evaluate(background)
    assert min(map(int, re.findall(r"\d+", light)[:3])) > 200
    visitor.open()
    assert visitor.page.evaluate(background) == light  # the wish is kept
    visitor.leave()


def test_a_phone_s_width_needs_no_scrolling_sideways(browser, server):
    visitor = Visitor(browser, server, viewport={"width": 360, "height": 740}, has_touch=True).open()
    for mode in ("play", "analyse", "watch", "lab"):
        visitor.click(f"nav [data-mode={mode}]")
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 360, mode
    visitor.leave()


def test_everything_has_a_name_and_can_be_reached_by_keyboard(visitor):
    visitor.open("/#play")
    for mode in ("play", "analyse", "watch", "lab"):
        visitor.click(f"nav [data-mode={mode}]")
        nameless = visitor.page.evaluate(
            """() => [...document.querySelectorAll('button, input, select, textarea, a')]
                .filter(one => one.offsetParent && !one.closest('.lines'))
                .filter(one => !(one.ariaLabel || one.labels?.length || one.textContent.trim()))
                .map(one => one.outerHTML)"""
        )
        assert nameless == []
    visitor.click("nav [data-mode=play]")
    visitor.page.keyboard.press("m")
    visitor.page.keyboard.type("e4\n")
    visitor.wait_for("#play-status", "Your move")
    assert visitor.moves()[0] == "e4"
    assert re.search("White: king e1.*pawn [^.]*e4", visitor.page.text_content("#board-text"))
    assert visitor.page.text_content("#announcer").startswith("Cythera: ")
    visitor.page.locator("#play-input").evaluate("input => input.blur()")
    visitor.page.keyboard.press("?")
    visitor.page.locator("#help[open]").wait_for()
    visitor.page.keyboard.press("Escape")


def test_engine_plays_engine(visitor):
    visitor.open("/#watch")
    visitor.page.select_option("#watch-pace", "0.1")
    visitor.click("#watch-start")
    visitor.wait_for_moves(4, "watch")
    visitor.click("#watch-start")
    visitor.wait_for("#watch-start", "Resume")
    assert "strong · 1800" in visitor.page.inner_text("#strip-bottom")


def test_a_tree_of_the_lab_is_stepped_through(visitor):
    visitor.open("/#lab")
    visitor.wait_for("#lab-status", "value 3")
    assert visitor.page.locator("#lab-tree .node.pruned").count() == 2
    visitor.click("#lab-first")
    assert visitor.page.locator("#lab-tree .node.future").count() > 5
    assert visitor.page.locator("#lab-tree .node.pruned").count() == 0
    visitor.page.keyboard.press("ArrowRight")
    visitor.wait_for("#lab-caption", "enter the root")
    visitor.page.locator("#lab-log button", has_text="cut").click()
    assert visitor.page.locator("#lab-tree .node.pruned").count() == 2
    visitor.page.select_option("#lab-game", "trio")
    visitor.wait_for("#lab-status", "trio")
    offered = visitor.page.locator("#lab-algorithm option").evaluate_all("options => options.map(one => one.value)")
    assert "maxn" in offered and "alphabeta" not in offered  # three players


def test_the_page_connects_again_and_goes_on(browser):
    first = LiveServer()
    visitor = Visitor(browser, first).open("/#play")
    visitor.type_move("e4")
    visitor.wait_for("#play-status", "Your move")
    first.end()
    visitor.page.locator("#offline").wait_for()
    visitor.wait_for("#play-status", "Waiting for the server")
    visitor.type_move("d4")
    second = LiveServer(first.port)
    visitor.page.locator("#offline").wait_for(state="hidden")
    visitor.wait_for("#play-status", "Your move")
    assert len(visitor.moves()) == 4
    visitor.reload()  # and a page that is loaded again has its game still
    assert len(visitor.moves()) == 4
    visitor.errors = [error for error in visitor.errors if "WebSocket" not in error]  # it tried in vain
    visitor.leave()
    second.end()


def test_two_tabs_have_two_games(browser, server):
    one, other = Visitor(browser, server).open("/#play"), Visitor(browser, server).open("/#play")
    one.type_move("e4")
    other.type_move("d4")
    one.wait_for("#play-status", "Your move")
    other.wait_for("#play-status", "Your move")
    assert (one.moves()[0], other.moves()[0]) == ("e4", "d4")
    one.leave()
    other.leave()
