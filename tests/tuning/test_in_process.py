"""Pairs of games of the engine against itself in one process."""

import chess
import pytest

from cythera import Position
from cythera.core import TUNABLES, get_tunables
from cythera.errors import OptionError
from cythera.match.adjudication import TUNING_RULES, Rules, WinRule
from cythera.match.referee import play
from cythera.match.uci.engines import EngineSpec
from cythera.tuning import in_process as pairs
from cythera.tuning.in_process import HASH_MIB, Pair, PairGame, PairTask, Side, play_pair, play_task

OPEN = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
SICILIAN = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
PERPETUAL = "6k1/5pp1/8/3Q4/8/6q1/1rr5/7K w - - 0 1"  # White is lost but for checks that never end
WON = "4k3/8/8/8/8/8/8/R3K2R w - - 0 1"
WON_LATER = "4k3/pppppp2/8/8/8/8/PPPPPP2/R2QK3 w - - 0 1"
NAME, LOW, HIGH = TUNABLES[0].name, TUNABLES[0].low, TUNABLES[0].high
EVERY_NUMBER_AT_ITS_LOWEST = {row.name: row.low for row in TUNABLES}


@pytest.fixture(autouse=True)
def search_parameters():
    """Every test must leave them as they were."""
    before = get_tunables()
    yield before
    assert get_tunables() == before


@pytest.mark.parametrize("fen", [OPEN, SICILIAN])
def test_equal_sides_give_a_pair_of_one_game_twice(fen):
    pair = play_pair(Side(300), Side(300), fen)
    assert pair.games[0] == pair.games[1]
    assert sum(pair.scores) == 1
    assert pair.points == 0
    assert pair.plies == 2 * len(pair.games[0].moves) > 20


def test_a_side_with_far_more_nodes_wins_whichever_it_is():
    strong, weak = Side(4000), Side(20)
    assert play_pair(strong, weak, OPEN).points == 2
    assert play_pair(weak, strong, OPEN).points == -2


def test_a_pair_is_the_same_whatever_was_played_before():
    one, other = Side(400), Side(400, EVERY_NUMBER_AT_ITS_LOWEST)
    first = play_pair(one, other, SICILIAN)
    assert first.games[0] != first.games[1]  # the numbers do matter
    play_pair(other, Side(200, without=("nmp", "lmr")), OPEN)
    assert play_pair(one, other, SICILIAN) == first
    assert play_pair(other, one, SICILIAN).games == first.games[::-1]


def test_a_technique_left_out_changes_the_games():
    assert (
        play_pair(Side(500), Side(500, without=("quiescence",)), OPEN).games[0]
        != (play_pair(Side(500), Side(500), OPEN).games[0])
    )


def test_the_classical_evaluation_can_be_asked_for_by_name():
    pair = play_pair(Side(200, eval_file="<classical>"), Side(200, eval_file="<classical>"), OPEN)
    assert pair.points == 0


def test_the_games_are_those_that_the_referee_sees_over_uci(pool, task):
    options = (("Hash", str(HASH_MIB)), ("SyzygyBuiltin", "false"))  # games in process know no tables
    lowest = {NAME: LOW}
    plain = EngineSpec("plain", ("cythera",), options)
    changed = EngineSpec("changed", ("cythera",), (*options, (NAME, str(LOW))))
    games = [
        play(task(white, black, "nodes=600", OPEN, rules=TUNING_RULES), pool)
        for white, black in ((plain, changed), (changed, plain))
    ]
    pair = play_pair(Side(600), Side(600, lowest), OPEN)
    assert [game.result for game in games] == [game.result for game in pair.games]
    assert [tuple(move.uci for move in game.moves) for game in games] == [game.moves for game in pair.games]


def test_opening_moves_are_played_before_the_game():
    pair = play_pair(Side(50), Side(50), OPEN, ("g1f3", "b8c6"))
    position = Position(OPEN)
    for move in ("g1f3", "b8c6", *pair.games[0].moves):
        position.push(move)  # all of them are legal


def test_a_game_that_repeats_is_a_draw():
    (game, _) = play_pair(Side(2000), Side(2000), PERPETUAL).games
    position = Position(PERPETUAL)
    for move in game.moves:
        position.push(move)
    assert game.result == "1/2-1/2"
    assert position.is_repetition(3)
    back_and_forth = ("g1f3", "g8f6", "f3g1", "f6g8") * 2
    assert play_pair(Side(50), Side(50), OPEN, back_and_forth).games[0] == PairGame("1/2-1/2", ())


