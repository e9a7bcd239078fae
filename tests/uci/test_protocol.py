"""UCI as text, limits and scores: pure functions."""

from itertools import pairwise

import pytest

from cythera.board.scores import Score
from cythera.core import MATE, START_FEN, SearchLine
from cythera.engine.limits import Go, Limit, limit_from
from cythera.engine.search_run import Info
from cythera.errors import CytheraError, LimitError
from cythera.uci.protocol import (
    ProtocolError,
    format_info,
    parse_go,
    parse_position,
    parse_setoption,
    tokens,
)  # fmt: skip


def test_words_end_at_a_comment():
    assert tokens("go depth 3 # as deep as that") == ["go", "depth", "3"]
    assert tokens("# nothing") == [] and tokens(" \t\r\n") == []


def test_every_limit_is_read():
    text = "searchmoves e2e4 d2d4 wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9 "
    go = parse_go((text + "infinite ponder").split())
    assert repr(go) == (
        "Go(wtime=1, btime=2, winc=3, binc=4, movestogo=5, depth=6, nodes=7, mate=8, movetime=9, infinite=True, "
        "ponder=True, searchmoves=['e2e4', 'd2d4'])"
    )


def test_unknown_words_and_no_words_are_no_limits():
    assert repr(parse_go([])) == "Go()" == repr(parse_go(["please", "think"]))


def test_searchmoves_without_moves_are_all_moves():
    assert parse_go(["searchmoves"]).searchmoves is None


def test_huge_depths_and_mates_are_cut_to_what_makes_sense():
    go = parse_go(["depth", "1000000", "mate", "1000000000000"])
    assert (go.depth, go.mate) == (1000, 1000)


@pytest.mark.parametrize(
    "text", ["depth", "nodes x", "wtime 1e3", "movetime nan", "depth -1", "mate 0", "nodes 0", "btime 1.x", "perft -1"]
)
def test_limits_that_make_no_sense_are_refused(text):
    with pytest.raises(ProtocolError):
        parse_go(text.split())


def test_a_go_does_not_change():
    with pytest.raises(AttributeError, match="a Go cannot be changed"):
        Go().depth = 3


def test_positions_are_read():
    assert parse_position(["startpos"]) == (START_FEN, [])
    assert parse_position(["startpos", "moves", "e2e4", "e7e5"]) == (START_FEN, ["e2e4", "e7e5"])
    assert parse_position(["fen", "8/8/8/8", "w", "-", "-", "moves"]) == ("8/8/8/8 w - -", [])
    for words in ([], ["fens"], ["moves", "e2e4"]):
        with pytest.raises(ProtocolError):
            parse_position(words)


def test_options_are_read_with_their_spaces():
    assert parse_setoption(" name Clear Hash\r\n") == ("Clear Hash", None)
    assert parse_setoption("name Hash value 16") == ("Hash", "16")
    assert parse_setoption("name  UCI_Opponent value  a  value b ") == ("UCI_Opponent", "a  value b")
    assert parse_setoption("name Book File value") == ("Book File", "")
    assert parse_setoption("\tname\tHash\tvalue\t4") == ("Hash", "4")
    for text in ("", "Hash value 3", "name", "name value 3", "value 3"):
        with pytest.raises(ProtocolError):
            parse_setoption(text)


def info(value, bound="exact"):
    return Info(SearchLine(["e2e4", "e7e5"], value, bound, 7, 9), 1, 1000, 2.0, 5, 0)


def test_an_info_line_says_everything_in_the_order_that_guis_expect():
    assert format_info(info(31), False) == (
        "info depth 7 seldepth 9 multipv 1 score cp 31 nodes 1000 nps 500000 hashfull 5 tbhits 0 time 2 pv e2e4 e7e5"
    )
    assert " score cp 31 lowerbound wdl " in format_info(info(31, "lower"), True)
    assert " score mate -1 upperbound nodes " in format_info(info(2 - MATE, "upper"), False)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "cp 0"), (-25, "cp -25"), (MATE - 1, "mate 1"), (MATE - 2, "mate 1"), (MATE - 3, "mate 2"),
     (2 - MATE, "mate -1"), (4 - MATE, "mate -2"), (-MATE, "mate 0")],
)  # fmt: skip
def test_scores_of_the_core_are_told_as_uci_has_them(value, text):
    assert Score.from_core(value).uci() == text


