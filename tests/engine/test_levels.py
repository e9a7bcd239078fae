"""Levels: monotone by construction, the same for the same game, and what they play is legal."""

from itertools import pairwise

import chess
import pytest
from support.uci import MATE_IN_ONE, MIDDLEGAME, ONE_MOVE, Talk, check_pv

from cythera.api import Engine
from cythera.board.position import Position
from cythera.board.scores import Score
from cythera.engine.levels import (
    NAMES,
    ROWS,
    LevelError,
    choose,
    elo_of_name,
    elo_of_skill,
    level_of,
    seed_of,
    weights_of,
)  # fmt: skip
from cythera.engine.limits import Limit
from cythera.engine.options import MAX_ELO, MIN_ELO

SCORES = [Score(cp=40), Score(cp=20), Score(cp=-10), Score(cp=-90), Score(cp=-400)]


def test_the_rows_rise_and_reach_from_the_lowest_elo_to_the_highest():
    assert (ROWS[0][0], ROWS[-1][0]) == (MIN_ELO, MAX_ELO)
    for lower, upper in pairwise(ROWS):
        assert lower[0] < upper[0] and lower[1] < upper[1] and lower[2] >= upper[2] and lower[3] > upper[3] > 0


def test_a_higher_elo_never_sees_less_nor_errs_more():
    levels = [level_of(elo) for elo in range(MIN_ELO, MAX_ELO)]
    for lower, upper in pairwise(levels):
        assert lower.nodes <= upper.nodes and lower.lines >= upper.lines >= 2 and lower.noise_cp > upper.noise_cp


def test_a_higher_elo_is_likelier_to_play_the_best_line():
    chances = [weights_of(SCORES, level_of(elo).noise_cp)[0] for elo in range(MIN_ELO, MAX_ELO, 10)]
    assert chances == sorted(chances)


def test_a_better_line_is_always_likelier_and_the_chances_sum_to_one():
    for elo in (MIN_ELO, 1500, 2500):
        weights = weights_of(SCORES, level_of(elo).noise_cp)
        assert weights == sorted(weights, reverse=True) and abs(sum(weights) - 1) < 1e-9


def test_a_decided_game_is_played_less_carefully():
    even = weights_of([Score(cp=0), Score(cp=-50)], 60)[1]
    assert even < weights_of([Score(cp=800), Score(cp=750)], 60)[1]
    assert even < weights_of([Score(cp=-800), Score(cp=-850)], 60)[1]


def test_a_level_knows_the_endings_that_players_of_its_strength_know():
    known = [level_of(elo).table_pieces for elo in (800, 1999, 2000, 2399, 2400, 3199)]
    assert known == [0, 0, 3, 3, 4, 4]


def test_a_level_uses_tables_only_from_its_strength_on():
    rook = "8/8/8/3k4/8/8/8/K6R w - - 0 1"
    for elo, is_known in ((1900, False), (2100, True)):
        with Engine(elo=elo) as engine:
            played = engine.play(rook, Limit(nodes=300))
            assert bool(played.line.tbhits) == is_known
    with Engine(elo=2100, syzygy_builtin=False) as engine:
        assert engine.play(rook, Limit(nodes=300)).line.tbhits == 0


def test_a_level_that_knows_a_win_makes_progress():
    """A level weighs table wins by their distance: it may take longer than need be, but it wins."""
    from cythera.tables import move_verdicts

    position = Position("8/8/8/3k4/8/8/8/K6R w - - 0 1")
    with Engine(elo=2100, seed=4) as engine:
        while position.outcome() is None:
            if position.turn == "w":
                position.push(engine.play(position, Limit(nodes=2000)).uci)
            else:
                position.push(next(iter(move_verdicts(position))))
    assert position.outcome() == "1-0"


def test_a_table_win_weighs_less_than_a_mate_and_more_than_any_advantage():
    weights = weights_of([Score(mate=9), Score(cp=19_990), Score(cp=19_960), Score(cp=1400), Score(cp=0)], 12.0)
    assert weights == sorted(weights, reverse=True) and weights[3] < 1e-6


