"""The transposition table: what replaces what, and evaluations without a score."""

import pytest

from cythera import Position
from cythera.core import FEATURES, Searcher, found_in_table, move_words, store_in_table
from cythera.engine.bench import POSITIONS

UPPER, LOWER, EXACT = 1, 2, 3  # bounds of table entries


@pytest.fixture
def searcher():
    return Searcher(1)


@pytest.fixture
def start_words():
    position = Position()
    return position, move_words(position)[0], move_words(position)[1]


def test_a_shallow_bound_does_not_replace_a_deep_result(searcher, start_words):
    position, old, new = start_words
    store_in_table(searcher, position, old, score=70, evaluation=20, depth=12, bound=EXACT)
    store_in_table(searcher, position, new, score=-5, evaluation=20, depth=3, bound=LOWER)
    assert found_in_table(searcher, position) == (old, 70, 20, 12, EXACT)


@pytest.mark.parametrize(("depth", "bound"), [(3, EXACT), (9, LOWER), (9, UPPER)])
def test_an_exact_or_a_deep_result_replaces_the_whole_entry(searcher, start_words, depth, bound):
    position, old, new = start_words
    store_in_table(searcher, position, old, score=70, evaluation=20, depth=12, bound=EXACT)
    store_in_table(searcher, position, new, score=-5, evaluation=20, depth=depth, bound=bound)
    assert found_in_table(searcher, position) == (new, -5, 20, depth, bound)


def test_a_result_without_a_move_keeps_the_move_of_the_entry(searcher, start_words):
    position, old, _ = start_words
    store_in_table(searcher, position, old, score=70, evaluation=20, depth=5, bound=LOWER)
    store_in_table(searcher, position, 0, score=-30, evaluation=20, depth=5, bound=UPPER)
    assert found_in_table(searcher, position) == (old, -30, 20, 5, UPPER)


def test_an_entry_of_an_evaluation_alone_gives_way_to_any_result(searcher, start_words):
    position, move, _ = start_words
    store_in_table(searcher, position, 0, score=0, evaluation=33, depth=0, bound=0)
    _, _, evaluation, depth, bound = found_in_table(searcher, position)
    assert (evaluation, bound) == (33, 0)
    assert depth < -1  # shallower than what quiescence stores
    store_in_table(searcher, position, move, score=8, evaluation=33, depth=-1, bound=LOWER)
    assert found_in_table(searcher, position) == (move, 8, 33, -1, LOWER)


def test_positions_whose_nodes_were_pruned_keep_their_evaluation_in_the_table():
    """Entries without a score are there only with the feature, and their evaluation is the net's."""

    def evaluations(features):
        searcher = Searcher(8)
        root = Position(POSITIONS[3])
        searcher.go(root, depth=8, features=features)
        found = []
        for first in root.legal_moves():
            child = root.copy()
            child.push(first)
            for second in child.legal_moves():
                grandchild = child.copy()
                grandchild.push(second)
                entry = found_in_table(searcher, grandchild)
                if entry and entry[4] == 0:
                    found.append((entry[2], searcher.evaluate(grandchild)))
        return found

    everything = sum(FEATURES.values())
    pairs = evaluations(everything)
    assert len(pairs) > 5
    assert all(stored == fresh for stored, fresh in pairs)
    assert not evaluations(everything - FEATURES["tt evaluation"])
