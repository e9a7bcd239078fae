"""`Engine`: Cythera in process. No pipes, no other process: the search runs in a thread without the GIL."""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING, overload

from cythera.board.position import Position, position_from
from cythera.board.scores import Score
from cythera.engine.handle import Search
from cythera.engine.limits import Limit, LimitError, limit_from
from cythera.engine.options import OptionError, affordable_hash, affordable_threads, find
from cythera.engine.results import Analysis, AsyncAnalysis, Line, Played, game_over_infos
from cythera.engine.search_run import Info, Thinking
from cythera.errors import CytheraError
from cythera.net.load import net_for, new_searcher

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator

    import chess
    import chess.engine
    import chess.pgn

    from cythera.analyse.game import GameAnalysis
    from cythera.core import Move, Searcher
    from cythera.engine.batch import Batch
    from cythera.engine.limits import Go
    from cythera.explain.explanation import Explanation
    from cythera.explain.tree import SearchTree

    BoardLike = Position | chess.Board | str
    MoveLike = chess.Move | Move | str
    LimitLike = Limit | chess.engine.Limit

__all__ = ["Engine", "EngineBusyError", "EngineClosedError", "GameOverError"]


class EngineBusyError(CytheraError, RuntimeError):
    """The engine is thinking, and thinks about one thing at a time."""


class EngineClosedError(CytheraError, RuntimeError):
    """The engine was closed."""


class GameOverError(CytheraError, ValueError):
    """A move was asked for where there is none."""


