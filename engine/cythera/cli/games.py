"""`cythera games`: an index of games, and what can be asked of it."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cythera.cli.arguments import position_after, problem_printer
from cythera.errors import CytheraError

if TYPE_CHECKING:
    from cythera.games.query import GameIndex

EPILOG = """\
examples:
  cythera games index lichess.pgn.zst -o lichess.cyi
  cythera games explore lichess.cyi --moves "e4 c5"
  cythera games find lichess.cyi --player carlsen --result 1-0 --opening "Sicilian Defence"
  cythera games find lichess.cyi --material KRPvKR --pgn > endings.pgn
  cythera games stats lichess.cyi"""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="cythera games", description="Index games and search them by position, player, opening and material.",
        epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    index = commands.add_parser("index", help="make an index of PGN files")
    index.add_argument("files", nargs="+", metavar="GAMES", help="PGN, also packed")
    index.add_argument("-o", "--output", type=Path, metavar="INDEX", help="the index to write (default: FILE.cyi)")
    index.add_argument("--depth", type=int, default=40, metavar="N",
                       help="half-moves in the explorer table (default: 40)")  # fmt: skip
    index.add_argument("--workers", type=int, default=1, metavar="N", help="reader threads (default: 1)")
    explore = commands.add_parser("explore", help="show the moves played in a position")
    add_index(explore)
    add_position(explore)
    find = commands.add_parser("find", help="find games by position, material, player, result, opening")
    add_index(find)
    add_position(find)
    find.add_argument("--material", default="", metavar="PATTERN",
                      help="KRPvKR (exactly this material) or KR*vKB* (at least this), for either side")  # fmt: skip
    find.add_argument("--least-plies", type=int, default=4, metavar="N",
                      help="half-moves the material must last (default: 4)")  # fmt: skip
    find.add_argument("--player", default="", metavar="NAME", help="part of the name of either player")
    find.add_argument("--white", default="", metavar="NAME", help="part of White's name")
    find.add_argument("--black", default="", metavar="NAME", help="part of Black's name")
    find.add_argument("--result", default="", metavar="R", help="1-0, 0-1, 1/2-1/2 or *")
    find.add_argument("--opening", default="", metavar="NAME", help="part of the opening's name")
    find.add_argument("--eco", default="", metavar="CODE", help="an ECO code or its beginning, such as B or B9")
    find.add_argument("--min-rating", type=int, default=0, metavar="N", help="lowest rating of both players")
    find.add_argument("--year", default="", metavar="Y[-Y]", help="year, or first and last year")
    find.add_argument("--limit", type=int, default=20, metavar="N", help="games to show, 0 for all (default: 20)")
    find.add_argument("--pgn", action="store_true", help="print the games as PGN")
    stats = commands.add_parser("stats", help="count games by result, player and opening")
    add_index(stats)
    stats.add_argument("--top", type=int, default=10, metavar="N", help="players and openings to list (default: 10)")
    for command in (explore, find, stats):
        command.add_argument("--json", action="store_true", help="print JSON")
    return top


def add_index(command: argparse.ArgumentParser) -> None:
    command.add_argument("index", type=Path, metavar="INDEX",
                         help="made by `cythera games index`; or a PGN file, which is indexed first if it has no "
                         "index")  # fmt: skip


def opened(path: Path) -> GameIndex:
    from cythera.games.query import open_index

    return open_index(path, on_making=lambda file: print(f"making the index of {file}", file=sys.stderr),
                      on_problem=problem_printer("games"))  # fmt: skip


def add_position(command: argparse.ArgumentParser) -> None:
    command.add_argument("--fen", default="", metavar="FEN", help="position (default: the start position)")
    command.add_argument("--moves", default="", metavar="SAN", help='moves from there, such as "e4 e5 Nf3"')


def make_index(args: argparse.Namespace) -> int:
    from cythera.games.index import STANDARD_INPUT, build_index, index_path

    if args.output is None and args.files[0] == STANDARD_INPUT:
        raise CytheraError("games of standard input need a name for their index: -o INDEX")
    output = args.output or index_path(args.files[0])
    begin = time.monotonic()
    last = [begin]

    def progress(games: int) -> None:
        if sys.stderr.isatty() and time.monotonic() - last[0] > 1:
            last[0] = time.monotonic()
            print(f"\r{games} games", end="", file=sys.stderr, flush=True)

    made = build_index(args.files, output, depth=args.depth, workers=args.workers, on_problem=problem_printer("games"),
                       on_progress=progress)  # fmt: skip
    seconds = time.monotonic() - begin
    bad = f", {made.bad_games} left out" if made.bad_games else ""
    print(f"{output}: {made.games} games{bad}, {made.positions} positions, {seconds:.1f} s")
    return 0


def explore(args: argparse.Namespace) -> int:
    found = opened(args.index).explore(position_after(args.fen, args.moves))
    if args.json:
        print(json.dumps(found, ensure_ascii=False))
        return 0
    if found["opening"]:
        print(found["opening"])
    if not found["moves"]:
        print("no game of the index has a move here")
        return 1
    print(f"{'move':8} {'games':>9} {'White':>6} {'drawn':>6} {'Black':>6} {'rating':>6}")
    for row in found["moves"]:
        shares = [f"{row[name] / row['games']:6.0%}" for name in ("white", "draws", "black")]
        print(f"{row['san']:8} {row['games']:9} {' '.join(shares)} {row['rating'] or '':>6}")
    best = found["moves"][0]["samples"]
    for game in best:
        print(f"  {line_of(game)}")
    return 0


def find(args: argparse.Namespace) -> int:
    index = opened(args.index)
    found = index.find(
        position=position_after(args.fen, args.moves) if args.fen or args.moves else None,
        material=args.material, player=args.player,
        white=args.white, black=args.black, result=args.result, opening=args.opening, eco=args.eco,
        min_rating=args.min_rating, year=years(args.year), least_plies=args.least_plies,
    )  # fmt: skip
    shown = found[: args.limit] if args.limit > 0 else found
    if args.json:
        print(json.dumps({"found": len(found), "games": list(index.summaries(shown))}, ensure_ascii=False))
    elif args.pgn:
        for item in shown:
            print(index.game(item.game).text())
    else:
        for game in index.summaries(shown):
            where = f", at move {game['ply'] // 2 + 1}" if game["ply"] else ""
            print(f"{game['game'] + 1:8}  {line_of(game)}{where}")
        print(f"{len(found)} of {len(index)} games" + (f", {len(shown)} shown" if len(shown) < len(found) else ""))
    return 0 if found else 1


def years(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    first, _, last = text.partition("-")
    try:
        return int(first), int(last or first)
    except ValueError:
        raise CytheraError(f"the year must be like 2024 or 2020-2024, got {text!r}") from None


def line_of(game: dict[str, Any]) -> str:
    white, black = (
        f"{game[side]}{f' ({rating})' if (rating := game[f'{side}_rating']) else ''}" for side in ("white", "black")
    )
    opening = f"  {game['eco']} {game['opening']}".rstrip()
    return f"{white} – {black}  {game['result']}  {game['date'][:4]}{opening}"


def stats(args: argparse.Namespace) -> int:
    found = opened(args.index).stats(top=args.top)
    if args.json:
        print(json.dumps(found, ensure_ascii=False))
        return 0
    results = found["results"]
    print(f"{found['games']} games, {found['plies']} half-moves, {found['mean_plies']:.1f} per game")
    print("   ".join(f"{text} {count} ({count / found['games']:.1%})" for text, count in results.items() if count))
    if found["years"]:
        print(f"from {found['years'][0]} to {found['years'][1]}")
    if found["mean_rating"]:
        print(f"mean rating {found['mean_rating']}")
    print("\nplayers")
    for name, count in found["players"]:
        print(f"{count:8}  {name}")
    print("\nopenings")
    for row in found["openings"]:
        shares = " ".join(f"{row['results'][text] / row['games']:4.0%}" for text in ("1-0", "1/2-1/2", "0-1"))
        print(f"{row['games']:8}  {shares}  {row['eco']} {row['name']}")
    return 0


def main(argv: list[str]) -> int:
    args = parser().parse_args(argv)
    commands = {"index": make_index, "explore": explore, "find": find, "stats": stats}
    try:
        return commands[args.command](args)
    except ValueError as error:
        raise CytheraError(str(error)) from error
