"""The compiled trainer against plain numpy, against PyTorch, and against bad callers."""

import os
import threading

import numpy as np
import pytest

from cythera.core import Trainer, shuffle
from cythera.net import file as nets
from cythera.net.reference import rows_of_records
from cythera.training.positions import RECORD
from cythera.training.run import TrainingSettings, first_weights

SIZES = [32, 96]
BLEND = 0.3


def weights_for(hidden, seed=1):
    """Large enough that many units are switched off and some are full."""
    size = Trainer(hidden).size
    return np.random.default_rng(seed).normal(0, 0.2, size).astype(np.float32)


def trainer_with(weights, hidden, threads=1):
    trainer = Trainer(hidden, threads)
    trainer.set("parameters", weights)
    return trainer


def array_of(trainer, what="parameters"):
    values = np.empty(trainer.net_size if what in ("merged", "gradient") else trainer.size, np.float32)
    trainer.get(what, values)
    return values


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def plain_outputs(weights, hidden, records, kings=()):
    """The net in double precision, one numpy line a formula; with king buckets, of parameters with a factoriser."""
    wide = weights.astype(np.float64)
    rows = 768 * (max(kings, default=0) + 1)
    if kings:
        shared, wide = wide[: 768 * hidden].reshape(768, hidden), wide[768 * hidden :].copy()
        wide[: rows * hidden] += np.tile(shared, (rows // 768, 1)).ravel()
    features = np.vstack([wide[: rows * hidden].reshape(rows, hidden), np.zeros(hidden)])
    biases = wide[rows * hidden : (rows + 1) * hidden]
    outputs = wide[(rows + 1) * hidden : (rows + 17) * hidden].reshape(8, 2, hidden)
    own, other, bucket = rows_of_records(records, kings)
    total = wide[(rows + 17) * hidden :][bucket]
    for place, rows in enumerate((own, other)):
        active = np.clip(features[rows].sum(1) + biases, 0, 1) ** 2
        total = total + (active * outputs[bucket, place]).sum(1)
    return total


def plain_losses(weights, hidden, records, kings=()):
    fields = records.view(RECORD).reshape(-1)
    target = BLEND * fields["result"] / 2 + (1 - BLEND) * sigmoid(fields["score"] / 400)
    return (sigmoid(plain_outputs(weights, hidden, records, kings)) - target) ** 2


def test_the_scale_says_what_chance_a_score_is(positions):
    weights = weights_for(32)
    trainer = Trainer(32, 1, 160)
    trainer.set("parameters", weights)
    records = positions.shard(0)[:500]
    fields = records.view(RECORD).reshape(-1)
    target = BLEND * fields["result"] / 2 + (1 - BLEND) * sigmoid(fields["score"] / 160)
    expected = ((sigmoid(plain_outputs(weights, 32, records)) - target) ** 2).sum()
    assert trainer.loss(0, records, 0, 500, BLEND) == pytest.approx(expected, rel=1e-5)
    with pytest.raises(ValueError, match="got 20"):
        Trainer(32, 1, 20)


@pytest.mark.parametrize("hidden", SIZES)
def test_outputs_and_losses_are_those_of_the_formulas(positions, hidden):
    weights = weights_for(hidden)
    trainer = trainer_with(weights, hidden)
    records = positions.shard(0)[100:1000]
    outputs = np.empty(len(records), np.float32)
    trainer.outputs(0, positions.shard(0), 100, outputs)
    np.testing.assert_allclose(outputs, plain_outputs(weights, hidden, records), rtol=0, atol=2e-5)
    expected = plain_losses(weights, hidden, records).sum()
    assert trainer.loss(0, positions.shard(0), 100, 900, BLEND) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("hidden", SIZES)
def test_the_gradient_is_the_slope_of_the_loss(positions, hidden):
    weights = weights_for(hidden)
    trainer = trainer_with(weights, hidden)
    records = np.ascontiguousarray(positions.shard(0)[:300])
    trainer.accumulate(0, records, None, 0, 300, BLEND, 1 / 300)
    gradient = array_of(trainer, "gradient")
    rng = np.random.default_rng(2)
    steep = np.flatnonzero(np.abs(gradient) > 1e-5)
    chosen = np.concatenate([rng.choice(steep, 30), np.arange(785 * hidden, 785 * hidden + 8)])
    for at in chosen:
        high, low = weights.astype(np.float64), weights.astype(np.float64)
        high[at] += 1e-6
        low[at] -= 1e-6
        slope = (plain_losses(high, hidden, records).mean() - plain_losses(low, hidden, records).mean()) / 2e-6
        assert gradient[at] == pytest.approx(slope, rel=2e-3, abs=1e-7)


KINGS = nets.KING_LAYOUTS[4]


def factorised(threads=1, seed=1):
    """A trainer with king buckets, and its parameters: the shared ones, then each bucket's own."""
    trainer = Trainer(32, threads, kings=KINGS)
    weights = np.random.default_rng(seed).normal(0, 0.15, trainer.size).astype(np.float32)
    trainer.set("parameters", weights)
    return trainer, weights


def test_king_buckets_use_their_own_weights_and_the_shared_ones(positions):
    trainer, weights = factorised()
    assert (trainer.king_buckets, trainer.size - trainer.net_size) == (4, 768 * 32)
    records = positions.shard(0)[100:1000]
    outputs = np.empty(len(records), np.float32)
    trainer.outputs(0, positions.shard(0), 100, outputs)
    np.testing.assert_allclose(outputs, plain_outputs(weights, 32, records, KINGS), rtol=0, atol=2e-5)
    merged = array_of(trainer, "merged")
    shared, own = weights[: 768 * 32], weights[768 * 32 :]
    np.testing.assert_array_equal(merged[: 4 * 768 * 32], own[: 4 * 768 * 32] + np.tile(shared, 4))
    np.testing.assert_array_equal(merged[4 * 768 * 32 :], own[4 * 768 * 32 :])
    plain = trainer_with(weights_for(32), 32)
    assert (plain.king_buckets, plain.size) == (1, plain.net_size)


def test_the_gradient_of_king_buckets_is_the_slope_of_the_loss(positions):
    trainer, weights = factorised()
    records = np.ascontiguousarray(positions.shard(0)[:300])
    trainer.accumulate(0, records, None, 0, 300, BLEND, 1 / 300)
    gradient = array_of(trainer, "gradient")
    used = np.abs(gradient[: 4 * 768 * 32].reshape(4, -1)).sum(1)
    assert (used > 0).sum() >= 3  # positions of several buckets
    for at in np.random.default_rng(2).choice(np.flatnonzero(np.abs(gradient) > 1e-5), 30):
        high, low = weights.astype(np.float64), weights.astype(np.float64)
        high[768 * 32 + at] += 1e-6
        low[768 * 32 + at] -= 1e-6
        rise = plain_losses(high, 32, records, KINGS).mean() - plain_losses(low, 32, records, KINGS).mean()
        assert gradient[at] == pytest.approx(rise / 2e-6, rel=2e-3, abs=1e-7)


def adam_of(weights, gradient, rate, decay, step, means, spreads):
    """AdamW of its paper, in double precision."""
    means[:] = 0.9 * means + 0.1 * gradient
    spreads[:] = 0.999 * spreads + 0.001 * gradient**2
    unbiased = means / (1 - 0.9**step), spreads / (1 - 0.999**step)
    return weights * (1 - rate * decay) - rate * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)


def test_shared_weights_learn_from_all_king_buckets(positions):
    trainer, weights = factorised(threads=2)
    expected = weights.astype(np.float64)
    means, spreads = np.zeros_like(expected), np.zeros_like(expected)
    one = 768 * 32
    for step in range(1, 6):
        trainer.accumulate(0, positions.shard(0), None, 200 * step, 120, BLEND, 1 / 200)
        trainer.accumulate(1, positions.shard(0), None, 200 * step + 120, 80, BLEND, 1 / 200)
        gradient = np.zeros(trainer.net_size)
        alone = Trainer(32, 1, kings=KINGS)
        alone.set("parameters", array_of(trainer))
        alone.accumulate(0, positions.shard(0), None, 200 * step, 200, BLEND, 1 / 200)
        gradient[:] = array_of(alone, "gradient")
        whole = np.concatenate([gradient[: 4 * one].reshape(4, one).sum(0), gradient])
        expected = adam_of(expected, whole, 3e-3, 0.01, step, means, spreads)
        for part in range(3):
            trainer.apply(3e-3, 0.01, step, 1.98, part, 3)
    off = np.abs(array_of(trainer) - expected)
    assert np.abs(expected - weights).mean() > 1e-3
    assert off.mean() < 1e-5
    assert np.abs(array_of(trainer)[:one] - weights[:one]).max() > 5e-3


def test_merged_weights_are_clipped_and_the_buckets_own_give_way():
    trainer, weights = factorised()
    weights[3], weights[768 * 32 + 3] = 1.5, 1.0
    trainer.set("parameters", weights)
    trainer.apply(1e-9, 0.0, 1, 1.98)
    assert array_of(trainer, "merged")[3] == pytest.approx(1.98, abs=1e-6)
    assert array_of(trainer)[3] == 1.5
    assert array_of(trainer)[768 * 32 + 3] == pytest.approx(0.48, abs=1e-6)


def test_a_step_in_parts_is_the_step_in_one(positions):
    whole, parted = (trainer_with(weights_for(96), 96, threads=2) for _ in range(2))
    for trainer, parts in ((whole, 1), (parted, 2)):
        for thread in range(2):
            trainer.accumulate(thread, positions.shard(0), None, 100 * thread, 100, BLEND, 1 / 200)
        for part in range(parts):
            trainer.apply(1e-3, 0.01, 1, 1.98, part, parts)
    for what in ("parameters", "means", "spreads", "gradient"):
        assert np.array_equal(array_of(whole, what), array_of(parted, what))
    with pytest.raises(ValueError, match="part must be between 0 and 1, got 2"):
        parted.apply(1e-3, 0.01, 2, 1.98, 2, 2)


@pytest.mark.parametrize("kings", [[0] * 31, [1] * 32, [0, 2] * 16, list(range(9)) + [0] * 23])
def test_king_buckets_that_no_net_has_are_refused(kings):
    with pytest.raises(ValueError, match="king buckets"):
        Trainer(32, kings=kings)


def test_parameters_that_no_position_uses_have_no_gradient(positions):
    trainer = trainer_with(weights_for(32), 32)
    records = np.ascontiguousarray(positions.shard(0)[:40])
    trainer.accumulate(0, records, None, 0, 40, BLEND, 1.0)
    own, other, bucket = rows_of_records(records)
    used = set(own.ravel()) | set(other.ravel())
    gradient = array_of(trainer, "gradient")
    rows = gradient[: 768 * 32].reshape(768, 32)
    assert not any(rows[row].any() for row in range(768) if row not in used)
    assert set(np.flatnonzero(gradient[785 * 32 :])) == set(bucket)


@pytest.mark.parametrize(("hidden", "kings"), [(32, ()), (96, ()), (32, KINGS)])
def test_losses_gradients_and_steps_agree_with_pytorch(positions, hidden, kings):
    if "CYTHERA_TORCH" not in os.environ:
        pytest.importorskip("torch", reason="the reference needs the extra `train` (PyTorch)")
    from cythera.training import torch_reference as reference

    trainer, net = Trainer(hidden, 2, kings=kings or None), reference.Perspectives(hidden, max(kings, default=0) + 1)
    weights = np.random.default_rng(1).normal(0, 0.2, trainer.size).astype(np.float32)
    trainer.set("parameters", weights)
    net.load_flat(weights)
    adam = reference.optimiser(net, rate=3e-3, decay=0.01)
    rng = np.random.default_rng(3)
    for step in range(1, 31):
        records = np.ascontiguousarray(positions.shard(0)[rng.integers(0, len(positions.shard(0)), 400)])
        loss = reference.step(net, adam, reference.batch_of(records, BLEND, kings=kings))
        first = trainer.accumulate(0, records, None, 0, 150, BLEND, 1 / 400)
        second = trainer.accumulate(1, records, None, 150, 250, BLEND, 1 / 400)
        assert (first + second) / 400 == pytest.approx(loss, rel=1e-5)
        if step == 1:
            both = array_of(trainer, "gradient")
            alone = Trainer(hidden, kings=kings or None)
            alone.set("parameters", weights)
            alone.accumulate(0, records, None, 0, 400, BLEND, 1 / 400)
            expected = net.flat_gradient()[trainer.size - trainer.net_size :]
            np.testing.assert_allclose(array_of(alone, "gradient"), expected, rtol=1e-3, atol=1e-8)
            assert not np.array_equal(both, array_of(alone, "gradient"))  # the first bench has a part only
        trainer.apply(3e-3, 0.01, step, 1.98)
    moved = np.abs(net.flat() - weights)
    assert moved.mean() > 1e-3
    # Adam divides by the size of a gradient, so parameters with next to none magnify roundings.
    off = np.abs(array_of(trainer) - net.flat())
    assert off.mean() < 1e-6
    assert off.max() < 1e-3


def test_weights_are_clipped_and_output_biases_are_not(positions):
    weights = weights_for(32)
    weights[5], weights[-1] = 1.9999, 3.0
    trainer = trainer_with(weights, 32)
    trainer.apply(1e-9, 0.0, 1, 1.98)
    after = array_of(trainer)
    assert after[5] == np.float32(1.98)
    assert after[-1] == np.float32(3.0)
    assert np.array_equal(after[6:-1], weights[6:-1])


def test_the_gradient_is_used_up_by_a_step(positions):
    trainer = trainer_with(weights_for(32), 32, threads=3)
    for thread in range(3):
        trainer.accumulate(thread, positions.shard(0), None, 100 * thread, 100, BLEND, 1 / 300)
    assert array_of(trainer, "gradient").any()
    trainer.apply(1e-3, 0.01, 1, 1.98)
    assert not array_of(trainer, "gradient").any()
    before = array_of(trainer)
    for name in ("means", "spreads"):
        trainer.set(name, np.zeros(trainer.size, np.float32))
    trainer.apply(1e-3, 0.0, 1, 1.98)
    assert np.array_equal(array_of(trainer), before)


def test_an_order_is_followed(positions):
    order = np.random.default_rng(1).permutation(len(positions.shard(0))).astype(np.uint32)[:500]
    chosen = np.ascontiguousarray(positions.shard(0)[order])
    first, second = (trainer_with(weights_for(32), 32) for _ in range(2))
    assert first.accumulate(0, positions.shard(0), order, 0, 500, BLEND, 1.0) == second.accumulate(
        0, chosen, None, 0, 500, BLEND, 1.0
    )
    assert np.array_equal(array_of(first, "gradient"), array_of(second, "gradient"))


def test_shuffling_is_fair_and_the_same_everywhere():
    counts = np.zeros((6, 6), int)
    for seed in range(6000):
        numbers = np.arange(6, dtype=np.uint32)
        shuffle(numbers, seed)
        counts[np.arange(6), numbers] += 1
    chi_square = ((counts - 1000) ** 2 / 1000).sum()
    assert 5 < chi_square < 60  # 25 degrees of freedom
    numbers = np.arange(10, dtype=np.uint32)
    shuffle(numbers, 1)
    assert sorted(numbers) == list(range(10))
    assert numbers.tolist() == [9, 0, 1, 4, 8, 2, 3, 7, 6, 5]
    shuffle(np.empty(0, np.uint32), 1)


def test_what_is_set_is_what_is_got():
    trainer = Trainer(64)
    for what in ("parameters", "means", "spreads", "gradient"):
        values = np.random.default_rng(len(what)).normal(size=trainer.size).astype(np.float32)
        trainer.set(what, values)
        assert np.array_equal(array_of(trainer, what), values)
    assert trainer.size == 768 * 64 + 64 + 8 * 2 * 64 + 8 == len(first_weights(TrainingSettings(hidden=64)))
    assert (trainer.hidden, trainer.threads) == (64, 1)


@pytest.mark.parametrize("hidden", [0, -32, 31, 33, 1056])
def test_sizes_that_no_net_has_are_refused(hidden):
    with pytest.raises(ValueError, match="multiple of 32"):
        Trainer(hidden)


def test_bad_arguments_are_refused(positions):
    trainer, records = trainer_with(weights_for(32), 32), positions.shard(0)
    for threads in (0, 65):
        with pytest.raises(ValueError, match="threads"):
            Trainer(32, threads)
    for thread in (-1, 1):
        with pytest.raises(ValueError, match="no bench"):
            trainer.loss(thread, records, 0, 1, BLEND)
    for first, count in ((-1, 1), (0, -1), (len(records), 1), (1, len(records)), (0, 2**62), (2**62, 2**62)):
        with pytest.raises(ValueError, match="there are no"):
            trainer.loss(0, records, first, count, BLEND)
    with pytest.raises(ValueError, match="32 bytes"):
        trainer.loss(0, np.zeros((5, 31), np.uint8), 0, 5, BLEND)
    with pytest.raises(ValueError, match="there is no record"):
        trainer.accumulate(0, records, np.array([len(records)], np.uint32), 0, 1, BLEND, 1.0)
    with pytest.raises(ValueError, match="there are no 1 positions"):
        trainer.accumulate(0, records, np.array([], np.uint32), 0, 1, BLEND, 1.0)
    with pytest.raises(ValueError, match="scale"):
        trainer.accumulate(0, records, None, 0, 1, BLEND, 0.0)
    with pytest.raises(ValueError, match="numbers are needed"):
        trainer.set("parameters", np.zeros(5, np.float32))
    with pytest.raises(ValueError, match="not nonsense"):
        trainer.get("nonsense", np.zeros(trainer.size, np.float32))
    with pytest.raises(ValueError, match="steps count from 1"):
        trainer.apply(1e-3, 0.01, 0, 1.98)
    assert trainer.loss(0, records, 0, 0, BLEND) == 0.0
    trainer.outputs(0, records, 0, np.empty(0, np.float32))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("occupied", 0),
        ("occupied", 2**64 - 1),
        ("occupied", 1),
        ("pieces", 0x66),
        ("pieces", 0),
        ("side", 2),
        ("result", 3),
    ],
)
def test_a_damaged_record_is_an_error_and_no_crash(positions, field, value):
    records = positions.shard(0)[:10].copy()
    records.view(RECORD).reshape(-1)[field][7] = value
    trainer = trainer_with(weights_for(32), 32)
    with pytest.raises(ValueError, match="record 7 is damaged"):
        trainer.loss(0, records, 0, 10, BLEND)
    assert trainer.loss(0, records, 0, 7, BLEND) > 0


def test_noise_for_records_does_no_harm():
    noise = np.random.default_rng(1).integers(0, 256, (5000, 32), np.uint8)
    trainer = trainer_with(weights_for(32), 32)
    for at in range(len(noise)):
        with pytest.raises(ValueError, match="damaged"):
            trainer.accumulate(0, noise, None, at, 1, BLEND, 1.0)


def test_a_bench_serves_one_thread_at_a_time(positions):
    records = np.tile(positions.shard(0), (30, 1))
    trainer = trainer_with(weights_for(512), 512)
    begun, seen = threading.Event(), []

    def work():
        begun.set()
        for _ in range(50):
            if seen:
                return
            try:
                trainer.loss(0, records, 0, len(records), BLEND)
            except ValueError as error:
                seen.append(str(error))

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert seen == ["bench 0 is in use"]
