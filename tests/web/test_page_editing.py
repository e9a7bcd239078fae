"""Games changed, kept, loaded and shared in a real browser."""

import pytest
from support.browser import GAME

SECOND = GAME.replace("Ann", "Müller").replace("Bob", "Dan")


@pytest.fixture
def visitor(visitor):
    """Somebody who edits games and leaves the engine off."""
    visitor.engine(isOn=False)
    return visitor


def annotated(visitor):
    """A board with a line, a variation and a comment."""
    visitor.open("/#analyse")
    for move in ("e4", "e5", "Nf3"):
        visitor.type_move(move, "analyse")
    leave_field(visitor)
    visitor.page.keyboard.press("ArrowLeft")
    visitor.type_move("Bc4", "analyse")
    visitor.type_move("Nf6", "analyse")
    leave_field(visitor)
    visitor.tab("annotate")
    visitor.page.fill("#comment", "the Bishop's Opening")
    visitor.page.keyboard.press("Escape")


def leave_field(visitor):
    visitor.page.keyboard.press("Escape")


def copied_pgn(visitor):
    visitor.tab("share")
    visitor.click("#analyse-copy-pgn")
    visitor.wait_for("#toast", "PGN copied")
    return visitor.page.evaluate("navigator.clipboard.readText()")


def current(visitor):
    return visitor.page.locator("#analyse-moves [aria-current]").evaluate("one => one.firstChild.data")


def test_comments_and_signs_are_written_and_undone(visitor):
    annotated(visitor)
    visitor.wait_for(".aside.variation", "the Bishop's Opening")
    visitor.page.keyboard.press("1")
    visitor.wait_for("#analyse-moves [aria-current]", "Nf6!")
    visitor.page.keyboard.press("4")  # one sign takes the place of the other
    visitor.click(".glyph[data-nag='14']")
    pgn = copied_pgn(visitor)
    assert "( 2. Bc4 Nf6 $4 $14 { the Bishop's Opening } )" in pgn
    visitor.page.keyboard.press("Control+z")
    visitor.page.keyboard.press("Control+z")
    visitor.page.keyboard.press("Control+z")
    assert current(visitor) == "Nf6"
    assert visitor.page.locator("#analyse-moves [aria-current] i").count() == 0
    visitor.page.keyboard.press("Control+z")
    assert "Bishop" not in visitor.page.inner_text("#analyse-moves")
    visitor.page.keyboard.press("Control+y")
    visitor.wait_for(".aside.variation", "the Bishop's Opening")


def test_variations_are_walked_promoted_and_deleted_by_keyboard(visitor):
    annotated(visitor)
    press = visitor.page.keyboard.press
    press("ArrowLeft")
    assert current(visitor) == "Bc4"
    press("Shift+ArrowUp")
    assert current(visitor) == "Nf3"
    press("Shift+ArrowDown")
    assert current(visitor) == "Bc4"
    press("Shift+ArrowLeft")
    assert current(visitor) == "e5"
    assert visitor.page.locator("#fork button").all_inner_texts() == ["2. Nf3", "2. Bc4"]
    press("Shift+ArrowRight")
    assert current(visitor) == "Bc4"
    press("p")
    assert visitor.sans("analyse") == ["e4", "e5", "Bc4", "Nf6"]
    press("Delete")
    visitor.wait_for("#toast", "2 moves deleted.")
    assert visitor.sans("analyse") == ["e4", "e5", "Nf3"]
    visitor.click("#toast-action")
    assert visitor.sans("analyse") == ["e4", "e5", "Bc4", "Nf6"]
    visitor.wait_for("#analyse-moves", "the Bishop's Opening")


def test_a_move_has_a_menu(visitor):
    annotated(visitor)
    visitor.page.locator(".aside.variation .move", has_text="Bc4").click(button="right")
    items = visitor.page.locator("#menu button").all_inner_texts()
    assert items[:2] == ["Promote variation", "Make main line"]
    visitor.page.locator("#menu button", has_text="Make main line").click()
    assert visitor.sans("analyse") == ["e4", "e5", "Bc4", "Nf6"]
    visitor.page.locator("#analyse-moves > .move", has_text="Bc4").click(button="right")
    visitor.page.keyboard.press("ArrowDown")
    visitor.page.keyboard.press("Escape")
    assert not visitor.page.locator("#menu").is_visible()


