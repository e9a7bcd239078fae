"""`cythera match`: engines against each other from the command line."""

import argparse
import os
import re
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

from cythera.cli.arguments import (
    add_cluster,
    add_movetime,
    add_openings,
    add_options,
    add_resume,
    add_seed,
    add_workers,
    workers_of,
)
from cythera.common.machine import available_cores
from cythera.common.signals import stop_signal
from cythera.match.adjudication import DrawRule, ResignRule, Rules, WinRule
from cythera.match.archive import read_archive
from cythera.match.config import MatchConfig
from cythera.match.match_errors import MatchError
from cythera.match.openings.opening_files import RANDOM, SEQUENTIAL
from cythera.match.pgn import DETAILS
from cythera.match.runner import Files, Match, MatchWatcher
from cythera.match.schedule import GAUNTLET, ROUND_ROBIN
from cythera.match.stats.sprt import LOGISTIC, NORMALISED_MODEL, Sprt
from cythera.match.tables import PACKAGE, open_tables
from cythera.match.time_control import TimeControl, parse_seconds, parse_time_control
from cythera.match.uci.engines import EngineSpec, distinct_names, load_engines_file, resolve

GAMES = 100

DESCRIPTION = """\
Play UCI engines against each other. An ENGINE is a name from the --engines file, `cythera` for this
installation, the folder of another checkout of Cythera, or a command; NAME=ENGINE names it."""

EPILOG = """\
examples:
  cythera match new=cythera old=../main --nodes 20000 --games 1000 --sprt 0,5
  cythera match cythera /usr/games/stockfish --tc 8+0.08 --openings book.epd.zip --pgn games.pgn
  cythera match --engines field.toml --movetime 0.1 --json match.json --anchor stockfish=3500
  cythera match --resume match.json"""


