"""What endgame tables know, at the socket and in a real browser."""

from support.web import START


def test_a_position_of_the_tables_comes_with_its_moves(talker):
    assert talker.hello["tables"] >= 3
    found = talker.hear("tables", talker.say("tables", fen="k7/8/1K6/8/8/8/8/7R w - - 0 1"))
    assert (found["result"], found["dtz"]) == ("win", 1)
    assert found["moves"][0] == {"uci": "h1h8", "san": "Rh8#", "result": "win", "dtz": 0}
    results = [move["result"] for move in found["moves"]]
    assert len(results) == 20
    assert results == sorted(results, key=["win", "draw", "loss"].index)


def test_the_half_move_clock_and_the_moves_of_the_game_count(talker):
    slow = talker.hear("tables", talker.say("tables", fen="7k/8/8/8/8/8/8/KR6 w - - 90 100"))
    assert slow["result"] == "cursed win"
    fresh = talker.hear("tables", talker.say("tables", fen="7k/8/8/8/8/8/p7/KR6 w - - 90 100", moves=["a1a2"]))
    assert fresh["result"] == "loss"


def test_a_position_of_no_table_has_no_result(talker):
    for fen in (START, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"):
        assert talker.hear("tables", talker.say("tables", fen=fen)) | {"id": 0} == {
            "type": "tables", "id": 0, "result": None, "dtz": None, "moves": []
        }  # fmt: skip


def test_the_panel_sorts_the_moves_and_plays_them(visitor):
    visitor.engine(isOn=False)
    visitor.open("/#analyse")
    panel = visitor.page.locator("#tables")
    assert not panel.is_visible()
    visitor.load("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1")
    visitor.wait_for("#tables-verdict", "Draw")
    visitor.move("e4d4")
    visitor.wait_for("#tables-verdict", "Draw")
    visitor.load("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")
    visitor.wait_for("#tables-verdict", "White wins · ")
    assert panel.locator("dt").all_inner_texts() == ["Winning", "Drawing"]
    visitor.click(".table-move[data-uci=e6d6]")
    visitor.wait_for("#tables dt", "Losing")  # the verdict begins as that before the move
    assert panel.locator("dt").all_inner_texts() == ["Losing"]
    assert visitor.sans("analyse") == ["Kd6"]
    visitor.load("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    panel.wait_for(state="hidden")


def test_a_win_by_tables_is_a_word_and_no_number(visitor):
    visitor.engine(isOn=True)
    visitor.open("/#analyse")
    visitor.load("8/8/8/4k3/8/8/1K2P3/7R w - - 0 1")
    visitor.wait_for("#engine-score", "+TB")
    visitor.wait_for("#engine-lines .line:first-child b", "+TB")
    assert visitor.page.get_attribute("#engine-score", "aria-label") == "White wins"
    visitor.wait_for("#tables-verdict", "White wins · the next half-move is a capture, pawn move or mate")
