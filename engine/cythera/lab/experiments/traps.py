"""How discrimination falls with depth, and why looking deeper is better all the same in games with traps.

Two kinds of binary trees with won and lost leaves, and an evaluation that is fair but knows nothing of
who moves: the share of won leaves below. In trees where every game lasts equally long, the won and the
lost move become harder to tell apart the deeper one looks: each level of maxima and minima blurs the
estimates, and the choice gets worse until the end is in sight (J. Pearl's pathology). In trees with
traps, where games can end early, a deeper search sees more of the ends, and chooses better.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from statistics import mean, pstdev

from cythera.common.plot import Series, line_plot
from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.experiments.report import Report
from cythera.lab.game import MAX, Player
from cythera.lab.games.trees import TreeGame, Vertex
from cythera.lab.search import Search
from cythera.lab.texts import say

HEIGHT = 11
DEPTHS = (1, 2, 3, 4, 5, 6)
TREES = 1000
TRAP_SHARE = 0.2  # of the inner nodes
WIN_SHARE = 0.382  # of the leaves: so that neither player wins nearly all tall trees whose last move is MAX's
UNEQUAL = 1e-9


@dataclass(frozen=True)
class Measured:
    right: float  # the share of trees in which the chosen move is a best one
    discrimination: float  # mean difference between the won and the lost move, in standard deviations of it


class WinTree(TreeGame):
    """A tree whose evaluation is the share of won leaves below, from −1 to 1."""

    def __init__(self, root: Vertex) -> None:
        super().__init__(root)
        self.shares: dict[Vertex, tuple[int, int]] = {}

    def count(self, state: Vertex) -> tuple[int, int]:
        """Won leaves and all leaves below a node."""
        if state not in self.shares:
            if state.payoff is not None:
                self.shares[state] = int(state.payoff[0] > 0), 1
            else:
                below = [self.count(child) for child in state.children]
                self.shares[state] = sum(won for won, _ in below), sum(total for _, total in below)
        return self.shares[state]

    def evaluate(self, state: Vertex) -> float:
        won, total = self.count(state)
        return 2 * won / total - 1


def grow(rng: random.Random, traps: bool) -> WinTree:
    def vertex(plies: int, player: Player) -> Vertex:
        ends = plies == 0 or (traps and plies < HEIGHT and rng.random() < TRAP_SHARE)
        if ends:
            return Vertex(player, payoff=(1 if rng.random() < WIN_SHARE else -1,))
        return Vertex(player, children=(vertex(plies - 1, 1 - player), vertex(plies - 1, 1 - player)))

    return WinTree(vertex(HEIGHT, MAX))


def measure(seed: int, traps: bool, trees: int) -> dict[int, Measured]:
    """What each depth achieves on trees in which the choice matters: one move wins and one loses."""
    rng = random.Random(f"{seed} {traps}")
    right = dict.fromkeys(DEPTHS, 0.0)
    differences: dict[int, list[float]] = {depth: [] for depth in DEPTHS}
    found = 0
    while found < trees:
        tree = grow(rng, traps)
        truth = [alphabeta(Search(tree, start=child)).value for child in tree.root.children]
        if truth[0] == truth[1]:
            continue
        found += 1
        for depth in DEPTHS:
            values = [alphabeta(Search(tree, depth - 1, start=child)).value for child in tree.root.children]
            difference = values[0] - values[1] if truth[0] > truth[1] else values[1] - values[0]
            differences[depth].append(difference)
            right[depth] += 0.5 if abs(difference) < UNEQUAL else float(difference > 0)
    return {
        depth: Measured(right[depth] / trees, mean(differences[depth]) / (pstdev(differences[depth]) or 1))
        for depth in DEPTHS
    }


def traps(seed: int, size: int | None) -> Report:
    """The share of right choices and the difference between the two moves, by depth, over `size` trees."""
    trees = size or TREES
    plain, trapped = measure(seed, False, trees), measure(seed, True, trees)
    rows = [
        [str(depth)]
        + [
            cell
            for found in (plain, trapped)
            for cell in (f"{found[depth].right:.0%}", f"{found[depth].discrimination:.2f}")
        ]
        for depth in DEPTHS
    ]
    series = [
        Series(say(f"x.traps.{name}"), [(depth, getattr(found[depth], field)) for depth in DEPTHS])
        for name, found, field in (
            ("right_plain", plain, "right"),
            ("spread_plain", plain, "discrimination"),
            ("right_traps", trapped, "right"),
            ("spread_traps", trapped, "discrimination"),
        )
    ]
    heads = [say(f"x.traps.{name}") for name in ("depth", "right_plain", "spread_plain", "right_traps", "spread_traps")]
    plot = line_plot(say("x.traps.plot"), say("x.traps.x"), say("x.traps.y"), series)
    return Report(say("x.traps.title", trees=trees), heads, rows, [say("x.traps.remark")], plot)
