"""A folder of quick games, and the positions to train on in them."""

import pytest

from cythera import Position
from cythera.core import Searcher, self_play
from cythera.training.game_file import GameWriter


@pytest.fixture(scope="session")
def games(tmp_path_factory):
    """Two files with 120 games in all, played badly."""
    folder = tmp_path_factory.mktemp("games")
    searcher = Searcher(1)
    for name, seeds in (("a.cyg", range(70)), ("b.cyg", range(70, 120))):
        with GameWriter(folder / name, block_games=25) as writer:
            for seed in seeds:
                writer.add(self_play(searcher, Position(), seed, nodes=20)[0])
    return folder


@pytest.fixture(scope="session")
def positions(games):
    from cythera.training.positions import load

    return load([games], share=0.2)
