"""`cythera train`: a net from games, with live losses, checkpoints and a plot."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cythera.net.file import Net
    from cythera.training.positions import Positions
    from cythera.training.run import Checkpoint, Run, Settings

# Setting -> option, type, lowest and highest value, help. The defaults are those of run.Settings.
OPTIONS = {
    "hidden": ("--hidden", int, 32, 512, "hidden units a perspective, a multiple of 32"),
    "epochs": ("--epochs", int, 1, 100_000, "times to go through the positions"),
    "batch": ("--batch", int, 1, 10_000_000, "positions a step"),
    "rate": ("--lr", float, 1e-8, 1.0, "learning rate at the start"),
    "final_rate": ("--final-lr", float, 0.0, 1.0, "learning rate at the end; a cosine lies between"),
    "decay": ("--decay", float, 0.0, 1.0, "weight decay of AdamW"),
    "blend": ("--lambda", float, 0.0, 1.0, "share of the game's result in the target; the score has the rest"),
    "scale": ("--scale", int, 50, 1000, "centipawns that are taken for a chance of 73 %%, an output of 1.0"),
    "seed": ("--seed", int, 0, 2**63 - 1, "decides the first weights, the order and the split"),
    "validation": ("--validation", float, 0.0001, 0.9, "share of the games kept for checking"),
    "threads": ("--threads", int, 1, 64, "threads; another number changes the last digits of a net"),
}


def parser() -> argparse.ArgumentParser:
    from cythera.training.run import Settings

    made = argparse.ArgumentParser(
        prog="cythera train",
        description="Train a neural evaluation on self-play games (see `cythera datagen`). Ctrl-C keeps a checkpoint.",
    )
    made.add_argument("games", nargs="+", metavar="DIR", help="game files, or folders of them")
    made.add_argument("-o", "--output", type=Path, required=True, metavar="NET", help="the net to write")
    made.add_argument("--name", help="the net's name, kept in its header (default: the file's)")
    made.add_argument("--start", metavar="NET", help="begin with this net's weights instead of random ones")
    for setting in fields(Settings):
        if setting.name in OPTIONS:
            option, kind, *_, about = OPTIONS[setting.name]
            made.add_argument(option, dest=setting.name, type=kind, help=f"{about} (default: {setting.default})")
    made.add_argument("--checkpoint", type=Path, metavar="FILE", help="where to keep the run (default: NET.checkpoint)")
    made.add_argument("--resume", action="store_true", help="go on with the run of the checkpoint")
    return made


def main(argv: list[str]) -> int:
    from cythera.net.file import HIDDEN_STEP, read
    from cythera.training.positions import TrainingError
    from cythera.training.run import Settings, read_checkpoint

    made = parser()
    args = made.parse_args(argv)
    given = {name: getattr(args, name) for name in OPTIONS if getattr(args, name) is not None}
    for name, value in given.items():
        option, _, low, high, _ = OPTIONS[name]
        if not low <= value <= high:
            made.error(f"{option} is from {low} to {high}, not {value}")
    if given.get("hidden", HIDDEN_STEP) % HIDDEN_STEP:
        made.error(f"--hidden is a multiple of {HIDDEN_STEP}, not {given['hidden']}")
    path = args.checkpoint or args.output.with_name(args.output.name + ".checkpoint")
    for needed in (args.output, path):
        if not needed.parent.is_dir() or needed.is_dir():
            raise TrainingError(f"{needed} cannot be written: its folder does not exist, or it is one itself")
    checkpoint: Checkpoint | None = None
    start: Net | None = None
    if args.resume:
        if args.start:
            made.error("--start is for a new run; --resume goes on with its own weights")
        checkpoint = read_checkpoint(path)
        begun = asdict(checkpoint.settings)
        changed = [OPTIONS[name][0] for name in given if name != "threads" and given[name] != begun[name]]
        if changed:
            raise TrainingError(f"{path} was begun with another {' and '.join(changed)}; resume without")
        settings = replace(checkpoint.settings, threads=given.get("threads", checkpoint.settings.threads))
    else:
        if args.start:
            start = read(args.start)
            if given.setdefault("hidden", start.hidden) != start.hidden:
                made.error(f"--start has {start.hidden} hidden units, not {given['hidden']}")
            if given.setdefault("scale", start.scale) != start.scale:
                made.error(f"--start has a scale of {start.scale}, not {given['scale']}")
            given["start"] = f"{start.name} {start.digest[:12]}".strip()
        settings = Settings(**given)
        if path.exists() and not read_checkpoint(path).finished:
            raise TrainingError(f"{path} holds an unfinished run; go on with it by --resume, or remove it")
    positions = load_with_progress(args.games, settings)
    run = make_run(settings, positions, path, checkpoint, start)
    return train(run, args.output, args.name or args.output.stem)


def load_with_progress(games: list[str], settings: Settings) -> Positions:
    from rich.progress import Progress

    from cythera.training.positions import load

    with Progress(transient=True, disable=not sys.stdout.isatty()) as progress:
        task = progress.add_task("reading games", total=None)
        positions = load(
            games,
            share=settings.validation,
            seed=settings.seed,
            on_bytes=lambda done, total: progress.update(task, completed=done, total=total),
        )
    print(f"{len(positions.training):,} positions of {positions.training_games:,} games to train on, "
          f"{len(positions.checking):,} of {positions.checking_games:,} to check with")  # fmt: skip
    return positions


def make_run(
    settings: Settings, positions: Positions, path: Path, checkpoint: Checkpoint | None, start: Net | None
) -> Run:
    from cythera.training.run import Run, weights_of

    run = Run(settings, positions, path, weights_of(start) if start else None)
    if checkpoint:
        run.restore(checkpoint)
        print(f"going on with epoch {min(run.progress.epoch + 1, settings.epochs)} at batch {run.progress.batch}")
    return run


@contextmanager
def asked_to_stop() -> Iterator[list[bool]]:
    """While inside, Ctrl-C only takes note: a step is done in milliseconds, and must not be torn apart."""
    asked: list[bool] = []
    try:
        former = signal.signal(signal.SIGINT, lambda *_: asked.append(True))
    except ValueError:  # not the main thread: nobody types Ctrl-C to it
        yield asked
        return
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, former)


def train(run: Run, output: Path, name: str) -> int:
    """Runs to the end and writes net and plot, or stops at Ctrl-C."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    settings, progress = run.settings, run.progress
    print(f"(768 → {settings.hidden})×2 → 1×8, {run.trainer.size:,} weights; {run.steps:,} steps of {run.batch:,} "
          f"positions, {settings.threads} thread{'s' * (settings.threads != 1)}")  # fmt: skip
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with asked_to_stop() as asked, Progress(*columns) as shown:
        task = shown.add_task("training", total=run.steps, completed=progress.step)
        begun_step, begun_seconds = progress.step, progress.seconds
        smooth = [0.0, 0.0]  # a running mean of the loss: sum and weight

        def on_step(run: Run, loss: float) -> None:
            smooth[0], smooth[1] = 0.98 * smooth[0] + loss, 0.98 * smooth[1] + 1
            speed = (run.progress.step - begun_step) * run.batch / max(run.progress.seconds - begun_seconds, 1e-9)
            epoch = min(run.progress.epoch + 1, settings.epochs)
            text = f"epoch {epoch}/{settings.epochs}  loss {smooth[0] / smooth[1]:.5f}  {speed:,.0f} positions/s"
            shown.update(task, completed=run.progress.step, description=text)

        def on_epoch(run: Run) -> None:
            row = run.progress.history[-1]
            shown.console.print(
                f"epoch {row['epoch']:>3.0f}  training {row['training']:.6f}  validation {row['validation']:.6f}  "
                f"rate {row['rate']:.1e}  {run.progress.seconds:6.0f} s",
                highlight=False,
            )

        done = run.go(lambda: bool(asked), on_step, on_epoch)
    if not done:
        print(f"stopped in epoch {progress.epoch + 1}; --resume goes on from {run.checkpoint}", file=sys.stderr)
        return 130
    finish(run, output, name)
    return 0


