"""Chess through `cythera.Position`: White is MAX.

The lab sees the compiled board through the same small protocol as tic-tac-toe. States are positions
that are never changed: a move is played on a copy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from cythera.core import START_FEN
from cythera.lab.errors import LabError
from cythera.lab.game import BACKWARD, CAPTURE, FORWARD, MAX, MIN, THREAT, Game, Picture, Player
from cythera.lab.texts import say

if TYPE_CHECKING:
    from cythera.board.position import Position
    from cythera.core import Move

PIECE_CP = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 900, "k": 0}
MATE_CP = 100_000  # the lab's own; a comparison with the engine passes the engine's
HORIZON_FEN = "r7/B1p3kp/1p6/5P2/8/8/1PP3PP/6K1 w - - 0 1"  # the bishop is lost


def material(position: Position) -> int:
    """White's material less Black's, in centipawns.

    >>> from cythera import Position
    >>> material(Position("4k3/8/8/3q4/8/8/4PR2/4K3 w - - 0 1"))
    -300
    """
    board = position.fen().partition(" ")[0]
    return sum(worth * (board.count(piece.upper()) - board.count(piece)) for piece, worth in PIECE_CP.items())


def greediest_first(position: Position, moves: Sequence[Move]) -> list[Move]:
    """The most valuable victim first, and of equals the least valuable attacker.

    >>> from cythera import Position
    >>> position = Position("4k3/8/3q1p2/4P3/8/8/5R2/4K3 w - - 0 1")
    >>> [str(move) for move in greediest_first(position, position.legal_moves("noisy"))]
    ['e5d6', 'e5f6', 'f2f6']
    """

    def greed(move: Move) -> tuple[int, int]:
        victim = (position.piece_at(move.to_square) or "p") if move.is_capture else "k"
        attacker = position.piece_at(move.from_square) or "k"
        return PIECE_CP[victim.lower()] + PIECE_CP[move.promotion or "k"], -PIECE_CP[attacker.lower()]

    return sorted(moves, key=greed, reverse=True)


class Chess(Game["Position", "Move"]):
    """Chess from a FEN, with any evaluation, in centipawns for White.

    A mate is worth `mate_cp` less the plies it took from the start. A state is over at checkmate,
    stalemate, insufficient material, a third repetition, or fifty moves without progress.

    >>> game = Chess("6k1/5ppp/8/8/8/8/8/3RK3 w - - 0 1")
    >>> state = game.result(game.initial(), "d1d8")
    >>> game.is_terminal(state), game.utility(state)
    (True, 99999)
    """

    is_endless = True
    default_depth = 2

    def __init__(
        self, fen: str = START_FEN, evaluation: Callable[[Position], float] = material, mate_cp: int = MATE_CP
    ) -> None:
        from cythera.board.position import Position

        self.name = say("name.chess")
        self.start = Position(fen)
        self.evaluation = evaluation
        self.mate_cp = mate_cp

    def initial(self) -> Position:
        return self.start

    def player(self, state: Position) -> Player:
        return MAX if state.turn == "w" else MIN

    def actions(self, state: Position) -> Sequence[Move]:
        return state.legal_moves()

    def result(self, state: Position, action: Move) -> Position:
        after = state.copy()
        after.push(action)
        return after

    def is_terminal(self, state: Position) -> bool:
        return state.is_checkmate() or state.is_draw()

    def utility(self, state: Position) -> float:
        if not state.is_checkmate():
            return 0
        value = self.mate_cp - (half_moves(state) - half_moves(self.start))
        return -value if state.turn == "w" else value

    def evaluate(self, state: Position) -> float:
        return self.evaluation(state)

    def key(self, state: Position) -> Hashable:
        """The position and its fifty-move clock; how it came about is forgotten."""
        return state.key, state.halfmove_clock

    def urgency(self, state: Position, action: Move) -> int:
        """Captures and promotions, checks, moves up the board, the rest."""
        if action.is_capture or action.promotion:
            return CAPTURE
        if state.gives_check(action):
            return THREAT
        ranks = action.to_square // 8 - action.from_square // 8
        return FORWARD if (ranks > 0) == (state.turn == "w") and ranks else BACKWARD

    def is_quiet(self, state: Position) -> bool:
        """Not in check, and no capture or promotion that wins material."""
        return not state.is_check() and not any(state.see(move, 1) for move in state.legal_moves("noisy"))

    def noisy(self, state: Position) -> Sequence[Move]:
        """Captures and promotions, the greediest first; in check, every way out of it."""
        return greediest_first(state, state.legal_moves("all" if state.is_check() else "noisy"))

    def may_stand_pat(self, state: Position) -> bool:
        return not state.is_check()

    def describe(self, state: Position) -> str:
        turn = say("side.white" if state.turn == "w" else "side.black")
        return f"{state.text()}\n{say('board.turn', turn=turn)}"

    def picture(self, state: Position) -> Picture:
        """The board from White's side, rows from the eighth."""
        board = re.sub(r"\d", lambda empty: "." * int(empty[0]), state.fen().partition(" ")[0])
        return Picture("chess", tuple(board.split("/")))

    def side_name(self, player: Player) -> str:
        return say("side.white" if player == MAX else "side.black")

    def move_help(self) -> str:
        return say("moves.chess")

    def action_name(self, action: Move) -> str:
        return action.uci()

    def parse_action(self, state: Position, text: str) -> Move:
        if not state.is_legal(text.strip()):
            raise LabError(say("error.no_chess_move", text=text.strip()))
        return state.parse_move(text.strip())


def half_moves(position: Position) -> int:
    """Plies since move 1 of the game."""
    return 2 * position.fullmove_number + (position.turn == "b")