def parser() -> argparse.ArgumentParser:
    """The command line. Times are in seconds; `100ms` is understood too."""
    top = argparse.ArgumentParser(
        prog="cythera match",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("engine", nargs="*", metavar="ENGINE", help="the first one is the one that is measured")
    who = top.add_argument_group("engines")
    who.add_argument("--engines", type=Path, metavar="FILE", help="TOML file with tables [engines.NAME]")
    add_options(who, "all engines, or of one", selector=True)
    who.add_argument("--ponder", action="store_true", help="engines think on the opponent's time")
    who.add_argument("--affinity", action="store_true", help="pin each game to cores of its own (Linux)")
    who.add_argument("--log", type=Path, metavar="FOLDER", help="write all UCI traffic to files in this folder")
    who.add_argument("--restart", action="store_true", help="restart the engines for every game")
    limit = top.add_argument_group("time control (each also as NAME:VALUE for one engine)")
    limit.add_argument("--tc", action="append", default=[], help="8+0.08, 40/60, 40/60+0.5 (seconds)")
    add_movetime(limit, several=True)
    limit.add_argument("--nodes", action="append", default=[], metavar="N", help="nodes per move")
    limit.add_argument("--depth", action="append", default=[], metavar="N", help="depth per move")
    limit.add_argument("--margin", type=parse_seconds, default=10, metavar="SECONDS",
                       help="time overrun tolerated before a loss on time (default: 10ms)")  # fmt: skip
    limit.add_argument("--hang", type=float, default=60.0, metavar="SECONDS",
                       help="move timeout when there is no clock (default: 60)")  # fmt: skip
    what = top.add_argument_group("games")
    what.add_argument("--games", type=int, metavar="N", help="games per pair of engines (default: 100)")
    add_workers(what, "games in parallel")
    what.add_argument("--gauntlet", action="store_true", help="the first engine against all others")
    add_openings(what)
    what.add_argument("--order", choices=(RANDOM, SEQUENTIAL), default=RANDOM,
                      help="order of openings (default: random)")  # fmt: skip
    what.add_argument("--first-opening", type=int, default=1, metavar="N",
                      help="number of the first opening (default: 1)")  # fmt: skip
    what.add_argument("--opening-plies", type=int, metavar="N", help="play only the first N plies of PGN openings")
    add_seed(what, "random seed of the order of openings")
    what.add_argument("--chess960", action="store_true", help="play Chess960")
    end = top.add_argument_group("adjudication")
    end.add_argument("--draw", nargs="?", const="", metavar="move=40,count=8,cp=10",
                     help="draw when both scores stay near zero")  # fmt: skip
    end.add_argument("--win", nargs="?", const="", metavar="count=4,cp=800",
                     help="win when both scores agree on one")  # fmt: skip
    end.add_argument("--resign", nargs="?", const="", metavar="count=5,cp=900",
                     help="a side resigns by its own score alone")  # fmt: skip
    end.add_argument("--tables", nargs="?", const=PACKAGE, metavar="FOLDERS",
                     help="end games by Syzygy tables: those in these folders, or Cythera's own")  # fmt: skip
    end.add_argument("--max-moves", type=int, metavar="N", help="draw after this move")
    stat = top.add_argument_group("statistics")
    stat.add_argument("--sprt", metavar="ELO0,ELO1", help="stop when the test between two Elo differences decides")
    stat.add_argument("--alpha", type=float, default=0.05, help="probability of a false pass (default: 0.05)")
    stat.add_argument("--beta", type=float, default=0.05, help="probability of a false fail (default: 0.05)")
    stat.add_argument("--elo-model", choices=(NORMALISED_MODEL, LOGISTIC), default=NORMALISED_MODEL,
                      help="Elo model of the bounds of --sprt (default: normalised)")  # fmt: skip
    stat.add_argument("--anchor", action="append", default=[], metavar="NAME=ELO", help="fix an engine's rating")
    out = top.add_argument_group("output")
    out.add_argument("--pgn", type=Path, metavar="FILE", help="append games to this file")
    out.add_argument("--pgn-details", metavar="KEYS",
                     help=f"add to the comments of moves: {','.join(DETAILS)} or all")  # fmt: skip
    out.add_argument("--event", default="Cythera match", help="Event tag of the PGN (default: Cythera match)")
    out.add_argument("--site", default="?", help="Site tag of the PGN (default: ?)")
    out.add_argument("--epd", type=Path, metavar="FILE", help="append the final position of each game to this file")
    out.add_argument("--json", type=Path, metavar="FILE", help="keep the match in this file, to resume or replay it")
    add_resume(out, "the match of a --json file")
    out.add_argument("--replay", type=Path, metavar="FILE", help="play the match of a --json file again")
    out.add_argument("--quiet", action="store_true", help="print the result only")
    add_cluster(top.add_argument_group("cluster"))
    return top


# ---------------------------------------------------------------- from words to a match


def split_selector(text: str, names: list[str]) -> tuple[str | None, str]:
    """`NAME:rest` as (name, rest) where NAME is one of the engines, else (None, text)."""
    for name in names:
        if text.startswith(f"{name}:"):
            return name, text[len(name) + 1 :]
    return None, text


def read_config(args: argparse.Namespace) -> MatchConfig:
    """The match the command line asks for."""
    known = load_engines_file(args.engines) if args.engines else {}
    specs = [resolve(text, known) for text in args.engine] if args.engine else list(known.values())
    if len(specs) < 2:
        raise MatchError("a match needs two engines or more: name them, or give an --engines file")
    specs = distinct_names(specs)
    specs = _with_options(specs, args.option)
    common, specs = _with_controls(specs, args)
    return MatchConfig(
        engines=tuple(specs),
        control=common,
        games=GAMES if args.games is None else args.games,
        kind=GAUNTLET if args.gauntlet else ROUND_ROBIN,
        openings=args.openings,
        order=args.order,
        start=args.first_opening,
        seed=args.seed,
        chess960=args.chess960,
        rules=Rules(
            draw=None if args.draw is None else _rule(DrawRule(), args.draw, "--draw"),
            win=None if args.win is None else _rule(WinRule(), args.win, "--win"),
            resign=None if args.resign is None else _rule(ResignRule(), args.resign, "--resign"),
            max_moves=args.max_moves,
            tables=_tables(args.tables),
        ),
        sprt=_sprt(args),
        margin_ms=float(args.margin),
        hang_s=args.hang,
        restart=args.restart,
        ponder=args.ponder,
        opening_plies=args.opening_plies,
        affinity=args.affinity,
        anchors=_anchors(args.anchor),
    )


def _with_options(specs: list[EngineSpec], options: list[str]) -> list[EngineSpec]:
    names = [spec.name for spec in specs]
    for text in options:
        who, setting = split_selector(text, names)
        key, equals, value = setting.partition("=")
        if not equals or not key:
            raise MatchError(f"--option {text!r} must be OPTION=VALUE or NAME:OPTION=VALUE")
        specs = [spec.with_options({key: value}) if who in (None, spec.name) else spec for spec in specs]
    return specs


def _with_controls(specs: list[EngineSpec], args: argparse.Namespace) -> tuple[TimeControl | None, list[EngineSpec]]:
    """The common time control, and the engines with their own ones."""
    names = [spec.name for spec in specs]
    texts: dict[str | None, list[str]] = {}
    for key, values in (("", args.tc), ("movetime=", args.movetime), ("nodes=", args.nodes), ("depth=", args.depth)):
        for value in values:
            who, rest = split_selector(value, names)
            texts.setdefault(who, []).append(key + rest)
    controls = {who: parse_time_control(",".join(parts)) for who, parts in texts.items()}
    return controls.get(None), [
        replace(spec, control=controls[spec.name]) if spec.name in controls else spec for spec in specs
    ]


RuleT = TypeVar("RuleT", DrawRule, WinRule, ResignRule)


def _rule(default: RuleT, text: str, option: str) -> RuleT:
    """A rule from `key=number,…`; what is not given keeps its default."""
    keys = [field.name for field in fields(default)]
    given: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, _, value = part.partition("=")
        if key not in keys or not value.isdigit():
            raise MatchError(f"{option} must give numbers for {', '.join(keys)}, got {text!r}")
        given[key] = int(value)
    return replace(default, **given)


def _tables(folders: str | None) -> str | None:
    """The folders of --tables, opened once to see that they have tables; absolute, for workers elsewhere."""
    if folders is None or folders == PACKAGE:
        return folders
    named = os.pathsep.join(str(Path(folder).resolve()) for folder in folders.split(os.pathsep) if folder)
    open_tables(named)
    return named


def _sprt(args: argparse.Namespace) -> Sprt | None:
    if args.sprt is None:
        return None
    if not re.fullmatch(r"-?\d+(\.\d+)?,-?\d+(\.\d+)?", args.sprt):
        raise MatchError(f"--sprt {args.sprt!r} must be two numbers, such as 0,5")
    elo0, elo1 = map(float, args.sprt.split(","))
    return Sprt(elo0, elo1, args.alpha, args.beta, args.elo_model)


def _anchors(texts: list[str]) -> dict[str, float]:
    anchors = {}
    for text in texts:
        name, _, elo = text.rpartition("=")
        try:
            anchors[name] = float(elo)
        except ValueError:
            raise MatchError(f"--anchor {text!r} must be NAME=ELO") from None
    return anchors


# ---------------------------------------------------------------- running


def open_match(args: argparse.Namespace) -> Match:
    """The match of the command line, checked and ready, new or from a file."""
    files = Files(
        pgn=args.pgn,
        json=args.json,
        epd=args.epd,
        pgn_details=_details(args.pgn_details),
        event=args.event,
        site=args.site,
    )
    if args.json and args.json.exists():
        raise MatchError(f"the file {args.json} exists: resume its match with --resume, or choose another name")
    config = _stored(args, files) if args.resume or args.replay else read_config(args)
    if args.log:
        try:
            args.log.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise MatchError(f"cannot write the log to {args.log}: {error.strerror}") from error
        config = replace(config, engines=tuple(replace(spec, log=str(args.log)) for spec in config.engines))
    return Match(config, files, concurrency=workers_of(args), cluster=args.cluster)


def _details(text: str | None) -> tuple[str, ...]:
    if not text:
        return ()
    keys = DETAILS if text == "all" else tuple(part.strip() for part in text.split(","))
    for key in keys:
        if key not in DETAILS:
            raise MatchError(f"unknown key {key!r} in --pgn-details; available: {', '.join(DETAILS)}, all")
    return keys


def _stored(args: argparse.Namespace, files: Files) -> MatchConfig:
    """The match of a file, to be resumed or replayed; only where and how long can be changed."""
    changeable = {"resume", "replay", "games", "workers", "cluster", "pgn", "json", "quiet",
                  "log", "pgn_details", "event", "site", "epd"}  # fmt: skip
    defaults = vars(parser().parse_args([]))
    for name, value in vars(args).items():
        if name not in changeable and value != defaults[name]:
            option = "engines" if name == "engine" else f"--{name.replace('_', '-')}"
            raise MatchError(f"{option} cannot be given with --resume or --replay: the file says what is played")
    if args.resume and (args.replay or args.json):
        raise MatchError("--resume continues in the same file: leave out --replay and --json")
    config, document, games = read_archive(args.resume or args.replay)
    if args.games is not None:
        config = replace(config, games=args.games)
    files.manifest = document.get("manifest", {})
    if args.replay:
        files.replayed = games
        return config
    files.json, files.played = args.resume, games
    written = document.get("pgn")
    if written and args.pgn is None:
        files.pgn, files.pgn_bytes = Path(written["path"]), written["bytes"]
    return config


def crowding(match: Match) -> str:
    """A sentence where timed games would fight for the cores of this machine, else nothing."""
    cores = available_cores()
    threads = max(int(dict(spec.options).get("Threads", "1")) for spec in match.config.engines)
    timed = any(match.config.control_of(spec).is_timed for spec in match.config.engines)
    if not timed or match.cluster or match.concurrency * threads <= cores:
        return ""
    wanted = f"{match.concurrency} games in parallel" + (f" with {threads} threads" if threads > 1 else "")
    return f"{wanted} on {cores} cores: engines will wait for each other while their clocks run"


def main(argv: list[str]) -> int:
    """Play a match. 0 when it was completed or decided, 130 when it was stopped."""
    args = parser().parse_args(argv)
    match = open_match(args)
    if crowded := crowding(match):
        print(f"Note: {crowded}", file=sys.stderr)
    with stop_signal() as stop:
        match.run(_watcher(args), stop)
    if match.stopped and match.archive:
        print(f"Resume with: cythera match --resume {match.archive.path}")
    return 130 if match.stopped else 0


def _watcher(args: argparse.Namespace) -> MatchWatcher:
    from cythera.match.display import LiveWatcher, PlainWatcher

    if sys.stdout.isatty() and not args.quiet:
        from rich.console import Console

        return LiveWatcher(Console())
    return PlainWatcher(quiet=args.quiet)