def test_even_the_weakest_seldom_passes_over_a_mate_it_sees():
    weights = weights_of([Score(mate=1), Score(cp=900), Score(cp=800)], level_of(MIN_ELO).noise_cp)
    assert weights[0] > 0.9


def test_the_top_is_not_limited_at_all():
    assert level_of(MAX_ELO) is None and elo_of_skill(20) == MAX_ELO


def test_skill_levels_are_equal_steps():
    elos = [elo_of_skill(skill) for skill in range(21)]
    assert elos[0] == MIN_ELO and elos[-1] == MAX_ELO
    assert {upper - lower for lower, upper in pairwise(elos)} == {120}


def test_levels_have_names_in_order():
    assert list(NAMES.values()) == sorted(NAMES.values())
    assert all(elo_of_name(name.upper()) == elo for name, elo in NAMES.items())
    for wrong in ("grandmaster", "", "1", "99999", "²", "-5", "9" * 400):
        with pytest.raises(LevelError):
            elo_of_name(wrong)


@pytest.mark.parametrize("wrong", [MIN_ELO - 1, MAX_ELO + 1])
def test_an_elo_out_of_range_is_refused(wrong):
    with pytest.raises(LevelError, match="Elo must be between 800 and 3200, got"):
        level_of(wrong)
    with pytest.raises(LevelError):
        elo_of_skill(21)


def test_chance_hangs_on_the_seed_alone_and_follows_the_weights():
    level = level_of(1000)
    assert [choose(SCORES, level, str(i)) for i in range(50)] == [choose(SCORES, level, str(i)) for i in range(50)]
    counts = [0] * len(SCORES)
    for i in range(3000):
        counts[choose(SCORES, level, f"game {i}")] += 1
    for count, weight in zip(counts, weights_of(SCORES, level.noise_cp), strict=True):
        assert abs(count / 3000 - weight) < 0.04


def test_the_seed_knows_the_game_and_the_moves():
    position = Position()
    seeds = {seed_of(position, 0), seed_of(position, 1)}
    position.push("e2e4")
    seeds.add(seed_of(position, 0))
    assert len(seeds) == 3


def play_some(seed, elo, plies=12, **options):
    board = chess.Board()
    with Engine(elo=elo, seed=seed, hash_mib=1, **options) as engine:
        for _ in range(plies):
            board.push(engine.play(board, Limit(time_s=60)).move)
    return [move.uci() for move in board.move_stack]


def test_a_game_of_a_level_can_be_repeated_and_another_seed_is_another_game():
    games = {seed: play_some(seed, 1000) for seed in (1, 2)}
    assert games[1] == play_some(1, 1000)
    assert games[1] != games[2]


def test_a_level_ignores_what_was_searched_before():
    with Engine(elo=1400, hash_mib=1) as engine:
        first = engine.play(MIDDLEGAME, Limit(time_s=60)).uci
        engine.analyse(MIDDLEGAME, Limit(nodes=20_000))
        assert engine.play(MIDDLEGAME, Limit(time_s=60)).uci == first


def test_a_level_is_the_same_with_any_net(net_file):
    classical = play_some(1, 1800, eval_file="<classical>")
    assert classical == play_some(1, 1800) == play_some(1, 1800, eval_file=str(net_file))
    with Engine(elo=1800, hash_mib=1) as engine:
        before = engine.play(MIDDLEGAME, Limit(time_s=60)).line
        engine.eval_file = str(net_file)
        after = engine.play(MIDDLEGAME, Limit(time_s=60)).line
    assert (before.moves, before.score, before.nodes) == (after.moves, after.score, after.nodes)


def test_a_level_is_the_same_with_any_net_through_uci(talk, net_file):
    talk.ask("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 2000")
    found = []
    for evaluation in ("<classical>", net_file, "<default>"):
        assert talk.ask(f"setoption name EvalFile value {evaluation}") == []
        (info,), best = talk.go("movetime 60000", f"fen {MIDDLEGAME}")
        found.append((info["pv"], info["score"], info["nodes"], best))
    assert found[0] == found[1] == found[2]


