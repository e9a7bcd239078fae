"""Plays one game between two engines and says truthfully how it ended."""

import contextlib
import gc
import os
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import NamedTuple

import chess

from cythera.common.executor import WORKER_NUMBER
from cythera.match.adjudication import Adjudicator
from cythera.match.game_data import (
    ABANDONED,
    ADJUDICATION,
    NORMAL,
    RULES_INFRACTION,
    TIME_FORFEIT,
    GameRecord,
    GameTask,
    MoveRecord,
)
from cythera.match.match_errors import EngineError
from cythera.match.tables import open_tables, table_verdict
from cythera.match.time_control import Clock, go_command
from cythera.match.uci.info import EngineInfo, final_info
from cythera.match.uci.pool import EnginePool, shared_pool
from cythera.match.uci.process import EngineProcess
from cythera.match.uci.pv_check import EXTRA_BESTMOVE, LineChecker

GRACE_S = 3.0  # how long an engine may take to answer `stop` before it is called hung

PV_PLIES = 20  # of each move's line that are kept for the PGN

TIME_LOSS = "time loss"
ILLEGAL_MOVE = "illegal move"

_TERMINATIONS = {
    EngineError.CRASH: ABANDONED,
    EngineError.HANG: ABANDONED,
    EngineError.PROTOCOL: RULES_INFRACTION,
    ILLEGAL_MOVE: RULES_INFRACTION,
    TIME_LOSS: TIME_FORFEIT,
}


class GameEnding(NamedTuple):
    result: str
    termination: str
    reason: str
    failure: str = ""


def play_game(task: GameTask) -> GameRecord:
    """Play one game with this process's engines: the unit of work of a match.

    Whatever an engine does the game gets a result; only an engine that cannot be started raises.
    """
    return play(task, shared_pool())


def play(task: GameTask, pool: EnginePool) -> GameRecord:
    """Play one game with engines of `pool`, then check every line the engines announced."""
    if task.cores_per_game:
        pin_to_cores(task.cores_per_game)
    started = datetime.now(timezone.utc).isoformat(timespec="seconds")
    begin = time.perf_counter()
    with (
        pool.lend(task.white, chess960=task.chess960, ponder=task.ponder, fresh=task.restart) as white,
        pool.lend(task.black, chess960=task.chess960, ponder=task.ponder, fresh=task.restart) as black,
    ):
        game = _Game(task, white, black)
        collecting = gc.isenabled()
        gc.disable()  # a collection in the middle of a move would be on the engine's clock
        try:
            ending = game.play()
        finally:
            if collecting:
                gc.enable()
    return GameRecord(
        index=task.index,
        white=task.white.name,
        black=task.black.name,
        opening=task.opening,
        result=ending.result,
        termination=ending.termination,
        reason=ending.reason,
        failure=ending.failure,
        moves=tuple(game.moves),
        warnings=(*game.lines.warnings(), *game.extra_bestmoves()),
        started=started,
        duration_s=time.perf_counter() - begin,
        overhead_ms=game.overhead_ms,
    )


def pin_to_cores(count: int) -> None:
    """Bind this worker, and the engines it starts, to cores of its own. Workers are told apart by their number."""
    global _pinned
    if _pinned or not hasattr(os, "sched_setaffinity"):
        return
    _pinned = True
    cores = sorted(os.sched_getaffinity(0))
    first = int(os.environ.get(WORKER_NUMBER, "0")) * count
    os.sched_setaffinity(0, {cores[(first + at) % len(cores)] for at in range(count)})


_pinned = False


@dataclass(slots=True)
class _Side:
    engine: EngineProcess
    clock: Clock
    colour: str
    extra_before: int = 0
    expected: str = ""  # the reply it ponders on