def finish(run: Run, output: Path, name: str) -> None:
    """Writes the net and the plot of its losses, and says what came out."""
    from cythera.net import file as nets
    from cythera.training.export import agreement, quantised, with_fitted_outputs
    from cythera.training.plot import plot

    last = run.progress.history[-1]
    parameters = with_fitted_outputs(run.trainer, run.positions.training)
    hidden, scale = run.settings.hidden, run.settings.scale
    payload = quantised(parameters, hidden)
    close = agreement(nets.parse(nets.to_bytes(hidden, payload, scale=scale)), run.trainer, run.positions.checking)
    losses: dict[str, object] = {
        "training": round(last["training"], 7),
        "validation": round(last["validation"], 7),
        "quantised_mean_cp": round(close.mean_cp, 2),
        "quantised_max_cp": round(close.max_cp, 2),
    }
    settings: dict[str, object] = {**asdict(run.settings), "seconds": round(run.progress.seconds)}
    net = nets.write(
        output, hidden, payload, scale=scale, name=name, data=run.positions.facts(), settings=settings, losses=losses
    )
    picture = output.with_name(output.name + ".svg")
    picture.write_text(plot(run.progress.history, f"{name}: loss by epoch"), encoding="utf-8")
    print(f"loss {last['training']:.6f}, on games not trained on {last['validation']:.6f}; "
          f"{run.progress.seconds:,.0f} s")  # fmt: skip
    print(f"the integers are {close.mean_cp:.2f} centipawns off the floats on average, {close.max_cp:.1f} at most "
          f"({close.positions:,} positions)")  # fmt: skip
    print(f"{output}: {output.stat().st_size:,} bytes, {net.digest[:12]}; losses in {picture}")
