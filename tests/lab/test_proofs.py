"""AND–OR trees, proof numbers and strategies, held to minimax."""

from collections import Counter

import pytest

from cythera.lab.algorithms.andor import and_or, reaches, solve
from cythera.lab.algorithms.labelling import labelling
from cythera.lab.algorithms.minimax import minimax
from cythera.lab.algorithms.proof_number import dfpn, pns, prove, prove_depth_first
from cythera.lab.algorithms.strategy import all_plans, best_plan, count_plans, meet, plan
from cythera.lab.errors import LabError
from cythera.lab.game import MAX, MIN
from cythera.lab.games import make_game
from cythera.lab.games.mnk import InALine
from cythera.lab.games.tictactoe import TicTacToe
from cythera.lab.games.tree_text import parse_tree
from cythera.lab.games.trees import random_tree
from cythera.lab.search import INF, Search


@pytest.mark.parametrize("method", [solve, prove, prove_depth_first], ids=lambda method: method.__name__)
def test_a_goal_is_proved_exactly_when_the_minimax_value_reaches_it(method, trees, values):
    proved = 0
    for number, (tree, value) in enumerate(zip(trees, values, strict=True)):
        goal = value + (-1, 0, 1)[number % 3]
        result = method(Search(tree), reaches(goal))
        assert result.value == (value >= goal)
        proved += result.value
    assert 0 < proved < len(trees)


@pytest.mark.parametrize("method", [prove, prove_depth_first], ids=lambda method: method.__name__)
def test_proof_numbers_are_zero_or_infinite_exactly_where_minimax_says_win_or_loss(method, trees, values):
    for tree, value in zip(trees[:1000], values, strict=False):
        for goal in (value, value + 1):
            notes = method(Search(tree), reaches(goal)).notes
            expected = (0, INF) if value >= goal else (INF, 0)
            assert (notes["proof"], notes["disproof"]) == expected


def test_an_undecided_proof_has_numbers_that_are_neither():
    notes = prove(Search(TicTacToe()), reaches(1), most_nodes=50).notes
    assert 0 < notes["proof"] < INF and 0 < notes["disproof"] < INF


@pytest.mark.parametrize("method", [and_or, pns, dfpn], ids=lambda method: method.__name__)
@pytest.mark.parametrize("root", [MAX, MIN], ids=["max", "min"])
def test_all_three_give_the_label_and_a_move_that_keeps_it(method, root):
    labels = Counter()
    for seed in range(300):
        game = parse_tree("(0 1)")
        game.root = shifted(random_tree(3, 4, seed, values=3, irregular=True, root=root).root)
        expected = labelling(Search(game)).value
        result = method(Search(game))
        assert result.value == expected
        if result.move is not None:
            assert labelling(Search(game, start=game.result(game.initial(), result.move))).value == expected
        labels[expected] += 1
    assert min(labels[label] for label in (-1, 0, 1)) > 20


def shifted(vertex):
    from dataclasses import replace

    payoff = None if vertex.payoff is None else (vertex.payoff[0] - 1,)
    return replace(vertex, payoff=payoff, children=tuple(shifted(child) for child in vertex.children))


def test_proof_number_search_needs_fewer_leaves_than_and_or_search_where_the_win_is_narrow():
    game = InALine(4, 4, 3)
    plain, proof = solve(Search(game, 7), reaches(1)), prove(Search(game, 7), reaches(1))
    assert plain.value and proof.value
    assert proof.leaves < plain.leaves / 3


@pytest.mark.parametrize(("size", "value"), [((3, 3, 3), 0), ((4, 3, 3), 1), ((5, 3, 3), 1), ((4, 4, 2), 1)])
def test_small_games_of_k_in_a_line_have_their_known_values(size, value):
    assert dfpn(Search(InALine(*size))).value == value


def test_strategies_give_the_minimax_value_from_both_sides():
    for seed in range(40):
        tree = random_tree(2, 3, seed, values=20, root=seed % 2)
        value = minimax(Search(tree)).value
        of_max, of_min = list(all_plans(Search(tree), MAX)), list(all_plans(Search(tree), MIN))
        assert len(of_max) == count_plans(tree, MAX) and len(of_min) == count_plans(tree, MIN)
        assert max(one.worth(MAX) for one in of_max) == value == min(other.worth(MIN) for other in of_min)
        for one in of_max:
            for other in of_min:
                assert one.worth(MAX) <= meet(one, other)[1] <= other.worth(MIN)


def test_two_strategies_have_exactly_one_leaf_in_common():
    tree = random_tree(2, 4, 3, values=50)
    for one in all_plans(Search(tree), MAX):
        for other in list(all_plans(Search(tree), MIN))[:20]:
            common = set(one.paths()) & set(other.paths())
            assert sum(len(path) == 4 for path in common) == 1


def test_the_best_strategies_meet_in_the_value(trees):
    for tree in trees[:500]:
        one, other = best_plan(Search(tree), MAX), best_plan(Search(tree), MIN)
        value = minimax(Search(tree)).value
        assert one.worth(MAX) == other.worth(MIN) == meet(one, other)[1] == value


def test_a_strategy_can_be_any_rule_and_dice_are_refused():
    first = plan(Search(TicTacToe("XO./.X./..O")), MAX, lambda state: state.index("."))
    assert all(len(part.children) == 1 for part in [first])
    assert best_plan(Search(TicTacToe("XO./.X./..O")), MAX).worth(MAX) >= first.worth(MAX)
    with pytest.raises(LabError, match="strategies are for two players without dice"):
        best_plan(Search(make_game("dice")), MAX)
