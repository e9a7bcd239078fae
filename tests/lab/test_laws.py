"""The laws the textbooks state, on thousands of random trees."""

import pytest

from cythera.lab.algorithms import ALGORITHMS
from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.alphabeta_negamax import alphabeta_negamax
from cythera.lab.algorithms.bstar import bstar
from cythera.lab.algorithms.expectimax import average, expectimax, expectiminimax, uniform
from cythera.lab.algorithms.labelling import labelling
from cythera.lab.algorithms.maxn import maxn
from cythera.lab.algorithms.minimal_tree import generated_nodes, minimal_leaves
from cythera.lab.algorithms.minimax import minimax
from cythera.lab.algorithms.mtdf import mtd_sss, mtdf
from cythera.lab.algorithms.ordering import ORDERINGS, best_first, shuffled, worst_first
from cythera.lab.algorithms.recsss import recsss
from cythera.lab.algorithms.sss import sss
from cythera.lab.game import CHANCE, MAX
from cythera.lab.games.trees import random_chance_tree, random_party_tree, random_tree, vertices
from cythera.lab.search import Search

EXACT = [algorithm for algorithm in ALGORITHMS.values() if algorithm.exact]


def value_at_the_end(tree, line):
    state = tree.initial()
    for action in line:
        state = tree.result(state, action)
    return tree.utility(state)


@pytest.mark.parametrize("algorithm", EXACT, ids=lambda algorithm: algorithm.name)
def test_every_exact_algorithm_finds_the_minimax_value_and_a_line_that_leads_to_it(algorithm, trees, values):
    for tree, expected in zip(trees, values, strict=True):
        result = algorithm.run(Search(tree))
        assert result.value == expected
        assert value_at_the_end(tree, result.line) == expected
        assert result.move == (result.line[0] if result.line else None)


def test_depth_limited_searches_agree_at_every_depth(trees):
    for tree in trees[:80]:
        for depth in range(1, 5):
            expected = minimax(Search(tree, depth)).value
            for algorithm in ALGORITHMS.values():
                if algorithm.exact:
                    assert algorithm.run(Search(tree, depth)).value == expected


def test_minimax_visits_every_leaf_once_and_generates_every_node_once(trees, remember):
    for tree in trees:
        result, memory = remember(minimax, tree)
        nodes = list(vertices(tree.root))
        assert result.generated == len(memory.nodes) == len(set(memory.nodes)) == len(nodes)
        assert result.leaves == len(memory.leaves) == sum(not vertex.children for vertex in nodes)


def test_alpha_beta_visits_some_of_the_leaves_of_minimax_in_the_same_order(trees, remember):
    for tree in trees:
        everything = remember(minimax, tree)[1].leaves
        visited = remember(alphabeta, tree)[1].leaves
        chosen = set(visited)
        assert visited == [leaf for leaf in everything if leaf in chosen]


def test_both_forms_of_alpha_beta_visit_the_same_leaves_in_the_same_order(trees, remember):
    for tree in trees:
        assert remember(alphabeta, tree)[1].nodes == remember(alphabeta_negamax, tree)[1].nodes


def test_sss_never_visits_a_leaf_that_alpha_beta_does_not(trees, remember):
    saved = 0
    for tree in trees:
        visited, best_first_leaves = set(remember(alphabeta, tree)[1].leaves), remember(sss, tree)[1].leaves
        assert len(best_first_leaves) == len(set(best_first_leaves))
        assert set(best_first_leaves) <= visited
        saved += len(visited) - len(best_first_leaves)
    assert saved > 0


def test_recsss_and_mtd_from_above_visit_the_leaves_of_sss_in_the_same_order(trees, remember):
    for tree in trees[:1200]:
        expected = remember(sss, tree)[1].leaves
        assert remember(recsss, tree)[1].leaves == expected
        assert remember(mtd_sss, tree)[1].leaves == expected


def test_alpha_beta_generates_a_node_exactly_when_a_is_less_than_b(trees, remember):
    for tree in trees:
        assert remember(alphabeta, tree)[1].nodes == list(generated_nodes(Search(tree)))


