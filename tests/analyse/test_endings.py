"""What endgame tables say in annotations and explanations."""

import chess
import pytest

from cythera import Engine, Limit
from cythera.analyse.endings import table_phrase, table_reason

KEY_SQUARES = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"  # Kd6 and Kf6 win, Kd5 and Kf5 draw


@pytest.mark.parametrize(
    ("fen", "phrase"),
    [
        (KEY_SQUARES, "tablebase win for White (DTZ 3)"),
        ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", "tablebase draw"),
        ("8/8/8/8/8/2k5/1r6/K7 b - - 0 1", "tablebase win for Black"),
        ("7k/8/8/8/8/8/8/KR6 w - - 90 100", "tablebase draw by the fifty-move rule"),
        (chess.STARTING_FEN, ""),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ""),
    ],
)
def test_a_verdict_in_words(fen, phrase):
    found = table_phrase(chess.Board(fen))
    assert found.startswith(phrase) and bool(found) == bool(phrase)


@pytest.mark.parametrize(
    ("san", "reason"), [("Kd6", ""), ("Kf6", ""), ("Kd5", "turns a tablebase win (DTZ 3) into a draw")]
)
def test_a_move_that_changes_the_result_is_told(san, reason):
    board = chess.Board(KEY_SQUARES)
    assert table_reason(board, board.parse_san(san)) == reason


def test_a_defender_can_lose_a_draw():
    board = chess.Board("8/4k3/8/3K4/4P3/8/8/8 b - - 0 1")
    assert table_reason(board, board.parse_san("Kd7")) == ""
    assert table_reason(board, board.parse_san("Kd8")) == "turns a tablebase draw into a loss"


def test_annotations_say_where_tables_begin_and_where_the_result_changes():
    pgn = f'[FEN "{KEY_SQUARES}"]\n[SetUp "1"]\n\n1. Kd6 Kd8 2. Kd5 Kd7 *\n'
    with Engine() as engine:
        analysis = engine.analyse_game(pgn, Limit(nodes=3000), workers=1)
        text = " ".join(analysis.pgn().split())
    assert text.count("Tablebase win for White") == 1 and text.count("Tablebase draw.") == 1
    assert "turns a tablebase win (DTZ 1) into a draw." in text.replace("Turns", "turns")
    assert analysis.moves[0].as_json()["tablebase"].startswith("tablebase win for White")


def test_explanations_give_the_verdict_of_the_tables():
    with Engine() as engine:
        said = engine.explain(KEY_SQUARES, "Kd5", Limit(nodes=5000)).sentences
    assert "Tablebase win for White (DTZ 3)." in said
    assert any(one.startswith("Kd5 ") and one.endswith("turns a tablebase win (DTZ 3) into a draw.") for one in said)
