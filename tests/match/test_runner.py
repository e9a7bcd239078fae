"""Whole matches, in this process's hands: order, files, resuming, replaying, deciding."""

import io
import json
from pathlib import Path

import chess.pgn
import pytest

from cythera.match.adjudication import Rules, WinRule
from cythera.match.archive import read_archive
from cythera.match.display import QuietWatcher
from cythera.match.match_errors import MatchError
from cythera.match.report import final_lines
from cythera.match.runner import Files, Match
from cythera.match.schedule import GAUNTLET
from cythera.match.stats.sprt import Sprt


class Keeper(QuietWatcher):
    """Remembers the games in the order they were counted."""

    def __init__(self):
        self.records = []

    def game(self, match, record):
        self.records.append(record)


def run(config, files=None, concurrency=1, stop_after=None):
    match = Match(config, files or Files(), concurrency=concurrency)
    keeper = Keeper()
    match.run(keeper, lambda: stop_after is not None and len(keeper.records) >= stop_after)
    return match, keeper.records


def moves(records):
    return [(record.index, record.white, [move.uci for move in record.moves]) for record in records]


def test_the_same_games_are_played_whatever_the_concurrency(engine, config):
    settings = config(engine("A", "--seed", "1"), engine("B", "--seed", "2"), games=6, seed=3)
    one = run(settings, concurrency=1)[1]
    two = run(settings, concurrency=2)[1]
    assert moves(one) == moves(two)
    assert [record.index for record in two] == list(range(6))
    assert len({tuple(record.opening.fen for record in one[at : at + 2]) for at in (0, 2, 4)}) == 3


def test_the_pgn_can_be_read_back(engine, config, tmp_path):
    path = tmp_path / "games.pgn"
    _, records = run(config(engine("A", "--score", "35"), engine("B")), Files(pgn=path))
    stream = io.StringIO(path.read_text())
    games = [chess.pgn.read_game(stream) for _ in range(5)]
    assert games[4] is None
    for game, record in zip(games, records, strict=False):
        assert not game.errors
        assert [move.uci() for move in game.mainline_moves()] == [move.uci for move in record.moves]
        assert (game.headers["White"], game.headers["Result"]) == (record.white, record.result)
        assert game.headers["Termination"] == "adjudication"
        assert game.headers["TerminationDetails"] == "adjudication: 12 moves have been played"
        assert game.headers["Opening"] == record.opening.name
        assert game.headers["FEN"] == record.opening.fen
    assert games[0].next().comment.startswith("+0.35/3 0.")


def test_a_stopped_match_is_resumed_without_losing_or_repeating_a_game(engine, config, tmp_path):
    files = Files(pgn=tmp_path / "games.pgn", json=tmp_path / "match.json")
    settings = config(engine("A", "--seed", "1"), engine("B", "--seed", "2"), games=8)
    whole = run(settings)[1]
    first, _ = run(settings, files, concurrency=1, stop_after=3)
    assert first.stopped
    assert 3 <= first.tally.games < 8
    stored, document, played = read_archive(files.json)
    assert stored == settings
    # A game that reached the PGN but not the match file is cut off again.
    with files.pgn.open("a") as stream:
        stream.write('[Event "half a ga')
    again = Files(files.pgn, files.json, document["pgn"]["bytes"], played)
    second, rest = run(stored, again)
    assert not second.stopped
    assert second.tally.games == 8
    assert len(rest) == 8 - len(played)
    _, _, final = read_archive(files.json)
    assert moves(sorted(final, key=lambda record: record.index)) == moves(whole)
    assert files.pgn.read_text().count("[Event ") == 8
    assert "half" not in files.pgn.read_text()


def test_a_resumed_match_refuses_another_program(engine, config, tmp_path, book):
    files = Files(json=tmp_path / "match.json")
    settings = config(engine("A"), engine("B"))
    run(settings, files)
    document = json.loads(files.json.read_text())
    book.write_text(book.read_text() * 2)
    _, _, played = read_archive(files.json)
    with pytest.raises(MatchError, match="the opening file has changed since it began"):
        Match(settings, Files(json=files.json, played=played, manifest=document["manifest"]))
    document["manifest"]["engines"]["A"]["fingerprint"] = "another"
    with pytest.raises(MatchError, match="the program A has changed since it began"):
        Match(settings, Files(json=files.json, played=played, manifest=document["manifest"]))


def test_a_replayed_match_says_how_many_games_are_the_same(engine, config, tmp_path):
    files = Files(json=tmp_path / "match.json")
    settings = config(engine("A"), engine("B"))
    run(settings, files)
    stored, document, played = read_archive(files.json)
    match, _ = run(stored, Files(replayed=played, manifest=document["manifest"]))
    assert "Replay 4 of 4 games are the same as before" in final_lines(match)


def test_the_manifest_names_everything_that_matters(engine, config, tmp_path, book):
    files = Files(json=tmp_path / "match.json")
    strong = engine("A").with_options({"Hash": "64"})
    run(config(strong, engine("B"), seed=9), files)
    document = json.loads(files.json.read_text())
    assert document["match"]["seed"] == 9
    assert document["match"]["tc"] == "nodes=10"
    assert document["match"]["engines"][0]["options"] == {"Hash": "64"}
    manifest = document["manifest"]
    assert manifest["engines"]["A"]["id"] == "A"
    assert (manifest["openings"]["name"], manifest["openings"]["count"]) == (book.name, 4)
    assert len(manifest["openings"]["sha256"]) == 64
    assert document["summary"]["standings"]["A"] == {"wins": 0, "draws": 4, "losses": 0}