@pytest.mark.parametrize("branching", [1, 2, 3, 4])
def test_perfect_order_visits_the_minimal_tree(branching):
    for depth in range(6):
        for seed in range(3):
            tree = random_tree(branching, depth, seed, values=5 if seed else 1000)
            assert alphabeta(Search(tree, order=best_first)).leaves == minimal_leaves(branching, depth)
            assert alphabeta(Search(tree, order=worst_first)).leaves >= minimal_leaves(branching, depth)


def test_no_order_changes_the_value(trees):
    for number, tree in enumerate(trees[:80]):
        expected = minimax(Search(tree)).value
        for order in (*ORDERINGS.values(), shuffled(number)):
            assert alphabeta(Search(tree, order=order)).value == expected
            assert sss(Search(tree, order=order)).value == expected


def test_mtdf_is_right_with_any_guess(trees):
    for tree in trees[:300]:
        expected = minimax(Search(tree)).value
        for guess in (-1e9, 0, 0.5, expected, expected + 1, 1e9):
            assert mtdf(Search(tree), guess).value == expected
        assert mtdf(Search(tree), expected).notes["passes"] <= 2


def test_labelling_gives_the_sign_of_the_value_and_stops_at_the_first_win():
    for seed in range(500):
        tree = random_tree(3, 4, seed, values=3, irregular=True)
        shifted = expected_label = minimax(Search(tree)).value - 1
        expected_label = (shifted > 0) - (shifted < 0)
        result = labelling(Search(_less_one(tree)))
        assert result.value == expected_label
        assert result.leaves <= minimax(Search(tree)).leaves


def _less_one(tree):
    from dataclasses import replace

    from cythera.lab.games.trees import TreeGame

    def shift(vertex):
        payoff = None if vertex.payoff is None else (vertex.payoff[0] - 1,)
        return replace(vertex, payoff=payoff, children=tuple(shift(child) for child in vertex.children))

    return TreeGame(shift(tree.root))


def test_the_move_of_bstar_is_best_and_its_interval_holds_the_value(trees):
    decided_early = 0
    for tree in trees:
        expected = minimax(Search(tree))
        result = bstar(Search(tree))
        assert result.value.low <= expected.value <= result.value.high
        if result.move is not None:
            after = tree.result(tree.initial(), result.move)
            assert minimax(Search(tree, start=after)).value == expected.value
        decided_early += result.generated < expected.generated
    assert decided_early > 100


def brute_force(tree, vertex):
    """The definition of expectiminimax, as short as it can be said."""
    if not vertex.children:
        return vertex.payoff[0]
    below = [brute_force(tree, child) for child in vertex.children]
    if vertex.player == CHANCE:
        return average(vertex.odds, below)
    return max(below) if vertex.player == MAX else min(below)


def test_expectiminimax_agrees_with_its_definition():
    for seed in range(500):
        tree = random_chance_tree(3, 5, seed)
        assert expectiminimax(Search(tree)).value == pytest.approx(brute_force(tree, tree.root))


def test_expectiminimax_without_chance_nodes_is_minimax(trees):
    for tree in trees[:300]:
        assert expectiminimax(Search(tree)) == minimax(Search(tree))


def test_expectimax_averages_over_a_random_opponent(trees):
    def expected(vertex):
        if not vertex.children:
            return vertex.payoff[0]
        below = [expected(child) for child in vertex.children]
        return max(below) if vertex.player == MAX else sum(below) / len(below)

    for tree in trees[:500]:
        assert expectimax(Search(tree), uniform).value == pytest.approx(expected(tree.root))


def test_expectimax_against_a_perfect_opponent_is_minimax(trees):
    def perfect(game, state):
        best = minimax(Search(game, start=state)).move
        return [float(action == best) for action in game.actions(state)]

    for tree in trees[:200]:
        assert expectimax(Search(tree), perfect).value == minimax(Search(tree)).value


def test_maxn_with_two_players_of_a_zero_sum_game_is_minimax(trees):
    for tree in trees[:500]:
        result = maxn(Search(tree))
        assert result.value[0] == -result.value[1] == minimax(Search(tree)).value


def test_in_maxn_nobody_gains_by_another_move():
    def chosen(tree, vertex):
        return maxn(Search(tree, start=vertex)).value

    for seed in range(200):
        tree = random_party_tree(3, 3, 3, seed)
        for vertex in vertices(tree.root):
            if vertex.children:
                own = chosen(tree, vertex)[vertex.player]
                assert own == max(chosen(tree, child)[vertex.player] for child in vertex.children)
