"""What an engine answers: lines of play, a move, and an analysis that can be watched."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from cythera.engine.handle import WAKE_UP_S
from cythera.errors import CytheraError

if TYPE_CHECKING:
    from collections.abc import Callable

    import chess
    from typing_extensions import Self

    from cythera.board.position import Position
    from cythera.board.scores import Score
    from cythera.engine.handle import Search
    from cythera.engine.search_run import Info

__all__ = ["AnalysisBase", "AsyncAnalysis", "Line", "Played"]


class Line:
    """A line of play and what the search thinks of it.

    `score` is from the side to move, `white_score` from White's. `moves` are UCI texts; `pv` are the
    same as `chess.Move`s, made when first asked for. `bound` is "exact", or "lower" or "upper" if the
    search was ended before it was sure. A position without legal moves has a line without moves.
    `position` is where the line begins; None in the results of a batch, which do not keep it.
    """

    __slots__ = (
        "_pv", "bound", "depth", "hashfull", "moves", "multipv", "nodes", "nps", "position", "score", "seldepth",
        "tbhits", "time_s", "turn", "wdl",
    )  # fmt: skip

    def __init__(self, info: Info, turn: str, position: Position | None = None) -> None:
        self.position = position
        self.moves: tuple[str, ...] = tuple(info.pv)
        self.score: Score = info.score
        self.turn = turn
        self.wdl: tuple[int, int, int] = info.score.wdl(info.ply)
        self.bound: str = info.bound
        self.depth: int = info.depth
        self.seldepth: int = info.seldepth
        self.multipv: int = info.multipv
        self.nodes: int = info.nodes
        self.nps: int = info.nps
        self.hashfull: int = info.hashfull
        self.tbhits: int = info.tbhits
        self.time_s: float = info.time_ms / 1000
        self._pv: list[chess.Move] | None = None

    @property
    def white_score(self) -> Score:
        return self.score.white(self.turn)

    @property
    def pv(self) -> list[chess.Move]:
        if self._pv is None:
            self._pv = [to_move(text) for text in self.moves]
        return self._pv

    @property
    def move(self) -> chess.Move | None:
        """The first move of the line, or None if there is none."""
        return self.pv[0] if self.moves else None

    def as_json(self) -> dict[str, object]:
        """The line as plain data, under the names it has here."""
        score = {"cp": self.score.cp} if self.score.cp is not None else {"mate": self.score.mate}
        return {
            "moves": " ".join(self.moves), "score": score, "wdl": list(self.wdl), "bound": self.bound,
            "depth": self.depth, "seldepth": self.seldepth, "multipv": self.multipv, "nodes": self.nodes,
            "nps": self.nps, "hashfull": self.hashfull, "tbhits": self.tbhits, "time_s": round(self.time_s, 4),
            "turn": self.turn,
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Line:
        """The line that `as_json` made the data of."""
        from cythera.board.scores import Score

        line = cls.__new__(cls)
        line.position = None
        line.moves = tuple(data["moves"].split())
        line.score = Score(**data["score"])
        line.wdl = (data["wdl"][0], data["wdl"][1], data["wdl"][2])
        for name in ("bound", "depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time_s", "turn"):
            setattr(line, name, data[name])
        line.tbhits = data.get("tbhits", 0)
        line._pv = None
        return line

    def san(self, board: chess.Board | None = None) -> list[str]:
        """The moves as people write them, from the position the line begins in; `board` is only needed where the
        line does not know it.

        >>> from cythera import Engine, Limit
        >>> with Engine(hash_mib=1) as engine:
        ...     engine.analyse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", Limit(depth=2)).san()
        ['Ra8#']
        """
        if board is None:
            if self.position is None:
                raise CytheraError("this line does not know its position: give a board to san()")
            position = self.position.copy()
            found = []
            for text in self.moves:
                found.append(position.san(text))
                position.push(text)
            return found
        board = board.copy(stack=False)
        return [board.san_and_push(board.parse_uci(text)) for text in self.moves]

    def _repr_html_(self) -> str | None:
        if self.position is None:
            return None
        from cythera.engine.lines_html import lines_html

        return lines_html(self.position, [self])

    def __repr__(self) -> str:
        return f"Line({self.score}, depth={self.depth}, nodes={self.nodes}, moves={' '.join(self.moves)!r})"


class Lines(list[Line]):
    """The lines of one position, best first: a list that a notebook shows with the board."""

    def __init__(self, lines: Iterable[Line] = (), position: Position | None = None) -> None:
        super().__init__(lines)
        self.position = position

    def _repr_html_(self) -> str | None:
        if self.position is None:
            return None
        from cythera.engine.lines_html import lines_html

        return lines_html(self.position, self)


class Played:
    """A move chosen by the engine in `position`. `uci` is its text, `line` what it was thinking (None from a book)."""

    __slots__ = ("line", "position", "uci")

    def __init__(self, uci: str, line: Line | None, position: Position) -> None:
        self.uci = uci
        self.line = line
        self.position = position

    @property
    def move(self) -> chess.Move:
        return to_move(self.uci)

    @property
    def san(self) -> str:
        return self.position.san(self.uci)

    @property
    def ponder(self) -> chess.Move | None:
        """The answer that the engine expects, if it does."""
        return to_move(self.line.moves[1]) if self.line is not None and len(self.line.moves) > 1 else None

    @property
    def score(self) -> Score | None:
        """From the side to move; None from a book."""
        return self.line.score if self.line is not None else None

    def __repr__(self) -> str:
        return f"Played({self.uci}{', ' + str(self.score) if self.line is not None else ', from the book'})"

    def _repr_html_(self) -> str:
        from cythera.engine.lines_html import move_html

        return move_html(self.position, self.uci, self.line)


def to_move(text: str) -> chess.Move:
    import chess

    return chess.Move.from_uci(text)


class AnalysisBase(Iterator[Line]):
    """A running search, to be iterated over; `cythera.Analysis`, which notebooks can show, says how."""

    def __init__(self, position: Position, start: Callable[[Callable[[Info], None]], Search]) -> None:
        self.position = position
        self._turn = turn = position.turn
        scores: list[Score] = []
        self._scores = scores  # of the best line, report by report
        self._lines = lines = [Line(info, turn, position) for info in game_over_infos(position)]
        # The search's thread fills the queue and must not hold the analysis itself.
        self._queue: SimpleQueue[Line | None] = SimpleQueue()
        put = self._queue.put

        def on_info(info: Info) -> None:
            line = Line(info, turn, position)
            lines[info.multipv - 1 : info.multipv] = [line]
            if info.multipv == 1:
                scores.append(info.score)
            put(line)

        self._search = start(on_info)
        self._search.outcome.when_done(lambda: put(None))

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Line:
        from queue import Empty

        while True:
            try:
                line = self._queue.get(timeout=WAKE_UP_S)
            except Empty:
                continue
            except BaseException:
                self.stop()
                raise
            if line is not None:
                return line
            self._queue.put(None)  # for the next call
            self._search.outcome.result()
            raise StopIteration

    @property
    def lines(self) -> list[Line]:
        """The best lines known so far, best first."""
        return Lines(self._lines, self.position)

    def stop(self) -> None:
        """Ends the search; what it has said can still be iterated over."""
        self._search.stop()

    def finished(self, timeout_s: float = 0.0) -> bool:
        """Whether the search has ended, waiting at most this long for it."""
        return self._search.outcome.done.wait(timeout_s)

    @property
    def scores(self) -> list[Score]:
        """The score of the best line at each report so far, from the side to move."""
        return list(self._scores)

    def wait(self) -> list[Line]:
        """Waits for the end and returns the lines, best first."""
        infos = self._search.wait()
        if infos:
            self._lines[:] = [Line(info, self._turn, self.position) for info in infos]
        return self.lines

    async def wait_async(self) -> None:
        """Waits for the end in a coroutine; cancelling stops the search."""
        await self._search.wait_async()

    def when_done(self, callback: Callable[[], object]) -> None:
        """Calls back when the search ends, in its thread; at once if it has ended."""
        self._search.outcome.when_done(callback)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()
        self._search.outcome.done.wait()


class AsyncAnalysis(AsyncIterator[Line]):
    """The asyncio twin of `Analysis`: `async with`, `async for`, `await analysis.wait()`."""

    def __init__(self, position: Position, start: Callable[[Callable[[Info], None]], Search]) -> None:
        import asyncio

        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[None] = asyncio.Queue()

        def notify() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(queue.put_nowait, None)

        def start_notifying(on_info: Callable[[Info], None]) -> Search:
            def on_info_and_notify(info: Info) -> None:
                on_info(info)
                notify()

            return start(on_info_and_notify)

        self._reports = queue  # one entry for each line in the queue of the analysis, and one for its end
        self._analysis = AnalysisBase(position, start_notifying)
        self._analysis.when_done(notify)

    def __aiter__(self) -> AsyncAnalysis:
        return self

    async def __anext__(self) -> Line:
        try:
            await self._reports.get()
        except BaseException:
            self.stop()
            raise
        # There is a line, or the end, in the queue: this does not block.
        try:
            return next(self._analysis)
        except StopIteration:
            self._reports.put_nowait(None)
            raise StopAsyncIteration from None
        except BaseException:
            self._reports.put_nowait(None)  # a second call gets the same answer instead of waiting
            raise

    @property
    def lines(self) -> list[Line]:
        return self._analysis.lines

    def stop(self) -> None:
        self._analysis.stop()

    async def wait(self) -> list[Line]:
        await self._analysis.wait_async()
        return self._analysis.wait()

    async def __aenter__(self) -> AsyncAnalysis:
        return self

    async def __aexit__(self, *exc: object) -> None:
        self.stop()
        await self._analysis.wait_async()


def game_over_infos(position: Position) -> list[Info]:
    """The one info of a position without legal moves: mated, or stalemate; else none."""
    if position.legal_moves():
        return []
    from cythera.core import MATE, SearchLine
    from cythera.engine.search_run import Info

    line = SearchLine([], -MATE if position.is_check() else 0, "exact", 0, 0)
    return [Info(line, 1, 0, 0.0, 0, position.game_ply)]
