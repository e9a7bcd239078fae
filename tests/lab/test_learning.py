"""Monte Carlo tree search converges to minimax, and TD(λ) learns what it should."""

import math
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


def best_moves(tree):
    values = [minimax(Search(tree, start=child)).value for child in tree.root.children]
    wanted = minimax(Search(tree)).value
    return {move for move, value in enumerate(values) if value == wanted}


def play_out(uct, playouts):
    while uct.root.visits < playouts:
        uct.playout()
    return uct.result().move


def test_after_200_playouts_the_most_visited_move_is_a_minimax_move_on_a_thousand_trees_of_four_leaves():
    undecided = 0
    for seed in range(1000):
        tree = random_tree(2, 2, seed, values=10, root=seed % 2)
        best = best_moves(tree)
        undecided += len(best) == 2
        assert play_out(Uct(Search(tree), seed=seed), 200) in best
    assert undecided < 200


@pytest.mark.parametrize(("branching", "depth"), [(2, 3), (2, 4), (3, 2), (4, 2)])
def test_after_2000_playouts_the_most_visited_move_is_a_minimax_move_on_up_to_16_leaves(branching, depth):
    undecided = 0
    for seed in range(50):
        tree = random_tree(branching, depth, seed, values=10, root=seed % 2)
        best = best_moves(tree)
        undecided += len(best) == branching
        assert play_out(Uct(Search(tree), seed=seed), 2000) in best
    assert undecided < 15  # in the others a wrong move was possible


@pytest.mark.parametrize(("branching", "depth"), [(3, 3), (5, 2)])
def test_after_2000_playouts_nearly_all_and_after_40000_all_are_right_on_up_to_27(branching, depth):
    wrong = []
    for seed in range(1000, 1040):
        tree = random_tree(branching, depth, seed, values=10, root=seed % 2)
        uct = Uct(Search(tree), seed=seed - 1000)
        if play_out(uct, 2000) not in best_moves(tree):
            wrong.append((tree, uct))
    assert len(wrong) <= 2
    for tree, uct in wrong:
        assert play_out(uct, 40_000) in best_moves(tree)


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
    with pytest.raises(LabError, match="playouts must be at least 1, got 0"):
        mcts(Search(ConnectFour(), options=Options(playouts=0)))


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


def test_the_first_playouts_follow_the_rule_of_upper_confidence_bounds():
    """One ply, fixed results: which machine the gambler tries next can be computed beside it."""
    results, order = [3, 7, 5, 1], []
    uct = Uct(Search(parse_tree("(3 7 5 1)")), seed=4)
    visits = dict.fromkeys(range(4), 0)
    for playout in range(300):
        uct.playout()
        if playout < 4:
            (new,) = set(uct.root.children) - set(order)
            order.append(new)
            visits[new] += 1
            continue
        low, high = -max(results[move] for move in order), max(results[move] for move in order)
        bounds = {
            move: (results[move] - low) / (high - low) + math.sqrt(math.log(playout) / visits[move]) for move in order
        }
        visits[max(order, key=bounds.__getitem__)] += 1
        assert visits == {move: uct.root.children[move].visits for move in range(4)}


def test_td_learns_as_computed_by_hand():
    model, squeeze = Linear([0.1, -0.2, 0.3]), math.tanh
    learn_from_game(model, [[1, 0, 0], [0, 1, 0], [0, 0, 1]], 1.0, rate=0.1, decay=0.5)
    first, second, third = 0.1, -0.2, 0.3
    slope_1 = 1 - squeeze(0.1) ** 2
    first += 0.1 * (squeeze(-0.2) - squeeze(0.1)) * slope_1
    slope_2 = 1 - squeeze(-0.2) ** 2
    change = squeeze(0.3) - squeeze(-0.2)
    first, second = first + 0.1 * change * 0.5 * slope_1, second + 0.1 * change * slope_2
    slope_3, change = 1 - squeeze(0.3) ** 2, 1 - squeeze(0.3)
    first, second = first + 0.1 * change * 0.25 * slope_1, second + 0.1 * change * 0.5 * slope_2
    third += 0.1 * change * slope_3
    assert model.weights == pytest.approx([first, second, third], abs=1e-12)


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


def test_before_a_roll_the_value_is_the_mean_over_all_outcomes():
    tree = parse_tree("chance(0.5*10 0.5*0)")
    result = mcts(Search(tree), 2000)
    assert result.move is None and result.value == pytest.approx(5, abs=0.5)
    assert "share" not in result.notes