def test_scores_are_ordered_as_players_order_them():
    scores = [Score(mate=0), Score(mate=-1), Score(mate=-9), Score(cp=-300), Score(cp=0), Score(cp=300), Score(mate=9),
              Score(mate=1), Score(mate=0, given=True)]  # fmt: skip
    assert sorted(scores) == scores
    assert [-score for score in reversed(scores)] == scores
    assert len(set(scores)) == len(scores)
    assert all(a <= b and b >= a and a < b and b > a for a, b in pairwise(scores))


def test_scores_from_the_other_side_and_as_python_chess_has_them():
    import chess.engine

    assert Score(cp=31).white("w") == Score(cp=31) and Score(cp=31).white("b") == Score(cp=-31)
    assert Score(mate=0).white("b").wdl() == (1000, 0, 0)
    assert Score(cp=31).to_chess() == chess.engine.Cp(31)
    assert Score(mate=-2).to_chess() == chess.engine.Mate(-2)
    assert (-Score(mate=0)).to_chess() == chess.engine.MateGiven
    assert [str(score) for score in (Score(cp=-150), Score(mate=3), Score(mate=0))] == ["-1.50", "#+3", "#-0"]


def test_chances_sum_to_a_thousand_and_grow_with_the_score():
    for ply in (0, 20, 60, 200):
        rows = [Score(cp=cp).wdl(ply) for cp in range(-3000, 3001, 50)]
        assert all(sum(row) == 1000 and min(row) >= 0 for row in rows)
        assert [row[0] for row in rows] == sorted(row[0] for row in rows)
        assert [row[::-1] for row in reversed(rows)] == rows


def test_a_limit_becomes_a_go_in_milliseconds():
    limit = Limit(time_s=0.5, nodes=10, depth=5000, mate=2, white_clock_s=60, black_increment_s=0.1, moves_to_go=40)
    assert repr(limit.go()) == (
        "Go(wtime=60000, binc=100.0, movestogo=40, depth=1000, nodes=10, mate=2, movetime=500.0)"
    )
    assert limit == Limit(time_s=0.5, nodes=10, depth=5000, mate=2, white_clock_s=60, black_increment_s=0.1,
                          moves_to_go=40) != Limit()  # fmt: skip
    assert len({limit, Limit(), Limit()}) == 2
    assert Limit().unlimited and not limit.unlimited


@pytest.mark.parametrize(
    "wrong",
    [{"depth": 0}, {"nodes": -1}, {"nodes": 1.5}, {"time_s": -0.1}, {"time_s": float("nan")}, {"depth": True},
     {"time_s": "1"}, {"mate": 10**20}, {"white_increment_s": -1}, {"moves_to_go": 0}],
)  # fmt: skip
def test_limits_that_no_search_can_keep_are_refused(wrong):
    with pytest.raises(LimitError) as caught:
        Limit(**wrong)
    assert isinstance(caught.value, CytheraError) and next(iter(wrong)) in str(caught.value)


def test_limits_of_python_chess_are_understood():
    import chess.engine

    theirs = chess.engine.Limit(time=2, depth=3, white_clock=60, black_clock=50, white_inc=1, black_inc=2,
                                remaining_moves=7)  # fmt: skip
    assert limit_from(theirs) == Limit(time_s=2, depth=3, white_clock_s=60, black_clock_s=50, white_increment_s=1,
                                       black_increment_s=2, moves_to_go=7)  # fmt: skip
    with pytest.raises(TypeError, match=r"limit must be a cythera\.Limit"):
        limit_from(3)
