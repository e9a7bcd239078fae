"""Cythera: a chess engine with a compiled Cython core and everything else in Python.

Names are loaded when first used, so that `import cythera` costs next to nothing.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.core import Move
    from cythera.errors import CytheraError, IllegalMoveError, InvalidFenError
    from cythera.position import Position

__all__ = ["CytheraError", "IllegalMoveError", "InvalidFenError", "Move", "Position", "__version__"]

_HOMES = {
    "CytheraError": "cythera.errors",
    "IllegalMoveError": "cythera.errors",
    "InvalidFenError": "cythera.errors",
    "Move": "cythera.core",
    "Position": "cythera.position",
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
