"""The experiments can be repeated, and docs/lab.md says what they say."""

import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cythera.lab.errors import LabError
from cythera.lab.experiments import EXPERIMENTS, cost, elo, leaves
from cythera.lab.experiments.elo import gain, match_command, read_summary
from cythera.lab.experiments.opponent import expected_result
from cythera.lab.experiments.report import Report

DOCUMENT = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")


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


def test_every_experiment_is_in_the_document_with_its_command():
    for name in EXPERIMENTS:
        assert f"cythera lab experiment {name}" in DOCUMENT


def test_every_picture_of_the_document_exists_and_is_well_formed():
    pictures = re.findall(r"!\[[^\]]*\]\((lab/[^)]+\.svg)\)", DOCUMENT)
    assert len(pictures) >= 4
    for picture in pictures:
        ET.parse(Path(__file__).parents[2] / "docs" / picture)


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
