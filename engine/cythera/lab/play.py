"""A game between a person at the keyboard and an algorithm, for any game of the lab.

Two players or more, with dice or without: the person takes one side, the algorithm all others, and the
dice are rolled by chance with a seed. `help` says what a move looks like and what else can be typed.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any, TextIO

from cythera.lab.errors import LabError
from cythera.lab.game import CHANCE, MAX, AnyGame, Player
from cythera.lab.search import Result
from cythera.lab.texts import plural, say
from cythera.lab.view.words import show_value

QUIT = ("quit", "q", "exit", "salir")
HELP = ("help", "?", "h", "ayuda")
MOVES = ("moves", "m", "jugadas")
HINT = ("hint", "pista")
UNDO = ("undo", "u", "deshacer")
BOARD = ("board", "b", "tablero")


class Table:
    """The game as it stands, and the words between the two."""

    def __init__(
        self,
        game: AnyGame,
        think: Callable[[Any], Result[Any, Any]],
        person: Player,
        stdin: TextIO,
        out: TextIO,
        seed: int,
    ) -> None:
        self.game = game
        self.think = think
        self.person = person
        self.stdin = stdin
        self.out = out
        self.rng = random.Random(seed)
        self.state = game.initial()
        self.earlier: list[Any] = []  # the states in which the person had the move

    def say(self, key: str, **values: Any) -> None:
        print(say(key, **values), file=self.out)

    def show(self) -> None:
        print(f"\n{self.game.describe(self.state)}\n", file=self.out)

    def roll(self) -> None:
        actions, odds = list(self.game.actions(self.state)), list(self.game.odds(self.state))
        outcome = self.rng.choices(actions, weights=odds)[0]
        self.say("play.rolled", roll=self.game.action_name(outcome))
        self.state = self.game.result(self.state, outcome)

    def answer(self) -> None:
        result = self.think(self.state)
        move = self.game.action_name(result.move)
        self.say("play.i_play", move=move, value=self.worth(result), leaves=plural(result.leaves, "leaf"))
        self.state = self.game.result(self.state, result.move)

    def worth(self, result: Result[Any, Any]) -> str:
        """A value with the name of the side it is for; of three players, each in turn."""
        value = show_value(result.value)
        return value if self.game.players > 2 else say("play.for", value=value, side=self.game.side_name(MAX))

    def ask(self) -> bool:
        """The person's move; False when there will be none."""
        while True:
            who = self.game.side_name(self.game.player(self.state))
            print(say("play.your_move", player=who), end="", file=self.out, flush=True)
            text = self.stdin.readline()
            word = text.strip()
            if not text or word.lower() in QUIT:
                return False
            if not word or self.obeyed(word.lower()):
                continue
            try:
                action = self.game.parse_action(self.state, word)
            except LabError as error:
                print(error, file=self.out)
                continue
            self.earlier.append(self.state)
            self.state = self.game.result(self.state, action)
            return True

    def obeyed(self, word: str) -> bool:
        """Whether a word was a command, which is then done."""
        if word in HELP:
            self.say("play.help", moves=self.game.move_help())
        elif word in MOVES:
            names = " · ".join(self.game.action_name(action) for action in self.game.actions(self.state))
            print(names, file=self.out)
        elif word in HINT:
            result = self.think(self.state)
            self.say("play.hint", move=self.game.action_name(result.move), value=self.worth(result))
        elif word in UNDO:
            if self.earlier:
                self.state = self.earlier.pop()
                self.show()
            else:
                self.say("play.no_undo")
        elif word in BOARD:
            self.show()
        else:
            return False
        return True


def play(
    game: AnyGame,
    think: Callable[[Any], Result[Any, Any]],
    person_second: bool = False,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
    seed: int = 1,
) -> int:
    """Plays a game to its end, or until the person writes `quit` or the input ends.

    >>> import io
    >>> from cythera.lab.algorithms.minimax import minimax
    >>> from cythera.lab.games.tictactoe import TicTacToe
    >>> from cythera.lab.search import Search
    >>> game, out = TicTacToe("XX./OO./..."), io.StringIO()
    >>> play(game, lambda state: minimax(Search(game, start=state)), stdin=io.StringIO("3"), stdout=out)
    0
    >>> out.getvalue().splitlines()[-1]
    'You win.'
    """
    first = first_player(game)
    person = (first + 1) % game.players if person_second else first
    table = Table(game, think, person, stdin or sys.stdin, stdout or sys.stdout, seed)
    table.say("play.hello", game=game.name, moves=game.move_help())
    while not game.is_terminal(table.state):
        player = game.player(table.state)
        if player == CHANCE:
            table.roll()
            continue
        table.show()
        if player != person:
            table.answer()
        elif not table.ask():
            table.say("play.goodbye")
            return 0
    table.show()
    print(verdict(game, table.state, person), file=table.out)
    return 0


def first_player(game: AnyGame) -> Player:
    """Who has the first move, after a roll if the game begins with one."""
    state = game.initial()
    while game.player(state) == CHANCE and not game.is_terminal(state):
        state = game.result(state, game.actions(state)[0])
    return max(game.player(state), MAX)


def verdict(game: AnyGame, state: Any, person: Player) -> str:
    """How the game ended for the person."""
    if game.players > 2:
        shares = ", ".join(
            f"{game.side_name(player)}: {show_value(share)}" for player, share in enumerate(game.utilities(state))
        )
        return say("play.shares", shares=shares)
    utility = game.utility(state)
    if game.is_scored:
        return say("play.worth", value=say("play.for", value=show_value(utility), side=game.side_name(MAX)))
    if utility == 0:
        return say("play.draw")
    return say("play.you_win" if (utility > 0) == (person == MAX) else "play.i_win")
