"""`cythera explain`: why the engine plays a move, and what is wrong with another."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from pathlib import Path

from cythera.engine.limits import Limit
from cythera.errors import CytheraError

DESCRIPTION = """\
Explain a position: the engine's choice, the refutation of a MOVE you ask about, what each side
threatens, and how the net evaluates the line, piece by piece."""

EPILOG = """\
examples:
  cythera explain "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3" Nf6
  cythera explain FEN --depth 16 --tree tree.html"""

STANDARD = Path("-")
TREE_LIMIT = Limit(depth=12)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="cythera explain",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("fen", metavar="FEN", help="the position, or startpos; - reads it from standard input")
    top.add_argument("move", nargs="?", metavar="MOVE", help="a move to ask about: Nf3 or g1f3")
    limit = top.add_argument_group("limits per search (default: --nodes 400000)")
    limit.add_argument("--depth", type=int, metavar="N", help="search depth in half-moves")
    limit.add_argument("--nodes", type=int, metavar="N", help="nodes")
    limit.add_argument("--movetime", type=float, metavar="SECONDS", help="time per search")
    top.add_argument("--chess960", action="store_true", help="read the FEN as Chess960")
    top.add_argument("--hash", type=int, default=16, metavar="MIB", help="hash table (default: 16)")
    out = top.add_argument_group("output")
    out.add_argument("--classical", action="store_true", help="the terms of the classical evaluation as well")
    out.add_argument("--json", type=Path, metavar="FILE.json", help="the explanation as JSON; - for standard output")
    out.add_argument("--tree", type=Path, metavar="FILE", help="the top of the search tree: .json, .html or .svg")
    out.add_argument("--tree-plies", type=int, default=2, metavar="N", help="plies of the tree to keep (default: 2)")
    return top


def main(argv: list[str]) -> int:
    from cythera.api import Engine
    from cythera.board.position import Position

    args = parser().parse_args(argv)
    if args.tree is not None and args.tree.suffix not in (".json", ".html", ".svg"):
        raise CytheraError(f"--tree must end in .json, .html or .svg, got {args.tree.suffix or args.tree.name!r}")
    limit = Limit(nodes=args.nodes, depth=args.depth, time_s=args.movetime)
    fen = sys.stdin.readline().strip() if args.fen == "-" else args.fen
    position = Position(None if fen == "startpos" else fen, chess960=args.chess960)
    is_data = args.json == STANDARD
    with Engine(hash_mib=args.hash) as engine:
        explanation = engine.explain(position, args.move, None if limit.unlimited else limit)
        if not is_data:
            print(explanation.position().text())
            print()
            print(explanation.text(args.classical))
        if args.json is not None:
            write(args.json, json.dumps(explanation.as_json(), ensure_ascii=False, indent=1) + "\n")
        if args.tree is not None:
            tree = engine.search_tree(position, TREE_LIMIT if limit.unlimited else limit, args.tree_plies)
            write(args.tree, drawn(tree, args.tree.suffix))
            kept = sum(1 for _ in tree.walk())
            say = partial(print, file=sys.stderr if is_data else sys.stdout)
            say(f"\n{args.tree}: iteration {tree.iteration}, {kept:,} nodes down to ply {tree.plies}")
            if tree.left_out:
                say(f"{tree.left_out:,} more had no room: keep fewer plies (--tree-plies)")
    return 0


def drawn(tree: object, suffix: str) -> str:
    from cythera.explain.tree import SearchTree
    from cythera.lab.view.svg import draw_svg

    assert isinstance(tree, SearchTree)
    if suffix == ".json":
        return tree.json() + "\n"
    return tree.html() if suffix == ".html" else draw_svg(tree.trace())


def write(path: Path, text: str) -> None:
    if path == STANDARD:
        sys.stdout.write(text)
        return
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CytheraError(f"cannot write {path}: {error.strerror}") from error
