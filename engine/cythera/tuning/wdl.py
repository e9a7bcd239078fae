"""The WDL model: the chances of win, draw and loss by score, fitted to games.

The model: at a score of x centipawns the side to move wins with the chance s((x − a) / b) and loses with
s((−x − a) / b), where s is the logistic function; the rest are draws. `a` is the score at which a win is as
likely as not, `b` says how sharp that is, and both are cubic polynomials in the number of the move. For each
stage of the game the most likely a and b are found, and the polynomials laid through them.

`rescale` writes a net again with a unit such that at move 32 a side wins as often as not with +100 centipawns.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from cythera.board.scores import WDL_MOVES
from cythera.core import END_LENGTH, MATE_FOUND
from cythera.errors import CytheraError
from cythera.training.game_file import record_heads, scan_blocks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cythera.net.file import Net

    Counts = NDArray[np.float64]

MOST_CP = 1200  # scores beyond say nothing more
STEP_CP = 10
STAGE_MOVES = 8  # moves a stage of the game has
FEWEST = 3000  # positions a stage needs to be used
PAWN_CP = 100  # after `rescale` a win is as likely as not at this score, in the middle of a game


class ChancesError(CytheraError):
    """Games that chances cannot be learned from."""


def tally(files: Iterable[Path]) -> Counts:
    """How often a score at a stage of the game was followed by a loss, a draw, a win of the side that had it."""
    import numpy as np

    columns = 2 * MOST_CP // STEP_CP + 1
    low, high = WDL_MOVES
    counts = np.zeros(((high - low) // STAGE_MOVES + 1, columns, 3))
    for path in files:
        for _, _, raw in scan_blocks(path):
            for game in record_heads(raw):
                if game.ending != END_LENGTH:  # else the result is not that of the moves
                    words = np.frombuffer(raw, "<i2", 2 * game.plies, game.moves_at)
                    add_game(counts, words[1::2].astype(np.int64), game.result, game.first_ply)
    return counts


def add_game(counts: Counts, scores: NDArray[np.int64], result: int, first_ply: int) -> None:
    """Takes in a game: White's scores ply by ply, and 0, 1 or 2 for a loss, a draw, a win of White."""
    import numpy as np

    low, high = WDL_MOVES
    moves = (first_ply + np.arange(len(scores))) // 2 + 1
    plain = (np.abs(scores) < MATE_FOUND) & (moves >= low) & (moves <= high)
    stages = (moves[plain] - low) // STAGE_MOVES
    columns = np.rint(np.clip(scores[plain], -MOST_CP, MOST_CP) / STEP_CP).astype(np.int64)
    middle = MOST_CP // STEP_CP
    np.add.at(counts[:, :, result], (stages, columns + middle), 1)
    np.add.at(counts[:, :, 2 - result], (stages, middle - columns), 1)  # as Black sees it


def likelihood(counts: Counts, a: float, b: float) -> float:
    """The logarithm of the chance of what was seen at one stage."""
    import numpy as np

    x = np.linspace(-MOST_CP, MOST_CP, counts.shape[0])
    win = 1 / (1 + np.exp(np.clip((a - x) / b, -40, 40)))
    loss = win[::-1]
    draw = np.maximum(1 - win - loss, 1e-9)
    chances = np.stack([loss, draw, win], axis=1)
    return float((counts * np.log(np.maximum(chances, 1e-9))).sum())


def fit_stage(counts: Counts) -> tuple[float, float]:
    """The most likely a and b, by a search of ever smaller steps."""
    a, b, step = 150.0, 80.0, 64.0
    best = likelihood(counts, a, b)
    while step > 0.05:
        better = False
        for new_a, new_b in ((a + step, b), (a - step, b), (a, b + step), (a, b - step)):
            if new_b > 1 and new_a >= 0 and (found := likelihood(counts, new_a, new_b)) > best:
                a, b, best, better = new_a, new_b, found, True
        step = step if better else step / 2
    return a, b


def fit(counts: Counts) -> tuple[list[float], list[float], list[tuple[float, float, float, float]]]:
    """Coefficients of a and b by ascending power of move / 32, and (move, positions, a, b) of the stages."""
    import numpy as np

    rows = []
    for stage, part in enumerate(counts):
        if (positions := part.sum() / 2) >= FEWEST:
            rows.append((WDL_MOVES[0] + (stage + 0.5) * STAGE_MOVES, float(positions), *fit_stage(part)))
    if len(rows) < 4:
        raise ChancesError(f"there are too few games: {len(rows)} stages of the game have {FEWEST:,} positions")
    table = np.array(rows)
    weights = np.sqrt(table[:, 1])
    laid = [np.polynomial.polynomial.polyfit(table[:, 0] / 32, table[:, column], 3, w=weights) for column in (2, 3)]
    return [float(c) for c in laid[0]], [float(c) for c in laid[1]], rows


def rescale(net: Net, shift: list[float], output: Path) -> float:
    """Writes the net with another unit of its output; returns what scores are multiplied by, then."""
    from cythera.core import NET_SCALE_LARGEST, NET_SCALE_LEAST
    from cythera.net.file import write

    even = sum(shift)  # the polynomial at move 32
    scale = round(net.scale * PAWN_CP / even) if even > 0 else 0
    if not NET_SCALE_LEAST <= scale <= NET_SCALE_LARGEST:
        raise ChancesError(f"a win as likely as not at {even:.0f} centipawns asks for a scale of {scale}: too far off")
    told = [part if isinstance(part := net.header.get(key), dict) else None for key in ("data", "settings", "losses")]
    data, settings, losses = told
    write(
        output, net.hidden, net.payload, scale=scale, kings=net.kings, name=net.name, data=data, settings=settings,
        losses=losses,
    )
    return scale / net.scale
