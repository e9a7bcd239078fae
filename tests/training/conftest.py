"""A folder of quick games, and nets made of random weights."""

import numpy as np
import pytest

from cythera import Position
from cythera.core import Searcher, self_play
from cythera.net import file as nets
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


def random_payload(hidden, seed=1):
    """Weights of the sizes that training makes."""
    rng = np.random.default_rng(seed)
    features = np.clip(rng.normal(0, 40, (nets.INPUTS + 1) * hidden), -505, 505)
    outputs = np.clip(rng.normal(0, 30, 2 * nets.BUCKETS * hidden), -127, 127)
    biases = rng.normal(0, 3000, nets.BUCKETS)
    return features.astype("<i2").tobytes() + outputs.astype("<i2").tobytes() + biases.astype("<i4").tobytes()


@pytest.fixture(params=[32, 96])
def net(request):
    return nets.parse(nets.to_bytes(request.param, random_payload(request.param)))
