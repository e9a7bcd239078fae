"""`cythera train`: a net from games, with live losses, checkpoints and a plot."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cythera.cli.arguments import add_output, add_resume
from cythera.common.signals import stop_signal
from cythera.core import NET_BLOCK, NET_KING_BUCKETS, NET_LARGEST, NET_SCALE_LARGEST, NET_SCALE_LEAST

if TYPE_CHECKING:
    from cythera.net.file import Net
    from cythera.training.average import Other
    from cythera.training.positions import Positions
    from cythera.training.run import Checkpoint, TrainingRun, TrainingSettings

CONTINUED_RATE = 1e-4  # initial learning rate from the weights of a net: a higher one forgets what the net knew


def count(text: str) -> int:
    """A whole number; 4e9 and 2.5e9 are some too."""
    value = float(text)
    if not math.isfinite(value) or value != int(value):
        raise ValueError(text)
    return int(text) if text.isdigit() else int(value)


# Setting -> option, type, lowest and highest value, help. The defaults are those of TrainingSettings.
OPTIONS: dict[str, tuple[str, Callable[[str], float], float, float, str]] = {
    "hidden": ("--hidden", int, NET_BLOCK, NET_LARGEST, f"hidden units per side, a multiple of {NET_BLOCK}"),
    "king_buckets": ("--king-buckets", int, 1, NET_KING_BUCKETS, "feature tables by king square: 1, 2, 4 or 8"),
    "epochs": ("--epochs", int, 1, 100_000, "passes over the positions"),
    "samples": ("--samples", count, 1, 10**15, "number of training positions, such as 4e9, instead of --epochs"),
    "batch": ("--batch", int, 1, 10_000_000, "positions per step"),
    "rate": ("--lr", float, 1e-8, 1.0, "initial learning rate"),
    "final_rate": ("--final-lr", float, 0.0, 1.0, "final learning rate"),
    "warmup": ("--warmup", int, 0, 10_000_000, "steps in which the rate rises to the initial one"),
    "decay": ("--decay", float, 0.0, 1.0, "weight decay of AdamW"),
    "scale": ("--scale", int, NET_SCALE_LEAST, NET_SCALE_LARGEST, "centipawns of an output of 1.0 (73 %% of points)"),
    "seed": ("--seed", int, 0, 2**63 - 1, "random seed of initial weights, order and held-out games"),
    "held_out": ("--held-out", float, 0.0001, 0.9, "share of the games held out for validation"),
    "threads": ("--threads", int, 1, 64, "threads; the number affects the last digits of a net"),
}


def parser() -> argparse.ArgumentParser:
    from cythera.training.run import TrainingSettings
    from cythera.training.shards import SHARD_POSITIONS

    made = argparse.ArgumentParser(
        prog="cythera train",
        description="Train a net on self-play games (see `cythera datagen`). Ctrl-C writes a checkpoint.",
    )
    made.add_argument(
        "games", nargs="+", metavar="FILE[:WEIGHT]",
        help="game files, or folders of them; positions of FILE:3 count three times, those of FILE:0.5 half",
    )  # fmt: skip
    add_output(made, "the net to write", metavar="NET", required=True)
    made.add_argument("--name", help="the net's name, kept in its header (default: the file's)")
    made.add_argument(
        "--start", metavar="NET",
        help="start from the weights of this net; a larger --hidden adds new units",
    )  # fmt: skip
    made.add_argument(
        "--average", action="append", default=[], metavar="NET[:SHARE]",
        help="average the trained weights with those of this net, with this share or the one that validates best; it "
             "must be the net of --start or another one trained from it",
    )  # fmt: skip
    made.add_argument(
        "--validation", action="append", default=[], metavar="FILE",
        help="more game files for validation, such as games with more nodes per move",
    )  # fmt: skip
    defaults = {setting.name: setting.default for setting in fields(TrainingSettings)}
    for name, (option, kind, _, _, about) in OPTIONS.items():
        default = "" if name == "samples" else f" (default: {defaults[name]})"
        if name == "rate":
            default = f" (default: {defaults[name]}, or {CONTINUED_RATE} with --start of the same size)"
        made.add_argument(option, dest=name, type=kind, metavar="N" if kind is int else "X", help=f"{about}{default}")
    made.add_argument("--schedule", choices=("cosine", "linear"), help="learning-rate schedule (default: cosine)")
    made.add_argument(
        "--result-weight", "--lambda", dest="blend", metavar="W[:W]",
        help="share of the game's result in the target, the rest is the score; two numbers: at the start and at the "
             f"end (default: {defaults['blend']})",
    )  # fmt: skip
    made.add_argument("--checkpoint", type=Path, metavar="FILE", help="checkpoint of the run (default: NET.checkpoint)")
    add_resume(made, "the run of a checkpoint")
    made.add_argument(
        "--positions", type=Path, metavar="DIR",
        help="folder to keep the shards of positions in, for other runs on the same games (default: in memory, or in "
             "NET.positions if there is more than one shard)",
    )  # fmt: skip
    made.add_argument(
        "--shard-positions", type=count, default=SHARD_POSITIONS, metavar="N",
        help=f"positions per shard; memory holds two shards of 36 bytes per position (default: {SHARD_POSITIONS:,})",
    )  # fmt: skip
    return made


def blends(made: argparse.ArgumentParser, text: str) -> dict[str, float]:
    """The settings of --result-weight."""
    try:
        numbers = [float(number) for number in text.split(":")]
    except ValueError:
        numbers = []
    if not 1 <= len(numbers) <= 2 or not all(0 <= number <= 1 for number in numbers):
        made.error(f"--result-weight must be a number between 0 and 1, or two as in 0.1:0.25, got {text}")
    return dict(zip(("blend", "final_blend"), numbers, strict=False))


def given_settings(made: argparse.ArgumentParser, args: argparse.Namespace) -> dict[str, object]:
    """The settings that were given, once they are known to be sound."""
    from cythera.net.file import KING_LAYOUTS

    given: dict[str, object] = {name: getattr(args, name) for name in OPTIONS if getattr(args, name) is not None}
    for name, value in given.items():
        option, _, low, high, _ = OPTIONS[name]
        if not low <= value <= high:  # type: ignore[operator]
            made.error(f"{option} must be between {low} and {high}, got {value}")
    if args.hidden is not None and args.hidden % NET_BLOCK:
        made.error(f"--hidden must be a multiple of {NET_BLOCK}, got {args.hidden}")
    if args.king_buckets is not None and args.king_buckets not in (1, *KING_LAYOUTS):
        made.error(f"--king-buckets must be 1, 2, 4 or 8, got {args.king_buckets}")
    if args.epochs is not None and args.samples is not None:
        made.error("--epochs and --samples exclude each other")
    if args.shard_positions < 1:
        made.error(f"--shard-positions must be at least 1, got {args.shard_positions}")
    if args.schedule is not None:
        given["schedule"] = args.schedule
    if args.blend is not None:
        given.update(blends(made, args.blend))
    return given


def main(argv: list[str]) -> int:
    from cythera.training.average import check_alike, other_of
    from cythera.training.positions import TrainingError
    from cythera.training.run import TrainingSettings, read_checkpoint

    made = parser()
    args = made.parse_args(argv)
    given = given_settings(made, args)
    path = args.resume or args.checkpoint or args.output.with_name(args.output.name + ".checkpoint")
    for needed in (args.output, path):
        if not needed.parent.is_dir() or needed.is_dir():
            raise TrainingError(f"cannot write {needed}: its folder does not exist, or it is a folder itself")
    others = [other_of(word) for word in args.average]
    checkpoint: Checkpoint | None = None
    start: Net | None = None
    if args.resume:
        if args.start:
            made.error("--start is for a new run; --resume has weights of its own")
        if args.checkpoint:
            made.error("--checkpoint is for a new run; --resume continues its own file")
        checkpoint = read_checkpoint(path)
        settings = resumed_settings(checkpoint, given)
    else:
        if args.start:
            start = started(made, args.start, given)
        settings = TrainingSettings(**given)  # type: ignore[arg-type]
        if path.exists() and not read_checkpoint(path).finished:
            raise TrainingError(f"{path} holds an unfinished run; resume it with --resume {path}, or remove it")
    positions = load_with_progress(args, settings, checkpoint)
    run = make_run(settings, positions, path, checkpoint, start)
    check_alike(run, [other.net for other in others])
    code = train(run, args.output, args.name or args.output.stem, others)
    if code == 0 and args.positions is None:
        from cythera.training.shards import remove_shards

        remove_shards(own_folder(args.output))
    return code


def resumed_settings(checkpoint: Checkpoint, given: dict[str, object]) -> TrainingSettings:
    """The settings of a checkpoint, which the given ones must not contradict; only threads may differ."""
    from cythera.training.positions import TrainingError

    names = {name: option for name, (option, *_) in OPTIONS.items()}
    names |= {"blend": "--result-weight", "final_blend": "--result-weight", "schedule": "--schedule"}
    begun = asdict(checkpoint.settings)
    changed = sorted({names[name] for name in given if name != "threads" and given[name] != begun[name]})
    if changed:
        words = ", ".join(changed)
        raise TrainingError(f"{checkpoint.path} was created with different settings ({words}); resume without them")
    return replace(checkpoint.settings, threads=given.get("threads", checkpoint.settings.threads))  # type: ignore[arg-type]


def started(made: argparse.ArgumentParser, path: str, given: dict[str, object]) -> Net:
    """The net of --start; the settings follow it."""
    from cythera.net.file import read

    start = read(path)
    if given.setdefault("hidden", start.hidden) < start.hidden:  # type: ignore[operator]
        made.error(f"--hidden must be at least the {start.hidden} hidden units of --start, got {given['hidden']}")
    if given.setdefault("scale", start.scale) != start.scale:
        made.error(f"--scale must be {start.scale}, that of --start, got {given['scale']}")
    if given.setdefault("king_buckets", start.king_buckets) != start.king_buckets and start.king_buckets > 1:
        made.error(f"--king-buckets must be {start.king_buckets}, as in --start, got {given['king_buckets']}")
    if (given["hidden"], given["king_buckets"]) == (start.hidden, start.king_buckets):
        given.setdefault("rate", CONTINUED_RATE)  # new units and king buckets need the rate of a new net
    given["start"] = f"{start.name} {start.digest[:12]}".strip()
    return start


def own_folder(output: Path) -> Path:
    """Where the shards of a run are if nothing else was asked for; they are removed at its end."""
    return output.with_name(output.name + ".positions")


def load_with_progress(
    args: argparse.Namespace, settings: TrainingSettings, checkpoint: Checkpoint | None
) -> Positions:
    """The positions, in memory or in shards."""
    from rich.progress import Progress

    from cythera.training.positions import load, plies_of, sources
    from cythera.training.shards import deal_out, open_shards, shards_for

    folder = args.positions or own_folder(args.output)
    positions: Positions | None = None
    if checkpoint is not None:  # its shards serve even if the games have grown since
        positions = open_shards(folder, checksum=checkpoint.positions)
    if positions is None:
        sharded = args.positions is not None or shards_for(plies_of(sources(args.games)), args.shard_positions) > 1
        with Progress(transient=True, disable=not sys.stdout.isatty()) as progress:
            task = progress.add_task("reading games", total=None)

            def on_bytes(done: int, total: int) -> None:
                progress.update(task, completed=done, total=total)

            if sharded:
                positions = deal_out(
                    args.games, folder, validation=args.validation, share=settings.held_out, seed=settings.seed,
                    shard_positions=args.shard_positions, on_bytes=on_bytes,
                )  # fmt: skip
            else:
                positions = load(
                    args.games, validation=args.validation, share=settings.held_out, seed=settings.seed,
                    on_bytes=on_bytes,
                )  # fmt: skip
    facts = positions.facts
    print(f"{facts.positions:,} positions of {facts.games:,} games to train on, {facts.held_out_positions:,} of "
          f"{facts.held_out_games:,} held out")  # fmt: skip
    if facts.validation_positions:
        print(f"{facts.validation_positions:,} positions of {', '.join(facts.validation_files)} to validate with")
    if positions.shard_count > 1:
        uses = sum(positions.length(index) for index in range(positions.shard_count))
        print(f"{positions.shard_count} shards in {folder}, {uses:,} positions per epoch")
    return positions


def make_run(
    settings: TrainingSettings, positions: Positions, path: Path, checkpoint: Checkpoint | None, start: Net | None
) -> TrainingRun:
    from cythera.training.run import TrainingRun, weights_of

    weights = weights_of(start, settings.king_buckets, settings.hidden, settings.seed) if start else None
    run = TrainingRun(settings, positions, path, weights)
    if checkpoint:
        run.restore(checkpoint)
        print(f"resuming at step {run.progress.step:,} of {run.steps:,}, epoch {run.progress.epoch + 1}")
    return run


def clock(seconds: float) -> str:
    """A span of time as hours, minutes and seconds.

    >>> clock(59.6), clock(7385)
    ('0:01:00', '2:03:05')
    """
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def train(run: TrainingRun, output: Path, name: str, others: Sequence[Other] = ()) -> int:
    """Runs to the end, averages with other nets and writes net and plot, or stops at Ctrl-C."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    settings, progress = run.settings, run.progress
    inputs = f"768×{settings.king_buckets}" if settings.king_buckets > 1 else "768"
    print(f"({inputs} → {settings.hidden})×2 → 1×8, {run.trainer.net_size:,} weights; {run.steps:,} steps of "
          f"{run.batch:,} positions, {settings.threads} thread{'s' * (settings.threads != 1)}")  # fmt: skip
    begun_step, begun_seconds = progress.step, progress.seconds

    def pace() -> tuple[float, str]:
        """Positions per second since the run was begun or resumed, and the time left."""
        done, seconds = run.progress.step - begun_step, run.progress.seconds - begun_seconds
        speed = done * run.batch / max(seconds, 1e-9)
        return speed, clock((run.steps - run.progress.step) * run.batch / max(speed, 1e-9)) if done else "?"

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with stop_signal() as stop, Progress(*columns) as shown:
        task = shown.add_task("training", total=run.steps, completed=progress.step)
        smooth = [0.0, 0.0]  # a running mean of the loss: sum and weight

        def on_step(run: TrainingRun, loss: float) -> None:
            smooth[0], smooth[1] = 0.98 * smooth[0] + loss, 0.98 * smooth[1] + 1
            speed, left = pace()
            loss = smooth[0] / smooth[1]
            text = f"epoch {run.epochs_done:.2f}  loss {loss:.5f}  {speed:,.0f} positions/s  {left} left"
            shown.update(task, completed=run.progress.step, description=text)

        def on_part(run: TrainingRun) -> None:
            row = run.progress.history[-1]
            speed, left = pace()
            files = f"  files {row['validation_files']:.6f}" if "validation_files" in row else ""
            shown.console.print(
                f"epoch {row['epoch']:>6.2f}  training {row['training']:.6f}  validation {row['validation']:.6f}{files}"
                f"  rate {row['rate']:.1e}  {speed:,.0f} positions/s  {clock(run.progress.seconds)}, {left} left",
                highlight=False,
                soft_wrap=True,
            )

        done = run.go(stop, on_step, on_part)
    if not done:
        print(f"stopped in epoch {progress.epoch + 1}; resume with --resume {run.checkpoint}", file=sys.stderr)
        return 130
    finish(run, output, name, others)
    return 0


