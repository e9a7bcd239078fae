"""`cythera tune search`: search parameters tuned by games."""

import argparse
import shlex
import sys
import time
from pathlib import Path

from cythera.cli.arguments import add_cluster, add_openings, add_options, add_resume, add_seed, add_workers, workers_of
from cythera.common.signals import stop_signal
from cythera.match.adjudication import TUNING_RULES
from cythera.match.match_errors import MatchError
from cythera.match.time_control import parse_seconds, parse_time_control
from cythera.match.uci.engines import EngineSpec, resolve
from cythera.tuning.search import (
    TuneConfig,
    Tuning,
    ask_for_parameters,
    check_in_process,
    load_parameters,
    read_tuning,
)
from cythera.tuning.spsa import RATE, Spsa
from cythera.tuning.spsa_plot import plot

EPILOG = """\
examples:
  cythera tune search --nodes 5000 --iterations 10000 --json tuning.json --plot tuning.svg
  cythera tune search --in-process --nodes 5000 --option EvalFile=new.net --json tuning.json
  cythera tune search --engine ./other --params params.toml --tc 2+0.02 --json tuning.json
  cythera tune search --resume tuning.json --plot tuning.svg

params.toml:
  [params.null_move_base]
  default = 3
  min = 1
  max = 6
  step = 1"""

REPORT_S = 10.0


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="cythera tune search",
        description="Tune an engine's constants by SPSA: an iteration is a pair of games.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--engine", default="cythera", metavar="ENGINE", help="as for `cythera match` (default: cythera)")
    add_options(top, "the engine")
    top.add_argument("--in-process", action="store_true",
                     help="play cythera against itself without pipes: with --nodes, about twice as fast")  # fmt: skip
    top.add_argument("--params", type=Path, metavar="FILE", help="TOML file; without it the engine is asked")
    top.add_argument("--only", metavar="NAMES", help="tune only these of the parameters, separated by commas")
    top.add_argument("--tc", metavar="TC", help="time control of the games, such as 2+0.02")
    top.add_argument("--nodes", type=int, metavar="N", help="nodes per move instead")
    top.add_argument("--margin", type=parse_seconds, default=10, metavar="SECONDS",
                     help="time overrun tolerated before a loss on time (default: 10ms)")
    top.add_argument("--iterations", type=int, default=5000, metavar="N", help="pairs of games (default: 5000)")
    top.add_argument("--rate", type=float, default=RATE, help=f"size of the last steps (default: {RATE:g})")
    add_openings(top)
    add_seed(top)
    add_workers(top, "games in parallel")
    add_cluster(top)
    top.add_argument("--json", type=Path, metavar="FILE", help="keep the state of the run in this file")
    add_resume(top, "the run of a --json file")
    top.add_argument("--plot", type=Path, metavar="FILE", help="SVG of the parameters over time")
    return top


def open_tuning(args: argparse.Namespace) -> Tuning:
    """The tuning of the command line, new or from a file, checked before any game."""
    if args.resume:
        config, spsa, history = read_tuning(args.resume)
        config.rules = TUNING_RULES
        if args.in_process and not config.in_process:
            raise MatchError(f"the tuning of {args.resume} was started over UCI: leave out --in-process")
        return Tuning(config, spsa, args.resume, history)
    if args.json is None:
        raise MatchError("give a file for the state with --json, so that nothing is lost")
    if args.json.exists():
        raise MatchError(f"the file {args.json} exists: resume it with --resume, or choose another name")
    if bool(args.tc) == bool(args.nodes):
        raise MatchError("give a time control for the games: either --tc or --nodes")
    control = parse_time_control(args.tc if args.tc else f"nodes={args.nodes}")
    engine = with_options(resolve(args.engine, {}), args.option)
    if args.in_process:
        check_in_process(engine, control)
    parameters = load_parameters(args.params) if args.params else ask_for_parameters(engine)
    if args.only:
        wanted = [name.strip() for name in args.only.split(",")]
        known = {parameter.name: parameter for parameter in parameters}
        missing = [name for name in wanted if name not in known]
        if missing:
            raise MatchError(f"unknown parameter {missing[0]!r}; available: {', '.join(known)}")
        parameters = [known[name] for name in wanted]
    spsa = Spsa(parameters, args.iterations, seed=args.seed, rate=args.rate)
    config = TuneConfig(engine, control, args.openings, TUNING_RULES, float(args.margin), in_process=args.in_process)
    return Tuning(config, spsa, args.json)


