import pytest

from cythera.match.match_errors import MatchError
from cythera.match.uci.declared_options import check_value, parse_option
from cythera.match.uci.info import final_info, parse_info


def test_an_info_line_gives_its_numbers():
    info = parse_info("info depth 12 seldepth 20 multipv 1 score cp -31 wdl 1 2 997 nodes 4 nps 1 time 7 pv e2e4 e7e5")
    assert (info.depth, info.seldepth, info.score_cp, info.nodes, info.time_ms) == (12, 20, -31, 4, 7)
    assert info.pv == ("e2e4", "e7e5")


def test_mate_scores_and_bounds_are_told_apart():
    assert parse_info("info depth 3 score mate -4 pv a2a3").mate == -4
    assert parse_info("info depth 3 score cp 10 lowerbound pv a2a3").bound


@pytest.mark.parametrize("line", ["info string depth 3 score cp 5", "bestmove e2e4", "", "hello info depth 3"])
def test_other_lines_are_no_info(line):
    assert parse_info(line) is None


@pytest.mark.parametrize("line", ["info score", "info depth x score cp y", "info score cp", "info depth"])
def test_broken_info_lines_do_no_harm(line):
    assert parse_info(line).score_cp is None


def test_the_last_exact_score_of_the_main_line_counts():
    info = final_info(
        [
            "info depth 5 score cp 20 nodes 100 pv e2e4",
            "info depth 6 score cp 25 nodes 200 pv d2d4",
            "info depth 6 multipv 2 score cp 5 nodes 210 pv a2a3",
            "info depth 7 score cp 90 upperbound nodes 300 pv d2d4",
            "info string nothing",
        ]
    )
    assert (info.depth, info.score_cp, info.pv, info.nodes) == (6, 25, ("d2d4",), 300)


def test_a_bound_is_better_than_no_score():
    assert final_info(["info depth 2 score cp 7 lowerbound pv e2e4"]).score_cp == 7
    assert final_info(["nonsense"]).score_cp is None


def test_options_are_parsed_with_their_limits():
    option = parse_option("option name Move Overhead type spin default 10 min 0 max 5000")
    assert (option.name, option.kind, option.default, option.low, option.high) == (
        "Move Overhead",
        "spin",
        "10",
        0,
        5000,
    )
    combo = parse_option("option name Null Move type combo default Fail High var Always var Fail High var Never")
    assert combo.choices == ("Always", "Fail High", "Never")
    assert combo.default == "Fail High"
    assert parse_option("option name Path type string default").default == ""
    assert parse_option("option nonsense") is None


DECLARED = {
    option.name.lower(): option
    for option in map(
        parse_option,
        [
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Ponder type check default false",
            "option name Style type combo default Solid var Solid var Wild",
        ],
    )
}


@pytest.mark.parametrize(
    ("name", "value", "sent"),
    [
        ("hash", "64", ("Hash", "64")),
        ("PONDER", "True", ("Ponder", "true")),
        ("Style", "wild", ("Style", "wild")),
    ],
)
def test_options_are_sent_in_the_engines_own_spelling(name, value, sent):
    assert check_value("X", DECLARED, name, value) == sent


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("Hsh", "64", "do you mean Hash"),
        ("Colour", "red", "unknown option 'Colour'"),
        ("Hash", "4096", "between 1 and 1024"),
        ("Hash", "big", "whole number"),
        ("Ponder", "maybe", "true or false"),
        ("Style", "Dull", "one of Solid, Wild"),
    ],
)
def test_options_that_would_confuse_an_engine_are_refused(name, value, sentence):
    with pytest.raises(MatchError, match=sentence):
        check_value("X", DECLARED, name, value)
