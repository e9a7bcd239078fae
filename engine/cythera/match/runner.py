"""Runs a match: hands out games, takes results in, keeps the files, and stops when it is decided."""

import hashlib
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Protocol

from cythera import __version__
from cythera.common.executor import open_workers
from cythera.match.archive import Archive
from cythera.match.config import MatchConfig
from cythera.match.game_data import GameRecord, GameTask
from cythera.match.match_errors import EngineError, MatchError
from cythera.match.openings.opening_files import Openings, load_book
from cythera.match.pgn import PgnFile, final_position, game_text
from cythera.match.referee import play_game
from cythera.match.stats.tally import Tally
from cythera.match.uci.engines import identify_all, reject_managed

HOPELESS = 5  # games in a row that an engine may lose by crashing or hanging before the match is given up


class MatchWatcher(Protocol):
    """Is told what happens, to show it."""

    def begin(self, match: "Match") -> None: ...

    def game(self, match: "Match", record: GameRecord) -> None: ...

    def end(self, match: "Match") -> None: ...


@dataclass(slots=True)
class Files:
    """Where a match writes, and what an earlier run of it has left.

    `played` are the games of a match that is resumed, `replayed` those of one that is played again,
    `manifest` is what there was when it began.
    """

    pgn: Path | None = None
    json: Path | None = None
    pgn_bytes: int | None = None
    played: list[GameRecord] = field(default_factory=list)
    replayed: list[GameRecord] = field(default_factory=list)
    manifest: dict[str, Any] = field(default_factory=dict)
    epd: Path | None = None
    pgn_details: tuple[str, ...] = ()
    event: str = "Cythera match"
    site: str = "?"


