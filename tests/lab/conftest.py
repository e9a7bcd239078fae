"""What the lab's tests share: a watcher that remembers, and seeded random trees of all shapes."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cythera.lab.algorithms.minimax import minimax
from cythera.lab.game import MAX, MIN
from cythera.lab.games.trees import TreeGame, random_tree
from cythera.lab.search import Node, Result, Search

DEEPEST = {1: 6, 2: 6, 3: 4, 4: 3}  # by branching, so that no tree has more than 81 leaves


class Memory:
    """Remembers the paths of all nodes generated and all leaves evaluated, in order."""

    def __init__(self) -> None:
        self.nodes: list[tuple[Any, ...]] = []
        self.leaves: list[tuple[Any, ...]] = []

    def generated(self, node: Node[Any, Any]) -> None:
        self.nodes.append(node.path())

    def evaluated(self, node: Node[Any, Any], value: Any) -> None:
        self.leaves.append(node.path())

    def expanding(self, *event: Any) -> None: ...
    def entered(self, *event: Any) -> None: ...
    def left(self, *event: Any) -> None: ...
    def noted(self, *event: Any) -> None: ...


def remember(algorithm: Callable[..., Result[Any, Any]], tree: TreeGame) -> tuple[Result[Any, Any], Memory]:
    memory = Memory()
    return algorithm(Search(tree, watcher=memory)), memory


def all_kinds_of_trees(count: int) -> Iterator[TreeGame]:
    """Uniform and irregular, MAX or MIN at the root, with many equal leaves or hardly any."""
    for seed in range(count):
        rng = random.Random(seed)
        branching = rng.randint(1, 4)
        yield random_tree(
            branching,
            rng.randint(0, DEEPEST[branching]),
            seed,
            values=rng.choice((2, 3, 10, 1000)),
            irregular=seed % 3 == 0,
            root=rng.choice((MAX, MIN)),
        )


@pytest.fixture(scope="session")
def trees() -> list[TreeGame]:
    return list(all_kinds_of_trees(2000))


@pytest.fixture(name="remember")
def remember_fixture() -> Callable[..., tuple[Result[Any, Any], Memory]]:
    return remember


@pytest.fixture(scope="session")
def values(trees: list[TreeGame]) -> list[float]:
    """The minimax values of the trees, computed once."""
    return [minimax(Search(tree)).value for tree in trees]
