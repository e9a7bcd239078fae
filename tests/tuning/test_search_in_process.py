"""`cythera tune search --in-process`."""

import json

import pytest

from cythera.cli import tune_search as tune_cli
from cythera.core import TUNABLES
from cythera.errors import CytheraError
from cythera.match.match_errors import MatchError
from cythera.match.openings.opening_files import Openings, load_book
from cythera.tuning.in_process import Side, play_pair
from cythera.tuning.search import read_tuning

NAME, DEFAULT, LOW, HIGH = TUNABLES[0][:4]


def tuning(book, state, *words):
    return [
        "--in-process", "--nodes", "60", "--only", NAME, "--openings", str(book), "--workers", "1",
        "--json", str(state), *words,
    ]  # fmt: skip


def test_tuning_in_process_saves_itself_and_is_resumed_in_process(book, tmp_path, capsys, monkeypatch):
    state, picture = tmp_path / "tuning.json", tmp_path / "tuning.svg"
    monkeypatch.setattr("cythera.tuning.search.identify", None)  # no engine is started
    words = tuning(book, state, "--iterations", "2", "--option", "EvalFile=<classical>", "--option", "Without=razoring")
    assert tune_cli.main([*words, "--plot", str(picture)]) == 0
    assert NAME in capsys.readouterr().out
    assert "<polyline" in picture.read_text()
    document = json.loads(state.read_text())
    assert document["spsa"]["done"] == 2
    assert document["tuning"]["in_process"] is True
    document["spsa"]["iterations"] = 3
    state.write_text(json.dumps(document))
    assert tune_cli.main(["--resume", str(state), "--workers", "1"]) == 0
    config, spsa, _ = read_tuning(state)
    assert spsa.done == 3
    assert config.in_process
    assert config.side({}) == Side(60, without=("razoring",), eval_file="<classical>")


def test_a_tuning_started_over_uci_is_not_resumed_in_process(book, tmp_path):
    state = tmp_path / "tuning.json"
    assert tune_cli.main(tuning(book, state, "--iterations", "1")) == 0
    document = json.loads(state.read_text())
    del document["tuning"]["in_process"]  # as in files of before
    state.write_text(json.dumps(document))
    with pytest.raises(MatchError, match="started over UCI"):
        tune_cli.main(["--resume", str(state), "--in-process"])


def test_without_only_all_search_parameters_are_tuned(book, tmp_path):
    state = tmp_path / "tuning.json"
    words = ["--in-process", "--nodes", "20", "--openings", str(book), "--iterations", "1", "--workers", "1"]
    assert tune_cli.main([*words, "--json", str(state)]) == 0
    parameters = json.loads(state.read_text())["spsa"]["parameters"]
    assert [row["name"] for row in parameters] == [row.name for row in TUNABLES]


def test_tuning_in_process_steps_as_far_as_its_pairs_say(book, tmp_path):
    state = tmp_path / "tuning.json"
    iterations = 4
    assert tune_cli.main(tuning(book, state, "--iterations", str(iterations))) == 0
    config, spsa, _ = read_tuning(state)
    found, openings = spsa.values, Openings(load_book(str(book))[0], seed=spsa.seed)
    spsa.values, spsa.done = [spsa.parameters[0].default], 0
    for iteration in range(iterations):
        trial = spsa.trial(iteration)
        plus, minus = (config.side({NAME: values[0]}) for values in (trial.plus, trial.minus))
        spsa.update(trial, play_pair(plus, minus, openings[iteration].fen).points)
    assert spsa.values == found


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (["--engine", "ENGINE"], "only cythera itself can play, not A"),
        (["--only", "nonsense"], "unknown parameter 'nonsense'"),
        (["--option", "Hash=32"], "option Hash is not supported in process"),
        (["--option", "Hash"], "OPTION=VALUE"),
        (["--option", "EvalFile=nosuch.net"], r"nosuch\.net"),
    ],
)
def test_what_cannot_be_tuned_in_process_is_refused_before_any_game(command, book, tmp_path, change, sentence):
    words = tuning(book, tmp_path / "tuning.json", *(word.replace("ENGINE", command("A")) for word in change))
    with pytest.raises(CytheraError, match=sentence):
        tune_cli.main(words)
    assert not (tmp_path / "tuning.json").exists()


def test_games_on_a_clock_are_not_played_in_process(tmp_path):
    with pytest.raises(MatchError, match="fixed nodes, not at 1"):
        tune_cli.main(["--in-process", "--tc", "1+0.01", "--json", str(tmp_path / "tuning.json")])


def test_ranges_that_the_search_does_not_allow_are_found_out_before_any_game(book, tmp_path):
    params = tmp_path / "params.toml"
    table = f"[params.{NAME}]\ndefault = {DEFAULT}\nmin = {LOW}\nmax = {HIGH + 5}\nstep = 1\n"
    params.write_text(table)
    with pytest.raises(CytheraError, match=f"{NAME} must be between {LOW} and {HIGH}"):
        tune_cli.main(tuning(book, tmp_path / "tuning.json", "--params", str(params)))
