"""Cythera: a chess engine with a compiled Cython core and everything else in Python.

Names are loaded when first used, so that `import cythera` costs next to nothing.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.analyse.game_analysis import GameAnalysis, MoveAnalysis
    from cythera.api import Analysis, Engine
    from cythera.board.position import Position
    from cythera.board.scores import Score
    from cythera.core import Move
    from cythera.engine.limits import Limit
    from cythera.engine.results import AsyncAnalysis, Line, Played
    from cythera.errors import (
        BookError,
        CytheraError,
        EngineBusyError,
        EngineClosedError,
        GameOverError,
        IllegalMoveError,
        InvalidFenError,
        LevelError,
        LimitError,
        NetError,
        OptionError,
        PgnError,
        TableError,
    )
    from cythera.explain.explanation import Explanation
    from cythera.explain.tree import SearchTree
    from cythera.games.game import Game
    from cythera.games.reader import read_games
    from cythera.notebook import board_widget

__all__ = [
    "Analysis", "AsyncAnalysis", "BookError", "CytheraError", "Engine", "EngineBusyError", "EngineClosedError",
    "Explanation", "Game", "GameAnalysis", "GameOverError", "IllegalMoveError", "InvalidFenError", "LevelError",
    "Limit", "LimitError", "Line", "Move", "MoveAnalysis", "NetError", "OptionError", "PgnError", "Played",
    "Position", "Score", "SearchTree", "TableError", "__version__", "board_widget",
    "read_games",
]  # fmt: skip

_HOMES = {
    "Analysis": "cythera.api",
    "AsyncAnalysis": "cythera.engine.results",
    "BookError": "cythera.errors",
    "CytheraError": "cythera.errors",
    "Engine": "cythera.api",
    "EngineBusyError": "cythera.errors",
    "EngineClosedError": "cythera.errors",
    "Explanation": "cythera.explain.explanation",
    "Game": "cythera.games.game",
    "GameAnalysis": "cythera.analyse.game_analysis",
    "GameOverError": "cythera.errors",
    "IllegalMoveError": "cythera.errors",
    "InvalidFenError": "cythera.errors",
    "LevelError": "cythera.errors",
    "Limit": "cythera.engine.limits",
    "LimitError": "cythera.errors",
    "Line": "cythera.engine.results",
    "Move": "cythera.core",
    "MoveAnalysis": "cythera.analyse.game_analysis",
    "NetError": "cythera.errors",
    "OptionError": "cythera.errors",
    "PgnError": "cythera.errors",
    "Played": "cythera.engine.results",
    "Position": "cythera.board.position",
    "Score": "cythera.board.scores",
    "SearchTree": "cythera.explain.tree",
    "TableError": "cythera.errors",
    "board_widget": "cythera.notebook",
    "read_games": "cythera.games.reader",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'cythera' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
