"""The watcher that turns a running search into a `Trace`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cythera.lab.errors import LabError
from cythera.lab.game import MAX, MIN, AnyGame, player_name
from cythera.lab.search import AnySearch, Interval, Node, Result
from cythera.lab.view.trace import CUT, PRUNED, Step, Trace, TraceNode
from cythera.lab.view.words import plural, say, show_bound, show_odds, show_value, show_window

AnyNode = Node[Any, Any]
Path = tuple[Any, ...]

QUESTIONS = {"exceeds": ">", "reaches": "≥"}  # the tests of SCOUT
WHOLE_TREE = 90  # up to this many leaves, pruned branches are shown to their ends
MOST_NODES = 100_000  # that are kept
MOST_BOARDS = 400  # nodes; in a larger tree boards would hide the tree


@dataclass
class Record:
    """What was recorded of the node at the end of a path."""

    order: int
    actions: list[Any] = field(default_factory=list)  # in the order they were tried
    made: set[Any] = field(default_factory=set)  # those that were
    value: Any = None
    leaf_order: int | None = None
    window: tuple[float, float] | None = None
    visits: int = 0
    offered: int = 0  # children the last visit could have gone to, and
    tried: int = 0  # those it did go to
    reason: str = ""  # why it did not go to all


class Recorder:
    """Records the tree and the steps of a search.

    >>> from cythera.lab.algorithms.alphabeta import alphabeta
    >>> from cythera.lab.games.tree_text import parse_tree
    >>> from cythera.lab.search import Search
    >>> recorder = Recorder()
    >>> search = Search(parse_tree("3 12 8 / 2 x y / 14 5 2"), watcher=recorder)
    >>> trace = recorder.trace(search, alphabeta(search), "alphabeta")
    >>> [(node.label, node.status) for node in trace.root.walk() if node.status == "pruned"]
    [('x', 'pruned'), ('y', 'pruned')]
    """

    def __init__(self, view: str = "max", most_nodes: int = MOST_NODES) -> None:
        self.view = view
        self.most_nodes = most_nodes  # a search that generates more ends in a LabError
        self.records: dict[Path, Record] = {}
        self.events: list[tuple[str, Path, Any, tuple[Any, ...], str]] = []
        self.leaves = 0

    # What a search tells.

    def generated(self, node: AnyNode) -> None:
        path = node.path()
        if path not in self.records:
            if len(self.records) >= self.most_nodes:
                raise LabError(say("error.too_many", most=f"{self.most_nodes:,}"))
            self.records[path] = Record(len(self.records))
        if path:
            parent = self.records[path[:-1]]
            parent.made.add(node.action)
            parent.tried += 1

    def expanding(self, node: AnyNode, actions: Sequence[Any]) -> None:
        record = self.records[node.path()]
        record.actions += [action for action in actions if action not in record.actions]
        record.offered, record.tried = len(actions), 0

    def entered(self, node: AnyNode, asked: str, window: tuple[Any, ...]) -> None:
        path = node.path()
        self.records[path].visits += 1
        if len(window) == 2:
            self.records[path].window = window[0], window[1]
        self.events.append(("enter", path, None, window, asked))

    def left(self, node: AnyNode, value: Any) -> None:
        record = self.records[node.path()]
        record.value = value
        record.reason = self.cut_reason(node, value, record) if record.tried < record.offered else ""
        self.events.append(("leave", node.path(), value, (), record.reason))

    def evaluated(self, node: AnyNode, value: Any) -> None:
        record = self.records[node.path()]
        self.leaves += 1
        record.value = value
        record.leaf_order = record.leaf_order or self.leaves
        self.events.append(("leaf", node.path(), value, (), ""))

    def noted(self, node: AnyNode, value: Any, text: str) -> None:
        record = self.records[node.path()]
        if record.leaf_order is None or record.made:  # a leaf keeps what it said itself
            record.value = value
        self.events.append(("note", node.path(), value, (), text))

    def cut_reason(self, node: AnyNode, value: Any, record: Record) -> str:
        """The comparison that made the rest unnecessary, if it was one with a window."""
        if record.window is None or not isinstance(value, int | float):
            return ""
        alpha, beta = record.window
        if value >= beta and (self.view == "mover" or node.player == MAX):
            return f"{show_value(value)} ≥ {show_bound(beta)}"
        if value <= alpha and self.view == "max" and node.player == MIN:
            return f"{show_value(value)} ≤ {show_bound(alpha)}"
        return ""

    # What is made of it.

    def trace(self, search: AnySearch, result: Result[Any, Any], name: str) -> Trace:
        """The tree with the branches that were passed over, and the steps in words."""
        builder = _Builder(self, search, result)
        root = builder.build((), search.start)
        if builder.shown_leaves > WHOLE_TREE:
            builder = _Builder(self, search, result, is_compact=True)
            root = builder.build((), search.start)
        builder.number(root)
        if len(builder.nodes) > MOST_BOARDS:
            for node in root.walk():
                node.board = None
        found = {
            "value": show_value(result.value),
            "move": "" if result.move is None else search.game.action_name(result.move),
            "nodes": plural(result.generated, "node"),
            "leaves": plural(result.leaves, "leaf"),
        }
        summary = say("trace.no_move" if result.move is None else "trace.summary", **found)
        return Trace(f"{name} · {search.game.name}", summary, root, builder.steps(), self.view)


class _Builder:
    def __init__(
        self, recorder: Recorder, search: AnySearch, result: Result[Any, Any], is_compact: bool = False
    ) -> None:
        self.is_compact = is_compact  # pruned branches are only counted
        self.recorder = recorder
        self.records = recorder.records
        self.search = search
        self.game: AnyGame = search.game
        self.principal = {result.line[:length] for length in range(len(result.line) + 1)}
        self.shown_leaves = sum(not record.made for record in self.records.values())
        self.nodes: dict[Path, TraceNode] = {}

    def build(self, path: Path, state: Any, move: str = "") -> TraceNode:
        """The node at the end of a path, with all below."""
        record = self.records.get(path)
        node = TraceNode(
            id=0,
            player=player_name(self.game.player(state), self.game.players),
            move=move,
            label=self.game.state_name(state),
        )
        picture = self.game.picture(state)
        if picture is not None:
            node.board = [picture.style, list(picture.rows)]
        self.nodes[path] = node
        if record is None:
            self.build_pruned(node, path, state)
            return node
        node.order, node.leaf_order, node.visits = record.order, record.leaf_order, record.visits
        node.value = _plain(record.value)
        node.is_principal = path in self.principal
        if record.window:
            node.alpha, node.beta = record.window
        within = self.search.depth is None or len(path) < self.search.depth
        if self.game.is_terminal(state) or not (within or record.made):
            node.is_leaf = True
            return node
        legal = self.game.actions(state) if within else record.actions
        actions = [*record.actions, *(action for action in legal if action not in record.actions)]
        self.build_children(node, path, state, actions)
        if len(record.made) < len(actions):
            node.status = CUT
            node.reason = record.reason
        return node

    def build_children(self, node: TraceNode, path: Path, state: Any, actions: Sequence[Any]) -> None:
        """A branch for each action, with the move on it, or the odds of the outcome."""
        names = [self.game.action_name(action) if self.game.has_move_names else "" for action in actions]
        if node.player == "chance":
            odds = [show_odds(share) for share in self.game.odds(state)]
            names = [f"{name}: {share}" if name else share for name, share in zip(names, odds, strict=True)]
        pruned = 0
        for action, name in zip(actions, names, strict=True):
            if self.is_compact and (*path, action) not in self.records:
                pruned += 1
            else:
                node.children.append(self.build((*path, action), self.game.result(state, action), name))
        if pruned:
            stub = TraceNode(0, node.player, label=f"+{pruned}", is_leaf=True, status=PRUNED, hidden=pruned)
            node.children.append(stub)

    def build_pruned(self, node: TraceNode, path: Path, state: Any) -> None:
        """A branch nobody went into, to its end."""
        node.status = PRUNED
        if len(path) == self.search.depth or self.game.is_terminal(state):
            node.is_leaf = True
            node.value = self.known_value(state)
            self.shown_leaves += 1
        elif self.shown_leaves <= WHOLE_TREE:
            self.build_children(node, path, state, self.game.actions(state))

    def known_value(self, state: Any) -> Any:
        """What a leaf would have said, if the game can tell without thinking."""
        if not self.game.is_terminal(state):
            return None
        try:
            return _plain(self.game.utility(state) if self.game.players == 2 else self.game.utilities(state))
        except LabError:
            return None

    def number(self, root: TraceNode) -> None:
        for number, node in enumerate(root.walk()):
            node.id = number

    def steps(self) -> list[Step]:
        """The events in words. Arriving at a leaf and evaluating it is one step, not three."""
        steps: list[Step] = []
        leaves = 0
        for kind, path, value, window, text in self.recorder.events:
            node = self.nodes[path]
            if node.is_leaf and kind in ("enter", "leave"):
                continue
            leaves += kind == "leaf"
            step = Step(kind, node.id, "", _plain(value))
            name = self.name(path)
            if kind == "enter":
                step.text = self.arrival(name, window, text)
                if len(window) == 2:
                    step.alpha, step.beta = window
            elif kind == "leaf":
                step.text = say("step.leaf", number=leaves, name=name, value=show_value(value))
            elif kind == "leave":
                key = "step.cut" if text else "step.leave"
                step.text = say(key, name=name, value=show_value(value), reason=text)
            else:
                step.text = say(f"step.{text}", name=name, value=show_value(value))
            steps.append(step)
        return steps

    def arrival(self, name: str, window: tuple[Any, ...], asked: str) -> str:
        if asked in QUESTIONS:
            return say("step.question", name=name, sign=QUESTIONS[asked], bound=show_value(window[0]))
        if len(window) == 2:
            return say("step.enter_window", name=name, window=show_window(*window))
        return say("step.enter", name=name)

    def name(self, path: Path) -> str:
        """What to call a node in a sentence: its name, or the way to it."""
        label = self.nodes[path].label
        between = " " if self.game.has_move_names else "."
        return label or between.join(self.game.action_name(action) for action in path) or say("step.root")


def _plain(value: Any) -> Any:
    """A value as JSON has them. An interval becomes text: it is only looked at."""
    if isinstance(value, Interval):
        return show_value(value)
    return list(value) if isinstance(value, tuple) else value
