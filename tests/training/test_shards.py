"""Positions in shards on disk: all of them, each once, and the same run as if it had not been stopped."""

import json
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from cythera.__main__ import main
from cythera.net import file as nets
from cythera.training import shards
from cythera.training.positions import TrainingError, load, shard_order, sources
from cythera.training.run import TrainingRun, TrainingSettings, read_checkpoint
from cythera.training.shards import deal_out, open_shards, remove_shards

SMALL = TrainingSettings(hidden=32, epochs=3, batch=200, rate=5e-3, threads=2)


@pytest.fixture
def sharded(games, tmp_path):
    return deal_out([games], tmp_path / "positions", share=0.2, shard_positions=900)


def rows(*parts):
    return Counter(row.tobytes() for part in parts for row in part)


def test_the_shards_have_every_position_once(positions, sharded):
    assert sharded.shard_count > 2
    parts = [sharded.shard(index) for index in range(sharded.shard_count)]
    assert rows(*parts) == rows(positions.shard(0))
    assert rows(sharded.held_out) == rows(positions.held_out)
    assert sharded.facts == positions.facts


def test_each_shard_is_a_sample_of_all_games(sharded):
    games = [set(sharded.shard(index)[:, 28].tolist()) for index in range(sharded.shard_count)]
    assert all(len(one & games[0]) > 0.9 * len(one) for one in games[1:])
    assert len(games[0]) > 50


def test_shards_of_the_same_games_are_used_again_and_others_are_rebuilt(games, sharded, monkeypatch):
    again = SimpleNamespace(calls=0)
    written = shards.write_shards

    def counted(*arguments):
        again.calls += 1
        return written(*arguments)

    monkeypatch.setattr(shards, "write_shards", counted)
    same = deal_out([games], sharded.folder, share=0.2, shard_positions=900)
    assert again.calls == 0
    assert same.checksum() == sharded.checksum()
    other = deal_out([games], sharded.folder, share=0.2, seed=2, shard_positions=900)
    assert again.calls == 1
    assert other.checksum() != sharded.checksum()
    assert open_shards(sharded.folder, checksum=sharded.checksum()) is None


def test_files_count_as_often_as_their_weights_say(games, tmp_path):
    words = [f"{games / 'a.cyg'}:3", f"{games / 'b.cyg'}:0.5"]
    memory = load(words, share=0.2)
    disk = deal_out(words, tmp_path / "positions", share=0.2, shard_positions=900)
    assert memory.weights == disk.weights == (0.5, 3.0)
    for found in (memory, disk):
        totals = np.array(found.counts).sum(0)
        uses = sum(found.length(index) for index in range(found.shard_count))
        assert uses == pytest.approx(0.5 * totals[0] + 3 * totals[1], abs=found.shard_count)
        for index in range(found.shard_count):
            order = found.order(index, 1, 0)
            half, whole = found.counts[index]
            times = Counter(order.tolist())
            assert [times[number] for number in range(half, half + whole)] == [3] * whole
            assert {times[number] for number in range(half)} == {0, 1}
            assert len(order) == found.length(index)
            assert not np.array_equal(np.sort(order), np.sort(found.order(index, 1, 1)))  # another half
    assert memory.facts.weights == (0.5, 3.0)


@pytest.mark.parametrize("weight", ["0", "-1", "nan", "inf", "101"])
def test_weights_out_of_range_are_refused(games, weight):
    with pytest.raises(TrainingError, match="must be above 0 and at most 100"):
        sources([f"{games / 'a.cyg'}:{weight}"])


def test_a_file_given_twice_or_for_both_purposes_is_refused(games):
    with pytest.raises(TrainingError, match="given twice"):
        sources([games, games / "a.cyg"])
    with pytest.raises(TrainingError, match="for training and for validation"):
        load([games], validation=[games / "b.cyg"])


def test_files_for_validation_are_apart_from_the_games_held_out(games):
    found = load([games / "a.cyg"], validation=[games / "b.cyg"], share=0.2)
    other = load([games / "b.cyg"], share=0.2)
    assert rows(found.validation) == rows(other.shard(0), other.held_out)
    assert found.facts.validation_files == ("b.cyg",)
    run = TrainingRun(replace(SMALL, epochs=1), found)
    assert run.go()
    assert set(run.progress.history[0]) == {"epoch", "training", "validation", "validation_files", "rate"}


def test_every_epoch_takes_the_shards_in_another_order():
    orders = [shard_order(20, 1, epoch) for epoch in range(5)]
    assert all(sorted(order) == list(range(20)) for order in orders)
    assert len({tuple(order) for order in orders}) == 5
    assert orders[0] == shard_order(20, 1, 0)


