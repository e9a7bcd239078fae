"""Endgame tables in the Syzygy format: probing them, and making them.

Light to import: the engine does so at its start.
"""

from cythera.tables.probing import PACKAGE_TABLES, TableError, Tables

__all__ = ["PACKAGE_TABLES", "TableError", "Tables"]
