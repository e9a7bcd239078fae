"""Texel tuning: the gradient is right, and fitting makes the fit better."""

import numpy as np
import pytest

from cythera import Position
from cythera.core import MATE_FOUND, GameCursor, Searcher, evaluation_terms, get_weights, self_play
from cythera.training.game_file import GameWriter
from cythera.tuning.texel import Fit, TuningError, load_rows, read_descriptions, write_weights


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("games")
    searcher = Searcher(1)
    with GameWriter(path / "a.cyg", block_games=10) as writer:
        for seed in range(60):
            writer.add(self_play(searcher, Position(), seed, nodes=60)[0])
    return path


@pytest.fixture(scope="module")
def start():
    return np.array([pair for _, pairs in get_weights() for pair in pairs], np.float32)


def test_rows_reproduce_the_evaluation(folder, start):
    rows = load_rows([str(folder)], keep=1)
    scores = Fit(rows, start).scores()
    # The first rows belong to the first game, in order.
    raw = (folder / "a.cyg").read_bytes()
    assert raw.startswith(b"CYGAMES1")
    searcher = Searcher(1)
    game = GameCursor(self_play(searcher, Position(), 0, nodes=60)[0]).game(0)
    position = Position(game.fen)
    expected = []
    for i, (move, score) in enumerate(game.moves):
        quiet = move in [str(m) for m in position.legal_moves("quiet")]
        ply = 2 * position.fullmove_number - (2 if position.turn == "w" else 1)
        if ply >= 16 and quiet and not position.is_check() and abs(score) < MATE_FOUND:
            value = evaluation_terms(position).score
            expected.append(value if position.turn == "w" else -value)
        position.push(move)
        assert i < 600
    assert len(expected) > 5
    assert np.abs(scores[: len(expected)] - expected).max() <= 2  # the core rounds to whole centipawns


def test_the_gradient_is_the_slope_of_the_loss(folder, start):
    fit = Fit(load_rows([str(folder)], keep=1), start)
    _, gradient = fit.loss_and_gradient()
    for index, half in ((0, 0), (0, 1), (2, 0), (3, 1), (4, 0)):
        loss = []
        for step in (-4.0, 4.0):
            fit.weights[index, half] += step
            loss.append(fit.loss_and_gradient()[0])
            fit.weights[index, half] -= step
        assert gradient[index, half] == pytest.approx((loss[1] - loss[0]) / 8, rel=0.05, abs=1e-8)


def test_tuning_lowers_the_loss(folder, start):
    fit = Fit(load_rows([str(folder)], keep=1), start)
    before = fit.loss_and_gradient()[0]
    fit.train(15)
    assert fit.loss_and_gradient()[0] < before


def test_weights_survive_a_round_trip_through_their_file(tmp_path, start):
    path = tmp_path / "weights.txt"
    names = [(name, len(pairs)) for name, pairs in get_weights()]
    write_weights(path, names, start, {"material": "what a piece is worth"})
    assert read_descriptions(path)["material"] == "what a piece is worth"
    numbers = [
        tuple(map(int, pair.split(",")))
        for line in path.read_text().splitlines()
        if line[:1].isspace()
        for pair in line.split()
    ]
    assert numbers == [tuple(map(int, pair)) for pair in start]


def test_too_few_games_are_refused(tmp_path):
    with GameWriter(tmp_path / "a.cyg") as writer:
        writer.add(self_play(Searcher(1), Position(), 1, nodes=50)[0])
    with pytest.raises(TuningError, match="too few"):
        load_rows([str(tmp_path)])
