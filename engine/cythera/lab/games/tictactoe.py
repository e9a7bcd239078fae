"""Tic-tac-toe: X is MAX and moves first."""

from __future__ import annotations

from collections.abc import Sequence

from cythera.lab.errors import LabError
from cythera.lab.game import CAPTURE, FORWARD, MAX, MIN, THREAT, Game, Picture, Player
from cythera.lab.texts import say

LINES = (
    *((row, row + 1, row + 2) for row in (0, 3, 6)),
    *((column, column + 3, column + 6) for column in (0, 1, 2)),
    (0, 4, 8),
    (2, 4, 6),
)


class TicTacToe(Game[str, int]):
    """A state is nine characters, `X`, `O` or `.`, row by row; an action is the index of a square.

    >>> game = TicTacToe("XX./OO./...")
    >>> game.utility(game.result(game.initial(), 2))
    1.0
    """

    has_signs_only = True

    def __init__(self, board: str = ".../.../...") -> None:
        self.name = say("name.tictactoe")
        self.start = board.replace("/", "").upper()
        if len(self.start) != 9 or set(self.start) - set("XO."):
            raise LabError(say("error.tictactoe_board", board=board))
        lead = self.start.count("X") - self.start.count("O")
        won = {mark for mark in "XO" if has_three(self.start, mark)}
        if lead not in (0, 1) or len(won) > 1 or won == ({"X"} if lead == 0 else {"O"}):
            raise LabError(say("error.tictactoe_turns", board=board))

    def initial(self) -> str:
        return self.start

    def player(self, state: str) -> Player:
        return MAX if state.count("X") == state.count("O") else MIN

    def actions(self, state: str) -> Sequence[int]:
        return [square for square, mark in enumerate(state) if mark == "."]

    def result(self, state: str, action: int) -> str:
        return state[:action] + "XO"[self.player(state)] + state[action + 1 :]

    def is_terminal(self, state: str) -> bool:
        return "." not in state or winner(state) is not None

    def utility(self, state: str) -> float:
        return {"X": 1.0, "O": -1.0, None: 0.0}[winner(state)]

    def evaluate(self, state: str) -> float:
        """Lines still open to X less lines still open to O, scaled so that a win is worth more."""
        return (open_lines(state, "X") - open_lines(state, "O")) / 10

    def bounds(self, state: str) -> tuple[float, float]:
        """A player without an open line can no longer win."""
        return (-1.0 if open_lines(state, "O") else 0.0), (1.0 if open_lines(state, "X") else 0.0)

    def urgency(self, state: str, action: int) -> int:
        """Winning is a capture, making two in an open line a threat."""
        mark = "XO"[self.player(state)]
        after = self.result(state, action)
        if winner(after) is not None:
            return CAPTURE
        rows = ([after[square] for square in line] for line in LINES if action in line)
        return THREAT if any(row.count(mark) == 2 and row.count(".") == 1 for row in rows) else FORWARD

    def describe(self, state: str) -> str:
        """The board, with the number of every empty square."""
        marks = [mark if mark != "." else str(square + 1) for square, mark in enumerate(state)]
        return "\n---+---+---\n".join(" " + " | ".join(marks[row : row + 3]) for row in (0, 3, 6))

    def picture(self, state: str) -> Picture:
        return Picture("marks", (state[:3], state[3:6], state[6:]))

    def action_name(self, action: int) -> str:
        return str(action + 1)

    def side_name(self, player: Player) -> str:
        return "XO"[player]

    def move_help(self) -> str:
        return say("moves.tictactoe")


def has_three(state: str, mark: str) -> bool:
    """Whether a side has three in a line."""
    return any(state[a] == state[b] == state[c] == mark for a, b, c in LINES)


def winner(state: str) -> str | None:
    """`X` or `O` if one has three in a line."""
    for a, b, c in LINES:
        if state[a] == state[b] == state[c] != ".":
            return state[a]
    return None


def open_lines(state: str, mark: str) -> int:
    """How many lines a side can still complete."""
    return sum(all(state[square] in (mark, ".") for square in line) for line in LINES)
