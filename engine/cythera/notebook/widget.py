"""The notebook board as a widget: state in Python, the picture in `board.js`, which knows no rules of chess.

Every change of the record sends the page what it shows: pieces, legal moves, moves of the game, lines. The page sends
back what was done on it: a move, a place in the game, a typed move. So the same rules hold here and in the engine.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import anywidget
import traitlets

from cythera.analyse.game_analysis import GameAnalysis
from cythera.board.position import Position, position_from
from cythera.engine.limits import Limit, limit_from
from cythera.engine.results import AnalysisBase, Line, Lines, Played
from cythera.errors import CytheraError, IllegalMoveError
from cythera.notebook.shown_moves import ShownMoves

if TYPE_CHECKING:
    from cythera.api import Engine
    from cythera.engine.engine_base import LimitLike, MoveLike

FOLDER = Path(__file__).parent
DEFAULT_LIMIT = Limit(time_s=0.5)
SHOWN_LINES = 3
SHOWN_PLIES = 12
POLL_S = 0.3  # how often a running analysis is looked at
SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??", "missed mate": "?!"}


class BoardWidget(anywidget.AnyWidget):
    """A board in a notebook; `cythera.board_widget` makes one and says what the arguments mean.

    `fen` and `moves` (UCI, from the start) change with every move and can be observed; `position` is a copy.
    """

    _esm = FOLDER / "board.js"
    _css = FOLDER / "board.css"

    fen = traitlets.Unicode(read_only=True).tag(sync=True)
    moves = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    ply = traitlets.Int(read_only=True).tag(sync=True)
    flipped = traitlets.Bool(False).tag(sync=True)
    size = traitlets.Int(360, min=120, max=1200).tag(sync=True)
    arrows: traitlets.List[Any] = traitlets.List().tag(sync=True)  # pairs of squares
    # What the page draws besides.
    _board = traitlets.Dict().tag(sync=True)  # pieces, legal moves, last move, check
    _record = traitlets.Dict().tag(sync=True)  # moves with marks, whether the game was left
    _lines: traitlets.List[Any] = traitlets.List().tag(sync=True)
    _status = traitlets.Unicode().tag(sync=True)
    _graph = traitlets.Unicode().tag(sync=True)
    _pictures = traitlets.Dict().tag(sync=True)  # piece -> SVG

    def __init__(
        self,
        shown: object = None,
        *,
        engine: Engine | None = None,
        side: Literal["w", "b"] | None = None,
        limit: LimitLike | None = None,
        flipped: bool = False,
        size: int = 360,
    ) -> None:
        if side not in (None, "w", "b"):
            raise CytheraError(f"side must be 'w', 'b' or None, got {side!r}")
        if side is not None and engine is None:
            raise CytheraError("a side needs an engine to play the other one")
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._engine, self._side = engine, side
        self._limit = DEFAULT_LIMIT if limit is None else limit_from(limit)
        self._analysis = shown if isinstance(shown, GameAnalysis) else None
        self._given: Sequence[Line] = ()  # lines of the first position
        # Asked before its lines are read: it may end at any time, and its last lines must be shown.
        running = shown if isinstance(shown, AnalysisBase) and not shown.finished() else None
        self._moves_of = ShownMoves(*self._read(shown))
        self._first_moves = self._moves_of.moves[: self._moves_of.ply]
        super().__init__(flipped=flipped or side == "b", size=size)
        self._pictures = pictures()
        if self._analysis is not None:
            self._graph = self._analysis.graph()
        self.on_msg(self._hear)
        self._show()
        if running is not None:
            self._start(lambda: self._follow(running))
        else:
            self._think()

    def _read(self, shown: object) -> tuple[Position, Sequence[str]]:
        """The position that is shown, and the moves of a game."""
        if isinstance(shown, GameAnalysis):
            start = Position.from_board(shown.start(), history=False)
            return start, [move.uci for move in shown.moves]
        if isinstance(shown, (AnalysisBase, Lines, Line, Played)):
            position = shown.position
            if position is None:
                raise CytheraError("these lines do not know their position")
            if isinstance(shown, AnalysisBase):
                self._given = shown.lines
            elif isinstance(shown, Lines):
                self._given = shown
            else:
                line = shown.line if isinstance(shown, Played) else shown
                self._given = [] if line is None else [line]
            return position, ()
        return (Position() if shown is None else position_from(shown)), ()

    # For Python

    @property
    def position(self) -> Position:
        """A copy of the position on the board, with its history."""
        with self._lock:
            return self._moves_of.position()

    def push(self, move: MoveLike) -> None:
        """Plays a move on the board; text may be UCI or SAN."""
        with self._lock:
            position = self._moves_of.position()
            self._moves_of.push(found_move(position, move))
            self._show()
        self._think()

    def go(self, ply: int) -> None:
        """Shows the position after this many half-moves."""
        with self._lock:
            self._moves_of.go(ply)
            self._show()
        self._think(may_move=False)

    def back(self) -> None:
        self.go(self.ply - 1)

    def forward(self) -> None:
        self.go(self.ply + 1)

    def flip(self) -> None:
        self.flipped = not self.flipped

    def wait(self, timeout_s: float | None = None) -> bool:
        """Waits until the engine has answered; whether it has."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout_s)
        return thread is None or not thread.is_alive()

    # From the page

    def _hear(self, _: object, content: object, __: object = None) -> None:
        """What was done on the page. Nothing it sends can be wrong by more than a sentence."""
        if not isinstance(content, dict):
            return
        kind = content.get("kind")
        try:
            if kind == "move" and self._may_move():
                self.push(str(content.get("uci"))[:10])
            elif kind == "type" and self._may_move():
                self.push(str(content.get("text")).strip()[:20])
            elif kind == "go" and isinstance(content.get("ply"), int):
                self.go(content["ply"])
            elif kind == "line":
                self._play_line(content.get("line"), content.get("plies"))
            elif kind == "game":
                with self._lock:
                    self._moves_of.back_to_game()
                    self._show()
        except CytheraError as error:
            self._status = str(error)

    def _may_move(self) -> bool:
        return self._side is None or self.position.turn == self._side

    def _play_line(self, number: object, plies: object) -> None:
        """Goes into a line that is shown, this many half-moves deep."""
        if not isinstance(number, int) or not isinstance(plies, int) or self._side is not None:
            return
        with self._lock:
            if not 0 <= number < len(self._lines):
                return
            for text in self._lines[number]["moves"][: max(0, plies)]:
                self._moves_of.push(text)
            self._show()
        self._think()

    # What the page shows

    def _show(self) -> None:
        record = self._moves_of
        position = record.position()
        with self.hold_sync():
            self.set_trait("fen", position.fen(shredder=position.chess960))
            self.set_trait("moves", list(record.moves))
            self.set_trait("ply", record.ply)
            self._board = board_data(position)
            self._record = {
                "sans": record.sans(),
                "first": [record.start.fullmove_number, record.start.turn],
                "marks": [SIGNS.get(self._word(at), "") for at in range(record.common)],
                "left_game": bool(record.game) and not record.is_in_game,
            }
            self._lines = lines_data(position, self._known_lines())
            self._status = self._said(position)
            self.arrows = [arrow(line["moves"][0]) for line in self._lines[:1]]

    def _word(self, at: int) -> str:
        return self._analysis.moves[at].word if self._analysis is not None else ""

    def _known_lines(self) -> Sequence[Line]:
        """Lines of the position on the board that need no search."""
        record = self._moves_of
        if self._analysis is not None:
            if not record.is_in_game:
                return ()
            moves = self._analysis.moves
            return moves[record.ply].lines if record.ply < len(moves) else self._analysis.final
        return self._given if record.moves[: record.ply] == self._first_moves else ()

    def _said(self, position: Position) -> str:
        """The result, or what was said of the move that led here."""
        outcome = position.outcome()
        record = self._moves_of
        text = ""
        if self._analysis is not None and 0 < record.ply <= record.common:
            move = self._analysis.moves[record.ply - 1]
            if move.word:
                because = f", {move.reason}" if move.reason else ""
                text = f"{move.label}: {move.word}{because}. Best was {move.best_san[0]}."
        return f"{text} {outcome}".strip() if outcome else text

    # Searches, in a thread of their own

    def _think(self, may_move: bool = True) -> None:
        """Has the engine answer the position on the board: by a move if it is its turn, else by lines."""
        if self._engine is None:
            return
        self._engine.stop()
        position = self.position
        if not position.legal_moves():
            return
        is_its_turn = self._side is not None and position.turn != self._side
        if self._side is not None and not (is_its_turn and may_move):
            return
        self._start(lambda: self._answer(position, is_its_turn))

    def _start(self, work: Callable[[], None]) -> None:
        """Does work in a thread, after what was begun before."""
        before = self._thread

        def run() -> None:
            if before is not None:
                before.join()
            work()

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def _answer(self, position: Position, is_its_turn: bool) -> None:
        assert self._engine is not None
        if not self._is_shown(position):
            return
        try:
            if is_its_turn:
                move = self._engine.play(position, self._limit).uci
                with self._lock:
                    if self._is_shown(position):
                        self._moves_of.push(move)
                        self._show()
            else:
                lines = self._engine.analyse(position, self._limit, SHOWN_LINES)
                self._set_lines(position, lines)
        except CytheraError as error:
            self._status = str(error)

    def _follow(self, analysis: AnalysisBase) -> None:
        """Shows the lines of a running analysis until it ends."""
        is_over = False
        while not is_over:
            is_over = analysis.finished(POLL_S)
            self._given = analysis.lines
            self._set_lines(analysis.position, self._given)

    def _set_lines(self, position: Position, lines: Sequence[Line]) -> None:
        with self._lock:
            if self._is_shown(position):
                self._lines = lines_data(position, lines)
                self.arrows = [arrow(line["moves"][0]) for line in self._lines[:1]]

    def _is_shown(self, position: Position) -> bool:
        shown = self._moves_of.position()
        return shown == position and shown.history() == position.history()


