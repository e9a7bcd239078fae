"""Games on a real dask scheduler with real worker processes."""

import os
import signal
import threading
import time

import pytest
from support.units import own_pid

from cythera.common.executor import open_workers
from cythera.errors import CytheraError
from cythera.match.adjudication import Rules
from cythera.match.display import QuietWatcher
from cythera.match.runner import Files, Match

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # dask's own


@pytest.fixture
def cluster():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as running:
        yield running


def test_a_match_survives_a_killed_worker_and_counts_every_game_once(engine, config, cluster):
    settings = config(
        engine("A", "--seed", "1", "--delay", "0.01"), engine("B", "--seed", "2"), games=10, rules=Rules(max_moves=8)
    )
    address = cluster.scheduler_address
    with open_workers(1, address) as pool:
        pids = {pid for _, pid in pool.completed(own_pid, range(8))}
    assert len(pids) == 2

    class Killer(QuietWatcher):
        def __init__(self):
            self.killed = None
            self.indices = []

        def game(self, match, record):
            self.indices.append(record.index)
            if self.killed is None and len(self.indices) == 2:
                self.killed = pids.pop()
                os.kill(self.killed, signal.SIGKILL)

    killer = Killer()
    match = Match(settings, Files(), cluster=address)
    match.run(killer)
    assert killer.killed
    assert killer.indices == list(range(10))
    assert match.tally.games == 10
    assert not match.tally.failures


def test_a_cluster_can_be_started_for_the_match(engine, config):
    match = Match(config(engine("A"), engine("B"), games=4), Files(), concurrency=2, cluster="local")
    match.run(QuietWatcher())
    assert match.tally.games == 4


def test_a_scheduler_that_is_not_there_is_one_clear_sentence(monkeypatch):
    monkeypatch.setattr("cythera.common.cluster.CONNECT_S", 1)
    with pytest.raises(CytheraError, match="no dask scheduler answers"), open_workers(1, "tcp://127.0.0.1:9"):
        pass


def test_workers_that_come_later_are_used(cluster):
    with open_workers(1, cluster.scheduler_address) as pool:
        assert pool.places() == 2
        threading.Thread(target=lambda: cluster.scale(3)).start()
        begin = time.monotonic()
        while pool.places() < 3 and time.monotonic() - begin < 20:
            time.sleep(0.05)
        assert pool.places() == 3
