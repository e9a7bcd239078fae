"""Endgame tables in play: won endings are won, nothing is given away, probes agree with others and cost little.

    python bench/tables_play.py won --positions 2000            # against a table that defends
    python bench/tables_play.py starts --starts 200             # games, with tables against without
    python bench/tables_play.py agree --tables DIR --stockfish stockfish
    python bench/tables_play.py probes                          # what a probe costs

Tables are those of the package, or of --tables DIR. Positions depend on --seed alone, searches on --nodes, so that a
run can be repeated. Exit code 1 if a win is missed, a half point given away or a verdict differs.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests")]

import chess  # noqa: E402
import chess.syzygy  # noqa: E402
from support.endings import play_out, random_position  # noqa: E402

from cythera import Position  # noqa: E402
from cythera.board.scores import MATE_FOUND, TABLEBASE_FOUND  # noqa: E402
from cythera.core import Searcher  # noqa: E402
from cythera.net.load import new_searcher  # noqa: E402
from cythera.tables import PACKAGE_TABLES, Tables  # noqa: E402
from cythera.tables.names import names_with  # noqa: E402

LONGEST_GAME = 600
PROBE_ROUNDS = 15
WORDS = {"win": 2, "cursed win": 1, "draw": 0, "blessed loss": -1, "loss": -2}  # as Stockfish says it


def searcher_with(tables: Tables | None) -> Searcher:
    searcher = new_searcher(4)
    if tables is not None:
        searcher.set_tables(tables.core)
    return searcher


def usual_names(tables: Tables, pieces: int) -> list[str]:
    """The available tables with this number of pieces."""
    return [name for name in tables.names() if len(name) - 1 == pieces]


# Won endings


def won_positions(name: str, count: int, tables: Tables, rng: random.Random) -> Iterator[Position]:
    """Random won positions of a table; fewer if there are hardly any."""
    found = tried = 0
    while found < count and tried < 40 * count + 400:
        tried += 1
        position = Position(random_position(rng, name).fen())
        if tables.probe_wdl(position) == 2:
            found += 1
            yield position


def run_won(args: argparse.Namespace, tables: Tables) -> int:
    """Plays won positions of each table against a defender that plays by the table."""
    searcher = searcher_with(tables)
    names = args.names or [name for name in tables.names() if len(name) - 1 <= args.pieces]
    failed = total = 0
    for name in names:
        results: Counter[str] = Counter()
        late = longest = 0
        for position in won_positions(name, args.positions, tables, random.Random(f"{args.seed} {name}")):
            fen = position.fen()
            searcher.clear()
            game = play_out(searcher, tables, position, nodes=args.nodes)
            results[game.result] += 1
            longest = max(longest, game.plies)
            if game.result != "won" or game.late > 1:
                late += game.result == "won"
                print(f"  {fen}: {game.result}, {game.plies} half-moves, {game.late} beyond the table's distance")
        failed += late + sum(results.values()) - results["won"]
        total += sum(results.values())
        if results:
            print(
                f"{name}: {results['won']} of {sum(results.values())} won, {late} later than the table says, "
                f"longest {longest} half-moves",
                flush=True,
            )
    print(f"{total} positions, {failed} failures")
    return 1 if failed else 0


# Games


def known_result(position: Position, tables: Tables) -> int | None:
    """1, 0 or -1 for the side to move, the fifty-move counter taken into account, or None."""
    wdl = tables.probe_wdl(position)
    if wdl is None:
        return None
    dtz = tables.probe_dtz(position)
    if abs(wdl) < 2 or (dtz is not None and abs(dtz) + position.halfmove_clock > 100):
        return 0
    return wdl // 2


def random_starts(count: int, tables: Tables, rng: random.Random) -> Iterator[Position]:
    """Random four- and five-piece positions, alternating, drawn or won for the side to move and not over at once."""
    names = {pieces: names_with(pieces) for pieces in (4, 5)}
    found = 0
    while found < count:
        board = random_position(rng, rng.choice(names[4 + found % 2]))
        if any(board.gives_check(move) and mates(board, move) for move in board.legal_moves):
            continue
        position = Position(board.fen())
        if not position.legal_moves() or position.is_draw() or known_result(position, tables) == -1:
            continue
        found += 1
        yield position


def mates(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    mate = board.is_checkmate()
    board.pop()
    return mate


def play_game(start: Position, players: dict[str, Searcher], ours: str, tables: Tables, nodes: int) -> tuple[int, int]:
    """(twice the points of the side with tables, results it gave away where tables know them)."""
    position = start.copy()
    given = 0
    for searcher in players.values():
        searcher.clear()
    for _ in range(LONGEST_GAME):
        if position.outcome() is not None:
            break
        before = known_result(position, tables)
        position.push(players[position.turn].go(position, nodes=nodes)[0][0][0])
        if position.turn != ours and before is not None:
            after = -1 if position.is_checkmate() else 0 if position.is_draw() else known_result(position, tables)
            if after is not None and -after < before:
                given += 1
                print(f"  given away: {position.history()[-1]} leads to {position.fen()}")
    outcome = position.outcome()
    if outcome in (None, "1/2-1/2"):
        return 1, given
    return 2 if (outcome == "1-0") == (ours == "w") else 0, given


def run_starts(args: argparse.Namespace, tables: Tables) -> int:
    """Games from random starts, each with both colours: who has tables must not do worse than tables allow."""
    given_away = below = 0
    points: Counter[str] = Counter()
    pairs: Counter[int] = Counter()
    for number, start in enumerate(random_starts(args.starts, tables, random.Random(args.seed)), 1):
        pair = 0
        known = known_result(start, tables)
        for ours in "wb":
            with_tables, without = searcher_with(tables), searcher_with(None)
            players = {ours: with_tables, "b" if ours == "w" else "w": without}
            got, given = play_game(start, players, ours, tables, args.nodes)
            given_away += given
            pair += got
            points[("lost", "drawn", "won")[got]] += 1
            due = None if known is None else 1 + (known if ours == start.turn else -known)
            if due is not None and got < due:
                below += 1
                print(f"  {start.fen()}: {ours} got {got}/2, tables say {due}/2")
        pairs[pair] += 1
        if pair < 2 and known is None:
            print(f"  {start.fen()}: {pair}/4 points of two games (no table has the start)")
        if number % 20 == 0:
            print(f"{number} starts: {dict(points)}", flush=True)
    print(
        f"{args.starts} starts, {sum(points.values())} games of {args.nodes} nodes per move: won {points['won']}, "
        f"drawn {points['drawn']}, lost {points['lost']} with tables; pairs by points of 4: {sorted(pairs.items())}; "
        f"{given_away} results given away in table positions, {below} games below the result of a known start"
    )
    return 1 if given_away or below else 0


# Agreement


def verdict_of(score: int) -> int:
    """1, 0 or -1 as a search that is in tables scores it."""
    if abs(score) >= TABLEBASE_FOUND or abs(score) >= MATE_FOUND:
        return 1 if score > 0 else -1
    return 0


class Stockfish:
    """A Stockfish with tables, asked by its `d`."""

    def __init__(self, path: str, folder: str) -> None:
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.send("uci", f"setoption name SyzygyPath value {folder}", "isready")
        self.until("readyok")

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def until(self, start: str) -> list[str]:
        lines = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            lines.append(line.strip())
            if line.startswith(start):
                break
        return lines

    def probe(self, fen: str) -> tuple[int, int] | None:
        """Its WDL and DTZ, both from the side to move."""
        self.send(f"position fen {fen}", "d", "isready")
        values = {}
        for line in self.until("readyok"):
            for kind in ("WDL", "DTZ"):
                if line.startswith(f"Tablebases {kind}:"):
                    word, _, state = line.split(":")[1].partition("(")
                    if state.startswith("Failed"):
                        return None
                    values[kind] = word.strip().lower()
        return WORDS[values["WDL"]], int(values["DTZ"])


def run_agree(args: argparse.Namespace, tables: Tables) -> int:
    """Probes and searches compared with python-chess, and probes with a Stockfish, on random positions."""
    searcher = Searcher(1)
    searcher.set_tables(tables.core)
    wrong: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    names = args.names or tables.names()
    stockfish = Stockfish(args.stockfish, ":".join(tables.folders)) if args.stockfish else None
    with chess.syzygy.open_tablebase(tables.folders[0]) as reference:
        for folder in tables.folders[1:]:
            reference.add_directory(folder)
        rng = random.Random(args.seed)
        for number in range(args.positions):
            name = names[number % len(names)]
            en_passant = name.split("v")[0].count("P") and name.split("v")[1].count("P") and rng.random() < 0.2
            board = random_position(rng, name, en_passant=bool(en_passant))
            position = Position(board.fen())
            wdl, dtz = reference.probe_wdl(board), reference.probe_dtz(board)
            counts["probes"] += 1
            ours = position.probe_wdl(tables), position.probe_dtz(tables)
            if ours != (wdl, dtz):
                wrong["probes"] += 1
                print(f"  {board.fen()}: {ours} here, {wdl}, {dtz} by python-chess")
            if position.legal_moves():
                searcher.clear()
                score = searcher.go(position, nodes=args.nodes)[0][1]
                counts["searches"] += 1
                if verdict_of(score) != (wdl // 2 if abs(wdl) == 2 else 0):
                    wrong["searches"] += 1
                    print(f"  {board.fen()}: {wdl}, {dtz}, but the search says {score}")
                if stockfish is not None and number % args.every == 0:
                    counts["Stockfish"] += 1
                    theirs = stockfish.probe(board.fen())
                    if theirs != (wdl, dtz):
                        wrong["Stockfish"] += 1
                        print(f"  {board.fen()}: {wdl}, {dtz} by python-chess, {theirs} by Stockfish")
    print(", ".join(f"{times} {what}, {wrong[what]} differ" for what, times in counts.items()))
    return 1 if sum(wrong.values()) else 0


# Cost


def cpu_ns(work: object, positions: list[Position]) -> float:
    """CPU time per call, the best of several rounds."""
    best = float("inf")
    for _ in range(PROBE_ROUNDS):
        begun = time.process_time()
        for position in positions:
            work(position)  # type: ignore[operator]
        best = min(best, (time.process_time() - begun) / len(positions))
    return best * 1e9


def run_probes(args: argparse.Namespace, tables: Tables) -> int:
    """What a probe costs in CPU time where everything is in the caches; the call from Python is in it."""
    rng = random.Random(args.seed)
    call = cpu_ns(Position.is_check, [Position()] * 5000)
    print(f"a call from Python alone: {call:.0f} ns")
    for name in args.names or tables.names():
        positions = [Position(random_position(rng, name).fen()) for _ in range(500)] * 10
        wdl, dtz = cpu_ns(tables.core.probe_wdl, positions), cpu_ns(tables.core.probe_dtz, positions[:500])
        print(f"{name}: result {wdl - call:.0f} ns, distance {dtz - call:.0f} ns", flush=True)
    return 0


COMMANDS = {"won": run_won, "starts": run_starts, "agree": run_agree, "probes": run_probes}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=COMMANDS)
    parser.add_argument("names", nargs="*", help="tables, like KQvKR (default: all)")
    parser.add_argument("--tables", action="append", metavar="DIR", help="folder of tables (default: the package's)")
    parser.add_argument("--pieces", type=int, default=4, help="won: most pieces (default: 4)")
    parser.add_argument("--positions", type=int, default=100, help="per table; of agree in all (default: 100)")
    parser.add_argument("--starts", type=int, default=200, help="starts of games (default: 200)")
    parser.add_argument("--nodes", type=int, default=500, help="nodes per move (default: 500)")
    parser.add_argument("--stockfish", metavar="PATH", help="agree: a Stockfish to ask as well")
    parser.add_argument("--every", type=int, default=5, help="agree: ask it about every Nth position (default: 5)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    return COMMANDS[args.command](args, Tables(*(args.tables or [PACKAGE_TABLES])))


if __name__ == "__main__":
    sys.exit(main())
