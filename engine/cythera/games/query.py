"""Asking an index of games: explore a position, find games, count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cythera.board.opening_table import opening_lines
from cythera.board.position import Position, position_from
from cythera.common.machine import available_cores
from cythera.core import Board, MoveStore, PgnBlock, uci_of_move_word
from cythera.errors import CytheraError
from cythera.games.game import Game
from cythera.games.index import STANDARD_INPUT, build_index, eco_number, eco_text, full_path, index_path
from cythera.games.index_file import NO_GAME, IndexFileError, is_index, open_sections
from cythera.games.opening_names import named_positions, opening_name
from cythera.games.reader import Problem
from cythera.games.source import streams

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESULTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0, "*": -1}
RESULT_TEXTS = {number: text for text, number in RESULTS.items()}
SHARE = 20_000  # games a thread plays through at a time
SAMPLES = 3


class Found(NamedTuple):
    """A game that was found, and the half-move at which it has what was looked for (0 if nothing on the board was)."""

    game: int  # its number in the index, from 0
    ply: int


class GameIndex:
    """An index made by `cythera games index`, mapped to memory. `len(index)` is the number of games."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).expanduser()
        self.facts, self.arrays = open_sections(self.path)
        try:
            self.files: list[str] = list(self.facts["files"])
            self.store = MoveStore(
                self.arrays["moves"], self.arrays["offsets"], self.arrays["starts"], self.arrays["boards"]
            )
            if len(self.store) != self.facts["games"]:
                raise ValueError("other number of games")
        except (KeyError, TypeError, ValueError) as error:
            raise IndexFileError(f"{self.path} is damaged: rebuild it with `cythera games index`") from error

    def __len__(self) -> int:
        return len(self.store)

    def _text(self, name: str, number: int) -> str:
        ends = self.arrays[f"{name}_ends"]
        return self.arrays[f"{name}_text"][ends[number] : ends[number + 1]].tobytes().decode("utf-8", "replace")

    @cached_property
    def player_names(self) -> list[str]:
        return [self._text("players", number) for number in range(len(self.arrays["players_ends"]) - 1)]

    def summary(self, game: int) -> dict[str, Any]:
        """What the index knows of a game, as plain data."""
        if not 0 <= game < len(self):
            raise IndexError(f"game must be between 0 and {len(self) - 1}, got {game}")
        arrays = self.arrays
        opening = int(arrays["openings"][game])
        return {
            "game": game,
            "white": self._text("players", int(arrays["white"][game])),
            "black": self._text("players", int(arrays["black"][game])),
            "white_rating": int(arrays["ratings"][2 * game]),
            "black_rating": int(arrays["ratings"][2 * game + 1]),
            "result": RESULT_TEXTS[int(arrays["results"][game])],
            "date": date_text(int(arrays["dates"][game])),
            "event": self._text("events", int(arrays["events"][game])),
            "eco": eco_text(int(arrays["ecos"][game])) or (opening_lines()[opening - 1][0] if opening else ""),
            "opening": opening_name(opening),
            "plies": int(arrays["offsets"][game + 1] - arrays["offsets"][game]),
            "file": self.files[int(arrays["sources"][game])],
        }

    def moves(self, game: int) -> list[str]:
        """The moves of a game as UCI texts."""
        return self.store.uci(game)

    def game(self, game: int) -> Game:
        """The game itself, read from its file with comments and variations. The file must still be as it was, where it
        was or beside the index."""
        file = self._file(self.summary(game)["file"])
        place = int(self.arrays["places"][game])
        for name, stream in streams(file):
            try:
                stream.seek(place)
                data = stream.read(1 << 16)
                block = PgnBlock(data, "tree", is_last=False)
                while not len(block) and len(data) < 1 << 26:
                    more = stream.read(len(data))
                    data += more
                    block = PgnBlock(data, "tree", is_last=not more)
                    if not more:
                        break
            except (OSError, ValueError) as error:
                raise IndexFileError(f"cannot read {name}: {error}") from error
            for found in Game.of_block(block)[:1]:
                if found.uci() == self.moves(game):
                    return found
        raise IndexFileError(f"{file} has changed since the index was made")

    def _file(self, name: str) -> Path:
        if name == STANDARD_INPUT:
            raise IndexFileError(f"the games of {self.path} came from standard input and cannot be read again")
        path, beside = Path(name), self.path.parent / Path(name).name
        return path if path.exists() or not beside.exists() else beside

    # The explorer

    def explore(self, position: object, *, samples: int = SAMPLES) -> dict[str, Any]:
        """The moves played in a position with counts, results, average rating and sample games, as plain data."""
        board = position_from(position)
        rows = self._table_rows(board)
        if rows is None:
            rows = self._searched_rows(board)
        rows.sort(key=lambda row: -row["games"])
        for row in rows:
            row["samples"] = [self.summary(game) for game in row["samples"][:samples]]
            row["san"] = board.san(row["uci"])
        totals = {name: sum(row[name] for row in rows) for name in ("games", "white", "draws", "black")}
        opening = opening_name(named_positions().get(board.key, 0))
        return {"fen": board.fen(), "opening": opening, **totals, "moves": rows}

    def _table_rows(self, board: Position) -> list[dict[str, Any]] | None:
        """The rows of the explorer table; None if the position is not in it."""
        import numpy as np

        key = np.uint64(board.key)
        for name in ("positions", "single_keys"):
            keys = self.arrays.get(name)
            if keys is None or not len(keys):
                continue
            at = int(np.searchsorted(keys, key))
            if at == len(keys) or keys[at] != key:
                continue
            if name == "single_keys":
                game, move = int(self.arrays["single_games"][at]), int(self.arrays["single_moves"][at])
                return self._counted(board, {move: [game]})
            first, last = self.arrays["positions_first"][at : at + 2]
            rows = []
            for entry in self.arrays["entries"][first:last]:
                counts = {name: int(entry[name]) for name in ("white", "draws", "black")}
                uci = uci_of_move_word(int(entry["move"]), chess960=board.chess960)
                if board.is_legal(uci):
                    rows.append(
                        {
                            "uci": uci, "games": sum(counts.values()) + int(entry["unknown"]), **counts,
                            "rating": int(entry["rating"]),
                            "samples": [int(game) for game in entry["samples"] if game != NO_GAME],
                        }
                    )  # fmt: skip
            return rows
        return None

    def _searched_rows(self, board: Position) -> list[dict[str, Any]]:
        """The same for a position beyond the table, by playing through the games."""
        offsets, moves = self.arrays["offsets"], self.arrays["moves"]
        games: dict[int, list[int]] = {}
        for found in self.with_position(board):
            at = int(offsets[found.game]) + found.ply
            if at < offsets[found.game + 1]:
                games.setdefault(int(moves[at]), []).append(found.game)
        return self._counted(board, games)

    def _counted(self, board: Position, games: dict[int, list[int]]) -> list[dict[str, Any]]:
        rows = []
        for move, numbers in games.items():
            uci = uci_of_move_word(move, chess960=board.chess960)
            if not board.is_legal(uci):
                continue
            results = self.arrays["results"][numbers]
            ratings = {number: self._rating(number) for number in numbers}
            rated = [rating for rating in ratings.values() if rating]
            rows.append(
                {
                    "uci": uci, "games": len(numbers), "white": int((results == 2).sum()),
                    "draws": int((results == 1).sum()), "black": int((results == 0).sum()),
                    "rating": sum(rated) // len(rated) if rated else 0,
                    "samples": sorted(numbers, key=lambda number: -ratings[number])[:SAMPLES],
                }
            )  # fmt: skip
        return rows

    def _rating(self, game: int) -> int:
        """The mean of the ratings that are told, 0 without."""
        both = [int(rating) for rating in self.arrays["ratings"][2 * game : 2 * game + 2] if rating > 0]
        return sum(both) // len(both) if both else 0

    # Finding

    def with_position(self, position: object, candidates: NDArray[np.bool_] | None = None) -> list[Found]:
        """The games that reach a position, however they got there."""
        board = position_from(position)
        return self._played_through(
            lambda plies, first, last: self.store.find_position(board, plies, first, last), candidates
        )

    def with_material(
        self, pattern: str, candidates: NDArray[np.bool_] | None = None, *, least_plies: int = 4
    ) -> list[Found]:
        """The games that come to material like `KRPvKR` (exactly this) or `KR*vKB*` (this and more), either way round,
        for at least this many half-moves."""
        bounds = material_bounds(pattern)
        return self._played_through(
            lambda plies, first, last: self.store.find_material(bounds, least_plies, plies, first, last), candidates
        )

    def _played_through(self, search: Any, candidates: NDArray[np.bool_] | None) -> list[Found]:
        from concurrent.futures import ThreadPoolExecutor

        import numpy as np

        def share(first: int) -> list[Found]:
            last = min(first + SHARE, len(self))
            if candidates is not None and not candidates[first:last].any():
                return []
            plies = np.empty(last - first, np.int32)
            search(plies, first, last)
            hits = plies >= 0
            if candidates is not None:
                hits &= candidates[first:last]
            return [Found(first + int(at), int(plies[at])) for at in np.flatnonzero(hits)]

        with ThreadPoolExecutor(available_cores()) as pool:
            return [found for part in pool.map(share, range(0, len(self), SHARE)) for found in part]

    def find(
        self,
        *,
        position: object = None,
        material: str = "",
        player: str = "",
        white: str = "",
        black: str = "",
        result: str = "",
        opening: str = "",
        eco: str = "",
        min_rating: int = 0,
        year: tuple[int, int] | None = None,
        least_plies: int = 4,
    ) -> list[Found]:
        """The games that have all that is asked for. Names and openings are looked for as parts of the text; `eco` is a
        code or the beginning of one; `year` is the first and the last."""
        import numpy as np

        arrays = self.arrays
        chosen = np.ones(len(self), bool)
        if player:
            wanted = self._players_like(player)
            chosen &= np.isin(arrays["white"], wanted) | np.isin(arrays["black"], wanted)
        for column, name in (("white", white), ("black", black)):
            if name:
                chosen &= np.isin(arrays[column], self._players_like(name))
        if result:
            if result not in RESULTS:
                raise CytheraError(f"the result must be one of {', '.join(RESULTS)}, got {result!r}")
            chosen &= arrays["results"] == RESULTS[result]
        if opening:
            needle = opening.casefold()
            numbers = [at for at, (_, name, _) in enumerate(opening_lines(), 1) if needle in name.casefold()]
            chosen &= np.isin(arrays["openings"], numbers)
        if eco:
            chosen &= self._eco_like(eco)
        if min_rating:
            chosen &= arrays["ratings"].reshape(-1, 2).min(axis=1) >= min_rating
        if year is not None:
            years = arrays["dates"] // 10000
            chosen &= (years >= year[0]) & (years <= year[1])
        if position is not None and material:
            with_both = np.zeros(len(self), bool)
            with_both[[found.game for found in self.with_position(position, chosen)]] = True
            chosen = with_both
            position = None
        if position is not None:
            return self.with_position(position, chosen)
        if material:
            return self.with_material(material, chosen, least_plies=least_plies)
        return [Found(int(at), 0) for at in np.flatnonzero(chosen)]

    def _players_like(self, text: str) -> list[int]:
        needle = text.casefold()
        return [number for number, name in enumerate(self.player_names) if needle in name.casefold()]

    def _eco_like(self, text: str) -> NDArray[np.bool_]:
        """By the file's own ECO tag, or where there is none by the opening."""
        import numpy as np

        prefix = text.upper()
        codes = [f"{letter}{number:02}" for letter in "ABCDE" for number in range(100)]
        numbers = [eco_number(code) for code in codes if code.startswith(prefix)]
        if not numbers:
            raise CytheraError(f"an ECO code must be a letter A to E and two digits, or their beginning, got {text!r}")
        by_opening = [at for at, (code, _, _) in enumerate(opening_lines(), 1) if code.startswith(prefix)]
        ecos = self.arrays["ecos"]
        found: NDArray[np.bool_] = np.isin(ecos, numbers) | ((ecos == 0) & np.isin(self.arrays["openings"], by_opening))
        return found

    # Counting

    def stats(self, *, top: int = 10) -> dict[str, Any]:
        """Counts over all games, as plain data."""
        import numpy as np

        arrays = self.arrays
        results = arrays["results"]
        plies = np.diff(arrays["offsets"])
        ratings = arrays["ratings"][arrays["ratings"] > 0]
        years = arrays["dates"] // 10000
        dated = years[years > 0]
        return {
            "games": len(self),
            "plies": int(plies.sum()),
            "mean_plies": float(plies.mean()),
            "results": {text: int((results == number).sum()) for text, number in RESULTS.items()},
            "mean_rating": int(ratings.mean()) if len(ratings) else 0,
            "rated_players": len(ratings),
            "years": [int(dated.min()), int(dated.max())] if len(dated) else [],
            "players": [
                (self._text("players", number), count)
                for number, count in most_common(np.concatenate([arrays["white"], arrays["black"]]), top)
            ],
            "openings": self._opening_stats(top),
        }

    def _opening_stats(self, top: int) -> list[dict[str, Any]]:
        found = []
        results = self.arrays["results"]
        for number, count in most_common(self.arrays["openings"], top + 1):
            if number:
                of_it = results[self.arrays["openings"] == number]
                code, name, _ = opening_lines()[number - 1]
                shares = {text: int((of_it == result).sum()) for text, result in RESULTS.items()}
                found.append({"eco": code, "name": name, "games": count, "results": shares})
        return found[:top]

    def summaries(self, found: list[Found]) -> Iterator[dict[str, Any]]:
        for item in found:
            yield {**self.summary(item.game), "ply": item.ply}


