"""`bench`: fixed positions to a fixed depth. The node count is the engine's signature.

Any change of what the search or the evaluation does changes the number; a change that should not
(a speed-up, a refactoring) must leave it alone. It is the same on every CPU variant.
"""

import time

from cythera.board.position import Position
from cythera.engine.handle import Search
from cythera.engine.limits import Go
from cythera.engine.search_run import SearchRun
from cythera.errors import CytheraError
from cythera.net.load import new_searcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

DEPTH = 14
HASH_MIB = 16

# What `cythera bench` must give. A commit that changes how the engine plays changes this line too.
SIGNATURE = 7_063_832

# The starting position, and positions from Cythera's own games.
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbq1b1r/1pppk2p/p3pnp1/5p2/3P2P1/P1P4P/RP2PP2/1NBQKBNR w K - 1 7",
    "r1bqkb1r/4pp1p/p1np3n/6N1/1P4p1/8/2PPPPPP/RNBQKB1R w KQkq - 0 9",
    "r2qr1k1/ppp2ppp/2n5/3p3n/P5b1/NQPP1NP1/1P1BP2P/R3KB1R w KQ - 5 13",
    "r2q1rk1/pb1nbn1p/1p1p2p1/4pp2/1PP5/P1N1PN1P/1BPQBPP1/R4RK1 w - - 0 15",
    "r3k1r1/1b1p3p/pbn1p2n/1p2q1p1/4Pp1P/P2B1P2/1PP1NNP1/R1B1Q1KR w q - 2 17",
    "4r2r/pp1k1pp1/3p1b2/q1p2P1P/3pPNQ1/P2P4/bPP1B2P/2KR3R w - - 2 19",
    "r2qr1k1/2p2p2/5npp/PPP1p3/1Q6/3p1PP1/4NPBP/R3K2R w KQ - 0 21",
    "1r1qr2k/1b3p1p/6p1/p4n2/P1p5/2NpPNPP/3P1P2/1R1QR1K1 w - - 0 24",
    "3rr1k1/1b1n2p1/1pnq1p1p/p1p1p2P/2PpP1P1/PP1P1PR1/3QBN2/2B3RK w - - 5 30",
    "8/8/5bp1/P1p2k1p/2P1pP2/1R5P/1P2r1P1/5RK1 w - - 1 37",
    "1r1r4/p1p1k1p1/P3p1Pp/1P2Pp2/2KNbP2/6P1/3R4/3R4 w - - 3 41",
    "8/8/3R4/8/5PP1/3pk1rP/8/7K b - - 1 53",
    "rnbqk1nr/pppp1p2/4p2p/6p1/3P4/P4P1N/P1P1P1PP/R1BQKBR1 w Qkq - 0 7",
    "r1bqkbr1/ppp3pp/2n1p2n/5p2/2BP4/N3PNP1/PP3P1P/R1BQK2R w KQq - 1 9",
    "r1b1kb1r/1ppqp1p1/p1n2n2/4p2p/P1B5/2N1N3/1PPP1PPP/R1BQ1RK1 w - - 4 11",
    "r1bqk1n1/ppp2pr1/n3p3/4N1Pp/3P4/P2Q1p2/P1P3P1/R1B1KB1R w KQq - 2 13",
    "r1bqr1k1/1pp2pp1/5n2/p1np3p/3N4/2PP2PP/1PNQPPB1/2B1K2R w K - 3 15",
    "4k2r/3p1pp1/1q2pn2/1p5p/1b3P2/2P1PB2/3P2PP/Q4RK1 w k - 0 17",
    "r1bknb1r/1p5p/3PQn2/qp2P1p1/5p2/2N2P1P/PP3BP1/R2K1B1R w - - 4 21",
    "k1r3r1/pb1q1p1p/1p2pn2/3pR3/P2P1N2/1QPB1PP1/1P5P/2K3R1 w - - 5 24",
    "1rr3k1/3b2pp/4p3/p1P2p2/qn1PpP2/4P1P1/pR1QN1BP/R5K1 w - - 0 30",
    "3r3r/3N1p1k/5P2/pQ2pq2/PP6/6Rp/4N1bR/4K3 w - - 3 37",
    "8/8/4k3/8/3K1P2/6N1/2b5/8 b - - 23 68",
    "r1bqk1nr/1ppp2bp/2n1pp2/p4Pp1/2PPP3/P7/1P4PP/RNBQKBNR w KQkq - 0 7",
    "r2qkb1r/1Qp1pppp/5n2/p7/2Pnp3/7P/PP1P1P1P/RNBK1B1R w kq - 0 9",
    "r1bqk1r1/1p2p1b1/p1n3pn/1p1p1pN1/8/P1N1P3/1BPP1PPP/R2QKB1R w KQq - 0 11",
    "r2q1rk1/2pp1ppp/1pn1p2n/p7/5PPb/1PPPBP1P/P3Q3/RN3BKR w - - 7 13",
    "r1k2b1r/p3p2p/1pppPpqn/8/2PPP3/1P4PQ/PB5P/RN3RK1 w - - 1 17",
    "r1bk1q2/2ppb2r/2n5/p1P4n/3P1B2/P1N1P2B/5Q1P/R4KNR w - - 1 19",
    "r3kb1r/p3q3/2bp1p2/1pp3p1/4P1n1/N3BP2/PPPQ3P/4KRR1 w kq - 0 21",
    "4rr1k/1b2b3/2n1q2p/p2pPpp1/N5P1/PPQ1P2P/1B2B3/3R1RK1 w - - 1 27",
    "5qk1/1b4p1/1p4p1/2pp4/8/2B1Q3/r1P1R1PP/6K1 w - - 0 30",
    "8/4k3/2n1p3/p1p3r1/2P5/1P4P1/P5K1/7R w - - 2 33",
    "rn1qk2r/ppp1pp2/4bn1b/3p2pp/2PP4/3QP2P/PP2BPP1/RNB1K1NR w KQkq - 1 7",
    "r1bqk1nr/pp4pp/3b1p2/n1p1p3/2Pp4/3P1NPP/PPNBPP2/R2QKB1R w KQkq - 2 9",
    "1k1r1b1r/ppp1q1pp/4bp1n/nP1p4/3p1P2/P3P1P1/2P1N1BP/RNBQ1RK1 w - - 1 13",
    "r4rk1/nbpqbppp/pp1p1n2/8/1P2PBP1/P1NP1N1P/2PQ4/R3KB1R w KQ - 5 15",
    "1rb1k2r/3qnpb1/1p1p1n1p/pPpPp3/P1P1P1p1/2N1BPN1/5KPP/R2Q1B1R w k - 0 17",
    "r6k/6pp/2qppn2/5p2/1b6/1PN1P2Q/1B1PBPPP/4K2R w K - 0 24",
    "rk1q2n1/ppb2b2/7r/3p1p2/1P2p3/P3Q2P/1B1P1PN1/2RBK2R w K - 3 27",
)


