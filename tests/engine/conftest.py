"""What the tests of the engine share."""

import pytest
from uci_talk import Talk

from cythera import Engine


@pytest.fixture
def talk():
    """A live engine, which at the end must leave quietly when its input ends."""
    conversation = Talk()
    yield conversation
    if conversation.process.poll() is None:
        try:
            assert conversation.end() == 0
        finally:
            conversation.process.kill()
    else:
        conversation.end()


@pytest.fixture
def engine():
    with Engine(hash_mib=2) as engine:
        yield engine
