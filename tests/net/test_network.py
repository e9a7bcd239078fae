"""The net in the core: what follows the moves equals the definition, on every build."""

import random
import struct

import numpy as np
import pytest

from cythera import Engine, Position
from cythera.board.scores import TABLEBASE_FOUND
from cythera.core import Net, Searcher, check_net
from cythera.engine.evaluation_table import mirrored_fen
from cythera.errors import NetError
from cythera.net import file as nets
from cythera.net.load import SHIPPED, net_for
from cythera.net.reference import evaluate

MAX_EVAL = TABLEBASE_FOUND - 1  # everything beyond is proven by tables, or a mate
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/8/3k4/8/3K4/4P3/8 b - - 0 1",
)


def numbers(hidden, seed):
    """Random weights at the limits of what training can make: they clip and nearly overflow."""
    rng = random.Random(seed)
    features = [rng.randint(-150, 150) for _ in range(768 * hidden)]
    biases = [rng.randint(-500, 500) for _ in range(hidden)]
    outputs = [rng.choice((-127, 127, rng.randint(-127, 127))) for _ in range(16 * hidden)]
    return features, biases, outputs, [rng.randint(-30_000, 30_000) for _ in range(8)]


def payload_of(features, biases, outputs, output_biases):
    words = [*features, *biases, *outputs]
    return struct.pack(f"<{len(words)}h", *words) + struct.pack("<8i", *output_biases)


def truncated(numerator, denominator):
    quotient = abs(numerator) // denominator
    return quotient if numerator >= 0 else -quotient


def by_hand(position, hidden, weights):
    """The evaluation as docs/training.md defines it, in plain Python."""
    features, biases, outputs, output_biases = weights
    pieces = []
    for rank, row in enumerate(reversed(position.fen().split()[0].split("/"))):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces.append(("PNBRQK".index(letter.upper()), letter.isupper(), 8 * rank + file))
                file += 1
    bucket = (len(pieces) - 2) // 4
    total = 0
    for half, white in enumerate((position.turn == "w", position.turn != "w")):
        king = next(square for kind, owner, square in pieces if kind == 5 and owner == white)
        sums = list(biases)
        for kind, owner, square in pieces:
            seen = square if white else square ^ 56
            if king % 8 >= 4:
                seen ^= 7
            row = (0 if owner == white else 384) + 64 * kind + seen
            for unit in range(hidden):
                sums[unit] += features[row * hidden + unit]
        for unit in range(hidden):
            value = min(max(sums[unit], 0), 255)
            total += value * value * outputs[(2 * bucket + half) * hidden + unit]
    return truncated((truncated(total, 255) + output_biases[bucket]) * 400, 255 * 64)


@pytest.mark.parametrize("hidden", [32, 96])
def test_the_net_means_what_its_definition_says(hidden):
    weights = numbers(hidden, seed=hidden)
    net = Net(payload_of(*weights), hidden)
    searcher = Searcher(1)
    searcher.set_net(net)
    for fen in POSITIONS:
        position = Position(fen)
        expected = by_hand(position, hidden, weights)
        assert net.evaluate(position) == expected
        if sum(letter.isalpha() for letter in fen.split()[0]) > 8:
            assert searcher.evaluate(position) == max(-MAX_EVAL, min(MAX_EVAL, expected))


def test_an_output_is_worth_as_many_centipawns_as_the_net_says():
    payload = payload_of(*numbers(32, seed=32))
    whole, half = Net(payload, 32), Net(payload, 32, 200)
    for position in map(Position, POSITIONS):
        assert abs(2 * half.evaluate(position) - whole.evaluate(position)) <= 1
    with pytest.raises(ValueError, match="got 2000"):
        Net(payload, 32, 2000)


