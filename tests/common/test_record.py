"""Records: named fields, said once, that do not change and can be copied anywhere."""

import copy
import pickle

import pytest

from cythera.common.record import Record
from cythera.engine.limits import Go, Limit


class Point(Record):
    x: int
    y: int = 0


def test_fields_are_given_by_place_or_by_name_and_defaults_fill_the_rest():
    assert Point(1, 2) == Point(x=1, y=2) == Point(1, y=2)
    assert (Point(1).x, Point(1).y) == (1, 0)
    assert repr(Point(1)) == "Point(x=1)" and repr(Point(1, 5)) == "Point(x=1, y=5)"


@pytest.mark.parametrize(
    ("args", "given", "words"),
    [((), {}, "needs a value for x"), ((1, 2, 3), {}, "at most 2 values, got 3"), ((1,), {"z": 3}, "no field 'z'"),
     ((1,), {"x": 3}, "two values for 'x'")],
)  # fmt: skip
def test_wrong_fields_are_named(args, given, words):
    with pytest.raises(TypeError, match=words):
        Point(*args, **given)


def test_records_are_equal_by_value_and_only_to_their_own_kind():
    class Other(Record):
        x: int
        y: int = 0

    assert Point(1) == Point(1, 0) != Point(2) and Point(1) != Other(1) and Point(1) != (1, 0)
    assert len({Point(1), Point(1, 0), Point(2)}) == 2


def test_a_record_cannot_be_changed():
    point = Point(1)
    with pytest.raises(AttributeError, match="a Point cannot be changed"):
        point.x = 3
    with pytest.raises(AttributeError, match="a Point cannot be changed"):
        del point.x
    assert point == Point(1)


@pytest.mark.parametrize(
    "record",
    [Limit(nodes=3), Limit(time_s=0.5, white_clock_s=60), Limit(), Go(wtime=5, searchmoves=("e2e4",))],
    ids=repr,
)
def test_limits_can_be_pickled_and_copied(record):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(record, protocol)) == record
    for other in (copy.copy(record), copy.deepcopy(record)):
        assert other == record and repr(other) == repr(record) and type(other) is type(record)
