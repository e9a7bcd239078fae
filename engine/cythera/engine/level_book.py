"""How a limited strength opens a game: by the openings that have names, the weaker the sooner on its own.

The weight of a move is the number of named openings that go through it: what has been studied most is played
most. A weak level knows fewer moves and picks rare ones more often; a strong one stays longer with the main
lines. Everything is drawn from the seed of the game, as the rest of a level is.
"""

from functools import cache

from cythera.board.opening_table import opening_lines
from cythera.board.position import Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    Book = dict[int, dict[str, int]]

FIRST_ELO = 800
LEAST_PLIES, ELO_PER_PLY = 3, 140  # plies known at FIRST_ELO, and the Elo that one more takes
SPREAD_PLIES = 3  # as many more in some games
EVENNESS, EVENNESS_STEP = 0.55, 0.0002  # the power of a weight: at FIRST_ELO, and more with each Elo
RAREST, RAREST_STEP = 70.0, 0.02  # how many times rarer than the main move one may be, and fewer with each Elo
MOST_RARE = 20.0


@cache
def book() -> "Book":
    """Key of a position -> moves (UCI) with the number of openings that go through them."""
    found: Book = {}
    counted: dict[tuple[str, ...], int] = {}
    for _, _, moves in opening_lines():
        for ply in range(len(moves)):
            line = tuple(moves[: ply + 1])
            counted[line] = counted.get(line, 0) + 1
    positions: dict[tuple[str, ...], Position] = {(): Position()}
    for line, count in sorted(counted.items(), key=lambda pair: len(pair[0])):  # a line after its beginning
        before = positions[line[:-1]]
        after = before.copy()
        move = after.push_san(line[-1]).uci()
        positions[line] = after
        known = found.setdefault(before.key, {})
        known[move] = known.get(move, 0) + count
    return found


def book_plies(elo: int, game: int | str) -> int:
    """How many half-moves of a game a level plays from the book.

    >>> [book_plies(elo, 1) >= least for elo, least in ((800, 3), (1500, 8), (2400, 14))]
    [True, True, True]
    """
    from random import Random

    least = LEAST_PLIES + max(0, elo - FIRST_ELO) // ELO_PER_PLY
    return least + Random(f"plies {elo} {game}").randint(0, SPREAD_PLIES)


def weights_of(moves: dict[str, int], elo: int) -> dict[str, float]:
    """How likely a level plays each move of the book, not normalised; moves that are too rare for it are left out."""
    above = max(0, elo - FIRST_ELO)
    power = EVENNESS + EVENNESS_STEP * above
    least = max(moves.values()) / max(MOST_RARE, RAREST - RAREST_STEP * above)
    return {move: count**power for move, count in moves.items() if count >= least}


def level_move(position: Position, elo: int, game: int | str, seed: str) -> str | None:
    """A move of the book for a level, None if the game has left it; the same for the same seed."""
    if position.chess960 or position.game_ply >= book_plies(elo, game):
        return None
    moves = book().get(position.key)
    if not moves:
        return None
    from random import Random

    weights = weights_of(moves, elo)
    names = sorted(weights)
    return Random(f"book {elo} {seed}").choices(names, [weights[name] for name in names])[0]
