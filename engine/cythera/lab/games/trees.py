"""Explicit trees: the game tree itself, written down (`tree_text`) or drawn at random."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cythera.lab.errors import LabError
from cythera.lab.game import CHANCE, MAX, MIN, Game, Player
from cythera.lab.texts import say


@dataclass(frozen=True, eq=False, slots=True)
class Vertex:
    """A node of an explicit tree. Two vertices are equal only if they are the same one."""

    player: Player
    name: str = ""
    payoff: tuple[float, ...] | None = None  # of a leaf: one number, or one for each of n players
    children: tuple[Vertex, ...] = ()
    odds: tuple[float, ...] = ()  # of a chance node, one for each child
    interval: tuple[float, float] | None = None  # pessimistic and optimistic value


class TreeGame(Game[Vertex, int]):
    """A game whose states are the vertices of a tree and whose actions are the numbers of children.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> game = parse_tree("3 12 8 / 2 x y / 14 5 2")
    >>> root = game.initial()
    >>> [game.utility(game.result(game.result(root, 0), i)) for i in (0, 1, 2)]
    [3, 12, 8]
    >>> game.utility(game.result(game.result(root, 1), 2))
    Traceback (most recent call last):
    cythera.lab.errors.LabError: the leaf y has no value
    """

    has_move_names = False
    is_scored = True

    def __init__(self, root: Vertex, name: str = "tree", players: int = 2) -> None:
        self.name = name
        self.root = root
        self.players = players
        self.has_chance = any(vertex.player == CHANCE for vertex in vertices(root))

    def initial(self) -> Vertex:
        return self.root

    def player(self, state: Vertex) -> Player:
        return state.player

    def actions(self, state: Vertex) -> Sequence[int]:
        return range(len(state.children))

    def result(self, state: Vertex, action: int) -> Vertex:
        return state.children[action]

    def is_terminal(self, state: Vertex) -> bool:
        return not state.children

    def utility(self, state: Vertex) -> float:
        return self.utilities(state)[0]

    def utilities(self, state: Vertex) -> tuple[float, ...]:
        if state.payoff is None:
            raise LabError(say("error.leaf_value", name=state.name))
        if self.players == 2 and len(state.payoff) == 1:
            return state.payoff[0], -state.payoff[0]
        return state.payoff

    def evaluate(self, state: Vertex) -> float:
        """The middle of the interval, or of the leaves below: crude, but about the right thing."""
        low, high = self.bounds(state)
        return (low + high) / 2

    def estimates(self, state: Vertex) -> tuple[float, ...]:
        leaves = [self.utilities(vertex) for vertex in vertices(state) if not vertex.children]
        return tuple(sum(column) / len(leaves) for column in zip(*leaves, strict=True))

    def bounds(self, state: Vertex) -> tuple[float, float]:
        """The interval written in the tree, or else the least and the greatest leaf below."""
        if state.interval is not None:
            return state.interval
        leaves = [self.utility(vertex) for vertex in vertices(state) if not vertex.children]
        return min(leaves), max(leaves)

    def odds(self, state: Vertex) -> Sequence[float]:
        return state.odds

    def state_name(self, state: Vertex) -> str:
        return state.name

    def action_name(self, action: int) -> str:
        return str(action + 1)

    def move_help(self) -> str:
        return say("moves.tree")

    def describe(self, state: Vertex) -> str:
        from cythera.lab.games.tree_text import format_tree

        return format_tree(state)


def vertices(root: Vertex) -> Iterator[Vertex]:
    """All vertices, parents before children, from left to right."""
    yield root
    for child in root.children:
        yield from vertices(child)


# Trees at random. The same seed gives the same tree, on every machine.

MOST_LEAVES = 500_000


def check_size(branching: int, depth: int) -> None:
    """Raises LabError for a tree that has no nodes, or too many to be kept."""
    if branching < 1 or depth < 0:
        raise LabError(say("error.branching", branching=branching, depth=depth))
    if depth > (MOST_LEAVES.bit_length() if branching > 1 else 500) or branching**depth > MOST_LEAVES:
        raise LabError(say("error.tree_size", branching=branching, depth=depth, most=f"{MOST_LEAVES:,}"))


def random_tree(
    branching: int, depth: int, seed: int, *, values: int = 1000, irregular: bool = False, root: Player = MAX
) -> TreeGame:
    """A tree with leaves drawn from 0 to `values` − 1.

    Uniform: every path has `depth` plies and every node `branching` children. Irregular: a node has
    from one to `branching` children, paths end early now and then, and who moves next is not always
    the other one.

    >>> tree = random_tree(branching=3, depth=4, seed=1)
    >>> sum(not vertex.children for vertex in vertices(tree.root))
    81
    """
    check_size(branching, depth)
    rng = random.Random(f"{branching} {depth} {seed}")

    def grow(plies: int, player: Player) -> Vertex:
        if plies == 0 or (irregular and plies < depth and rng.random() < 0.1):
            return Vertex(player, payoff=(rng.randrange(values),))
        count = rng.randint(1, branching) if irregular else branching
        following = [rng.choice((MAX, MIN)) if irregular and rng.random() < 0.2 else 1 - player for _ in range(count)]
        return Vertex(player, children=tuple(grow(plies - 1, who) for who in following))

    return TreeGame(grow(depth, root), say("name.random", branching=branching, depth=depth, seed=seed))


def random_chance_tree(branching: int, depth: int, seed: int) -> TreeGame:
    """MAX, chance, MIN, chance and so on, with odds that are random too."""
    rng = random.Random(f"chance {branching} {depth} {seed}")

    def grow(plies: int, turn: int) -> Vertex:
        player = (MAX, CHANCE, MIN, CHANCE)[turn % 4]
        if plies == 0:
            return Vertex(player, payoff=(rng.randrange(100),))
        children = tuple(grow(plies - 1, turn + 1) for _ in range(rng.randint(1, branching)))
        weights = [rng.randint(1, 9) for _ in children]
        odds = tuple(weight / sum(weights) for weight in weights) if player == CHANCE else ()
        return Vertex(player, children=children, odds=odds)

    return TreeGame(grow(depth, 0), say("name.random_chance", seed=seed))


def coin_tree(depth: int, seed: int, branching: int = 2) -> TreeGame:
    """MAX, a fair coin, MIN, a fair coin and so on: `depth` plies, the flips counted.

    >>> coin_tree(4, 1).root.children[0].odds
    (0.5, 0.5)
    """
    check_size(branching, depth)
    rng = random.Random(f"coin {depth} {seed}")

    def grow(plies: int, turn: int) -> Vertex:
        player = (MAX, CHANCE, MIN, CHANCE)[turn % 4]
        if plies == 0:
            return Vertex(player, payoff=(rng.randint(-9, 9),))
        count = 2 if player == CHANCE else branching
        children = tuple(grow(plies - 1, turn + 1) for _ in range(count))
        return Vertex(player, children=children, odds=(0.5, 0.5) if player == CHANCE else ())

    return TreeGame(grow(depth, 0), say("name.coin", depth=depth, seed=seed))


def random_party_tree(players: int, branching: int, depth: int, seed: int) -> TreeGame:
    """A tree for n players, who move in turn; each leaf has a number for every one of them."""
    rng = random.Random(f"party {players} {branching} {depth} {seed}")

    def grow(plies: int, player: Player) -> Vertex:
        if plies == 0:
            return Vertex(player, payoff=tuple(rng.randrange(100) for _ in range(players)))
        return Vertex(player, children=tuple(grow(plies - 1, (player + 1) % players) for _ in range(branching)))

    return TreeGame(grow(depth, 0), say("name.random_party", players=players, seed=seed), players)
