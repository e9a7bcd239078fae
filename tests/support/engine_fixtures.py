"""Fixtures of the tests that talk to the engine."""

import random
import struct

import pytest

from cythera import Engine
from cythera.net import file as nets
from support.uci import Talk, begun


@pytest.fixture(autouse=True)
def no_process_left_behind():
    yield
    while begun:
        begun.pop().kill()


@pytest.fixture
def talk():
    """A live engine, which at the end must leave quietly when its input ends."""
    conversation = Talk()
    yield conversation
    assert conversation.end() == 0


@pytest.fixture
def engine():
    with Engine(hash_mib=2) as engine:
        yield engine


@pytest.fixture
def net_file(tmp_path):
    """A small net of random weights: it evaluates, and unlike anything else."""
    rng = random.Random(1)
    words = [rng.randint(-60, 60) for _ in range(32 * (768 + 1 + 16))]
    path = tmp_path / "small.net"
    nets.write(path, 32, struct.pack(f"<{len(words)}h", *words) + struct.pack("<8i", *[0] * 8), name="small")
    return path
