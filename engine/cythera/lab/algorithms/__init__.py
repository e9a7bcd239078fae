"""The algorithms of the lab, by the names people type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.alphabeta_negamax import alphabeta_negamax
from cythera.lab.algorithms.bstar import bstar
from cythera.lab.algorithms.continuation import continuation
from cythera.lab.algorithms.deepening import deepening
from cythera.lab.algorithms.expectimax import expectimax, expectiminimax, mostly_minimax
from cythera.lab.algorithms.killers import killers
from cythera.lab.algorithms.labelling import labelling
from cythera.lab.algorithms.maxn import maxn
from cythera.lab.algorithms.minimax import minimax
from cythera.lab.algorithms.mtdf import mtd_sss, mtdf
from cythera.lab.algorithms.negamax import negamax
from cythera.lab.algorithms.plausible import plausible
from cythera.lab.algorithms.pvs import pvs
from cythera.lab.algorithms.quiescence import quiescence
from cythera.lab.algorithms.recsss import recsss
from cythera.lab.algorithms.scout import scout
from cythera.lab.algorithms.sss import sss
from cythera.lab.algorithms.table import alphabeta_table
from cythera.lab.errors import LabError
from cythera.lab.game import AnyGame
from cythera.lab.search import AnySearch, Result

DUEL, CHANCE, PARTY = "two players", "chance", "any number of players"


@dataclass(frozen=True)
class Algorithm:
    name: str
    summary: str
    run: Callable[[AnySearch], Result[Any, Any]]
    kind: str = DUEL
    exact: bool = True  # always the value of minimax
    view: str = "max"  # whose eyes the values in its tree are seen with: MAX's or the mover's

    def objection(self, game: AnyGame) -> str | None:
        """Why it cannot search a game, or None."""
        if game.has_chance and self.kind != CHANCE:
            return f"{self.name} knows no chance nodes, and {game.name} has some"
        if game.players > 2 and self.kind != PARTY:
            return f"{self.name} is for two players, and {game.name} has {game.players}"
        return None


def expectimax_model(search: AnySearch) -> Result[Any, Any]:
    """Expectimax against one who plays depth-2 minimax 80 % of the time, else at random."""
    return expectimax(search, mostly_minimax(depth=2, share=0.8))


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("minimax", "every node, depth first", minimax),
        Algorithm("labelling", "win, loss or draw; stops at the first win", labelling, exact=False),
        Algorithm("negamax", "minimax in one case", negamax, view="mover"),
        Algorithm("alphabeta", "minimax without what cannot matter", alphabeta),
        Algorithm("alphabeta-negamax", "alpha-beta in one case", alphabeta_negamax, view="mover"),
        Algorithm("scout", "test before you evaluate", scout),
        Algorithm("pvs", "SCOUT as negamax: principal variation search", pvs, view="mover"),
        Algorithm("sss", "SSS*: best first", sss),
        Algorithm("recsss", "RecSSS*: SSS* by recursion, without the list", recsss),
        Algorithm("mtdf", "MTD(f): empty windows and a memory", mtdf),
        Algorithm("mtd-sss", "MTD(+∞): the leaves of SSS*, depth first", mtd_sss),
        Algorithm("bstar", "B*: until the move is certain", bstar, exact=False),
        Algorithm("table", "alpha-beta with a transposition table", alphabeta_table),
        Algorithm("killers", "alpha-beta with killer moves", killers, view="mover"),
        Algorithm("deepening", "iterative deepening with a table", deepening),
        Algorithm("plausible", "heuristic pruning: only the likely moves", plausible, exact=False, view="mover"),
        Algorithm("continuation", "search on where it is not quiet", continuation, exact=False, view="mover"),
        Algorithm("quiescence", "captures to the end before judging", quiescence, exact=False, view="mover"),
        Algorithm("expectiminimax", "averages at chance nodes", expectiminimax, CHANCE),
        Algorithm("expectimax", "an opponent who plays at random", expectimax, CHANCE, exact=False),
        Algorithm("expectimax-model", "… or 80 % depth-2 minimax", expectimax_model, CHANCE, exact=False),
        Algorithm("maxn", "max^n: everyone for himself", maxn, PARTY, exact=False),
    )
}


def find_algorithm(name: str) -> Algorithm:
    """The algorithm of that name.

    >>> find_algorithm("alphabeta").summary
    'minimax without what cannot matter'
    """
    if name not in ALGORITHMS:
        raise LabError(f"there is no algorithm {name!r}; `cythera lab list` shows them all")
    return ALGORITHMS[name]
