"""Endgame tables over UCI: on by default, named when they cannot be used, and no reason to stop playing."""

import shutil
import sys
from pathlib import Path

import chess
import chess.engine
import pytest
from support.uci import MIDDLEGAME, Talk

from cythera.tables import PACKAGE_TABLES

QUEEN = "8/8/8/8/3k4/8/8/K1Q5 w - - 0 1"
PAWN_AND_PAWN = "8/8/4k3/8/2p5/8/3P4/3K4 w - - 0 1"


def hits(lines):
    """The tbhits of the last info line."""
    words = [line for line in lines if " tbhits " in line][-1].split()
    return int(words[words.index("tbhits") + 1])


def search(talk, fen, limits="depth 6"):
    talk.send(f"position fen {fen}", f"go {limits}")
    return talk.until("bestmove")


def copied(folder, suffixes=(".rtbw", ".rtbz"), names=("KQvK",)):
    folder.mkdir(exist_ok=True)
    for name in names:
        for suffix in suffixes:
            shutil.copy(Path(PACKAGE_TABLES) / (name + suffix), folder)
    return folder


def test_the_tables_of_the_package_are_used_and_can_be_turned_off(talk):
    lines = search(talk, QUEEN)
    assert hits(lines) > 0 and hits(search(talk, PAWN_AND_PAWN, "depth 9")) > 0
    assert not any("string" in line for line in lines)
    assert talk.ask("setoption name SyzygyBuiltin value false") == []
    assert hits(search(talk, QUEEN)) == 0
    assert talk.ask("setoption name SyzygyBuiltin value true", "setoption name SyzygyProbeLimit value 2") == []
    assert hits(search(talk, QUEEN)) == 0


def test_a_position_with_more_pieces_is_searched_as_without_tables(talk):
    counts = set()
    for value in ("true", "false"):
        assert talk.ask("ucinewgame", f"setoption name SyzygyBuiltin value {value}") == []
        words = [line for line in search(talk, MIDDLEGAME, "depth 9") if " nodes " in line][-1].split()
        counts.add(words[words.index("nodes") + 1])
        assert words[words.index("tbhits") + 1] == "0"
    assert len(counts) == 1


def test_the_board_shows_what_tables_say(talk):
    for fen, said in (
        (QUEEN, "Tables: tablebase win, 15 half-moves to a capture, pawn move or mate"),
        ("8/8/8/8/8/2k5/2p5/2K5 w - - 0 1", "Tables: tablebase draw"),
        ("8/8/8/8/3k4/8/8/K1Q5 w - - 90 80", "Tables: tablebase cursed win"),
    ):
        assert any(line.startswith(said) for line in talk.ask(f"position fen {fen}", "d")), fen
    assert not any(line.startswith("Tables") for line in talk.ask("position startpos", "d"))


def test_folders_of_the_user_come_first_and_are_counted(talk, tmp_path):
    folder = copied(tmp_path / "my tables")
    both = f"{folder}{';' if sys.platform == 'win32' else ':'}{tmp_path / 'none'}"
    said = talk.ask(f"setoption name SyzygyPath value {both}")
    assert said[0].startswith("info string ") and " endgame tables, with up to " in said[0]
    assert len(said) == 2 and said[1].startswith("info string error: cannot read the folder of tables")
    assert talk.ask("isready") == []  # named once
    assert hits(search(talk, QUEEN)) > 0
    assert talk.ask("setoption name SyzygyBuiltin value false") == [
        "info string 1 endgame tables, with up to 3 pieces", said[1]
    ]  # fmt: skip
    assert hits(search(talk, QUEEN)) > 0 and hits(search(talk, "8/8/8/8/3k4/8/8/K1R5 w - - 0 1")) == 0


@pytest.mark.parametrize("damage", ["truncated", "foreign", "gone"])
def test_a_bad_file_is_named_once_and_the_engine_plays_on(talk, tmp_path, damage):
    folder = copied(tmp_path / "tables")
    path = folder / "KQvK.rtbw"
    talk.ask("setoption name SyzygyBuiltin value false", f"setoption name SyzygyPath value {folder}")
    if damage == "truncated":
        path.write_bytes(path.read_bytes()[:-64])
    elif damage == "foreign":
        path.write_bytes(b"PK" + path.read_bytes()[2:])
    else:
        path.unlink()
    lines = search(talk, QUEEN)
    named = [line for line in lines if str(path) in line]
    assert len(named) == 1 and named[0].startswith("info string error: cannot use ")
    keyword, move, *_ = lines[-1].split()
    assert keyword == "bestmove" and chess.Move.from_uci(move) in chess.Board(QUEEN).legal_moves
    assert not any(str(path) in line for line in search(talk, QUEEN)) and talk.ask("d")[-1] != "readyok"
    assert talk.end() == 0


def test_a_win_is_cursed_by_the_counter_unless_the_rule_is_off(talk):
    late = "8/8/8/8/3k4/8/8/K1Q5 w - - 99 90"
    assert " score cp 1 " in search(talk, late, "depth 1")[-2]
    assert talk.ask("setoption name Syzygy50MoveRule value false") == []
    assert " score cp 199" in search(talk, late, "depth 1")[-2]


def test_python_chess_reads_the_options_sets_them_back_and_plays():
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "cythera"]) as engine:
        names = [name for name in engine.options if name.startswith("Syzygy")]
        assert len(names) == 5
        engine.configure({name: engine.options[name].default for name in names})
        info = engine.analyse(chess.Board(QUEEN), chess.engine.Limit(depth=3))
        assert info["tbhits"] > 0 and info["score"].relative > chess.engine.Cp(19_000)


def test_the_answer_to_uci_does_not_wait_for_tables():
    code = "import io, sys\nfrom cythera.uci.program import Uci\nu = Uci(io.StringIO())\nu.handle('uci')\n"
    assert loaded(code) == "False"
    assert loaded(code + "u.handle('isready')\n") == "True"


def loaded(code):
    """Whether a process has loaded what tables need."""
    import subprocess

    code += "print('cythera.tables.probing' in sys.modules)"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_levels_below_the_strength_of_knowing_them_use_no_tables():
    talk = Talk()
    talk.ask("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1500")
    assert hits(search(talk, QUEEN, "nodes 500")) == 0
    talk.ask("setoption name UCI_Elo value 2500")
    assert hits(search(talk, QUEEN, "nodes 500")) > 0
    assert talk.end() == 0