def test_nothing_is_lost_by_a_new_board_or_a_loaded_game(visitor):
    annotated(visitor)
    visitor.tab("games")
    visitor.click("#analyse-reset")
    visitor.wait_for("#toast", "kept in My games")
    assert visitor.sans("analyse") == []
    visitor.click("#toast-action")  # undo
    visitor.wait_for("#analyse-moves", "the Bishop's Opening")
    visitor.load(GAME)
    visitor.page.locator("#analyse-moves > .move").nth(6).wait_for()
    visitor.reload()  # kept games are there when the page is loaded again
    visitor.tab("games")
    visitor.click("#load-open")
    visitor.page.locator("#kept-list .row-main").first.wait_for()
    assert visitor.page.locator("#kept-list .row-main").count() == 1
    visitor.page.fill("#kept-search", "no such game")
    assert visitor.page.locator("#kept-list .row-main").count() == 0
    visitor.page.fill("#kept-search", "")
    visitor.click("#kept-list .row-main")
    visitor.wait_for("#analyse-moves", "the Bishop's Opening")
    visitor.click("#load-open")
    visitor.click("#kept-list .row-remove")
    visitor.page.locator("#kept-list .row-main").wait_for(state="detached")
    visitor.click("#kept-undo")
    visitor.page.locator("#kept-list .row-main").wait_for()


def test_a_file_of_many_games_is_searched(visitor):
    visitor.open("/#analyse")
    games = "\n".join(GAME.replace("Ann", f"Player {number}") for number in range(1, 1500)) + "\n" + SECOND
    visitor.tab("games")
    visitor.click("#load-open")
    visitor.page.set_input_files(
        "#load-file", {"name": "club.pgn", "mimeType": "text/plain", "buffer": games.encode()}
    )  # fmt: skip
    visitor.wait_for("#file-state", "1,500 games")
    assert visitor.page.locator("#file-list li").count() < 60  # only what can be seen is in the document
    visitor.page.fill("#file-search", "dan muller")
    visitor.wait_for("#file-state", "1 of 1,500 games")
    visitor.click("#file-list .row-main")
    visitor.wait_for("#strip-bottom .name", "Müller")
    visitor.reload()  # the list is there when the page is loaded again
    visitor.wait_for("#file-state", "1,500 games")
    assert visitor.page.inner_text("#file-name") == "club.pgn"
    visitor.page.keyboard.press("PageUp")
    visitor.wait_for("#strip-bottom .name", "Player 1499")


@pytest.mark.parametrize(
    ("text", "moves", "seen"),
    [
        ("1. g1f3 d7d5 2. e2e4 d5e4 3. f1b5 c7c6 4. e1g1", ["Nf3", "d5", "e4", "dxe4", "Bb5+", "c6", "O-O"], ""),
        ("1. Ng1-f3 d7-d5 2. 0-0?", ["Nf3", "d5"], "is not legal"),
        ("1. e4 $13 $24 $146 e5 $999 1/2-1/2", ["e4", "e5"], "½–½"),
        ("1. e4 {[%clk 1:02:03]} e5 {[%clk 0:59:01] [%foo bar]}", ["e4", "e5"], "59:01"),
    ],
)
def test_pgn_of_all_kinds_is_read(visitor, text, moves, seen):
    visitor.open("/#analyse")
    visitor.load(text)
    assert visitor.sans("analyse") == moves
    visitor.page.keyboard.press("End")
    if seen:
        visitor.page.get_by_text(seen).first.wait_for()
    if "$13" in text:
        signs = visitor.page.locator("#analyse-moves > .move i").all_inner_texts()
        assert [sign.split() for sign in signs] == [["∞", "○", "N"], ["$999"]]
        assert "$13 $24 $146" in copied_pgn(visitor)
    if "%foo" in text:
        assert visitor.page.inner_text("#clock-bottom") == "1:02:03"
        pgn = copied_pgn(visitor)
        assert "[%foo bar]" in pgn
        assert "[%clk 0:59:01]" in pgn


