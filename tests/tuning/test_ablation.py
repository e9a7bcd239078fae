"""bench/ablation.py: what a technique is worth."""

import json

import ablation
import pytest

from cythera.errors import NetError


def ablate(folder, book, *words):
    common = ["--nodes", "40", "--workers", "1", "--only", "nmp", "--openings", str(book)]
    return ablation.main([*common, "-o", str(folder), *words])


def test_ablation_plays_pairs_and_resumes(tmp_path, book, capsys, monkeypatch):
    ablate(tmp_path, book, "--games", "4")
    path = tmp_path / "nmp.json"
    first = json.loads(path.read_text())
    assert sum(first["pairs"]) == 2
    assert capsys.readouterr().out.splitlines()[-1].startswith("| nmp | ")
    ablate(tmp_path, book, "--games", "8")
    second = json.loads(path.read_text())
    assert sum(second["pairs"]) == 4
    assert first["scores"].items() < second["scores"].items()
    row = capsys.readouterr().out.splitlines()[-1].split("|")
    assert row[3].strip() == "8"
    assert sum(map(int, row[4].split(","))) == 8
    monkeypatch.setattr(ablation, "play_task", None)  # nothing is left to play
    ablate(tmp_path, book, "--games", "8")
    assert json.loads(path.read_text()) == second


def test_ablation_does_not_mix_conditions_or_kinds_of_files(tmp_path, book):
    ablate(tmp_path, book, "--games", "2")
    with pytest.raises(SystemExit, match="made with nodes 40, not 50"):
        ablate(tmp_path, book, "--games", "2", "--nodes", "50")
    (tmp_path / "nmp.json").write_text('{"format": "cythera-match"}')
    with pytest.raises(SystemExit, match="of another kind"):
        ablate(tmp_path, book, "--games", "2")


def test_ablation_says_what_is_wrong_with_a_net(tmp_path, book):
    with pytest.raises(SystemExit, match=r"nosuch\.net") as caught:
        ablate(tmp_path, book, "--net", "nosuch.net")
    assert isinstance(caught.value.__cause__, NetError)
