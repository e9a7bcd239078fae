"""The plain definition of what a net says, held to facts that can be worked out by hand."""

import random
import struct

import chess
import numpy as np
import pytest

from cythera.net import file as nets
from cythera.net import reference as nets_reference
from cythera.net.reference import BLACK, WHITE, evaluate, evaluate_records, feature

START = chess.STARTING_FEN


def made_of(features=(), biases=(), outputs=(), output_biases=(), hidden=32):
    """A net of zeros but for {(row, unit): weight} and the like."""
    words = np.zeros(769 * hidden, np.int64)
    for (row, unit), value in dict(features).items():
        words[row * hidden + unit] = value
    for unit, value in dict(biases).items():
        words[768 * hidden + unit] = value
    out = np.zeros((8, 2, hidden), np.int64)
    for place, value in dict(outputs).items():
        out[place] = value
    last = np.zeros(8, np.int64)
    for bucket, value in dict(output_biases).items():
        last[bucket] = value
    payload = words.astype("<i2").tobytes() + out.astype("<i2").tobytes() + last.astype("<i4").tobytes()
    return nets.parse(nets.to_bytes(hidden, payload))


def random_fens(count, seed=1):
    rng = random.Random(seed)
    board, fens = chess.Board(), []
    while len(fens) < count:
        if board.is_game_over() or len(board.move_stack) > 150:
            board = chess.Board()
        board.push(rng.choice(list(board.legal_moves)))
        fens.append(board.fen())
    return fens


def test_a_perspective_sees_itself_at_the_bottom_and_its_king_on_the_left():
    assert feature(WHITE, chess.D1, WHITE, 0, chess.A2) == 8
    assert feature(WHITE, chess.E1, WHITE, 0, chess.A2) == 15
    assert feature(BLACK, chess.D8, BLACK, 5, chess.D8) == 320 + chess.D1
    assert feature(BLACK, chess.G8, BLACK, 5, chess.G8) == 320 + chess.B1
    assert feature(BLACK, chess.D8, WHITE, 4, chess.H5) == 384 + 256 + chess.H4


def test_an_output_bias_is_told_in_centipawns_and_chosen_by_the_count_of_pieces():
    net = made_of(output_biases={7: 255 * 64, 0: -255 * 32})
    assert evaluate(net, START) == 400
    assert evaluate(net, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1") == -200
    assert evaluate(net, "4k3/pppp4/8/8/8/8/4P3/4K3 w - - 0 1") == 0


def test_the_activation_is_clipped_and_squared():
    fen = "3k4/8/8/8/8/8/8/3K4 w - - 0 1"
    for bias, centipawns in ((-50, 0), (0, 0), (51, 15), (102, 63), (255, 400), (400, 400)):
        net = made_of(biases={3: bias}, outputs={(0, 0, 3): 64})
        assert evaluate(net, fen) == centipawns  # (51 / 255)² × 400 = 16, less what the two divisions drop


def test_the_side_to_move_uses_the_first_half_of_the_output_weights():
    row = feature(WHITE, chess.D1, WHITE, 5, chess.D1)
    net = made_of(features={(row, 0): 255}, outputs={(0, 0, 0): 64, (0, 1, 0): -16})
    assert evaluate(net, "8/3k4/8/8/8/8/8/3K4 w - - 0 1") == 400
    assert evaluate(net, "8/3k4/8/8/8/8/8/3K4 b - - 0 1") == -100


@pytest.mark.parametrize(("total", "centipawns"), [(1, 0), (-1, 0), (41, 1), (-41, -1), (-40, 0)])
def test_divisions_go_towards_zero(total, centipawns):
    assert evaluate(made_of(output_biases={7: total}), START) == centipawns


def test_colours_swapped_and_the_board_mirrored_the_evaluation_is_the_same(net):
    for fen in random_fens(60):
        board = chess.Board(fen)
        assert evaluate(net, board.mirror().fen()) == evaluate(net, fen)
        board.set_castling_fen("-")
        flipped = board.transform(chess.flip_horizontal)
        assert evaluate(net, flipped.fen()) == evaluate(net, fen)


def test_other_positions_have_other_evaluations(net):
    assert len({evaluate(net, fen) for fen in random_fens(60)}) > 40


def record_of(fen):
    """A training record from a FEN, packed here on its own."""
    board = chess.Board(fen)
    codes = [piece.piece_type - 1 + (0 if piece.color else 8) for _, piece in sorted(board.piece_map().items())]
    codes += [0] * (32 - len(codes))
    nibbles = bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True))
    return struct.pack("<Q16shBBI", board.occupied, nibbles, 0, 1, 0 if board.turn else 1, 0)


def test_many_records_at_once_are_evaluated_as_one_by_one(net):
    fens = random_fens(80)
    records = np.frombuffer(b"".join(map(record_of, fens)), np.uint8).reshape(-1, 32)
    assert evaluate_records(net, records).tolist() == [evaluate(net, fen) for fen in fens]


def test_the_rows_of_records_are_the_features_of_their_pieces():
    fens = random_fens(40, seed=2)
    records = np.frombuffer(b"".join(map(record_of, fens)), np.uint8).reshape(-1, 32)
    *perspectives, buckets = nets_reference.rows_of_records(records)
    for at, fen in enumerate(fens):
        pieces, side = nets_reference.pieces_of(fen)
        assert buckets[at] == (len(pieces) - 2) // 4
        for rows, perspective in zip(perspectives, (side, 1 - side), strict=True):
            king = next(square for colour, kind, square in pieces if (colour, kind) == (perspective, 5))
            expected = {feature(perspective, king, *piece) for piece in pieces}
            assert set(rows[at]) - {nets_reference.NO_ROW} == expected
            assert (rows[at] == nets_reference.NO_ROW).sum() == 32 - len(pieces)
