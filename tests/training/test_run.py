"""Runs: reproducible, resumable, and worth something at the end."""

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from contextlib import contextmanager
from dataclasses import asdict, replace

import numpy as np
import pytest

from cythera.__main__ import main
from cythera.common.plot import BOTTOM_PX, HEIGHT_PX, RIGHT_PX, TOP_PX, WIDTH_PX
from cythera.net import file as nets
from cythera.net.reference import evaluate, rows_of_records
from cythera.training.export import agreement, quantised, with_fitted_outputs
from cythera.training.loss_plot import plot
from cythera.training.positions import TrainingError, load
from cythera.training.run import TrainingRun, TrainingSettings, blend_at, rate_at, read_checkpoint, weights_of

SMALL = TrainingSettings(hidden=32, epochs=4, batch=500, rate=5e-3, threads=2)


def trained(positions, settings=SMALL):
    run = TrainingRun(settings, positions)
    assert run.go()
    return run


def test_the_same_run_gives_the_same_weights_and_another_seed_others(positions):
    first, second = trained(positions), trained(positions)
    assert np.array_equal(first.parameters(), second.parameters())
    assert first.progress.history == second.progress.history
    assert not np.array_equal(first.parameters(), trained(positions, replace(SMALL, seed=2)).parameters())


def test_another_number_of_threads_differs_in_the_last_digits_only(positions):
    one, three = (trained(positions, replace(SMALL, threads=threads)) for threads in (1, 3))
    for first, second in zip(one.progress.history, three.progress.history, strict=True):
        assert first["validation"] == pytest.approx(second["validation"], rel=1e-3)


def test_training_learns(positions):
    history = trained(positions, replace(SMALL, epochs=40)).progress.history
    assert len(history) == 40
    assert history[-1]["training"] < 0.5 * history[0]["training"]
    assert history[-1]["validation"] < 0.8 * history[0]["validation"]


@pytest.mark.parametrize("stop_after", [1, 4, 5, 11])
def test_a_run_that_was_stopped_and_resumed_ends_like_one_that_was_not(positions, tmp_path, stop_after):
    whole = trained(positions)
    path = tmp_path / "run.checkpoint"
    steps = []
    run = TrainingRun(SMALL, positions, path)
    assert not run.go(stopped=lambda: len(steps) == stop_after, on_step=lambda _, loss: steps.append(loss))
    assert run.progress.step == stop_after
    checkpoint = read_checkpoint(path)
    assert not checkpoint.finished
    again = TrainingRun(checkpoint.settings, positions, path)
    again.restore(checkpoint)
    assert again.go(on_step=lambda _, loss: steps.append(loss))
    assert len(steps) == again.steps == whole.steps
    for what in ("parameters", "means", "spreads"):
        assert np.array_equal(again.array(what), whole.array(what))
    assert again.progress.history == whole.progress.history
    assert read_checkpoint(path).finished


def test_every_epoch_goes_through_all_positions_in_another_order(positions):
    first, second = positions.order(0, 1, 0), positions.order(0, 1, 1)
    assert sorted(first) == sorted(second) == list(range(len(positions.shard(0))))
    assert not np.array_equal(first, second)
    assert np.array_equal(first, positions.order(0, 1, 0))
    assert not np.array_equal(first, positions.order(0, 2, 0))


def test_the_rate_rises_for_the_warm_up_and_falls_in_a_straight_line_if_asked():
    settings = replace(SMALL, warmup=10, schedule="linear")
    rates = [rate_at(settings, step, 50) for step in range(50)]
    assert rates[:11] == sorted(rates[:11])
    assert rates[10] == SMALL.rate == max(rates)
    assert rates[0] == pytest.approx(SMALL.rate / 11)
    assert rates[-1] == pytest.approx(SMALL.final_rate)
    falls = np.diff(rates[10:])
    assert falls == pytest.approx(falls[0])
    assert rate_at(replace(SMALL, warmup=100), 49, 50) < SMALL.rate  # a warm-up longer than the run


def test_the_weight_of_the_result_changes_what_is_learned(positions):
    settings = replace(SMALL, blend=0.0, final_blend=1.0)
    assert blend_at(settings, 0, 50) == 0.0
    assert blend_at(settings, 49, 50) == 1.0
    assert blend_at(SMALL, 0, 50) == blend_at(SMALL, 49, 50) == SMALL.blend
    moving, still = trained(positions, settings), trained(positions, replace(SMALL, blend=0.0))
    assert not np.array_equal(moving.parameters(), still.parameters())
    assert moving.settings.last_blend == 1.0


def test_a_run_can_be_so_many_samples_long(positions):
    run = trained(positions, replace(SMALL, samples=2600))
    assert run.steps == run.progress.step == 5
    assert 0 < run.epochs_done < len(run.progress.history) + 1
    assert run.progress.history[-1]["epoch"] == run.epochs_done


