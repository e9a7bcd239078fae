"""A file of games, analysed by workers here or on a cluster, and written out in order."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any

from cythera.analyse.blocks import Block, Settings, blocks_of, search_block
from cythera.analyse.confirm import ROUNDS, Confirming, confirming_of, search_candidates
from cythera.analyse.game_analysis import GameAnalysis
from cythera.analyse.pgn_input import Problem, chess_game, read_file
from cythera.analyse.progress import Journal
from cythera.analyse.render import Rendering, judged, render
from cythera.common.executor import open_workers
from cythera.common.files import replacing
from cythera.engine.batch import BLOCK
from cythera.engine.results import Line
from cythera.errors import CytheraError
from cythera.games.game import Game

CONFIRMATION = -1  # in the progress file, the block of a game's confirmed candidates
CHECK_DEPTH = 4  # of the short bench that tells engines apart


class OutputError(CytheraError):
    """A result that cannot be written."""


@dataclass(frozen=True)
class Outputs:
    """Where results go; None for not wanted."""

    pgn: Path | None = None
    html: Path | None = None
    json: Path | None = None

    def by_kind(self) -> dict[str, Path]:
        wanted = {"pgn": self.pgn, "html": self.html, "json": self.json}
        return {kind: path for kind, path in wanted.items() if path is not None}

    def kinds(self) -> tuple[str, ...]:
        return tuple(self.by_kind())

    def paths(self) -> list[Path]:
        return list(self.by_kind().values())


@dataclass
class AnalysisRun:
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
    name: str = ""  # of the source, for messages
    inputs: list[Game] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    failed: set[int] = field(default_factory=set)  # games that could not be analysed

    def __post_init__(self) -> None:
        self.name = self.name or str(self.source)
        for path in self.outputs.paths():
            if path.exists() and path.samefile(self.source):
                raise OutputError(f"{path} is the input: choose another name")
            if not path.parent.is_dir():
                raise OutputError(f"cannot write {path}: there is no folder {path.parent}")
        self.inputs, found = read_file(self.source)
        self.problems = [problem._replace(file=self.name) for problem in found]

    @property
    def positions(self) -> int:
        return sum(len(game) + 1 for game in self.inputs)

    @contextlib.contextmanager
    def journal(self) -> Iterator[Journal]:
        """The progress file of this run, open; it stays if the run does not come to its end."""
        outputs = self.outputs.paths()
        facts = {
            **asdict(self.settings),
            "input": digest_of(self.source),
            "engine": engine_signature(),
            "confirmation": [list(one) for one in ROUNDS],
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

    def search(self, journal: Journal, tell: Callable[[int], object]) -> None:
        """Has everything searched that is missing, and every game put into words once it is searched.

        Errors are confirmed in between. All of it is work for the workers, since putting a game into words
        takes as long as some positions. Outputs are written in order as their turn comes, each whole or not
        at all. `tell` hears of positions done.
        """
        left: dict[int, int] = {}  # game -> blocks that are not searched yet
        ready: deque[int] = deque()  # games whose positions have all been searched
        kinds = self.outputs.kinds()

        def units() -> Iterator[Unit]:
            for number, game in enumerate(self.inputs):
                missing = [block for block in blocks_of(game, number) if (number, block.number) not in journal]
                left[number] = len(missing)
                if not missing:
                    ready.append(number)
                for block in missing:
                    yield from following()
                    yield block
            yield from following()

        def following() -> Iterator[Unit]:
            """The next step of games that are ready: candidates are confirmed, then the game is put into words."""
            while ready:
                number = ready.popleft()
                if (number, CONFIRMATION) not in journal:
                    unit = self.confirming(journal, number)
                    if unit.candidates:
                        yield unit
                        continue
                    journal.add(number, CONFIRMATION, [])
                if kinds:
                    yield self.rendering(journal, number, kinds)

        def finished(game: int) -> None:
            left[game] -= 1
            if left[game]:
                return
            if game in self.failed:
                write(game, {})
            else:
                ready.append(game)

        with self.writing() as write, open_workers(self.workers, self.cluster) as pool:
            todo = units()
            while True:
                for unit, found in pool.completed(partial(do, self.settings), todo):
                    number = unit.number if isinstance(unit, Rendering) else unit.game
                    if isinstance(found, Failure):
                        self.fail(number, found)
                    if isinstance(unit, Rendering):
                        write(number, {} if isinstance(found, Failure) else found)
                    elif isinstance(unit, Confirming):
                        if isinstance(found, Failure):
                            write(number, {})
                        else:
                            journal.add(number, CONFIRMATION, found)
                            ready.append(number)
                    else:
                        if not isinstance(found, Failure):
                            journal.add(number, unit.number, found)
                        tell(len(unit.plies))
                        finished(number)
                if not ready:  # the last games become ready when nothing else is left
                    break
                todo = following()

    def fail(self, number: int, failure: Failure) -> None:
        """Leaves out a game that could not be analysed; the others go on."""
        if number not in self.failed:
            self.failed.add(number)
            game = self.inputs[number]
            text = f"it cannot be analysed: {failure.text}"
            self.problems.append(Problem(self.name, game.line, game.number, text))

    def confirming(self, journal: Journal, number: int) -> Confirming:
        lines = [[Line.from_json(line) for line in lines] for lines in self.lines(journal, number)]
        return confirming_of(chess_game(self.inputs[number]), number, lines)

    def lines(self, journal: Journal, number: int) -> list[Any]:
        """The lines of all positions of a searched game, as plain data."""
        by_ply: dict[int, Any] = {}
        for block in blocks_of(self.inputs[number], number):
            by_ply.update(zip(block.plies, journal.lines(number, block.number), strict=True))
        return [by_ply[ply] for ply in range(len(by_ply))]

    def rendering(self, journal: Journal, number: int, kinds: tuple[str, ...] = ()) -> Rendering:
        """A searched game with all its lines."""
        lines = self.lines(journal, number)
        return Rendering(number, self.inputs[number], lines, journal.lines(number, CONFIRMATION), kinds)

    def done(self, journal: Journal) -> int:
        """Positions that an earlier run has searched."""
        blocks = (place for place in journal.places if place[1] != CONFIRMATION)
        return sum(min(BLOCK, len(self.inputs[game]) + 1 - block * BLOCK) for game, block in blocks)

    def games(self, journal: Journal) -> Iterator[GameAnalysis]:
        """The judged games in the order of the input."""
        for number in range(len(self.inputs)):
            if number not in self.failed:
                yield judged(self.rendering(journal, number))

    @contextlib.contextmanager
    def writing(self) -> Iterator[Callable[[int, dict[str, str]], None]]:
        """A function that takes the texts of games in any order and writes them in the input's."""
        waiting: dict[int, dict[str, str]] = {}
        turn = 0
        with contextlib.ExitStack() as stack:
            writers = {
                kind: stack.enter_context(writing(path, WRITERS[kind])) for kind, path in self.outputs.by_kind().items()
            }

            def write(number: int, texts: dict[str, str]) -> None:
                nonlocal turn
                waiting[number] = texts
                while turn in waiting:
                    for kind, text in waiting.pop(turn).items():
                        writers[kind].add(text)
                    turn += 1

            yield write


