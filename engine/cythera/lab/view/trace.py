"""A search as data: the tree it walked, and its steps in order. What is drawn is made from this alone.

A trace can be written as JSON and read back, so that anything able to write the same JSON (the
engine's own search, a server) can be drawn by the same code. Infinite numbers are written as "inf"
and "-inf", which JSON itself does not have.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from cythera.lab.errors import LabError
from cythera.lab.texts import say

VISITED, CUT, PRUNED = "visited", "cut", "pruned"

Scalar = float | str | bool | None
Worth = Scalar | list[float]  # a number, an answer, one number for each player, or a low and a high one


@dataclass
class TraceNode:
    """A node as the search left it.

    `status`: visited; cut, if some of its children were passed over; pruned, if it was itself.
    `order`: its number in the order of generation, from 0; None if it never was generated.
    """

    id: int
    player: str  # max, min, chance, player 1, …
    move: str = ""  # that led here
    label: str = ""  # its name, if it has one
    is_leaf: bool = False
    value: Worth = None
    alpha: float | None = None  # the window at the last visit
    beta: float | None = None
    reason: str = ""  # why the rest was cut, if it was
    status: str = VISITED
    order: int | None = None
    leaf_order: int | None = None  # its number in the order of evaluation, from 1
    visits: int = 0
    is_principal: bool = False  # on the principal line
    hidden: int = 0  # number of pruned branches it stands for, to save space
    board: list[Any] | None = None  # a small board: its style, and its rows
    mark: str = ""  # whose strategy it belongs to: max, min or both
    children: list[TraceNode] = field(default_factory=list)

    def walk(self) -> Iterator[TraceNode]:
        """This node and all below, parents first, left to right."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass
class Step:
    """One thing that happened, and what to write about it."""

    kind: str  # enter, leaf, leave, note
    node: int
    text: str
    value: Worth = None
    alpha: float | None = None
    beta: float | None = None


@dataclass
class Trace:
    """A search, ready to be drawn.

    >>> trace = Trace("alphabeta", "a leaf", TraceNode(0, "max", value=3, alpha=-math.inf), [Step("leaf", 0, "3")])
    >>> Trace.from_json(trace.to_json()) == trace
    True
    """

    title: str
    summary: str
    root: TraceNode
    steps: list[Step]
    view: str = "max"  # values are seen by MAX, or by the mover

    def to_json(self) -> str:
        return json.dumps(_finite(asdict(self)), ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """The trace a JSON text holds; raises LabError if it holds none."""
        try:
            data = _infinite(json.loads(text))
            return cls(**{**data, "root": _node(data["root"]), "steps": [Step(**step) for step in data["steps"]]})
        except (ValueError, TypeError, KeyError) as error:
            raise LabError(say("error.trace", reason=error)) from error


def _node(data: dict[str, Any]) -> TraceNode:
    return TraceNode(**{**data, "children": [_node(child) for child in data["children"]]})


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return str(data) if isinstance(data, float) and math.isinf(data) else data


def _infinite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _infinite(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_infinite(value) for value in data]
    return float(data) if data in ("inf", "-inf") else data
