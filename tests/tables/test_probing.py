"""Endgame tables from Python: positions, folders, and an engine that has them."""

import os
from pathlib import Path

import pytest

from cythera import Engine, Limit, Position
from cythera.tables import Tables
from cythera.tables.probing import PACKAGE_TABLES, TableError, package_tables, tables_on


def test_a_position_can_be_probed_by_itself():
    position = Position("8/8/8/8/3k4/8/8/K1Q5 w - - 0 1")
    tables = Tables(PACKAGE_TABLES)
    assert (position.probe_wdl(), position.probe_dtz()) == (tables.probe_wdl(position), tables.probe_dtz(position))
    assert (position.probe_wdl(tables), position.probe_dtz(tables)) == (2, 15)
    assert Position().probe_wdl() is None and Position().probe_dtz() is None
    castling = Position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert castling.probe_wdl() is None and castling.probe_dtz() is None


def test_probing_leaves_a_position_as_it_was():
    position = Position("8/8/8/8/3k4/8/8/K1Q5 w - - 7 9")
    position.push("c1c2")
    before = position.fen(), position.key, position.history()
    position.probe_wdl(), position.probe_dtz()
    assert (position.fen(), position.key, position.history()) == before


def test_the_first_of_several_folders_is_used_and_bad_ones_can_be_left_out(tmp_path):
    (tmp_path / "KQvK.rtbw").write_bytes((Path(PACKAGE_TABLES) / "KQvK.rtbw").read_bytes())
    both = Tables(tmp_path, PACKAGE_TABLES)
    assert both.path("KQvK") == str(tmp_path / "KQvK.rtbw") and both.path("KRvK").startswith(PACKAGE_TABLES)
    problems = []
    tables = Tables(tmp_path / "no", PACKAGE_TABLES, problems=problems)
    assert len(tables) >= 5 and len(problems) == 1 and "cannot read the folder" in problems[0]


def test_a_path_names_folders_in_front_of_the_package(tmp_path):
    (tmp_path / "KQvK.rtbw").write_bytes((Path(PACKAGE_TABLES) / "KQvK.rtbw").read_bytes())
    assert tables_on("") is package_tables() and len(tables_on("", package=False)) == 0
    assert tables_on(str(tmp_path)).folders == (str(tmp_path), PACKAGE_TABLES)
    alone = tables_on(f" {tmp_path} {os.pathsep}{os.pathsep}", package=False)
    assert alone.folders == (str(tmp_path),) and alone.names() == ["KQvK"]


def test_an_engine_with_a_bad_folder_is_refused_and_one_with_a_bad_file_says_so(tmp_path):
    with pytest.raises(TableError, match="cannot read the folder"):
        Engine(syzygy_path=str(tmp_path / "no"))
    (tmp_path / "KQvK.rtbw").write_bytes((Path(PACKAGE_TABLES) / "KQvK.rtbw").read_bytes()[:-64])
    queen = "8/8/8/8/3k4/8/8/K1Q5 w - - 0 1"
    with Engine(syzygy_path=str(tmp_path), syzygy_builtin=False) as engine:
        assert engine.table_problems() == []
        assert engine.analyse(queen, Limit(nodes=200)).tbhits == 0
        (problem,) = engine.table_problems()
        assert str(tmp_path / "KQvK.rtbw") in problem and engine.table_problems() == []
    with Engine() as engine:
        line = engine.analyse(queen, Limit(nodes=200))
        assert line.tbhits > 0 and (line.score.is_tablebase or line.score.mate)
        many = engine.analyse_many([queen] * 3, Limit(nodes=200), workers=2)
        assert [one.score for one in many] == 3 * [line.score]