def found_move(position: Position, move: MoveLike) -> str:
    """The UCI text of a move in any notation; raises IllegalMoveError."""
    if isinstance(move, str):
        try:
            return position.parse_san(move).uci()
        except IllegalMoveError:
            if not position.is_legal(move):
                raise
    return position.parse_move(move).uci()


def board_data(position: Position) -> dict[str, Any]:
    """The pieces by square, the legal moves by their first square, promotions, the last move and a check."""
    names = [file + rank for rank in "12345678" for file in "abcdefgh"]
    pieces = {name: piece for at, name in enumerate(names) if (piece := position.piece_at(at))}
    legal: dict[str, list[str]] = {}
    promotions = set()
    for move in position.legal_moves():
        text = move.uci()
        if text[4:]:
            promotions.add(text[:4])
        if text[2:4] not in legal.setdefault(text[:2], []):
            legal[text[:2]].append(text[2:4])
    history = position.history()
    last = [] if not history or history[-1] == "0000" else [history[-1][:2], history[-1][2:4]]
    king = "K" if position.turn == "w" else "k"
    check = next((name for name, piece in pieces.items() if piece == king), "") if position.is_check() else ""
    return {
        "pieces": pieces, "legal": legal, "promotions": sorted(promotions), "last": last, "check": check,
        "turn": position.turn,
    }  # fmt: skip


def lines_data(position: Position, lines: Iterable[Line]) -> list[dict[str, Any]]:
    """Lines as the page shows them."""
    found = []
    for line in lines:
        if line.moves:
            moves = list(line.moves[:SHOWN_PLIES])
            at = position.copy()
            sans = []
            for text in moves:
                sans.append(at.san(text))
                at.push(text)
            number = position.fullmove_number
            found.append({"score": str(line.white_score), "moves": moves, "sans": sans, "number": number,
                          "turn": position.turn})  # fmt: skip
    return found


def arrow(move: str) -> tuple[str, str]:
    return move[:2], move[2:4]


def pictures() -> dict[str, str]:
    """The pieces as python-chess draws them."""
    import chess
    import chess.svg

    return {symbol: str(chess.svg.piece(chess.Piece.from_symbol(symbol))) for symbol in "KQRBNPkqrbnp"}
