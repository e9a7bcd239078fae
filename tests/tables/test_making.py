"""Making tables: the same bytes each time, values that hold against moves and solutions, runs that can be resumed."""

import random
import shutil
from pathlib import Path

import chess.syzygy
import pytest
from support.endings import random_position

from cythera import Position
from cythera.__main__ import main
from cythera.core import TableContents, TableSolver
from cythera.tables import Tables
from cythera.tables.check import walk
from cythera.tables.layouts import layouts_of
from cythera.tables.make import Job, Part, _assembled, _in_half_moves, memory_needed, solve
from cythera.tables.names import names_with, needed_by
from cythera.tables.probing import DTZ_SUFFIX, PACKAGE_TABLES, WDL_SUFFIX

THREE = ("KQvK", "KRvK", "KBvK", "KNvK", "KPvK")
FOUR = ("KNNvK", "KBBvK")  # quick to make, with and without wins


def copied(folder, *names):
    for name in names:
        for suffix in (WDL_SUFFIX, DTZ_SUFFIX):
            shutil.copy(Path(PACKAGE_TABLES) / (name + suffix), folder)
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.mark.parametrize("workers", ["1", "3"])
def test_made_tables_are_those_of_the_package(tmp_path, workers, capsys):
    names = THREE if workers == "3" else (*THREE, *FOUR)
    assert main(["tables", "make", *names, "-o", str(tmp_path), "--workers", workers]) == 0
    made = contents(tmp_path)
    assert len(made) == 2 * len(names)
    for name, data in made.items():
        assert (Path(PACKAGE_TABLES) / name).read_bytes() == data, name


def test_the_package_has_all_tables_with_three_and_four_pieces_in_a_few_megabytes():
    tables = Tables(PACKAGE_TABLES)
    assert set(tables.names()) == {*names_with(3), *names_with(4)} and len(tables) == 35
    assert all(tables.path(name, DTZ_SUFFIX) for name in tables.names())
    assert sum(path.stat().st_size for path in Path(PACKAGE_TABLES).iterdir()) < 5_000_000


@pytest.mark.parametrize("name", [*names_with(3), *names_with(4)])
def test_python_chess_reads_the_same_values_from_our_files(name):
    rng = random.Random(name)
    tables = Tables(PACKAGE_TABLES)
    with chess.syzygy.open_tablebase(PACKAGE_TABLES) as reference:
        for number in range(60):
            board = random_position(rng, name, en_passant=name == "KPvKP" and number % 3 == 0)
            position = Position(board.fen())
            assert tables.probe_wdl(position) == reference.probe_wdl(board), board.fen()
            assert tables.probe_dtz(position) == reference.probe_dtz(board), board.fen()


@pytest.mark.parametrize("name", ["KQvK", "KPvK", "KRRvK"])
def test_every_position_agrees_with_its_moves_and_with_the_ending_solved(name):
    by_moves, _, by_solution = walk(Tables(PACKAGE_TABLES), name, solved=True)
    assert by_moves.positions > 40_000 and by_moves.sound
    assert by_solution.text.endswith("all the same")


def test_tables_agree_with_a_copy_of_themselves(tmp_path, capsys):
    copied(tmp_path, *THREE)
    assert main(["tables", "check", PACKAGE_TABLES, "KPvK", "--against", str(tmp_path), "--workers", "2"]) == 0
    out = capsys.readouterr().out
    assert f"KPvK against {tmp_path}: 165,676 positions, all the same" in out
    assert out.endswith("1 table, 0 problems\n")


