"""The experiments can be repeated, and docs/lab.md says what they say."""

import json
import random
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import count
from pathlib import Path

import pytest

from cythera.cli.lab import main
from cythera.lab.errors import LabError
from cythera.lab.experiments import EXPERIMENTS, cost, elo, leaves
from cythera.lab.experiments.elo import gain, match_command, read_summary
from cythera.lab.experiments.endings import checkers_database
from cythera.lab.experiments.opponent import expected_result
from cythera.lab.experiments.report import Report
from cythera.lab.games.connect4 import ConnectFour
from cythera.lab.games.othello import Othello

DOCUMENT = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
PICTURES = Path(__file__).parents[2] / "docs" / "lab"


@pytest.mark.parametrize("name", ["horizon", "pacman", "trap"])
def test_the_document_holds_the_tables_the_commands_print(name):
    assert EXPERIMENTS[name].run(1, None).markdown() in DOCUMENT


def rows_of_the_document(*firsts):
    """Rows of the document by their first cell, without the separators of thousands."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in DOCUMENT.splitlines() if "|" in line]
    return [row for row in lines if row[0] in firsts]


def test_the_document_holds_the_costs_of_iterative_deepening():
    for row in cost(1, 5).rows:
        assert list(row) in rows_of_the_document(row[0])


def test_the_document_holds_the_leaves_of_small_trees(monkeypatch):
    monkeypatch.setattr(sys.modules["cythera.lab.experiments.leaves"], "DEPTHS", range(1, 5))
    for row in leaves(1, None).rows:
        assert any(found[:5] == list(row) for found in rows_of_the_document(row[0])), row


def test_the_document_holds_the_memory_of_sss_and_its_relatives(monkeypatch):
    module = sys.modules["cythera.lab.experiments.memory"]
    monkeypatch.setattr(module, "LIMITS", (1, 64))
    for row in EXPERIMENTS["memory"].run(1, None).rows:
        assert list(row) in rows_of_the_document(row[0]), row


def test_the_order_of_moves_decides_the_effective_branching_factor(monkeypatch):
    module = sys.modules["cythera.lab.experiments.branching"]
    monkeypatch.setattr(module, "games", lambda deeper: [(ConnectFour(5, 4), 4), (Othello(6), 4)])
    report = EXPERIMENTS["branching"].run(1, None)
    for game in {row[0] for row in report.rows}:
        leaves = [int(row[3].replace(",", "")) for row in report.rows if row[0] == game]
        assert leaves == sorted(leaves)  # best, urgent, random, worst, minimax
        powers = [float(row[6]) for row in report.rows if row[0] == game]
        assert powers == sorted(powers) and 0.5 <= powers[0] < powers[2] < powers[4] == 1
    assert report.plot is not None and "captures, threats" in report.plot


def test_with_traps_a_deeper_search_chooses_better(monkeypatch):
    monkeypatch.setattr(sys.modules["cythera.lab.experiments.traps"], "HEIGHT", 7)
    rows = EXPERIMENTS["traps"].run(1, 40).rows
    shares = [int(row[3].rstrip("%")) for row in rows]
    assert shares[0] < 95 <= shares[-1]


def test_ghosts_that_coordinate_catch_pac_man_more_often_and_sooner():
    rows = {row[0]: row for row in EXPERIMENTS["ghosts"].run(7, 20).rows}
    caught = {name: int(row[1].split()[0]) for name, row in rows.items()}
    assert caught["coordinated"] == 20 > caught["each for itself"] + 3 > caught["random"]
    assert int(rows["coordinated"][4]) < int(rows["each for itself"][4]) / 2


def test_a_learner_of_othello_comes_to_like_corners_and_to_dislike_what_gives_them_away(monkeypatch):
    monkeypatch.setattr(sys.modules["cythera.lab.experiments.td"], "OTHELLO_GAMES", (25,))
    report = EXPERIMENTS["othello"].run(1, 10)
    first, last = report.rows
    assert float(first[2]) == 0 < float(last[2]) and float(last[4]) < 0
    assert int(last[5].rstrip("%")) >= 80
    assert re.search(r"MCTS with the learned evaluation scores [\d.]+ of 2 points", report.remarks[1])


def test_learning_curves_of_td_are_drawn_for_every_learner(monkeypatch):
    monkeypatch.setattr(sys.modules["cythera.lab.experiments.td"], "LESSONS", (10,))
    report = EXPERIMENTS["td"].run(1, 10)
    assert len(report.rows) == 4 and report.plot.count("<polyline") == 4


def test_the_checkers_database_of_the_experiment_is_the_same_for_both_sides():
    database = checkers_database(size=4, pieces=3)
    values = Counter(verdict.value for verdict in database.verdicts.values())
    assert values[1] == values[-1] > 0


def test_monte_carlo_and_alpha_beta_meet_with_the_same_time(monkeypatch):
    module = sys.modules["cythera.lab.experiments.montecarlo"]
    monkeypatch.setattr(module, "TIMES_MS", (1,))
    report = EXPERIMENTS["montecarlo"].run(1, 1)
    assert len(report.rows) == 4 and all(row[2].endswith("/ 1") for row in report.rows)


def test_monte_carlo_counts_wins_and_evaluations_on_one_scale():
    module = sys.modules["cythera.lab.experiments.montecarlo"]
    for game, plain in ((module.WonConnectFour(4, 4), ConnectFour(4, 4)), (module.WonOthello(4), Othello(4))):
        rng, values = random.Random(1), set()
        for _ in range(40):
            state = game.initial()
            while not game.is_terminal(state):
                assert -1 < game.evaluate(state) < 1
                state = game.result(state, rng.choice(game.actions(state)))
            value, expected = game.utility(state), plain.utility(state)
            assert value in (-1, 0, 1) and (value > 0) == (expected > 0) and (value < 0) == (expected < 0)
            values.add(value)
        assert {-1, 1} <= values


def test_alpha_beta_stops_when_its_time_is_up_with_the_move_of_the_last_depth_it_finished(monkeypatch):
    module = sys.modules["cythera.lab.experiments.montecarlo"]
    clock = count(0, 0.001)  # every look at it is a millisecond later
    monkeypatch.setattr(module.time, "thread_time", lambda: next(clock))
    game = ConnectFour()
    evaluated = []
    monkeypatch.setattr(game, "evaluate", lambda state: evaluated.append(state) or 0.0)
    assert module.by_alphabeta(game, game.initial(), 0.1) in range(7)
    assert 50 < len(evaluated) <= 110


def test_the_reachable_depth_grows_with_the_speed():
    report = EXPERIMENTS["speed"].run(1, 9)
    rows = report.rows
    assert report.plot.count("<polyline") == 3
    assert [row[2] for row in rows[:3]] == ["3.4", "4.1", "6.8"]
    again = EXPERIMENTS["speed"].run(1, 9)
    assert again.rows[:3] == rows[:3] and again.remarks == report.remarks  # only the rate depends on the machine
    assert all(float(row[3]) == pytest.approx(2 * float(row[2]), abs=0.11) for row in rows)


def test_every_experiment_is_in_the_document_with_its_command():
    for name in EXPERIMENTS:
        assert f"cythera lab experiment {name}" in DOCUMENT


def test_every_picture_of_the_document_exists_and_is_well_formed():
    pictures = re.findall(r"!\[[^\]]*\]\((lab/[^)]+\.svg)\)", DOCUMENT)
    assert len(pictures) >= 4
    for picture in pictures:
        ET.parse(Path(__file__).parents[2] / "docs" / picture)


def test_the_drawings_of_the_document_are_what_its_commands_draw(tmp_path):
    drawn = re.findall(r"`cythera lab ((?:draw|strategy) [^`]+) -o (\S+\.svg)`", DOCUMENT)
    plots = re.findall(r"`cythera lab experiment \w+(?: --size \d+)? -o (\S+\.svg)`", DOCUMENT)
    shown = re.findall(r"\]\(lab/([^)]+\.svg)\)", DOCUMENT)
    assert sorted(shown) == sorted([*(name for _, name in drawn), *plots])
    for command, name in drawn:
        assert main([*command.split(), "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text(encoding="utf-8") == (PICTURES / name).read_text(encoding="utf-8"), name


def test_only_experiments_without_a_plot_say_so():
    quick = {"horizon": None, "trap": None, "opponent": None, "cost": 2, "memory": 1}
    for name, size in quick.items():
        assert (EXPERIMENTS[name].run(1, size).plot is not None) == EXPERIMENTS[name].has_plot, name


def test_experiments_are_the_same_for_the_same_seed_and_make_plots(monkeypatch):
    monkeypatch.setattr(sys.modules["cythera.lab.experiments.leaves"], "DEPTHS", range(1, 4))
    one, other = leaves(7, 2), leaves(7, 2)
    assert one == other
    assert one != leaves(8, 2)
    assert one.plot is not None and ET.fromstring(one.plot) is not None


def test_expectimax_with_the_right_model_does_at_least_as_well_as_minimax():
    assert expected_result(0.0, "expectimax") >= expected_result(0.0, "minimax") > 0.9


def fake_match(monkeypatch, tmp_path, document, code=0):
    """Puts a small script in the place of `cythera match`."""
    script = tmp_path / "match.py"
    script.write_text(
        f"import sys\npath = sys.argv[1]\nopen(path, 'w').write({json.dumps(json.dumps(document))})\n"
        f"print('no engine here', file=sys.stderr)\nsys.exit({code})\n"
    )
    monkeypatch.setattr(
        sys.modules["cythera.lab.experiments.elo"],
        "match_command",
        lambda depth, games, seed, folder: [sys.executable, str(script), str(folder / f"{depth}.json")],
    )


def test_elo_per_ply_is_read_from_the_matches(monkeypatch, tmp_path):
    summary = {
        "standings": {"deeper": {"wins": 120, "draws": 40, "losses": 40}},
        "meetings": [{"elo": [147.2, 100.0, 200.0]}],
    }
    fake_match(monkeypatch, tmp_path, {"summary": summary})
    report = elo(1, 200)
    assert report.rows[0] == ["2 against 1", "120", "40", "40", "+147 ± 50"]
    assert report.plot is not None


def test_a_match_that_fails_is_reported_with_its_reason(monkeypatch, tmp_path):
    fake_match(monkeypatch, tmp_path, {}, code=2)
    with pytest.raises(LabError, match="depth 2 against depth 1 was not played: no engine here"):
        elo(1, 2)


def test_a_file_without_a_result_is_refused(tmp_path):
    path = tmp_path / "match.json"
    for text in ("", "{}", '{"summary": {"meetings": []}}'):
        path.write_text(text)
        with pytest.raises(LabError, match="is not the record of a finished match"):
            read_summary(path)


def test_the_match_command_is_understood_by_cythera_match(tmp_path):
    cli = pytest.importorskip("cythera.cli.match")
    command = match_command(3, 10, 1, tmp_path)
    config = cli.read_config(cli.parser().parse_args(command[4:]))
    controls = {spec.name: str(config.control_of(spec)) for spec in config.engines}
    assert "4" in controls["deeper"] and "3" in controls["shallower"]
    assert gain(0.0, -10.0, 10.0) == "+0 ± 10"


def test_a_report_is_text_and_markdown():
    report = Report("Title", ["a", "b"], [["1", "x"]], ["Remark."])
    assert "Remark." in report.text() and "| 1 | x |" in report.markdown()
