"""SSS* and its relatives with less memory: the same leaves in the sense each paper claims."""

import pytest

from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.intersss import intersss
from cythera.lab.algorithms.mem import mem
from cythera.lab.algorithms.recsss import recsss
from cythera.lab.algorithms.sss import sss
from cythera.lab.errors import LabError
from cythera.lab.games.trees import random_tree
from cythera.lab.search import Options, Search

UNLIMITED = 10**6
HELD = {intersss: "open", mem: "kept"}


@pytest.mark.parametrize("algorithm", HELD, ids=lambda algorithm: algorithm.__name__)
def test_with_memory_enough_it_visits_the_leaves_of_sss_in_the_same_order(algorithm, trees, remember):
    for tree in trees[:1000]:
        expected = remember(sss, tree)[1].leaves
        assert remember(lambda search: algorithm(search, memory=UNLIMITED), tree)[1].leaves == expected


@pytest.mark.parametrize("algorithm", HELD, ids=lambda algorithm: algorithm.__name__)
def test_with_any_memory_it_is_exact_and_visits_only_leaves_of_alpha_beta(algorithm, trees, values, remember):
    for number, (tree, expected) in enumerate(zip(trees[:1000], values, strict=False)):
        allowed = set(remember(alphabeta, tree)[1].leaves)
        memory = (1, 2, 4, 7, 12, 20)[number % 6]
        result, seen = remember(lambda search, memory=memory: algorithm(search, memory=memory), tree)
        assert result.value == expected
        assert len(seen.leaves) == len(set(seen.leaves))
        assert set(seen.leaves) <= allowed
        if memory == 1:
            assert set(seen.leaves) == allowed  # depth first is all it can afford


@pytest.mark.parametrize("algorithm", HELD, ids=lambda algorithm: algorithm.__name__)
def test_it_holds_no_more_than_the_memory_and_one_path(algorithm, trees):
    for tree in trees[:500]:
        height = depth_of(tree.root)
        for memory in (1, 4, 16):
            assert algorithm(Search(tree), memory=memory).notes[HELD[algorithm]] <= memory + 2 * height + 1


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
