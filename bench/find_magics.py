"""Finds the magic multipliers of ext/magics.pxi and prints them as they stand there.

    python bench/find_magics.py             # prints the two tables
    python bench/find_magics.py --check     # compares with ext/magics.pxi

A magic maps every set of blockers on a square's mask to an index of as many bits as the mask has
squares, so that sets with different attacks never share one. Candidates are sparse random words
from one seeded sequence, rooks first, a1 to h8. Takes half a minute.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

SEED = 0x243F6A8885A308D3  # the first digits of pi
WORD = (1 << 64) - 1
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def splitmix(state: int) -> Iterator[int]:
    """Steele, Lea and Flood's SplitMix64."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & WORD
        z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & WORD
        yield z ^ z >> 31


def reach(sq: int, steps: tuple[tuple[int, int], ...], blockers: int, to_edge: bool = True) -> int:
    """Squares a slider sees, first blockers included; without `to_edge` the last of each ray not."""
    seen = 0
    for file_step, rank_step in steps:
        f, r = sq % 8 + file_step, sq // 8 + rank_step
        while 0 <= f <= 7 and 0 <= r <= 7:
            if not to_edge and not (0 <= f + file_step <= 7 and 0 <= r + rank_step <= 7):
                break
            seen |= 1 << 8 * r + f
            if blockers >> 8 * r + f & 1:
                break
            f, r = f + file_step, r + rank_step
    return seen


def subsets(mask: int) -> Iterator[int]:
    """All subsets of a mask, the empty one first."""
    subset = 0
    while True:
        yield subset
        subset = (subset - mask) & mask
        if not subset:
            return


def fits(magic: int, shift: int, pairs: list[tuple[int, int]]) -> bool:
    """Whether blockers that share an index share their attacks."""
    table: dict[int, int] = {}
    for blockers, attacks in pairs:
        index = ((blockers * magic) & WORD) >> shift
        if table.setdefault(index, attacks) != attacks:
            return False
    return True


def find_magic(sq: int, steps: tuple[tuple[int, int], ...], words: Iterator[int]) -> int:
    mask = reach(sq, steps, 0, to_edge=False)
    shift = 64 - mask.bit_count()
    pairs = [(blockers, reach(sq, steps, blockers)) for blockers in subsets(mask)]
    while True:
        magic = next(words) & next(words) & next(words)
        if (((mask * magic) & WORD) >> 56).bit_count() >= 6 and fits(magic, shift, pairs):
            return magic


def written(name: str, magics: list[int]) -> str:
    rows = (", ".join(f"0x{magic:016X}ULL" for magic in magics[i : i + 4]) for i in range(0, 64, 4))
    return f"    static const uint64_t {name}[64] = {{\n" + "".join(f"        {row},\n" for row in rows) + "    };\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Find the magic multipliers for slider attacks.")
    parser.add_argument("--check", action="store_true", help="compare with ext/magics.pxi instead of printing")
    args = parser.parse_args()
    words = splitmix(SEED)
    tables = [[find_magic(sq, steps, words) for sq in range(64)] for steps in (STRAIGHT, DIAGONAL)]
    found = written("CY_ROOK_MAGICS", tables[0]) + written("CY_BISHOP_MAGICS", tables[1])
    if not args.check:
        print(found, end="")
        return 0
    part = Path(__file__).parents[1] / "ext" / "magics.pxi"
    if found not in part.read_text(encoding="utf-8"):
        print("ext/magics.pxi holds other numbers")
        return 1
    print("ext/magics.pxi holds exactly the numbers found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