@dataclass(frozen=True)
class Failure:
    """Why a unit of work was not done."""

    text: str


Unit = Block | Confirming | Rendering


def do(settings: Settings, unit: Unit) -> Any:
    """What a worker does. Whatever goes wrong with a game must not cost the others."""
    try:
        if isinstance(unit, Rendering):
            return render(unit)
        return search_candidates(settings, unit) if isinstance(unit, Confirming) else search_block(settings, unit)
    except Exception as error:
        return Failure(f"{type(error).__name__}: {error}")


def digest_of(path: Path) -> str:
    """The SHA-256 of a file of any size."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


def engine_signature() -> int:
    """A short bench: another number means another engine, whose results must not be mixed with these."""
    from cythera.engine.bench import bench

    return bench(depth=CHECK_DEPTH, hash_mib=1)[0]


class PgnWriter:
    """Annotated games, one after the other."""

    between = ""

    def __init__(self, file: IO[str]) -> None:
        self.file = file
        self.is_first = True
        file.write(self.opening())

    def opening(self) -> str:
        return ""

    def closing(self) -> str:
        return ""

    def add(self, text: str) -> None:
        self.file.write(text if self.is_first else self.between + text)
        self.is_first = False

    def end(self) -> None:
        self.file.write(self.closing())


class JsonWriter(PgnWriter):
    """A document `{"format": …, "games": […]}`, a game a line."""

    between = ",\n"

    def opening(self) -> str:
        return '{"format": "cythera-analysis", "version": 1, "games": [\n'

    def closing(self) -> str:
        return "\n]}\n"


class PageWriter(PgnWriter):
    """The report as a page."""

    between = ",\n"

    def opening(self) -> str:
        from cythera.analyse.page import page_start

        return page_start()

    def closing(self) -> str:
        from cythera.analyse.page import page_end

        return page_end()


WRITERS: dict[str, type[PgnWriter]] = {"pgn": PgnWriter, "html": PageWriter, "json": JsonWriter}


@contextlib.contextmanager
def writing(path: Path, make: type[PgnWriter]) -> Iterator[PgnWriter]:
    """A writer to a file under another name, which gets its own when all is written."""
    try:
        with replacing(path) as file:
            writer = make(file)
            yield writer
            writer.end()
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from error
