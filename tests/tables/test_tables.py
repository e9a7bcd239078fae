"""Endgame tables: made here, read by python-chess, probed by the core."""

import random
from pathlib import Path

import chess
import chess.syzygy
import pytest
from support.endings import random_position

from cythera import Position
from cythera.__main__ import main
from cythera.tables import Tables
from cythera.tables.probing import PACKAGE_TABLES, TableError

NAMES = ("KQvK", "KRvK", "KBvK", "KNvK", "KPvK")


def test_made_tables_are_those_of_the_package(tmp_path):
    assert main(["tables", "make", *NAMES, "-o", str(tmp_path), "--workers", "1"]) == 0
    made = {path.name: path.read_bytes() for path in tmp_path.glob("*.rtb?")}
    assert len(made) == 2 * len(NAMES)
    for name, data in made.items():
        assert (Path(PACKAGE_TABLES) / name).read_bytes() == data, name


def test_the_tables_of_the_package_agree_with_their_own_moves(capsys):
    assert main(["tables", "check", PACKAGE_TABLES]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_python_chess_reads_the_same_values_from_our_files(name):
    rng = random.Random(name)
    tables = Tables(PACKAGE_TABLES)
    with chess.syzygy.open_tablebase(PACKAGE_TABLES) as reference:
        for _ in range(150):
            board = random_position(rng, name)
            position = Position(board.fen())
            assert tables.probe_wdl(position) == reference.probe_wdl(board), board.fen()
            assert tables.probe_dtz(position) == reference.probe_dtz(board), board.fen()


def test_positions_without_a_table_have_no_value():
    tables = Tables(PACKAGE_TABLES)
    assert tables.largest == 4
    assert tables.probe_wdl(Position()) is None
    assert tables.probe_dtz(Position("8/8/8/8/3k4/7r/8/K1R4R w - - 0 1")) is None


def test_a_folder_that_is_missing_is_a_sentence(tmp_path):
    with pytest.raises(TableError, match="cannot read the folder of tables"):
        Tables(tmp_path / "no")


def test_a_damaged_file_is_named_and_never_crashes(tmp_path):
    rng = random.Random(3)
    for name in ("KQvK", "KPvK"):
        for suffix in (".rtbw", ".rtbz"):
            (tmp_path / (name + suffix)).write_bytes((Path(PACKAGE_TABLES) / (name + suffix)).read_bytes())
    path = tmp_path / "KPvK.rtbw"
    whole = path.read_bytes()
    positions = [Position(random_position(rng, "KPvK").fen()) for _ in range(20)]
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 3, 30))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data if rng.random() < 0.7 else data[: rng.randrange(len(data))])
        tables = Tables(tmp_path)
        for position in positions:
            assert tables.probe_wdl(position) in (None, -2, -1, 0, 1, 2)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["probe", "nonsense"], "FEN"),
        (["make", "KXvK", "-o", "."], "unknown piece 'X'"),
        (["check", "/no/such/folder"], "cannot read"),
    ],
)
def test_bad_input_is_one_clear_sentence(words, sentence, capsys):
    assert main(["tables", *words]) == 2
    assert sentence in capsys.readouterr().err
