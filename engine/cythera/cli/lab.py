"""`cythera lab`: the textbook algorithms, run, compared, drawn and played against."""

from __future__ import annotations

import argparse
import io
import re
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

from cythera.lab.algorithms import ALGORITHMS, Algorithm, find_algorithm
from cythera.lab.algorithms.ordering import ORDERINGS, ordering
from cythera.lab.errors import LabError
from cythera.lab.experiments import EXPERIMENTS, find_experiment
from cythera.lab.game import CHANCE, AnyGame
from cythera.lab.games import GAMES, make_game
from cythera.lab.play import first_player, play
from cythera.lab.search import TO_THE_END, AnySearch, Options, Result, Search, read_depth
from cythera.lab.tables import print_table
from cythera.lab.texts import LANGUAGES, VARIABLE, plural, say, use_language
from cythera.lab.view.html import draw_html
from cythera.lab.view.recorder import Recorder
from cythera.lab.view.strategy import draw_strategies
from cythera.lab.view.svg import MOST_NODES, draw_svg
from cythera.lab.view.trace import Trace
from cythera.lab.view.words import show_value

PLAYERS = ("max", "min", "both")


# What argparse says in English, and the texts of the lab for it.
COMPLAINTS = (
    (r"the following arguments are required: (?P<names>.*)", "cli.required"),
    (r"argument (?P<name>.*?): invalid choice: (?P<text>.*) \(choose from (?P<names>.*)\)", "cli.choice"),
    (r"argument (?P<name>.*?): expected one argument", "cli.expected"),
    (r"argument (?P<name>.*?): (?P<reason>.*)", "cli.argument"),
    (r"unrecognized arguments: (?P<names>.*)", "cli.unrecognized"),
)


class LabFormatter(argparse.HelpFormatter):
    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        super().add_usage(usage, actions, groups, say("cli.usage") if prefix is None else prefix)


class LabParser(argparse.ArgumentParser):
    """A parser that says everything in the language of the lab."""

    def __init__(self, **how: Any) -> None:
        super().__init__(add_help=False, formatter_class=LabFormatter, **how)
        self._positionals.title, self._optionals.title = say("cli.positionals"), say("cli.options")
        self.add_argument("-h", "--help", action="help", help=say("cli.help"))

    def error(self, message: str) -> NoReturn:
        for pattern, key in COMPLAINTS:
            if found := re.fullmatch(pattern, message, re.DOTALL):
                message = say(key, **found.groupdict())
                break
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {say('cli.error')}: {message}\n")