def finish(run: TrainingRun, output: Path, name: str, others: Sequence[Other]) -> None:
    """Writes the net and the plot of its losses, and says what came out."""
    from cythera.net import file as nets
    from cythera.training.average import average
    from cythera.training.export import COMPARED, FITTED, agreement, quantised, with_fitted_outputs
    from cythera.training.loss_plot import plot
    from cythera.training.positions import some_of

    last = run.progress.history[-1]
    averaged = average(run, others)
    for one in averaged:
        print(f"averaged with {one.net}, share {one.share:.2f}: validation {one.before:.6f} → {one.after:.6f}")
    hidden, scale, kings = run.settings.hidden, run.settings.scale, run.settings.kings
    payload = quantised(with_fitted_outputs(run.trainer, run.positions.sample(FITTED), kings), hidden)
    net = nets.parse(nets.to_bytes(hidden, payload, scale=scale, kings=kings))
    close = agreement(net, run.trainer, some_of(run.positions.held_out, COMPARED))
    losses: dict[str, object] = {
        name: round(last[name], 7) for name in ("training", "validation", "validation_files") if name in last
    }
    if averaged:
        losses["averaged"] = round(averaged[-1].after, 7)
    losses |= {"quantised_mean_cp": round(close.mean_cp, 2), "quantised_max_cp": round(close.max_cp, 2)}
    settings: dict[str, object] = {**asdict(run.settings), "seconds": round(run.progress.seconds)}
    if averaged:
        settings["averaged"] = [{"net": one.net, "share": one.share} for one in averaged]
    net = nets.write(
        output, hidden, payload, scale=scale, kings=kings, name=name, data=asdict(run.positions.facts),
        settings=settings, losses=losses,
    )  # fmt: skip
    picture = output.with_name(output.name + ".svg")
    picture.write_text(plot(run.progress.history, f"{name}: loss by epoch"), encoding="utf-8")
    print(f"loss {last['training']:.6f}, on games not trained on {last['validation']:.6f}; "
          f"{run.progress.seconds:,.0f} s")  # fmt: skip
    print(f"the integers are {close.mean_cp:.2f} centipawns off the floats on average, {close.max_cp:.1f} at most "
          f"({close.positions:,} positions)")  # fmt: skip
    print(f"{output}: {output.stat().st_size:,} bytes, {net.digest[:12]}; losses in {picture}")
