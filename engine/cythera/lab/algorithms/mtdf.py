"""MTD(f): null windows and a transposition table.

Each pass asks alpha-beta with a table whether the value is at least some bound; the answer is a new
bound; when the upper and the lower one meet, that is the value. A good first guess f makes it short.
With f = +∞ each pass lowers the upper bound as SSS* does, through the same leaves in the same order:
best-first search is depth-first search with a table and the right windows.
"""

from cythera.lab.algorithms.table import Table, follow_proofs, memory_value
from cythera.lab.game import MAX, Action, State
from cythera.lab.search import INF, Result, Search, just_above, just_below


def mtdf(search: Search[State, Action], guess: float = 0.0) -> Result[float, Action]:
    """The same value as minimax; `passes` counts the null-window searches.

    >>> from cythera.lab.games.tree_text import parse_tree
    >>> mtdf(Search(parse_tree("3 12 8 / 2 x y / 14 5 2")), guess=3)
    Result(value=3, move=0, line=(0, 0), generated=14, leaves=7, notes={'passes': 2})
    """
    table = Table()
    lower, upper, passes = -INF, INF, 0
    while lower < upper:
        bound = just_above(lower) if guess == lower else guess
        root = search.root()
        guess = memory_value(search, table, root, just_below(bound), bound)
        lower, upper = (lower, guess) if guess < bound else (guess, upper)
        passes += 1
    follow_proofs(search, table, root)
    return search.result(root, guess, passes=passes)


def mtd_sss(search: Search[State, Action]) -> Result[float, Action]:
    """MTD(f) with the guess that turns it into SSS*: nothing the root player could want is too good."""
    return mtdf(search, INF if search.game.player(search.start) == MAX else -INF)
