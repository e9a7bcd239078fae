"""What is it worth to know the opponent? Tic-tac-toe against one who errs."""

from __future__ import annotations

from functools import cache

from cythera.lab.algorithms.alphabeta import alphabeta
from cythera.lab.algorithms.expectimax import average, mostly_minimax
from cythera.lab.experiments.report import Report
from cythera.lab.game import MAX
from cythera.lab.games.tictactoe import TicTacToe
from cythera.lab.search import Search
from cythera.lab.texts import say

SHARES = (1.0, 0.8, 0.5, 0.0)


def opponent(seed: int, size: int | None) -> Report:
    """The expected result of X, exactly, against an O who plays depth-2 minimax or else at random."""
    rows = []
    for share in SHARES:
        row = [f"{share:.0%}"]
        for planner in ("minimax", "expectimax"):
            row.append(f"{expected_result(share, planner):+.3f}")
        rows.append(row)
    return Report(
        say("x.opponent.title"),
        [say("x.opponent.share"), say("x.opponent.minimax"), say("x.opponent.expectimax")],
        rows,
        [say("x.opponent.remark")],
    )


def expected_result(share: float, planner: str) -> float:
    """The mean over all games, weighted with how likely each is. Every state is visited once.

    For expectimax this is its own value at the root: with the right model, it expects what comes.
    """
    game = TicTacToe()
    model = mostly_minimax(depth=2, share=share)

    @cache
    def result_of(state: str) -> float:
        if game.is_terminal(state):
            return game.utility(state)
        if game.player(state) != MAX:
            return average(model(game, state), [result_of(after) for after in successors(state)])
        if planner == "expectimax":
            return max(result_of(after) for after in successors(state))
        move = alphabeta(Search(game, start=state)).move
        assert move is not None
        return result_of(game.result(state, move))

    def successors(state: str) -> list[str]:
        return [game.result(state, action) for action in game.actions(state)]

    return result_of(game.initial())
