"""The games to be analysed: read once by the compiled reader, with their variations, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cythera.games.game import Game
from cythera.games.reader import GameReader, PgnError, Problem, parse_games

if TYPE_CHECKING:
    import chess.pgn

NULL_MOVE = "0000"
NULL_SENTENCE = "a null move is no move of a game"

__all__ = ["Game", "PgnError", "Problem", "chess_game", "read_file", "read_text"]


def read_file(path: Path) -> tuple[list[Game], list[Problem]]:
    """All games of a file that can be analysed, and what is wrong with it; raises PgnError if it has none."""
    reader = GameReader([path], mode="tree")
    games = []
    for game in reader:
        if NULL_MOVE in game.uci():
            reader.problems.append(Problem(str(path), game.line, game.number, NULL_SENTENCE))
        else:
            games.append(game)
    if not reader.games_read and not reader.bad_games:
        raise PgnError(f"there is no game in {path}")
    return games, sorted(reader.problems, key=lambda problem: problem.line)


def read_text(text: str) -> Game:
    """The game a text holds; raises PgnError, with the line, if there is none that can be analysed."""
    games = parse_games(text, mode="tree")
    if not games:
        raise PgnError("there is no game in the text")
    if NULL_MOVE in games[0].uci():
        raise PgnError(f"line {games[0].line}: game 1: {NULL_SENTENCE}")
    return games[0]


def chess_game(game: Game) -> chess.pgn.Game:
    """A game as python-chess has it, each comment as one line of text."""
    found = game.to_chess()
    stack: list[chess.pgn.GameNode] = [found]
    while stack:
        node = stack.pop()
        node.comment = " ".join(node.comment.split())
        if node.starting_comment:
            node.starting_comment = " ".join(node.starting_comment.split())
        stack.extend(node.variations)
    return found
