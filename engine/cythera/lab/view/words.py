"""Values in words and figures, for tables, trees and steps alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from cythera.lab.search import Interval
from cythera.lab.texts import plural, say

__all__ = ["plural", "say", "show_bound", "show_odds", "show_value", "show_window"]


def show_value(value: Any) -> str:
    """A value as short as it can be read.

    >>> show_value(3.0), show_value(-math.inf), show_value(0.12345), show_value((7, 4, 1)), show_value(None)
    ('3', '−∞', '0.123', '(7, 4, 1)', '')
    >>> show_value(Interval(2, 9)), show_value(Interval(6, 6)), show_value(True)
    ('[2, 9]', '6', 'yes')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return say("value.yes" if value else "value.no")
    if isinstance(value, Interval):
        low, high = show_value(value.low), show_value(value.high)
        return low if low == high else f"[{low}, {high}]"
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return f"({', '.join(show_value(part) for part in value)})"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    rounded = round(value, 3)
    text = str(int(rounded)) if rounded == int(rounded) else f"{rounded:.3f}".rstrip("0")
    return text.replace("-", "−")


def show_bound(value: float) -> str:
    """An end of a window, with a sign where it is the next number up or down.

    >>> show_bound(3), show_bound(math.nextafter(3, 4)), show_bound(math.nextafter(0, -1))
    ('3', '3⁺', '0⁻')
    """
    rounded = round(value, 3) if math.isfinite(value) else value
    is_next = value != rounded and math.nextafter(value, rounded) == rounded
    return show_value(value) + (("⁺" if value > rounded else "⁻") if is_next else "")


def show_odds(share: float) -> str:
    """A probability as people say it.

    >>> show_odds(0.9), show_odds(1 / 6), show_odds(0.12345)
    ('0.9', '1/6', '0.123')
    """
    if share != round(share, 2):
        simple = Fraction(share).limit_denominator(36)
        if math.isclose(simple, share):
            return str(simple)
    return show_value(share)


def show_window(alpha: float | None, beta: float | None) -> str:
    """A window as textbooks write it.

    >>> show_window(-math.inf, 3), show_window(None, None)
    ('(−∞, 3)', '')
    """
    return "" if alpha is None or beta is None else f"({show_bound(alpha)}, {show_bound(beta)})"
