"""Endgame tables with damage, and everything that can be asked of them."""

from functools import cache, lru_cache
from random import Random

import chess

from cythera import Position
from cythera.core import Searcher
from cythera.tables import Tables
from cythera.tables.probing import DTZ_SUFFIX, WDL_SUFFIX
from support.endings import random_position

HEADER = 200  # most of a small file's structure is in its first 200 bytes


def damaged(rng, data):
    """Bits flipped, bytes changed, the end cut off or extended; the length of a table is kept as often as not, so that
    the damage is not seen by the length alone."""
    text = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(text)) if rng.random() < 0.4 else rng.randrange(min(len(text), HEADER))
        if rng.random() < 0.6:
            text[at] ^= 1 << rng.randrange(8)
        else:
            text[at] = rng.choice((0, 1, 15, 127, 128, 255, rng.randrange(256)))
    if rng.random() < 0.3:
        cut = rng.randrange(len(text))
        if rng.random() < 0.7:
            cut = max(cut // 64 * 64, 64) + 16  # a length that a table can have
        text = text[:cut] if rng.random() < 0.8 else text + bytes(cut)
    return bytes(text)


def damage_folder(rng, folder, sources):
    """Writes the files of tables to a folder, some of them damaged, or under each other's names."""
    names = sorted(sources)
    for name in names:
        data = sources[name]
        if rng.random() < 0.1:
            data = sources[rng.choice(names)]
        if rng.random() < 0.6:
            data = damaged(rng, data)
        (folder / name).write_bytes(data)


def sources_in(folder, names):
    """File name -> contents of tables."""
    paths = [folder / (name + suffix) for name in names for suffix in (WDL_SUFFIX, DTZ_SUFFIX)]
    return {path.name: path.read_bytes() for path in paths}


@cache
def positions_of(name):
    """Positions of a table, and a few with a knight more, which are probed after captures."""
    rng = Random(name)
    fens = [random_position(rng, name).fen() for _ in range(60)]
    larger = []
    while len(larger) < 8:
        board = random_position(rng, name)
        square = rng.choice(chess.SQUARES)
        if not board.piece_at(square):
            board.set_piece_at(square, chess.Piece.from_symbol(rng.choice("nN")))
            if board.is_valid() and any(board.legal_moves):
                larger.append(board.fen())
    return [Position(fen) for fen in fens], [Position(fen) for fen in larger]


@lru_cache(maxsize=1)
def shared_searcher():
    return Searcher(1)


def use(rng, folder, names, probes=10):
    """Probes, searches and reads damaged tables through; returns how many files were found to be unusable."""
    tables = Tables(folder)
    searcher = shared_searcher()
    searcher.set_tables(tables.core, fifty_move_rule=rng.random() < 0.8)
    for name in names:
        for position in rng.sample(positions_of(name)[0], probes):
            assert tables.probe_wdl(position) in (None, -2, -1, 0, 1, 2)
            assert abs(tables.probe_dtz(position) or 0) < 10_000
        legal = [str(move) for move in position.legal_moves()]
        lines = searcher.go(position, nodes=200, multipv=rng.choice((1, 3)))
        assert [line[0][0] in legal for line in lines] == [True] * len(lines) and bool(lines) == bool(legal)
    assert searcher.go(rng.choice(positions_of(rng.choice(names))[1]), nodes=300)
    name = rng.choice([name for name in names if len(name) == 4])  # a larger one has millions of values
    counts = tables.core.damaged_values(name, rng.random() < 0.5)
    assert counts is None or 0 <= counts[1] <= counts[0]
    problems = tables.problems()
    assert all(reason and path for path, reason in problems)
    searcher.set_tables(None)
    return len(problems)
