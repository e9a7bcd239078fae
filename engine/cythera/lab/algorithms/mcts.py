"""Monte Carlo tree search: judge a position by how games from it end.

One tree grows in memory. A playout has four steps: from the root down by the most promising child
until a node with an untried move; one new node; from there a game of random moves to its end (or one
evaluation instead of it); and the result is counted at every node of the path.

"Most promising" is UCT, the rule of a gambler with many machines: for the player to move

    mean result of the child + C · √(ln(playouts of the parent) / playouts of the child)

so that good moves are tried most and no move is forgotten. Given enough playouts the tree is minimax
where it matters. Results are scaled to 0…1 by the least and greatest seen so far, so that one C fits
games of any scale. Outcomes of dice are drawn by their odds; with n players each looks at his own.
(L. Kocsis and C. Szepesvári, "Bandit Based Monte-Carlo Planning", 2006.)
"""

from __future__ import annotations

import math
import random
from typing import Generic

from cythera.lab.errors import LabError
from cythera.lab.game import CHANCE, Action, State
from cythera.lab.search import INF, Node, Result, Search
from cythera.lab.texts import say

PLAYOUTS = 2000
EXPLORATION = 1.0


class Branch(Generic[State, Action]):
    """A node of the tree in memory: how often it was visited, and the sum of results for each player."""

    __slots__ = ("children", "node", "sums", "untried", "visits")

    def __init__(self, node: Node[State, Action], players: int) -> None:
        self.node = node
        self.visits = 0
        self.sums = [0.0] * players
        self.children: dict[Action, Branch[State, Action]] = {}
        self.untried: list[Action] | None = None  # not asked yet

    def mean(self, player: int) -> float:
        return self.sums[player] / self.visits if self.visits else 0.0

    def text(self) -> str:
        """The mean result to the first player, or to each of three, and the playouts it is the mean of."""
        means = [self.mean(player) for player in range(len(self.sums))]
        shown = ", ".join(f"{round(mean, 2):g}".replace("-", "−") for mean in (means[:1] if len(means) == 2 else means))
        return f"{shown} · {self.visits}"

    def most_visited(self) -> Branch[State, Action] | None:
        """The child to play: the one with the most playouts, and of equals the best for the player here."""
        player = max(self.node.player, 0)
        return max(self.children.values(), key=lambda child: (child.visits, child.mean(player)), default=None)


class Uct(Generic[State, Action]):
    """A search that can be given more playouts; the tree stays."""

    def __init__(
        self,
        search: Search[State, Action],
        *,
        seed: int = 1,
        exploration: float = EXPLORATION,
        playing_out: bool = True,
    ) -> None:
        self.search = search
        self.game = search.game
        self.rng = random.Random(seed)
        self.exploration = exploration
        self.playing_out = playing_out  # random games; else the evaluation
        self.root = Branch(search.root(), search.game.players)
        self.low, self.high = INF, -INF

    def playout(self) -> None:
        """One game through the tree."""
        branch, path = self.root, [self.root]
        while not self.search.is_leaf(branch.node):
            if branch.untried is None:
                branch.untried = list(self.search.actions(branch.node))
                self.search.announce(branch.node, branch.untried)
                self.rng.shuffle(branch.untried)
            if branch.node.player == CHANCE:
                branch = self.roll(branch)
                is_new = branch.visits == 0
            elif branch.untried:
                branch, is_new = self.expand(branch, branch.untried.pop()), True
            else:
                branch, is_new = self.select(branch), False
            path.append(branch)
            if is_new:
                break
        values = self.judge(branch.node)
        self.search.note(branch.node, values[0] if len(values) == 2 else values, "played_out")
        self.low, self.high = min(self.low, *values), max(self.high, *values)
        for step in reversed(path):
            step.visits += 1
            for player, value in enumerate(values):
                step.sums[player] += value
            self.search.note(step.node, step.text(), "averaged")

    def expand(self, branch: Branch[State, Action], action: Action) -> Branch[State, Action]:
        (node,) = self.search.follow(branch.node, [action])
        child = branch.children[action] = Branch(node, self.game.players)
        return child

    def roll(self, branch: Branch[State, Action]) -> Branch[State, Action]:
        """An outcome of the dice, drawn by its odds."""
        state = branch.node.state
        action = self.rng.choices(list(self.game.actions(state)), weights=list(self.game.odds(state)))[0]
        return branch.children.get(action) or self.expand(branch, action)

    def select(self, branch: Branch[State, Action]) -> Branch[State, Action]:
        """The child with the greatest upper confidence bound."""
        player, logarithm = branch.node.player, math.log(branch.visits)
        spread = self.high - self.low or 1.0

        def promise(child: Branch[State, Action]) -> float:
            share = (child.mean(player) - self.low) / spread
            return share + self.exploration * math.sqrt(logarithm / child.visits)

        return max(branch.children.values(), key=promise)

    def judge(self, node: Node[State, Action]) -> tuple[float, ...]:
        """What each player gets from here: by a game of random moves, or by the evaluation."""
        state, depth = node.state, self.search.depth
        if self.playing_out:
            plies = node.ply
            while not self.game.is_terminal(state) and plies != depth:
                actions = self.game.actions(state)
                if self.game.player(state) == CHANCE:
                    action = self.rng.choices(list(actions), weights=list(self.game.odds(state)))[0]
                else:
                    action = self.rng.choice(actions)
                state = self.game.result(state, action)
                plies += 1
        return self.search.judge(state)

    def result(self) -> Result[float, Action]:
        """The most visited move and its mean value to the first player; before dice, the mean of all playouts."""
        branch = self.root
        while (child := branch.most_visited()) is not None and branch.node.player != CHANCE:
            branch.node.best = child.node
            branch = child
        notes = {"playouts": float(self.root.visits)}
        best = None if self.root.node.player == CHANCE else self.root.most_visited()
        if best is not None:
            notes["share"] = best.visits / self.root.visits
        return self.search.result(self.root.node, (best or self.root).mean(0), **notes)


def mcts(search: Search[State, Action], playouts: int | None = None, seed: int | None = None) -> Result[float, Action]:
    """UCT with random playouts. `share` is the part of all playouts that went to the chosen move.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> mcts(Search(parse_tree("3 12 8 / 2 4 6 / 14 5 2")), playouts=500).line
    (0, 0)
    """
    return run(search, playouts, playing_out=True, seed=seed)


def mcts_evaluated(
    search: Search[State, Action], playouts: int | None = None, seed: int | None = None
) -> Result[float, Action]:
    """UCT with the game's evaluation in the place of random playouts."""
    return run(search, playouts, playing_out=False, seed=seed)


def run(
    search: Search[State, Action],
    playouts: int | None,
    *,
    playing_out: bool,
    seed: int | None = None,
    exploration: float = EXPLORATION,
) -> Result[float, Action]:
    if playouts is None:
        playouts = PLAYOUTS if search.options.playouts is None else search.options.playouts
    if playouts < 1:
        raise LabError(say("error.playouts", playouts=playouts))
    uct = Uct(
        search, seed=search.options.seed if seed is None else seed, exploration=exploration, playing_out=playing_out
    )
    for _ in range(playouts):
        uct.playout()
    return uct.result()
