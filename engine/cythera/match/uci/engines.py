"""Who plays: engine descriptions from the command line and from TOML files, started and checked."""

import hashlib
import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cythera.common.toml import read_toml
from cythera.match.match_errors import EngineError, MatchError
from cythera.match.time_control import TimeControl, parse_seconds, parse_time_control
from cythera.match.uci.declared_options import MANAGED, check_value
from cythera.match.uci.process import EngineProcess

OWN = "cythera"  # the command that means this installation's own engine
UNDECLARED = "Cythera"  # its search constants are options that it does not declare, but it says which it refuses


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """An engine to be started: everything a worker needs, picklable and hashable.

    A command of just `cythera` is this installation's own engine wherever the worker runs. `control` is
    the engine's own time control, None for the match's. `log` is a folder for files with the UCI traffic.
    """

    name: str
    command: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    control: TimeControl | None = None
    directory: str | None = None
    environment: tuple[tuple[str, str], ...] = ()
    log: str | None = None

    def argv(self) -> list[str]:
        if self.command == (OWN,):
            return [sys.executable, "-m", "cythera"]
        return list(self.command)

    def with_options(self, extra: Mapping[str, str]) -> "EngineSpec":
        """The same engine with options added or replaced; spelling decides nothing."""
        merged = {name.lower(): (name, value) for name, value in self.options}
        merged |= {name.lower(): (name, value) for name, value in extra.items()}
        return replace(self, options=tuple(merged.values()))

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"name": self.name, "command": list(self.command)}
        if self.options:
            found["options"] = dict(self.options)
        if self.control:
            found["tc"] = str(self.control)
        if self.directory:
            found["dir"] = self.directory
        if self.environment:
            found["env"] = dict(self.environment)
        return found


def start(spec: EngineSpec, *, chess960: bool = False, ponder: bool = False) -> EngineProcess:
    """A running engine with its options set and ready for a first game."""
    log = str(Path(spec.log) / f"{spec.name.replace('/', '-')}-{os.getpid()}.log") if spec.log else None
    engine = EngineProcess(
        spec.name, spec.argv(), directory=spec.directory, environment=dict(spec.environment), log=log
    )
    try:
        engine.handshake()
        options = dict(spec.options)
        # Threads before Hash: some engines allocate the one for the other.
        for name in sorted(options, key=lambda name: (name.lower() != "threads", name.lower() != "hash")):
            if name.lower() not in engine.options and engine.id_name.startswith(UNDECLARED):
                engine.set_option(name, options[name])
            else:
                engine.set_option(*check_value(spec.name, engine.options, name, options[name]))
        if "ownbook" in engine.options and "ownbook" not in (name.lower() for name in options):
            engine.set_option("OwnBook", "false")  # the match has its own openings
        if ponder:
            if "ponder" not in engine.options:
                raise MatchError(f"{spec.name} cannot ponder: it has no option Ponder")
            engine.set_option("Ponder", "true")
        if chess960:
            if "uci_chess960" not in engine.options:
                raise MatchError(f"{spec.name} does not play Chess960: it has no option UCI_Chess960")
            engine.set_option("UCI_Chess960", "true")
        refusals = [line for line in engine.ping() if line.startswith("info string error")]
        if refusals:
            raise MatchError(f"{spec.name} refuses an option: {refusals[0].removeprefix('info string error: ')}")
    except BaseException:
        engine.kill()
        raise
    return engine


@dataclass(frozen=True, slots=True)
class Identity:
    """What an engine is, for the record: its own words, a hash of the program, a hash of its net."""

    id_name: str
    author: str
    fingerprint: str
    net: str


def identify(spec: EngineSpec, *, chess960: bool = False, ponder: bool = False) -> Identity:
    """Start the engine once, to be sure that it can play, and say what it is.

    Raises `MatchError` with one sentence where it cannot.
    """
    try:
        engine = start(spec, chess960=chess960, ponder=ponder)
    except EngineError as error:
        raise MatchError(f"{error}. It does not seem to be a UCI engine that runs here.") from error
    option = engine.options.get("evalfile")
    named = {name.lower(): value for name, value in spec.options}.get("evalfile") or (option.default if option else "")
    identity = Identity(engine.id_name, engine.id_author, _hash(_program_files(spec)), _hash(_net_files(spec, named)))
    engine.quit()
    return identity


def identify_all(
    specs: Sequence[EngineSpec], *, chess960: bool = False, ponder: bool = False
) -> dict[str, Identity]:
    """Identities by name; the engines are started side by side."""
    with ThreadPoolExecutor(max_workers=len(specs)) as together:
        found = list(together.map(lambda spec: identify(spec, chess960=chess960, ponder=ponder), specs))
    return {spec.name: identity for spec, identity in zip(specs, found, strict=True)}


def _hash(paths: Sequence[Path]) -> str:
    """16 hexadecimal digits for the contents of some files; nothing for no files."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16] if paths else ""


def _package(spec: EngineSpec) -> Path | None:
    """The folder of the package if the engine is a Cythera run by Python."""
    if spec.argv()[1:] != ["-m", "cythera"]:
        return None
    source = dict(spec.environment).get("PYTHONPATH")
    return Path(source) / "cythera" if source else Path(__file__).resolve().parents[2]


def _program_files(spec: EngineSpec) -> list[Path]:
    """The program; of Cythera what plays: the compiled core, the modules beside it and the data files."""
    package = _package(spec)
    if package is None:
        found = shutil.which(spec.argv()[0])
        return [Path(found)] if found else []
    parts = ("*.py", "*.so", "*.pyd", "data/*")
    return sorted(path for part in parts for path in package.glob(part) if path.is_file())


def _net_files(spec: EngineSpec, named: str) -> list[Path]:
    """The net: the file its option EvalFile names, or Cythera's own."""
    package = _package(spec)
    if package is not None and not Path(named).is_file():
        return sorted((package / "data").glob("*.net*"))
    places = (Path(spec.directory or "."), Path(spec.argv()[0]).parent)
    return [place / named for place in places if named and (place / named).is_file()][:1]


