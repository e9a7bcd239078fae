"""`Tables`: folders of Syzygy files, probed for results and distances."""

from __future__ import annotations

import os

from cythera.core import EndgameTables, table_name
from cythera.errors import TableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cythera.core import Board

__all__ = ["DTZ_SUFFIX", "PACKAGE_TABLES", "WDL_SUFFIX", "TableError", "Tables", "package_tables", "tables_on"]

PACKAGE_TABLES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "tables")  # noqa: PTH118, PTH120
WDL_SUFFIX = ".rtbw"
DTZ_SUFFIX = ".rtbz"


def files_in(folder: str) -> list[tuple[str, str, str]]:
    """(name of the table, suffix, path) of each table file in a folder; other files are passed over."""
    found = []
    try:
        entries = sorted(os.listdir(folder))  # noqa: PTH208
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TableError(f"cannot read the folder of tables {folder!r}: {reason}") from None
    for entry in entries:
        stem, suffix = entry[:-5], entry[-5:]
        if suffix not in (WDL_SUFFIX, DTZ_SUFFIX):
            continue
        try:
            proper = table_name(stem) == stem
        except ValueError:
            continue
        if proper:
            found.append((stem, suffix, os.path.join(folder, entry)))  # noqa: PTH118
    return found


class Tables:
    """Endgame tables from one or more folders; where two have the same table, the first folder's is used.

    Files are opened when first needed. Probing is safe from several threads. A folder that cannot be read raises
    TableError; with `problems`, a list, it is left out, and the reason added there.

    >>> from cythera import Position
    >>> tables = Tables(PACKAGE_TABLES)
    >>> tables.probe_wdl(Position("8/8/8/8/3k4/8/8/K1Q5 w - - 0 1"))
    2
    """

    __slots__ = ("_core", "_files", "folders")

    def __init__(self, *folders: str | os.PathLike[str], problems: list[str] | None = None) -> None:
        self.folders = tuple(os.fspath(folder) for folder in folders)
        self._files: dict[str, dict[str, str]] = {}
        for folder in self.folders:
            try:
                files = files_in(folder)
            except TableError as error:
                if problems is None:
                    raise
                problems.append(str(error))
                continue
            for name, suffix, path in files:
                self._files.setdefault(name, {}).setdefault(suffix, path)
        encoded = {name: {s: os.fsencode(path) for s, path in paths.items()} for name, paths in self._files.items()}
        self._core = EndgameTables(
            (name, paths.get(WDL_SUFFIX), paths.get(DTZ_SUFFIX)) for name, paths in encoded.items()
        )

    @property
    def core(self) -> EndgameTables:
        """What the search takes."""
        return self._core

    @property
    def largest(self) -> int:
        """Pieces of the largest table with results, kings included; 0 without tables."""
        return self._core.largest

    def names(self) -> list[str]:
        """The tables found, whether or not they turn out to be sound."""
        return sorted(self._files, key=lambda name: (len(name), name))

    def path(self, name: str, suffix: str = WDL_SUFFIX) -> str | None:
        """The file of a table: `.rtbw` for results, `.rtbz` for distances."""
        return self._files.get(name, {}).get(suffix)

    def probe_wdl(self, position: Board) -> int | None:
        """The result for the side to move, the fifty-move counter taken to be zero.

        2 is a win, 0 a draw, -2 a loss; 1 a win and -1 a loss that the fifty-move rule makes a draw. None if no
        table has the position.
        """
        return self._core.probe_wdl(position)

    def probe_dtz(self, position: Board) -> int | None:
        """Half-moves to the next capture or pawn move with the result in hand, or to mate: positive for a win,
        negative for a loss, 0 for a draw, beyond ±100 where the fifty-move rule makes it a draw. None if no table
        has the position. Can be one half-move too small where a table counts in moves."""
        return self._core.probe_dtz(position)

    def problems(self) -> list[tuple[str, str]]:
        """Files found to be unusable so far, each with the reason."""
        return [(os.fsdecode(path), reason) for path, reason in self._core.problems()]

    def __len__(self) -> int:
        return len(self._files)

    def __repr__(self) -> str:
        return f"Tables({', '.join(map(repr, self.folders))})"


_package: list[Tables] = []


def package_tables() -> Tables:
    """The tables that come with the package. Shared, and opened once."""
    if not _package:
        _package.append(Tables(PACKAGE_TABLES))
    return _package[0]


def tables_on(path: str, *, package: bool = True, problems: list[str] | None = None) -> Tables:
    """The tables of the folders of a path (separated by `:`, on Windows by `;`), with those of the package after them
    unless they are not wanted. `problems` as for `Tables`."""
    folders = [folder.strip() for folder in path.split(os.pathsep) if folder.strip()]
    if package and not folders:
        return package_tables()
    return Tables(*folders, *([PACKAGE_TABLES] if package else []), problems=problems)
