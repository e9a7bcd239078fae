"""A game between a person at the keyboard and an algorithm."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TextIO

from cythera.lab.errors import LabError
from cythera.lab.game import MAX, AnyGame, player_name
from cythera.lab.search import Result
from cythera.lab.view.words import plural, show_value


def play(
    game: AnyGame,
    think: Callable[[Any], Result[Any, Any]],
    person_second: bool = False,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
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
    stdin, out = stdin or sys.stdin, stdout or sys.stdout
    if game.players != 2 or game.has_chance:
        raise LabError(f"{game.name} cannot be played here: it is not a game of two players and no dice")
    state = game.initial()
    person = 1 - game.player(state) if person_second else game.player(state)
    while not game.is_terminal(state):
        print(f"\n{game.describe(state)}\n", file=out)
        if game.player(state) == person:
            action = ask(game, state, stdin, out)
            if action is None:
                print("\nGoodbye.", file=out)
                return 0
        else:
            result = think(state)
            action = result.move
            worth = show_value(result.value)
            print(f"I play {game.action_name(action)} ({worth} to max, {plural(result.leaves, 'leaf')})", file=out)
        state = game.result(state, action)
    print(f"\n{game.describe(state)}\n\n{verdict(game.utility(state), person)}", file=out)
    return 0


def ask(game: AnyGame, state: Any, stdin: TextIO, out: TextIO) -> Any:
    """The person's move; None when there will be none."""
    while True:
        print(f"your move ({player_name(game.player(state))}): ", end="", file=out, flush=True)
        text = stdin.readline()
        if not text or text.strip() in ("quit", "q"):
            return None
        try:
            return game.parse_action(state, text)
        except LabError as error:
            print(error, file=out)


def verdict(utility: float, person: int) -> str:
    """
    >>> verdict(-1.0, MAX)
    'I win.'
    """
    if utility == 0:
        return "A draw."
    return "You win." if (utility > 0) == (person == MAX) else "I win."