@pytest.mark.parametrize(
    ("fen", "share"),
    [
        ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", 0),  # the pawn is stopped
        ("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1", 1),  # and here it is not
        ("6k1/8/8/8/8/8/7P/2B3K1 w - - 0 1", 1),  # the bishop sees the corner
        ("6k1/8/8/8/8/8/7P/1B4K1 w - - 0 1", 0),  # the wrong one
    ],
)
def test_what_is_known_of_endgames_scales_the_net(fen, share):
    features, biases, outputs, _ = numbers(32, seed=1)
    side = 1 if " w " in fen else -1  # a net that thinks White is winning
    net = Net(payload_of([0] * len(features), [0] * len(biases), outputs, [side * 9000] * 8), 32)
    searcher = Searcher(1)
    searcher.set_net(net)
    position = Position(fen)
    whole = net.evaluate(position)
    assert whole == side * (9000 * 400 // (255 * 64))
    assert (searcher.evaluate(position) != 0) == bool(share)
    assert searcher.evaluate(position) == net.with_endgames(position)
    assert abs(net.with_endgames(position)) <= abs(whole)


@pytest.mark.parametrize(("hidden", "positions"), [(32, 20_000), (96, 10_000), (256, 20_000), (512, 10_000),
                                                   (768, 5_000), (1024, 5_000)])  # fmt: skip
def test_sums_that_follow_the_moves_equal_those_from_scratch(hidden, positions):
    searcher = Searcher(1)
    searcher.set_net(Net(payload_of(*numbers(hidden, seed=7)), hidden))
    assert check_net(searcher, seed=hidden, positions=positions) == 0


@pytest.mark.parametrize(("hidden", "buckets"), [(32, 2), (256, 4), (96, 8)])
def test_king_buckets_follow_the_moves_too_and_mean_what_the_reference_says(hidden, buckets):
    rng = np.random.default_rng(buckets)
    kings = nets.KING_LAYOUTS[buckets]
    words = rng.integers(-150, 151, (768 * buckets + 1 + 16) * hidden).astype("<i2")
    words[-16 * hidden :] = rng.integers(-127, 128, 16 * hidden)
    file = nets.parse(nets.to_bytes(hidden, words.tobytes() + bytes(32), kings=kings))
    net = Net(file.payload, hidden, 400, kings)
    assert net.king_buckets == file.king_buckets == buckets
    searcher = Searcher(1)
    searcher.set_net(net)
    assert check_net(searcher, seed=hidden, positions=10_000) == 0
    kings_about = (
        "8/8/8/3k4/8/3K4/4P3/8 w - - 0 1",
        "8/1K6/4p3/8/2P5/8/6k1/8 b - - 0 1",
        "k7/8/8/p7/8/8/P7/7K w - - 0 1",
    )
    for fen in (*POSITIONS, *kings_about):
        assert net.evaluate(Position(fen)) == evaluate(file, fen)
        assert net.evaluate(Position(fen)) == net.evaluate(Position(mirrored_fen(fen)))


def test_a_wider_net_with_zeros_searches_like_the_one_it_was_made_from(tmp_path):
    """Every width has its own code: the package's net, filled up with units that do nothing, plays the same."""
    with open(SHIPPED, "rb") as file:
        shipped = nets.parse(file.read())
    narrow = np.frombuffer(shipped.payload, "<i2", 785 * shipped.hidden).reshape(785, shipped.hidden)
    counts = set()
    for hidden in sorted({shipped.hidden, 512, 544, 768, 1024}):
        if hidden < shipped.hidden:
            continue
        wide = np.zeros((785, hidden), "<i2")
        wide[:, : shipped.hidden] = narrow
        searcher = Searcher(4)
        searcher.set_net(Net(wide.tobytes() + shipped.payload[-32:], hidden, shipped.scale))
        searcher.go(Position(POSITIONS[1]), depth=8)
        counts.add(searcher.nodes)
    assert len(counts) == 1


def test_the_check_would_notice_a_difference():
    """A net whose sums overflow 16 bits is refused by the reader for a reason: there the two differ."""
    features, biases, outputs, output_biases = numbers(32, seed=3)
    searcher = Searcher(1)
    searcher.set_net(Net(payload_of([30_000] * len(features), biases, outputs, output_biases), 32))
    assert check_net(searcher, seed=1, positions=500) > 0


def test_both_sides_are_judged_alike_by_any_net():
    net = Net(payload_of(*numbers(32, seed=5)), 32)
    for fen in POSITIONS:
        assert net.evaluate(Position(fen)) == net.evaluate(Position(mirrored_fen(fen)))


def test_a_search_with_a_net_is_repeatable_and_another_than_without():
    payload = payload_of(*numbers(32, seed=9))
    counts = []
    for net in (Net(payload, 32), Net(payload, 32), None):
        searcher = Searcher(4)
        searcher.set_net(net)
        searcher.go(Position(POSITIONS[1]), depth=7)
        counts.append(searcher.nodes)
    assert counts[0] == counts[1] != counts[2]


def test_threads_that_come_later_have_the_net_too():
    searcher = Searcher(4)
    searcher.set_net(Net(payload_of(*numbers(64, seed=2)), 64))
    searcher.set_threads(3)
    assert searcher.go(Position(POSITIONS[1]), depth=8)


def test_a_piece_is_worth_what_the_evaluation_loses_without_it():
    net = Net(payload_of(*numbers(32, seed=4)), 32)
    values = net.piece_values(Position("4k3/8/8/3q4/8/8/3P4/4K3 w - - 0 1"))
    whole = net.evaluate(Position("4k3/8/8/3q4/8/8/3P4/4K3 w - - 0 1"))
    assert set(values) == {11, 35}
    assert values[11] == whole - net.evaluate(Position("4k3/8/8/3q4/8/8/8/4K3 w - - 0 1"))
    assert values[35] == net.evaluate(Position("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1")) - whole


def test_bad_sizes_are_refused():
    payload = payload_of(*numbers(32, seed=1))
    for hidden in (0, -32, 33, 64, 1024, 1056):
        with pytest.raises(ValueError):
            Net(payload, hidden)
    with pytest.raises(ValueError):
        Net(payload[:-1], 32)
    with pytest.raises(ValueError, match="no net"):
        check_net(Searcher(1), 1, 1)


@pytest.fixture
def net_file(tmp_path):
    path = tmp_path / "random.net"
    nets.write(path, 32, payload_of(*numbers(32, seed=8)), name="random")
    return path


def test_an_engine_takes_a_net_and_gives_it_back(net_file):
    position = Position(POSITIONS[1])
    with Engine(hash_mib=1, eval_file="<classical>") as engine:
        classical = engine.evaluate(position)
        engine.eval_file = str(net_file)
        assert engine.evaluate(position).cp == net_for(str(net_file)).evaluate(position)
        with pytest.raises(NetError):
            engine.eval_file = str(net_file) + ".missing"
        assert engine.eval_file == str(net_file)
        engine.eval_file = "<classical>"
        assert engine.evaluate(position) == classical