def build_parser() -> argparse.ArgumentParser:
    parser = LabParser(prog="cythera lab", description=say("cli.description"))
    parser.add_argument("--language", metavar="/".join(LANGUAGES), help=say("cli.language", variable=VARIABLE))
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str) -> argparse.ArgumentParser:
        part = commands.add_parser(name, help=say(f"cli.{name}"), description=say(f"cli.{name}"))
        part.add_argument("--language", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        return part

    command("list")
    run = command("run")
    run.add_argument("algorithm")
    compare = command("compare")
    draw = command("draw")
    draw.add_argument("algorithm")
    draw.add_argument("-o", "--output", required=True, metavar="FILE", help=say("cli.output_tree"))
    strategy = command("strategy")
    strategy.add_argument("--player", choices=PLAYERS, default="both", help=say("cli.player"))
    strategy.add_argument("-o", "--output", required=True, metavar="FILE", help=say("cli.output_strategy"))
    contest = command("play")
    contest.add_argument("--against", metavar="ALGORITHM", help=say("cli.against"))
    contest.add_argument("--second", action="store_true", help=say("cli.second"))
    for part in (run, compare, draw, strategy, contest):
        game = "tictactoe" if part is contest else None
        part.add_argument("--game", default=game, required=game is None, help=say("cli.game"))
        part.add_argument("--depth", help=say("cli.depth", end=TO_THE_END))
        part.add_argument("--order", default="natural", help=f"natural, random, {', '.join(ORDERINGS)}")
        part.add_argument("--seed", type=whole, default=1, help=say("cli.seed"))
        part.add_argument("--memory", type=whole, help=say("cli.memory"))
        part.add_argument("--playouts", type=whole, help=say("cli.playouts"))

    experiment = command("experiment")
    experiment.add_argument("name", help=", ".join(EXPERIMENTS))
    experiment.add_argument("--seed", type=whole, default=1)
    experiment.add_argument("--size", type=whole, help=say("cli.size"))
    experiment.add_argument("-o", "--output", metavar="FILE", help=say("cli.output_plot"))
    return parser


def whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(say("error.whole", text=text)) from None


def chosen_language(argv: list[str]) -> str | None:
    """What --language says, which must be known before the parser has its texts."""
    for index, word in enumerate(argv):
        if word == "--language":
            return argv[index + 1] if index + 1 < len(argv) else None
        if word.startswith("--language="):
            return word.partition("=")[2]
    return None


def main(argv: list[str]) -> int:
    """The exit code; raises LabError with a message for the person at the keyboard."""
    use_language(chosen_language(argv))
    args = build_parser().parse_args(argv)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without ∞ still gets its table
    try:
        return {
            "list": do_list,
            "run": do_run,
            "compare": do_compare,
            "draw": do_draw,
            "strategy": do_strategy,
            "play": do_play,
            "experiment": do_experiment,
        }[args.command](args)
    except KeyboardInterrupt:
        print(f"\n{say('cli.stopped')}", file=sys.stderr)
        return 130
    except RecursionError as error:
        raise LabError(say("error.too_deep")) from error


def do_list(args: argparse.Namespace) -> int:
    print_table(
        [say("table.algorithm"), say("table.what_it_does"), say("table.for")],
        [[entry.name, entry.summary, say(f"kind.{entry.kind}")] for entry in ALGORITHMS.values()],
    )
    print()
    print_table([say("table.game"), say("table.what_it_is")], [[game.usage, game.summary] for game in GAMES.values()])
    print()
    print_table(
        [say("table.experiment"), say("table.what_it_shows")],
        [[name, entry.summary] for name, entry in EXPERIMENTS.items()],
    )
    return 0


def do_run(args: argparse.Namespace) -> int:
    algorithm, game = find_algorithm(args.algorithm), make_game(args.game)
    search = make_search(args, algorithm, game)
    started = time.perf_counter()
    result = algorithm.run(search)
    print(game.describe(search.start))
    print()
    found = describe_result(game, result, time.perf_counter() - started)
    width = max(10, *(len(name) for name, _ in found))
    for name, text in found:
        print(f"{name:<{width}} {text}")
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
            excuses.append(say("compare.left_out", algorithm=algorithm.name, reason=error))
            continue
        seconds = time.perf_counter() - started
        rows.append(
            [
                algorithm.name,
                show_value(result.value),
                algorithm.exactness(search, result),
                "" if result.move is None else game.action_name(result.move),
                f"{result.generated:,}",
                f"{result.leaves:,}",
                f"{1000 * seconds:.1f}",
            ]
        )
    print(f"{game.name}, {depth_words(find_depth(args, game))}\n")
    heads = ["algorithm", "value", "exact", "move", "generated", "leaves"]
    print_table([*(say(f"table.{head}") for head in heads), "ms"], rows)
    for excuse in excuses:
        print(excuse)
    return 0


def do_draw(args: argparse.Namespace) -> int:
    algorithm, game = find_algorithm(args.algorithm), make_game(args.game)
    writers = {".svg": draw_svg, ".html": draw_html, ".json": Trace.to_json}
    path = Path(args.output)
    if path.suffix not in writers:
        raise LabError(say("error.suffix", name=path.name))
    recorder = Recorder(algorithm.view) if path.suffix == ".json" else Recorder(algorithm.view, MOST_NODES)
    search = make_search(args, algorithm, game, recorder)
    trace = recorder.trace(search, algorithm.run(search), algorithm.name)
    write(path, writers[path.suffix](trace))
    print(f"{path}: {trace.summary}")
    return 0


def do_strategy(args: argparse.Namespace) -> int:
    game = make_game(args.game)
    path = Path(args.output)
    writers = {".svg": draw_svg, ".html": draw_html, ".json": Trace.to_json}
    if path.suffix not in writers:
        raise LabError(say("error.suffix", name=path.name))
    search = Search(game, find_depth(args, game), order=ordering(args.order, args.seed))
    trace = draw_strategies(search, args.player)
    write(path, writers[path.suffix](trace))
    print(f"{path}: {trace.summary}")
    return 0


def do_play(args: argparse.Namespace) -> int:
    game = make_game(args.game)
    fitting = "maxn" if game.players > 2 else "expectiminimax" if game.has_chance else "alphabeta"
    algorithm = find_algorithm(args.against or fitting)
    start = game.initial()
    if game.player(start) == CHANCE:
        start = game.result(start, game.actions(start)[0])
    make_search(args, algorithm, game, start=start)  # complains before the game begins
    first_player(game)

    def think(state: Any) -> Result[Any, Any]:
        return algorithm.run(make_search(args, algorithm, game, start=state))

    return play(game, think, args.second, seed=args.seed)


def do_experiment(args: argparse.Namespace) -> int:
    run = find_experiment(args.name)
    if args.size is not None and args.size < 1:
        raise LabError(say("error.size", size=args.size))
    if args.output:  # before the work, not after it
        check_plot(args.name, Path(args.output))
    report = run(args.seed, args.size)
    print(report.text())
    if args.output:
        if report.plot is None:
            raise LabError(say("error.no_plot", name=args.name))
        write(Path(args.output), report.plot)
        print(f"\n{say('cli.plot_written', path=args.output)}")
    return 0


def check_plot(name: str, path: Path) -> None:
    if not EXPERIMENTS[name].has_plot:
        raise LabError(say("error.no_plot", name=name))
    if path.suffix != ".svg":
        raise LabError(say("error.plot_suffix", name=path.name))
    if not path.absolute().parent.is_dir():
        raise LabError(say("error.no_folder", path=path, folder=path.absolute().parent))


def make_search(
    args: argparse.Namespace, algorithm: Algorithm, game: AnyGame, watcher: Recorder | None = None, start: Any = None
) -> AnySearch:
    """The search the options ask for."""
    objection = algorithm.objection(game)
    if objection:
        raise LabError(objection)
    for name, count in (("memory", args.memory), ("playouts", args.playouts)):
        if count is not None and count < 1:
            raise LabError(say(f"error.{name}", **{name: count}))
    return Search(
        game,
        algorithm.default_depth(game) if args.depth is None else read_depth(args.depth),
        order=ordering(args.order, args.seed),
        watcher=watcher,
        start=start,
        options=Options(args.seed, args.memory, args.playouts),
    )


def find_depth(args: argparse.Namespace, game: AnyGame) -> int | None:
    return game.default_depth if args.depth is None else read_depth(args.depth)


def describe_result(game: AnyGame, result: Result[Any, Any], seconds: float) -> list[tuple[str, str]]:
    """The findings, as names and texts."""
    return [
        (say("table.value"), show_value(result.value)),
        (say("table.move"), say("value.none") if result.move is None else game.action_name(result.move)),
        (say("table.line"), " ".join(game.action_name(action) for action in result.line)),
        (say("table.generated"), f"{result.generated:,}"),
        (say("table.leaves"), f"{result.leaves:,}"),
        (say("table.time"), f"{1000 * seconds:.1f} ms"),
        *((say(f"note.{name}"), show_value(value)) for name, value in result.notes.items()),
    ]


def depth_words(depth: int | None) -> str:
    return say("depth.end") if depth is None else say("depth.plies", plies=plural(depth, "ply"))


def write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LabError(say("error.write", path=path, reason=error.strerror)) from error