class Match:
    """One match, from checks to the last game.

    Games arrive in any order but are counted, written and judged in the order of their index. So neither
    the PGN nor a sequential test depends on how many games run at once, and quick games do not get ahead.
    """

    def __init__(self, config: MatchConfig, files: Files, *, concurrency: int = 1, cluster: str | None = None) -> None:
        """Check everything that can be checked before a game: engines, openings, files."""
        if concurrency < 1:
            raise MatchError(f"the number of games in parallel must be at least 1, got {concurrency}")
        self.config = config
        self.concurrency = concurrency
        self.cluster = cluster
        self.schedule = config.schedule()
        book, self.book_name = load_book(config.openings, chess960=config.chess960)
        self.openings = Openings(book, config.order, config.seed, config.start, config.opening_plies)
        names = [spec.name for spec in config.engines]
        self.tally = Tally(names, [(names[one], names[other]) for one, other in self.schedule.meetings])
        for record in sorted(files.played, key=lambda record: record.index):
            self.tally.add(record)
        self.resumed = len(files.played)
        self.earlier = {record.index: [move.uci for move in record.moves] for record in files.replayed}
        self.same_games = 0
        for spec in config.engines:
            reject_managed(spec)
        self.identities = identify_all(config.engines, chess960=config.chess960, ponder=config.ponder)
        self.manifest = self._manifest(len(book))
        self.changed = self._changes(files.manifest)
        if files.played and self.changed:
            raise MatchError(f"the match cannot be resumed, since {self.changed[0]} since it began")
        self.verdict: str | None = None
        self.began = time.monotonic()
        self._failing: dict[str, int] = {}
        self.pgn = PgnFile(files.pgn, files.pgn_bytes) if files.pgn else None
        self.files = files
        self.epd = PgnFile(files.epd) if files.epd else None
        self.archive = Archive(files.json, config, self.manifest) if files.json else None
        if self.archive:
            for record in files.played:
                self.archive.add(record)
            self._save(final=True)

    # ------------------------------------------------------------ playing

    def run(self, watcher: MatchWatcher, stop: Callable[[], bool] = lambda: False) -> None:
        """Play until all games are done, the test has decided, or `stop()` is true.

        Games under way when the match stops are abandoned: they count nowhere and are played again when
        the match is resumed.
        """
        self.began = time.monotonic()
        order = iter([pairing.index for pairing in self.schedule.games(self.tally.seen)])
        waiting: dict[int, GameRecord] = {}
        expected = next(order, None)
        self._judge()
        watcher.begin(self)
        try:
            if self.verdict is None and expected is not None:
                with open_workers(self.concurrency, self.cluster) as pool:
                    games = pool.completed(play_game, self._tasks(), stopped=stop)
                    for _, record in games:
                        waiting[record.index] = record
                        while expected in waiting and self.verdict is None:
                            self._count(waiting.pop(expected), watcher)
                            expected = next(order, None)
                        self._save()
                        if self.verdict is not None:
                            break
                    games.close()
            if self.verdict is None:  # stopped: what is complete counts, gaps are for later
                for index in sorted(waiting):
                    self._count(waiting.pop(index), watcher)
        finally:
            self._save(final=True)
            for file in (self.pgn, self.epd):
                if file:
                    file.close()
            watcher.end(self)

    @property
    def stopped(self) -> bool:
        """Whether there is anything left to play."""
        return self.verdict is None and self.tally.games < len(self.schedule)

    def _tasks(self) -> Iterator[GameTask]:
        for pairing in self.schedule.games(self.tally.seen):
            yield self.config.task(pairing, self.openings[pairing.opening])

    def _count(self, record: GameRecord, watcher: MatchWatcher) -> None:
        if self.pgn:
            self.pgn.write(self.pgn_text(record))
        if self.epd:
            self.epd.write(final_position(record, chess960=self.config.chess960))
        self.tally.add(record)
        self.same_games += self.earlier.get(record.index) == [move.uci for move in record.moves]
        if self.archive:
            self.archive.add(record)
        self._judge()
        watcher.game(self, record)
        self._give_up_if_hopeless(record)

    def _judge(self) -> None:
        if self.config.sprt and self.verdict is None:
            self.verdict = self.config.sprt.decision(self.tally.first_meeting.pentanomial)

    def _give_up_if_hopeless(self, record: GameRecord) -> None:
        loser = record.white if record.result == "0-1" else record.black
        if record.failure not in (EngineError.CRASH, EngineError.HANG):
            self._failing.pop(record.white, None)
            self._failing.pop(record.black, None)
            return
        self._failing[loser] = self._failing.get(loser, 0) + 1
        if self._failing[loser] >= HOPELESS:
            raise MatchError(f"{loser} failed in {HOPELESS} games in a row; the last time, {record.reason}")

    # ------------------------------------------------------------ files

    def pgn_text(self, record: GameRecord) -> str:
        controls = {spec.name: str(self.config.control_of(spec)) for spec in self.config.engines}
        return game_text(
            record,
            event=self.files.event,
            site=self.files.site,
            details=self.files.pgn_details,
            time_controls=(controls[record.white], controls[record.black]),
            chess960=self.config.chess960,
        )

    def _save(self, *, final: bool = False) -> None:
        if not self.archive:
            return
        from cythera.match.report import summary

        document = self.archive.document
        document["pgn"] = {"path": str(self.pgn.path), "bytes": self.pgn.size} if self.pgn else None
        document["summary"] = summary(self)
        self.archive.save(final=final)

    def _changes(self, before: dict[str, Any]) -> list[str]:
        """What is no longer as it was, in words."""
        changed = []
        for name, then in before.get("engines", {}).items():
            now = self.identities.get(name)
            if now and (then["fingerprint"], then["net"]) != (now.fingerprint, now.net):
                changed.append(f"the program {name} has changed")
        if before and before["openings"]["sha256"] != self.manifest["openings"]["sha256"]:
            changed.append("the opening file has changed")
        return changed

    def _manifest(self, openings: int) -> dict[str, Any]:
        """What there was when the match began, for those who want to repeat it."""
        digest = ""
        if Path(self.book_name).is_file():
            digest = hashlib.sha256(Path(self.book_name).read_bytes()).hexdigest()
        return {
            "cythera": __version__,
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
            "began": datetime.now(timezone.utc).isoformat(timespec="seconds"),
            "concurrency": self.concurrency,
            "openings": {"name": Path(self.book_name).name, "count": openings, "sha256": digest},
            "engines": {
                name: {"id": one.id_name, "author": one.author, "fingerprint": one.fingerprint, "net": one.net}
                for name, one in self.identities.items()
            },
        }
