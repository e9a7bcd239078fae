"""A dask cluster as a place for workers; dask.distributed is an optional dependency."""

import contextlib
from collections.abc import Iterator
from typing import Any

from cythera.errors import CytheraError

CONNECT_S = 10  # for a dask scheduler to answer


@contextlib.contextmanager
def cluster_client(workers: int, address: str) -> Iterator[Any]:
    """A client of the scheduler at `address`, or of a cluster of `workers` processes here for "local"."""
    try:
        import distributed
    except ImportError as error:
        advice = 'install it with `pip install "cythera[cluster]"`'
        raise CytheraError(f"a cluster needs dask.distributed: {advice}") from error

    dask: Any = distributed  # it has no types to speak of
    if address == "local":
        with (
            dask.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as started,
            dask.Client(started) as client,
        ):
            yield client
        return
    try:
        client = dask.Client(address, timeout=CONNECT_S)
    except (OSError, TimeoutError, ValueError) as error:
        raise CytheraError(f"no dask scheduler answers at {address}: {error}") from error
    with client:
        if not client.nthreads():
            raise CytheraError(f"the dask scheduler at {address} has no workers yet: start `dask worker {address}`")
        yield client