def bench(
    depth: int = DEPTH, hash_mib: int = HASH_MIB, threads: int = 1, eval_file: str = "builtin"
) -> tuple[int, float]:
    """Searches all positions from a clean table each; returns nodes and seconds."""
    searcher = new_searcher(hash_mib, threads, eval_file)
    nodes = 0
    seconds = 0.0
    for fen in POSITIONS:
        searcher.clear()
        search = Search(SearchRun(searcher, Position(fen), Go(depth=depth)), lambda: None)  # in a thread: Ctrl-C works
        start = time.perf_counter()
        search.start()
        search.wait()
        seconds += time.perf_counter() - start
        nodes += searcher.nodes
    return nodes, seconds


def run_bench(words: list[str], say: "Callable[[str], None]", eval_file: str = "builtin") -> None:
    """The `bench [depth [hash [threads]]]` command."""
    numbers = [DEPTH, HASH_MIB, 1]
    for i, (word, name, highest) in enumerate(zip(words, ("depth", "hash", "threads"), (60, 65536, 256), strict=False)):
        if not (word.isascii() and word.isdecimal() and len(word) < 10) or not 1 <= int(word) <= highest:
            raise CytheraError(f"{name} of bench must be between 1 and {highest}, got {word[:20]!r}")
        numbers[i] = int(word)
    depth, hash_mib, threads = numbers
    nodes, seconds = bench(depth, hash_mib, threads, eval_file)
    say(f"{nodes} nodes {int(nodes / max(seconds, 1e-6))} nps")