class Engine:
    """A chess engine. Boards are `Position`s, `chess.Board`s (history included) or FENs.

    Options are keywords: `hash_mib` of transposition table, `threads`; `eval_file` is `<default>`,
    `<classical>` or the path of a net; `elo` or `skill_level` limit
    the strength of `play` (see docs/levels.md), with chance drawn from `seed`; `book` is a Polyglot
    book to play from. An engine thinks about one thing at a time, and several engines can live side
    by side. Ctrl-C ends a search and is raised as usual; the engine can be used again.

    >>> with Engine(hash_mib=4) as engine:
    ...     mate = engine.analyse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", Limit(depth=4))
    >>> mate.score, mate.moves
    (Score(mate=1), ('a1a8',))
    """

    def __init__(
        self,
        *,
        hash_mib: int = 16,
        threads: int = 1,
        eval_file: str = "<default>",
        elo: int | None = None,
        skill_level: int | None = None,
        book: str | None = None,
        move_overhead_ms: int = 0,
        slow_mover: int = 100,
        seed: int = 0,
    ) -> None:
        self._thinking = threading.Lock()  # held while a search runs
        self._search: weakref.ref[Search] | None = None
        self._batches: weakref.WeakSet[Batch] = weakref.WeakSet()
        self._closed = False
        checked("Hash", hash_mib)
        self._eval_file = eval_file
        self._searcher = new_searcher(
            affordable_hash(hash_mib), affordable_threads(checked("Threads", threads)), eval_file
        )
        self._limited: Searcher | None = None
        self._elo: int | None = None
        self._overhead_ms = checked("Move Overhead", move_overhead_ms)
        self._slow_mover = checked("Slow Mover", slow_mover)
        self._seed = seed
        self._games = 0
        self._book = book
        self.limit_strength(elo=elo, skill_level=skill_level)
        if book is not None:
            from cythera.engine.book import open_book

            open_book(book)

    # Options

    @property
    def hash_mib(self) -> int:
        """MiB of the transposition table; can be set."""
        self._check_open()
        return self._searcher.hash_mib

    @hash_mib.setter
    def hash_mib(self, mib: int) -> None:
        checked("Hash", mib)
        with self._idle():
            try:
                self._searcher.set_hash(affordable_hash(mib))
            except MemoryError as error:
                raise OptionError(str(error)) from None

    @property
    def threads(self) -> int:
        """Search threads; can be set."""
        self._check_open()
        return self._searcher.threads

    @threads.setter
    def threads(self, count: int) -> None:
        affordable_threads(checked("Threads", count))
        with self._idle():
            self._searcher.set_threads(count)

    @property
    def eval_file(self) -> str:
        """The evaluation: `<default>`, `<classical>` or the path of a net; can be set."""
        return self._eval_file

    @eval_file.setter
    def eval_file(self, eval_file: str) -> None:
        net = net_for(eval_file)
        with self._idle():
            self._searcher.set_net(net)
            self._eval_file = eval_file

    @property
    def elo(self) -> int | None:
        """The strength of `play`; None is full strength."""
        return self._elo

    def limit_strength(self, *, elo: int | None = None, skill_level: int | None = None) -> None:
        """Sets the strength of `play` by Elo or by Skill Level (0–20); neither is full strength."""
        if elo is not None and skill_level is not None:
            raise OptionError("strength is limited by elo or by skill_level, not by both")
        if elo is None and skill_level is None:
            self._elo = None
            return
        from cythera.engine.levels import elo_of_skill, level_of

        wanted = elo if elo is not None else elo_of_skill(skill_level or 0)
        self._elo = None if level_of(wanted) is None else wanted

    def new_game(self) -> None:
        """Forgets what earlier searches learned. A limited strength draws its chances anew."""
        with self._idle():
            self._searcher.clear()
            self._games += 1

    # Answers

    def play(self, board: BoardLike, limit: LimitLike, *, searchmoves: Iterable[MoveLike] | None = None) -> Played:
        """Chooses a move; raises GameOverError if there is none."""
        position = playable(board)
        played = self._book_move(position, searchmoves)
        return played or choice(self._start_playing(position, limit, searchmoves).wait(), position)

    async def play_async(
        self, board: BoardLike, limit: LimitLike, *, searchmoves: Iterable[MoveLike] | None = None
    ) -> Played:
        """`play` for asyncio; cancelling stops the search."""
        position = playable(board)
        played = self._book_move(position, searchmoves)
        return played or choice(await self._start_playing(position, limit, searchmoves).wait_async(), position)

    @overload
    def analyse(
        self, board: BoardLike, limit: LimitLike, *, searchmoves: Iterable[MoveLike] | None = None
    ) -> Line: ...

    @overload
    def analyse(
        self, board: BoardLike, limit: LimitLike, multipv: int, *, searchmoves: Iterable[MoveLike] | None = None
    ) -> list[Line]: ...

    def analyse(
        self,
        board: BoardLike,
        limit: LimitLike,
        multipv: int | None = None,
        *,
        searchmoves: Iterable[MoveLike] | None = None,
    ) -> Line | list[Line]:
        """The best line, at full strength; with `multipv`, a list of so many, best first."""
        position = position_from(board).copy()
        infos = self._start(position, ending(limit), multipv or 1, searchmoves).wait()
        return answer(infos, position, multipv)

    @overload
    async def analyse_async(
        self, board: BoardLike, limit: LimitLike, *, searchmoves: Iterable[MoveLike] | None = None
    ) -> Line: ...

    @overload
    async def analyse_async(
        self, board: BoardLike, limit: LimitLike, multipv: int, *, searchmoves: Iterable[MoveLike] | None = None
    ) -> list[Line]: ...

    async def analyse_async(
        self,
        board: BoardLike,
        limit: LimitLike,
        multipv: int | None = None,
        *,
        searchmoves: Iterable[MoveLike] | None = None,
    ) -> Line | list[Line]:
        """`analyse` for asyncio; cancelling stops the search."""
        position = position_from(board).copy()
        infos = await self._start(position, ending(limit), multipv or 1, searchmoves).wait_async()
        return answer(infos, position, multipv)

    def analysis(
        self,
        board: BoardLike,
        limit: LimitLike | None = None,
        multipv: int = 1,
        *,
        searchmoves: Iterable[MoveLike] | None = None,
    ) -> Analysis:
        """Starts a search and returns at once: iterate over its lines while it thinks.

        Without a limit it thinks until stopped; leaving its `with` block or dropping it does that.
        """
        position = position_from(board).copy()
        wanted = Limit() if limit is None else limit_from(limit)
        return Analysis(position, lambda hear: self._start(position, wanted, multipv, searchmoves, hear))

    def analysis_async(
        self,
        board: BoardLike,
        limit: LimitLike | None = None,
        multipv: int = 1,
        *,
        searchmoves: Iterable[MoveLike] | None = None,
    ) -> AsyncAnalysis:
        """`analysis` for asyncio: `async with`, `async for`. Called from a coroutine, not awaited."""
        position = position_from(board).copy()
        wanted = Limit() if limit is None else limit_from(limit)
        return AsyncAnalysis(position, lambda hear: self._start(position, wanted, multipv, searchmoves, hear))

    @overload
    def analyse_many(
        self, boards: Iterable[BoardLike], limit: LimitLike, *, workers: int | None = None, fresh: bool = True
    ) -> Iterator[Line]: ...

    @overload
    def analyse_many(
        self,
        boards: Iterable[BoardLike],
        limit: LimitLike,
        multipv: int,
        *,
        workers: int | None = None,
        fresh: bool = True,
    ) -> Iterator[list[Line]]: ...

    def analyse_many(
        self,
        boards: Iterable[BoardLike],
        limit: LimitLike,
        multipv: int | None = None,
        *,
        workers: int | None = None,
        fresh: bool = True,
    ) -> Iterator[Line] | Iterator[list[Line]]:
        """Analyses many positions, `workers` at a time (all cores if not given), a thread each.

        Yields the best line of each position (with `multipv`, a list of lines), in the order of the
        input, which may be any iterable and is taken only a little ahead. Results do not depend on
        the workers: with `fresh` each position has an empty table (the engine's size, or what the
        nodes of the limit can fill); without, every eight positions in a row share one, which is
        quicker at few nodes and suits the positions of a game.
        """
        batch = self._start_batch(boards, limit, multipv or 1, workers, fresh)
        return batch if multipv is not None else first_of_each(batch)

    @overload
    def analyse_many_async(
        self, boards: Iterable[BoardLike], limit: LimitLike, *, workers: int | None = None, fresh: bool = True
    ) -> AsyncIterator[Line]: ...

    @overload
    def analyse_many_async(
        self,
        boards: Iterable[BoardLike],
        limit: LimitLike,
        multipv: int,
        *,
        workers: int | None = None,
        fresh: bool = True,
    ) -> AsyncIterator[list[Line]]: ...

    async def analyse_many_async(
        self,
        boards: Iterable[BoardLike],
        limit: LimitLike,
        multipv: int | None = None,
        *,
        workers: int | None = None,
        fresh: bool = True,
    ) -> AsyncIterator[Line] | AsyncIterator[list[Line]]:
        """`analyse_many` for asyncio; the input is taken in another thread."""
        import asyncio

        batch = self._start_batch(boards, limit, multipv or 1, workers, fresh)
        try:
            while (lines := await asyncio.to_thread(next, batch, None)) is not None:
                yield lines[0] if multipv is None else lines
        finally:
            batch.close()

    def analyse_game(
        self, game: chess.pgn.Game | str, limit: LimitLike, multipv: int = 1, *, workers: int | None = None
    ) -> GameAnalysis:
        """Judges every move of a game: a `chess.pgn.Game`, or the text of one in PGN.

        The limit is for each position. With nodes or depth the result is that of `cythera analyse`.
        """
        from cythera.analyse.game import analyse_game

        return analyse_game(self, game, limit_from(limit), multipv, workers)

    def explain(self, board: BoardLike, move: MoveLike | None = None, limit: LimitLike | None = None) -> Explanation:
        """Why the engine plays its move here, and what is wrong with `move`; see docs/analysis.md."""
        from cythera.explain.explanation import explain

        return explain(self, board, move, None if limit is None else limit_from(limit))

    def search_tree(self, board: BoardLike, limit: LimitLike, plies: int = 2) -> SearchTree:
        """The top of the tree of a search from an empty table: every node down to a ply, as searched.

        Of a search that a limit cuts short, it is the tree of the last iteration that was finished.
        """
        from cythera.explain.tree import record_tree

        def run(thinking: Thinking) -> list[Info]:
            search = Search(thinking, lambda: None)  # we are still busy when it ends: the tree has to be read
            self._search = weakref.ref(search)
            search.start()
            return search.wait()

        position = position_from(board).copy()
        with self._idle():
            return record_tree(self._searcher, position, ending(limit), plies, run)

    def evaluate(self, board: BoardLike) -> Score:
        """The static evaluation from the side to move, without a search; rough where pieces hang."""
        position = position_from(board)
        with self._idle():
            return Score(cp=self._searcher.evaluate(position))

    def stop(self) -> None:
        """Ends the running search, which then answers with what it has; nothing if there is none."""
        search = self._search() if self._search is not None else None
        if search is not None:
            search.stop()

    def close(self) -> None:
        """Stops everything, waits for it and gives back the memory. Closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        for batch in list(self._batches):
            batch.close()
        self.stop()
        with self._thinking:
            self._searcher = self._limited = None  # type: ignore[assignment]

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._closed:
            return "Engine(closed)"
        strength = f", elo={self._elo}" if self._elo is not None else ""
        return f"Engine(hash_mib={self.hash_mib}, threads={self.threads}{strength})"

    # Below the surface

    def _check_open(self) -> None:
        if self._closed:
            raise EngineClosedError("the engine is closed; make a new one")

    def _idle(self) -> Held:
        """A `with` block in which no search runs; raises EngineBusyError instead of waiting."""
        self._check_open()
        if not self._thinking.acquire(blocking=False):
            raise EngineBusyError("the engine is thinking; stop it first, or use another Engine")
        return Held(self._thinking)

    def _book_move(self, position: Position, searchmoves: object) -> Played | None:
        self._check_open()
        if self._book is None or searchmoves is not None:
            return None
        from cythera.engine.book import pick_move

        move = pick_move(self._book, position)
        return Played(move, None) if move else None

    def _start_playing(self, position: Position, limit: LimitLike, searchmoves: Iterable[MoveLike] | None) -> Search:
        return self._start(position, ending(limit), 1, searchmoves, playing=True)

    def _start(
        self,
        position: Position,
        limit: Limit,
        multipv: int,
        searchmoves: Iterable[MoveLike] | None,
        on_info: Callable[[Info], None] | None = None,
        playing: bool = False,
    ) -> Search:
        """Begins a search; the engine is busy until it ends."""
        checked("MultiPV", multipv)
        moves = None if searchmoves is None else [position.parse_move(move).uci() for move in searchmoves]
        held = self._idle()
        try:
            go = limit.go(searchmoves=moves or None)
            thinking = self._limited_thinking(position, go, on_info) if playing and self._elo is not None else None
            if thinking is None:
                thinking = Thinking(
                    self._searcher,
                    position,
                    go,
                    multipv=multipv,
                    overhead_ms=self._overhead_ms,
                    slow_mover=self._slow_mover,
                    on_info=on_info,
                )
            search = Search(thinking, held.release)
        except BaseException:
            held.release()
            raise
        self._search = weakref.ref(search)  # before it runs, so that no stop goes past it
        search.start()
        return search

    def _limited_thinking(self, position: Position, go: Go, on_info: Callable[[Info], None] | None) -> Thinking | None:
        from cythera.engine.levels import LimitedThinking, level_of, level_searcher

        level = level_of(self._elo) if self._elo is not None else None
        if level is None:
            return None
        if self._limited is None:
            self._limited = level_searcher()
        return LimitedThinking(
            self._limited,
            position,
            go,
            level,
            f"{self._seed}.{self._games}" if self._games else self._seed,
            overhead_ms=self._overhead_ms,
            slow_mover=self._slow_mover,
            on_info=on_info,
        )

    def _start_batch(
        self, boards: Iterable[BoardLike], limit: LimitLike, multipv: int, workers: int | None, fresh: bool
    ) -> Batch:
        from cythera.engine.batch import Batch

        self._check_open()
        count = available_cores() if workers is None else checked("Threads", workers)
        checked("MultiPV", multipv)
        batch = Batch(
            boards,
            ending(limit),
            workers=count,
            hash_mib=self.hash_mib,
            multipv=multipv,
            fresh=fresh,
            eval_file=self._eval_file,
        )
        self._batches.add(batch)
        return batch


class Held:
    """A lock that is held; released by leaving the `with` block or by `release`, from any thread."""

    __slots__ = ("lock",)

    def __init__(self, lock: threading.Lock) -> None:
        self.lock = lock

    def release(self) -> None:
        self.lock.release()

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: object) -> None:
        self.lock.release()


def checked(option: str, value: int) -> int:
    """The value if the UCI option of that name can have it; raises OptionError."""
    number = find(option).parse(str(value))
    assert isinstance(number, int)
    return number


def available_cores() -> int:
    import os

    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def playable(board: BoardLike) -> Position:
    position = position_from(board).copy()
    if not position.legal_moves():
        raise GameOverError(f"there is no move: {'checkmate' if position.is_check() else 'stalemate'}")
    return position


def ending(limit: LimitLike) -> Limit:
    """The limit, if it ends a search at all; raises LimitError."""
    wanted = limit_from(limit)
    if wanted.unlimited:
        raise LimitError("nothing would end this search; give a time, nodes, a depth, a mate or clocks")
    return wanted


def choice(infos: list[Info], position: Position) -> Played:
    line = Line(infos[0], position.turn)
    return Played(line.moves[0], line)


def answer(infos: list[Info], position: Position, multipv: int | None) -> Line | list[Line]:
    lines = [Line(info, position.turn) for info in infos or game_over_infos(position)]
    return lines[0] if multipv is None else lines


def first_of_each(batch: Batch) -> Iterator[Line]:
    try:
        for lines in batch:
            yield lines[0]
    finally:
        batch.close()
