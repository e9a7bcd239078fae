"""`cythera tune wdl`: games whose chances are known give those chances back."""

import math
import random
import struct

import numpy as np
import pytest

from cythera.board.scores import WDL_MOVES, Score, wdl_parameters
from cythera.cli.tune_wdl import main
from cythera.core import END_LENGTH, MATE, MATE_FOUND, PACKED_BYTES, PACKED_PLY
from cythera.net.file import payload_bytes, read, write
from cythera.training.game_file import GameWriter, SelfPlayFileError
from cythera.tuning.wdl import ChancesError, add_game, fit, fit_stage, rescale, tally

STAGES, COLUMNS = 11, 241


def chance(x, a, b):
    return 1 / (1 + math.exp((a - x) / b))


def drawn_counts(a, b, positions, seed=1):
    """What this many positions of evenly spread scores would show, by chance."""
    rng = random.Random(seed)
    counts = np.zeros((COLUMNS, 3))
    for _ in range(positions):
        column = rng.randrange(COLUMNS)
        x = 10 * column - 1200
        u = rng.random()
        result = 2 if u < chance(x, a, b) else (0 if u > 1 - chance(-x, a, b) else 1)
        counts[column, result] += 1
        counts[COLUMNS - 1 - column, 2 - result] += 1
    return counts


def test_a_stage_gives_back_the_chances_it_was_made_with():
    a, b = fit_stage(drawn_counts(140.0, 70.0, 30_000))
    assert a == pytest.approx(140, abs=8)
    assert b == pytest.approx(70, abs=6)


def test_the_polynomials_follow_the_stages():
    stages = [drawn_counts(100 + 5 * stage, 60 + 2 * stage, 6000, seed=stage) for stage in range(STAGES)]
    shift, spread, rows = fit(np.stack(stages))
    assert len(rows) == STAGES
    for move, _, a, b in rows[1:-1]:
        assert sum(c * (move / 32) ** power for power, c in enumerate(shift)) == pytest.approx(a, abs=12)
        assert sum(c * (move / 32) ** power for power, c in enumerate(spread)) == pytest.approx(b, abs=12)


def test_both_sides_of_a_game_are_counted():
    counts = np.zeros((STAGES, COLUMNS, 3))
    add_game(counts, np.array([50] * 40), result=2, first_ply=20)
    assert counts.sum() == 80
    assert counts[:, 120 + 5, 2].sum() == counts[:, 120 - 5, 0].sum() == 40


def test_mates_and_the_first_moves_say_nothing():
    counts = np.zeros((STAGES, COLUMNS, 3))
    add_game(counts, np.array([MATE - 100, 100 - MATE, MATE_FOUND]), result=2, first_ply=40)
    add_game(counts, np.array([10] * 6), result=1, first_ply=0)
    assert counts.sum() == 0


def record(scores, result, ending=0):
    head = bytearray(PACKED_BYTES)
    struct.pack_into("<H", head, PACKED_PLY, 30)
    body = b"".join(struct.pack("<Hh", 1, score) for score in scores)
    return bytes(head) + bytes([result, ending]) + struct.pack("<H", len(scores)) + body


def test_games_are_read_from_their_files_and_broken_off_ones_are_not(tmp_path):
    with GameWriter(tmp_path / "a.cyg") as writer:
        writer.add(record([100] * 10, 2))
        writer.add(record([100] * 10, 1, ending=END_LENGTH))
    assert tally([tmp_path / "a.cyg"]).sum() == 20


def test_too_few_games_are_refused_with_a_sentence(tmp_path):
    with GameWriter(tmp_path / "a.cyg") as writer:
        writer.add(record([100] * 10, 2))
    with pytest.raises(ChancesError, match="too few games"):
        main([str(tmp_path)])
    (tmp_path / "nothing").mkdir()
    with pytest.raises(SelfPlayFileError, match="no game files"):
        main([str(tmp_path / "nothing")])


def test_a_net_gets_a_unit_by_which_a_hundred_is_an_even_chance(tmp_path):
    net = write(tmp_path / "a.net", 32, bytes(payload_bytes(32)), scale=200, name="small", settings={"epochs": 3})
    factor = rescale(net, [100.0, 50.0, -20.0, -5.0], tmp_path / "b.net")
    written = read(tmp_path / "b.net")
    assert (written.scale, factor) == (160, 0.8)  # 100 of 125
    assert (written.payload, written.name, written.header["settings"]) == (net.payload, "small", {"epochs": 3})
    for nonsense in ([0.0] * 4, [-50.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]):
        with pytest.raises(ChancesError, match="too far off"):
            rescale(net, nonsense, tmp_path / "c.net")
    assert not (tmp_path / "c.net").exists()


def test_a_net_to_rescale_needs_a_place_to_go_to(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--rescale", "some.net"])
    assert "must be given together" in capsys.readouterr().err


@pytest.mark.parametrize("ply", [0, 20, 62, 120, 174, 400])
def test_more_is_better_at_every_stage_of_the_game(ply):
    shift, spread = wdl_parameters(ply)
    assert shift > 0 and spread > 0
    wins = [Score(cp=cp).wdl(ply)[0] for cp in range(-1000, 1001, 50)]
    assert wins == sorted(wins)
    assert Score(cp=0).wdl(ply)[0] == Score(cp=0).wdl(ply)[2]


def test_a_hundred_centipawns_are_an_even_chance_to_win_at_move_32():
    """The plain meaning of the scale: what `cythera tune wdl --rescale` was asked for."""
    shift, _ = wdl_parameters(62)
    assert shift == pytest.approx(100, abs=2)
    assert WDL_MOVES[0] < 32 < WDL_MOVES[1]
