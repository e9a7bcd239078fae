"""Measurements that one command repeats, and whose results stand in docs/lab.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.experiments.cost import cost
from cythera.lab.experiments.elo import elo
from cythera.lab.experiments.horizon import horizon
from cythera.lab.experiments.learning import learning
from cythera.lab.experiments.leaves import leaves
from cythera.lab.experiments.opponent import opponent
from cythera.lab.experiments.pacman import pacman, trap
from cythera.lab.experiments.report import Report
from cythera.lab.texts import say

Run = Callable[[int, int | None], Report]  # seed and size


class Experiment(NamedTuple):
    name: str
    run: Run

    @property
    def summary(self) -> str:
        return say(f"experiment.{self.name}")


EXPERIMENTS = {
    "leaves": Experiment("leaves", leaves),
    "cost": Experiment("cost", cost),
    "horizon": Experiment("horizon", horizon),
    "pacman": Experiment("pacman", pacman),
    "trap": Experiment("trap", trap),
    "opponent": Experiment("opponent", opponent),
    "learning": Experiment("learning", learning),
    "elo": Experiment("elo", elo),
}


def find_experiment(name: str) -> Run:
    """The experiment of that name.

    >>> find_experiment("trap") is trap
    True
    """
    if name not in EXPERIMENTS:
        raise LabError(say("error.experiment", name=name, names=", ".join(EXPERIMENTS)))
    return EXPERIMENTS[name].run
