"""`cythera lab`: the textbook algorithms, run, compared, drawn and played against."""

from __future__ import annotations

import argparse
import io
import sys
import time
from pathlib import Path
from typing import Any

from cythera.lab.algorithms import ALGORITHMS, Algorithm, find_algorithm
from cythera.lab.algorithms.ordering import ORDERINGS, ordering
from cythera.lab.errors import LabError
from cythera.lab.experiments import EXPERIMENTS, find_experiment
from cythera.lab.game import AnyGame
from cythera.lab.games import GAMES, make_game
from cythera.lab.play import play
from cythera.lab.search import AnySearch, Result, Search
from cythera.lab.tables import print_table
from cythera.lab.view.html import draw_html
from cythera.lab.view.recorder import Recorder
from cythera.lab.view.svg import draw_svg
from cythera.lab.view.trace import Trace
from cythera.lab.view.words import show_value

TO_THE_END = "end"


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cythera lab", description="Every algorithm of the textbooks, running, counted and drawn."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("list", help="all algorithms, games and experiments")

    run = commands.add_parser("run", help="run one algorithm on a game")
    run.add_argument("algorithm")
    compare = commands.add_parser("compare", help="run all algorithms that fit a game, in a table")
    draw = commands.add_parser("draw", help="draw the tree a search walked, as .svg, .html or .json")
    draw.add_argument("algorithm")
    draw.add_argument("-o", "--output", required=True, metavar="FILE", help="tree.svg, tree.html or tree.json")
    contest = commands.add_parser("play", help="play against an algorithm")
    contest.add_argument("--against", default="alphabeta", metavar="ALGORITHM")
    contest.add_argument("--second", action="store_true", help="let the algorithm move first")
    for command, game in ((run, None), (compare, None), (draw, None), (contest, "tictactoe")):
        command.add_argument("--game", default=game, required=game is None, help="see `cythera lab list`")
        command.add_argument("--depth", help=f"plies to search, or {TO_THE_END!r}; default: what the game suggests")
        command.add_argument("--order", default="natural", help=f"natural, random, {', '.join(ORDERINGS)}")
        command.add_argument("--seed", type=int, default=1, help="for the random order")

    experiment = commands.add_parser("experiment", help="repeat one of the measurements in docs/lab.md")
    experiment.add_argument("name", help=", ".join(EXPERIMENTS))
    experiment.add_argument("--seed", type=int, default=1)
    experiment.add_argument("--size", type=int, help="trees, games or plies, as the experiment counts")
    experiment.add_argument("-o", "--output", metavar="FILE", help="write the plot to this .svg file")
    return parser


def main(argv: list[str]) -> int:
    """The exit code; raises LabError with a sentence for the person at the keyboard."""
    args = build_parser().parse_args(argv)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without ∞ still gets its table
    try:
        return {
            "list": do_list,
            "run": do_run,
            "compare": do_compare,
            "draw": do_draw,
            "play": do_play,
            "experiment": do_experiment,
        }[args.command](args)
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    except RecursionError as error:
        raise LabError("this game goes too deep to be searched to its end; give a depth") from error


def do_list(args: argparse.Namespace) -> int:
    print_table(
        ["algorithm", "what it does", "for"], [[entry.name, entry.summary, entry.kind] for entry in ALGORITHMS.values()]
    )
    print()
    print_table(["game", "what it is"], [[game.usage, game.summary] for game in GAMES.values()])
    print()
    print_table(["experiment", "what it shows"], [[name, entry.summary] for name, entry in EXPERIMENTS.items()])
    return 0


def do_run(args: argparse.Namespace) -> int:
    algorithm, game = find_algorithm(args.algorithm), make_game(args.game)
    search = make_search(args, algorithm, game)
    started = time.perf_counter()
    result = algorithm.run(search)
    print(game.describe(search.start))
    print()
    for name, text in describe_result(game, result, time.perf_counter() - started):
        print(f"{name:<10} {text}")
    return 0


