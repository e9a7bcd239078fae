"""The clock as pure arithmetic: it never spends what it does not have."""

from itertools import product

import pytest

from cythera.engine.limits import Go
from cythera.engine.time_manager import LEAST_MS, LagMeter, TimeBudget, TimeManager, budget

CLOCKS_MS = [*range(0, 24), 30, 40, 49, 50, 51, 59, 75, 99, 100, 101, 130, 200, 333, 500, 1000, 1700, 3000]
CLOCKS_MS += [10_000, 60_000, 300_000, 5_400_000, 10**9]  # dense where the overheads are
INCREMENTS_MS = [0, 1, 10, 80, 100, 1000, 10_000, 30_000]
MOVES_TO_GO = [None, 1, 2, 3, 5, 10, 20, 39, 40, 41, 60, 100, 1000]
OVERHEADS_MS = [0, 1, 10, 50, 100, 1000]
SLOW_MOVERS = [10, 50, 100, 300, 1000]


def go(left_ms, increment_ms=0, moves_to_go=None, white=True):
    if white:
        return Go(wtime=left_ms, winc=increment_ms, btime=1, movestogo=moves_to_go)
    return Go(btime=left_ms, binc=increment_ms, wtime=1, movestogo=moves_to_go)


def test_no_budget_exceeds_the_clock_and_the_overhead_stays_on_it():
    for left, increment, moves, overhead, slow in product(
        CLOCKS_MS, INCREMENTS_MS, MOVES_TO_GO, OVERHEADS_MS, SLOW_MOVERS
    ):
        limits = budget(go(left, increment, moves), True, overhead, slow)
        case = (left, increment, moves, overhead, slow, limits)
        assert LEAST_MS <= limits.soft_ms <= limits.hard_ms, case
        assert limits.hard_ms <= max(left - overhead, LEAST_MS), case


def test_white_and_black_are_treated_alike():
    for left, increment, moves in product(CLOCKS_MS, INCREMENTS_MS, MOVES_TO_GO):
        white = budget(go(left, increment, moves), True)
        black = budget(go(left, increment, moves, white=False), False)
        assert (white.soft_ms, white.hard_ms) == (black.soft_ms, black.hard_ms)


@pytest.mark.parametrize("what", ["soft_ms", "hard_ms"])
def test_more_on_the_clock_never_means_less_thought(what):
    for increment, moves, overhead in product(INCREMENTS_MS, MOVES_TO_GO, OVERHEADS_MS):
        spent = [getattr(budget(go(left, increment, moves), True, overhead), what) for left in CLOCKS_MS]
        assert spent == sorted(spent)


@pytest.mark.parametrize("what", ["soft_ms", "hard_ms"])
def test_a_larger_increment_never_means_less_thought(what):
    for left, moves, overhead in product(CLOCKS_MS, MOVES_TO_GO, OVERHEADS_MS):
        spent = [getattr(budget(go(left, increment, moves), True, overhead), what) for increment in INCREMENTS_MS]
        assert spent == sorted(spent)


def test_more_moves_to_go_never_mean_more_thought():
    for left, increment in product(CLOCKS_MS, INCREMENTS_MS):
        spent = [budget(go(left, increment, moves), True).soft_ms for moves in MOVES_TO_GO[1:]]
        assert spent == sorted(spent, reverse=True)


def test_a_slower_mover_takes_longer_but_never_too_long():
    for left, increment, moves in product(CLOCKS_MS, INCREMENTS_MS, MOVES_TO_GO):
        spent = [budget(go(left, increment, moves), True, 10, slow).soft_ms for slow in SLOW_MOVERS]
        assert spent == sorted(spent)


@pytest.mark.parametrize(("base_ms", "increment_ms"), [(1000, 10), (10_000, 100), (60_000, 0), (180_000, 2000)])
@pytest.mark.parametrize("overhead_ms", [0, 10, 50])
def test_always_using_the_hard_limit_loses_no_game_on_time(base_ms, increment_ms, overhead_ms):
    left = float(base_ms)
    for _ in range(200):
        limits = budget(go(left, increment_ms), True, overhead_ms)
        # The GUI takes the overhead, as long as there is anything left to take it from.
        left -= limits.hard_ms + min(overhead_ms, max(left - limits.hard_ms, 0)) * 0.5
        assert left >= 0
        left += increment_ms
        if left < 2 * overhead_ms + 2 and not increment_ms:
            break


