"""A board to play on in a notebook (docs/position.md). It needs the extra `notebook`, which brings anywidget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from cythera.errors import CytheraError

if TYPE_CHECKING:
    from cythera.analyse.game_analysis import GameAnalysis
    from cythera.api import Analysis, Engine
    from cythera.engine.engine_base import BoardLike, LimitLike
    from cythera.engine.results import Line, Lines, Played
    from cythera.notebook.widget import BoardWidget

__all__ = ["board_widget"]


def board_widget(
    shown: BoardLike | GameAnalysis | Analysis | Lines | Line | Played | None = None,
    *,
    engine: Engine | None = None,
    side: Literal["w", "b"] | None = None,
    limit: LimitLike | None = None,
    flipped: bool = False,
    size: int = 360,
) -> BoardWidget:
    """A board with the moves that led to it, to play on in a notebook.

    It shows a position, a game that was analysed (with marks, graph and better lines) or what an engine answered.
    With an engine and a `side` for you it plays the other side; with an engine and no side it shows the best
    lines of every position; `limit` is for each of its searches.
    """
    try:
        import anywidget  # noqa: F401
    except ImportError:
        raise CytheraError("the notebook board needs anywidget: pip install 'cythera[notebook]'") from None
    from cythera.notebook.widget import BoardWidget

    return BoardWidget(shown, engine=engine, side=side, limit=limit, flipped=flipped, size=size)
