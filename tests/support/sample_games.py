"""Games and small helpers for the tests of analysis."""

import io

import chess.pgn

from cythera.analyse.pgn_input import chess_game, read_text

OPERA = """[Event "Paris"]
[Site "Paris"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy"]
[Black "Duke and Count"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 {Philidor} 3. d4 Bg4 $2 (3... exd4 4. Nxd4 (4. Qxd4 {also} 4... Nc6)) 4. dxe5 Bxf3
5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 {[%clk 0:10:00] Develops.} b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7
12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""

FOOLS_MATE = """[Event "Short"]
[White "A"]
[Black "B"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
"""

# A queen that hangs for three moves: errors that any search finds, on both sides.
HANGING = """[Event "Hanging"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Nf3 Qg5 3. Nc3 Qxg2 4. Rg1 Qxf3 5. Qxf3 d6 1-0
"""

CHESS960 = """[Event "Shuffled"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1"]
[Result "1/2-1/2"]

1. d4 d5 2. Nd3 Nd6 3. Nf3 Nf6 4. O-O O-O 1/2-1/2
"""

FEN_START = """[Event "Endgame"]
[SetUp "1"]
[FEN "8/8/8/4k3/8/8/4P3/4K3 b - - 0 40"]
[Result "*"]

40... Ke4 41. Kf2 Kd4 *
"""

GOOD = {"opera": OPERA, "fools": FOOLS_MATE, "chess960": CHESS960, "endgame": FEN_START}


def game_of(text):
    return chess_game(read_text(text))


def moves_of(text):
    """The main line as python-chess itself reads it."""
    return [move.uci() for move in chess.pgn.read_game(io.StringIO(text)).mainline_moves()]
