"""Engines for the tests: all of them are the scripted one."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cythera.match.config import MatchConfig
from cythera.match.game_data import GameTask, Opening
from cythera.match.time_control import parse_time_control
from cythera.match.uci.engines import EngineSpec
from cythera.match.uci.pool import EnginePool

SCRIPT = Path(__file__).with_name("scripted_engine.py")

# Kings and rooks, white to move: nothing in these tests depends on good play.
ROOK_ENDING = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"

BOOK = """\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "King's Pawn";
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - id "Queen's Pawn";
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "Sicilian";
rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - id "English";
"""


def scripted(name: str, *args: str) -> EngineSpec:
    return EngineSpec(name, (sys.executable, str(SCRIPT), "--name", name, *args))


@pytest.fixture
def engine() -> Callable[..., EngineSpec]:
    """Makes the description of a scripted engine: `engine("name", "--fault", "crash")`."""
    return scripted


@pytest.fixture
def command() -> Callable[..., str]:
    """The same as a word of the command line."""
    return lambda name, *args: f"{name}={sys.executable} {SCRIPT} " + " ".join(args)


@pytest.fixture
def pool():
    engines = EnginePool()
    yield engines
    engines.close()


@pytest.fixture
def task() -> Callable[..., GameTask]:
    """Makes one game: `task(white, black, "1+0.1", fen)`, with every field open to change."""

    def make(white: EngineSpec, black: EngineSpec, control: str = "nodes=10", fen: str = ROOK_ENDING, **fields):
        limit = parse_time_control(control)
        return GameTask(0, white, black, limit, limit, fields.pop("opening", Opening(fen)), **fields)

    return make


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.epd"
    path.write_text(BOOK)
    return path


@pytest.fixture
def config(book: Path) -> Callable[..., MatchConfig]:
    """Makes a match of quick games."""
    from cythera.match.adjudication import Rules

    def make(*engines: EngineSpec, **fields) -> MatchConfig:
        settings = {"games": 4, "openings": str(book), "rules": Rules(max_moves=12)} | fields
        return MatchConfig(engines, parse_time_control(settings.pop("control", "nodes=10")), **settings)

    return make
