"""Games in PGN: reading, writing, searching in them (docs/games.md)."""

from cythera.games.game import Game, Node
from cythera.games.query import GameIndex, explorer, open_index
from cythera.games.reader import GameReader, PgnError, Problem, parse_games, read_games
from cythera.games.writer import game_text, write_games

__all__ = [
    "Game", "GameIndex", "GameReader", "Node", "PgnError", "Problem", "explorer", "game_text", "open_index",
    "parse_games", "read_games", "write_games",
]  # fmt: skip
