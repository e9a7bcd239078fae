"""The notebook board without a notebook: what it sends to the page, and what it does with what the page sends."""

import doctest
import json
import sys
import time
from importlib import import_module

import chess
import pytest
from support.sample_games import OPERA

from cythera import CytheraError, Engine, IllegalMoveError, Limit, Position, board_widget
from cythera.notebook.shown_moves import ShownMoves

traitlets = pytest.importorskip("traitlets", reason="the extra `notebook` is not installed")
pytest.importorskip("anywidget", reason="the extra `notebook` is not installed")

MATE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
PROMOTION = "8/4P2k/8/8/8/8/8/K7 w - - 0 1"


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mib=1) as engine:
        yield engine


@pytest.fixture(scope="module")
def opera(engine):
    return engine.analyse_game(OPERA, Limit(nodes=3000), workers=1)


def send(widget, **content):
    """A message of the page."""
    widget._hear(widget, content, [])


def test_the_state_is_data_that_a_page_can_have():
    state = board_widget(PROMOTION).get_state()
    json.dumps({name: state[name] for name in state if name not in ("layout", "_esm", "_css")})
    assert state["_esm"].startswith("//") and "export default" in state["_esm"] and ".cythera-board" in state["_css"]
    assert "http" not in state["_esm"].replace("http://www.w3.org/2000/svg", "") and "@import" not in state["_css"]
    assert set(state["_pictures"]) == set("KQRBNPkqrbnp")


def test_a_position_is_shown_with_its_legal_moves_and_its_history():
    position = Position()
    for san in ("e4", "e5", "Qh5", "Ke7"):
        position.push_san(san)
    widget = board_widget(position)
    data = widget._board
    assert widget.fen == position.fen() and widget.moves == position.history() and widget.ply == 4
    assert data["pieces"]["h5"] == "Q" and data["last"] == ["e8", "e7"] and data["check"] == ""
    assert {start + to for start, all_to in data["legal"].items() for to in all_to} == {
        move.uci() for move in position.legal_moves()
    }
    widget.push("Qxe5")
    assert widget._board["check"] == "e7" and widget._status == "1-0"
    assert position.fen() != widget.fen, "the caller's position stays"


def test_moves_of_the_page_are_played_and_refused_with_a_sentence():
    widget = board_widget(chess.Board())
    send(widget, kind="move", uci="e2e4")
    send(widget, kind="type", text=" e5 ")
    send(widget, kind="type", text="g1f3")
    assert widget.moves == ["e2e4", "e7e5", "g1f3"] and widget._record["sans"] == ["e4", "e5", "Nf3"]
    send(widget, kind="type", text="Qxh7")
    assert "'Qxh7' is not a legal move" in widget._status and len(widget.moves) == 3


@pytest.mark.parametrize(
    "content",
    [None, "text", {}, {"kind": "go"}, {"kind": "go", "ply": "x"}, {"kind": "go", "ply": 10**9}, {"kind": "move"},
     {"kind": "move", "uci": "a" * 10000}, {"kind": "line", "line": 5, "plies": 1}, {"kind": "line", "line": None},
     {"kind": "line", "line": -1, "plies": 3}, {"kind": "game"}, {"kind": "type", "text": ""}],
)  # fmt: skip
def test_nonsense_of_a_page_changes_nothing(content):
    widget = board_widget(MATE)
    widget._hear(widget, content, [])
    assert widget.fen == MATE and widget.moves == []


def test_promotions_are_marked_and_chosen():
    widget = board_widget(PROMOTION)
    assert widget._board["promotions"] == ["e7e8"] and widget._board["legal"]["e7"] == ["e8"]
    send(widget, kind="move", uci="e7e8n")
    assert widget.position.piece_at("e8") == "N"


def test_stepping_back_and_playing_another_move_replaces_the_rest():
    widget = board_widget()
    for move in ("e4", "e5", "Nf3"):
        widget.push(move)
    widget.back()
    send(widget, kind="go", ply=1)
    assert widget.ply == 1 and len(widget.moves) == 3
    widget.push("e7e5")
    assert len(widget.moves) == 3, "the same move is a step"
    widget.go(1)
    widget.push("c5")
    assert widget.moves == ["e2e4", "c7c5"]
    widget.forward()
    assert widget.ply == 2
    with pytest.raises(IllegalMoveError):
        widget.push("Ke3")


def test_moves_can_be_observed():
    seen = []
    widget = board_widget()
    widget.observe(lambda change: seen.append(change["new"]), "moves")
    widget.push("d4")
    send(widget, kind="move", uci="d7d5")
    assert seen == [["d2d4"], ["d2d4", "d7d5"]]
    with pytest.raises(traitlets.TraitError):
        widget.moves = []