def test_the_rate_falls_from_the_first_to_the_last():
    rates = [rate_at(SMALL, step, 50) for step in range(50)]
    assert rates == sorted(rates, reverse=True)
    assert (rates[0], rates[-1]) == pytest.approx((SMALL.rate, SMALL.final_rate))


def test_fewer_positions_than_a_batch_are_one_batch(positions):
    run = trained(positions, replace(SMALL, batch=10_000_000, epochs=2))
    assert run.progress.step == 2
    assert run.batch == len(positions.shard(0))


def test_king_buckets_learn_and_their_integers_say_nearly_what_the_floats_say(positions, tmp_path):
    settings = replace(SMALL, king_buckets=4, epochs=10)
    run = trained(positions, settings)
    history = run.progress.history
    assert history[-1]["validation"] < history[0]["validation"]
    weights = with_fitted_outputs(run.trainer, positions.sample(1000), settings.kings)
    net = nets.write(tmp_path / "a.net", 32, quantised(weights, 32), kings=settings.kings)
    assert net.king_buckets == 4
    assert agreement(net, run.trainer, positions.held_out).mean_cp < 10
    table = np.frombuffer(net.payload, "<i2", 4 * 768 * 32).reshape(4, -1)
    assert len({row.tobytes() for row in table}) == 4  # each bucket has learned something of its own
    again = TrainingRun(settings, positions, start=weights_of(net))
    merged = np.empty(again.trainer.net_size, np.float32)
    again.trainer.get("merged", merged)
    assert quantised(merged, 32) == net.payload


def test_a_run_with_king_buckets_can_begin_with_a_net_without(positions, tmp_path):
    first = trained(positions)
    net = nets.write(tmp_path / "first.net", 32, quantised(first.parameters(), 32))
    run = TrainingRun(replace(SMALL, king_buckets=2), positions, start=weights_of(net, 2))
    with_buckets, without = (np.empty(500, np.float32) for _ in range(2))
    run.trainer.outputs(0, positions.held_out, 0, with_buckets)
    TrainingRun(SMALL, positions, start=weights_of(net)).trainer.outputs(0, positions.held_out, 0, without)
    np.testing.assert_allclose(with_buckets, without, atol=1e-5)
    many = nets.parse(nets.to_bytes(32, bytes(nets.payload_bytes(32, 4)), kings=nets.KING_LAYOUTS[4]))
    with pytest.raises(TrainingError, match="4 king buckets"):
        weights_of(many, 2)


def test_the_integers_say_nearly_what_the_floats_say(positions):
    run = trained(positions)
    net = nets.parse(nets.to_bytes(32, quantised(run.parameters(), 32)))
    close = agreement(net, run.trainer, positions.held_out)
    assert close.positions == len(positions.held_out)
    assert 0 < close.mean_cp < 10
    assert close.mean_cp <= close.max_cp < 60
    other = nets.parse(nets.to_bytes(32, quantised(run.parameters() * 0.9, 32)))
    assert agreement(other, run.trainer, positions.held_out).mean_cp > 2 * close.mean_cp


def test_output_weights_rounded_together_do_less_harm_than_one_by_one(positions):
    run = trained(positions, replace(SMALL, epochs=20))
    before = run.parameters()
    fitted = with_fitted_outputs(run.trainer, positions.shard(0))
    assert np.array_equal(run.parameters(), before)
    assert np.array_equal(fitted[: 769 * 32], before[: 769 * 32])
    outputs = fitted[769 * 32 : 785 * 32] * 64
    used = np.unique(rows_of_records(positions.shard(0))[2])
    assert not np.modf(outputs.reshape(8, 64)[used])[0].any()
    assert np.abs(fitted - before).max() < 0.25
    plain, better = (
        agreement(nets.parse(nets.to_bytes(32, quantised(values, 32))), run.trainer, positions.held_out)
        for values in (before, fitted)
    )
    assert better.mean_cp < plain.mean_cp  # on games the weights were not fitted to


def test_buckets_without_positions_keep_their_weights(positions):
    run = trained(positions)
    buckets = rows_of_records(positions.shard(0))[2]
    few = np.ascontiguousarray(positions.shard(0)[buckets == 5])
    fitted, before = with_fitted_outputs(run.trainer, few), run.parameters()
    changed = (fitted != before)[769 * 32 : 785 * 32].reshape(8, 64).any(1)
    assert changed.tolist() == [bucket == 5 for bucket in range(8)]


def test_weights_are_rounded_to_the_nearest_integer():
    parameters = np.zeros(785 * 32 + 8, np.float32)
    parameters[0], parameters[769 * 32], parameters[-1] = 1.98, -1.98, 0.5
    payload = quantised(parameters, 32)
    assert np.frombuffer(payload, "<i2", 1)[0] == 505
    assert np.frombuffer(payload, "<i2", 1, 2 * 769 * 32)[0] == -127
    assert np.frombuffer(payload, "<i4", 8, 2 * 785 * 32).tolist() == [0] * 7 + [8160]


