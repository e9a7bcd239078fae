"""A game as it was read, and its tree of variations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cythera.board.position import Position
from cythera.board.scores import Score
from cythera.core import PgnBlock, PgnGame
from cythera.errors import CytheraError

if TYPE_CHECKING:
    import chess.pgn

__all__ = ["Game", "Node"]


class Game(PgnGame):
    """A game of a PGN file.

    `headers` (a dict), `result`, `ratings`, `fen` and `chess960` come from its tags; `moves`, `uci()`, `san()` and
    `words` are the main line; `comments`, `nags`, `clocks`, `move_times` and `evals` are what is said about it;
    `number`, `line`, `offset` and `source` tell where it stands in its file. All is looked up when asked for.

    >>> from cythera.games import parse_games
    >>> game, = parse_games("1. e4 {[%clk 0:03:00] [%eval 0.2]} e5 $1 {book} 2. Nf3 (2. f4 exf4) *", mode="tree")
    >>> game.uci(), game.clocks, game.evals, game.comments[2], game.nags[2]
    (['e2e4', 'e7e5', 'g1f3'], [180.0, None, None], [Score(cp=20), None, None], 'book', (1,))
    >>> game.position(2).fen()
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    >>> [node.san for node in game.tree().variations[0].variations[0].variations]
    ['Nf3', 'f4']
    """

    __slots__ = ()

    @property
    def white(self) -> str:
        return self.headers.get("White", "?")

    @property
    def black(self) -> str:
        return self.headers.get("Black", "?")

    @property
    def evals(self) -> list[Score | None]:
        """For each move of the main line the evaluation beside it (`%eval`), from White's side, or None."""
        pairs = self.eval_pairs
        return [pair and (Score(cp=pair[1]) if pair[0] == "cp" else Score(mate=pair[1])) for pair in pairs]

    def position(self, ply: int = -1) -> Position:
        """The position after this many half-moves of the main line, with its history; by default the last."""
        position = Position()
        self.set_board(position, ply)
        return position

    def positions(self) -> Iterator[Position]:
        """The positions of the main line, the first and the last included."""
        position = self.position(0)
        yield position.copy()
        for move in self.uci():
            if move == "0000":
                position.push_null()
            else:
                position.push(move)
            yield position.copy()

    def tree(self) -> Node:
        """The moves with their variations; the root is the position before the first. If the file was not read with
        `mode="tree"`, the game is read once more."""
        if not self.has_tree:
            again = Game.of_block(PgnBlock(self.source.encode("utf-8", "surrogatepass"), "tree"))
            return again[0].tree()
        return build_tree(self)

    def to_chess(self) -> chess.pgn.Game:
        """The same game as python-chess has it; with variations if the file was read with `mode="tree"`."""
        import chess.pgn

        game = chess.pgn.Game()
        game.headers.update(self.headers)
        if game.headers.get("Result", "*") == "*":
            game.headers["Result"] = self.result
        nodes: list[chess.pgn.GameNode] = [game]
        comments, starts, nags = self.node_comments(), self.node_starts(), self.node_nags()
        for parent, uci, _ in self.nodes():
            nodes.append(nodes[parent].add_variation(chess.Move.from_uci(uci)))
        for number, texts in comments.items():
            nodes[number].comment = " ".join(filter(None, texts))
        for number, texts in starts.items():
            nodes[number].starting_comment = " ".join(filter(None, texts))
        for number, marks in nags.items():
            nodes[number].nags.update(marks)
        return game

    @classmethod
    def from_chess(cls, game: chess.pgn.Game) -> Game:
        """A game of python-chess, with its variations."""
        import chess.pgn

        text = game.accept(chess.pgn.StringExporter(columns=None))
        found = PgnBlock(text.encode("utf-8", "surrogatepass"), "tree")
        for _, _, message, is_fatal in found.problems():
            if is_fatal:
                raise CytheraError(f"cannot read the game: {message}")
        return cls.of_block(found)[0]

    def text(self, *, columns: int | None = 80) -> str:
        """The game in PGN's export format, variations included if they were read; lines of at most `columns`
        characters."""
        from cythera.games.writer import game_text

        return game_text(self, columns=columns)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Game {self.number}: {self.white} – {self.black} {self.result}, {len(self)} half-moves>"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), self.source, "tree" if self.has_tree else "full")


class Node:
    """A move in a tree of variations, or (`move` is None) the start. `variations` are the moves after it, the main
    one first."""

    __slots__ = ("comment", "move", "nags", "parent", "san", "starting_comment", "variations")

    def __init__(self, parent: Node | None = None, move: str | None = None, san: str = "") -> None:
        self.parent = parent
        self.move = move
        self.san = san
        self.comment = ""
        self.starting_comment = ""
        self.nags: set[int] = set()
        self.variations: list[Node] = []
        if parent is not None:
            parent.variations.append(self)

    @property
    def ply(self) -> int:
        """Half-moves from the start."""
        return 0 if self.parent is None else 1 + self.parent.ply

    def main_line(self) -> Iterator[Node]:
        """The nodes after this one, by main moves."""
        node = self
        while node.variations:
            node = node.variations[0]
            yield node

    def __repr__(self) -> str:
        return f"<Node {self.san or 'start'}, {len(self.variations)} moves after it>"


def build_tree(game: PgnGame) -> Node:
    nodes = [Node()]
    for parent, uci, san in game.nodes():
        nodes.append(Node(nodes[parent], uci, san))
    for number, texts in game.node_comments().items():
        nodes[number].comment = " ".join(filter(None, texts))
    for number, texts in game.node_starts().items():
        nodes[number].starting_comment = " ".join(filter(None, texts))
    for number, marks in game.node_nags().items():
        nodes[number].nags.update(marks)
    return nodes[0]


def _restore(cls: type[Game], source: str, mode: str) -> Game:
    """Rebuilds a pickled game; its place in its file is not kept."""
    return cls.of_block(PgnBlock(source.encode("utf-8", "surrogatepass"), mode))[0]