def test_the_engine_answers_for_its_side(engine):
    widget = board_widget(engine=engine, side="w", limit=Limit(depth=2))
    send(widget, kind="move", uci="e2e4")
    assert widget.wait(60) and len(widget.moves) == 2 and widget.position.turn == "w"
    send(widget, kind="go", ply=1)
    send(widget, kind="move", uci="e7e5")
    assert widget.wait(60) and widget.ply == 1, "the page may not move for the engine"
    black = board_widget(engine=engine, side="b", limit=Limit(depth=2))
    assert black.wait(60) and black.flipped and len(black.moves) == 1


def test_an_engine_without_a_side_shows_lines_that_can_be_walked_into(engine):
    widget = board_widget(MATE, engine=engine, limit=Limit(depth=3))
    assert widget.wait(60)
    assert widget._lines[0]["sans"] == ["Ra8#"] and widget.arrows == [("a1", "a8")]
    send(widget, kind="line", line=1, plies=2)
    assert widget.wait(60) and widget.moves == widget.moves[:2] and widget.ply == 2


def test_answers_of_an_engine_are_shown_with_their_lines(engine):
    lines = engine.analyse(MATE, Limit(depth=3), multipv=2)
    for shown in (lines, lines[0], engine.play(MATE, Limit(depth=3))):
        widget = board_widget(shown)
        assert widget.fen == MATE and widget._lines[0]["sans"] == ["Ra8#"]
        widget.push("h3")
        assert widget._lines == []
        widget.back()
        assert widget._lines[0]["sans"] == ["Ra8#"]
    (line,) = engine.analyse_many([MATE], Limit(depth=2))
    with pytest.raises(CytheraError, match="do not know their position"):
        board_widget(line)


def test_a_running_analysis_is_followed_to_its_end(engine):
    with engine.analysis(MATE, Limit(depth=6), multipv=2) as analysis:
        widget = board_widget(analysis)
        analysis.wait()
        assert widget.wait(60)
    assert [line["score"] for line in widget._lines] == [str(line.white_score) for line in analysis.lines]


def test_an_analysis_that_ends_while_the_board_is_made_is_shown_with_its_last_lines(engine, monkeypatch):
    widget_class = import_module("cythera.notebook.widget").BoardWidget
    read = widget_class._read

    def read_and_end(self, shown):
        found = read(self, shown)
        seen = len(shown.scores)
        while len(shown.scores) < seen + 5:  # its lines are others by then
            time.sleep(0.001)
        shown.stop()
        shown.wait()
        return found

    monkeypatch.setattr(widget_class, "_read", read_and_end)
    with engine.analysis(Position()) as analysis:
        widget = board_widget(analysis)
        assert widget.wait(60)
    assert [line["score"] for line in widget._lines] == [str(line.white_score) for line in analysis.lines]
    assert widget._lines[0]["moves"] == list(analysis.lines[0].moves[: len(widget._lines[0]["moves"])])


def test_an_analysed_game_has_marks_graph_and_words(opera):
    widget = board_widget(opera)
    assert widget.ply == 0 and len(widget.moves) == len(opera.moves) and widget._graph.startswith("<svg")
    marked = [at for at, mark in enumerate(widget._record["marks"]) if mark]
    assert marked == [move.ply for move in opera.key_moments()] and marked
    widget.go(marked[0])
    assert widget._lines[0]["moves"] == list(opera.moves[marked[0]].lines[0].moves[:12])
    widget.forward()
    moment = opera.moves[marked[0]]
    assert widget._status.startswith(f"{moment.label}: {moment.word}") and moment.best_san[0] in widget._status


def test_a_game_can_be_left_and_returned_to(opera):
    widget = board_widget(opera)
    widget.go(4)
    widget.push(next(move.uci() for move in widget.position.legal_moves() if move.uci() != opera.moves[4].uci))
    assert widget._record["left_game"] and widget._lines == [] and len(widget.moves) == 5
    send(widget, kind="game")
    assert not widget._record["left_game"] and widget.ply == 4 and len(widget.moves) == len(opera.moves)


def test_a_record_keeps_passes_and_other_starts():
    board = chess.Board("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7")
    board.push(chess.Move.null())
    board.push_san("e4")
    record = ShownMoves(Position.from_board(board))
    assert record.sans() == ["--", "e4"] and record.position(1).turn == "w" and record.position().fen() == board.fen()
    assert board_widget(board)._record["first"] == [7, "b"]


def test_wrong_arguments_get_a_sentence(engine):
    with pytest.raises(CytheraError, match="a side needs an engine"):
        board_widget(side="w")
    with pytest.raises(CytheraError, match="side must be 'w', 'b' or None, got 'white'"):
        board_widget(side="white", engine=engine)
    with pytest.raises(TypeError, match="a position must be"):
        board_widget(3.5)


def test_without_anywidget_the_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(CytheraError, match=r"pip install 'cythera\[notebook\]'"):
        board_widget()


@pytest.mark.parametrize("name", ["cythera.notebook", "cythera.notebook.shown_moves", "cythera.notebook.widget"])
def test_doctests_hold_in(name):
    assert doctest.testmod(import_module(name)).failed == 0
