import pytest

from cythera.match.match_errors import MatchError
from cythera.match.time_control import Clock, TimeControl, go_command, parse_seconds, parse_time_control


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8+0.08", TimeControl(base_ms=8000, increment_ms=80)),
        ("40/60", TimeControl(base_ms=60_000, period_moves=40)),
        ("40/60+0.5", TimeControl(base_ms=60_000, increment_ms=500, period_moves=40)),
        ("1:30", TimeControl(base_ms=90_000)),
        ("0.5", TimeControl(base_ms=500)),
        ("movetime=0.1", TimeControl(movetime_ms=100)),
        ("movetime=250ms", TimeControl(movetime_ms=250)),
        ("nodes=20000", TimeControl(nodes=20_000)),
        ("depth=8", TimeControl(depth=8)),
        ("8+0.08,nodes=5000", TimeControl(base_ms=8000, increment_ms=80, nodes=5000)),
    ],
)
def test_a_time_control_is_read_and_written_back(text, expected):
    control = parse_time_control(text)
    assert control == expected
    assert parse_time_control(str(control)) == control


@pytest.mark.parametrize(
    "text", ["", "x", "8+", "+1", "0+1", "-8", "40/", "0/60", "nodes=0", "nodes=x", "depth=-1", "8+1,movetime=1", "8 1"]
)
def test_an_impossible_time_control_is_refused_with_a_sentence(text):
    with pytest.raises(MatchError, match="time"):
        parse_time_control(text)


def test_a_duration_is_in_seconds_unless_it_says_otherwise():
    assert (parse_seconds("2"), parse_seconds("0.01s"), parse_seconds("10ms")) == (2000, 10, 10)
    with pytest.raises(MatchError, match="duration"):
        parse_seconds("soon")


def test_a_clock_counts_down_and_gets_its_increment():
    clock = Clock.start(parse_time_control("8+0.08")).after(1000.0)
    assert clock.remaining_ms == 7080.0
    assert clock.allowance_ms() == 7080.0


def test_a_new_period_adds_its_time():
    clock = Clock.start(parse_time_control("2/10"))
    clock = clock.after(3000.0)
    assert (clock.remaining_ms, clock.moves_to_go) == (7000.0, 1)
    clock = clock.after(3000.0)
    assert (clock.remaining_ms, clock.moves_to_go) == (14_000.0, 2)


def test_a_forgiven_overrun_leaves_no_negative_time():
    assert Clock.start(parse_time_control("1+0.1")).after(1005.0).remaining_ms == 100.0


def test_time_does_not_count_at_fixed_nodes():
    clock = Clock.start(parse_time_control("nodes=100"))
    assert clock.allowance_ms() is None
    assert clock.after(5000.0) == clock


def test_go_names_both_clocks_by_colour():
    mover, opponent = Clock.start(parse_time_control("8+0.08")), Clock.start(parse_time_control("4/2"))
    assert go_command(mover, opponent, white=True) == "go wtime 8000 btime 2000 winc 80 binc 0"
    assert go_command(opponent, mover, white=False) == "go wtime 8000 btime 2000 winc 80 binc 0 movestogo 4"


def test_an_opponent_without_a_clock_is_shown_the_movers_own_time():
    mover, opponent = Clock.start(parse_time_control("8")), Clock.start(parse_time_control("nodes=10"))
    assert go_command(mover, opponent, white=True) == "go wtime 8000 btime 8000"
    assert go_command(opponent, mover, white=False) == "go nodes 10"


def test_an_empty_clock_is_never_sent_as_zero():
    clock = Clock.start(parse_time_control("1")).after(2000.0)
    assert "wtime 1 " in go_command(clock, clock, white=True)
