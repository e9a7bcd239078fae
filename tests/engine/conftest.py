"""What the tests of the engine share."""

import pytest
from uci_talk import Talk, begun

from cythera import Engine


@pytest.fixture(autouse=True)
def _nothing_left_behind():
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
