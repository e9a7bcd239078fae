"""Tuning by games: SPSA over an engine's options, on the same workers as matches."""

import json
import math
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cythera.common.executor import WorkerPool, open_workers
from cythera.common.files import atomic_write
from cythera.common.toml import read_toml
from cythera.match.adjudication import Rules
from cythera.match.archive import damaged, read_document
from cythera.match.game_data import POINTS, GameRecord, GameTask
from cythera.match.match_errors import MatchError
from cythera.match.openings.opening_files import Openings, load_book
from cythera.match.referee import play_game
from cythera.match.time_control import TimeControl, parse_time_control
from cythera.match.uci.engines import OWN, EngineSpec, identify, spec_from_table
from cythera.tuning.spsa import Parameter, Spsa, Trial

if TYPE_CHECKING:
    from cythera.tuning.in_process import PairTask, Side

FORMAT = "cythera-tuning"
SAVE_S = 5.0
POINTS_KEPT = 2000  # of the history, for the plot; every second one goes when there are more
LIST_S = 20.0


@dataclass(frozen=True, slots=True)
class GameUnit:
    """One iteration: a pair of games between the two sets of values of a trial."""

    trial: Trial
    games: tuple[GameTask, GameTask]


def play_unit(unit: GameUnit) -> tuple[float, str]:
    """Points of `plus` less points of `minus`, and what went wrong, if anything did."""
    first, second = (play_game(task) for task in unit.games)
    # Both players have the engine's name: only colours tell them apart.
    points = 2 * (POINTS[first.result] - POINTS[second.result])
    return points, _fault(first) or _fault(second)


def _fault(record: GameRecord) -> str:
    return record.reason if record.failure else ""


@dataclass(frozen=True, slots=True)
class UnitInProcess:
    """The same as a pair that is played by the worker itself, without other processes."""

    trial: Trial
    pair: "PairTask"


def play_unit_in_process(unit: UnitInProcess) -> tuple[float, str]:
    """As `play_unit`. Only here, in a worker, does tuning search with the compiled core."""
    from cythera.tuning.in_process import play_task

    return play_task(unit.pair).points, ""


def check_in_process(engine: EngineSpec, control: TimeControl) -> None:
    """Raises `MatchError` for games that cannot be played in process."""
    if (engine.command, engine.directory, engine.environment) != ((OWN,), None, ()):
        raise MatchError(f"in process only {OWN} itself can play, not {engine.name}: leave out --in-process")
    if control != TimeControl(nodes=control.nodes or 1):
        raise MatchError(f"in process games are played at fixed nodes, not at {control}: give --nodes")


@dataclass(slots=True)
class TuneConfig:
    """What is tuned under which conditions."""

    engine: EngineSpec
    control: TimeControl
    openings: str | None = None
    rules: Rules = field(default_factory=Rules)
    margin_ms: float = 10.0
    chess960: bool = False
    in_process: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "engine": self.engine.as_json(),
            "tc": str(self.control),
            "openings": self.openings,
            "margin_ms": self.margin_ms,
            "chess960": self.chess960,
            "in_process": self.in_process,
        }

    def side(self, tunables: Mapping[str, int]) -> "Side":
        """One player of a pair in process."""
        from cythera.tuning.in_process import Side

        assert self.control.nodes
        return Side.from_options(self.engine.options, self.control.nodes, tunables)