# ---------------------------------------------------------------- descriptions by people


def load_engines_file(path: Path) -> dict[str, EngineSpec]:
    """The engines of a TOML file, one table `[engines.NAME]` each.

    Keys: `command` (text or list), `options` (table), `dir`, `env` (table), and one of `tc`, `movetime`,
    `nodes`, `depth` for an engine with a time control of its own. A relative command with a slash is
    relative to the file.
    """
    tables = read_toml(path, "engines file").get("engines")
    if not isinstance(tables, dict) or not tables:
        raise MatchError(f"the engines file {path} has no table [engines.NAME]")
    return {name: spec_from_table(name, table, path.parent, str(path)) for name, table in tables.items()}


_KEYS = {"name", "command", "options", "dir", "env", "tc", "movetime", "nodes", "depth"}


def spec_from_table(name: str, table: Any, base: Path, where: str) -> EngineSpec:
    """An engine from a table of a TOML file or of a match's JSON file."""
    if not isinstance(table, dict):
        raise MatchError(f"{where}: engine {name} must be a table")
    unknown = sorted(set(table) - _KEYS)
    if unknown:
        known = ", ".join(sorted(_KEYS))
        raise MatchError(f"{where}: engine {name} has an unknown key {unknown[0]!r}; there are {known}")
    command = table.get("command", OWN)
    words = shlex.split(command) if isinstance(command, str) else [str(word) for word in command]
    if not words:
        raise MatchError(f"{where}: engine {name} has an empty command")
    found = _locate(words, base)
    if found is None:
        raise MatchError(f"{where}: engine {name}: there is no program {words[0]!r}")
    options = table.get("options", {})
    environment = dict(found.environment) | {key: str(value) for key, value in table.get("env", {}).items()}
    return replace(
        found,
        name=name,
        options=tuple((key, option_text(value)) for key, value in options.items()),
        control=_own_control(table),
        directory=table.get("dir"),
        environment=tuple(environment.items()),
    )


def _own_control(table: dict[str, Any]) -> TimeControl | None:
    given: dict[str, Any] = {key: int(table[key]) for key in ("nodes", "depth") if key in table}
    if "movetime" in table:
        given["movetime_ms"] = parse_seconds(str(table["movetime"]))
    if "tc" not in table:
        return TimeControl(**given) if given else None
    control = parse_time_control(str(table["tc"]))
    return replace(control, **given)


def option_text(value: object) -> str:
    """A TOML or JSON value as UCI writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def resolve(text: str, known: Mapping[str, EngineSpec]) -> EngineSpec:
    """An engine from a word of the command line.

    It is a name from the engines file, `cythera`, the folder of another checkout of Cythera, or a command;
    `NAME=` in front of it gives it a name of its own.
    """
    if text in known:
        return known[text]
    label, equals, rest = text.partition("=")
    if not equals or "/" in label or " " in label:
        label, rest = "", text
    if rest in known:
        spec = known[rest]
    else:
        try:
            words = shlex.split(rest)
        except ValueError as error:
            raise MatchError(f"{rest!r} is not a command: {error}") from error
        found = _locate(words, Path()) if words else None
        if found is None:
            listed = f", and the engines file knows only {', '.join(known)}" if known else ""
            raise MatchError(f"unknown engine {text!r}: no such program or folder{listed}.")
        spec = found
    return replace(spec, name=label or spec.name)


def _locate(words: list[str], base: Path) -> EngineSpec | None:
    """The engine a command stands for, or None where there is no such program."""
    program = words[0]
    if words == [OWN]:
        return EngineSpec(OWN, (OWN,))
    path = Path(program).expanduser()
    near = path if path.is_absolute() else base / path
    if len(words) == 1 and near.is_dir():
        return _checkout(near.resolve())
    if ("/" in program or "\\" in program) and near.is_file():
        found = shutil.which(str(near.absolute()))  # a link stays a link: virtual environments need it
        if found is None:
            raise MatchError(f"{program} is a file but not a program that can be run")
        return EngineSpec(near.stem, (found, *words[1:]))
    on_path = shutil.which(program)
    return EngineSpec(Path(program).stem, (on_path, *words[1:])) if on_path else None


def _checkout(folder: Path) -> EngineSpec:
    """Another checkout: its own environment's program, or its sources run by this Python."""
    for program in (folder / ".venv/bin/cythera", folder / ".venv/Scripts/cythera.exe"):
        if program.is_file():
            return EngineSpec(folder.name, (str(program),))
    if (folder / "engine/cythera/__main__.py").is_file():
        command = (sys.executable, "-m", "cythera")
        return EngineSpec(folder.name, command, environment=(("PYTHONPATH", str(folder / "engine")),))
    raise MatchError(f"the folder {folder} is not a checkout of Cythera: it has no engine/cythera")


def distinct_names(specs: list[EngineSpec]) -> list[EngineSpec]:
    """The same engines with -2, -3… added to names that come again."""
    seen: dict[str, int] = {}
    result = []
    for spec in specs:
        seen[spec.name] = seen.get(spec.name, 0) + 1
        count = seen[spec.name]
        result.append(spec if count == 1 else replace(spec, name=f"{spec.name}-{count}"))
    return result


def reject_managed(spec: EngineSpec) -> None:
    """Options that belong to the referee cannot be set by hand."""
    for name, _ in spec.options:
        if name.lower() in MANAGED:
            raise MatchError(f"option {name} of {spec.name} is set by the referee and cannot be given")