class _Game:
    """The state of a game under way."""

    def __init__(self, task: GameTask, white: EngineProcess, black: EngineProcess) -> None:
        self.task = task
        self.board = chess.Board(task.opening.fen, chess960=task.chess960)
        self.sides = {
            chess.WHITE: _Side(white, Clock.start(task.white_control), "white"),
            chess.BLACK: _Side(black, Clock.start(task.black_control), "black"),
        }
        self.moves: list[MoveRecord] = []
        self.overhead_ms = 0.0
        self.seen: dict[tuple[object, ...], int] = {}
        self.lines = LineChecker(task.opening.fen, task.opening.moves, chess960=task.chess960)
        self.judge = Adjudicator(task.rules)
        is_start = task.opening.fen == chess.STARTING_FEN
        self.position = "position startpos" if is_start else f"position fen {task.opening.fen}"
        self.played: list[str] = []

    def play(self) -> GameEnding:
        self.note_position()
        for uci in self.task.opening.moves:
            self.push(self.board.parse_uci(uci))
        settings = {chess.WHITE: self.task.white_settings, chess.BLACK: self.task.black_settings}
        for colour, side in self.sides.items():
            try:
                for name, value in settings[colour]:
                    side.engine.set_option(name, value)
                side.engine.new_game()
                side.extra_before = side.engine.extra_bestmoves
            except EngineError as error:
                return self.failure(colour, error.kind, str(error))
        ending = self.ended()
        begin = time.perf_counter()
        while ending is None:
            ending = self.one_move()
        for side in self.sides.values():
            with contextlib.suppress(EngineError, OSError, ValueError):  # a dead engine sends nothing more
                side.engine.stop_pondering(GRACE_S)
                side.engine.drop_unread()
        thinking_ms = sum(move.time_ms for move in self.moves)
        if self.moves and not ending.failure:
            self.overhead_ms = ((time.perf_counter() - begin) * 1000 - thinking_ms) / len(self.moves)
        return ending

    def one_move(self) -> GameEnding | None:
        """Have the side to move think, and play its move if it may."""
        colour = self.board.turn
        mover, opponent = self.sides[colour], self.sides[not colour]
        allowance_ms = mover.clock.allowance_ms()
        limit_ms = self.task.hang_s * 1000 if allowance_ms is None else allowance_ms + self.task.margin_ms
        go = go_command(mover.clock, opponent.clock, white=colour == chess.WHITE)
        try:
            if mover.engine.pondering and self.played[-1] == mover.expected:
                thought = mover.engine.ponderhit(limit_ms / 1000, GRACE_S)
            else:
                mover.engine.stop_pondering(GRACE_S)
                thought = mover.engine.think(self.position_command(), go, limit_ms / 1000, GRACE_S)
        except EngineError as error:
            return self.failure(colour, error.kind, str(error))
        if thought.elapsed_ms > limit_ms:
            if allowance_ms is None:
                return self.failure(colour, EngineError.HANG, f"{mover.engine.name} moved only when it was stopped")
            late_ms = thought.elapsed_ms - allowance_ms
            how = f"overstepped its time by {late_ms:.0f} ms, having had {allowance_ms:.0f} ms"
            return self.failure(colour, TIME_LOSS, f"{mover.engine.name} {how}")
        try:
            move = self.board.parse_uci(thought.bestmove)
        except ValueError:
            move = chess.Move.null()
        if not move:
            what = thought.bestmove or "nothing"
            return self.failure(colour, ILLEGAL_MOVE, f"{mover.engine.name} played {what}, which is illegal here")
        mover.clock = mover.clock.after(thought.elapsed_ms)
        info = final_info(thought.lines)
        self.lines.heard(mover.engine.name, len(self.moves), thought.bestmove, info, thought.lines)
        zeroing = self.board.is_zeroing(move)
        number = self.board.fullmove_number
        self.push(move)
        self.record(move, thought.elapsed_ms, info, mover.clock)
        ending = (
            self.ended()
            or self.known_by_tables()
            or self.adjudicated(info, white=colour == chess.WHITE, number=number, zeroing=zeroing)
        )
        if ending is None and self.task.ponder:
            self.begin_pondering(mover, opponent, thought.ponder)
        return ending

    def begin_pondering(self, mover: _Side, opponent: _Side, reply: str) -> None:
        """Let the engine that has just moved think about the reply it expects, if that is a legal one."""
        try:
            expected = self.board.parse_uci(reply)
        except ValueError:
            return
        mover.expected = expected.uci()
        go = go_command(mover.clock, opponent.clock, white=self.board.turn == chess.BLACK)
        with contextlib.suppress(EngineError):  # its next command will say what is wrong
            mover.engine.ponder(f"{self.position_command(mover.expected)}", go)

    def position_command(self, *more: str) -> str:
        moves = [*self.played, *more]
        return f"{self.position} moves {' '.join(moves)}" if moves else self.position

    def record(self, move: chess.Move, elapsed_ms: float, info: EngineInfo, clock: Clock) -> None:
        self.moves.append(
            MoveRecord(
                uci=move.uci(),
                time_ms=round(elapsed_ms, 3),
                score_cp=info.score_cp,
                mate=info.mate,
                depth=info.depth,
                nodes=info.nodes,
                seldepth=info.seldepth,
                left_ms=clock.remaining_ms if clock.control.base_ms is not None else None,
                pv=info.pv[:PV_PLIES],
            )
        )

    # ------------------------------------------------------------ the rules

    def push(self, move: chess.Move) -> None:
        self.played.append(move.uci())
        self.board.push(move)
        self.note_position()

    def note_position(self) -> None:
        """Count the position for the threefold rule; nothing before a zeroing move can come again."""
        board = self.board
        if board.halfmove_clock == 0:
            self.seen.clear()
        key = (
            board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings,
            board.occupied_co[chess.WHITE], board.turn, board.clean_castling_rights(),
            board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else None,
        )  # fmt: skip
        self.times_seen = self.seen[key] = self.seen.get(key, 0) + 1

    def ended(self) -> GameEnding | None:
        """The ending by the rules of chess, if the position is one."""
        board = self.board
        if not any(board.generate_legal_moves()):
            if not board.is_check():
                return GameEnding("1/2-1/2", NORMAL, "stalemate")
            winner = "black" if board.turn == chess.WHITE else "white"
            return GameEnding("0-1" if winner == "black" else "1-0", NORMAL, f"{winner} mates")
        if board.is_insufficient_material():
            return GameEnding("1/2-1/2", NORMAL, "insufficient material")
        if self.times_seen >= 3:
            return GameEnding("1/2-1/2", NORMAL, "threefold repetition")
        if board.halfmove_clock >= 100:
            return GameEnding("1/2-1/2", NORMAL, "fifty-move rule")
        return None

    def known_by_tables(self) -> GameEnding | None:
        if self.task.rules.tables is None:
            return None
        verdict = table_verdict(self.board, open_tables(self.task.rules.tables))
        return GameEnding(verdict[0], ADJUDICATION, verdict[1]) if verdict else None

    def adjudicated(self, info: EngineInfo, *, white: bool, number: int, zeroing: bool) -> GameEnding | None:
        verdict = self.judge.verdict(info.score_cp, info.mate, white=white, move=number, zeroing=zeroing)
        return GameEnding(verdict[0], ADJUDICATION, verdict[1]) if verdict else None

    def extra_bestmoves(self) -> list[tuple[str, str, str]]:
        """Warnings for engines that sent a move in this game that no `go` asked for."""
        found = []
        for side in self.sides.values():
            extra = side.engine.extra_bestmoves - side.extra_before
            if extra:
                found.append((side.engine.name, EXTRA_BESTMOVE, f"{extra} in this game"))
        return found

    def failure(self, colour: chess.Color, kind: str, reason: str) -> GameEnding:
        """The mover loses by its own fault. An engine that cannot be trusted any more is ended."""
        if kind in (EngineError.CRASH, EngineError.HANG, EngineError.PROTOCOL):
            self.sides[colour].engine.kill()
        return GameEnding("0-1" if colour == chess.WHITE else "1-0", _TERMINATIONS[kind], reason, kind)
