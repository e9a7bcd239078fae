"""The evaluation in words: its sums are true, and it sees both sides alike."""

import random

import chess
import pytest
from support.uci import MIDDLEGAME, START

from cythera import Engine, Position
from cythera.core import evaluation_terms
from cythera.engine.evaluation_table import FULL_PHASE, FULL_SCALE, explain, mirrored_fen

ENDGAME = "8/5pk1/6p1/7p/7P/5PP1/R5K1/1r6 b - - 3 40"


def positions(count=80):
    rng = random.Random(3)
    board = chess.Board()
    for _ in range(count):
        if board.is_game_over() or board.ply() > 120:
            board = chess.Board()
        board.push(rng.choice(list(board.legal_moves)))
        yield Position.from_board(board)


def truncated(numerator, denominator):
    """C's division, towards zero."""
    return int(numerator / denominator)


def test_the_terms_sum_to_the_evaluation():
    for position in positions():
        found = evaluation_terms(position)
        mg = sum(term.white_mg - term.black_mg for term in found.terms)
        eg = truncated(sum(term.white_eg - term.black_eg for term in found.terms) * found.scale, FULL_SCALE)
        whole = truncated(mg * found.phase + eg * (FULL_PHASE - found.phase), FULL_PHASE)
        assert found.score == (whole if position.turn == "w" else -whole)


def test_the_evaluation_of_the_table_is_the_engines():
    with Engine(hash_mib=1, eval_file="<classical>") as engine:
        for position in positions(30):
            assert engine.evaluate(position).cp == evaluation_terms(position).score


def test_both_sides_are_judged_alike():
    for position in positions():
        mirrored = Position(mirrored_fen(position.fen()))
        assert evaluation_terms(position).score == evaluation_terms(mirrored).score
        for ours, theirs in zip(evaluation_terms(position).terms, evaluation_terms(mirrored).terms, strict=True):
            assert ours == (theirs.name, theirs.black_mg, theirs.black_eg, theirs.white_mg, theirs.white_eg)


@pytest.mark.parametrize("fen", [START, MIDDLEGAME, ENDGAME])
def test_the_table_shows_every_term_that_counts(fen):
    position = Position(fen)
    text = explain(position)
    counted = [term.name for term in evaluation_terms(position).terms if any(term[1:])]
    rows = [line for line in text.splitlines() if line.count("|") == 4]
    assert len(rows) == len(counted) + 3
    assert len({line.index("|") for line in rows}) == 1, "columns are aligned"


def test_the_total_is_told_for_white():
    black_up = Position("4k3/8/8/8/8/8/8/r3K3 w - - 0 1")
    assert explain(black_up).splitlines()[-1].startswith("Total -")
    assert explain(Position("4k3/8/8/8/8/8/8/1R2K3 b - - 0 1")).splitlines()[-1].startswith("Total +")
    assert "in check" in explain(black_up)


@pytest.mark.parametrize("fen", [START, MIDDLEGAME, ENDGAME, "r3k2r/8/8/8/8/8/8/R3K2R b KQq - 0 1",
                                 "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"])  # fmt: skip
def test_mirroring_twice_is_no_change(fen):
    once = mirrored_fen(fen)
    assert mirrored_fen(once) == fen and once != fen
    assert Position(once).fen() == once
