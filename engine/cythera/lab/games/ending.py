"""Chess endings of king and one piece against king, in plain Python, small enough to be solved backwards.

White, who has the piece, is MAX. A state is the piece, three squares and who moves; a1 is 0 and h8 63.
A pawn that reaches the last rank becomes a queen or a rook (a bishop or a knight cannot win); the piece
may be captured, which leaves `-` and a draw. Repetition and the fifty-move rule are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.game import CAPTURE, FORWARD, MAX, MIN, THREAT, Game, Picture, Player
from cythera.lab.texts import say

NAMES = {"KQvK": "Q", "KRvK": "R", "KPvK": "P"}
NO_PIECE = "-"
MATE = 1000.0
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


class Men(NamedTuple):
    piece: str  # Q, R, P or -
    king: int  # White's
    square: int  # of the piece
    enemy: int  # Black's king
    turn: Player


Move = tuple[int, int, str]  # from, to, and what is promoted to


def square_name(square: int) -> str:
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def rays(directions: Sequence[tuple[int, int]], reach: int) -> list[list[list[int]]]:
    """For every square, the squares in each direction, nearest first."""
    found = []
    for square in range(64):
        lines = []
        for up, right in directions:
            line = []
            rank, file = square // 8, square % 8
            for _ in range(reach):
                rank, file = rank + up, file + right
                if not (0 <= rank < 8 and 0 <= file < 8):
                    break
                line.append(8 * rank + file)
            lines.append(line)
        found.append(lines)
    return found


KING_STEPS = [[line[0] for line in lines if line] for lines in rays(STRAIGHT + DIAGONAL, 1)]
NEAR = [frozenset(steps) for steps in KING_STEPS]
RAYS = {"R": rays(STRAIGHT, 7), "Q": rays(STRAIGHT + DIAGONAL, 7)}
PAWN_HITS = [frozenset(8 * (s // 8 + 1) + f for f in (s % 8 - 1, s % 8 + 1) if 0 <= f < 8 and s < 56) for s in
             range(64)]  # fmt: skip

# The board reflected in the diagonal from a1 to h8; and for every square the reflections that bring it to a1–d1–d4.
MIRROR = [square % 8 * 8 + square // 8 for square in range(64)]
TURNED: list[list[int]] = []
for _king in range(64):
    _map = [square ^ (7 if _king % 8 > 3 else 0) ^ (56 if _king // 8 > 3 else 0) for square in range(64)]
    TURNED.append([MIRROR[square] for square in _map] if _map[_king] // 8 > _map[_king] % 8 else _map)


class Ending(Game[Men, Move]):
    """King and queen, rook or pawn against king.

    >>> game = Ending("KRvK", "8/8/8/8/8/2k5/8/K1R5 b")
    >>> [game.action_name(move) for move in game.actions(game.initial())]
    ['c3d3', 'c3b3', 'c3d4', 'c3b4', 'c3d2']
    """

    is_endless = True
    default_depth = 3

    def __init__(self, name: str = "KRvK", board: str = "") -> None:
        if name not in NAMES:
            raise LabError(say("error.ending", name=name, names=", ".join(NAMES)))
        self.name = name
        self.piece = NAMES[name]
        default = {"Q": "8/8/8/3k4/8/8/8/KQ6 w", "R": "8/8/8/3k4/8/8/8/KR6 w", "P": "8/8/8/4k3/8/8/4P3/4K3 w"}
        self.start = self.read(board or default[self.piece])

    def read(self, board: str) -> Men:
        """The state that the first two fields of a FEN give."""
        rows, _, rest = board.partition(" ")
        found: dict[str, int] = {}
        for rank, text in zip(range(7, -1, -1), rows.split("/"), strict=False):
            file = 0
            for mark in text:
                if mark.isdigit():
                    file += int(mark)
                elif file < 8:
                    found[mark] = 8 * rank + file
                    file += 1
        if sorted(found) != sorted({"K", "k", self.piece}) or rest[:1] not in ("w", "b"):
            raise LabError(say("error.ending_board", board=board, name=self.name))
        men = Men(self.piece, found["K"], found[self.piece], found["k"], MAX if rest[0] == "w" else MIN)
        if not self.is_legal(men):
            raise LabError(say("error.ending_illegal", board=board))
        return men

    def initial(self) -> Men:
        return self.start

    def player(self, state: Men) -> Player:
        return state.turn

    def attacked(self, piece: str, square: int, king: int) -> Iterator[int]:
        """The squares the piece attacks, its own king in the way; the enemy king does not hide what is behind."""
        if piece == "P":
            yield from PAWN_HITS[square]
        elif piece != NO_PIECE:
            for line in RAYS[piece][square]:
                for target in line:
                    if target == king:
                        break
                    yield target

    def checks(self, state: Men) -> bool:
        """Whether Black's king is attacked."""
        return state.enemy in self.attacked(state.piece, state.square, state.king)

    def is_legal(self, state: Men) -> bool:
        """No two on one square, the kings apart, no pawn on an end rank, the side that has moved not in check."""
        if state.king == state.square or state.enemy in (state.king, state.square) or state.enemy in NEAR[state.king]:
            return False
        if state.piece == "P" and not 8 <= state.square < 56:
            return False
        return state.turn == MIN or not self.checks(state)

    def actions(self, state: Men) -> Sequence[Move]:
        piece, king, square, enemy, turn = state
        if turn == MIN:
            hit = set(self.attacked(piece, square, king)) | NEAR[king]
            return [(enemy, target, "") for target in KING_STEPS[enemy] if target not in hit and target != king]
        moves: list[Move] = [
            (king, target, "")
            for target in KING_STEPS[king]
            if target not in (square, enemy) and target not in NEAR[enemy]
        ]
        if piece == "P":
            step = square + 8
            if step not in (king, enemy):
                moves += [(square, step, kind) for kind in ("QR" if step >= 56 else ("",))]
                if square < 16 and step + 8 not in (king, enemy):
                    moves.append((square, step + 8, ""))
        elif piece != NO_PIECE:
            for line in RAYS[piece][square]:
                for target in line:
                    if target in (king, enemy):
                        break
                    moves.append((square, target, ""))
        return moves

    def result(self, state: Men, action: Move) -> Men:
        start, target, promotion = action
        if state.turn == MIN:
            if target == state.square:
                return Men(NO_PIECE, state.king, -1, target, MAX)
            return Men(state.piece, state.king, state.square, target, MAX)
        if start == state.king:
            return Men(state.piece, target, state.square, state.enemy, MIN)
        return Men(promotion or state.piece, state.king, target, state.enemy, MIN)

    def is_terminal(self, state: Men) -> bool:
        return state.piece == NO_PIECE or not self.actions(state)

    def utility(self, state: Men) -> float:
        """Mate is a win; stalemate and two bare kings are draws."""
        is_mate = state.turn == MIN and state.piece != NO_PIECE and self.checks(state) and not self.actions(state)
        return MATE if is_mate else 0.0

    def evaluate(self, state: Men) -> float:
        """The piece, and how near Black's king is to the edge and to White's."""
        worth = {"Q": 90.0, "R": 50.0, "P": 10.0, NO_PIECE: 0.0}[state.piece]
        rank, file = state.enemy // 8, state.enemy % 8
        edge = max(abs(2 * rank - 7), abs(2 * file - 7))
        apart = max(abs(rank - state.king // 8), abs(file - state.king % 8))
        return worth + edge - apart if worth else 0.0

    def key(self, state: Men) -> Men:
        """The same position turned round: White's king on a1–d1–d4, or the pawn on the files a to d.

        >>> Ending().key(Men("R", 63, 7, 0, MAX)) == Ending().key(Men("R", 0, 56, 63, MAX))
        True
        """
        piece, king, square, enemy, turn = state
        if piece == NO_PIECE:
            return Men(piece, 0, -1, 18, turn)
        if piece == "P":
            return state if square % 8 < 4 else Men(piece, king ^ 7, square ^ 7, enemy ^ 7, turn)
        turned = TURNED[king]
        square, enemy, king = turned[square], turned[enemy], turned[king]
        if king % 9 == 0:  # on the diagonal one reflection is left to choose
            other = MIRROR[enemy], MIRROR[square]
            if other < (enemy, square):
                enemy, square = other
        return Men(piece, king, square, enemy, turn)

    def states(self) -> Iterator[Men]:
        """Every legal position, each once for all its mirror images."""
        kings = range(64) if self.piece == "P" else sorted({turned[king] for king, turned in enumerate(TURNED)})
        squares = [s for s in range(8, 56) if s % 8 < 4] if self.piece == "P" else range(64)
        for king in kings:
            for square in squares:
                for enemy in range(64):
                    for turn in (MAX, MIN):
                        men = Men(self.piece, king, square, enemy, turn)
                        if self.is_legal(men) and men == self.key(men):
                            yield men

    def urgency(self, state: Men, action: Move) -> int:
        if action[2] or (state.turn == MIN and action[1] == state.square):
            return CAPTURE
        return THREAT if state.turn == MAX and self.checks(self.result(state, action)) else FORWARD

    def rows(self, state: Men) -> list[str]:
        marks = {state.king: "K", state.enemy: "k"}
        if state.piece != NO_PIECE:
            marks[state.square] = state.piece
        return ["".join(marks.get(8 * rank + file, ".") for file in range(8)) for rank in reversed(range(8))]

    def describe(self, state: Men) -> str:
        lines = [f"{8 - index} " + " ".join(row) for index, row in enumerate(self.rows(state))]
        turn = say("side.white" if state.turn == MAX else "side.black")
        return "\n".join([*lines, "  a b c d e f g h", say("board.turn", turn=turn)])

    def picture(self, state: Men) -> Picture:
        return Picture("chess", tuple(self.rows(state)))

    def action_name(self, action: Move) -> str:
        return square_name(action[0]) + square_name(action[1]) + action[2].lower()

    def side_name(self, player: Player) -> str:
        return say("side.white" if player == MAX else "side.black")

    def move_help(self) -> str:
        return say("moves.chess")
