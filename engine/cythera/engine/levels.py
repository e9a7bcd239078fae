"""Limited strength: a player who looks at fewer positions and judges them less exactly.

A weak human does not play perfectly with a random blunder now and then. He sees less, so his plans
are shorter; he misjudges, so a move that is a little worse is often played and one that is much
worse hardly ever; and when a game is decided he takes less care. So a level has a budget of nodes,
which decides what is seen, and a noise in centipawns, which decides among the best lines and grows
with the score. How the numbers are found is told in docs/levels.md.

The same game, position and level give the same move: chance comes from a seed, not from the clock.
"""

from math import exp, log

from cythera.common.record import Record
from cythera.core import TABLEBASE_WIN
from cythera.engine.options import MAX_ELO, MAX_SKILL, MIN_ELO
from cythera.errors import LevelError
from cythera.net.load import CLASSICAL, new_searcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cythera.board.position import Position
    from cythera.board.scores import Score
    from cythera.core import Searcher
    from cythera.engine.search_run import Info

# The whole of what makes a level: Elo, nodes per move, lines to choose from, noise in centipawns.
# Elo rises from row to row, nodes never fall, lines and noise never rise; between the rows values are
# interpolated, so each level sees at least as much as the one below, and errs at most as much.
# The steps up to 3000 are measured by bench/levels.py; docs/levels.md says what the figures are worth.
ROWS = (
    (800, 360, 10, 220.0),
    (1000, 900, 10, 93.0),
    (1200, 1_600, 9, 61.0),
    (1400, 2_800, 8, 46.0),
    (1600, 4_800, 7, 35.5),
    (1800, 7_500, 6, 29.5),
    (2000, 13_500, 5, 22.5),
    (2200, 28_000, 4, 16.0),
    (2400, 52_000, 3, 12.0),
    (2600, 110_000, 3, 8.0),
    (2800, 230_000, 2, 5.0),
    (3000, 500_000, 2, 2.5),
    (3200, 1_000_000, 2, 1.0),  # from here on: full strength
)

# What a player of some strength knows of endings: from this Elo on, tables with up to this many pieces are used.
TABLES_KNOWN = (
    (2000, 3),  # queen, rook or pawn against the king
    (2400, 4),  # bishop and knight, queen against rook or pawn, rook against pawn and the like
)

NAMES = {
    "beginner": 800,
    "novice": 1000,
    "casual": 1200,
    "club": 1500,
    "strong": 1800,
    "expert": 2100,
    "master": 2400,
    "full": MAX_ELO,
}

HASH_MIB = 8  # a table of its own, cleared for each move, keeps a level the same whatever went before

DECIDED_CP = 450  # at this score the noise has doubled
MOST_DECIDED_CP = 900
MATE_CP = 3000  # what a mate counts among centipawns, less MATE_STEP_CP for each move it takes
MATE_STEP_CP = 50
TABLE_CP = 2500  # what a win by endgame tables counts, less TABLE_STEP_CP for each move of its distance
TABLE_STEP_CP = 20


class Level(Record):
    """What a limited player may do. `elo` names it; the rest comes from ROWS and TABLES_KNOWN."""

    elo: int
    nodes: int
    lines: int
    noise_cp: float
    table_pieces: int = 0


def level_of(elo: int) -> Level | None:
    """The level of an Elo; None at the top, where nothing is limited.

    >>> level_of(1500)
    Level(elo=1500, nodes=3666, lines=8, noise_cp=40.75)
    >>> level_of(3200) is None
    True
    """
    if not MIN_ELO <= elo <= MAX_ELO:
        raise LevelError(f"Elo must be between {MIN_ELO} and {MAX_ELO}, got {elo}")
    if elo == MAX_ELO:
        return None
    upper = next(i for i, row in enumerate(ROWS) if row[0] > elo)
    low_elo, low_nodes, low_lines, low_noise = ROWS[upper - 1]
    high_elo, high_nodes, high_lines, high_noise = ROWS[upper]
    x = (elo - low_elo) / (high_elo - low_elo)
    return Level(
        elo,
        round(exp((1 - x) * log(low_nodes) + x * log(high_nodes))),
        round(low_lines - x * (low_lines - high_lines)),
        low_noise - x * (low_noise - high_noise),
        max((pieces for least, pieces in TABLES_KNOWN if elo >= least), default=0),
    )


def elo_of_skill(skill: int) -> int:
    """The Elo of a Skill Level: equal steps from the weakest level (0) to full strength (20).

    >>> elo_of_skill(0), elo_of_skill(10), elo_of_skill(20)
    (800, 2000, 3200)
    """
    if not 0 <= skill <= MAX_SKILL:
        raise LevelError(f"Skill Level must be between 0 and {MAX_SKILL}, got {skill}")
    return MIN_ELO + (MAX_ELO - MIN_ELO) * skill // MAX_SKILL


def elo_of_name(name: str) -> int:
    """The Elo behind a level's name or number.

    >>> elo_of_name("club"), elo_of_name("1750")
    (1500, 1750)
    """
    name = name.strip().lower()
    if name in NAMES:
        return NAMES[name]
    if not (name.isascii() and name.isdecimal()):
        raise LevelError(f"unknown level {name[:40]!r}; levels are {', '.join(NAMES)}, or an Elo")
    level_of(int(name[:9]))
    return int(name)


def worth_cp(score: "Score") -> int:
    """A score as a chooser weighs it: centipawns, with mates and what endgame tables know far above and below."""
    if score.is_tablebase:
        assert score.cp is not None
        moves = min((TABLEBASE_WIN - abs(score.cp) + 1) // 2, 49)
        return (TABLE_CP - TABLE_STEP_CP * moves) * (1 if score.cp > 0 else -1)
    if score.cp is not None:
        return max(-MATE_CP // 2, min(score.cp, MATE_CP // 2))
    moves = min(abs(score.mate or 0), 20)
    return (MATE_CP - MATE_STEP_CP * moves) * (1 if score.value > 0 else -1)


def weights_of(scores: "Sequence[Score]", noise_cp: float) -> list[float]:
    """How likely each line is to be played, the sum being 1; scores are best first.

    A line that is worse by the noise is played e times less often. The noise grows with the score,
    to three times at MOST_DECIDED_CP.
    """
    worth = [worth_cp(score) for score in scores]
    best = max(worth)
    noise_cp *= 1 + min(abs(best), MOST_DECIDED_CP) / DECIDED_CP
    weights = [exp((value - best) / noise_cp) for value in worth]
    total = sum(weights)
    return [weight / total for weight in weights]


def choose(scores: "Sequence[Score]", level: Level, seed: str) -> int:
    """The index of the line a level plays; the same for the same seed."""
    from random import Random

    at = Random(f"{level.elo} {seed}").random()
    for i, weight in enumerate(weights_of(scores, level.noise_cp)):
        at -= weight
        if at < 0:
            return i
    return 0


def level_searcher() -> "Searcher":
    """A searcher for limited strength. Whatever EvalFile says, it evaluates classically: a net that is
    changed must not change what a level is."""
    return new_searcher(HASH_MIB, 1, CLASSICAL)


def seed_of(position: "Position", game: int | str) -> str:
    """What chance hangs on: the game's number or name and everything played so far."""
    return f"{game} {position.root_fen()} {' '.join(position.history())}"


def chooser(level: Level, position: "Position", game: int | str) -> "Callable[[list[Info]], Info]":
    """What picks the line that a level plays, for `SearchRun`."""
    seed = seed_of(position, game)
    return lambda infos: infos[choose([info.score for info in infos], level, seed)]
