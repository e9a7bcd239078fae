"""What each algorithm adds to the laws they share."""

import pytest

from cythera.lab.algorithms import ALGORITHMS, find_algorithm
from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.bstar import bstar
from cythera.lab.algorithms.continuation import continuation
from cythera.lab.algorithms.deepening import deepening
from cythera.lab.algorithms.expectimax import expectimax, expectiminimax, mostly_minimax
from cythera.lab.algorithms.killers import killers
from cythera.lab.algorithms.learning import Sample, error, fit, linear, play_games
from cythera.lab.algorithms.minimax import minimax
from cythera.lab.algorithms.ordering import evaluated, ordering, urgent_first
from cythera.lab.algorithms.plausible import plausible
from cythera.lab.algorithms.quiescence import quiescence
from cythera.lab.algorithms.recsss import recsss
from cythera.lab.algorithms.scout import scout
from cythera.lab.algorithms.sss import sss
from cythera.lab.algorithms.table import Table, alphabeta_table
from cythera.lab.errors import LabError
from cythera.lab.games import make_game
from cythera.lab.games.chess import HORIZON_FEN, Chess
from cythera.lab.games.connect4 import ConnectFour
from cythera.lab.games.race import DiceRace
from cythera.lab.games.tree_text import parse_tree
from cythera.lab.games.trees import random_tree
from cythera.lab.search import Options, Search

GAMES_AND_DEPTHS = [("connect4", 4), ("connect4:5x4,3", 5), ("tictactoe", 4), ("chess", 2), ("pacman", 6)]


@pytest.mark.parametrize(("spec", "depth"), GAMES_AND_DEPTHS)
def test_exact_algorithms_agree_on_real_games_too(spec, depth):
    game = make_game(spec)
    expected = minimax(Search(game, depth)).value
    for algorithm in ALGORITHMS.values():
        if algorithm.exact:
            assert algorithm.run(Search(game, depth)).value == expected, algorithm.name


def test_the_table_saves_work_where_positions_come_again():
    plain, memory = alphabeta(Search(ConnectFour(), 6)), alphabeta_table(Search(ConnectFour(), 6))
    assert memory.value == plain.value
    assert memory.generated < plain.generated
    assert memory.notes["hits"] > 0


def test_a_table_filled_at_one_depth_does_not_answer_for_another():
    table = Table()
    for depth in (3, 5, 4, 1, 2):
        expected = alphabeta(Search(ConnectFour(), depth)).value
        assert alphabeta_table(Search(ConnectFour(), depth), table).value == expected


def test_iterative_deepening_can_be_cheaper_than_a_single_deep_search():
    result = deepening(Search(ConnectFour(), 5))
    assert result.value == alphabeta(Search(ConnectFour(), 5)).value
    assert result.generated < alphabeta(Search(ConnectFour(), 5)).generated
    assert result.notes["overhead"] == pytest.approx(result.generated / result.notes["last"])


def test_iterative_deepening_without_a_depth_ends_with_the_game_and_depth_0_is_refused():
    tree = parse_tree("((1 2) (3 (4 5)))")
    result = deepening(Search(tree))
    assert (result.value, result.line) == (3, (1, 0))
    assert result.notes["last"] < result.generated
    with pytest.raises(LabError, match="needs a depth of at least 1, got 0"):
        deepening(Search(tree, 0))


def test_killer_moves_save_leaves():
    assert killers(Search(ConnectFour(), 5)).leaves < alphabeta(Search(ConnectFour(), 5)).leaves


