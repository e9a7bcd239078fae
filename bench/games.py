"""Reading games: Cythera beside python-chess and beside the package rust-pgn-reader-python-binding, on the same file.

Ratios of CPU time in alternating rounds, one core. Without a file, games of random moves are made. `--million` makes a
file of a million games of 80 half-moves and measures reading and indexing it: time, and the largest memory.
"""

from __future__ import annotations

import argparse
import io
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import chess.pgn

import cythera
from cythera import Position, arrays

PLIES = 80


def random_game(seed: int, *, comments: bool) -> str:
    """A game of random moves that goes on for all its half-moves."""
    choice = random.Random(seed).choice
    while True:
        position, words = Position(), []
        for ply in range(PLIES):
            moves = position.legal_moves()
            if not moves or position.is_insufficient_material():
                break
            move = choice(moves)
            number = f"{ply // 2 + 1}. " if ply % 2 == 0 else f"{ply // 2 + 1}... " if comments else ""
            words.append(number + position.san(move))
            if comments:
                words.append(f"{{ [%eval {ply / 100:.2f}] [%clk 0:{59 - ply // 2:02}:00] }}")
            position.push(move)
        else:
            return " ".join(words)


def made_file(path: Path, count: int, *, comments: bool = True, distinct: int = 2000) -> None:
    texts = [random_game(seed, comments=comments) for seed in range(min(count, distinct))]
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            result = ("1-0", "0-1", "1/2-1/2")[number % 3]
            file.write(
                f'[Event "Game {number}"]\n[Site "?"]\n[Date "2026.{number % 12 + 1:02}.{number % 28 + 1:02}"]\n'
                f'[Round "{number}"]\n[White "Player {number % 997}"]\n[Black "Player {number % 991}"]\n'
                f'[Result "{result}"]\n[WhiteElo "{1500 + number % 1000}"]\n[BlackElo "{1500 + number % 900}"]\n\n'
                f"{texts[number % len(texts)]} {result}\n\n"
            )


def by_python_chess(text: str, most: int) -> Callable[[], int]:
    def read() -> int:
        handle, plies = io.StringIO(text), 0
        for _ in range(most):
            game = chess.pgn.read_game(handle)
            if game is None:
                break
            plies += sum(1 for _ in game.mainline_moves())
        return plies

    return read


def moves_only(path: Path) -> Callable[[], int]:
    return lambda: sum(len(game.words) for game in cythera.read_games(path, mode="moves"))


def lists(path: Path) -> Callable[[], int]:
    def read() -> int:
        plies = 0
        for game in cythera.read_games(path):
            plies += len(game.uci())
            _ = game.headers, game.comments, game.nags
        return plies

    return read


def full(path: Path) -> Callable[[], int]:
    def read() -> int:
        plies = 0
        for game in cythera.read_games(path):
            plies += len(game.moves)
            _ = game.headers, game.result
        return plies

    return read


def as_arrays(path: Path, fields: tuple[str, ...]) -> Callable[[], int]:
    return lambda: len(arrays.read_arrays(path, fields=fields).moves)


def rust(texts: list[str], *, comments: bool) -> Callable[[], int]:
    import rust_pgn_reader_python_binding as package

    return lambda: int(package.parse_games_from_strings(texts, num_threads=1, store_comments=comments).num_moves)


def timed(function: Callable[[], int]) -> tuple[float, int]:
    begin = time.process_time()
    plies = function()
    return time.process_time() - begin, plies


def compare(name: str, ours: Callable[[], int], theirs: Callable[[], int], rounds: int) -> None:
    """Half-moves per CPU second of both, and their ratio, by medians of alternating rounds."""
    rates: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for side, function in enumerate((ours, theirs)):
            seconds, plies = timed(function)
            rates[side].append(plies / seconds)
    ratio = statistics.median(a / b for a, b in zip(*rates, strict=True))
    mine, other = (statistics.median(side) for side in rates)
    print(f"{name:58} {mine / 1e6:7.2f} M/s {other / 1e6:8.3f} M/s   x {ratio:.1f}", flush=True)


def child(code: str, path: str) -> str:
    """Runs a piece of this bench in its own process, so that its memory can be told."""
    program = f"import resource, time, sys\npath = {path!r}\nbegin = time.perf_counter()\n{code}\n" + (
        "used = time.perf_counter() - begin\n"
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024\n"
        "print(f'{said}: {used:.1f} s, {time.process_time():.1f} s of CPU, at most {peak:.0f} MiB')"
    )
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip()


def million(count: int, keep: Path | None) -> None:
    """`keep` may also be a file of real games."""
    with tempfile.TemporaryDirectory() as folder:
        path = keep or Path(folder) / "million.pgn"
        if not path.exists():
            made_file(path, count, comments=False, distinct=20_000)
        print(f"{count} games of {PLIES} half-moves, {path.stat().st_size / 1e6:.0f} MB")
        read = "import cythera\nsaid = sum(len(game) for game in cythera.read_games(path, mode='moves'))"
        print("read, half-moves ", child(read, str(path)), flush=True)
        index = (
            "from cythera.games.index import build_index\n"
            f"said = build_index([path], {str(Path(folder) / 'million.cyi')!r}).games"
        )
        print("indexed, games   ", child(index, str(path)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="a PGN file, not packed")
    parser.add_argument("--games", type=int, default=2000, help="games to make without a file (default: 2000)")
    parser.add_argument("--chess-games", type=int, default=150, help="games per round of python-chess (default: 150)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--million", type=int, nargs="?", const=1_000_000, metavar="N", help="time a file of N games")
    parser.add_argument("--keep", type=Path, help="with --million: make the file here, or use the one that is here")
    args = parser.parse_args()
    if args.million:
        million(args.million, args.keep)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = args.file or Path(folder) / "games.pgn"
        if args.file is None:
            made_file(path, args.games)
        games = list(cythera.read_games(path))
        text = path.read_bytes().decode("utf-8", "replace")
        print(f"{path.name}: {len(games)} games, {sum(map(len, games))} half-moves")
        print(f"{'':58} {'Cythera':>11} {'other':>12}")
        chess_reader = by_python_chess(text, args.chess_games)
        compare("moves only (words) | python-chess read_game", moves_only(path), chess_reader, args.rounds)
        compare("headers, result, Move objects | python-chess read_game", full(path), chess_reader, args.rounds)
        compare("lists of UCI, headers, comments, NAGs | python-chess", lists(path), chess_reader, args.rounds)
        try:
            texts = [game.source for game in games]
            package = rust(texts, comments=False)
        except ImportError:
            print("rust-pgn-reader-python-binding is not installed: pip install it for the other half")
            return
        compare("arrays: moves, results | rust package", as_arrays(path, ()), package, args.rounds)
        every = as_arrays(path, ("positions", "clocks", "evals"))
        compare("arrays: moves, boards, clocks, evals | rust package", every, package, args.rounds)
        compare("lists of UCI, headers, comments | rust package, comments", lists(path), rust(texts, comments=True),
                args.rounds)  # fmt: skip


if __name__ == "__main__":
    main()
