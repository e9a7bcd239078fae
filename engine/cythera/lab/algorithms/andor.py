"""AND–OR search: a game tree read as a problem to be solved.

A two-player tree is an AND–OR tree once a goal is fixed, such as "MAX wins":

    MAX's nodes are OR nodes     solved if one child is
    MIN's nodes are AND nodes    solved if all children are
    a leaf is solved             if its value reaches the goal

A solution is a subtree with one child below each OR node and all children below each AND node: in the
words of games, a strategy of MAX that reaches the goal whatever MIN does. The correspondence goes
both ways: V(root) ≥ goal exactly when the root is solved, so that the minimax value is the greatest
goal that can be solved.
"""

from __future__ import annotations

from collections.abc import Callable

from cythera.lab.game import MAX, MIN, Action, State
from cythera.lab.search import Node, Result, Search

Goal = Callable[[float], bool]  # of a leaf's value to MAX


def reaches(goal: float) -> Goal:
    """The goal of at least this value."""
    return lambda value: value >= goal


def wins(value: float) -> bool:
    """The goal of a win for MAX."""
    return value > 0


def does_not_lose(value: float) -> bool:
    """The goal of a draw or better for MAX."""
    return value >= 0


def solve(search: Search[State, Action], goal: Goal) -> Result[bool, Action]:
    """Whether the root is solved; `solution` counts the nodes of the solution, 0 if there is none.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> solve(Search(parse_tree("3 12 8 / 2 x y / 14 5 2")), reaches(3))
    Result(value=True, move=0, line=(0, 0), generated=5, leaves=3, notes={'solution': 5})
    >>> solve(Search(parse_tree("3 12 8 / 2 x y / 14 5 2")), reaches(4)).value
    False
    """

    @search.watch
    def is_solved(node: Node[State, Action]) -> bool:
        if search.is_leaf(node):
            return goal(search.value(node))
        is_or = node.player == MAX
        for child in search.children(node):
            if is_solved(child) == is_or:  # a solved child settles an OR node, an unsolved one an AND node
                node.best = child
                sizes[node] = 1 + sizes.get(child, 1) if is_or else 0
                return is_or
            if node.best is None:
                node.best = child
            sizes[node] = sizes.get(node, 1) + (0 if is_or else sizes.get(child, 1))
        return not is_or

    sizes: dict[Node[State, Action], int] = {}
    root = search.root()
    solved = is_solved(root)
    return search.result(root, solved, solution=sizes.get(root, 1) if solved else 0)


def and_or(search: Search[State, Action]) -> Result[float, Action]:
    """Win, draw or loss for MAX (1, 0, −1), by two goals: can MAX win, and if not, can he draw?

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> and_or(Search(parse_tree("1 0 1 / 1 1 1 / -1 1 0"))).value
    1
    >>> and_or(Search(parse_tree("1 -1 / 1 0"))).value
    0
    """
    return label_by_goals(search, solve)


def label_by_goals(
    search: Search[State, Action], prove: Callable[[Search[State, Action], Goal], Result[bool, Action]]
) -> Result[float, Action]:
    """The label that any method of proof gives: 1 if a win is proved, else 0 if a draw is, else −1.

    The move comes from the proof that the player to move has won: MAX draws by solving the second goal, MIN by
    refuting the first.
    """
    first = prove(search, wins)
    if first.value:
        return Result(1, first.move, first.line, first.generated, first.leaves, first.notes)
    second = prove(search, does_not_lose)
    label = 0 if second.value else -1
    deciding = first if label == 0 and search.game.player(search.start) == MIN else second
    return Result(label, deciding.move, deciding.line, second.generated, second.leaves, deciding.notes)
