"""A game evaluated in a real browser: verdicts, the curve, a second try at the errors, the engine's lines."""

import re

import pytest
from support.browser import GAME

# One blunder whatever the curve, and a sign of the annotator's own.
FOOLS_MATE = """\
[White "Ann"]
[Black "Bob"]
[Result "0-1"]

1. f3 $5 {[%csl Gd4][%cal Gd4f3,Rc4f7] the trap} e5 2. g4 Qh4# 0-1
"""
TWO_ERRORS = "1. e4 e5 2. Nf3 Nc6 3. Nxe5 Nxe5 4. d4 a6 5. h3 Ng6 6. Bd3 Nf6 *"  # of White


def evaluate(visitor, game):
    """Loads a game and waits until it was judged."""
    visitor.engine(isOn=False)
    visitor.open("/#analyse")
    visitor.load(game)
    visitor.page.locator("[data-tab=review].news").wait_for()
    visitor.tab("review")


@pytest.fixture
def judged(visitor):
    evaluate(visitor, FOOLS_MATE)
    return visitor


def test_an_evaluated_game_has_accuracy_signs_and_key_moments(judged):
    rows = judged.page.locator("#review-sides tr").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["White", "Black"]
    accuracy = [float(re.search(r"([\d.]+) %", row)[1]) for row in rows]
    assert accuracy[0] < accuracy[1] <= 100
    moments = judged.page.locator("#moments .moment").all_inner_texts()
    assert any("2. g4 blunder: " in text and "better 2. " in text for text in moments)
    signs = judged.page.locator("#analyse-moves > .move i").all_inner_texts()
    assert signs == ["!?", "??"]  # the annotator's own sign stays
    assert judged.page.locator("#analyse-moves > .move", has_text="g4").text_content().startswith("g4??−")
    assert judged.page.locator("#analyse-moves > .move small").count() == 4
    assert judged.page.locator("#graph .graph-mark.blunder").count() == 1
    judged.page.locator("#moments .moment", has_text="2. g4").click()
    judged.wait_for("#analyse-moves [aria-current]", "g4")


def test_the_curve_says_what_is_under_the_pointer(judged):
    box = judged.page.locator("#graph").bounding_box()
    judged.page.mouse.move(box["x"] + box["width"] * 3 / 4, box["y"] + 20)
    judged.wait_for(".graph-label", "2. g4")
    assert "blunder" in judged.page.inner_text(".graph-label")
    assert "−#1" in judged.page.inner_text(".graph-label")


def test_verdicts_survive_a_reload_and_come_with_the_pgn(judged):
    judged.tab("share")
    judged.click("#analyse-copy-pgn")
    judged.wait_for("#toast", "PGN copied")
    pgn = judged.page.evaluate("navigator.clipboard.readText()")
    assert "g4 $4 { [%eval #-1] }" in pgn
    assert "f3 $5 { [%eval -" in pgn
    assert "[%csl Gd4] [%cal Gd4f3,Rc4f7] the trap" in pgn
    assert pgn.rstrip().endswith("0-1")
    judged.reload()
    judged.tab("review")
    assert judged.page.locator("#moments .moment", has_text="2. g4").count() == 1
    assert judged.page.locator("#graph .graph-mark.blunder").count() == 1


def test_a_judged_game_has_its_key_moments_in_view_and_is_evaluated_again_below_them(judged):
    assert judged.page.inner_text("#review-start") == "Evaluate again"
    button = judged.page.locator("#review-start").bounding_box()
    assert button["y"] > judged.page.locator("#moments").bounding_box()["y"]
    judged.page.evaluate("document.querySelector('#tab-review').style.height = '90px'")
    judged.page.evaluate("document.querySelector('#tab-review').scrollTop = 0")
    judged.page.keyboard.press("Home")
    judged.page.keyboard.press(".")
    judged.wait_for("#analyse-moves [aria-current]", "g4")
    tab, moment = (judged.page.locator(one).bounding_box() for one in ("#tab-review", ".moment[aria-current]"))
    assert tab["y"] <= moment["y"] and moment["y"] + 20 <= tab["y"] + tab["height"]