def test_arrows_of_a_comment_are_drawn_and_own_ones_kept(visitor):
    visitor.open("/#analyse")
    visitor.load("1. e4 {[%csl Rd5,Ge4][%cal Ge4d5,Yd1h5] look} *")
    visitor.page.keyboard.press("End")
    visitor.page.locator("#board .cg-shapes line").nth(1).wait_for()
    assert visitor.page.locator("#board .cg-shapes circle").count() == 2
    visitor.page.mouse.move(*visitor.square("a2"))
    visitor.page.mouse.down(button="right")
    visitor.page.mouse.move(*visitor.square("a4"))
    visitor.page.mouse.up(button="right")
    assert "[%csl Rd5,Ge4] [%cal Ge4d5,Yd1h5,Ga2a4] look" in copied_pgn(visitor)


def test_epd_with_operations_is_read(visitor):
    visitor.open("/#analyse")
    visitor.load('6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id "back rank"; c0 "mate in one"; fmvn 31;')
    visitor.wait_for("#analyse-moves", "bm Ra8#; mate in one")
    visitor.tab("share")
    assert visitor.page.input_value("#analyse-fen").endswith("w - - 0 31")
    visitor.load('8/8/8/4k3/8/8/4P3/4K3 w - - bm e4;\n6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - id "two";\n')
    visitor.tab("games")
    visitor.wait_for("#file-state", "2 games")
    visitor.page.locator("#file-list .row-main", has_text="two").click()
    visitor.tab("share")
    assert visitor.page.input_value("#analyse-fen").startswith("6k1/5ppp")


def test_a_link_holds_the_whole_game(visitor):
    annotated(visitor)
    visitor.click("#flip")
    visitor.tab("share")
    visitor.click("#analyse-link")
    visitor.wait_for("#toast", "Link copied")
    url = visitor.page.evaluate("navigator.clipboard.readText()")
    visitor.page.evaluate("sessionStorage.clear()")
    visitor.page.goto("about:blank")
    visitor.strangers.clear()
    visitor.open(url.removeprefix(visitor.server.url))
    visitor.wait_for(".aside.variation", "the Bishop's Opening")
    assert current(visitor) == "Nf6"
    assert visitor.page.locator("#board.orientation-black").count() == 1
    visitor.open("/?again#analyse?game=notagame")
    visitor.wait_for("#toast", "holds no game")


def test_a_position_is_set_up_on_the_board(visitor):
    visitor.open("/#analyse")
    visitor.tab("games")
    visitor.click("#analyse-edit")
    visitor.click("#editor-clear")
    visitor.wait_for("#editor-error", "The board is empty.")
    assert visitor.page.locator("#editor-analyse").is_disabled()

    def put(tool, square):
        visitor.click(f"[data-tool='{tool}']")
        board = visitor.page.locator("#editor-board cg-board").bounding_box()
        side = board["width"] / 8
        x, y = "abcdefgh".index(square[0]) + 0.5, 8 - int(square[1]) + 0.5
        visitor.page.mouse.click(board["x"] + x * side, board["y"] + y * side)

    put("white king", "e1")
    put("white rook", "h1")
    put("black king", "e8")
    put("black pawn", "d7")
    put("erase", "d7")
    visitor.page.check("#castle-wk")
    visitor.page.select_option("#editor-turn", "b")
    assert visitor.page.input_value("#editor-fen") == "4k3/8/8/8/8/8/8/4K2R b K - 0 1"
    put("white queen", "e7")
    visitor.page.select_option("#editor-turn", "w")
    visitor.wait_for("#editor-error", "in check")
    put("erase", "e7")
    visitor.click("#editor-analyse")
    visitor.tab("share")
    assert visitor.page.input_value("#analyse-fen") == "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    visitor.type_move("O-O", "analyse")
    visitor.page.locator("#analyse-moves > .move", has_text="O-O").wait_for()