class Tuning:
    """A tuning run that saves itself and can be resumed.

    Iterations that are under way when it stops are lost and played again: SPSA does not mind.
    """

    def __init__(self, config: TuneConfig, spsa: Spsa, path: Path, history: list[list[float]] | None = None) -> None:
        self.config = config
        self.spsa = spsa
        self.path = path
        self.history = history or [[0.0, *spsa.values]]
        self.faults: list[str] = []
        book, _ = load_book(config.openings, chess960=config.chess960)
        self.openings = Openings(book, seed=spsa.seed)
        self._check_parameters()
        self._every = max(1, spsa.iterations // POINTS_KEPT)
        self._next_save = 0.0
        self.began = time.monotonic()
        self.began_at = spsa.done
        self.save()

    def _check_parameters(self) -> None:
        """The engine must know them all, before any game."""
        config, parameters = self.config, self.spsa.parameters
        if not config.in_process:
            defaults = {parameter.name: str(round(parameter.default)) for parameter in parameters}
            identify(config.engine.with_options(defaults), chess960=config.chess960)
            return
        from cythera.net.load import net_for

        check_in_process(config.engine, config.control)
        net_for(config.side({parameter.name: math.floor(parameter.low) for parameter in parameters}).eval_file)
        config.side({parameter.name: math.floor(parameter.high) for parameter in parameters})

    def run(
        self,
        *,
        concurrency: int = 1,
        cluster: str | None = None,
        stop: Callable[[], bool] = lambda: False,
        watch: Callable[["Tuning"], None] = lambda tuning: None,
    ) -> None:
        """Iterate until all is done or `stop()`; `watch` is called after each iteration."""
        try:
            with open_workers(concurrency, cluster) as pool:
                for trial, points, fault in self._played(pool, stop):
                    if fault:
                        self.faults.append(fault)
                    self.spsa.update(trial, points)
                    if self.spsa.done % self._every == 0 or self.spsa.done == self.spsa.iterations:
                        self.history.append([float(self.spsa.done), *self.spsa.values])
                    if time.monotonic() >= self._next_save:
                        self.save()
                    watch(self)
        finally:
            self.save()

    def _played(self, pool: WorkerPool, stop: Callable[[], bool]) -> Iterator[tuple[Trial, float, str]]:
        if self.config.in_process:
            for pair, (points, fault) in pool.completed(play_unit_in_process, self._units_in_process(), stopped=stop):
                yield pair.trial, points, fault
        else:
            for unit, (points, fault) in pool.completed(play_unit, self._units(), stopped=stop):
                yield unit.trial, points, fault

    def _trials(self) -> Iterator[Trial]:
        return map(self.spsa.trial, range(self.spsa.done, self.spsa.iterations))

    def _units(self) -> Iterator[GameUnit]:
        names = [parameter.name for parameter in self.spsa.parameters]
        for trial in self._trials():
            plus = tuple(zip(names, map(str, trial.plus), strict=True))
            minus = tuple(zip(names, map(str, trial.minus), strict=True))
            games = self._game(trial.iteration, plus, minus), self._game(trial.iteration, minus, plus)
            yield GameUnit(trial, games)

    def _units_in_process(self) -> Iterator[UnitInProcess]:
        from cythera.tuning.in_process import PairTask

        config = self.config
        names = [parameter.name for parameter in self.spsa.parameters]
        for trial in self._trials():
            plus, minus = (config.side(dict(zip(names, values, strict=True))) for values in (trial.plus, trial.minus))
            start = self.openings[trial.iteration]
            pair = PairTask(trial.iteration, plus, minus, start.fen, start.moves, config.rules, config.chess960)
            yield UnitInProcess(trial, pair)

    def _game(self, iteration: int, white: tuple[tuple[str, str], ...], black: tuple[tuple[str, str], ...]) -> GameTask:
        config = self.config
        return GameTask(
            index=iteration,
            white=config.engine,
            black=config.engine,
            white_control=config.control,
            black_control=config.control,
            opening=self.openings[iteration],
            rules=config.rules,
            chess960=config.chess960,
            margin_ms=config.margin_ms,
            white_settings=white,
            black_settings=black,
        )

    def save(self) -> None:
        document = {"format": FORMAT, "tuning": self.config.as_json(), "spsa": self.spsa.as_json()}
        try:
            atomic_write(self.path, json.dumps(document | {"history": self.history}))
        except OSError as error:
            raise MatchError(f"cannot write the tuning file {self.path}: {error.strerror}") from error
        self._next_save = time.monotonic() + SAVE_S


def read_tuning(path: Path) -> tuple[TuneConfig, Spsa, list[list[float]]]:
    """The state of a tuning file."""
    document = read_document(path, "tuning", FORMAT)
    try:
        found = document["tuning"]
        table = found["engine"]
        config = TuneConfig(
            engine=spec_from_table(table["name"], table, Path(), str(path)),
            control=parse_time_control(found["tc"]),
            openings=found["openings"],
            margin_ms=found["margin_ms"],
            chess960=found["chess960"],
            in_process=found.get("in_process", False),
        )
        return config, Spsa.from_json(document["spsa"]), document["history"]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise damaged(path, "tuning", error) from error


# ---------------------------------------------------------------- what can be tuned


def ask_for_parameters(engine: EngineSpec) -> list[Parameter]:
    """The engine's own list: it is run with the one argument `tunables` and prints JSON.

    The list has an object with name, default, min, max and step for each parameter.
    """
    try:
        done = subprocess.run(
            [*engine.argv(), "tunables"],
            capture_output=True,
            text=True,
            timeout=LIST_S,
            stdin=subprocess.DEVNULL,
            cwd=engine.directory,
            check=False,
        )
        rows = json.loads(done.stdout)
        return [parameter_from_table(row, engine.name) for row in rows]
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        raise MatchError(f"{engine.name} does not list what can be tuned: give a file with --params") from error


def load_parameters(path: Path) -> list[Parameter]:
    """Parameters from a TOML file with a table `[params.NAME]` each: default, min, max and step."""
    tables = read_toml(path, "parameter file").get("params")
    if not isinstance(tables, dict) or not tables:
        raise MatchError(f"the parameter file {path} has no table [params.NAME]")
    return [parameter_from_table({"name": name, **table}, str(path)) for name, table in tables.items()]


def parameter_from_table(table: dict[str, Any], where: str) -> Parameter:
    try:
        low, high = float(table["min"]), float(table["max"])
        step = float(table.get("step", max(1.0, (high - low) / 20)))
        return Parameter(str(table["name"]), float(table["default"]), low, high, step)
    except (KeyError, TypeError, ValueError) as error:
        raise MatchError(f"{where}: a parameter needs name, default, min, max and step: {error}") from error
