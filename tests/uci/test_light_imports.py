"""What the UCI program loads, having spoken and thought: nothing heavy."""

import subprocess
import sys

from support.uci import MIDDLEGAME, PATIENCE_S

HEAVY = {"numpy", "chess", "rich", "argparse", "asyncio", "dataclasses", "typing", "logging", "inspect", "re", "random"}

CODE = """
import io, sys
from cythera.uci.program import Uci
session = Uci(io.StringIO())
for line in {lines!r}:
    session.handle(line)
    session.wait()
session.close()
print(*sys.modules, file=sys.stderr)
"""


def loaded_by(*lines):
    """Modules of a bare interpreter (no site) that has been told these lines, beyond its own."""
    paths = [path for path in sys.path if path]
    code = f"import sys; sys.path[:] = {paths!r}\n" + CODE.format(lines=lines)
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def test_a_uci_session_with_a_search_loads_nothing_heavy():
    lines = ("uci", "isready", "setoption name Hash value 1", f"position fen {MIDDLEGAME}", "go wtime 50 btime 50",
             "go ponder wtime 10 btime 10", "ponderhit", "eval", "d", "ucinewgame", "bad", "go perft 2")  # fmt: skip
    assert not loaded_by(*lines[:5], *lines[7:]) & HEAVY


def test_levels_books_and_play_are_loaded_only_when_used():
    loaded = loaded_by("uci", "go depth 2")
    lazy = ("engine.levels", "engine.book", "cli.play", "engine.engine_base", "engine.evaluation_table")
    assert not loaded & {f"cythera.{name}" for name in lazy}
    assert "cythera.engine.levels" in loaded_by("setoption name Skill Level value 3", "go depth 1")


def test_the_engine_api_does_not_load_python_chess_until_moves_are_asked_for():
    code = (
        "import sys, cythera; e = cythera.Engine(hash_mib=1); r = e.play(cythera.Position(), cythera.Limit(depth=2))\n"
        "r.uci; r.score; r.line.moves; assert 'chess' not in sys.modules\n"
        "r.move; assert 'chess' in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