def test_the_command_trains_a_net_and_says_how_well(games, tmp_path, capsys):
    path = tmp_path / "first.net"
    words = ["train", str(games), "-o", str(path), "--hidden", "32", "--epochs", "3", "--batch", "500",
             "--held-out", "0.2", "--lambda", "0.4", "--threads", "1", "--name", "first try"]  # fmt: skip
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "centipawns off the floats" in said
    assert said.count("validation") == 3
    net = nets.read(path)
    assert (net.hidden, net.name) == (32, "first try")
    assert net.header["settings"]["blend"] == 0.4
    assert net.header["data"]["files"] == ["a.cyg", "b.cyg"]
    assert net.header["data"]["positions"] > 1000
    assert 0 < net.header["losses"]["validation"] < 0.2
    assert abs(evaluate(net, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")) < 1000
    assert ElementTree.parse(tmp_path / "first.net.svg").getroot().tag.endswith("svg")
    before = path.read_bytes()
    assert main([*words, "--resume", f"{path}.checkpoint"]) == 0  # nothing is left to do but to write it again
    assert path.read_bytes() == before


@contextmanager
def training(games, path, *words):
    """`cythera train` as a process; it is gone afterwards in any case."""
    command = [sys.executable, "-u", "-m", "cythera", "train", str(games), "-o", str(path), "--hidden", "32",
               "--batch", "500", "--held-out", "0.2", "--epochs", "3000", *words]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_ctrl_c_and_termination_keep_the_run_to_be_resumed(games, tmp_path, capsys):
    path, saved = tmp_path / "a.net", tmp_path / "a.net.checkpoint"
    with training(games, path) as process:
        wait_for(saved.exists)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"resume with --resume {saved}" in errors
    assert not path.exists()
    first = read_checkpoint(saved).progress
    assert 0 < first.epoch < 3000
    assert main(["train", str(games), "-o", str(path)]) == 2  # would lose the run
    assert "unfinished run" in capsys.readouterr().err
    assert main(["train", str(games), "-o", str(path), "--resume", str(saved), "--batch", "400"]) == 2
    assert "different settings (--batch)" in capsys.readouterr().err
    assert main(["train", str(games / "a.cyg"), "-o", str(path), "--resume", str(saved)]) == 2
    assert "other positions" in capsys.readouterr().err
    with training(games, path, "--resume", str(saved)) as process:
        wait_for(lambda: read_checkpoint(saved).progress.epoch > first.epoch)
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"resuming at step {first.step:,}" in said
    assert read_checkpoint(saved).progress.step > first.step


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--hidden", "48"], "multiple of 32"),
        (["--hidden", "1056"], "--hidden must be between 32 and 1024, got 1056"),
        (["--lambda", "1.5"], "between 0 and 1"),
        (["--result-weight", "0.1:0.2:0.3"], "between 0 and 1"),
        (["--result-weight", "0.1:x"], "between 0 and 1"),
        (["--lr", "nan"], "got nan"),
        (["--epochs", "0"], "between 1 and"),
        (["--epochs", "2", "--samples", "1e6"], "exclude each other"),
        (["--samples", "1.5"], "invalid count"),
        (["--threads", "0"], "between 1 and 64, got 0"),
        (["--king-buckets", "3"], "must be 1, 2, 4 or 8, got 3"),
        (["--schedule", "steps"], "invalid choice"),
    ],
)
def test_settings_out_of_range_are_refused_at_once(games, tmp_path, capsys, words, sentence):
    with pytest.raises(SystemExit):
        main(["train", str(games), "-o", str(tmp_path / "a.net"), *words])
    assert sentence in capsys.readouterr().err


def test_places_that_cannot_be_written_are_found_out_before_training(games, tmp_path, capsys):
    assert main(["train", str(games), "-o", str(tmp_path / "no" / "a.net")]) == 2
    assert "cannot write" in capsys.readouterr().err
    assert main(["train", str(games), "-o", str(tmp_path)]) == 2
    assert main(["train", str(tmp_path / "nothing"), "-o", str(tmp_path / "a.net")]) == 2
    assert "there is no file or folder" in capsys.readouterr().err


