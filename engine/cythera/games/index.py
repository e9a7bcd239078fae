"""Building an index of games: who played, what was played, and the moves of every position of the openings.

Games are read once. The moves go straight to the file; occurrences of positions are sorted into 256 parts by their key,
on disk where they are many, and counted part by part: so memory does not grow with the positions.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cythera.core import PgnBlock, pack_fens
from cythera.errors import CytheraError
from cythera.games.game import Game
from cythera.games.index_file import ENTRY, NO_GAME, IndexFileError, SectionWriter
from cythera.games.opening_names import opening_keys
from cythera.games.reader import GameReader, Problem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEPTH = 40  # half-moves whose positions are in the explorer table
PARTS = 256
BOARD_BYTES = 112  # of a position a game starts from
BATCH = 4_000_000  # occurrences kept in memory
STANDARD_INPUT = "-"


class IndexMade(NamedTuple):
    """What became of the games."""

    games: int
    bad_games: int
    plies: int
    positions: int  # in the explorer table


class Names:
    """Strings with numbers, kept once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def write(self, writer: SectionWriter, name: str) -> None:
        import numpy as np

        texts = [text.encode("utf-8", "replace") for text in self.numbers]
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        writer.append(f"{name}_ends", ends)
        writer.append(f"{name}_text", np.frombuffer(b"".join(texts) or b"\0", np.uint8))


