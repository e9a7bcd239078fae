"""Averaging a run's weights with those of other nets."""

from dataclasses import replace

import numpy as np
import pytest

from cythera.__main__ import main
from cythera.net import file as nets
from cythera.net.file import NetError
from cythera.training.average import Other, average, other_of
from cythera.training.export import quantised
from cythera.training.positions import TrainingError
from cythera.training.run import TrainingRun, TrainingSettings, weights_of

SMALL = TrainingSettings(hidden=32, epochs=2, batch=500, threads=2, held_out=0.2)


def net_of(run, name="first"):
    return nets.parse(nets.to_bytes(32, quantised(run.parameters(), 32), name=name))


@pytest.fixture(scope="module")
def first(positions):
    run = TrainingRun(replace(SMALL, epochs=20), positions)
    assert run.go()
    return net_of(run)


def continued(positions, first, epochs):
    """A run that begins with the weights of `first`."""
    run = TrainingRun(replace(SMALL, epochs=epochs, rate=5e-3, seed=7), positions, start=weights_of(first))
    assert run.go()
    return run


def test_the_share_is_the_one_that_validates_best(positions, first):
    # Two nets with other errors of equal size: each corrects half of the other's.
    rng = np.random.default_rng(3)
    right = weights_of(first)
    trained, other = ((right + rng.normal(0, 0.05, len(right))).clip(-1.9, 1.9).astype(np.float32) for _ in range(2))
    run = TrainingRun(SMALL, positions, start=trained)
    second = nets.parse(nets.to_bytes(32, quantised(other, 32), name="second"))
    (found,) = average(run, [Other(second)])
    assert found.net == f"second {second.digest[:12]}"
    assert 0.3 <= found.share <= 0.7 and found.after < found.before
    other = weights_of(second)
    np.testing.assert_allclose(run.parameters(), trained + found.share * (other - trained), atol=1e-6)
    assert run.validation_loss() == pytest.approx(found.after, rel=1e-9)
    for share in (found.share - 0.05, found.share + 0.05):
        run.trainer.set("parameters", (trained + share * (other - trained)).astype(np.float32))
        assert run.validation_loss() >= found.after


def test_a_net_that_does_not_help_gets_no_share(positions, first):
    run = continued(positions, first, 1)
    before = run.parameters()
    rng = np.random.default_rng(1)
    noise = quantised((before + rng.normal(0, 0.3, len(before))).clip(-1.9, 1.9).astype(np.float32), 32)
    (found,) = average(run, [Other(nets.parse(nets.to_bytes(32, noise, name="noise")))])
    assert found.share == 0 and found.before == found.after
    assert np.array_equal(run.parameters(), before)


def test_nets_are_averaged_one_after_the_other(positions, first):
    run, second = continued(positions, first, 12), net_of(continued(positions, first, 3), "second")
    found = average(run, [Other(first), Other(second)])
    assert [one.net.split()[0] for one in found] == ["first", "second"]
    assert found[1].before == pytest.approx(found[0].after, rel=1e-9)
    assert found[1].after <= found[1].before


def test_a_share_that_is_given_is_used(positions, first):
    run = continued(positions, first, 3)
    trained = run.parameters()
    (found,) = average(run, [Other(first, 0.35)])
    assert found.share == 0.35 and found.before != found.after
    np.testing.assert_allclose(run.parameters(), trained + 0.35 * (weights_of(first) - trained), atol=1e-6)
    assert run.validation_loss() == pytest.approx(found.after, rel=1e-9)


def test_a_share_stands_after_a_colon(first, tmp_path):
    plain, odd = tmp_path / "first.net", tmp_path / "first:0.5"
    for path in (plain, odd):
        nets.write(path, 32, first.payload, name=path.name)
    assert other_of(str(plain)).share is None
    assert other_of(f"{plain}:0.25").share == 0.25 and other_of(f"{plain}:0.25").net.name == "first.net"
    assert other_of(str(odd)).share is None and other_of(str(odd)).net.name == "first:0.5"
    for share in ("1", "-0.1", "nan"):
        with pytest.raises(TrainingError, match=rf"must be at least 0 and below 1, got {share}"):
            other_of(f"{plain}:{share}")
    with pytest.raises(NetError, match="no such file"):
        other_of(f"{tmp_path}/none:net")


def test_weights_that_do_not_correspond_are_refused(positions):
    run = TrainingRun(SMALL, positions)
    wide = nets.parse(nets.to_bytes(64, bytes(nets.payload_bytes(64)), name="wide"))
    with pytest.raises(TrainingError, match="wide cannot be averaged with the run: it has 64 hidden units"):
        average(run, [Other(wide)])


def test_the_command_averages_and_the_header_tells_it(games, first, tmp_path, capsys):
    start, out = tmp_path / "first.net", tmp_path / "second.net"
    nets.write(start, 32, first.payload, name="first")
    words = ["train", str(games), "-o", str(out), "--start", str(start), "--average", str(start), "--epochs", "8",
             "--batch", "500", "--lr", "0.005", "--held-out", "0.2"]  # fmt: skip
    assert main(words) == 0
    assert f"averaged with first {first.digest[:12]}, share 0." in capsys.readouterr().out
    header = nets.read(out).header
    (told,) = header["settings"]["averaged"]
    assert told["net"] == f"first {first.digest[:12]}" and 0 <= told["share"] < 1
    assert header["losses"]["averaged"] <= header["losses"]["validation"]
    missing = tmp_path / "none.net"
    assert main([*words, "--average", str(missing)]) == 2
    assert "none.net: no such file" in capsys.readouterr().err