def do_compare(args: argparse.Namespace) -> int:
    game = make_game(args.game)
    rows, excuses = [], []
    for algorithm in ALGORITHMS.values():
        if algorithm.objection(game):
            continue
        try:
            search = make_search(args, algorithm, game)
            started = time.perf_counter()
            result = algorithm.run(search)
        except LabError as error:
            excuses.append(f"{algorithm.name}: {error}")
            continue
        seconds = time.perf_counter() - started
        rows.append(
            [
                algorithm.name,
                show_value(result.value),
                "" if result.move is None else game.action_name(result.move),
                f"{result.generated:,}",
                f"{result.leaves:,}",
                f"{1000 * seconds:.1f}",
            ]
        )
    print(f"{game.name}, {depth_words(find_depth(args, game))}\n")
    print_table(["algorithm", "value", "move", "generated", "leaves", "ms"], rows)
    for excuse in excuses:
        print(f"left out  {excuse}")
    return 0


def do_draw(args: argparse.Namespace) -> int:
    algorithm, game = find_algorithm(args.algorithm), make_game(args.game)
    writers = {".svg": draw_svg, ".html": draw_html, ".json": Trace.to_json}
    path = Path(args.output)
    if path.suffix not in writers:
        raise LabError(f"a tree is drawn as .svg, .html or .json, not {path.suffix or path.name!r}")
    recorder = Recorder(algorithm.view)
    search = make_search(args, algorithm, game, recorder)
    trace = recorder.trace(search, algorithm.run(search), algorithm.name)
    write(path, writers[path.suffix](trace))
    print(f"{path}: {trace.summary}")
    return 0


def do_play(args: argparse.Namespace) -> int:
    algorithm, game = find_algorithm(args.against), make_game(args.game)
    make_search(args, algorithm, game)  # complains before the game begins
    return play(game, lambda state: algorithm.run(make_search(args, algorithm, game, start=state)), args.second)


def do_experiment(args: argparse.Namespace) -> int:
    report = find_experiment(args.name)(args.seed, args.size)
    print(report.text())
    if args.output:
        if report.plot is None:
            raise LabError(f"the experiment {args.name} has no plot")
        write(Path(args.output), report.plot)
        print(f"\nplot written to {args.output}")
    return 0


def make_search(
    args: argparse.Namespace, algorithm: Algorithm, game: AnyGame, watcher: Recorder | None = None, start: Any = None
) -> AnySearch:
    """The search the options ask for."""
    objection = algorithm.objection(game)
    if objection:
        raise LabError(objection)
    return Search(game, find_depth(args, game), order=ordering(args.order, args.seed), watcher=watcher, start=start)


def find_depth(args: argparse.Namespace, game: AnyGame) -> int | None:
    if args.depth is None:
        return game.default_depth
    if args.depth == TO_THE_END:
        return None
    try:
        depth = int(args.depth)
    except ValueError as error:
        raise LabError(f"a depth is a number of plies or {TO_THE_END!r}, not {args.depth!r}") from error
    if depth < 0:
        raise LabError(f"a depth is a number of plies and cannot be {depth}")
    return depth


def describe_result(game: AnyGame, result: Result[Any, Any], seconds: float) -> list[tuple[str, str]]:
    """The findings, as names and texts."""
    return [
        ("value", show_value(result.value)),
        ("move", "none" if result.move is None else game.action_name(result.move)),
        ("line", " ".join(game.action_name(action) for action in result.line)),
        ("generated", f"{result.generated:,}"),
        ("leaves", f"{result.leaves:,}"),
        ("time", f"{1000 * seconds:.1f} ms"),
        *((name, show_value(value)) for name, value in result.notes.items()),
    ]


def depth_words(depth: int | None) -> str:
    return "to the end" if depth is None else f"to a depth of {depth} {'ply' if depth == 1 else 'plies'}"


def write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LabError(f"{path} cannot be written: {error.strerror}") from error
