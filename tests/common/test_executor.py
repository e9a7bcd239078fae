import os
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from cythera.common.executor import LocalExecutor, WorkerLostError, open_workers
from cythera.errors import CytheraError

# Units of work live at module level, where workers can import them.


def square(number):
    return number * number


def own_pid(_=None):
    return os.getpid()


def fail(message):
    raise CytheraError(message)


def fail_oddly(_):
    class LocalError(Exception):
        def __reduce__(self):
            raise TypeError("not this one")

    raise LocalError("odd")


def die_unless(marker):
    """Kill this worker the first time, succeed the second."""
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "survived"


def always_die(_):
    os._exit(1)


def chatter(number):
    print("to nowhere", flush=True)
    return number


def sleep_long(_):
    time.sleep(60)


@pytest.fixture
def executor():
    workers = LocalExecutor(2)
    yield workers
    workers.terminate()


def test_units_run_in_other_processes_and_come_back(executor):
    assert sorted(executor.map(square, range(20))) == [number * number for number in range(20)]
    assert executor.submit(own_pid).result() != os.getpid()


def test_an_exception_of_a_unit_is_raised_here(executor):
    with pytest.raises(CytheraError, match="no good"):
        executor.submit(fail, "no good").result()


def test_an_exception_that_cannot_travel_is_told_in_words(executor):
    with pytest.raises(CytheraError, match="LocalError: odd"):
        executor.submit(fail_oddly, None).result()


def test_a_unit_whose_worker_died_runs_again(executor, tmp_path):
    futures = [executor.submit(die_unless, str(tmp_path / "marker")), *(executor.submit(square, n) for n in range(6))]
    assert futures[0].result() == "survived"
    assert [future.result() for future in futures[1:]] == [0, 1, 4, 9, 16, 25]


def test_a_unit_that_always_ends_its_worker_is_given_up_and_the_others_go_on(executor):
    with pytest.raises(WorkerLostError):
        executor.submit(always_die, None).result()
    assert executor.submit(square, 5).result() == 25


def test_what_a_unit_prints_does_not_disturb_its_result(executor):
    assert executor.submit(chatter, 7).result() == 7


def test_termination_abandons_what_is_under_way(executor):
    running, waiting = executor.submit(sleep_long, 0), [executor.submit(sleep_long, n) for n in range(5)]
    while not executor.pids():
        time.sleep(0.01)
    executor.terminate()
    with pytest.raises(CancelledError):
        running.result(timeout=5)
    assert all(future.cancelled() or future.exception() is not None for future in waiting)
    assert executor.pids() == []


def test_an_executor_that_is_shut_down_takes_no_more(executor):
    executor.shutdown()
    with pytest.raises(RuntimeError):
        executor.submit(square, 1)


def test_a_pool_takes_units_only_as_it_has_free_workers():
    taken = []

    def units():
        for number in range(1000):
            taken.append(number)
            yield number

    with open_workers(2) as pool:
        results = pool.completed(square, units())
        first = [next(results) for _ in range(5)]
        results.close()
    assert {result for _, result in first} <= {number * number for number in range(10)}
    assert len(taken) < 15


def test_a_pool_stops_when_it_is_told():
    with open_workers(1) as pool:
        assert list(pool.completed(sleep_long, [1, 2], stopped=lambda: True)) == []


def test_no_worker_at_all_is_refused():
    with pytest.raises(CytheraError, match="workers must be at least 1, got 0"):
        LocalExecutor(0)


def test_scripts_need_no_main_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from cythera.common.executor import open_workers\n"
        "with open_workers(2) as pool:\n"
        "    print(sorted(result for _, result in pool.completed(abs, [-2, 1])))\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=30)
    assert done.stdout == "[1, 2]\n", done.stderr
