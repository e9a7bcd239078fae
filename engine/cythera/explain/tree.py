"""The top of a real search tree: every node down to a ply, in the order it was searched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cythera.board.scores import Score
from cythera.core import INFINITE, move_words
from cythera.engine.search_run import SearchRun
from cythera.errors import CytheraError

if TYPE_CHECKING:
    from cythera.board.position import Position
    from cythera.core import NodeRecord
    from cythera.engine.limits import Limit
    from cythera.engine.session import Session
    from cythera.lab.view.trace import Trace

__all__ = ["SearchTree", "TreeNode", "record_tree"]

DEEPEST_PLIES = 6
ALL_BUT, PASS, AGAIN = "all but", "pass", "again"
NULL_TEXT = "0000"


@dataclass
class TreeNode:
    """One visit of the search to a position. Scores and windows are centipawns for the side to move.

    A move that is searched again (a reduced search that surprised, a wider window) has a node for
    each time. `depth` is what was asked for; `reduction` what that is less than a ply below the parent
    (negative for an extension). `verdict` says how it ended: by its moves, or earlier.
    """

    order: int  # index in the order of entering, from 0
    ply: int
    move: str  # SAN; "pass", "all but Nf3" and "again" are searches that play no move
    uci: str
    kind: str  # "pv", "cut" or "all": what was expected of it
    alpha: int
    beta: int
    depth: int
    reduction: int
    score: int
    bound: str  # "exact", "lower" (a cut-off) or "upper"
    verdict: str
    nodes: int  # searched below it
    legal_moves: int
    children: list[TreeNode] = field(default_factory=list)

    @property
    def is_cut(self) -> bool:
        """Whether some move, or a rule, beat the window, so that the rest was not looked at."""
        return self.score >= self.beta

    def walk(self) -> Iterator[TreeNode]:
        """This node and all below, in the order they were entered."""
        yield self
        for child in self.children:
            yield from child.walk()

    def as_json(self) -> dict[str, Any]:
        names = ("order", "ply", "move", "uci", "kind", "alpha", "beta", "depth", "reduction", "score", "bound",
                 "verdict", "nodes", "legal_moves")  # fmt: skip
        return {**{name: getattr(self, name) for name in names}, "children": [c.as_json() for c in self.children]}


@dataclass
class SearchTree:
    """The nodes of one iteration. `roots` are its searches of the root: one for each window tried."""

    fen: str
    chess960: bool
    iteration: int  # its depth
    plies: int
    left_out: int  # nodes there was no room for
    principal: tuple[str, ...]  # the line it found, as UCI
    roots: list[TreeNode]

    def walk(self) -> Iterator[TreeNode]:
        for root in self.roots:
            yield from root.walk()

    def trace(self, most: int = 40) -> Trace:
        """The tree for the lab's pictures; of many nodes the `most` that cost most."""
        from cythera.explain.trace import trace_of

        return trace_of(self, most)

    def as_json(self) -> dict[str, Any]:
        return {
            "format": "cythera-tree", "version": 1, "fen": self.fen, "chess960": self.chess960,
            "iteration": self.iteration, "plies": self.plies, "left_out": self.left_out,
            "principal": " ".join(self.principal), "roots": [root.as_json() for root in self.roots],
        }  # fmt: skip

    def json(self) -> str:
        return json.dumps(self.as_json(), ensure_ascii=False, separators=(",", ":"))

    def html(self) -> str:
        """The page of the lab that steps through a search."""
        from cythera.lab.view.html import draw_html

        return draw_html(self.trace(), is_wide=True)

    def _repr_html_(self) -> str:
        from cythera.explain.tree_html import tree_html

        return tree_html(self)


def record_tree(session: Session, position: Position, limit: Limit, plies: int) -> SearchTree:
    """Searches from an empty table and records the tree; the searcher is left as any search leaves it."""
    if not 0 <= plies <= DEEPEST_PLIES:
        raise CytheraError(f"plies must be between 0 and {DEEPEST_PLIES}, got {plies}")
    with session.idle("recording a tree"):
        searcher = session.searcher
        searcher.record(plies)
        try:
            session.tables.use(searcher)
            infos = session.run_held(SearchRun(searcher, position, limit.go(), overhead_ms=0, fresh=True))
            records, left_out = searcher.recorded()
        finally:
            searcher.record(-1)
    if not records:
        raise CytheraError("there is no tree: no move, or not one iteration was finished")
    builder = TreeBuilder(position)
    for record in records:
        builder.add(record)
    principal = tuple(infos[0].pv)
    iteration = records[0].iteration
    return SearchTree(position.fen(), position.chess960, iteration, plies, left_out, principal, builder.roots)


class TreeBuilder:
    """Gives the recorded nodes their moves: each node's position is made from its parent's."""

    def __init__(self, position: Position) -> None:
        self.start = position
        self.nodes: list[TreeNode] = []
        self.positions: list[Position] = []
        self.roots: list[TreeNode] = []

    def add(self, record: NodeRecord) -> None:
        parent = self.nodes[record.parent] if record.parent >= 0 else None
        position = (self.start if parent is None else self.positions[record.parent]).copy()
        name, uci = "", ""
        if parent is not None and parent.ply == record.ply:
            name = f"{ALL_BUT} {san(position, text_of(position, record.excluded))}" if record.excluded else AGAIN
        elif parent is not None and (uci := text_of(position, record.move)) != NULL_TEXT:
            name = san(position, uci)
            position.push(uci)
        elif parent is not None:
            name = PASS
            position.push_null()
        score = record.score
        is_move = parent is not None and parent.ply != record.ply
        node = TreeNode(
            order=len(self.nodes),
            ply=record.ply,
            move=name,
            uci=uci,
            kind=record.node_type,
            alpha=record.alpha,
            beta=record.beta,
            depth=record.depth,
            reduction=parent.depth - 1 - record.depth if parent is not None and is_move else 0,
            score=score,
            bound="lower" if score >= record.beta else "upper" if score <= record.alpha else "exact",
            verdict=record.exit_reason,
            nodes=record.nodes,
            legal_moves=len(move_words(position)),
        )
        self.nodes.append(node)
        self.positions.append(position)
        (self.roots if parent is None else parent.children).append(node)


def text_of(position: Position, word: int) -> str:
    """The legal move that the core writes as this word, as UCI text; the null move is none of them."""
    words = move_words(position)
    return position.legal_moves()[words.index(word)].uci() if word in words else NULL_TEXT


def san(position: Position, text: str) -> str:
    import chess

    board = chess.Board(position.fen(shredder=position.chess960), chess960=position.chess960)
    return board.san(board.parse_uci(text))


def shown_score(value: int) -> str:
    """A score of the core for people: pawns, or a mate.

    >>> shown_score(35), shown_score(31997), shown_score(-32001)
    ('+0.35', '#+2', '−∞')
    """
    if abs(value) >= INFINITE:
        return "∞" if value > 0 else "−∞"
    return str(Score.from_core(value))