@pytest.mark.parametrize("order", [urgent_first, evaluated])
def test_heuristic_orders_save_leaves_at_chess(order):
    game = Chess("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    plain, ordered = alphabeta(Search(game, 3)), alphabeta(Search(game, 3, order=order))
    assert ordered.value == plain.value
    assert ordered.leaves < plain.leaves


def test_an_unknown_order_is_named_with_its_alternatives():
    with pytest.raises(LabError, match="unknown move order 'lucky'; choose from natural, random, urgent"):
        ordering("lucky")


def test_recsss_keeps_fewer_nodes_than_it_generates():
    result = recsss(Search(random_tree(3, 6, 1)))
    assert result.notes["kept"] < result.generated
    assert result.leaves == sss(Search(random_tree(3, 6, 1))).leaves


def test_scout_counts_its_tests():
    notes = scout(Search(parse_tree("1 2 / 3 4 / 5 6"))).notes
    assert notes == {"tests": 5, "failed_tests": 2}


def test_bstar_never_opens_a_move_that_cannot_win():
    tree = parse_tree("[0,9](A[4,9](B[6,9](x y) 6) C[1,5](u v) D[0,3](s t))")
    result = bstar(Search(tree))
    assert (result.move, result.value.low) == (0, 6)


def test_bstar_refuses_a_depth_and_a_game_without_bounds():
    with pytest.raises(LabError, match="B\\* chooses its own depth"):
        bstar(Search(parse_tree("1 2 / 3 4"), 2))
    with pytest.raises(LabError, match="has no optimistic and pessimistic values"):
        bstar(Search(DiceRace(2, 1, hits=False)))


def test_plausible_moves_miss_a_sacrifice_that_a_full_search_finds():
    tree = parse_tree("((5 6) (4 7) [0,1](9 9))")  # the third move looks worst and is best
    assert minimax(Search(tree)).value == 9
    assert plausible(Search(tree), width=2).value == 5
    assert plausible(Search(tree), width=3).value == 9


@pytest.mark.parametrize("cure", [quiescence, continuation])
def test_looking_beyond_the_horizon_changes_the_move(cure):
    game = Chess(HORIZON_FEN)
    fooled = alphabeta(Search(game, 3, order=urgent_first))
    assert str(fooled.move) == "f5f6"
    cured = cure(Search(game, 3, order=urgent_first))
    assert str(cured.move) == "a7b6"
    assert cured.value < fooled.value
    assert str(alphabeta(Search(game, 4, order=urgent_first)).move) == "a7b6"  # a ply more sees it too


def test_quiescence_does_not_stand_pat_in_check():
    game = Chess("6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1")
    assert quiescence(Search(game, 1)).value == 99_999


def test_quiescence_of_connect_four_plays_out_forced_answers():
    game = ConnectFour(moves="41424")  # X threatens; O to move must answer, whatever the depth
    assert quiescence(Search(game, 0)).notes["beyond"] > 0


def test_stretching_the_leaves_changes_the_move_of_expectiminimax_but_not_their_order():
    plain, stretched = make_game("dice"), make_game("dice-stretched")
    assert expectiminimax(Search(plain)).move == 0
    assert expectiminimax(Search(stretched)).move == 1


def test_expectiminimax_cut_at_a_depth_uses_the_evaluation():
    shallow, deep = expectiminimax(Search(DiceRace(4, 1), 2)), expectiminimax(Search(DiceRace(4, 1), 8))
    assert shallow.leaves < deep.leaves
    assert -1 <= shallow.value <= 1


def test_the_odds_of_a_modelled_opponent_add_up_to_one():
    game = make_game("tictactoe")
    state = game.result(game.initial(), 0)
    odds = mostly_minimax(depth=2, share=0.8)(game, state)
    assert sum(odds) == pytest.approx(1)
    assert sorted(odds)[:-1] == pytest.approx([0.2 / 8] * 7)


def test_knowing_the_opponent_is_worth_something():
    tree = parse_tree("((3 3 3) (2 9 9))")
    assert minimax(Search(tree)).move == 0
    assert expectimax(Search(tree)).move == 1
    assert expectimax(Search(tree), mostly_minimax(depth=1, share=0.95)).move == 0


def test_learning_finds_the_feature_that_decides():
    samples = [Sample((float(sign), float(noise)), sign) for sign in (-1, 1) for noise in (-1, 0, 1)]
    weights = fit(samples, (0.0, 0.0), rate=0.3, passes=100)
    assert weights[0] > 1 > abs(weights[1])
    assert error(samples, weights) < error(samples, (0.0, 0.0)) == 1


def test_learning_from_connect_four_games_values_three_above_one():
    game = ConnectFour(5, 4)
    weights = (0.01, 0.01, 0.01)
    samples = play_games(game, weights, 40, seed=1, depth=1)
    assert samples == play_games(game, weights, 40, seed=1, depth=1)
    learned = fit(samples, weights, passes=20)
    assert learned[2] > learned[0]
    assert error(samples, learned) < error(samples, weights)
    assert -1 < linear(game, learned)(game.initial()) < 1


def test_an_unknown_algorithm_is_named():
    with pytest.raises(LabError, match="unknown algorithm 'guess'"):
        find_algorithm("guess")


def test_algorithms_say_why_they_cannot_search_a_game():
    assert "does not handle chance nodes" in (find_algorithm("alphabeta").objection(make_game("race")) or "")
    assert "is for two players" in (find_algorithm("alphabeta").objection(make_game("trio")) or "")
    assert find_algorithm("maxn").objection(make_game("trio")) is None


def test_a_depth_below_zero_is_refused():
    with pytest.raises(LabError, match="depth must be at least 0, got -1"):
        Search(ConnectFour(), -1)


@pytest.mark.parametrize(
    ("spec", "depth", "exact", "inexact"),
    [
        ("two-ply", None, "alphabeta plausible continuation quiescence maxn bstar", "labelling pns expectimax mcts"),
        ("tictactoe:XO./.X./..O", None, "labelling andor pns dfpn quiescence maxn", "plausible expectimax mcts"),
        ("tictactoe:XO./.X./..O", 2, "alphabeta", "labelling andor pns dfpn"),
        ("connect4:4x4,1212", 1, "alphabeta killers", "labelling quiescence continuation"),
        ("trio", None, "maxn", "mcts"),
        ("dice", None, "expectiminimax", "expectimax mcts"),
    ],
)
def test_an_algorithm_is_called_exact_on_the_games_on_which_it_is(spec, depth, exact, inexact):
    game = make_game(spec)
    for names, wanted in ((exact, True), (inexact, False)):
        for name in names.split():
            entry, search = find_algorithm(name), Search(game, depth)
            assert (entry.exactness(search, entry.run(search)) == "exact") == wanted, name


def test_what_is_called_exact_has_the_value_of_minimax(trees, values):
    for tree, value in zip(trees[:150], values, strict=False):
        for entry in ALGORITHMS.values():
            search = Search(tree, options=Options(playouts=5))
            result = entry.run(search)
            if entry.exactness(search, result) == "exact":
                found = result.value[0] if isinstance(result.value, tuple) else result.value
                assert found == value, entry.name
