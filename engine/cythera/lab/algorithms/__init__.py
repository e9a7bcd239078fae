"""The algorithms of the lab, by the names people type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.alphabeta_negamax import alphabeta_negamax
from cythera.lab.algorithms.andor import and_or
from cythera.lab.algorithms.bstar import bstar
from cythera.lab.algorithms.continuation import continuation
from cythera.lab.algorithms.deepening import deepening
from cythera.lab.algorithms.expectimax import expectimax, expectiminimax, mostly_minimax
from cythera.lab.algorithms.intersss import intersss
from cythera.lab.algorithms.killers import killers
from cythera.lab.algorithms.labelling import labelling
from cythera.lab.algorithms.maxn import maxn
from cythera.lab.algorithms.mcts import mcts, mcts_evaluated
from cythera.lab.algorithms.mem import mem
from cythera.lab.algorithms.minimax import minimax
from cythera.lab.algorithms.mtdf import mtd_sss, mtdf
from cythera.lab.algorithms.negamax import negamax
from cythera.lab.algorithms.plausible import plausible
from cythera.lab.algorithms.proof_number import dfpn, pns
from cythera.lab.algorithms.pvs import pvs
from cythera.lab.algorithms.quiescence import quiescence
from cythera.lab.algorithms.recsss import recsss
from cythera.lab.algorithms.scout import scout
from cythera.lab.algorithms.sss import sss
from cythera.lab.algorithms.table import alphabeta_table
from cythera.lab.errors import LabError
from cythera.lab.game import AnyGame
from cythera.lab.search import AnySearch, Result
from cythera.lab.texts import say

DUEL, CHANCE, PARTY, ANY = "duel", "chance", "party", "any"
VALUE, LABEL, MOVE, ESTIMATE, HEURISTIC, OTHER = "value", "label", "move", "estimate", "heuristic", "other"


@dataclass(frozen=True)
class Algorithm:
    name: str
    run: Callable[[AnySearch], Result[Any, Any]]
    kind: str = DUEL  # which games it is for
    finds: str = VALUE  # in what sense its answer is exact
    plays_out: bool = False  # looks to the end of the game unless a depth is asked for
    view: str = "max"  # what stands at a node of its tree: a value to MAX or to the mover, proof numbers, or means

    @property
    def summary(self) -> str:
        return say(f"algorithm.{self.name}")

    @property
    def exact(self) -> bool:
        """Always the value of minimax (of expectiminimax where there is chance)."""
        return self.finds == VALUE

    def exactness(self, search: AnySearch, result: Result[Any, Any]) -> str:
        """In what sense its answer to a search is exact, in a word or two.

        Some that are not exact in general were exact here: a sign is the value where a game ends in win, draw or
        loss; a heuristic that left nothing out and extended nothing was alpha-beta.

        >>> from cythera.lab.games.tictactoe import TicTacToe
        >>> from cythera.lab.games.tree_text import parse_tree
        >>> from cythera.lab.search import Search
        >>> entry = find_algorithm("labelling")
        >>> searches = [Search(parse_tree("3 -1 / 2 4")), Search(TicTacToe("XO./.X./..O"))]
        >>> [entry.exactness(search, entry.run(search)) for search in searches]
        ['sign only', 'exact']
        """
        game = search.game
        is_exact = {
            LABEL: game.has_signs_only and not search.has_estimated,
            HEURISTIC: not any(result.notes.values()),
            MOVE: self.finds == MOVE and result.value.low == result.value.high,
            OTHER: self.name == "maxn" and (game.players > 2 or not game.has_chance),  # its own value, or minimax's
        }.get(self.finds, False)
        finds = VALUE if is_exact else self.finds
        return say(f"exact.{finds}")

    def default_depth(self, game: AnyGame) -> int | None:
        """The depth to search a game to if none is asked for.

        >>> from cythera.lab.games.connect4 import ConnectFour
        >>> [find_algorithm(name).default_depth(ConnectFour()) for name in ("mcts", "alphabeta")]
        [None, 4]
        """
        return None if self.plays_out and not game.is_endless else game.default_depth

    def objection(self, game: AnyGame) -> str | None:
        """Why it cannot search a game, or None."""
        if game.has_chance and self.kind not in (CHANCE, ANY):
            return say("error.has_chance", algorithm=self.name, game=game.name)
        if game.players > 2 and self.kind not in (PARTY, ANY):
            return say("error.has_players", algorithm=self.name, game=game.name, players=game.players)
        return None


def expectimax_model(search: AnySearch) -> Result[Any, Any]:
    """Expectimax against one who plays depth-2 minimax 80 % of the time, else at random."""
    return expectimax(search, mostly_minimax(depth=2, share=0.8))


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("minimax", minimax),
        Algorithm("labelling", labelling, finds=LABEL),
        Algorithm("negamax", negamax, view="mover"),
        Algorithm("alphabeta", alphabeta),
        Algorithm("alphabeta-negamax", alphabeta_negamax, view="mover"),
        Algorithm("scout", scout),
        Algorithm("pvs", pvs, view="mover"),
        Algorithm("sss", sss),
        Algorithm("recsss", recsss),
        Algorithm("intersss", intersss),
        Algorithm("mem", mem),
        Algorithm("mtdf", mtdf),
        Algorithm("mtd-sss", mtd_sss),
        Algorithm("bstar", bstar, finds=MOVE),
        Algorithm("andor", and_or, finds=LABEL),
        Algorithm("pns", pns, finds=LABEL, view="numbers"),
        Algorithm("dfpn", dfpn, finds=LABEL, view="numbers"),
        Algorithm("table", alphabeta_table),
        Algorithm("killers", killers, view="mover"),
        Algorithm("deepening", deepening),
        Algorithm("plausible", plausible, finds=HEURISTIC, view="mover"),
        Algorithm("continuation", continuation, finds=HEURISTIC, view="mover"),
        Algorithm("quiescence", quiescence, finds=HEURISTIC, view="mover"),
        Algorithm("mcts", mcts, ANY, finds=ESTIMATE, plays_out=True, view="means"),
        Algorithm("mcts-evaluated", mcts_evaluated, ANY, finds=ESTIMATE, view="means"),
        Algorithm("expectiminimax", expectiminimax, CHANCE),
        Algorithm("expectimax", expectimax, CHANCE, finds=OTHER),
        Algorithm("expectimax-model", expectimax_model, CHANCE, finds=OTHER),
        Algorithm("maxn", maxn, PARTY, finds=OTHER),
    )
}


def find_algorithm(name: str) -> Algorithm:
    """The algorithm of that name.

    >>> find_algorithm("alphabeta").summary
    'minimax without what cannot matter'
    """
    if name not in ALGORITHMS:
        raise LabError(say("error.algorithm", name=name))
    return ALGORITHMS[name]
