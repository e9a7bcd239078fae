"""Measurements that one command repeats, and whose results stand in docs/lab.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.experiments.branching import branching
from cythera.lab.experiments.cost import cost
from cythera.lab.experiments.elo import elo
from cythera.lab.experiments.endings import endings
from cythera.lab.experiments.ghosts import ghosts
from cythera.lab.experiments.horizon import horizon
from cythera.lab.experiments.learning import learning
from cythera.lab.experiments.leaves import leaves
from cythera.lab.experiments.memory import memory
from cythera.lab.experiments.montecarlo import montecarlo
from cythera.lab.experiments.opponent import opponent
from cythera.lab.experiments.pacman import pacman, trap
from cythera.lab.experiments.report import Report
from cythera.lab.experiments.speed import speed
from cythera.lab.experiments.td import othello, td
from cythera.lab.experiments.traps import traps
from cythera.lab.texts import say

Run = Callable[[int, int | None], Report]  # seed and size


class Experiment(NamedTuple):
    name: str
    run: Run
    has_plot: bool = True

    @property
    def summary(self) -> str:
        return say(f"experiment.{self.name}")


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment("leaves", leaves),
        Experiment("branching", branching),
        Experiment("memory", memory),
        Experiment("cost", cost),
        Experiment("traps", traps),
        Experiment("horizon", horizon, has_plot=False),
        Experiment("montecarlo", montecarlo),
        Experiment("pacman", pacman, has_plot=False),
        Experiment("ghosts", ghosts),
        Experiment("trap", trap, has_plot=False),
        Experiment("opponent", opponent, has_plot=False),
        Experiment("learning", learning),
        Experiment("td", td),
        Experiment("othello", othello),
        Experiment("endings", endings),
        Experiment("speed", speed),
        Experiment("elo", elo),
    )
}


def find_experiment(name: str) -> Run:
    """The experiment of that name.

    >>> find_experiment("trap") is trap
    True
    """
    if name not in EXPERIMENTS:
        raise LabError(say("error.experiment", name=name, names=", ".join(EXPERIMENTS)))
    return EXPERIMENTS[name].run
