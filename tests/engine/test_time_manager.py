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


# The numbers behind these figures were tuned by games: a change of one of them is a change of play, as a change of the
# bench signature is. (clocks, overhead, Slow Mover) -> soft and hard limit.
TUNED = [
    (Go(wtime=10_000, btime=9_000, winc=100, binc=200), 10, 100, 9_990 / 32 + 90, 4.5 * (9_990 / 32 + 90)),
    (Go(wtime=60_000, btime=1), 10, 100, 59_990 / 32, 4.5 * 59_990 / 32),
    (Go(wtime=60_000, btime=1), 50, 150, 1.5 * 59_950 / 32, 1.5 * 4.5 * 59_950 / 32),
    (Go(wtime=1000, btime=1, winc=2000), 10, 100, 594, 594),  # an increment larger than the clock
    (Go(wtime=1000, btime=1, winc=5), 10, 100, 990 / 32, 4.5 * 990 / 32),  # an increment that the overhead takes
    (Go(wtime=60_000, btime=1, movestogo=40), 10, 100, 1.1 * 59_950 / 41, 1.1 * 4.5 * 59_950 / 41),
    (Go(wtime=60_000, btime=1, movestogo=80), 10, 100, 1.1 * 59_950 / 51, 1.1 * 4.5 * 59_950 / 51),
    (Go(wtime=60_000, btime=1, movestogo=3, winc=500), 100, 100, 1.1 * 59_600 / 4 + 400, 0.6 * 59_600),
    (Go(wtime=60_000, btime=1, movestogo=1), 10, 100, 1.1 * 59_980 / 2, 0.9 * 59_980),
    (Go(wtime=30, btime=1, movestogo=20), 10, 100, 1, 1),
    (Go(wtime=10, btime=60_000), 10, 100, 1, 1),
    (Go(wtime=10_000, btime=1, winc=100, movetime=5000), 10, 100, 9_990 / 32 + 90, 4.5 * (9_990 / 32 + 90)),
    (Go(wtime=10_000, btime=1, movetime=200), 10, 100, 9_990 / 32, 190),
]


@pytest.mark.parametrize(("clocks", "overhead_ms", "slow_mover", "soft_ms", "hard_ms"), TUNED)
def test_budgets_are_those_that_were_tuned(clocks, overhead_ms, slow_mover, soft_ms, hard_ms):
    limits = budget(clocks, True, overhead_ms, slow_mover)
    assert (limits.soft_ms, limits.hard_ms) == (pytest.approx(soft_ms), pytest.approx(hard_ms))


def test_the_usual_overhead_is_ten_milliseconds_and_the_usual_pace_one_hundred_percent():
    clocks = Go(wtime=10_000, btime=10_000)
    assert budget(clocks, True) == budget(clocks, True, 10, 100) != budget(clocks, True, 11, 100)


def test_the_factors_on_the_soft_limit_are_those_that_were_tuned():
    manager = TimeManager(TimeBudget(100, 1000))
    results = [("e2e4", 30, 0.5)] * 7  # ever more settled
    results += [("d2d4", 30, 0.5), ("d2d4", -10, 0.5), ("d2d4", -200, 0.0), ("d2d4", -200, 1.5)]  # a falling score
    results += [("d2d4", 300, -1.0), ("d2d4", 0, 1.0)]  # a rising one; shares beyond 0 and 1 count as these
    factors = [manager.scale(*result) for result in results]
    effort = 1.75 - 1.2 * 0.5
    assert factors[:7] == pytest.approx([part * effort for part in (1.65, 1.3, 1.1, 1.0, 0.92, 0.86, 0.86)])
    assert factors[7:11] == pytest.approx(
        [1.65 * effort, 1.3 * effort * (1 + 40 / 120), 1.1 * 1.75 * 1.5, 1.0 * 0.55 * 1.5]
    )
    assert factors[11:] == pytest.approx([0.92 * 1.75 * 0.5, 0.86 * 0.55 * 0.5])


def test_the_trend_is_that_of_three_iterations():
    manager = TimeManager(TimeBudget(100, 1000))
    factors = [manager.scale("e2e4", score, 0.5) for score in (0, 0, -30, -30)]
    assert factors[2] == pytest.approx(1.1 * 1.15) and factors[3] == pytest.approx(1.0 * 1.15 * (1 + 30 / 120))


def test_the_manager_stops_at_the_scaled_soft_limit_from_depth_four_on():
    def stops(elapsed_ms, depth, soft_ms=100, hard_ms=1000, only_move=False):
        manager = TimeManager(TimeBudget(soft_ms, hard_ms), only_move)
        decision = manager.should_stop(elapsed_ms, depth, "e2e4", 0, 0.5)  # a factor of 1.65 · 1.15
        assert manager.is_time_up == decision
        return decision

    assert not stops(189.7, 4) and stops(189.8, 4)
    assert not stops(900, 3)
    assert stops(0, 1, only_move=True)
    assert not stops(149, 4, hard_ms=150) and stops(150, 4, hard_ms=150)
    assert stops(189.8, 9, hard_ms=None)
    assert not stops(10**9, 50, soft_ms=None) and not stops(0, 1, soft_ms=None, only_move=True)


def test_a_manager_that_has_seen_nothing_has_not_stopped():
    manager = TimeManager(TimeBudget(100, 1000))
    assert not manager.is_time_up and not manager.only_move


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


def test_a_move_in_time_has_no_lag():
    meter = LagMeter()
    meter.note(-5.0, 0.0)
    meter.note(0.0, -5.0)
    assert meter.reserve_ms(overhead_ms=0) == meter.largest_ms == 0


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


def test_a_clock_that_was_reset_is_no_lag():
    meter = LagMeter()
    meter.note(0.0, 60_000.0)
    assert meter.reserve_ms(10) == 0
