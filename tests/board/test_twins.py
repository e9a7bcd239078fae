"""The compiled board and python-chess agree, subject by subject, on seeded random games."""

import random
from pathlib import Path

import chess
import pytest
from support import twin_checks, twins

from cythera import Position

POSITIONS = 400
FEWER = {"words": 100, "copies": 150, "refusals": 200}
CORPORA = {  # positions that perft counts from, each made for something rare
    name: (Path(__file__).parent / f"{name}.epd").read_text(encoding="utf-8")
    for name in ("standard", "chess960", "double960")
}
RARE = [
    "8/8/8/k2pP2R/8/8/8/4K3 w - d6 0 1",  # en passant opens the rank for a check
    "6k1/8/8/3pP3/8/1B6/8/4K3 w - d6 0 1",  # the pawn taken en passant shielded its king
    "3k4/8/8/3pP3/8/8/8/3RK3 w - d6 0 1",  # the taker shields the file again
    "5k2/8/8/8/8/8/8/4K2R w K - 0 1",  # castling gives check
    "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1",  # only the promotion to a knight gives check
    "1k6/8/8/8/4N3/8/6B1/K7 w - - 0 1",  # a knight discovers
    "4k3/8/8/8/4K3/8/8/4R3 w - - 0 1",  # a king discovers
    "7k/8/8/8/3R4/2B5/8/K7 w - - 0 1",  # double check
]


@pytest.mark.parametrize("kind", twins.STARTS)
@pytest.mark.parametrize("subject", twin_checks.CHECKS)
def test_the_twins_agree_on(subject, kind):
    check, _ = twin_checks.CHECKS[subject]
    for pair in twins.walk(kind, 2024, FEWER.get(subject, POSITIONS), Position):
        check(pair)


@pytest.mark.parametrize("kind", twins.STARTS)
@pytest.mark.parametrize("subject", ["legal_moves", "keys", "effects", "endings", "exchanges"])
def test_both_builds_agree_with_python_chess_on(core, subject, kind):
    check, _ = twin_checks.CHECKS[subject]
    for pair in twins.walk(kind, 7, 100, core.Board):
        check(pair)


@pytest.mark.parametrize("name", CORPORA)
def test_the_twins_agree_on_everything_where_perft_counts_from(name):
    lines = [line for line in CORPORA[name].splitlines() if line and line[0] != "#"]
    for line in lines:
        agree_on_everything(line.split(" ;")[0], chess960=name != "standard")


@pytest.mark.parametrize("fen", RARE)
def test_the_twins_agree_on_everything_in(fen):
    agree_on_everything(fen, chess960=False)


def agree_on_everything(fen, chess960):
    pair = twins.Pair(Position(fen, chess960=chess960), chess.Board(fen, chess960=chess960), random.Random(fen))
    for check, _ in twin_checks.CHECKS.values():
        check(pair)


def test_random_games_meet_what_is_rare():
    met = set()
    for kind in twins.STARTS:
        for pair in twins.walk(kind, 2024, 1500, Position):
            ours = pair.ours
            moves = ours.legal_moves()
            met |= {
                name
                for name, here in (
                    ("castling", any(move.is_castling for move in moves)),
                    ("en passant", any(move.is_en_passant for move in moves)),
                    ("promotion", any(move.promotion for move in moves)),
                    ("checkmate", ours.is_checkmate()),
                    ("stalemate", ours.is_stalemate()),
                    ("repetition", ours.is_repetition(3)),
                    ("fifty moves", ours.is_fifty_moves()),
                    ("insufficient material", ours.is_insufficient_material()),
                    ("null move", pair.passed),
                )
                if here
            }
    assert len(met) == 9, met


def test_a_wrong_answer_is_noticed_and_told_with_the_game():
    class Wrong(Position):
        def is_check(self):
            return not super().is_check()

    with pytest.raises(AssertionError, match=r"check: cythera says True, python-chess False\n  in .*\n  from .* by"):
        for pair in twins.walk("standard", 1, 10, Wrong):
            twin_checks.endings(pair)