def test_errors_are_tried_again(visitor):
    evaluate(visitor, TWO_ERRORS)
    judged = visitor
    judged.click("#learn-white")
    judged.wait_for("#learn-text", "Find a better move for White")
    assert not judged.page.locator("#engine-lines").is_visible()
    number = judged.page.inner_text("#learn-text").split()[0]
    played = re.match(r"\d+\. (\S+) was played", judged.page.inner_text("#learn-text"))[1]
    judged.type_move(played, "analyse")
    judged.wait_for("#learn-text", "That is the move of the game")
    judged.type_move("a3", "analyse")
    judged.wait_for("#learn-text", re.compile("a3(:| is)"))
    judged.click("#learn-show") if not judged.page.locator("#learn-show").is_disabled() else None
    judged.page.locator("#engine-lines").wait_for()
    judged.click("#learn-next")
    judged.wait_for("#learn-place", re.compile("^2 /"))
    assert not judged.page.inner_text("#learn-text").startswith(number)
    judged.click("#learn-end")
    judged.page.locator("#review-result").wait_for()
    errors = judged.page.locator("#moments .moment b").all_inner_texts()
    judged.page.keyboard.press("Home")
    places = []
    for key in "..,":
        judged.page.keyboard.press(key)
        places.append(judged.page.inner_text("#moments [aria-current] b"))
    assert places == [errors[0], errors[1], errors[0]]


def test_the_best_move_is_praised(visitor):
    visitor.engine(isOn=False)
    visitor.open("/#analyse")
    visitor.load("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0")
    visitor.page.keyboard.press("e")
    visitor.page.locator("#review-result").wait_for()
    visitor.click("#learn-black")
    visitor.wait_for("#learn-text", "3… Nf6 was played: blunder")
    best = re.search(r"better 3… (\S+)", visitor.page.locator("#moments").text_content())[1]
    visitor.type_move(best, "analyse")
    visitor.wait_for("#learn-text", f"3… {best} is the best move.")
    visitor.page.locator(".aside.variation", has_text=best).wait_for()
    assert visitor.page.inner_text("#learn-next") == "Done"


def test_any_move_of_a_line_can_be_looked_at_and_played(visitor):
    visitor.engine()
    visitor.open("/#analyse")
    visitor.load(GAME.split("3...")[0].split("3. Qh5")[0])
    visitor.page.keyboard.press("End")
    line = visitor.page.locator("#engine-lines li:first-child .line-move")
    line.nth(3).wait_for()
    visitor.click("#engine-switch")  # the line stays as it is from now on
    visitor.wait_for("#engine-switch", "Analyse")
    moves = line.all_inner_texts()
    expand = visitor.page.locator("#engine-lines li:first-child .expand")
    height = visitor.page.locator("#engine-lines li:first-child").bounding_box()["height"]
    expand.click()
    assert visitor.page.locator("#engine-lines li:first-child").bounding_box()["height"] > height
    line.nth(2).hover()
    visitor.page.locator("#preview cg-board").wait_for()
    line.nth(2).click()
    assert not visitor.page.locator("#preview").is_visible()
    played = visitor.sans("analyse")[4:]
    assert played == [text.split()[-1] for text in moves[:3]]


def test_the_panel_of_the_engine_keeps_its_height(visitor):
    visitor.open("/#analyse")
    height = visitor.page.locator("#engine").bounding_box()["height"]
    heights = set()
    for move in ("e4", "e5", "Nf3", "Nc6"):
        visitor.type_move(move, "analyse")
        heights.add(visitor.page.locator("#engine").bounding_box()["height"])
        visitor.wait_for("#engine-facts", "depth")
        heights.add(visitor.page.locator("#engine").bounding_box()["height"])
    assert heights == {height}


def test_openings_are_named(visitor):
    visitor.engine(isOn=False)
    visitor.open("/#analyse")
    for move in ("e4", "c5", "Nf3"):
        visitor.type_move(move, "analyse")
    visitor.wait_for("#analyse-opening", "Sicilian Defence")
    visitor.page.keyboard.press("Escape")  # leaves the field
    visitor.page.keyboard.press("Home")
    visitor.page.locator("#analyse-opening:empty").wait_for(state="attached")
    visitor.click("nav [data-mode=play]")
    visitor.type_move("c4")
    visitor.wait_for("#play-opening", "English Opening")
