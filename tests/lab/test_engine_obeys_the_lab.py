"""The law that ties the engine to the lab: without its shortcuts it returns plain negamax's value."""

import random

import pytest

from cythera import Position
from cythera.core import FEATURES, MATE, Searcher
from cythera.engine.bench import POSITIONS
from cythera.lab.reference import plain_search

# What decides only the order of moves takes no shortcut, and keeps the trees small.
ORDERING = (
    "tt move", "mvv", "see ordering", "capture history", "killers", "threats",
    "butterfly history", "continuation history", "pawn history", "tt replacement",
)  # fmt: skip
PLAIN = FEATURES["quiescence"] | sum(FEATURES[name] for name in ORDERING)
TABLE = PLAIN | sum(FEATURES[name] for name in ("tt", "tt cutoffs", "tt evaluation"))
MODES = {
    "nothing": PLAIN,
    "in any order": FEATURES["quiescence"],
    "with the table": TABLE,
    "with the table and windows": TABLE | FEATURES["aspiration windows"],
    "with mate distance": PLAIN | FEATURES["mate distance pruning"],
}
COUNTS = {1: 120, 2: 80, 3: 40}  # positions by depth
NODES = 2000  # the engine's own plain search decides what is small enough for Python


def positions(count: int, seed: int):
    """Positions a few random moves away from games."""
    rng = random.Random(seed)
    for i in range(count):
        position = Position(POSITIONS[i % len(POSITIONS)])
        for _ in range(rng.randrange(0, 6)):
            moves = position.legal_moves()
            if not moves:
                break
            position.push(rng.choice(moves))
        if not position.outcome():
            yield Position(position.fen())


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_engine_without_shortcuts_returns_the_value_of_plain_negamax(depth):
    searcher = Searcher(4)
    compared = 0
    for position in positions(COUNTS[depth], seed=depth):
        searcher.clear()
        searcher.go(position, depth=depth, features=PLAIN, nodes=NODES)
        if searcher.nodes >= NODES:
            continue
        expected = plain_search(position, depth, searcher.evaluate, mate_cp=MATE).value
        for name, features in MODES.items():
            searcher.clear()
            assert searcher.go(position, depth=depth, features=features)[0].score == expected, (position.fen(), name)
        compared += 1
    assert compared >= COUNTS[depth] // 3


def test_the_comparison_would_notice_a_difference():
    """With reductions and pruning the values differ somewhere: the law is not empty."""
    searcher = Searcher(4)
    differences = 0
    for position in positions(40, seed=9):
        searcher.clear()
        plain = searcher.go(position, depth=4, features=TABLE)[0].score
        searcher.clear()
        differences += searcher.go(position, depth=4)[0].score != plain
    assert differences
