"""Cythera: a chess engine with a compiled Cython core and everything else in Python.

Names are loaded when first used, so that `import cythera` costs next to nothing.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.analysis import Analysis, AsyncAnalysis, Line, Played
    from cythera.core import Move
    from cythera.engine import Engine, EngineBusyError, EngineClosedError, GameOverError
    from cythera.errors import CytheraError, IllegalMoveError, InvalidFenError
    from cythera.explain.explanation import Explanation
    from cythera.explain.tree import SearchTree
    from cythera.limits import Limit
    from cythera.position import Position
    from cythera.review.game import GameAnalysis, MoveAnalysis
    from cythera.scores import Score

__all__ = [
    "Analysis", "AsyncAnalysis", "CytheraError", "Engine", "EngineBusyError", "EngineClosedError", "Explanation",
    "GameAnalysis", "GameOverError", "IllegalMoveError", "InvalidFenError", "Limit", "Line", "Move", "MoveAnalysis",
    "Played", "Position", "Score", "SearchTree", "__version__",
]  # fmt: skip

_HOMES = {
    "Analysis": "cythera.analysis",
    "AsyncAnalysis": "cythera.analysis",
    "CytheraError": "cythera.errors",
    "Engine": "cythera.engine",
    "EngineBusyError": "cythera.engine",
    "EngineClosedError": "cythera.engine",
    "Explanation": "cythera.explain.explanation",
    "GameAnalysis": "cythera.review.game",
    "GameOverError": "cythera.engine",
    "IllegalMoveError": "cythera.errors",
    "InvalidFenError": "cythera.errors",
    "Limit": "cythera.limits",
    "Line": "cythera.analysis",
    "Move": "cythera.core",
    "MoveAnalysis": "cythera.review.game",
    "Played": "cythera.analysis",
    "Position": "cythera.position",
    "Score": "cythera.scores",
    "SearchTree": "cythera.explain.tree",
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
