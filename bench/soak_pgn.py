"""PGN text, mutated at random: the reader never crashes, and what it gives is legal chess.

    python bench/soak_pgn.py --texts 100000 --seed 1
    python bench/soak_pgn.py --texts 100000 games.pgn       # games of a file are mutated too

Each text is read in all modes, in one piece, in small blocks and by threads. Whatever comes out must agree: the same
games, moves that are legal, SAN that reads back to the same moves, a written game that reads back to the same tree.
"""

from __future__ import annotations

import argparse
import io
import itertools
import random
import time
from collections.abc import Sequence
from pathlib import Path

from cythera.core import PgnBlock
from cythera.games import Game, Node, game_text, parse_games, read_games
from cythera.games.reader import GameReader

SEEDS = [
    b'[Event "a"]\n[White "A, B"]\n[WhiteElo "2500"]\n[Result "1-0"]\n\n'
    b"1. e4 {good} e5 2. Nf3 (2. f4 exf4 (2... d5 $1)) "
    b"Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Nxe4 1-0\n\n",
    b'[FEN "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"]\n\n1. O-O-O O-O 2. dxe6 bxc3 *\n\n',
    b'[Variant "Chess960"]\n[FEN "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1"]\n\n'
    b'1. Ng3 Ng6 2. O-O O-O *\n\n',
    b"1. e4 { [%eval 0.2] [%clk 0:01:00] } 1... c5 { [%eval #-3] } 2. Nf3 d6 ; comment\n"
    b"% escape\n3. d4 cxd4 1/2-1/2\n\n",
    b'[FEN "8/P6k/8/8/8/8/p6K/8 w - - 0 1"]\n\n1. a8=Q a1Q 2. Qxa1 -- 3. Z0 *\n\n',
    "\ufeff[White \"Müller\"]\r\n\r\n1. ♘f3 d5!? 2. g3 +/= c6 ½-½\r\n\r\n".encode(),
]  # fmt: skip
PIECES = [
    b"(", b")", b"{", b"}", b";", b"\n", b"\n\n", b"[", b"]", b'"', b"%", b"*", b"1-0", b"0-0", b"O-O-O", b"$12",
    b"!?", b"--",
    b"e4", b"Nf3", b"exd5", b"e8=Q", b"1.", b"1...", b"\x00", b"\xff", b"\xef\xbb\xbf", b"[%clk ", b"[%eval ", b"\\",
    b'\n[Event "',
    b'[FEN "', b'[Variant "', b"\r", b"\xe2\x99\x98", b"0000", b"Z0", b"e.p.", b"(" * 250, b"9" * 30,
]  # fmt: skip

GAMES_PER_FILE = 50


def mutated(source: random.Random, seeds: Sequence[bytes] = SEEDS) -> bytes:
    """A few seeds one after the other, with bytes changed, cut, doubled and pieces put in."""
    text = bytearray(b"".join(source.choices(seeds, k=source.randint(1, 3))))
    for _ in range(source.choice((0, 1, 1, 2, 4, 10))):
        at = source.randrange(len(text) + 1)
        kind = source.randrange(5)
        if kind == 0 and at < len(text):
            text[at] = source.randrange(256)
        elif kind == 1:
            text[at:at] = source.choice(PIECES)
        elif kind == 2:
            del text[at : at + source.randint(1, 20)]
        elif kind == 3:
            text[at:at] = text[at : at + source.randint(1, 60)]
        else:
            del text[at:]
        if not text:
            break
    return bytes(text)


def check(text: bytes, block_bytes: int) -> int:
    """Reads a text in all ways; raises AssertionError where they disagree. Returns how many games there were."""
    whole = {mode: PgnBlock(text, mode) for mode in ("moves", "full", "tree")}
    games = {mode: Game.of_block(block) for mode, block in whole.items()}
    for block in whole.values():
        block.problems()
    moves = [game.uci() for game in games["moves"]]
    assert [game.uci() for game in games["full"]] == moves
    assert [game.uci() for game in games["tree"]] == moves
    expected = [(game.uci(), game.comments, game.headers) for game in games["full"]]
    pieces = GameReader([io.BytesIO(text)], block_bytes=block_bytes)
    assert [(game.uci(), game.comments, game.headers) for game in pieces] == expected
    if block_bytes % 10 == 0:
        for _ in GameReader([io.BytesIO(text)], block_bytes=block_bytes, workers=2):
            pass
    for game in games["tree"]:
        check_game(game)
    return len(moves)


def shape_of(root: Node) -> list[tuple[object, ...]]:
    """A tree node by node. The order of nodes in the text is another thing: `1. e4 (1. d4 (1. c4) d5)` and
    `1. e4 (1. d4 d5) (1. c4)` are one tree."""
    found: list[tuple[object, ...]] = []
    stack = [root]
    while stack:
        node = stack.pop()
        comments = [text.replace("}", ")") for text in (node.comment, node.starting_comment)]
        found.append((node.move, node.san, sorted(node.nags), len(node.variations), comments))
        stack.extend(node.variations)
    return found


def check_game(game: Game) -> None:
    position = game.position(0)
    for uci, san in zip(game.uci(), game.san(), strict=True):
        if uci == "0000":
            position.push_null()
            continue
        assert position.parse_san(san) == uci
        position.push(uci)
    assert position.fen() == game.position().fen()
    _ = game.headers, game.clocks, game.evals, game.move_times, game.nags, game.source, game.line, repr(game)
    (again,) = parse_games(game_text(game), mode="tree")
    assert shape_of(again.tree()) == shape_of(game.tree())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="PGN whose games are mutated too")
    parser.add_argument("--texts", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    seeds = list(SEEDS)
    for path in args.files:
        some = itertools.islice(read_games(path), GAMES_PER_FILE)
        seeds += [game.source.encode("utf-8", "surrogatepass") + b"\n\n" for game in some if len(game) < 200]
    begin, games = time.monotonic(), 0
    for number in range(args.texts):
        text = mutated(random.Random(args.seed * 1_000_000 + number), seeds)
        try:
            games += check(text, 1 + number % 300)
        except Exception:
            print(f"text {number} of seed {args.seed}: {text!r}")
            raise
    print(f"{args.texts} texts, {games} games, {time.monotonic() - begin:.1f} s, no fault")


if __name__ == "__main__":
    main()
