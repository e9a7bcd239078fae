"""`EngineBase`: Cythera in process. No pipes, no other process: the search runs in a thread without the GIL.

The class that users see is `cythera.Engine` (cythera/api.py), which adds what other packages make of
searches. Here types are converted; what an engine does is in `Session`.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, overload

from cythera.board.position import Position, position_from
from cythera.board.scores import Score
from cythera.common.machine import available_cores
from cythera.engine.limits import Limit, ending_limit, limit_from
from cythera.engine.options import MAX_SKILL, find
from cythera.engine.results import AnalysisBase, AsyncAnalysis, Line, Lines, Played, game_over_infos
from cythera.engine.session import Session
from cythera.errors import GameOverError, OptionError, TableError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator

    import chess
    import chess.engine
    from typing_extensions import Self

    from cythera.core import Move
    from cythera.engine.batch import Batch
    from cythera.engine.handle import Search
    from cythera.engine.search_run import Info

    BoardLike = Position | chess.Board | str
    MoveLike = chess.Move | Move | str
    LimitLike = Limit | chess.engine.Limit
    Moves = Iterable[MoveLike] | None

__all__ = ["EngineBase"]


class EngineBase:
    """What an engine can do by itself; `cythera.Engine` says what the arguments mean."""

    def __init__(
        self,
        *,
        hash_mib: int = 16,
        threads: int = 1,
        eval_file: str = "builtin",
        elo: int | None = None,
        skill_level: int | None = None,
        book: str | None = None,
        syzygy_path: str = "",
        syzygy_builtin: bool = True,
        move_overhead_ms: int = 0,
        slow_mover: int = 100,
        seed: int = 0,
    ) -> None:
        self._batches: weakref.WeakSet[Batch] = weakref.WeakSet()
        self._session = session = Session(hash_mib=hash_mib, threads=threads, seed=seed)
        session.set_option("EvalFile", eval_file)
        session.set_option("Move Overhead", str(move_overhead_ms))
        session.set_option("Slow Mover", str(slow_mover))
        if book is not None:  # without one, a limited strength has a book of its own
            session.set_option("OwnBook", "true" if book else "false")
            session.set_option("Book File", book)
        session.set_option("SyzygyPath", syzygy_path)
        session.set_option("SyzygyBuiltin", "true" if syzygy_builtin else "false")
        if syzygy_path:
            session.tables.load()
            for problem in session.tables.take_problems():
                raise TableError(problem)
        self.limit_strength(elo=elo, skill_level=skill_level)

    # Options

    @property
    def hash_mib(self) -> int:
        """MiB of the transposition table; can be set."""
        return self._opened().searcher.hash_mib

    @hash_mib.setter
    def hash_mib(self, mib: int) -> None:
        self._session.set_option("Hash", str(mib))

    @property
    def threads(self) -> int:
        """Search threads; can be set."""
        return self._opened().searcher.threads

    @threads.setter
    def threads(self, count: int) -> None:
        self._session.set_option("Threads", str(count))

    @property
    def eval_file(self) -> str:
        """The evaluation: `builtin`, `classical` or the path of a net; can be set."""
        return self._session.options.text("EvalFile")

    @eval_file.setter
    def eval_file(self, eval_file: str) -> None:
        self._session.set_option("EvalFile", eval_file)

    def table_problems(self) -> list[str]:
        """Files of endgame tables found to be damaged since the last call, each with the reason; they are not used."""
        return self._opened().tables.take_problems()

    @property
    def elo(self) -> int | None:
        """The strength of `play`; None is full strength."""
        return self._session.elo

    def limit_strength(self, *, elo: int | None = None, skill_level: int | None = None) -> None:
        """Sets the strength of `play` by Elo or by Skill Level (0–20); neither is full strength."""
        if elo is not None and skill_level is not None:
            raise OptionError("strength can be limited by elo or by skill_level, not by both")
        if elo is not None:
            self._session.set_option("UCI_Elo", str(elo))
        self._session.set_option("Skill Level", str(MAX_SKILL if skill_level is None else skill_level))
        self._session.set_option("UCI_LimitStrength", "false" if elo is None else "true")

    def new_game(self) -> None:
        """Empties the table and the histories. A limited strength draws new random choices."""
        self._session.new_game()

    # Answers

    def play(self, board: BoardLike, limit: LimitLike, *, searchmoves: Moves = None) -> Played:
        """Chooses a move; raises GameOverError if there is none."""
        position = playable(board)
        played = self._book_move(position, searchmoves)
        if played is None:
            search = self._start(position, ending_limit(limit), 1, searchmoves, playing=True)
            played = choice(search.wait(), position)
        return played

    async def play_async(self, board: BoardLike, limit: LimitLike, *, searchmoves: Moves = None) -> Played:
        """`play` for asyncio; cancelling stops the search."""
        position = playable(board)
        played = self._book_move(position, searchmoves)
        if played is None:
            search = self._start(position, ending_limit(limit), 1, searchmoves, playing=True)
            played = choice(await search.wait_async(), position)
        return played

    @overload
    def analyse(self, board: BoardLike, limit: LimitLike, *, searchmoves: Moves = None) -> Line: ...
    @overload
    def analyse(self, board: BoardLike, limit: LimitLike, multipv: int, *, searchmoves: Moves = None) -> list[Line]: ...

    def analyse(
        self, board: BoardLike, limit: LimitLike, multipv: int | None = None, *, searchmoves: Moves = None
    ) -> Line | list[Line]:
        """The best line, at full strength; with `multipv`, a list of this many, best first."""
        position = position_from(board).copy()
        infos = self._start(position, ending_limit(limit), multipv, searchmoves).wait()
        return answer(infos, position, multipv)

    @overload
    async def analyse_async(self, board: BoardLike, limit: LimitLike, *, searchmoves: Moves = None) -> Line: ...
    @overload
    async def analyse_async(
        self, board: BoardLike, limit: LimitLike, multipv: int, *, searchmoves: Moves = None
    ) -> list[Line]: ...

    async def analyse_async(
        self, board: BoardLike, limit: LimitLike, multipv: int | None = None, *, searchmoves: Moves = None
    ) -> Line | list[Line]:
        """`analyse` for asyncio; cancelling stops the search."""
        position = position_from(board).copy()
        infos = await self._start(position, ending_limit(limit), multipv, searchmoves).wait_async()
        return answer(infos, position, multipv)

    def analysis(
        self, board: BoardLike, limit: LimitLike | None = None, multipv: int = 1, *, searchmoves: Moves = None
    ) -> AnalysisBase:
        """Starts a search and returns at once: iterate over its lines while it runs.

        Without a limit it runs until stopped; leaving its `with` block or dropping it does that.
        """
        return AnalysisBase(*self._running(board, limit, multipv, searchmoves))

    def analysis_async(
        self, board: BoardLike, limit: LimitLike | None = None, multipv: int = 1, *, searchmoves: Moves = None
    ) -> AsyncAnalysis:
        """`analysis` for asyncio: `async with`, `async for`. Called from a coroutine, not awaited."""
        return AsyncAnalysis(*self._running(board, limit, multipv, searchmoves))

    @overload
    def analyse_many(
        self, boards: Iterable[BoardLike], limit: LimitLike, *, workers: int | None = None, fresh: bool = True
    ) -> Iterator[Line]: ...
    @overload
    def analyse_many(
        self, boards: Iterable[BoardLike], limit: LimitLike, multipv: int, *, workers: int | None = None,
        fresh: bool = True,
    ) -> Iterator[list[Line]]: ...  # fmt: skip

    def analyse_many(
        self, boards: Iterable[BoardLike], limit: LimitLike, multipv: int | None = None, *,
        workers: int | None = None, fresh: bool = True,
    ) -> Iterator[Line] | Iterator[list[Line]]:  # fmt: skip
        """Analyses many positions, `workers` in parallel (all cores if not given), a thread each.

        Yields the best line of each position (with `multipv`, a list of lines), in the order of the
        input, which may be any iterable and is read only a little ahead. Results do not depend on
        the workers: with `fresh` each position has an empty table (the engine's size, or what the
        nodes of the limit can fill); without, every eight positions in a row share one, which is
        faster at few nodes and suits the positions of a game.
        """
        batch = self._start_batch(boards, limit, multipv, workers, fresh)
        return batch if multipv is not None else first_of_each(batch)

    @overload
    def analyse_many_async(
        self, boards: Iterable[BoardLike], limit: LimitLike, *, workers: int | None = None, fresh: bool = True
    ) -> AsyncIterator[Line]: ...
    @overload
    def analyse_many_async(
        self, boards: Iterable[BoardLike], limit: LimitLike, multipv: int, *, workers: int | None = None,
        fresh: bool = True,
    ) -> AsyncIterator[list[Line]]: ...  # fmt: skip

    async def analyse_many_async(
        self, boards: Iterable[BoardLike], limit: LimitLike, multipv: int | None = None, *,
        workers: int | None = None, fresh: bool = True,
    ) -> AsyncIterator[Line] | AsyncIterator[list[Line]]:  # fmt: skip
        """`analyse_many` for asyncio; the input is read in another thread."""
        import asyncio

        batch = self._start_batch(boards, limit, multipv, workers, fresh)
        try:
            while (lines := await asyncio.to_thread(next, batch, None)) is not None:
                yield lines[0] if multipv is None else lines
        finally:
            batch.close()

    def evaluate(self, board: BoardLike) -> Score:
        """The static evaluation from the side to move, without a search; rough where pieces hang."""
        return Score(cp=self._session.evaluate(position_from(board)))

    def stop(self) -> None:
        """Ends the running search, which then answers with what it has; nothing if there is none."""
        self._session.stop()

    def close(self) -> None:
        """Stops everything, waits for it and frees the memory. Closing again does nothing."""
        for batch in list(self._batches):
            batch.close()
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: object) -> str:
        raise TypeError("an Engine cannot be copied or pickled; make another one with the same arguments")

    def __repr__(self) -> str:
        if self._session.closed:
            return "Engine(closed)"
        strength = f", elo={self.elo}" if self.elo is not None else ""
        return f"Engine(hash_mib={self.hash_mib}, threads={self.threads}{strength})"

    def _opened(self) -> Session:
        self._session.check_open()
        return self._session

    def _book_move(self, position: Position, searchmoves: object) -> Played | None:
        if searchmoves is not None:
            return None
        move = self._opened().book_move(position, Limit().go())
        return Played(move, None, position) if move else None

    def _start(
        self, position: Position, limit: Limit, multipv: int | None, searchmoves: Moves,
        on_info: Callable[[Info], None] | None = None, playing: bool = False,
    ) -> Search:  # fmt: skip
        """Starts a search; the engine is busy until it ends."""
        moves = None if searchmoves is None else [position.parse_move(move).uci() for move in searchmoves]
        go = limit.go(searchmoves=moves or None)
        lines = checked("MultiPV", 1 if multipv is None else multipv)
        return self._opened().start(position, go, multipv=lines, full_strength=not playing, on_info=on_info)

    def _running(
        self, board: BoardLike, limit: LimitLike | None, multipv: int, searchmoves: Moves
    ) -> tuple[Position, Callable[[Callable[[Info], None]], Search]]:
        """What an analysis is made of: the position, and how to start the search of it with a listener."""
        position = position_from(board).copy()
        wanted = Limit() if limit is None else limit_from(limit)
        return position, lambda on_info: self._start(position, wanted, multipv, searchmoves, on_info)

    def _start_batch(
        self, boards: Iterable[BoardLike], limit: LimitLike, multipv: int | None, workers: int | None, fresh: bool
    ) -> Batch:
        from cythera.engine.batch import Batch

        self._opened().tables.load()  # before the workers use them together
        batch = Batch(
            boards,
            ending_limit(limit),
            workers=available_cores() if workers is None else checked("Threads", workers),
            hash_mib=self.hash_mib,
            multipv=checked("MultiPV", 1 if multipv is None else multipv),
            fresh=fresh,
            eval_file=self.eval_file,
            prepare=self._session.tables.use,
        )
        self._batches.add(batch)
        return batch


def checked(option: str, value: int) -> int:
    """The value if the UCI option of that name can have it; raises OptionError."""
    number = find(option).parse(str(value))
    assert isinstance(number, int)
    return number


def playable(board: BoardLike) -> Position:
    """A copy of a position in which a move can be played."""
    position = position_from(board).copy()
    if not position.legal_moves():
        raise GameOverError(f"there is no move: {'checkmate' if position.is_check() else 'stalemate'}")
    return position


def choice(infos: list[Info], position: Position) -> Played:
    line = Line(infos[0], position.turn, position)
    return Played(line.moves[0], line, position)


def answer(infos: list[Info], position: Position, multipv: int | None) -> Line | list[Line]:
    lines = [Line(info, position.turn, position) for info in infos or game_over_infos(position)]
    return lines[0] if multipv is None else Lines(lines, position)


def first_of_each(batch: Batch) -> Iterator[Line]:
    try:
        for lines in batch:
            yield lines[0]
    finally:
        batch.close()