def with_options(engine: EngineSpec, texts: list[str]) -> EngineSpec:
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise MatchError(f"--option {text!r} must be OPTION=VALUE")
        engine = engine.with_options({name: value})
    return engine


class _Reporter:
    """A line every few seconds."""

    def __init__(self, plot_path: Path | None) -> None:
        self._next = 0.0
        self._plot = plot_path

    def __call__(self, tuning: Tuning) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + REPORT_S
        done, whole = tuning.spsa.done, tuning.spsa.iterations
        left_s = (now - tuning.began) / max(1, done - tuning.began_at) * (whole - done)
        changed = ", ".join(
            f"{parameter.name} {value:.1f}"
            for parameter, value in zip(tuning.spsa.parameters, tuning.spsa.values, strict=True)
        )
        print(f"{done}/{whole} pairs, {left_s / 60:.0f} min left: {changed}", flush=True)
        for fault in tuning.faults:
            print(fault, file=sys.stderr, flush=True)
        tuning.faults.clear()
        draw(tuning, self._plot)


def draw(tuning: Tuning, path: Path | None) -> None:
    if path:
        try:
            path.write_text(plot(tuning.spsa.parameters, tuning.history, tuning.spsa.iterations), encoding="utf-8")
        except OSError as error:
            raise MatchError(f"cannot write the plot {path}: {error.strerror}") from error


def result_lines(tuning: Tuning) -> list[str]:
    """A table of the parameters, and the match that should follow."""
    width = max(len(parameter.name) for parameter in tuning.spsa.parameters)
    lines = [f"{'parameter':{width}} {'start':>8} {'now':>8} {'steps':>7}"]
    options = []
    for parameter, value in zip(tuning.spsa.parameters, tuning.spsa.values, strict=True):
        moved = (value - parameter.default) / parameter.step
        lines.append(f"{parameter.name:{width}} {parameter.default:8g} {value:8.1f} {moved:+7.1f}")
        if round(value) != parameter.default:
            options.append(f"--option tuned:{parameter.name}={round(value)}")
    if options:
        lines += ["Test it with:", check_command(tuning.config, options)]
    return lines


def check_command(config: TuneConfig, options: list[str]) -> str:
    """The match between the tuned and the present parameters, ready to be run."""
    engine = shlex.join(config.engine.command)
    words = ["cythera", "match", f"tuned={engine}", f"present={engine}", "--sprt", "0,5", "--games", "40000"]
    for part in str(config.control).split(","):
        key, equals, value = part.partition("=")
        words += [f"--{key}", value] if equals else ["--tc", part]
    words += ["--openings", config.openings] if config.openings else []
    for name, value in config.engine.options:
        words += ["--option", f"{name}={value}"]
    return f"  {shlex.join(words)} {shlex.join(shlex.split(' '.join(options)))}"


def main(argv: list[str]) -> int:
    """Tune. 0 when all iterations are done, 130 when it was stopped."""
    args = parser().parse_args(argv)
    tuning = open_tuning(args)
    draw(tuning, args.plot)
    with stop_signal() as stop:
        tuning.run(concurrency=workers_of(args), cluster=args.cluster, stop=stop, watch=_Reporter(args.plot))
    draw(tuning, args.plot)
    print("\n".join(result_lines(tuning)))
    if tuning.spsa.done < tuning.spsa.iterations:
        print(f"Stopped after {tuning.spsa.done} of {tuning.spsa.iterations} pairs of games.")
        print(f"Resume with: cythera tune search --resume {tuning.path}")
        return 130
    return 0