def test_analysis_is_never_limited():
    with Engine(elo=800) as weak, Engine() as strong:
        assert weak.analyse(MIDDLEGAME, Limit(depth=7)).moves == strong.analyse(MIDDLEGAME, Limit(depth=7)).moves


@pytest.mark.parametrize(
    "options",
    [["UCI_LimitStrength value true", "UCI_Elo value 900"], ["Skill Level value 3"],
     ["UCI_LimitStrength value true", "UCI_Elo value 2400"]],
)  # fmt: skip
def test_a_limited_engine_says_the_line_it_plays(talk, options):
    for option in options:
        assert talk.ask(f"setoption name {option}") == []
    board = chess.Board()
    assert talk.ask("setoption name OwnBook value false") == []
    for _ in range(8):
        moves = " ".join(move.uci() for move in board.move_stack)
        infos, best = talk.go("wtime 60000 btime 60000", f"startpos moves {moves}")
        assert len(infos) == 1 and infos[0]["multipv"] == 1
        check_pv(board, infos[0])
        assert best[1] == infos[0]["pv"][0]
        board.push_uci(best[1])


def test_uci_elo_without_limit_strength_changes_nothing(talk):
    plain = talk.go("depth 6", "startpos")[0][-1]
    talk.ask("setoption name UCI_Elo value 800", "setoption name Clear Hash")
    again = talk.go("depth 6", "startpos")[0][-1]
    assert (plain["pv"], plain["nodes"]) == (again["pv"], again["nodes"])


def test_a_limited_search_obeys_stop_ponderhit_and_other_limits(talk):
    talk.ask("setoption name Skill Level value 0", "setoption name OwnBook value false")
    talk.send("go infinite", "isready")
    talk.until("readyok")
    talk.send("stop")
    assert talk.until("bestmove")
    talk.send("go ponder wtime 1000 btime 1000", "ponderhit")
    assert talk.until("bestmove")
    assert talk.go("depth 1")[0][0]["depth"] == 1
    assert talk.go("depth 2 searchmoves a2a3")[1][1] == "a2a3"
    assert talk.go("movetime 100", f"fen {ONE_MOVE}")[1][1] == "a1b2"
    assert talk.go("movetime 100", f"fen {MATE_IN_ONE}")[1][0] == "bestmove"
    talk.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go movetime 50")
    assert talk.until("bestmove")[-1] == "bestmove (none)"


def test_the_same_limited_game_is_played_in_another_process():
    games = []
    for _ in range(2):
        talk = Talk()
        talk.ask("setoption name Skill Level value 4", "ucinewgame")
        moves = []
        for _ in range(8):
            moves.append(talk.go("movetime 60000", f"startpos moves {' '.join(moves)}")[1][1])
        games.append(moves)
        assert talk.end() == 0
    assert games[0] == games[1]


def test_a_new_game_at_a_level_is_another_game_and_the_same_seed_the_same_games():
    def games(seed):
        with Engine(elo=MIN_ELO, seed=seed) as engine:
            played = []
            for _ in range(2):
                board = chess.Board()
                for _ in range(12):
                    board.push(engine.play(board, Limit(depth=2)).move)
                played.append([move.uci() for move in board.move_stack])
                engine.new_game()
        return played

    first, second = games(3)
    assert first != second
    assert games(3) == [first, second]


def test_analysis_is_not_limited(talk):
    talk.ask("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 800")
    (limited,), _ = talk.go("nodes 5000", f"fen {MIDDLEGAME}")
    assert limited["nodes"] <= level_of(800).nodes
    talk.ask("setoption name UCI_AnalyseMode value true")
    infos, _ = talk.go("nodes 5000", f"fen {MIDDLEGAME}")
    assert infos[-1]["nodes"] == 5000


def test_a_level_that_is_asked_to_think_without_end_shows_its_choice_before_it_is_stopped(talk):
    talk.ask("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 800")
    talk.send(f"position fen {MIDDLEGAME}", "go infinite")
    shown = talk.until("info depth")[-1].split()
    talk.send("stop")
    assert talk.until("bestmove")[-1].split()[1] == shown[shown.index("pv") + 1]
