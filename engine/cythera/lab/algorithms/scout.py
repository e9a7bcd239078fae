"""SCOUT: test before you evaluate.

Every child but the first is only tested: is it better than the best so far? A test costs less than a
value, and mostly fails to find better; where it does find better, the child is evaluated, and some nodes
are visited twice.
"""

from cythera.lab.game import MAX, Action, State
from cythera.lab.search import Node, Result, Search


def scout(search: Search[State, Action]) -> Result[float, Action]:
    """The same value and line as minimax; `tests` and `failed_tests` count the tests and those that failed.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> scout(Search(parse_tree("3 12 8 / 2 x y / 14 5 2")))
    Result(value=3, move=0, line=(0, 0), generated=11, leaves=7, notes={'tests': 4, 'failed_tests': 0})
    """
    tests = failed = 0

    @search.watch
    def evaluate(node: Node[State, Action]) -> float:
        nonlocal tests, failed
        if search.is_leaf(node):
            return search.value(node)
        children = search.children(node)
        node.best = next(children)
        best = evaluate(node.best)
        for child in children:
            tests += 1
            better = exceeds(child, best) if node.player == MAX else not reaches(child, best)
            if better:
                failed += 1
                node.best, best = child, evaluate(child)
        return best

    @search.watch
    def exceeds(node: Node[State, Action], bound: float) -> bool:
        """Whether V(node) > bound."""
        if search.is_leaf(node):
            return search.value(node) > bound
        answers = (exceeds(child, bound) for child in search.children(node))
        return any(answers) if node.player == MAX else all(answers)

    @search.watch
    def reaches(node: Node[State, Action], bound: float) -> bool:
        """Whether V(node) ≥ bound."""
        if search.is_leaf(node):
            return search.value(node) >= bound
        answers = (reaches(child, bound) for child in search.children(node))
        return any(answers) if node.player == MAX else all(answers)

    root = search.root()
    return search.result(root, evaluate(root), tests=tests, failed_tests=failed)
