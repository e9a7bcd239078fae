"""Iterative deepening: depth 1, depth 2, depth 3, … until the time or the depth is up.

The repeated work is small: the last search outweighs all before it. There is always a move to play when
time is up, and the table keeps the best move of every node, so that the next, deeper search tries it first
and can cost less than it would have on its own.
"""

from itertools import count

from cythera.lab.algorithms.table import Table, alphabeta_table
from cythera.lab.errors import LabError
from cythera.lab.game import Action, State
from cythera.lab.search import Result, Search
from cythera.lab.texts import say


def deepening(search: Search[State, Action]) -> Result[float, Action]:
    """The result of the deepest search; nodes and leaves of all are counted. Without a depth, it ends with
    the first search in which every leaf is the end of a game.

    `last` is how many nodes the deepest search alone generated, `overhead` the total as a multiple
    of that.

    >>> from cythera.lab.games.connect4 import ConnectFour
    >>> deepening(Search(ConnectFour(), depth=4)).notes["overhead"] < 1.6
    True
    """
    if search.depth == 0:
        raise LabError(say("error.deepening"))
    table = Table()
    for depth in count(1):
        before = search.counts.generated
        step = search.at_depth(depth)
        result = alphabeta_table(step, table)
        if depth == search.depth or (search.depth is None and not step.has_estimated):
            break
    last = search.counts.generated - before
    notes = {"last": last, "overhead": result.generated / last, "hits": table.hits}
    return Result(result.value, result.move, result.line, result.generated, result.leaves, notes)
