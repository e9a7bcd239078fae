"""The match file (`--json`): what was to be played, by whom, and all results; a match resumes from it."""

import json
import time
from pathlib import Path
from typing import Any

from cythera.common.files import atomic_write
from cythera.common.typed import fits
from cythera.match.config import MatchConfig
from cythera.match.game_data import GameRecord
from cythera.match.match_errors import MatchError

FORMAT = "cythera-match"
VERSION = 1
MIN_INTERVAL_S = 2.0


class Archive:
    """A JSON document rewritten as a whole, under another name first, so that it is never half written.

    It is saved every few seconds, and less often when saving takes long; `save(final=True)` saves at once.
    """

    def __init__(self, path: Path, config: MatchConfig, manifest: dict[str, Any]) -> None:
        self.path = path
        self.document: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "match": config.as_json(),
            "manifest": manifest,
            "pgn": None,
            "summary": {},
            "games": [],
        }
        self._next = 0.0

    def add(self, record: GameRecord) -> None:
        self.document["games"].append(record.as_json())

    def save(self, *, final: bool = False) -> None:
        begin = time.monotonic()
        if not final and begin < self._next:
            return
        try:
            atomic_write(self.path, json.dumps(self.document, indent=1, ensure_ascii=False))
        except OSError as error:
            raise MatchError(f"cannot write the match file {self.path}: {error.strerror}") from error
        now = time.monotonic()
        self._next = now + max(MIN_INTERVAL_S, 20 * (now - begin))


def read_document(path: Path, kind: str, form: str) -> dict[str, Any]:
    """The JSON object of a file of that kind, known by its format."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise MatchError(f"cannot read the {kind} file {path}: {error.strerror}") from error
    except ValueError as error:
        raise MatchError(f"the {kind} file {path} is not JSON: {error}") from error
    if not isinstance(document, dict) or document.get("format") != form:
        raise MatchError(f"{path} is not a {kind} file of Cythera")
    return document


def damaged(path: Path, kind: str, error: Exception) -> MatchError:
    """What to raise when the contents of a file are not those it should have."""
    reason = f"{error} is missing" if isinstance(error, KeyError) else error
    return MatchError(f"the {kind} file {path} is damaged: {reason}")


def read_archive(path: Path) -> tuple[MatchConfig, dict[str, Any], list[GameRecord]]:
    """The match, the whole document and the games of a match file."""
    document = read_document(path, "match", FORMAT)
    if document.get("version") != VERSION:
        raise MatchError(f"the match file {path} is of version {document.get('version')}; this Cythera reads {VERSION}")
    config = MatchConfig.from_json(document.get("match", {}))
    try:
        games = [GameRecord.from_json(game) for game in document["games"]]
        check_document(config, document, games)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise damaged(path, "match", error) from error
    return config, document, games


def check_document(config: MatchConfig, document: dict[str, Any], games: list[GameRecord]) -> None:
    """Raises ValueError or TypeError where the games or the notes of a match file contradict the match."""
    names = {spec.name for spec in config.engines}
    if len({game.index for game in games}) < len(games):
        raise ValueError("a game is there twice")
    for game in games:
        if game.index < 0 or not {game.white, game.black} <= names:
            raise ValueError(f"game {game.index} is not one of this match")
    if not isinstance(document.get("manifest", {}), dict):
        raise TypeError("manifest must be an object")
    written = document.get("pgn")
    if written is not None and not (isinstance(written["path"], str) and fits(written["bytes"], int)):
        raise TypeError("pgn must have a path and a number of bytes")