class Occurrences:
    """(position, move, game) triples in parts by key, in memory up to a batch and then on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pending: list[tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.uint32]]] = []
        self.count = 0

    def add(self, keys: NDArray[np.uint64], moves: NDArray[np.uint16], games: NDArray[np.uint32]) -> None:
        self.pending.append((keys, moves, games))
        self.count += len(keys)
        if self.count >= BATCH:
            self.flush()

    def flush(self) -> None:
        import numpy as np

        if not self.pending:
            return
        records = np.empty(self.count, [("key", "<u8"), ("game", "<u4"), ("move", "<u2")])
        records["key"] = np.concatenate([keys for keys, _, _ in self.pending])
        records["move"] = np.concatenate([moves for _, moves, _ in self.pending])
        records["game"] = np.concatenate([games for _, _, games in self.pending])
        self.pending, self.count = [], 0
        part = (records["key"] >> np.uint64(56)).astype(np.uint8)
        records = records[np.argsort(part, kind="stable")]
        ends = np.cumsum(np.bincount(part, minlength=PARTS))
        for number in range(PARTS):
            piece = records[ends[number - 1] if number else 0 : ends[number]]
            if len(piece):
                with open(self.folder / f"part{number}", "ab") as file:
                    piece.tofile(file)

    def parts(self) -> Iterable[NDArray[Any]]:
        import numpy as np

        self.flush()
        for number in range(PARTS):
            path = self.folder / f"part{number}"
            if path.exists():
                yield np.fromfile(path, [("key", "<u8"), ("game", "<u4"), ("move", "<u2")])
                path.unlink()


def build_index(
    sources: Iterable[object],
    output: str | Path,
    *,
    depth: int = DEPTH,
    workers: int = 1,
    on_problem: Callable[[Problem], object] | None = None,
    on_progress: Callable[[int], object] | None = None,
) -> IndexMade:
    """Reads games and writes their index. `on_progress` is told the number of games read so far."""
    if not 1 <= depth <= 500:
        raise CytheraError(f"the depth must be between 1 and 500, got {depth}")
    paths = [full_path(str(source)) for source in sources]
    reader = GameReader(paths, mode="moves", workers=workers, on_problem=on_problem)
    writer = SectionWriter(Path(output))
    try:
        return Builder(reader, writer, depth, paths).build(on_progress)
    except OSError as error:  # reading raises a PgnError
        raise IndexFileError(f"cannot write {output}: {error.strerror or error}") from error
    finally:
        writer.close()


def index_path(games: str | Path) -> Path:
    """Where the index of a PGN file is kept if nothing else is said: beside it."""
    return Path(games).with_suffix(".cyi")


def full_path(source: str) -> str:
    """The name a file has from any folder: games are read from it when they are asked for."""
    return source if source == STANDARD_INPUT else os.path.abspath(os.path.expanduser(source))  # noqa: PTH100, PTH111


class Builder:
    def __init__(self, reader: GameReader, writer: SectionWriter, depth: int, sources: list[str]) -> None:
        import numpy as np

        self.np = np
        self.reader = reader
        self.writer = writer
        self.depth = depth
        self.sources = sources
        self.occurrences = Occurrences(writer.folder)
        self.players, self.events = Names(), Names()
        self.columns: dict[str, list[NDArray[Any]]] = {}
        self.named_keys, self.named_numbers = opening_keys()
        self.games = self.plies = self.boards = 0

    def build(self, on_progress: Callable[[int], object] | None) -> IndexMade:
        np = self.np
        for source_number, source in enumerate(self.sources):
            single = GameReader([source], mode="moves", workers=self.reader.workers, on_problem=self.reader.on_problem)
            for block in single.blocks():
                self.add_block(block, source_number)
                if on_progress is not None:
                    on_progress(self.games)
            self.reader.bad_games += single.bad_games
        if not self.games:
            raise CytheraError(f"there is no game in {', '.join(self.sources)}")
        writer = self.writer
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(self.columns.pop("plies")))])
        writer.append("offsets", offsets)
        if not self.boards:
            writer.append("boards", np.zeros(0, np.uint8))
        joined = {name: np.concatenate(parts) for name, parts in self.columns.items()}
        self.columns.clear()
        for name, column in joined.items():
            writer.append(name, column)
        self.players.write(writer, "players")
        self.events.write(writer, "events")
        positions = self.count_positions(joined["results"], joined["ratings"].reshape(-1, 2))
        writer.finish({"games": self.games, "depth": self.depth, "files": self.sources})
        return IndexMade(self.games, self.reader.bad_games, self.plies, positions)

    def add_block(self, block: PgnBlock, source_number: int) -> None:
        from cythera.games.columns import block_columns, block_keys

        np = self.np
        arrays = block_columns(block)
        count = len(arrays.results)
        if not count:
            return
        all_keys = block_keys(block)
        lengths = np.diff(arrays.offsets)
        self.writer.append("moves", arrays.moves)
        self.note_headers(block, count)
        columns = {
            "plies": lengths, "results": arrays.results, "ratings": arrays.ratings.reshape(-1), "places": arrays.places,
            "sources": np.full(count, source_number, np.uint16),
        }  # fmt: skip
        # Half-moves 0 to depth - 1 of each game: the position before the move, the move, the game.
        game_of = np.repeat(np.arange(count), lengths)
        ply_of = np.arange(len(arrays.moves)) - np.repeat(arrays.offsets[:-1], lengths)
        early = ply_of < self.depth
        game_of, at = game_of[early], np.flatnonzero(early)
        self.occurrences.add(all_keys[at + game_of], arrays.moves[at], (game_of + self.games).astype(np.uint32))
        columns["openings"] = self.openings_of(all_keys, arrays.offsets, count)
        for name, column in columns.items():
            self.columns.setdefault(name, []).append(column)
        self.games += count
        self.plies += len(arrays.moves)

    def openings_of(self, keys: NDArray[np.uint64], offsets: NDArray[np.int64], count: int) -> NDArray[np.uint16]:
        """The number of each game's opening, that of its last position with a name; 0 without."""
        np = self.np
        found: NDArray[Any] = np.zeros(count, np.uint16)
        starts = offsets[:-1] + np.arange(count)
        lengths = np.minimum(np.diff(offsets) + 1, self.depth + 1)
        game_of = np.repeat(np.arange(count), lengths)
        at = np.arange(len(game_of)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + starts[game_of]
        places = np.searchsorted(self.named_keys, keys[at])
        places[places == len(self.named_keys)] = 0
        hits = self.named_keys[places] == keys[at]
        found[game_of[hits]] = self.named_numbers[places[hits]]  # the last one of a game stays
        return found

    def note_headers(self, block: PgnBlock, count: int) -> None:
        np = self.np
        white, black = np.empty(count, np.uint32), np.empty(count, np.uint32)
        events, dates = np.empty(count, np.uint32), np.zeros(count, np.int32)
        starts, ecos = np.full(count, -1, np.int32), np.zeros(count, np.uint16)
        for number, game in enumerate(Game.of_block(block)):
            headers = game.headers
            get = headers.get
            white[number] = self.players.number(get("White", "?"))
            black[number] = self.players.number(get("Black", "?"))
            events[number] = self.events.number(get("Event", "?"))
            dates[number] = date_number(get("Date", "") or get("UTCDate", ""))
            ecos[number] = eco_number(get("ECO", ""))
            if "FEN" in headers or game.chess960:
                starts[number] = self.add_board(game)
        for name, column in (("white", white), ("black", black), ("events", events), ("dates", dates),
                             ("starts", starts), ("ecos", ecos)):  # fmt: skip
            self.columns.setdefault(name, []).append(column)

    def add_board(self, game: Game) -> int:
        board = self.np.zeros(BOARD_BYTES, self.np.uint8)
        pack_fens([game.position(0).fen(shredder=game.chess960)], board, chess960=game.chess960)
        self.writer.append("boards", board)
        self.boards += 1
        return self.boards - 1

    def count_positions(self, results: NDArray[np.int8], ratings: NDArray[np.int16]) -> int:
        """Counts the occurrences of each position and move; writes the table of the explorer."""
        np = self.np
        known = (ratings > 0).sum(axis=1)
        means = np.where(known > 0, ratings.sum(axis=1, dtype=np.int32) // np.maximum(known, 1), 0).astype(np.int32)
        positions = entries = 0
        self.writer.append("positions_first", np.zeros(1, np.int64))
        for part in self.occurrences.parts():
            part = part[np.lexsort((part["game"], part["move"], part["key"]))]
            same = (part["key"][1:] == part["key"][:-1]) & (part["move"][1:] == part["move"][:-1])
            twice = same & (part["game"][1:] == part["game"][:-1])
            part = part[np.concatenate([[True], ~twice])]
            # A position of one game is kept as such, in 14 bytes; others have entries.
            first = np.flatnonzero(np.concatenate([[True], part["key"][1:] != part["key"][:-1]]))
            lengths = np.diff(np.concatenate([first, [len(part)]]))
            alone = np.repeat(lengths == 1, lengths)
            self.writer.append("single_keys", part["key"][alone])
            self.writer.append("single_games", part["game"][alone])
            self.writer.append("single_moves", part["move"][alone])
            positions += len(first)
            entries += self.write_entries(part[~alone], results, means, entries)
        return positions

    def write_entries(
        self, part: NDArray[Any], results: NDArray[np.int8], means: NDArray[np.int32], before: int
    ) -> int:
        np = self.np
        if not len(part):
            return 0
        ratings = means[part["game"]]
        order = np.lexsort((-ratings, part["move"], part["key"]))
        part, ratings = part[order], ratings[order]
        changes = (part["key"][1:] != part["key"][:-1]) | (part["move"][1:] != part["move"][:-1])
        first = np.flatnonzero(np.concatenate([[True], changes]))
        lengths = np.diff(np.concatenate([first, [len(part)]]))
        entry = np.empty(len(first), ENTRY)
        entry["move"] = part["move"][first]
        outcome = results[part["game"]]
        for name, value in (("white", 2), ("draws", 1), ("black", 0), ("unknown", -1)):
            entry[name] = np.add.reduceat((outcome == value).astype(np.uint32), first)
        rated = np.add.reduceat((ratings > 0).astype(np.int64), first)
        entry["rating"] = np.add.reduceat(ratings.astype(np.int64), first) // np.maximum(rated, 1)
        for number in range(3):
            places = np.minimum(first + number, len(part) - 1)
            entry["samples"][:, number] = np.where(lengths > number, part["game"][places], NO_GAME)
        keys = part["key"][first]
        starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        self.writer.append("positions", keys[starts])
        self.writer.append("positions_first", np.concatenate([starts[1:], [len(keys)]]).astype(np.int64) + before)
        self.writer.append("entries", entry)
        return len(entry)


def date_number(text: str) -> int:
    """A PGN date as a number, year * 10000 + month * 100 + day; 0 for what is not told.

    >>> date_number("1994.10.??"), date_number("?")
    (19941000, 0)
    """
    parts = [int(part) if part.isascii() and part.isdigit() else 0 for part in text.split(".")[:3]]
    year, month, day = [*parts, 0, 0, 0][:3]
    return year * 10000 + min(month, 12) * 100 + min(day, 31) if 0 < year <= 9999 else 0


def eco_number(text: str) -> int:
    """An ECO code as a number, A00 being 1; 0 for what is none.

    >>> eco_number("A00"), eco_number("B12"), eco_number("?")
    (1, 113, 0)
    """
    if len(text) < 3 or text[0] not in "ABCDE" or not (text[1:3].isascii() and text[1:3].isdigit()):
        return 0
    return "ABCDE".index(text[0]) * 100 + int(text[1:3]) + 1


def eco_text(number: int) -> str:
    return f"{'ABCDE'[(number - 1) // 100]}{(number - 1) % 100:02}" if number else ""