def most_common(numbers: NDArray[Any], top: int) -> list[tuple[int, int]]:
    import numpy as np

    counts = np.bincount(numbers)
    order = np.argsort(-counts, kind="stable")[:top]
    return [(int(number), int(counts[number])) for number in order if counts[number]]


def date_text(number: int) -> str:
    """A date as PGN writes it, from the number of the index.

    >>> date_text(19941000), date_text(0)
    ('1994.10.??', '')
    """
    if not number:
        return ""
    month, day = number // 100 % 100, number % 100
    return f"{number // 10000:04}.{month or '??':>02}.{day or '??':>02}"


def material_bounds(pattern: str) -> NDArray[np.uint8]:
    """The least and largest number of each piece, for both ways round.

    >>> material_bounds("KRvK*").tolist()[0]
    [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 16, 0, 16, 0, 16, 0, 16, 0, 16]
    """
    import numpy as np

    sides = pattern.upper().replace("-", "V").replace("/", "V").split("V")
    if len(sides) != 2:
        raise CytheraError(f"material must be written like KRPvKR, or KR*vKB* for this and more, got {pattern!r}")
    rows = []
    for side in sides:
        stripped = side.rstrip("*")
        if not stripped.startswith("K") or stripped.count("K") != 1 or stripped.strip("KQRBNP"):
            raise CytheraError(f"each side of the material must be K and then pieces of QRBNP, got {side!r}")
        counts = [stripped.count(letter) for letter in "PNBRQ"]
        rows.append([bound for count in counts for bound in (count, 16 if side.endswith("*") else count)])
    return np.array([rows[0] + rows[1], rows[1] + rows[0]], np.uint8)


def open_index(
    path: str | Path,
    *,
    on_making: Callable[[Path], object] | None = None,
    on_problem: Callable[[Problem], object] | None = None,
) -> GameIndex:
    """An index of games; or that of a PGN file, also packed, which is kept beside it and rebuilt when the file is
    newer. `on_making` hears of that first."""
    path = Path(path).expanduser()
    if is_index(path):
        return GameIndex(path)
    target = index_path(path)
    if target.exists() and target.stat().st_mtime >= path.stat().st_mtime:
        index = GameIndex(target)
        if index.files == [full_path(str(path))]:
            return index
        raise IndexFileError(f"{target} is the index of other games: make one with `cythera games index {path} -o …`")
    if on_making is not None:
        on_making(path)
    build_index([path], target, on_problem=on_problem)
    return GameIndex(target)


def explorer(index: GameIndex | str | Path, position: Board | str | object) -> dict[str, Any]:
    """What an index says of a position, as plain data for a page: totals, and the moves by frequency with results,
    average rating and sample games (docs/games.md)."""
    return (index if isinstance(index, GameIndex) else open_index(index)).explore(position)
