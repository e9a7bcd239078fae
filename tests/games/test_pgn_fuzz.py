"""Mutated PGN: the same checks as bench/soak_pgn.py, fewer of them."""

import random

from soak_pgn import SEEDS, check, mutated


def test_mutated_texts_never_crash_and_give_legal_games():
    games = sum(check(mutated(random.Random(seed)), 1 + seed % 300) for seed in range(400))
    assert games > 300


def test_the_seeds_themselves_are_sound():
    assert [check(seed, 1000) for seed in SEEDS] == [1] * len(SEEDS)
