"""bench/levels.py: what was played is not played again, and is rated with the anchors given."""

import subprocess
import sys

import levels
import pytest

from cythera.engine.levels import level_of


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(levels, "bench", lambda **options: (4711, 0.0))

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["levels.py", "-o", str(tmp_path), *words])
        assert levels.main() == 0
        return capsys.readouterr().out

    return run


def test_a_ladder_is_rated_and_what_was_played_is_not_played_again(run, tmp_path, monkeypatch):
    words = ("--top", "1000", "--games", "2", "--anchor", "800=700")
    said = run(*words)
    weak = level_of(800)
    assert f"| 800 | {weak.nodes} | {weak.lines} | {weak.noise_cp:g} | 700 (given) | 2 |" in said
    assert [path.suffix for path in (tmp_path / "4711").iterdir()] == [".json"]
    monkeypatch.setattr(subprocess, "run", None)
    assert run(*words) == said


def test_a_level_can_play_another_engine_at_its_own_time(run):
    words = ("--top", "800", "--against", "other=cythera", "--tc", "1+1", "--tc", "other:nodes=50", "--at", "1000")
    said = run(*words, "--against-games", "2")
    assert "| 1000 – other |" in said
    assert "| 800 |" not in said  # nobody to play against
    assert "| other | | | |" in said


@pytest.mark.parametrize("words", [("--anchor", "nobody=2500"), ("--against", "cythera", "--at", "800")])
def test_an_anchor_that_does_not_play_and_an_engine_without_time_are_refused(run, words):
    with pytest.raises(SystemExit, match=r"nobody|time control"):
        run("--top", "1000", *words)


def test_files_are_named_by_all_that_makes_a_level():
    level = level_of(1500)
    assert levels.level_player(level).label == f"1500n{level.nodes}l{level.lines}c{level.noise_cp:g}"


def test_every_level_plays_the_two_skills_of_stockfish_that_are_nearest_to_it(run):
    words = ("--top", "1000", "--games", "0", "--far-games", "0", "--at", "1500", "--against-games", "2")
    said = run(*words, "--stockfish", "cythera", "--stockfish-tc", "nodes=50")
    # Cythera stands in for Stockfish, so it is its own Skill Level that is set: what is tested is who plays whom.
    for level, skill in ((800, 0), (800, 1), (1000, 0), (1000, 1), (1500, 1), (1500, 2)):
        assert f"| {level} – skill{skill} |" in said
    assert said.count("– skill") == 6
    assert "| skill2 | | | | 1608 (given) | 2 |" in said


def test_ratings_of_skills_rise():
    assert list(levels.SKILLS) == sorted(set(levels.SKILLS))
    assert levels.nearest_skills(levels.SKILLS[4])[0] in (3, 4)
    assert levels.nearest_skills(4000) == [18, 19]
