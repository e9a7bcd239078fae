"""`cythera book`: makes Polyglot opening books from games, shows and merges them."""

from __future__ import annotations

import argparse

from cythera.cli.arguments import position_after, problem_printer
from cythera.errors import CytheraError

EPILOG = """\
examples:
  cythera book make games.pgn.zst -o book.bin --plies 24 --min-games 5 --min-rating 2200
  cythera book make mine.pgn -o mine.bin --player "Smith, J" --min-games 1
  cythera book show book.bin --moves "e4 c5"
  cythera book merge a.bin b.bin:0.5 -o both.bin"""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="cythera book", description="Make, show and merge Polyglot opening books.", epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    make = commands.add_parser("make", help="make a book from PGN files")
    make.add_argument("files", nargs="+", metavar="GAMES", help="PGN, also packed; - for standard input")
    make.add_argument("-o", "--output", required=True, metavar="BOOK", help="the book to write")
    make.add_argument("--plies", type=int, default=40, metavar="N", help="half-moves of each game (default: 40)")
    make.add_argument("--min-games", type=int, default=3, metavar="N", help="fewest games of a move (default: 3)")
    make.add_argument("--min-rating", type=int, default=0, metavar="N", help="lowest rating of both players")
    make.add_argument("--max-rating", type=int, default=9999, metavar="N", help="highest rating of both players")
    make.add_argument("--player", default="", metavar="NAME", help="only moves of players whose name contains this")
    make.add_argument("--colour", choices=("w", "b"), default="", help="only moves of this side")
    make.add_argument("--weights", choices=("results", "games"), default="results",
                      help="2 per win and 1 per draw of the mover (default), or 1 per game")  # fmt: skip
    make.add_argument("--min-score", type=float, default=0.0, metavar="X", help="lowest score of a move (default: 0)")
    make.add_argument("--workers", type=int, default=1, metavar="N", help="reader threads (default: 1)")
    show = commands.add_parser("show", help="show the moves of a book in a position")
    show.add_argument("book", metavar="BOOK", help="a Polyglot book")
    show.add_argument("fen", nargs="?", default="startpos", metavar="FEN", help="the position (default: startpos)")
    show.add_argument("--moves", default="", metavar="SAN", help='moves from there, such as "e4 e5 Nf3"')
    show.add_argument("--chess960", action="store_true", help="read the FEN as Chess960")
    merge = commands.add_parser("merge", help="merge books")
    merge.add_argument("books", nargs="+", metavar="BOOK[:FACTOR]", help="FACTOR multiplies the weights of a book")
    merge.add_argument("-o", "--output", required=True, metavar="BOOK", help="the book to write")
    return top


def make(args: argparse.Namespace) -> int:
    from cythera.games.book_maker import BookOptions, make_book

    options = BookOptions(args.plies, args.min_games, args.min_rating, args.max_rating, args.player, args.colour,
                    args.weights, args.min_score)  # fmt: skip

    made = make_book(args.files, args.output, options, workers=args.workers, on_problem=problem_printer("book"))
    print(f"{args.output}: {made.moves} moves in {made.positions} positions, from {made.games} games")
    return 0


def show(args: argparse.Namespace) -> int:
    from cythera.engine.book import open_book

    book = open_book(args.book)
    position = position_after(args.fen, args.moves, chess960=args.chess960)
    entries = book.find(position)
    if not entries:
        print("the book has no move here")
        return 1
    total = sum(weight for _, weight, _ in entries) or 1
    print(f"{'move':8} {'weight':>6} {'share':>6}")
    for move, weight, _ in sorted(entries, key=lambda entry: -entry[1]):
        print(f"{position.san(move):8} {weight:6} {weight / total:6.1%}")
    return 0


def merge(args: argparse.Namespace) -> int:
    from cythera.games.book_maker import merge_books

    sources = []
    for text in args.books:
        path, colon, factor = text.rpartition(":")
        try:
            sources.append((path, float(factor)) if colon else (text, 1.0))
        except ValueError:
            sources.append((text, 1.0))  # a colon in the name
    made = merge_books(sources, args.output)
    print(f"{args.output}: {made.moves} moves in {made.positions} positions")
    return 0


def main(argv: list[str]) -> int:
    args = parser().parse_args(argv)
    try:
        return {"make": make, "show": show, "merge": merge}[args.command](args)
    except ValueError as error:
        raise CytheraError(str(error)) from error
