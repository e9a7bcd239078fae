"""Monte Carlo tree search converges to minimax, and TD(λ) learns what it should."""

import random

import pytest

from cythera.lab.algorithms.mcts import Uct, mcts, mcts_evaluated
from cythera.lab.algorithms.minimax import minimax
from cythera.lab.algorithms.td import Linear, Network, learn_from_game, match, self_play
from cythera.lab.errors import LabError
from cythera.lab.games import make_game
from cythera.lab.games.backgammon import Backgammon
from cythera.lab.games.connect4 import ConnectFour
from cythera.lab.games.tictactoe import TicTacToe
from cythera.lab.games.tree_text import parse_tree
from cythera.lab.games.trees import random_tree
from cythera.lab.search import Options, Search

PLAYOUTS = 2000  # after which the most visited move is a best one


@pytest.mark.parametrize(("branching", "depth"), [(2, 4), (3, 2), (3, 3), (5, 2)])
def test_after_2000_playouts_the_most_visited_move_is_a_minimax_move_on_small_trees(branching, depth):
    for seed in range(15):
        tree = random_tree(branching, depth, seed, values=10, root=seed % 2)
        best = minimax(Search(tree)).value
        chosen = mcts(Search(tree), PLAYOUTS, seed=seed).move
        assert minimax(Search(tree, start=tree.result(tree.initial(), chosen))).value == best


def test_more_playouts_bring_the_value_nearer_to_minimax():
    errors = []
    for playouts in (50, 500, 3000):
        trees = [random_tree(3, 3, seed, values=10) for seed in range(8)]
        errors.append(sum(abs(mcts(Search(tree), playouts).value - minimax(Search(tree)).value) for tree in trees))
    assert errors == sorted(errors, reverse=True) and errors[-1] < errors[0] / 2


def test_it_finds_a_win_in_one_and_stops_one():
    assert mcts(Search(TicTacToe("XX./OO./...")), 300).move == 2
    assert mcts(Search(TicTacToe("XX./O../...")), 1000).move == 2
    assert mcts_evaluated(Search(ConnectFour(moves="414243")), 300).move == 3


def test_the_same_seed_gives_the_same_search_and_another_seed_another():
    def visits(seed):
        uct = Uct(Search(ConnectFour()), seed=seed)
        for _ in range(60):
            uct.playout()
        return {action: child.visits for action, child in uct.root.children.items()}

    assert visits(1) == visits(1)
    assert any(visits(1) != visits(seed) for seed in (2, 3, 4))


def test_every_playout_is_counted_once_on_its_path():
    uct = Uct(Search(make_game("backgammon:6,2,2"), 12), seed=3)
    for _ in range(200):
        uct.playout()
    assert uct.root.visits == 200 == sum(child.visits for child in uct.root.children.values())

    def check(branch):
        below = sum(child.visits for child in branch.children.values())
        assert below <= branch.visits
        for child in branch.children.values():
            check(child)

    check(uct.root)


def test_dice_are_drawn_by_their_odds_and_three_players_each_look_at_their_own():
    tree = parse_tree("(chance(0.9*10 0.1*0) 5)")
    result = mcts(Search(tree), 2000)
    assert result.move == 0 and result.value == pytest.approx(9, abs=0.5)
    party = parse_tree("((1,2,6 4,3,3) (6,1,2 7,4,1))")
    assert mcts(Search(party), 2000).move == 1


def test_a_depth_cuts_playouts_and_the_number_of_playouts_must_be_positive():
    search = Search(ConnectFour(), 3, options=Options(playouts=80))
    assert mcts(search).notes["playouts"] == 80
    assert max(node.ply for node in nodes_of(search)) <= 3
    with pytest.raises(LabError, match="playouts must be at least 1, got 0"):
        mcts(Search(ConnectFour()), 0)


def nodes_of(search):
    uct = Uct(search)
    for _ in range(80):
        uct.playout()
    stack = [uct.root]
    while stack:
        branch = stack.pop()
        yield branch.node
        stack += branch.children.values()


@pytest.mark.parametrize("model", [Linear([0.3, -0.2, 0.1]), Network(3, hidden=4, seed=2)], ids=["linear", "network"])
def test_gradients_agree_with_small_differences(model):
    rng = random.Random(1)
    for _ in range(5):
        features = [rng.uniform(-1, 1) for _ in range(3)]
        value, slopes = model.gradient(features)
        assert value == model.value(features) and len(slopes) == len(model.weights)
        for place in range(len(model.weights)):
            model.weights[place] += 1e-6
            higher = model.value(features)
            model.weights[place] -= 1e-6
            assert slopes[place] == pytest.approx((higher - value) / 1e-6, abs=1e-4)


def test_lambda_1_moves_all_states_of_a_game_towards_its_result_and_lambda_0_only_the_last():
    seen = [[1.0, 0.0], [0.0, 1.0]]
    slow, fast = Linear([0.0, 0.0]), Linear([0.0, 0.0])
    learn_from_game(slow, seen, 1.0, rate=0.1, decay=0.0)
    learn_from_game(fast, seen, 1.0, rate=0.1, decay=1.0)
    assert slow.weights[0] == 0 and slow.weights[1] > 0
    assert fast.weights[0] > 0 and fast.weights[1] == slow.weights[1]


@pytest.mark.parametrize("make", [lambda count: Linear([0.0] * count), lambda count: Network(count, 6, seed=1)])
def test_td_learned_weights_beat_the_initial_ones_at_backgammon_by_60_percent_or_more(make):
    game = Backgammon()
    count = len(game.features(game.initial()))
    learned, initial = make(count), make(count)
    self_play(game, learned, 100, seed=1, decay=0.7, rate=0.03, exploring=0.0)
    score = match(
        game, lambda s: learned.value(game.features(s)), lambda s: initial.value(game.features(s)), 100, seed=5
    )
    assert sum(score) == 100 and score[0] >= 60
    assert learned.weights[0] != initial.weights[0]


def test_learning_is_the_same_for_the_same_seed():
    game = Backgammon(6, 2, 2)
    one, other = Linear([0.0] * 6), Linear([0.0] * 6)
    assert self_play(game, one, 20, seed=3) == self_play(game, other, 20, seed=3)
    assert one.weights == other.weights
