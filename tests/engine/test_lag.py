"""The reserve that is kept for time lost besides thinking."""

import pytest

from cythera.engine.lag import LagMeter


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


def test_a_clock_that_was_reset_is_no_lag():
    meter = LagMeter()
    meter.note(0.0, 60_000.0)
    assert meter.reserve_ms(10) == 0
