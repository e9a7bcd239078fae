"""What all searches share: nodes, counting, the depth limit, and the result they hand back.

An algorithm sees a game only through a `Search`. It asks for children, for leaves and their values;
the Search counts, orders the moves, stops at the depth, and tells a watcher what happened. So an
algorithm can be written as a textbook defines it, and still be counted and drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, Protocol, TypeVar

from cythera.lab.errors import LabError
from cythera.lab.game import CHANCE, MAX, Action, Game, Player, State
from cythera.lab.texts import say

INF = math.inf
TO_THE_END = "end"
Window = ParamSpec("Window")
Value = TypeVar("Value")


def just_above(value: float) -> float:
    """The next number up: (v, just_above(v)) is a null window.

    >>> 3 < just_above(3) < 3.000001
    True
    """
    return math.nextafter(value, INF)


def just_below(value: float) -> float:
    """The next number down."""
    return math.nextafter(value, -INF)


def read_depth(text: str) -> int | None:
    """A depth as people write it: a number of plies, or `end`, which is None.

    >>> read_depth("4"), read_depth("end")
    (4, None)
    """
    if text.strip().lower() == TO_THE_END:
        return None
    try:
        depth = int(text)
    except ValueError as error:
        raise LabError(say("error.depth_text", text=text)) from error
    if depth < 0:
        raise LabError(say("error.depth_range", depth=depth))
    return depth


class Node(Generic[State, Action]):
    """A place in the search tree: a state, and how the search came there."""

    __slots__ = ("action", "best", "index", "parent", "player", "ply", "state")

    def __init__(
        self, state: State, player: Player, parent: Node[State, Action] | None, action: Action | None, index: int
    ) -> None:
        self.state = state
        self.player = player
        self.parent = parent
        self.action = action  # the move that led here; None at the root
        self.index = index  # how many siblings were generated before it
        self.ply: int = parent.ply + 1 if parent else 0
        self.best: Node[State, Action] | None = None  # the child on the principal line, once known

    def path(self) -> tuple[Action, ...]:
        """The moves from the root to here."""
        moves: list[Action] = []
        node: Node[State, Action] | None = self
        while node is not None and node.action is not None:
            moves.append(node.action)
            node = node.parent
        return tuple(reversed(moves))

    def line(self) -> tuple[Action, ...]:
        """The principal line from here: best child after best child."""
        moves = []
        node = self.best
        while node is not None:
            assert node.action is not None
            moves.append(node.action)
            node = node.best
        return tuple(moves)


@dataclass(frozen=True)
class Result(Generic[Value, Action]):
    """What a search found, and what it cost.

    `generated` counts every node made, the root included and re-searches too; `leaves` counts
    evaluations. `notes` holds what only this algorithm can tell.
    """

    value: Value
    move: Action | None
    line: tuple[Action, ...]
    generated: int
    leaves: int
    notes: dict[str, float] = field(default_factory=dict)


class Interval(NamedTuple):
    """A value that is only known to lie between two numbers, both included."""

    low: float
    high: float


@dataclass(frozen=True)
class Options:
    """What only some algorithms ask for; None: the algorithm's own default."""

    seed: int = 1  # of MCTS
    memory: int | None = None  # the states or nodes InterSSS* and Mem* may hold
    playouts: int | None = None  # of MCTS


@dataclass
class Counts:
    generated: int = 0
    leaves: int = 0


class Watcher(Protocol):
    """Receives every event of a search, in order."""

    def generated(self, node: Node[Any, Any]) -> None: ...
    def expanding(self, node: Node[Any, Any], actions: Sequence[Any]) -> None: ...
    def entered(self, node: Node[Any, Any], asked: str, window: tuple[Any, ...]) -> None: ...
    def left(self, node: Node[Any, Any], value: Any) -> None: ...
    def evaluated(self, node: Node[Any, Any], value: Any) -> None: ...
    def noted(self, node: Node[Any, Any], value: Any, text: str) -> None: ...


Ordering = Callable[["Search[Any, Any]", Node[Any, Any], Sequence[Any]], Sequence[Any]]


