"""The one protocol every game of the lab follows.

A game is its rules: where it starts, who moves, what they may do, what comes of it, when it is
over and what it is then worth. States are values: `result` gives a new one and leaves the old one
alone. All numbers are seen by MAX.

The first group of methods must be written; the rest have answers that suit a game without the
feature in question, so that a game only says what is special about it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from cythera.lab.errors import LabError
from cythera.lab.texts import say

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)

Player = int
CHANCE: Player = -1
MAX: Player = 0  # in a game of n players they are 0, 1, …, n − 1
MIN: Player = 1

CAPTURE, THREAT, FORWARD, BACKWARD = range(4)  # the urgency of a move, most urgent first


class Picture(NamedTuple):
    """A board small enough to stand at a node of a drawing: one character for each square."""

    style: str  # marks, discs, othello, draughts, chess, points or maze
    rows: tuple[str, ...]


def player_name(player: Player, players: int = 2) -> str:
    """What to call a player.

    >>> player_name(MIN), player_name(CHANCE), player_name(2, players=3)
    ('min', 'chance', 'player 3')
    """
    if player == CHANCE:
        return "chance"
    if players == 2:
        return "max" if player == MAX else "min"
    return f"player {player + 1}"


class Game(ABC, Generic[State, Action]):
    """The rules of a game, and what is known about its positions."""

    name: str
    players: int = 2
    has_chance: bool = False  # some nodes are rolls of dice
    is_endless: bool = False  # play can go in circles, so a search needs a depth
    is_scored: bool = False  # a game ends with a number, which is not called a win or a loss
    has_signs_only: bool = False  # a game ends with 1, 0 or −1 and nothing else
    has_move_names: bool = True  # moves are worth writing on the branches of a drawing
    default_depth: int | None = None  # a depth that takes about a second; None: to the end

    # The rules.

    @abstractmethod
    def initial(self) -> State:
        """The state the search starts from."""

    @abstractmethod
    def player(self, state: State) -> Player:
        """Who moves: MAX, MIN, CHANCE, or one of n. Also answered when the game is over."""

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """What the player may do, in the game's natural order. At a chance node, the outcomes."""

    @abstractmethod
    def result(self, state: State, action: Action) -> State:
        """The state after an action."""

    @abstractmethod
    def is_terminal(self, state: State) -> bool:
        """Whether the game is over."""

    @abstractmethod
    def utility(self, state: State) -> float:
        """What a finished game is worth to MAX."""

    # What is known about positions that are not over.

    def evaluate(self, state: State) -> float:
        """An estimate of a state's value to MAX, for searches that are cut off."""
        return self.utility(state) if self.is_terminal(state) else 0.0

    def utilities(self, state: State) -> tuple[float, ...]:
        """What a finished game is worth to each player."""
        worth = self.utility(state)
        return worth, -worth

    def estimates(self, state: State) -> tuple[float, ...]:
        """An estimate of a state's value to each player."""
        worth = self.evaluate(state)
        return worth, -worth

    def bounds(self, state: State) -> tuple[float, float]:
        """A pessimistic and an optimistic value: the true one lies between, both included."""
        raise LabError(say("error.no_bounds", game=self.name))

    def odds(self, state: State) -> Sequence[float]:
        """The probability of each outcome of a chance node, in the order of `actions`."""
        raise LabError(say("error.no_chance", game=self.name))

    # Hints that make a search faster or wiser, never different in what the rules say.

    def key(self, state: State) -> Hashable:
        """Equal for two states exactly when play goes on alike from both."""
        return state

    def urgency(self, state: State, action: Action) -> int:
        """CAPTURE, THREAT, FORWARD or BACKWARD: how soon a move deserves to be tried."""
        return FORWARD

    def is_quiet(self, state: State) -> bool:
        """Whether an evaluation can be trusted here."""
        return True

    def noisy(self, state: State) -> Sequence[Action]:
        """The moves worth following beyond the horizon."""
        return ()

    def may_stand_pat(self, state: State) -> bool:
        """Whether the player may be supposed to have something at least as good as `evaluate`."""
        return True

    def features(self, state: State) -> tuple[float, ...]:
        """Numbers whose weighted sum is an evaluation."""
        raise LabError(say("error.no_features", game=self.name))

    # Words and pictures.

    def describe(self, state: State) -> str:
        """The state as text for a terminal."""
        return str(state)

    def state_name(self, state: State) -> str:
        """A short name of the state, if it has one, to write beside its node."""
        return ""

    def action_name(self, action: Action) -> str:
        """A move as people write it."""
        return str(action)

    def parse_action(self, state: State, text: str) -> Action:
        """The legal action people mean by `text`; raises LabError if there is none."""
        named = {self.action_name(action): action for action in self.actions(state)}
        wanted = " ".join(text.split())
        for name, action in named.items():
            if name == wanted:
                return action
        alike = [action for name, action in named.items() if name.lower() == wanted.lower()]
        if len(alike) == 1:
            return alike[0]
        names = (", " if any(" " in name for name in named) else " ").join(named)
        raise LabError(say("error.no_move", text=text.strip(), names=names))

    def side_name(self, player: Player) -> str:
        """What a player is called at the board."""
        if self.players > 2:
            return say("player.number", number=player + 1)
        return say("player.max" if player == MAX else "player.min")

    def move_help(self) -> str:
        """A sentence that says what a move looks like."""
        return say("moves.any")

    def picture(self, state: State) -> Picture | None:
        """The state as a small board, if it has one."""
        return None


AnyGame = Game[Any, Any]
