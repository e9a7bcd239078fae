"""Schedules, adjudication, tallies: the parts of a match that are only arithmetic."""

import doctest
import pkgutil
import subprocess
import sys
from importlib import import_module

import pytest

import cythera.match
from cythera.match.adjudication import Adjudicator, DrawRule, Rules, WinRule
from cythera.match.game_data import GameRecord, Opening
from cythera.match.match_errors import MatchError
from cythera.match.schedule import GAUNTLET, ROUND_ROBIN, Schedule, encounters
from cythera.match.stats.tally import Tally

MODULES = [module.name for module in pkgutil.walk_packages(cythera.match.__path__, "cythera.match.")]


@pytest.mark.parametrize("name", [*MODULES, "cythera.common.executor"])
def test_the_examples_in_the_docstrings_are_true(name):
    assert doctest.testmod(import_module(name)).failed == 0


def test_matches_never_load_the_core_and_statistics_load_nothing_heavy():
    code = "import sys\n"
    code += "from cythera.match.stats import elo, sprt, ratings\nfrom cythera.tuning import spsa\n"
    code += "assert not {'chess', 'rich', 'numpy', 'distributed'} & set(sys.modules)\n"
    code += "".join(f"import {name}\n" for name in MODULES)
    code += "loaded = [name for name in sys.modules if '_core_' in name]\n"
    code += "assert not loaded and 'distributed' not in sys.modules, loaded"
    subprocess.run([sys.executable, "-c", code], check=True)


# ---------------------------------------------------------------- schedules


def test_everybody_meets_everybody_in_a_round_robin():
    assert encounters(3, ROUND_ROBIN) == [(0, 1), (0, 2), (1, 2)]


def test_only_the_first_meets_the_others_in_a_gauntlet():
    assert encounters(4, GAUNTLET) == [(0, 1), (0, 2), (0, 3)]


def test_one_engine_is_no_match():
    with pytest.raises(MatchError):
        encounters(1, ROUND_ROBIN)


def test_every_opening_is_played_with_both_colours():
    schedule = Schedule(tuple(encounters(3, ROUND_ROBIN)), pairs=2)
    games = list(schedule.games())
    assert len(games) == len(schedule) == 12
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.white, first.black) == (second.black, second.white)
        assert first.opening == second.opening
    assert [game.opening for game in games] == [0] * 6 + [1] * 6


def test_games_already_played_are_left_out():
    schedule = Schedule(((0, 1),), pairs=2)
    assert [game.index for game in schedule.games({0, 2})] == [1, 3]


# ---------------------------------------------------------------- adjudication


def verdicts(rules, scores, first_move=1, zeroing=()):
    """The verdict after each ply; scores are the movers'."""
    judge = Adjudicator(rules)
    return [
        judge.verdict(score, None, white=ply % 2 == 0, move=first_move + ply // 2, zeroing=ply in zeroing)
        for ply, score in enumerate(scores)
    ]


def test_a_draw_is_given_after_enough_quiet_moves():
    rules = Rules(draw=DrawRule(move=1, count=2, cp=10))
    assert verdicts(rules, [5, -5, 0, 9]) == [None, None, None, ("1/2-1/2", "adjudication: both sides see a draw")]


def test_a_draw_is_not_given_early_in_the_game():
    rules = Rules(draw=DrawRule(move=40, count=1, cp=10))
    assert verdicts(rules, [0, 0, 0, 0], first_move=38) == [None] * 4
    assert verdicts(rules, [0, 0, 0], first_move=39)[2] is not None


def test_captures_and_pawn_moves_start_the_count_of_draws_again():
    rules = Rules(draw=DrawRule(move=1, count=2, cp=10))
    assert verdicts(rules, [0, 0, 0, 0], zeroing={2}) == [None] * 4


def test_one_side_alone_cannot_claim_a_win():
    rules = Rules(win=WinRule(count=2, cp=500))
    assert verdicts(rules, [900, 0] * 4) == [None] * 8
    assert verdicts(rules, [900, 900] * 4) == [None] * 8


def test_a_win_is_given_to_the_side_both_agree_on():
    rules = Rules(win=WinRule(count=2, cp=500))
    assert verdicts(rules, [900, -600, 800, -700])[3][0] == "1-0"
    assert verdicts(rules, [-900, 600, -800, 700])[3][0] == "0-1"


def test_mate_scores_count_as_decisive():
    judge = Adjudicator(Rules(win=WinRule(count=1, cp=500)))
    assert judge.verdict(None, -3, white=True, move=9, zeroing=False) is None
    assert judge.verdict(None, 3, white=False, move=9, zeroing=False)[0] == "0-1"


def test_an_engine_that_gives_no_score_is_never_adjudicated():
    rules = Rules(draw=DrawRule(move=1, count=1, cp=10), win=WinRule(count=1, cp=500))
    assert verdicts(rules, [None] * 6) == [None] * 6


def test_a_long_game_is_drawn_after_blacks_move():
    found = verdicts(Rules(max_moves=2), [300, -300, 300, -300])
    assert found[2] is None
    assert found[3] == ("1/2-1/2", "adjudication: 2 moves have been played")


# ---------------------------------------------------------------- tallies


def record(index, white, black, result, **fields):
    return GameRecord(index, white, black, Opening(), result, "normal", "", **fields)


def test_pairs_are_counted_when_both_games_are_in():
    tally = Tally("AB", ["AB"])
    tally.add(record(0, "A", "B", "1-0"))
    assert tally.first_meeting.pentanomial == (0, 0, 0, 0, 0)
    tally.add(record(1, "B", "A", "1/2-1/2"))
    assert tally.first_meeting.pentanomial == (0, 0, 0, 1, 0)
    assert (tally.engines["A"].points, tally.engines["B"].points) == (1.5, 0.5)


def test_no_game_is_counted_twice():
    tally = Tally("AB", ["AB"])
    tally.add(record(0, "A", "B", "1-0"))
    with pytest.raises(ValueError, match="counted already"):
        tally.add(record(0, "A", "B", "1-0"))


def test_failures_belong_to_the_loser():
    tally = Tally("AB", ["AB"])
    tally.add(record(0, "A", "B", "0-1", failure="crash"))
    assert tally.failures == {("A", "crash"): 1}


def test_a_record_survives_json():
    first = record(
        3, "A", "B", "1-0", failure="hang", warnings=(("A", "odd", "at move 3"),), started="2024-01-01T00:00:00"
    )
    assert GameRecord.from_json(first.as_json()) == first
