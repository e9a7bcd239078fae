"""Checks the lines engines announce, after the game, when no clock is running."""

from collections.abc import Sequence

import chess

from cythera.match.uci.info import EngineInfo

WARNINGS_PER_GAME = 6

ILLEGAL_PV = "illegal move in a PV"
MISMATCH = "bestmove does not begin the last PV"
EXTRA_BESTMOVE = "more than one bestmove to one go"


class LineChecker:
    """Collects what engines say during a game; `warnings` replays the game and checks every PV.

    Checking costs some 20 µs a move of a PV. It is kept out of the game, and moves that PVs share are
    checked once.
    """

    def __init__(self, fen: str, book: Sequence[str], *, chess960: bool) -> None:
        self._fen = fen
        self._book = tuple(book)
        self._chess960 = chess960
        self._heard: list[tuple[str, str, EngineInfo, list[str]]] = []

    def heard(self, engine: str, ply: int, bestmove: str, info: EngineInfo, lines: list[str]) -> None:
        """Keep the lines of a move for later; `ply` counts the moves after the book."""
        assert ply == len(self._heard)
        self._heard.append((engine, bestmove, info, lines))

    def warnings(self) -> tuple[tuple[str, str, str], ...]:
        """`(engine, kind, detail)` for the first few faults of the game."""
        found: list[tuple[str, str, str]] = []
        board = chess.Board(self._fen, chess960=self._chess960)
        for uci in self._book:
            board.push_uci(uci)
        for engine, bestmove, info, lines in self._heard:
            where = f"at move {board.fullmove_number} ({'white' if board.turn else 'black'})"
            pvs = [tuple(line.split(" pv ", 1)[1].split()) for line in lines if _has_pv(line)]
            # An iteration cut short may end on a better move that was announced with a bound only.
            if info.pv and bestmove not in (info.pv[0], pvs[-1][0]):
                found.append((engine, MISMATCH, f"{bestmove} {where}"))
            illegal = first_illegal(board, set(pvs))
            if illegal:
                found.append((engine, ILLEGAL_PV, f"{illegal} {where}"))
            if len(found) >= WARNINGS_PER_GAME:
                break
            board.push_uci(bestmove)
        return tuple(found)


def _has_pv(line: str) -> bool:
    return " pv " in line and line.startswith("info ") and not line.startswith("info string")


def first_illegal(board: chess.Board, pvs: set[tuple[str, ...]]) -> str | None:
    """A move of one of the lines that cannot be played, or None. The board is left as it was.

    >>> first_illegal(chess.Board(), {("e2e4", "e7e5"), ("e2e4", "e4e6")})
    'e4e6'
    """
    path: list[str] = []
    try:
        for pv in sorted(pvs):
            shared = 0
            while shared < min(len(path), len(pv)) and path[shared] == pv[shared]:
                shared += 1
            while len(path) > shared:
                board.pop()
                path.pop()
            for uci in pv[shared:]:
                try:
                    move = board.parse_uci(uci)
                except ValueError:
                    return uci
                if not move:
                    return uci
                board.push(move)
                path.append(uci)
    finally:
        for _ in path:
            board.pop()
    return None
