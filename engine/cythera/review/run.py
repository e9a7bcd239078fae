"""A file of games, analysed by workers here or on a cluster, and written out in order."""

from __future__ import annotations

import contextlib
import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any

from cythera.batch import BLOCK
from cythera.errors import CytheraError
from cythera.executor import open_crew
from cythera.review.game import GameAnalysis, judge_game
from cythera.review.journal import Journal
from cythera.review.source import Problem, Span, read_file, read_span
from cythera.review.work import Block, Settings, blocks_of, search_block

CHECK_DEPTH = 4  # of the short bench that tells engines apart


class OutputError(CytheraError):
    """A result that cannot be written."""


@dataclass(frozen=True)
class Outputs:
    """Where results go; None for not wanted."""

    pgn: Path | None = None
    html: Path | None = None
    json: Path | None = None

    def paths(self) -> list[Path]:
        return [path for path in (self.pgn, self.html, self.json) if path is not None]


@dataclass
class Run:
    """The analysis of one file.

    Progress is kept in a file beside the first output, named like it with `.progress` added, and
    removed when everything is written. Without an output it is kept nowhere.
    """

    source: Path
    settings: Settings
    outputs: Outputs
    workers: int = 1
    cluster: str | None = None
    restart: bool = False
    spans: list[Span] = field(default_factory=list)
    plies: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        for path in self.outputs.paths():
            if path.exists() and path.samefile(self.source):
                raise OutputError(f"{path} is the input: choose another name")
            if not path.parent.is_dir():
                raise OutputError(f"{path} cannot be written: there is no folder {path.parent}")
        self.spans, self.problems, self.plies = read_file(self.source)

    @property
    def positions(self) -> int:
        return sum(plies + 1 for plies in self.plies)

    @contextlib.contextmanager
    def journal(self) -> Iterator[Journal]:
        """The progress file of this run, open; it stays if the run does not come to its end."""
        outputs = self.outputs.paths()
        facts = {
            **asdict(self.settings),
            "input": digest_of(self.source),
            "engine": engine_signature(),
        }
        if outputs:
            path = outputs[0].with_name(outputs[0].name + ".progress")
            if self.restart:
                path.unlink(missing_ok=True)
            journal = Journal(path, facts)
            try:
                yield journal
            finally:
                journal.close()
            return
        with tempfile.TemporaryDirectory() as folder:
            journal = Journal(Path(folder) / "progress", facts)
            try:
                yield journal
            finally:
                journal.close()

    def missing(self, journal: Journal) -> Iterator[Block]:
        """The blocks that are still to be searched, game after game."""
        for number, span in enumerate(self.spans):
            for block in blocks_of(read_span(self.source, span).game, number):
                if (block.game, block.number) not in journal:
                    yield block

    def search(self, journal: Journal, tell: Callable[[int], object]) -> None:
        """Has everything searched that is missing; `tell` hears of positions done."""
        blocks = self.missing(journal)
        first = next(blocks, None)
        if first is None:
            return
        with open_crew(self.workers, self.cluster) as crew:
            todo = (block for part in ((first,), blocks) for block in part)
            for block, lines in crew.completed(partial(search_block, self.settings), todo):
                journal.add(block.game, block.number, lines)
                tell(len(block.plies))

    def done(self, journal: Journal) -> int:
        """Positions that an earlier run has searched."""
        return sum(min(BLOCK, self.plies[game] + 1 - block * BLOCK) for game, block in journal.places)

    def games(self, journal: Journal) -> Iterator[GameAnalysis]:
        """The judged games in the order of the input."""
        for number, span in enumerate(self.spans):
            game = read_span(self.source, span).game
            by_ply: dict[int, Any] = {}
            for block in blocks_of(game, number):
                by_ply.update(zip(block.plies, journal.lines(number, block.number), strict=True))
            yield judge_game(game, [by_ply[ply] for ply in range(len(by_ply))])

    def write(self, journal: Journal, hear: Callable[[GameAnalysis], object]) -> None:
        """Writes all outputs, each whole or not at all; `hear` gets every game."""
        with contextlib.ExitStack() as stack:
            writers = [
                stack.enter_context(writing(path, make))
                for path, make in (
                    (self.outputs.pgn, PgnWriter),
                    (self.outputs.html, PageWriter),
                    (self.outputs.json, JsonWriter),
                )
                if path is not None
            ]
            for analysis in self.games(journal):
                for writer in writers:
                    writer.add(analysis)
                hear(analysis)


def digest_of(path: Path) -> str:
    """The SHA-256 of a file of any size."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def engine_signature() -> int:
    """A short bench: another number means another engine, whose results must not be mixed with these."""
    from cythera.bench import bench

    return bench(depth=CHECK_DEPTH)[0]


class PgnWriter:
    """Annotated games, one after the other."""

    def __init__(self, file: IO[str]) -> None:
        self.file = file

    def add(self, analysis: GameAnalysis) -> None:
        self.file.write(analysis.pgn() + "\n\n")

    def end(self) -> None:
        pass


class JsonWriter:
    """A document `{"format": …, "games": […]}`, a game a line."""

    def __init__(self, file: IO[str]) -> None:
        self.file = file
        self.is_first = True
        file.write('{"format": "cythera-analysis", "version": 1, "games": [')

    def add(self, analysis: GameAnalysis) -> None:
        self.file.write("\n" if self.is_first else ",\n")
        self.is_first = False
        json.dump(analysis.as_json(), self.file, ensure_ascii=False, separators=(",", ":"))

    def end(self) -> None:
        self.file.write("\n]}\n")


class PageWriter:
    """The report as a page."""

    def __init__(self, file: IO[str]) -> None:
        from cythera.review.page import page_end, page_game, page_start

        self.file = file
        self.game, self.closing = page_game, page_end
        self.is_first = True
        file.write(page_start())

    def add(self, analysis: GameAnalysis) -> None:
        self.file.write(("" if self.is_first else ",\n") + self.game(analysis))
        self.is_first = False

    def end(self) -> None:
        self.file.write(self.closing())


Writer = PgnWriter | JsonWriter | PageWriter


@contextlib.contextmanager
def writing(path: Path, make: type[PgnWriter] | type[JsonWriter] | type[PageWriter]) -> Iterator[Writer]:
    """A writer to a file under another name, which gets its own when all is written."""
    draft = path.with_name(path.name + ".part")
    try:
        with open(draft, "w", encoding="utf-8", newline="\n") as file:
            writer = make(file)
            yield writer
            writer.end()
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
