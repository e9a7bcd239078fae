"""What a run has found so far, in a file beside its output, so that a killed run can be resumed.

The file is text: a line of JSON with the settings, then a line for each block of positions as it is
finished. A half-written last line is cut off. Results stay on the disk and are read back when they
are needed, so memory holds only their places.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cythera.errors import CytheraError

FORMAT = "cythera-analysis-progress"


class JournalError(CytheraError):
    """A progress file that does not belong to this run, or cannot be written."""


class Journal:
    """A file of finished blocks. `settings` decide the results; another run's file is refused."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        self.path = path
        self.places: dict[tuple[int, int], int] = {}  # game, block -> where its line begins
        settings = {"format": FORMAT, **settings}
        try:
            if path.exists() and path.stat().st_size:
                self._read(settings)
            else:
                path.write_text(json.dumps(settings) + "\n", encoding="utf-8")
            self.file = open(path, "r+b")  # noqa: SIM115 - closed by close()
            self.file.seek(0, os.SEEK_END)
        except OSError as error:
            raise JournalError(f"cannot write the progress file {path}: {error.strerror}") from error

    def _read(self, settings: dict[str, Any]) -> None:
        sound = 0
        with open(self.path, "rb") as file:
            for line in file:
                try:
                    row = json.loads(line) if line.endswith(b"\n") else None
                except ValueError:
                    row = None
                if sound == 0:
                    self._check(row, settings)
                elif row is None:
                    break
                else:
                    self.places[row[0], row[1]] = sound
                sound += len(line)
        os.truncate(self.path, sound)

    def _check(self, known: object, settings: dict[str, Any]) -> None:
        advice = "remove it, or give --no-resume"
        if not isinstance(known, dict) or known.get("format") != FORMAT:
            raise JournalError(f"cannot use {self.path}: it is not a progress file of this command")
        changed = [name for name in settings if known.get(name) != settings[name]]
        if changed:
            raise JournalError(f"{self.path} was created with different settings ({', '.join(changed)}): {advice}")

    def add(self, game: int, block: int, lines: Sequence[Any]) -> None:
        """Keeps a finished block; it is on the disk when this returns."""
        place = self.file.tell()
        try:
            self.file.write(json.dumps([game, block, lines], separators=(",", ":")).encode() + b"\n")
            self.file.flush()
        except OSError as error:
            raise JournalError(f"cannot write the progress file {self.path}: {error.strerror}") from error
        self.places[game, block] = place

    def lines(self, game: int, block: int) -> list[Any]:
        """What was kept of a finished block, as plain data."""
        end = self.file.tell()
        self.file.seek(self.places[game, block])
        row = json.loads(self.file.readline())
        self.file.seek(end)
        found: list[Any] = row[2]
        return found

    def __contains__(self, key: object) -> bool:
        return key in self.places

    def close(self) -> None:
        self.file.close()

    def remove(self) -> None:
        self.close()
        self.path.unlink(missing_ok=True)
