"""Endgame tables in the Syzygy format: probing them, and making them.

Light to import: the engine does so at its start, and verdicts for people are loaded when first used.
"""

from cythera.tables.probing import PACKAGE_TABLES, TableError, Tables, package_tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.tables.verdicts import Verdict, move_verdicts, verdict

__all__ = ["PACKAGE_TABLES", "TableError", "Tables", "Verdict", "move_verdicts", "package_tables", "verdict"]


def __getattr__(name: str) -> object:
    if name not in ("Verdict", "move_verdicts", "verdict"):
        raise AttributeError(f"module 'cythera.tables' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module("cythera.tables.verdicts"), name)
