"""What notebooks show of an engine's answers: a board with an arrow, and tables with texts set left."""

import pickle
import xml.etree.ElementTree as ET

import chess
import pytest

from cythera import CytheraError, Engine, Limit, Position
from cythera.engine.results import Line

MATE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mib=1) as engine:
        yield engine


def parsed(html):
    """The HTML as XML, which it must be, so that no text breaks out of its cell."""
    return ET.fromstring(f"<all>{html}</all>")


def cells(html):
    rows = [[cell.text or "" for cell in row] for row in parsed(html).iter("tr")]
    return rows[0], rows[1:]


def arrows(html):
    return [one for one in parsed(html).iter() if one.get("class") == "arrow"]


def test_a_list_of_lines_shows_the_board_and_a_row_for_each(engine):
    lines = engine.analyse(MATE, Limit(depth=4), multipv=3)
    headings, rows = cells(lines._repr_html_())
    assert headings == ["score", "win draw loss", "depth", "nodes", "line"]
    assert [row[0] for row in rows] == [str(line.score) for line in lines] and rows[0][-1] == "1. Ra8#"
    assert len(arrows(lines._repr_html_())) >= 1


def test_a_list_of_lines_is_a_list_and_survives_pickling(engine):
    lines = engine.analyse(MATE, Limit(depth=3), multipv=2)
    assert isinstance(lines, list) and len(lines) == 2 and [*lines] == lines
    again = pickle.loads(pickle.dumps(lines))
    assert [line.moves for line in again] == [line.moves for line in lines]
    assert again._repr_html_() == lines._repr_html_()


def test_one_line_and_a_move_show_themselves(engine):
    line = engine.analyse(MATE, Limit(depth=3))
    assert cells(line._repr_html_())[1][0][-1] == "1. Ra8#"
    played = engine.play(MATE, Limit(depth=3))
    assert "<b>Ra8#</b>" in played._repr_html_() and played.san == "Ra8#"
    parsed(played._repr_html_())


def test_a_running_analysis_gives_lines_with_their_position(engine):
    with engine.analysis(chess.Board(MATE), Limit(depth=3), multipv=2) as analysis:
        first = next(analysis)
        lines = analysis.wait()
    assert first.position == Position(MATE) and "<svg" in lines._repr_html_()


def test_the_caller_may_play_on_and_the_picture_stays(engine):
    position = Position(MATE)
    line = engine.analyse(position, Limit(depth=3))
    position.push("a1a8")
    assert line.position.fen() == MATE and line.san() == ["Ra8#"]


def test_a_line_of_a_batch_has_no_picture_and_needs_a_board_for_san(engine):
    (line,) = engine.analyse_many([MATE], Limit(depth=3))
    assert line._repr_html_() is None and line.san(chess.Board(MATE)) == ["Ra8#"]
    with pytest.raises(CytheraError, match="give a board"):
        line.san()
    assert Line.from_json(line.as_json())._repr_html_() is None


def test_texts_are_set_left_and_numbers_right(engine):
    html = engine.analyse(MATE, Limit(depth=3), multipv=2)._repr_html_()
    sides = {cell.text: cell.get("style") for cell in parsed(html).iter("th")}
    assert sides["line"] == "text-align:left" and sides["nodes"] == "text-align:right"


def test_a_mated_side_shows_a_board_without_an_arrow(engine):
    lines = engine.analyse("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", Limit(depth=3), multipv=2)
    assert len(lines) == 1 and arrows(lines._repr_html_()) == []
