"""Nets made of random weights."""

import numpy as np
import pytest

from cythera.core import NET_BUCKETS, NET_INPUTS
from cythera.net import file as nets


def random_payload(hidden, seed=1):
    """Weights of the sizes that training makes."""
    rng = np.random.default_rng(seed)
    features = np.clip(rng.normal(0, 40, (NET_INPUTS + 1) * hidden), -505, 505)
    outputs = np.clip(rng.normal(0, 30, 2 * NET_BUCKETS * hidden), -127, 127)
    biases = rng.normal(0, 3000, NET_BUCKETS)
    return features.astype("<i2").tobytes() + outputs.astype("<i2").tobytes() + biases.astype("<i4").tobytes()


@pytest.fixture(params=[32, 96])
def net(request):
    return nets.parse(nets.to_bytes(request.param, random_payload(request.param)))
