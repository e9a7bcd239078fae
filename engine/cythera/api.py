"""The public `Engine`: the engine of `cythera.engine`, with what the packages above it make of its searches.

`cythera.engine` imports nothing of `cythera.analyse` and `cythera.explain`, which use it; here they meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cythera.board.position import position_from
from cythera.engine.engine_base import EngineBase
from cythera.engine.limits import ending_limit, limit_from
from cythera.engine.results import AnalysisBase

if TYPE_CHECKING:
    import chess.pgn

    from cythera.analyse.game_analysis import GameAnalysis
    from cythera.engine.engine_base import BoardLike, LimitLike, MoveLike, Moves
    from cythera.explain.explanation import Explanation
    from cythera.explain.tree import SearchTree
    from cythera.games.game import Game

__all__ = ["Analysis", "Engine"]


class Analysis(AnalysisBase):
    """A running search, to be iterated over: a line at each report, until it ends or is stopped.

    In a `with` block the search is stopped at the end. `lines` is the best known so far, at any time.
    A notebook shows the board, the lines and how the score changed.
    """

    def _repr_html_(self) -> str:
        from cythera.analyse.analysis_html import analysis_html

        return analysis_html(self.position, self.lines, self.scores)


class Engine(EngineBase):
    """A chess engine. Boards are `Position`s, `chess.Board`s (history included) or FENs.

    Options are keywords: `hash_mib` of transposition table; `threads`; `eval_file`, which is `builtin`,
    `classical` or the path of a net; `elo` or `skill_level`, which limit the strength of `play` (see
    docs/levels.md), with chances drawn from `seed`; `book`, a Polyglot book to play from (the empty text for
    none, where a limited strength would open by openings it knows); `syzygy_path`, folders of endgame tables to
    use before those of the package, which `syzygy_builtin=False` turns off. An engine does one search at a time,
    and several engines can be used side by side. Ctrl-C ends a search and is raised as usual; the engine can be
    used again.

    >>> from cythera import Limit
    >>> with Engine(hash_mib=4) as engine:
    ...     mate = engine.analyse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", Limit(depth=4))
    >>> mate.score, mate.moves
    (Score(mate=1), ('a1a8',))
    """

    def analysis(
        self, board: BoardLike, limit: LimitLike | None = None, multipv: int = 1, *, searchmoves: Moves = None
    ) -> Analysis:
        """Starts a search and returns at once: iterate over its lines while it runs.

        Without a limit it runs until stopped; leaving its `with` block or dropping it does that.
        """
        return Analysis(*self._running(board, limit, multipv, searchmoves))

    def analyse_game(
        self, game: chess.pgn.Game | Game | str, limit: LimitLike, multipv: int = 1, *, workers: int | None = None
    ) -> GameAnalysis:
        """Judges every move of a game: a `Game` of `read_games`, a `chess.pgn.Game`, or the text of one in PGN.

        The limit is for each position. With nodes or depth the result is that of `cythera analyse`.
        """
        from cythera.analyse.game_analysis import analyse_game

        return analyse_game(self, game, limit_from(limit), multipv, workers)

    def explain(self, board: BoardLike, move: MoveLike | None = None, limit: LimitLike | None = None) -> Explanation:
        """Why the engine plays its move here, and what is wrong with `move`; see docs/analyse.md."""
        from cythera.explain.explanation import explain

        return explain(self, board, move, None if limit is None else limit_from(limit))

    def search_tree(self, board: BoardLike, limit: LimitLike, plies: int = 2) -> SearchTree:
        """The top of the tree of a search from an empty table: every node down to a ply, as searched.

        Of a search that a limit cuts short, it is the tree of the last finished iteration.
        """
        from cythera.explain.tree import record_tree

        return record_tree(self._session, position_from(board).copy(), ending_limit(limit), plies)
