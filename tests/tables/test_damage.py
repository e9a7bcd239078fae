"""Nothing that a damaged table contains can crash the process, and a search plays on without it."""

import random
import re
from pathlib import Path

import pytest
from support.damaged_tables import damage_folder, sources_in, use

from cythera import Position
from cythera.core import Searcher
from cythera.tables import PACKAGE_TABLES, Tables

NAMES = ("KQvK", "KRvK", "KNvK", "KBvK", "KPvK")
QUEEN = Position("8/8/8/8/3k4/8/8/K1Q5 w - - 0 1")


@pytest.mark.parametrize("seed", range(12))
def test_damaged_tables_are_used_without_harm(seed, tmp_path):
    rng = random.Random(seed)
    sources = sources_in(Path(PACKAGE_TABLES), NAMES)
    found = 0
    for case in range(8):
        folder = tmp_path / str(case)
        folder.mkdir()
        damage_folder(rng, folder, sources)
        found += use(rng, folder, NAMES, probes=4)
    assert found > 0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data[:-64], "truncated|damaged"),
        (lambda data: data[:-1], "its length is not that of a table"),
        (lambda data: b"", "cannot be read"),
        (lambda data: b"MZ" + data[2:], "not a Syzygy table"),
        (lambda data: data[:5] + bytes([data[5] ^ 0xFF]) + data[6:], "pieces"),
    ],
)
def test_a_damaged_file_is_named_with_its_reason(change, reason, tmp_path):
    sources = sources_in(Path(PACKAGE_TABLES), ["KQvK"])
    for name, data in sources.items():
        (tmp_path / name).write_bytes(change(data) if name.endswith("w") else data)
    tables = Tables(tmp_path)
    searcher = Searcher(1)
    searcher.set_tables(tables.core)
    assert tables.problems() == []
    assert searcher.go(QUEEN, nodes=100) and tables.probe_wdl(QUEEN) is None
    ((path, why),) = tables.problems()
    assert path == str(tmp_path / "KQvK.rtbw")
    assert re.search(reason, why), why


def test_a_file_that_is_gone_when_it_is_opened_is_named(tmp_path):
    for name, data in sources_in(Path(PACKAGE_TABLES), ["KQvK"]).items():
        (tmp_path / name).write_bytes(data)
    tables = Tables(tmp_path)
    (tmp_path / "KQvK.rtbw").unlink()
    assert tables.probe_wdl(QUEEN) is None
    assert tables.problems() == [(str(tmp_path / "KQvK.rtbw"), "it cannot be read")]
