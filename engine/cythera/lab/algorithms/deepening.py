"""Iterative deepening: depth 1, depth 2, depth 3, … until the time or the depth is up.

It looks wasteful and is not. The last search outweighs all before it, there is always a move to play
when time is up, and the table remembers which move was best at every node, so that the next, deeper
search tries it first and can be cheaper than it would have been on its own.
"""

from cythera.lab.algorithms.table import Table, alphabeta_table
from cythera.lab.errors import LabError
from cythera.lab.game import Action, State
from cythera.lab.search import Result, Search


def deepening(search: Search[State, Action]) -> Result[float, Action]:
    """The result of the deepest search; nodes and leaves of all are counted.

    `last` is how many nodes the deepest search alone generated, `overhead` the total as a multiple
    of that.

    >>> from cythera.lab.games.connect4 import ConnectFour
    >>> deepening(Search(ConnectFour(), depth=4)).notes["overhead"] < 1.6
    True
    """
    if not search.depth:
        raise LabError("iterative deepening needs a depth of at least 1 to end at")
    table = Table()
    for depth in range(1, search.depth + 1):
        before = search.counts.generated
        result = alphabeta_table(search.at_depth(depth), table)
    last = search.counts.generated - before
    notes = {"last": last, "overhead": result.generated / last, "hits": table.hits}
    return Result(result.value, result.move, result.line, result.generated, result.leaves, notes)
