"""Retrograde analysis in plain Python agrees with the endgame tables that the compiled core made."""

from collections import Counter

import pytest

from cythera import Position
from cythera.lab.algorithms.retrograde import DRAW, LOSS, WIN, Verdict, retrograde
from cythera.lab.experiments.endings import distance_board
from cythera.lab.game import MAX
from cythera.lab.games.ending import NO_PIECE, Ending
from cythera.tables import package_tables


def position_of(game, men):
    rows = []
    for row in game.rows(men):
        for length in range(8, 0, -1):
            row = row.replace("." * length, str(length))
        rows.append(row)
    return Position(f"{'/'.join(rows)} {'w' if men.turn == MAX else 'b'} - - 0 1")


def table_verdict(game, men):
    """Value and plies to MAX by the compiled tables; the plies are those to the next zeroing move or mate."""
    position = position_of(game, men)
    if position.is_checkmate():
        return WIN, 0
    wdl, dtz = package_tables().probe_wdl(position), package_tables().probe_dtz(position)
    value = (wdl > 0) - (wdl < 0)
    return (value if men.turn == MAX else -value), abs(dtz)


class Promoted(dict):
    """The endings that a pawn turns into, by the compiled tables."""

    def __contains__(self, men):
        return men.piece not in ("P", NO_PIECE)

    def __getitem__(self, men):
        value, plies = table_verdict(Ending(f"K{men.piece}vK"), men)
        return Verdict(value, plies) if value else Verdict(DRAW, -1)


@pytest.fixture(scope="module", params=["KRvK"])
def solved(request):
    game = Ending(request.param)
    return game, retrograde(game, game.states())


def test_every_result_and_distance_without_pawns_is_that_of_the_tables(solved):
    """Nothing but mate ends a won game here, so that the plies to mate are those to the next zeroing move or mate."""
    game, database = solved
    found = Counter()
    for men, verdict in database.verdicts.items():
        value, plies = table_verdict(game, men)
        assert value == verdict.value, men
        assert value == DRAW or plies == verdict.plies, men
        found[value] += 1
    assert found[WIN] > 40_000 and found[DRAW] > 2_000 and not found[LOSS]


def test_every_result_of_a_knight_pawn_is_that_of_the_tables():
    game = Ending("KPvK")
    states = (men for men in game.states() if men.square % 8 == 1)
    database = retrograde(game, states, known=Promoted())
    found = Counter()
    for men, verdict in database.verdicts.items():
        assert table_verdict(game, men)[0] == verdict.value, men
        found[verdict.value] += 1
    assert found[WIN] > 20_000 and found[DRAW] > 8_000


def test_the_board_of_distances_shows_what_the_database_holds(solved):
    game, database = solved
    king, square = 18, 28
    rows = distance_board(database, king, square).splitlines()
    assert len(rows) == 9 and rows[-1].split() == list("abcdefgh")
    cells = [cell for row in reversed(rows[:-1]) for cell in row.split()[1:]]
    assert cells[king] == "K" and cells[square] == game.piece
    men = next(iter(database.verdicts))
    shown = 0
    for enemy, cell in enumerate(cells):
        if cell.isdigit():
            placed = men._replace(king=king, square=square, enemy=enemy, turn=MAX)
            assert table_verdict(game, placed) == (WIN, int(cell))
            shown += 1
    assert shown > 20