@pytest.mark.parametrize("stop_after", [1, 4, 9])
def test_a_run_on_shards_that_was_stopped_and_resumed_ends_like_one_that_was_not(sharded, tmp_path, stop_after):
    whole = TrainingRun(SMALL, sharded)
    assert whole.go()
    assert len(whole.progress.history) == 3 * sharded.shard_count
    path, steps = tmp_path / "run.checkpoint", []
    run = TrainingRun(SMALL, sharded, path)
    assert not run.go(stopped=lambda: len(steps) == stop_after, on_step=lambda _, loss: steps.append(loss))
    again = TrainingRun(SMALL, open_shards(sharded.folder), path)
    again.restore(read_checkpoint(path))
    assert again.go(on_step=lambda _, loss: steps.append(loss))
    assert len(steps) == whole.steps
    for what in ("parameters", "means", "spreads"):
        assert np.array_equal(again.array(what), whole.array(what))
    assert again.progress.history == whole.progress.history


def test_a_damaged_or_missing_shard_is_a_sentence(sharded):
    path = shards.shard_path(sharded.folder, 1, 0)
    content = path.read_bytes()
    for damaged in (content[:-32], content + bytes(32), content[:100] + b"\xff" + content[101:]):
        path.write_bytes(damaged)
        with pytest.raises(TrainingError, match="is damaged"):
            sharded.shard(1)
    path.unlink()
    with pytest.raises(TrainingError, match="cannot read"):
        sharded.shard(1)
    (sharded.folder / shards.MANIFEST).write_text("{")
    with pytest.raises(TrainingError, match="is damaged"):
        open_shards(sharded.folder)


def test_a_folder_that_was_not_finished_is_not_used(sharded):
    (sharded.folder / shards.MANIFEST).unlink()
    assert open_shards(sharded.folder) is None
    assert open_shards(sharded.folder / "nothing") is None


def test_too_little_room_on_the_disk_is_a_sentence(games, tmp_path, monkeypatch):
    monkeypatch.setattr(shards.shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    with pytest.raises(TrainingError, match="GB are free"):
        deal_out([games], tmp_path / "positions")
    (tmp_path / "file").write_text("")
    with pytest.raises(TrainingError, match="cannot read"):
        deal_out([games], tmp_path / "file")


def test_only_what_was_written_is_removed(sharded):
    (sharded.folder / "mine.txt").write_text("mine")
    remove_shards(sharded.folder)
    assert [path.name for path in sharded.folder.iterdir()] == ["mine.txt"]
    (sharded.folder / "mine.txt").unlink()
    remove_shards(sharded.folder)
    assert not sharded.folder.exists()
    remove_shards(sharded.folder)


def test_the_command_trains_on_shards_and_leaves_only_the_net(games, tmp_path, capsys):
    path = tmp_path / "a.net"
    words = ["train", f"{games / 'a.cyg'}:2", "--validation", str(games / "b.cyg"), "-o", str(path), "--hidden", "32",
             "--samples", "2e4", "--batch", "200", "--held-out", "0.2", "--result-weight", "0.1:0.3", "--warmup", "5",
             "--shard-positions", "500", "--king-buckets", "2"]  # fmt: skip
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "shards in" in said
    assert "files 0." in said
    assert " left" in said
    assert "positions/s" in said
    net = nets.read(path)
    assert net.king_buckets == 2
    settings, data = net.header["settings"], net.header["data"]
    assert (settings["samples"], settings["blend"], settings["final_blend"]) == (20_000, 0.1, 0.3)
    assert (data["weights"], data["validation_files"]) == ([2.0], ["b.cyg"])
    assert 0 < net.header["losses"]["validation_files"] < 0.3
    assert {file.name for file in tmp_path.iterdir()} == {"a.net", "a.net.svg", "a.net.checkpoint"}


def test_the_command_keeps_shards_where_it_is_told_to(games, tmp_path, capsys):
    folder = tmp_path / "kept"
    words = ["train", str(games), "-o", str(tmp_path / "a.net"), "--hidden", "32", "--epochs", "1", "--batch", "200",
             "--held-out", "0.2", "--positions", str(folder), "--shard-positions", "2000"]  # fmt: skip
    assert main(words) == 0
    manifest = json.loads((folder / shards.MANIFEST).read_text())
    assert sum(map(sum, manifest["counts"])) == manifest["facts"]["positions"]
    assert main([*words, "--name", "again"]) == 0
    assert "shards in" in capsys.readouterr().out