def test_what_is_no_checkpoint_is_a_sentence(positions, tmp_path):
    path = tmp_path / "a.checkpoint"
    with pytest.raises(TrainingError, match="there is no checkpoint"):
        read_checkpoint(path)
    path.write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(TrainingError, match="is not a checkpoint"):
        read_checkpoint(path)
    run = TrainingRun(SMALL, positions, path)
    run.save()
    content = path.read_bytes()
    for cut in (0, 10, 1000, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:cut])
        with pytest.raises(TrainingError, match="is not a"):
            read_checkpoint(path)
    about = {"format": 2, "settings": asdict(replace(SMALL, hidden=64)), "positions": 0, "steps": 4, "progress": {}}
    weights = run.parameters()
    with open(path, "wb") as file:
        np.savez(file, about=np.array(json.dumps(about)), parameters=weights, means=weights, spreads=weights)
    with pytest.raises(TrainingError, match="do not fit"):
        read_checkpoint(path)


def test_a_checkpoint_of_other_positions_is_not_resumed(games, positions, tmp_path):
    run = TrainingRun(SMALL, positions, tmp_path / "a.checkpoint")
    run.save()
    other = TrainingRun(SMALL, load([games / "a.cyg"], share=0.2))
    with pytest.raises(TrainingError, match="other positions"):
        other.restore(read_checkpoint(tmp_path / "a.checkpoint"))


def test_the_plot_has_a_line_for_each_loss_and_stays_in_its_frame():
    history = [{"epoch": epoch, "training": 1 / epoch, "validation": 1.1 / epoch} for epoch in range(1, 30)]
    root = ElementTree.fromstring(plot(history, "a <b> & c"))
    lines = [element for element in root.iter() if element.tag.endswith("polyline")]
    assert len(lines) == 2
    for line in lines:
        points = [tuple(map(float, point.split(","))) for point in line.get("points").split()]
        assert len(points) == 29
        assert all(0 <= x <= WIDTH_PX - RIGHT_PX and TOP_PX <= y <= HEIGHT_PX - BOTTOM_PX for x, y in points)
    assert plot(history[:1], "one epoch only")


def test_training_without_numpy_on_the_engines_path():
    code = "import cythera.uci.program, sys; print('cythera.training' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]


def test_a_run_can_begin_with_the_weights_of_a_net(positions, tmp_path):
    first = trained(positions)
    payload = quantised(first.parameters(), 32)
    net = nets.write(tmp_path / "first.net", 32, payload, name="first")
    run = TrainingRun(SMALL, positions, start=weights_of(net))
    assert np.abs(run.parameters() - first.parameters()).max() < 0.51 / 64
    assert quantised(run.parameters(), 32) == payload
    assert run.go()
    fresh = first.progress.history
    assert run.progress.history[0]["validation"] < fresh[0]["validation"]


def test_the_command_tells_which_net_a_run_began_with(positions, games, tmp_path, capsys):
    net = nets.write(tmp_path / "first.net", 32, quantised(trained(positions).parameters(), 32), name="first")
    out = tmp_path / "second.net"
    words = ["train", str(games), "-o", str(out), "--start", str(tmp_path / "first.net"), "--epochs", "1"]
    assert main(words) == 0
    told = nets.read(out).header["settings"]
    assert told["start"] == f"first {net.digest[:12]}"
    assert told["rate"] == 1e-4  # a tenth of the rate of a new net
    assert main([*words, "--hidden", "64"]) == 0
    assert nets.read(out).header["settings"]["rate"] == 1e-3  # there is much to learn for the new units
    assert main([*words, "--lr", "0.0003"]) == 0
    assert nets.read(out).header["settings"]["rate"] == 3e-4
    wide = nets.write(tmp_path / "wide.net", 64, bytes(nets.payload_bytes(64)))
    with pytest.raises(SystemExit):
        main([*words[:5], str(tmp_path / "wide.net"), "--hidden", "32"])
    assert f"--hidden must be at least the {wide.hidden} hidden units of --start, got 32" in capsys.readouterr().err


@pytest.mark.parametrize("king_buckets", [1, 2])
def test_a_wider_net_begins_with_the_output_of_its_start_and_its_new_units_learn(positions, tmp_path, king_buckets):
    net = nets.write(tmp_path / "first.net", 32, quantised(trained(positions).parameters(), 32))
    settings = replace(SMALL, hidden=96, king_buckets=king_buckets, epochs=1)
    run = TrainingRun(settings, positions, start=weights_of(net, king_buckets, 96))
    wide, narrow = (np.empty(500, np.float32) for _ in range(2))
    run.trainer.outputs(0, positions.held_out, 0, wide)
    TrainingRun(SMALL, positions, start=weights_of(net)).trainer.outputs(0, positions.held_out, 0, narrow)
    np.testing.assert_allclose(wide, narrow, atol=1e-5)
    before = run.parameters()
    assert run.go()
    outputs = (run.parameters() - before)[-8 - 16 * 96 : -8].reshape(8, 2, 96)
    assert np.abs(outputs[:, :, 32:]).max() > 0
    with pytest.raises(TrainingError, match="32 hidden units, and the run only 16"):
        weights_of(net, hidden=16)
