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

Run = Callable[[int, int | None], Report]  # seed and size


class Experiment(NamedTuple):
    summary: str
    run: Run


EXPERIMENTS = {
    "leaves": Experiment("leaves visited on random trees, by algorithm and depth", leaves),
    "cost": Experiment("what iterative deepening costs", cost),
    "horizon": Experiment("the horizon effect, and two cures", horizon),
    "pacman": Experiment("minimax and expectimax against two kinds of ghost", pacman),
    "trap": Experiment("the replanning trap, and a better evaluation", trap),
    "opponent": Experiment("what it is worth to know the opponent", opponent),
    "learning": Experiment("weights learned from played games", learning),
    "elo": Experiment("Elo per extra ply of the engine itself (long: plays matches)", elo),
}


def find_experiment(name: str) -> Run:
    """The experiment of that name.

    >>> find_experiment("trap") is trap
    True
    """
    if name not in EXPERIMENTS:
        raise LabError(f"there is no experiment {name!r}; choose from {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[name].run