class Search(Generic[State, Action]):
    """One search of a game: to the end, or to a depth in plies (a move by anyone, or a roll, is one).

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> search = Search(parse_tree("((3 12) (2 4))"), depth=1)
    >>> [search.is_leaf(child) for child in search.children(search.root())]
    [True, True]
    >>> search.counts
    Counts(generated=3, leaves=0)
    """

    def __init__(
        self,
        game: Game[State, Action],
        depth: int | None = None,
        *,
        order: Ordering | None = None,
        evaluate: Callable[[State], float] | None = None,
        watcher: Watcher | None = None,
        start: State | None = None,
        options: Options | None = None,
    ) -> None:
        if depth is not None and depth < 0:
            raise LabError(say("error.depth_range", depth=depth))
        if depth is None and game.is_endless:
            raise LabError(say("error.endless", game=game.name))
        self.game = game
        self.depth = depth
        self.order = order
        self.evaluate = evaluate or game.evaluate
        self.watcher = watcher
        self.start = game.initial() if start is None else start
        self.options = options or Options()
        self.counts = Counts()
        self.has_estimated = False  # some leaf was evaluated before the end of its game

    def at_depth(self, depth: int) -> Search[State, Action]:
        """The same search with another depth. Its nodes and leaves are counted together with ours."""
        twin = Search(
            self.game,
            depth,
            order=self.order,
            evaluate=self.evaluate,
            watcher=self.watcher,
            start=self.start,
            options=self.options,
        )
        twin.counts = self.counts
        return twin

    # The tree.

    def root(self) -> Node[State, Action]:
        """A fresh root, with nothing known below it."""
        return self._made(Node(self.start, self.game.player(self.start), None, None, 0))

    def children(self, node: Node[State, Action], first: Sequence[Action] = ()) -> Iterator[Node[State, Action]]:
        """The children in move order, each generated only when it is asked for.

        Moves in `first` come before the rest, if they are legal here.
        """
        actions = self.actions(node)
        if first:
            urgent = [action for action in first if action in actions]
            actions = [*urgent, *(action for action in actions if action not in urgent)]
        return self.follow(node, actions)

    def follow(self, node: Node[State, Action], actions: Sequence[Action]) -> Iterator[Node[State, Action]]:
        """The children that some of the actions lead to, each generated only when it is asked for."""
        if self.watcher is not None:
            self.watcher.expanding(node, actions)
        for index, action in enumerate(actions):
            state = self.game.result(node.state, action)
            yield self._made(Node(state, self.game.player(state), node, action, index))

    def actions(self, node: Node[State, Action]) -> Sequence[Action]:
        """The moves at a node, in the order they will be tried. Nothing is generated."""
        actions = self.game.actions(node.state)
        return self.order(self, node, actions) if self.order and node.player != CHANCE else actions

    def is_leaf(self, node: Node[State, Action]) -> bool:
        """Whether the search goes no further: the game is over or the depth is reached."""
        return node.ply == self.depth or self.game.is_terminal(node.state)

    def remaining(self, node: Node[State, Action]) -> int | None:
        """How many plies may still be searched below a node; None: to the end."""
        return None if self.depth is None else self.depth - node.ply

    # Values.

    def value(self, node: Node[State, Action]) -> float:
        """What a leaf is worth to MAX: its utility if the game is over, else its evaluation."""
        state = node.state
        if self.game.is_terminal(state):
            return self._counted(node, self.game.utility(state))
        self.has_estimated = True
        return self._counted(node, self.evaluate(state))

    def mover_value(self, node: Node[State, Action]) -> float:
        """What a leaf is worth to the player who would move there."""
        return sign(node) * self.value(node)

    def values(self, node: Node[State, Action]) -> tuple[float, ...]:
        """What a leaf is worth to each of n players."""
        state = node.state
        values = self.game.utilities(state) if self.game.is_terminal(state) else self.game.estimates(state)
        return self._counted(node, values)

    def judge(self, state: State) -> tuple[float, ...]:
        """What a state outside the tree is worth to each player, as at the end of a playout."""
        self.counts.leaves += 1
        if self.game.players == 2:
            value = self.game.utility(state) if self.game.is_terminal(state) else self.evaluate(state)
            return value, -value
        return self.game.utilities(state) if self.game.is_terminal(state) else self.game.estimates(state)

    def bounds(self, node: Node[State, Action]) -> Interval:
        """The pessimistic and optimistic value of a state to MAX; both the same when the game is over."""
        state = node.state
        if self.game.is_terminal(state):
            value = self.game.utility(state)
            return self._counted(node, Interval(value, value))
        return self._counted(node, Interval(*self.game.bounds(state)))

    # For the watcher.

    def watch(
        self, visit: Callable[Concatenate[Node[State, Action], Window], Value]
    ) -> Callable[Concatenate[Node[State, Action], Window], Value]:
        """Makes a recursive function tell the watcher when it enters a node and with what value it leaves."""
        watcher = self.watcher
        if watcher is None:
            return visit

        def watched(node: Node[State, Action], /, *window: Window.args, **named: Window.kwargs) -> Value:
            watcher.entered(node, visit.__name__, window)
            value = visit(node, *window, **named)
            watcher.left(node, value)
            return value

        return watched

    def announce(self, node: Node[State, Action], actions: Sequence[Action]) -> None:
        """Tells the watcher which moves a node has, for algorithms that do not generate them in that order."""
        if self.watcher is not None:
            self.watcher.expanding(node, actions)

    def note(self, node: Node[State, Action], value: Any, text: str) -> None:
        """Tells the watcher something about a node, for algorithms that do not come and go."""
        if self.watcher is not None:
            self.watcher.noted(node, value, text)

    def result(self, root: Node[State, Action], value: Value, **notes: float) -> Result[Value, Action]:
        """What the search found, with the principal line read off the best children."""
        line = root.line()
        return Result(value, line[0] if line else None, line, self.counts.generated, self.counts.leaves, notes)

    def _made(self, node: Node[State, Action]) -> Node[State, Action]:
        self.counts.generated += 1
        if self.watcher is not None:
            self.watcher.generated(node)
        return node

    def _counted(self, node: Node[State, Action], value: Value) -> Value:
        self.counts.leaves += 1
        if self.watcher is not None:
            self.watcher.evaluated(node, value)
        return value


def sign(node: Node[Any, Any]) -> int:
    """+1 where MAX moves, −1 where MIN does."""
    return 1 if node.player == MAX else -1


AnySearch = Search[Any, Any]
