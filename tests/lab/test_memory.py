"""SSS* and its relatives with less memory: the same leaves in the sense each paper claims."""

import gc
import random
import weakref
from collections.abc import Iterator
from itertools import cycle

import pytest

from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.intersss import intersss
from cythera.lab.algorithms.mem import mem
from cythera.lab.algorithms.recsss import recsss
from cythera.lab.algorithms.sss import sss
from cythera.lab.errors import LabError
from cythera.lab.game import MAX, MIN, Game
from cythera.lab.games.tree_text import parse_tree
from cythera.lab.games.trees import TreeGame, random_tree
from cythera.lab.search import Options, Search

UNLIMITED = 10**6
MEMORIES = (1, 2, 4, 7, 12, 20)
HELD = {intersss: "open", mem: "kept"}


@pytest.mark.parametrize("algorithm", HELD, ids=lambda algorithm: algorithm.__name__)
def test_with_memory_enough_it_visits_the_leaves_of_sss_in_the_same_order(algorithm, trees, remember):
    for tree in trees[:1000]:
        expected = remember(sss, tree)[1].leaves
        assert remember(lambda search: algorithm(search, memory=UNLIMITED), tree)[1].leaves == expected


def wide_trees(count: int) -> Iterator[TreeGame]:
    """Irregular trees of up to twelve moves at a node, many of them equal."""
    for seed in range(count):
        rng = random.Random(seed)
        branching = rng.randint(3, 12)
        depth = rng.randint(1, 5 if branching < 6 else 3)
        yield random_tree(branching, depth, seed, values=rng.choice((2, 3, 10)), irregular=True, root=seed % 2)


@pytest.mark.parametrize("algorithm", HELD, ids=lambda algorithm: algorithm.__name__)
def test_with_any_memory_it_is_exact_and_visits_only_leaves_of_alpha_beta(algorithm, trees, values, remember):
    limits = cycle(MEMORIES)
    for tree, expected in zip(trees, values, strict=True):
        check_leaves(algorithm, tree, expected, next(limits), remember)


@pytest.mark.parametrize("algorithm", HELD, ids=lambda algorithm: algorithm.__name__)
def test_the_same_holds_where_many_moves_compete_for_the_memory(algorithm, remember):
    for tree in wide_trees(250):
        expected = alphabeta(Search(tree)).value
        for memory in MEMORIES:
            check_leaves(algorithm, tree, expected, memory, remember)


def check_leaves(algorithm, tree, expected, memory, remember):
    allowed = set(remember(alphabeta, tree)[1].leaves)
    result, seen = remember(lambda search: algorithm(search, memory=memory), tree)
    assert result.value == expected
    assert len(seen.leaves) == len(set(seen.leaves))
    assert set(seen.leaves) <= allowed
    if memory == 1:
        assert set(seen.leaves) == allowed  # depth first is all it can afford


def test_mem_keeps_to_alpha_beta_when_a_solved_move_on_the_right_has_made_it_forget_the_left():
    tree = parse_tree(
        """(((0 (1)))
            (((0 2) 0 (1 0) (0 1)) ((1 1 0) (2 1 1 1)) (1))
            (((1 1 0) (0 2 0) (2)) ((1 2 0 1) (1)))
            2)"""
    )
    assert mem(Search(tree), memory=5).leaves == alphabeta(Search(tree)).leaves == 12


@pytest.mark.parametrize("algorithm", HELD, ids=lambda algorithm: algorithm.__name__)
def test_it_holds_no_more_than_the_memory_and_twice_the_height(algorithm, trees):
    fullest = -UNLIMITED
    for tree in (*trees[:500], *wide_trees(100)):
        beyond = 2 * depth_of(tree.root)
        for memory in (1, 4, 16):
            spare = memory + beyond - algorithm(Search(tree), memory=memory).notes[HELD[algorithm]]
            assert spare >= 0
            fullest = max(fullest, -spare)
    assert fullest == 0  # the bound is reached


