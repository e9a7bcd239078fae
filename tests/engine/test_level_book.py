"""How limited strengths open: sensible moves, varied, the same for the same seed; others are left alone."""

from itertools import pairwise

import chess
import pytest

from cythera import Engine, Limit, Position
from cythera.board.opening_table import opening_lines
from cythera.engine.level_book import SPREAD_PLIES, book, book_plies, level_move, weights_of
from cythera.engine.levels import seed_of
from cythera.engine.options import MAX_ELO, MIN_ELO

SENSIBLE = {  # what is played by thousands of people at every strength, by the moves before
    "": {"e2e4", "d2d4", "c2c4", "g1f3", "g2g3", "b2b3", "f2f4", "b1c3"},
    "e2e4": {"e7e5", "c7c5", "e7e6", "c7c6", "d7d5", "d7d6", "g7g6", "g8f6", "b8c6"},
    "d2d4": {"d7d5", "g8f6", "e7e6", "f7f5", "d7d6", "g7g6", "c7c6", "c7c5"},
    "e2e4 e7e5": {"g1f3", "f1c4", "b1c3", "f2f4", "d2d4"},
}


def position_after(moves):
    position = Position()
    for move in moves.split():
        position.push(move)
    return position


@pytest.mark.parametrize("elo", [800, 1200, 1500, 1800, 2200])
@pytest.mark.parametrize("moves", SENSIBLE)
def test_nearly_all_first_moves_are_sensible(elo, moves):
    position = position_after(moves)
    games = range(200)
    played = [level_move(position, elo, game, seed_of(position, game)) for game in games]
    known = [move for move in played if move is not None]
    assert len(known) == len(played)
    assert sum(move in SENSIBLE[moves] for move in known) >= 0.97 * len(known)
    assert len(set(known)) >= 3, "and they vary"


def test_the_engine_at_1500_answers_kings_pawn_like_people_do():
    board = chess.Board()
    board.push_san("e4")
    answers = []
    with Engine(elo=1500, hash_mib=1, seed=7) as engine:
        for _ in range(30):
            answers.append(engine.play(board, Limit(time_s=60)))
            engine.new_game()
    texts = [answer.uci for answer in answers]
    assert sum(text in SENSIBLE["e2e4"] for text in texts) == 30 and texts.count("e7e5") + texts.count("c7c5") >= 12
    assert all(answer.line is None for answer in answers), "it plays them without a search"


def test_openings_are_the_same_for_the_same_seed_and_others_for_others():
    def games(seed):
        with Engine(elo=1500, hash_mib=1, seed=seed) as engine:
            found = []
            for _ in range(6):
                position = Position()
                for _ in range(5):
                    position.push(engine.play(position, Limit(nodes=100)).uci)
                found.append(tuple(position.history()))
                engine.new_game()
            return found

    first = games(1)
    assert first == games(1) and first != games(2) and len(set(first)) >= 3


def test_a_weaker_level_leaves_the_book_sooner():
    for game in range(20):
        plies = [book_plies(elo, game) for elo in range(MIN_ELO, MAX_ELO, 600)]
        assert all(low < high for low, high in pairwise(plies))
    assert {book_plies(1500, game) for game in range(50)} == {8, 9, 10, 11}
    assert max(book_plies(MIN_ELO, game) for game in range(50)) == 3 + SPREAD_PLIES


def test_a_stronger_level_prefers_main_lines_more():
    moves = {"main": 100, "second": 40, "rare": 3}

    def share(elo):
        weights = weights_of(moves, elo)
        return weights["main"] / sum(weights.values())

    shares = [share(elo) for elo in range(MIN_ELO, MAX_ELO, 200)]
    assert shares == sorted(shares) and shares[-1] > shares[0] + 0.05
    assert "rare" in weights_of(moves, MIN_ELO) and "rare" not in weights_of(moves, 3000)


def test_all_moves_of_the_book_are_legal_and_count_the_openings_through_them():
    start = book()[Position().key]
    assert sum(start.values()) == len(opening_lines())
    king_pawn = sum(moves[0] == "e4" for _, _, moves in opening_lines())
    assert start["e2e4"] == king_pawn
    seen = set()

    def walk(position):
        if position.key in seen:
            return
        seen.add(position.key)
        for move in book().get(position.key, {}):
            after = position.copy()
            after.push(move)
            walk(after)

    walk(Position())
    assert set(book()) <= seen


def test_out_of_the_book_in_chess960_and_late_in_a_game_there_is_no_move():
    assert level_move(position_after("h2h4 a7a5 h1h3"), 2400, 1, "x") is None
    assert level_move(Position(chess960=True), 1500, 1, "x") is None
    late = Position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 40")
    assert level_move(late, 1500, 1, "x") is None


# What decides whether the book is used


def book_moves(talk, *commands):
    assert talk.ask(*commands) == []
    talk.send("position startpos moves e2e4", "go movetime 60000")
    return [line for line in talk.until("bestmove") if "book move" in line]


def test_full_strength_has_no_book(talk):
    talk.send("position startpos", "go depth 1")
    assert not [line for line in talk.until("bestmove") if "book move" in line]
    talk.ask("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {MAX_ELO}")
    talk.send("position startpos", "go depth 1")
    assert not [line for line in talk.until("bestmove") if "book move" in line]


@pytest.mark.parametrize("value", ["true", "false"])
def test_who_sets_own_book_decides_himself(talk, value):
    limit = "setoption name UCI_LimitStrength value true"
    assert len(book_moves(talk, limit)) == 1
    assert book_moves(talk, f"setoption name OwnBook value {value}") == []


def test_analysis_and_searchmoves_do_without_the_book(talk):
    talk.ask("setoption name Skill Level value 5")
    talk.send("position startpos", "go depth 1 searchmoves a2a3")
    assert talk.until("bestmove")[-1].startswith("bestmove a2a3")
    talk.ask("setoption name UCI_AnalyseMode value true")
    talk.send("position startpos", "go depth 1")
    assert not [line for line in talk.until("bestmove") if "book move" in line]


def test_an_engine_with_an_empty_book_thinks_from_the_first_move():
    with Engine(elo=1500, hash_mib=1, book="") as engine:
        assert engine.play(Position(), Limit(nodes=200)).line is not None
    with Engine(hash_mib=1) as engine:
        assert engine.play(Position(), Limit(depth=1)).line is not None
