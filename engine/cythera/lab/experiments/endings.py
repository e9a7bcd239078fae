"""Endgame databases by retrograde analysis in plain Python: chess with a rook, queen or pawn, and small checkers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Hashable
from typing import Any

from cythera.common.plot import Series, line_plot
from cythera.lab.algorithms.retrograde import Database, Verdict, retrograde
from cythera.lab.experiments.report import Report
from cythera.lab.game import MAX
from cythera.lab.games.checkers import Checkers
from cythera.lab.games.ending import Ending, Men, square_name
from cythera.lab.texts import say

PIECES = 3  # of the checkers database
CHECKERS_SIZE = 6
KING, ROOK = 18, 28  # White's, c3 and e4, on the board of distances


def chess_databases() -> dict[str, Database[Any, Any]]:
    """KRvK and KQvK, and KPvK, which needs both."""
    found: dict[str, Database[Any, Any]] = {}
    known: dict[Hashable, Verdict] = {}
    for name in ("KQvK", "KRvK", "KPvK"):
        game = Ending(name)
        found[name] = retrograde(game, game.states(), known=known)
        known.update(found[name].verdicts)
    return found


def checkers_database(size: int = CHECKERS_SIZE, pieces: int = PIECES) -> Database[Any, Any]:
    """All positions of checkers with few pieces."""
    game = Checkers(size)
    return retrograde(game, game.endings(pieces), key=lambda state: state._replace(idle=0))


def distance_board(database: Database[Any, Any], king: int, square: int) -> str:
    """The plies to mate for every square of Black's king, White to move: the piece and White's king stand still."""
    game = database.game
    assert isinstance(game, Ending)
    rows = []
    for rank in range(7, -1, -1):
        cells = []
        for enemy in range(8 * rank, 8 * rank + 8):
            men = Men(game.piece, king, square, enemy, MAX)
            if enemy == king:
                cell = "K"
            elif enemy == square:
                cell = game.piece
            elif not game.is_legal(men):
                cell = "."
            else:
                plies = database.probe(men).plies
                cell = "=" if plies < 0 else str(plies)
            cells.append(f"{cell:>3}")
        rows.append(f"{rank + 1} {''.join(cells)}")
    return "\n".join([*rows, "  " + "".join(f"{file:>3}" for file in "abcdefgh")])


def endings(seed: int, size: int | None) -> Report:
    """Counts and longest wins; `size` is the number of pieces of the checkers database. Nothing random in it."""
    rows, curves = [], []
    started = time.process_time()
    databases = chess_databases()
    pieces = size or PIECES
    checkers = checkers_database(pieces=pieces)
    for name, database in {**databases, say("x.endings.checkers", size=CHECKERS_SIZE, pieces=pieces): checkers}.items():
        values = Counter(verdict.value for verdict in database.verdicts.values())
        _, longest = database.longest()
        cells = [len(database), values[1], values[0], values[-1], longest.plies]
        rows.append([name, *(f"{cell:,}" for cell in cells)])
        distances = Counter(v.plies for v in database.verdicts.values() if v.value)
        curves.append(Series(name, [(float(plies), float(distances[plies])) for plies in sorted(distances)]))
    heads = [say(f"x.endings.head_{name}") for name in ("ending", "positions", "wins", "draws", "losses", "longest")]
    key, verdict = databases["KRvK"].longest()
    assert isinstance(key, tuple)
    line = databases["KRvK"].line(key)
    game = databases["KRvK"].game
    return Report(
        say("x.endings.title"),
        heads,
        rows,
        [
            say("x.endings.remark", seconds=f"{time.process_time() - started:.0f}"),
            say("x.endings.line", plies=verdict.plies, line=" ".join(game.action_name(move) for move in line[:12])),
            game.describe(key),
            say("x.endings.board", king=square_name(KING), rook=square_name(ROOK)),
            distance_board(databases["KRvK"], KING, ROOK),
        ],
        line_plot(say("x.endings.plot"), say("x.endings.x"), say("x.endings.y"), curves),
    )