@pytest.mark.parametrize("algorithm", HELD, ids=lambda algorithm: algorithm.__name__)
@pytest.mark.parametrize("values", [[0] * 40, list(range(40)), list(range(40, 0, -1))], ids=["equal", "up", "down"])
def test_forty_moves_that_are_solved_one_after_another_are_not_all_held(algorithm, values):
    tree = parse_tree(f"({' '.join(map(str, values))})")
    result = algorithm(Search(tree), memory=1)
    assert result.value == max(values) and result.notes[HELD[algorithm]] <= 3


class Path:
    """A state of `Grown`: the moves that led to it."""

    def __init__(self, moves: tuple[int, ...]) -> None:
        self.moves = moves


class Grown(Game[Path, int]):
    """A uniform random tree that is nowhere written down: its states live as long as a search holds them."""

    name = "grown"
    branching, height = 4, 5

    def __init__(self) -> None:
        self.alive: weakref.WeakSet[Path] = weakref.WeakSet()
        self.leaves = self.most_alive = 0

    def make(self, moves):
        state = Path(moves)
        self.alive.add(state)
        return state

    def initial(self):
        return self.make(())

    def player(self, state):
        return (MAX, MIN)[len(state.moves) % 2]

    def actions(self, state):
        return range(self.branching)

    def result(self, state, action):
        return self.make((*state.moves, action))

    def is_terminal(self, state):
        return len(state.moves) == self.height

    def utility(self, state):
        self.leaves += 1
        if self.leaves % 25 == 0:
            gc.collect()
            self.most_alive = max(self.most_alive, len(self.alive))
        return random.Random(f"grown {state.moves}").random()


@pytest.mark.parametrize("algorithm", HELD, ids=lambda algorithm: algorithm.__name__)
def test_what_is_forgotten_is_not_held_elsewhere_either(algorithm):
    """`open` and `kept` count the list and the tree; this counts every state that the search has not let go."""
    held = {}
    for memory in (1, 8):
        game = Grown()
        result = algorithm(Search(game), memory=memory)
        assert result.generated > 400
        held[memory] = game.most_alive
    path = Grown.height + 1
    assert held[1] <= 4 * path and held[8] <= held[1] + 8 * path


def depth_of(vertex):
    return 1 + max((depth_of(child) for child in vertex.children), default=-1)


def test_more_memory_saves_leaves_and_less_than_sss_needs_can_be_enough():
    trees = [random_tree(4, 5, seed, values=10**6) for seed in range(4)]
    for algorithm in HELD:
        leaves = [sum(algorithm(Search(tree), memory=m).leaves for tree in trees) for m in (1, 16, UNLIMITED)]
        assert leaves == sorted(leaves, reverse=True) and leaves[0] > 1.1 * leaves[-1]
    full, limited = [recsss(Search(tree)) for tree in trees], [mem(Search(tree), memory=48) for tree in trees]
    assert sum(result.leaves for result in limited) < 1.1 * sum(result.leaves for result in full)
    assert max(result.notes["kept"] for result in limited) < max(result.notes["kept"] for result in full)


def test_intersss_with_memory_enough_has_the_list_of_sss(trees):
    for tree in trees[:300]:
        assert intersss(Search(tree), memory=UNLIMITED).notes["open"] == sss(Search(tree)).notes["open"]


def test_the_memory_is_an_option_of_the_search_and_must_be_positive():
    tree = random_tree(4, 4, 1)
    for algorithm in HELD:
        assert algorithm(Search(tree, options=Options(memory=3))).notes["memory"] == 3
        with pytest.raises(LabError, match="memory must be at least 1, got 0"):
            algorithm(Search(tree), memory=0)
        with pytest.raises(LabError, match="memory must be at least 1, got 0"):
            algorithm(Search(tree, options=Options(memory=0)))
