"""Checkers (English draughts) on a small board: Black (X) is MAX, starts at the top and moves first.

Men move one square diagonally forward and jump forward; on the last row they become kings, which move
and jump both ways. Who can jump must, and goes on jumping; a man that is crowned stops. Who cannot
move has lost. Without a jump or a move by a man for a number of plies the game is drawn.

Only the dark squares are counted, from the top left. A side's men and kings are numbers with a bit for
each. All positions with few pieces can be listed, for the endgame database of `retrograde`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import NamedTuple

from cythera.lab.errors import LabError
from cythera.lab.game import BACKWARD, CAPTURE, FORWARD, MAX, MIN, THREAT, Game, Picture, Player
from cythera.lab.texts import say

SIZES = (4, 6, 8)
IDLE_PLIES = 40  # without progress, then it is a draw
MAN, KING = 100, 150

Path = tuple[int, ...]  # the squares a piece visits, from where it stood


class Draughts(NamedTuple):
    x_men: int
    x_kings: int
    o_men: int
    o_kings: int
    turn: Player
    idle: int = 0  # plies without a jump or a man's move


class Checkers(Game[Draughts, Path]):
    """An action is the path of a piece; moves are written like a3-b4, jumps like a3xc5xe3.

    >>> game = Checkers(6)
    >>> [game.action_name(action) for action in game.actions(game.initial())]
    ['a5-b4', 'c5-b4', 'c5-d4', 'e5-d4', 'e5-f4']
    """

    is_endless = True
    default_depth = 5

    def __init__(self, size: int = 6, board: str = "", idle_plies: int = IDLE_PLIES) -> None:
        if size not in SIZES:
            raise LabError(say("error.checkers_size", size=size))
        self.name = say("name.checkers", size=size)
        self.size = size
        self.idle_plies = idle_plies
        self.dark = [(row, column) for row in range(size) for column in range(size) if (row + column) % 2 == 1]
        self.index = {square: number for number, square in enumerate(self.dark)}
        steps = ((-1, -1), (-1, 1), (1, -1), (1, 1))
        # For each square and direction (two up, two down): the next square and the one behind it, or −1.
        self.next = [[self.index.get((r + down, c + right), -1) for down, right in steps] for r, c in self.dark]
        self.behind = [
            [self.index.get((r + 2 * down, c + 2 * right), -1) for down, right in steps] for r, c in self.dark
        ]
        per_row = size // 2
        self.last_row = {
            MAX: sum(1 << square for square in range(len(self.dark) - per_row, len(self.dark))),
            MIN: (1 << per_row) - 1,
        }
        self.start = self.read(board) if board else self.set_up()

    def set_up(self) -> Draughts:
        men = (self.size // 2 - 1) * self.size // 2
        squares = len(self.dark)
        return Draughts((1 << men) - 1, 0, ((1 << men) - 1) << squares - men, 0, MAX)

    def read(self, board: str) -> Draughts:
        """A board as rows from the top, with x, o for men, X, O for kings, and `x` or `o` to move after a space."""
        rows, _, turn = board.partition(" ")
        cells = rows.split("/")
        fits = len(cells) == self.size and all(len(row) == self.size for row in cells)
        if not fits or set("".join(cells)) - set("xXoO.") or turn not in ("x", "o"):
            raise LabError(say("error.checkers_board", board=board, size=self.size))
        bits = dict.fromkeys("xXoO", 0)
        for row, text in enumerate(cells):
            for column, mark in enumerate(text):
                if mark != "." and (row, column) not in self.index:
                    raise LabError(say("error.checkers_light", board=board))
                if mark != ".":
                    bits[mark] |= 1 << self.index[row, column]
        if bits["x"] & self.last_row[MAX] or bits["o"] & self.last_row[MIN]:
            raise LabError(say("error.checkers_crown", board=board))
        if not bits["x"] | bits["X"] or not bits["o"] | bits["O"]:
            raise LabError(say("error.checkers_side", board=board))
        return Draughts(bits["x"], bits["X"], bits["o"], bits["O"], MAX if turn == "x" else MIN)

    def initial(self) -> Draughts:
        return self.start

    def player(self, state: Draughts) -> Player:
        return state.turn

    def sides(self, state: Draughts) -> tuple[int, int, int]:
        """The mover's men and kings, and all of the opponent's pieces."""
        if state.turn == MAX:
            return state.x_men, state.x_kings, state.o_men | state.o_kings
        return state.o_men, state.o_kings, state.x_men | state.x_kings

    def actions(self, state: Draughts) -> Sequence[Path]:
        men, kings, theirs = self.sides(state)
        empty = ~(men | kings | theirs)
        forward = (2, 3) if state.turn == MAX else (0, 1)
        pieces = [square for square in range(len(self.dark)) if (men | kings) >> square & 1]
        jumps: list[Path] = []
        for square in pieces:
            ways = (0, 1, 2, 3) if kings >> square & 1 else forward
            jumps += self.jumps(square, ways, theirs, empty | 1 << square, state.turn, bool(men >> square & 1))
        if jumps:
            return jumps
        return [
            (square, self.next[square][way])
            for square in pieces
            for way in ((0, 1, 2, 3) if kings >> square & 1 else forward)
            if self.next[square][way] >= 0 and empty >> self.next[square][way] & 1
        ]

    def jumps(
        self, square: int, ways: tuple[int, ...], theirs: int, empty: int, turn: Player, is_man: bool
    ) -> list[Path]:
        """Every way a piece can jump from a square, to the end of its jumping."""
        found: list[Path] = []
        for way in ways:
            over, to = self.next[square][way], self.behind[square][way]
            if to < 0 or not theirs >> over & 1 or not empty >> to & 1:
                continue
            further: list[Path] = []
            if not (is_man and self.last_row[turn] >> to & 1):
                further = self.jumps(to, ways, theirs & ~(1 << over), empty, turn, is_man)
            found += [(square, *path) for path in further] or [(square, to)]
        return found

    def jumped(self, one: int, other: int) -> int:
        """The square between two, if a move from one to the other is a jump; else −1."""
        (row, column), (to_row, to_column) = self.dark[one], self.dark[other]
        return self.index[(row + to_row) // 2, (column + to_column) // 2] if abs(row - to_row) == 2 else -1

    def result(self, state: Draughts, action: Path) -> Draughts:
        men, kings, _ = self.sides(state)
        start, end = 1 << action[0], 1 << action[-1]
        is_man = bool(men & start)
        taken = 0
        for one, other in pairwise(action):
            if (over := self.jumped(one, other)) >= 0:
                taken |= 1 << over
        if is_man and end & self.last_row[state.turn]:
            men, kings = men & ~start, kings | end
        elif is_man:
            men = men & ~start | end
        else:
            kings = kings & ~start | end
        idle = 0 if taken or is_man else state.idle + 1
        if state.turn == MAX:
            return Draughts(men, kings, state.o_men & ~taken, state.o_kings & ~taken, MIN, idle)
        return Draughts(state.x_men & ~taken, state.x_kings & ~taken, men, kings, MAX, idle)

    def is_terminal(self, state: Draughts) -> bool:
        return state.idle >= self.idle_plies or not self.actions(state)

    def utility(self, state: Draughts) -> float:
        if self.actions(state):
            return 0.0
        return -1000.0 if state.turn == MAX else 1000.0

    def evaluate(self, state: Draughts) -> float:
        """Men and kings, and how far the men have come."""
        per_row = self.size // 2
        advance = sum(square // per_row for square in bits_of(state.x_men))
        advance -= sum(self.size - 1 - square // per_row for square in bits_of(state.o_men))
        men = state.x_men.bit_count() - state.o_men.bit_count()
        kings = state.x_kings.bit_count() - state.o_kings.bit_count()
        return max(-999.0, min(999.0, MAN * men + KING * kings + 2.0 * advance))

    def key(self, state: Draughts) -> Draughts:
        return state

    def urgency(self, state: Draughts, action: Path) -> int:
        """Jumps, crownings, moves of men, moves of kings."""
        if self.jumped(action[0], action[1]) >= 0:
            return CAPTURE
        men, _, _ = self.sides(state)
        if men >> action[0] & 1:
            return THREAT if self.last_row[state.turn] >> action[-1] & 1 else FORWARD
        return BACKWARD

    def is_quiet(self, state: Draughts) -> bool:
        return not self.noisy(state)

    def noisy(self, state: Draughts) -> Sequence[Path]:
        """Jumps, which are forced."""
        moves = self.actions(state)
        return moves if moves and self.jumped(moves[0][0], moves[0][1]) >= 0 else ()

    def may_stand_pat(self, state: Draughts) -> bool:
        return self.is_quiet(state)

    def endings(self, most_pieces: int) -> Iterator[Draughts]:
        """Every position with at most this many pieces and one or more on each side, `idle` left out."""
        squares = range(len(self.dark))
        for count in range(2, most_pieces + 1):
            for chosen in combinations(squares, count):
                for kinds in product("xXoO", repeat=count):
                    bits = dict.fromkeys("xXoO", 0)
                    for square, kind in zip(chosen, kinds, strict=True):
                        bits[kind] |= 1 << square
                    if not bits["x"] | bits["X"] or not bits["o"] | bits["O"]:
                        continue
                    if bits["x"] & self.last_row[MAX] or bits["o"] & self.last_row[MIN]:
                        continue
                    for turn in (MAX, MIN):
                        yield Draughts(bits["x"], bits["X"], bits["o"], bits["O"], turn)

    def rows(self, state: Draughts) -> list[str]:
        marks: dict[tuple[int, int], str] = {}
        for mark, bits in zip("xXoO", state[:4], strict=True):
            marks |= {self.dark[square]: mark for square in bits_of(bits)}
        return ["".join(marks.get((row, column), ".") for column in range(self.size)) for row in range(self.size)]

    def describe(self, state: Draughts) -> str:
        lines = [f"{self.size - row} " + " ".join(text) for row, text in enumerate(self.rows(state))]
        letters = "  " + " ".join("abcdefgh"[: self.size])
        return "\n".join([*lines, letters, say("board.turn", turn="x" if state.turn == MAX else "o")])

    def picture(self, state: Draughts) -> Picture:
        return Picture("draughts", tuple(self.rows(state)))

    def action_name(self, action: Path) -> str:
        names = ["abcdefgh"[self.dark[square][1]] + str(self.size - self.dark[square][0]) for square in action]
        return ("x" if self.jumped(action[0], action[1]) >= 0 else "-").join(names)

    def side_name(self, player: Player) -> str:
        return "xo"[player]

    def move_help(self) -> str:
        return say("moves.checkers")


def bits_of(number: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