# ---------------------------------------------------------------- decisions


def decisive(engine, better="A"):
    """Two engines that agree on who wins, so that every game is adjudicated."""
    other = "B" if better == "A" else "A"
    scores = {better: "900", other: "-900"}
    return [engine(name, "--score", scores[name]) for name in "AB"]


@pytest.mark.parametrize(("better", "verdict", "word"), [("A", "H1", "passed"), ("B", "H0", "failed")])
def test_a_match_ends_when_the_test_has_decided(engine, config, better, verdict, word):
    settings = config(*decisive(engine, better), games=400, rules=Rules(win=WinRule(1, 500)), sprt=Sprt(-100, 100))
    match, records = run(settings)
    assert match.verdict == verdict
    assert not match.stopped
    assert len(records) < 100
    assert len(records) % 2 == 0
    assert any(word in line for line in final_lines(match))


def test_the_decision_does_not_depend_on_the_concurrency(engine, config):
    settings = config(*decisive(engine), games=400, rules=Rules(win=WinRule(1, 500)), sprt=Sprt(-100, 100))
    assert len(run(settings, concurrency=1)[1]) == len(run(settings, concurrency=3)[1])


def test_a_decided_match_that_is_resumed_plays_no_more(engine, config, tmp_path):
    files = Files(json=tmp_path / "match.json")
    settings = config(*decisive(engine), games=400, rules=Rules(win=WinRule(1, 500)), sprt=Sprt(-100, 100))
    first, _ = run(settings, files)
    _, _, played = read_archive(files.json)
    second, records = run(settings, Files(json=files.json, played=played))
    assert (second.verdict, records) == (first.verdict, [])


def test_several_engines_get_a_rating_list(engine, config):
    engines = [engine("A", "--score", "900"), engine("B", "--score", "-900"), engine("C", "--score", "-900")]
    settings = config(*engines, games=4, rules=Rules(win=WinRule(1, 500), max_moves=4), anchors={"B": 2000.0})
    match, records = run(settings)
    assert len(records) == 12
    lines = final_lines(match)
    assert lines[1].split()[:2] == ["1.", "A"]
    assert any(line.split()[1:4] == ["B", "2000.0", "-"] for line in lines)


def test_a_gauntlet_spares_the_others(engine, config):
    _, records = run(config(engine("A"), engine("B"), engine("C"), games=2, kind=GAUNTLET))
    assert {frozenset((record.white, record.black)) for record in records} == {frozenset("AB"), frozenset("AC")}


# ---------------------------------------------------------------- faults


def test_a_crash_costs_one_game_and_the_match_goes_on(engine, config, tmp_path):
    crashing = engine("A", "--fault", "crash", "--once", str(tmp_path / "crashed"))
    match, records = run(config(crashing, engine("B"), games=6))
    assert [record.failure for record in records].count("crash") == 1
    assert match.tally.failures == {("A", "crash"): 1}
    assert "Faults A: crash in 1 game" in final_lines(match)


def test_an_engine_that_always_crashes_ends_the_match(engine, config, tmp_path):
    files = Files(json=tmp_path / "match.json")
    with pytest.raises(MatchError, match="A failed in 5 games in a row"):
        run(config(engine("A", "--fault", "crash"), engine("B"), games=40), files)
    assert len(read_archive(files.json)[2]) == 5


def test_wrong_lines_are_reported_at_the_end(engine, config):
    match, _ = run(config(engine("A", "--fault", "pv"), engine("B"), games=2))
    assert "Warned A: illegal move in a PV, 2 times, first a1a8 at move 1 (white) of game 1" in final_lines(match)


# ---------------------------------------------------------------- before any game


def test_a_full_disk_is_found_out_before_any_game(engine, config):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with pytest.raises(MatchError, match="No space left on device"):
        Match(config(engine("A"), engine("B")), Files(pgn=Path("/dev/full")))


def test_a_disk_that_fills_up_loses_no_game_that_was_counted(engine, config, tmp_path, monkeypatch):
    import errno
    import os

    files = Files(pgn=tmp_path / "games.pgn", json=tmp_path / "match.json")
    match = Match(config(engine("A"), engine("B"), games=8), files)
    real = os.write
    written = []

    def full_after_three(fd, data):
        if bytes(data[:7]) == b"[Event ":
            written.append(fd)
            if len(written) > 3:
                real(fd, bytes(data[:100]))
                raise OSError(errno.ENOSPC, "No space left on device")
        return real(fd, data)

    monkeypatch.setattr(os, "write", full_after_three)
    with pytest.raises(MatchError, match="No space left"):
        match.run(QuietWatcher())
    monkeypatch.undo()
    _, document, played = read_archive(files.json)
    assert [record.index for record in played] == [0, 1, 2]
    assert document["pgn"]["bytes"] == files.pgn.stat().st_size
    assert files.pgn.read_text().count("[Event ") == 3


def test_a_match_file_in_a_missing_folder_is_refused(engine, config, tmp_path):
    with pytest.raises(MatchError, match="cannot write"):
        Match(config(engine("A"), engine("B")), Files(json=tmp_path / "no" / "match.json"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [(None, "cannot read"), ("{", "not JSON"), ("[]", "not a match file"), ('{"format": "x"}', "not a match file")],
)
def test_a_file_that_is_no_match_file_is_refused(tmp_path, text, sentence):
    path = tmp_path / "match.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(MatchError, match=sentence):
        read_archive(path)