def test_a_wrong_table_is_found_out(tmp_path, capsys):
    """A table of king and rook that calls everything a draw: that of king and bishop, with rooks for bishops."""
    copied(tmp_path, *THREE)
    data = bytearray((Path(PACKAGE_TABLES) / "KBvK.rtbw").read_bytes())
    start = data.index(bytes([0x33]), 5)  # the bishop, both sides to move
    data[start] = 0x44
    (tmp_path / "KRvK.rtbw").write_bytes(data)
    assert main(["tables", "check", str(tmp_path), "KRvK", "--moves", "--solve", "--against", PACKAGE_TABLES]) == 1
    out = capsys.readouterr().out
    # Nothing leads back to a draw in king and rook but captures: the moves alone do not show that it is wrong.
    assert "KRvK against its moves: 51,044 positions, " in out
    assert "KRvK against the ending solved: 51,044 positions, 48,197 results wrong" in out
    assert f"KRvK against {PACKAGE_TABLES}: 51,044 positions, 48,197 results wrong" in out


def test_a_run_is_resumed_and_damaged_tables_are_made_again(tmp_path, capsys):
    copied(tmp_path, *THREE)
    whole = contents(tmp_path)
    (tmp_path / "KRvK.rtbz").write_bytes(whole["KRvK.rtbz"][:-64])
    (tmp_path / "KNvK.rtbw").unlink()
    assert main(["tables", "make", "--pieces", "3", "-o", str(tmp_path), "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("2 tables to make, 1 worker, up to ") and out.split("\n")[0].endswith(" MiB")
    assert out.count("there already") == 3 and "KRvK: " in out and "5 tables in" in out
    assert contents(tmp_path) == whole


def test_a_table_needs_the_package_alone_and_says_so_when_that_is_not_enough(tmp_path, capsys):
    assert main(["tables", "make", "KNNvK", "-o", str(tmp_path), "--workers", "1"]) == 0
    assert sorted(contents(tmp_path)) == ["KNNvK.rtbw", "KNNvK.rtbz"]
    assert main(["tables", "stats", "KQRvKQ", "KQRRvKQ"]) == 2
    assert "pieces of an ending to be counted must be between 3 and 5, got KQRRvKQ" in capsys.readouterr().err
    assert main(["tables", "check", str(tmp_path), "KNNvK", "--against", str(tmp_path)]) == 2
    assert "KNNvK needs KNvK, not found in" in capsys.readouterr().err
    assert main(["tables", "make", "KQRvKR", "-o", str(tmp_path / "new"), "--memory", "0.5"]) == 2
    assert "KQRvKR needs 1." in capsys.readouterr().err
    assert main(["tables", "make", "KQRRvKR", "-o", str(tmp_path / "new")]) == 2
    assert "must be between 3 and 5, got KQRRvKR" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").touch()
    assert main(["tables", "make", "KQvK", "-o", str(tmp_path / "file" / "sub")]) == 2
    assert "cannot write the folder of tables" in capsys.readouterr().err


def test_stats_tell_the_longest_wins(capsys):
    assert main(["tables", "stats", "krvk", "KPvK", "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert "White to move: 175,168 positions, 100.00 % wins" in out
    assert "longest win: 31 half-moves to a capture, pawn move or mate, " in out
    assert "longest loss: 32 half-moves" in out
    assert "Black to move: 168,024 positions, 41.91 % draws, 58.09 % losses" in out


def test_list_and_probe_tell_what_there_is(tmp_path, capsys):
    assert main(["tables", "list"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].split() == ["table", "results", "distances", "folder"]
    assert "KBNvK" in out and out.splitlines()[-1].startswith("35 tables, 4.5")
    assert main(["tables", "probe", "8/8/8/8/3k4/8/1r6/K1Q5 w - - 0 1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "tablebase win, 1 half-move to a capture, pawn move or mate"
    assert [line.split() for line in lines[1:4]] == [["a1b2", "win", "0"], ["c1b2", "win", "0"], ["c1f4", "win", "4"]]


def test_files_are_the_solution():
    """Random positions of a table with pawns on both sides: the solver's own value and the prober's."""
    tables = Tables(PACKAGE_TABLES)
    solver = solve("KPvKP", tables.core)
    rng = random.Random(1)
    checked = 0
    while checked < 300:
        board = random_position(rng, "KPvKP")
        position = Position(board.fen())
        result, level = solver.value(position)
        assert tables.probe_wdl(position) == result
        if level and not board.is_checkmate():
            assert abs(tables.probe_dtz(position)) in (level, level - 1)
        checked += 1


@pytest.mark.parametrize("name", ["KPvK", "KRRvK", "KPPvK", "KPvKP", "KBvKP"])
def test_the_memory_stated_is_enough(name):
    tables = Tables(PACKAGE_TABLES)
    solver = TableSolver(name, tables.core)
    largest = 0
    for pawn_file in range(4 if "P" in name else 1):
        layout = layouts_of(name)[0]
        part = solver.arrange(bytes(layout.pieces), layout.order, layout.second_order, 0, pawn_file)
        largest = max(largest, part.size)
    assert memory_needed(name) >= solver.memory + 2 * largest
    assert memory_needed(name, 3) - memory_needed(name, 2) >= 2 * largest
    assert TableContents(name, tables.core).memory == solver.memory


def test_all_five_piece_tables_fit_in_two_gibibytes():
    assert max(memory_needed(name, 1) for name in names_with(5)) < 2 << 30
    assert len(names_with(5)) == 110


def test_distances_are_written_in_half_moves_where_it_matters_or_costs_little():
    assert _in_half_moves({(2, 1): 9, (2, 3): 100, (2, 4): 2}, 1)
    assert not _in_half_moves({(2, 3): 100, (2, 4): 3}, 1)
    assert _in_half_moves({(2, 3): 100, (2, 4): 3, (2, 100): 1}, 1)
    assert not _in_half_moves({(-2, 3): 100, (-2, 4): 30, (2, 100): 1}, -1)


def test_equal_values_that_need_a_code_are_read_back(tmp_path):
    """A distance file whose values are all the same has no short form unless they are 1; the code has one symbol."""
    copied(tmp_path, *THREE)
    tables = Tables(PACKAGE_TABLES)
    solver = solve("KBvK", tables.core)
    layout = layouts_of("KBvK")[0]
    parts = []
    for side in (0, 1):
        arrangement = solver.arrange(bytes(layout.pieces), layout.order, layout.second_order, side, 0)
        arrangement.choose()
        packed = arrangement.compress(6, 6, single=False)
        assert packed.single_value is None
        parts.append(Part(layout, 0, packed.header, packed.block_index, packed.sizes, packed.blocks))
    (tmp_path / "KBvK.rtbw").write_bytes(_assembled("KBvK", WDL_SUFFIX, [parts]))
    rng = random.Random(1)
    made = Tables(tmp_path)
    with chess.syzygy.open_tablebase(str(tmp_path)) as reference:
        for _ in range(50):
            board = random_position(rng, "KBvK")
            assert made.probe_wdl(Position(board.fen())) == 0 == reference.probe_wdl(board)


def test_every_layout_holds_every_position():
    """The index counted up is the index computed: each arrangement of a table has the same values, each once."""
    tables = Tables(PACKAGE_TABLES)
    for name in ("KRvK", "KPvK"):
        solver = solve(name, tables.core)
        sizes = set()
        for layout in layouts_of(name):
            arrangement = solver.arrange(bytes(layout.pieces), layout.order, layout.second_order, 0, 0, distances=True)
            assert arrangement.choose() > 1
            sizes.add((arrangement.size, str([sorted(values) for values in arrangement.map_distances()])))
        assert len(sizes) == 1


def test_a_table_needs_what_captures_and_promotions_lead_to():
    assert needed_by("KRPvK") == {"KPvK", "KRvK", "KQRvK", "KRRvK", "KRBvK", "KRNvK"}
    assert needed_by("KPvKP") == {"KPvK", "KQvKP", "KRvKP", "KBvKP", "KNvKP"}
    assert Job(WDL_SUFFIX, 0, 0, False, False).suffix == WDL_SUFFIX
