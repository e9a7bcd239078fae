"""bench/agreement.py: short searches compared with long ones."""

import re

import agreement
import pytest

from cythera.training.datagen import DatagenSettings, GameBatch, play_batch
from cythera.training.game_file import GameWriter

WEAK = "Without=quiescence, tt, mvv, see ordering, capture history, killers, threats, butterfly history, lmr"


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of shallow games."""
    path = tmp_path_factory.mktemp("games") / "run-1.cyg"
    raw, lengths, *_ = play_batch(DatagenSettings(nodes=40, hash_mib=1, start_nodes=40), GameBatch(0, 60))
    with GameWriter(path) as writer:
        at = 0
        for length in lengths:
            writer.add(raw[at : at + length])
            at += length
    return path


@pytest.fixture
def in_this_process(monkeypatch):
    """Searches without other processes; what they cost is not what is tested."""

    class Pool:
        def __init__(self, *_):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        map = staticmethod(map)

    monkeypatch.setattr(agreement, "ProcessPoolExecutor", Pool)


def run(reference, *words):
    return agreement.main([str(reference), *map(str, words)])


def make(reference, games, count=30, deep_nodes=2000):
    assert run(reference, "--games", games, "--count", count, "--deep-nodes", deep_nodes) == 0


def numbers(line):
    return [float(number) for number in re.findall(r"[-+]?\d+\.\d+", line)]


def test_a_search_with_the_nodes_of_the_reference_agrees_best(games, tmp_path, capsys, in_this_process):
    make(tmp_path / "reference.json", games)
    assert run(tmp_path / "reference.json", "nodes=20", "nodes=2000") == 0
    short, long = capsys.readouterr().out.splitlines()
    agrees, gives_away, off = numbers(short)
    more, by_agreement, _, less, by_value, _, nearer, by_score, _ = numbers(long)
    assert more > agrees and less < gives_away and nearer < off
    assert (by_agreement, by_value, by_score) == pytest.approx(
        (more - agrees, less - gives_away, nearer - off), abs=0.011
    )


def test_a_search_that_sees_less_gives_more_away(games, tmp_path, capsys, in_this_process):
    make(tmp_path / "reference.json", games)
    assert run(tmp_path / "reference.json", "", WEAK, "--nodes", 200) == 0
    shipped, weak = map(numbers, capsys.readouterr().out.splitlines())
    assert weak[0] < shipped[0] and weak[3] > shipped[1] and weak[6] > shipped[2]


def test_a_setting_against_itself_differs_in_nothing(games, tmp_path, capsys, in_this_process):
    make(tmp_path / "reference.json", games)
    assert run(tmp_path / "reference.json", "", "NMP_BASE=4", "--nodes", 100) == 0
    assert capsys.readouterr().out.splitlines()[1].count("(+0.00 ± 0.00)") == 3


def test_the_long_searches_are_kept(games, tmp_path, capsys, in_this_process, monkeypatch):
    reference = tmp_path / "reference.json"
    make(reference, games)
    assert run(reference, "nodes=20") == 0
    searched = []
    monkeypatch.setattr(
        agreement,
        "searched",
        lambda side, tasks, real=agreement.searched: (searched.append(side.nodes), real(side, tasks))[1],
    )
    assert run(reference, "nodes=20") == 0
    assert set(searched) == {20}
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


def test_positions_are_from_different_games_and_always_the_same(games):
    fens = agreement.sampled(games, 30)
    assert fens == agreement.sampled(games, 30) and len(set(fens)) == 30


def test_processes_find_what_one_finds(games, tmp_path, capsys, request):
    words = ("nodes=50", "--games", games, "--count", 15, "--deep-nodes", 200)
    assert run(tmp_path / "by_processes.json", *words) == 0
    request.getfixturevalue("in_this_process")
    assert run(tmp_path / "by_one.json", *words) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert (tmp_path / "by_processes.json").read_text() == (tmp_path / "by_one.json").read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["NMP_BASE"], "agreement: an option is written NAME=VALUE, got 'NMP_BASE'"),
        (["nodes=x"], "agreement: nodes must be a whole number, got 'x'"),
        (["nodes=0"], "agreement: nodes per move must be at least 1, got 0"),
        (["--games", "none.cyg"], "agreement: [Errno 2] No such file or directory: 'none.cyg'"),
    ],
)
def test_what_is_wrong_is_a_sentence(tmp_path, words, sentence):
    with pytest.raises(SystemExit, match=re.escape(sentence)):
        run(tmp_path / "reference.json", *words)


def test_a_damaged_reference_is_named(tmp_path):
    (tmp_path / "reference.json").write_text('{"best": 3}')
    with pytest.raises(SystemExit, match="it is not a reference of bench/agreement"):
        run(tmp_path / "reference.json", "")


def test_too_few_positions_are_said_so(games, tmp_path):
    with pytest.raises(SystemExit, match=r"has only \d+ positions that are fit, not 900"):
        run(tmp_path / "reference.json", "--games", games, "--count", 900)