def test_a_game_ends_by_mate_where_nothing_ends_it_before():
    (game, _) = play_pair(Side(2000), Side(2000), WON, rules=Rules()).games
    position = Position(WON)
    for move in game.moves:
        position.push(move)
    assert position.is_checkmate()
    assert game.result == "1-0"


def test_a_game_is_won_when_both_sides_agree_for_long_enough():
    (game, _) = play_pair(Side(500), Side(500), WON_LATER, rules=Rules(win=WinRule(count=2, cp=600))).games
    assert (game.result, len(game.moves)) == ("1-0", 4)


def test_a_game_without_end_is_a_draw_at_the_last_ply():
    assert [len(game.moves) for game in play_pair(Side(20), Side(20), OPEN, max_plies=7).games] == [7, 7]


def test_points_are_those_of_the_first_side():
    won, lost, drawn = (PairGame(result, ()) for result in ("1-0", "0-1", "1/2-1/2"))
    assert [Pair(games).points for games in ((won, lost), (lost, won), (won, won), (drawn, lost))] == [2, -2, 0, 1]
    assert Pair((drawn, lost)).scores == (0.5, 1.0)


def test_the_search_parameters_are_restored_when_a_game_fails(monkeypatch, search_parameters):
    seen = []

    class Failing:
        def __init__(self, rules):
            pass

        def verdict(self, *args, **kwargs):
            seen.append(get_tunables()[NAME])
            raise RuntimeError("in the middle of a game")

    monkeypatch.setattr(pairs, "Adjudicator", Failing)
    with pytest.raises(RuntimeError, match="in the middle"):
        play_pair(Side(50, {NAME: LOW}), Side(50), OPEN)
    assert seen == [LOW]
    assert get_tunables() == search_parameters


def test_each_move_is_searched_with_the_numbers_of_its_side(monkeypatch):
    seen = []

    class Watching(pairs.Adjudicator):
        def verdict(self, *args, white, **kwargs):
            seen.append((white, get_tunables()[NAME]))
            return super().verdict(*args, white=white, **kwargs)

    monkeypatch.setattr(pairs, "Adjudicator", Watching)
    play_pair(Side(20, {NAME: LOW}), Side(20, {NAME: HIGH}), OPEN, max_plies=6)
    assert seen == [(True, LOW), (False, HIGH)] * 3 + [(True, HIGH), (False, LOW)] * 3


def test_the_judge_hears_of_move_numbers_captures_and_pawn_moves(monkeypatch):
    heard, expected = [], []

    class Listening(pairs.Adjudicator):
        def verdict(self, *args, move, zeroing, **kwargs):
            heard.append((move, zeroing))

    monkeypatch.setattr(pairs, "Adjudicator", Listening)
    for game in play_pair(Side(50), Side(50), OPEN, max_plies=30).games:
        board = chess.Board(OPEN)
        for text in game.moves:
            expected.append((board.fullmove_number, board.is_zeroing(chess.Move.from_uci(text))))
            board.push_uci(text)
    assert heard == expected
    assert {zeroing for _, zeroing in heard} == {False, True}


def test_a_task_travels_between_processes():
    import pickle

    task = PairTask(3, Side(50, {NAME: LOW}), Side(50), OPEN)
    assert pickle.loads(pickle.dumps(task)) == task
    assert play_task(task) == play_pair(task.first, task.second, OPEN)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Side(0), "nodes per move must be at least 1"),
        (lambda: Side(10, {"nonsense": 1}), "unknown search parameter 'nonsense'"),
        (lambda: Side(10, {NAME: HIGH + 1}), f"{NAME} must be between {LOW} and {HIGH}"),
        (lambda: Side(10, without=("magic",)), "unknown search feature 'magic'"),
        (lambda: Side.from_options([("Hash", "16")], 10), "option Hash is not supported in process"),
        (lambda: Side.from_options([(NAME, "much")], 10), "whole number"),
    ],
)
def test_a_side_that_cannot_be_is_refused_in_a_sentence(make, sentence):
    with pytest.raises(OptionError, match=sentence):
        make()


def test_options_of_uci_make_a_side():
    side = Side.from_options([("evalfile", "a.net"), ("Without", "nmp,razoring"), (NAME, str(LOW))], 10)
    assert side == Side(10, {NAME: LOW}, ("nmp", "razoring"), "a.net")
    assert Side.from_options([(NAME, str(LOW))], 10, {NAME: HIGH}).tunables == {NAME: HIGH}