@pytest.mark.parametrize("period", [1, 2, 5, 40])
def test_always_using_the_hard_limit_reaches_the_time_control(period):
    left = 60_000.0
    for moves in range(period, 0, -1):
        left -= budget(go(left, 0, moves), True, 10).hard_ms + 5
        assert left >= 0 or moves > 1
    assert left > 0


def test_a_time_for_the_move_is_kept_less_the_overhead():
    assert budget(Go(movetime=500), True, 20).hard_ms == 480
    assert budget(Go(movetime=500), True, 20).soft_ms is None
    assert budget(Go(movetime=0), True, 20).hard_ms == LEAST_MS


def test_the_shorter_of_clock_and_time_for_the_move_counts():
    assert budget(Go(movetime=100, wtime=600_000), True, 0).hard_ms == 100
    assert budget(Go(movetime=100_000, wtime=1000), True, 0).hard_ms < 1000


def test_without_any_clock_there_is_no_limit():
    limits = budget(Go(depth=5), True)
    assert limits.soft_ms is None and limits.hard_ms is None


def test_half_a_clock_is_better_than_none():
    assert budget(Go(btime=1000), True).hard_ms == budget(Go(wtime=1000), True).hard_ms


def test_the_manager_never_goes_beyond_the_hard_limit():
    for share in (0.0, 0.3, 1.0):
        manager = TimeManager(TimeBudget(100, 250))
        for depth in range(1, 12):
            stop = manager.should_stop(251, depth, "e2e4" if depth % 2 else "d2d4", -200 * depth, share)
            assert stop or depth < 4


def test_a_stable_best_move_stops_sooner_than_a_wavering_one():
    steady, wavering = TimeManager(TimeBudget(100, 1000)), TimeManager(TimeBudget(100, 1000))
    for i in range(6):
        steady_factor = steady.scale("e2e4", 30, 0.5)
        wavering_factor = wavering.scale("e2e4" if i % 2 else "d2d4", 30, 0.5)
    assert steady_factor < wavering_factor


def test_a_falling_score_and_divided_effort_take_longer():
    falling, rising = TimeManager(TimeBudget(100, 1000)), TimeManager(TimeBudget(100, 1000))
    for i in range(6):
        falling_factor = falling.scale("e2e4", -20 * i, 0.5)
        rising_factor = rising.scale("e2e4", 20 * i, 0.5)
    assert falling_factor > rising_factor
    assert TimeManager(TimeBudget(1, 2)).scale("e2e4", 0, 0.2) > TimeManager(TimeBudget(1, 2)).scale("e2e4", 0, 0.9)


def test_a_reserve_stays_on_the_clock_but_for_a_quarter_of_it():
    for left, increment, moves, reserve in product(CLOCKS_MS, INCREMENTS_MS, MOVES_TO_GO, [0, 5, 100, 4000]):
        held = min(reserve, 0.75 * left)
        expected = budget(go(left - held, increment, moves), True)
        assert budget(go(left, increment, moves), True, reserve_ms=reserve) == expected


def test_lags_within_the_overhead_ask_for_no_reserve():
    meter = LagMeter()
    for late, unseen in ((0.3, 0.4), (-20.0, 0.2), (5.0, 4.9)):
        meter.note(late, unseen)
        assert meter.reserve_ms(overhead_ms=10) == 0


def test_the_reserve_covers_the_largest_lag_twice_and_fades():
    meter = LagMeter()
    meter.note(30.0, 20.0)
    assert meter.reserve_ms(10) == pytest.approx(100)
    for _ in range(30):
        meter.note(-5.0, 0.1)
    assert 20 < meter.reserve_ms(10) < 50
    for _ in range(60):
        meter.note(-5.0, 0.1)
    assert meter.reserve_ms(10) == 0


def test_a_clock_that_was_set_anew_is_no_lag():
    meter = LagMeter()
    meter.note(0.0, 60_000.0)
    assert meter.reserve_ms(10) == 0
