"""What is said of an error: positions where the reason is known, with the lines given, so that nothing is searched."""

import chess
import pytest

from cythera import Line
from cythera.analyse.reasons import reason_for

# The position, the move played, the better line with its score (for the mover), the answer with its score
# (for the other side), and what is said.
KNOWN = [
    ("hangs the piece that moved", "4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", "Ne4", "Kd2", -10, "dxe4", 350,
     "hangs the knight"),
    ("leaves a piece that was guarded", "4k3/8/8/8/1b6/2N5/3K4/8 w - - 0 1", "Kd3", "Ke3", 0, "Bxc3 Kxc3", 0,
     "the answer is Bxc3"),
    ("moves the guard away", "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "Kd2", "Kf2", -150, "Rxe2+ Kxe2", -20,
     "the answer is Rxe2+"),
    ("leaves the knight", "3rk3/8/8/8/8/3N4/4K3/8 w - - 0 1", "Kf3", "Ke3", -180, "Rxd3+ Kf4", 480,
     "hangs the knight on d3 and turns a tablebase draw into a loss"),
    ("back-rank mate", "4r1k1/p4ppp/8/1p6/8/1Q6/5PPP/6K1 w - - 0 1", "Qa3", "h3", 300, "Re1#", "#1",
     "allows a back-rank mate (Re1#)"),
    ("fool's mate", "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2", "g4", "e4", -60, "Qh4#", "#1",
     "allows mate in 1 (Qh4#)"),
    ("mate comes anyway", "7k/8/8/8/8/8/rr6/6K1 w - - 0 1", "Kf1", "Kh1", "#-9", "Ra1#", "#1", "the answer is Ra1#"),
    ("misses a back-rank mate", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "h3", "Ra8#", "#1", "h6", -500,
     "misses a back-rank mate (Ra8#)"),
    ("misses a smothered mate", "6rk/6pp/8/6N1/8/8/6PP/6K1 w - - 0 1", "h3", "Nf7#", "#1", "Rf8", 200,
     "misses a smothered mate (Nf7#)"),
    ("misses mate in two", "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "Nh5", "Qg6 Nxe5 Qh7#",
     "#2", "Nxe5", -60, "misses mate in 2 (Qg6)"),
    ("misses a fork", "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Na3", "Nc7+ Kd7 Nxa8", 300, "Ra4", 150,
     "misses a fork of king and rook (Nc7+) and turns a tablebase draw into a loss"),
    ("misses a free piece", "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Kf2", "Rxd5", 500, "Nf6", -200,
     "misses winning a knight (Rxd5) and turns a tablebase win (DTZ 1) into a draw"),
    ("allows a fork", "4k3/8/8/8/3n4/8/8/R4K2 w - - 0 1", "Ke1", "Rd1", 200, "Nc2+ Kd1 Nxa1", 250,
     "allows a fork of king and rook (Nc2+)"),
    ("allows a skewer", "4k3/8/8/8/8/8/r7/2K4R w - - 0 1", "Kd1", "Rh8+ Kd7", 20, "Ra1+ Ke2 Rxh1", 480,
     "allows a skewer of king and rook (Ra1+) and turns a tablebase draw into a loss"),
    ("loses the exchange", "4k3/8/8/8/8/5b2/8/2R1K3 w - - 0 1", "Rd1", "Kf2", 180, "Bxd1 Kxd1", -20,
     "loses the exchange (Bxd1)"),
    ("loses a pawn", "4k3/p7/8/3p4/4P3/8/P7/4K3 w - - 0 1", "Kd2", "exd5", 100, "dxe4", 150, "loses a pawn (dxe4)"),
    ("lets a pawn promote", "4k3/8/8/8/8/1K6/p7/8 w - - 0 1", "Kc4", "Kxa2", 0, "a1=Q Kd5", 900,
     "lets a pawn promote (a1=Q) and turns a tablebase draw into a loss"),
    ("gives up the bishop pair", "r1bqkb1r/pppp1ppp/2n5/4n3/4P3/P1B5/1PPPBPPP/RN1QK1NR w KQkq - 0 5", "Bxe5",
     "Nf3 Nxf3+ Bxf3", 40, "Nxe5 d3", 30, "gives up the bishop pair for nothing"),
    ("takes with the wrong pawn", "rnbq1rk1/1p3ppp/p3pn2/3p4/1bPNP3/2N2P2/PP2B1PP/R1BQK2R w KQ - 0 9", "exd5",
     "cxd5 exd5", 15, "exd5 O-O", 78, "takes with the wrong pawn"),
    ("exchange into a pawn ending", "8/ppk2pp1/5np1/8/2P3P1/1PB2P2/P2K3P/8 b - - 0 28", "Kd7", "Ne8 h4 Kd7 Kd3", -58,
     "Bxf6 gxf6 h4 Ke6", 143, "allows the exchange into a pawn ending (Bxf6)"),
    ("a piece after a row of captures", "r2k3r/pp3pp1/2nb1q1p/3Q1p2/2PP1N1P/8/PP3PP1/R1B1R1K1 b - - 0 18", "Nb4",
     "Kc8 Nh5 Bh2+ Kxh2 Qxh4+ Kg1 Qxh5 Qc5", -256, "Ne6+ Qxe6 Rxe6 Nxd5 Rxd6+ Ke7 Rxd5 Rad8", 604,
     "allows the removal of the defender of the bishop on d6 (Ne6+, then Rxe6)"),
    ("stalemate", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", "Qf8#", "#1", "", 0, "gives stalemate"),
    ("attacks the queen", "r1bqkbnr/pppp1ppp/2n5/4p3/8/2NP1Q2/PPP2PPP/R1B1KBNR b KQkq - 0 1", "a6", "Nd4", 80,
     "Nd5 Nd4", 20, "misses Nd4, attacking the queen on f3"),
    ("allows an attack", "r1bqkbnr/pppp1ppp/2n5/4p3/8/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 1", "Qf3", "Nf3", 10,
     "Nd4 Qd1", 70, "allows Nd4, attacking the queen on f3"),
    ("exchanges queens in a better ending", "3q2k1/5ppp/8/8/3Q4/1P6/P4PPP/6K1 w - - 0 1", "Qxd8+",
     "Qe5 h6 h3 Qd1+ Kh2 Qd7 a4 Qc6 b4 Qd7", 180, "", 0, "allows a draw"),
    ("allows the exchange of queens", "3q2k1/p4ppp/8/8/8/1P2Q3/P4PPP/6K1 w - - 0 1", "h3",
     "Qc3 h6 h3 Qd1+ Kh2 Qd6+ g3 Qd5 a4 Qe4 b4 Qd5", 120, "Qb6 Qxb6 axb6 Kf1 Kf8 Ke2 Ke7", -20,
     "allows the exchange of queens (Qb6)"),
    ("lets the win slip", "8/8/8/4k2r/8/8/3Q2K1/8 w - - 0 1", "Qd3", "Qe3+ Kf6 Qf4+ Kg6", 700,
     "Rg5+ Kf3 Rf5+ Ke3 Rf6 Qc3+ Ke6 Qc4+", 0, "lets the win slip (Rg5+)"),
    ("a drawn ending", "8/8/8/3k4/8/8/r7/1R4K1 w - - 0 1", "Kf1", "Rd1+ Kc4 Rd2 Ra8 Kf2 Ra3 Ke2 Rh3", 0,
     "Kc4 Ke1 Kc3 Rd1 Ra8 Kf2 Rf8+ Ke3 Rf7", 260, "loses a drawn ending (Kc4)"),
    ("the wrong recapture", "r1bqkb1r/ppp2ppp/2n2n2/3pp3/8/2b5/PP1BPPPP/RN1QKBNR w KQkq - 0 1", "bxc3",
     "Bxc3 d4", 30, "Bd6 e3", 40, "takes with the wrong piece"),
    ("a mate too long to be seen is a win let slip", "4k3/4P3/3PK3/8/2Nr4/8/8/8 w - - 0 1", "Nb6", "d7+", "#11",
     "Rxd6+ Kxd6 Kf7", 0, "lets the win slip (Rxd6+)"),
    ("a skewer that is taken back wins nothing", "8/8/4k3/6R1/4P3/4PK2/8/5r2 w - - 25 72", "Kg4", "Ke2 Rh1", 162,
     "Rg1+ Kh5 Rxg5+ Kxg5 Ke5 Kg6 Kxe4 Kf6 Kxe3", 0, "allows a draw (Rg1+)"),
    ("material that is given back in a long line", "4k3/5p2/8/3n4/8/2N5/4P3/3RK3 b - - 0 1", "f6", "Nxc3", 0,
     "Nxd5 Kf8 Nb4 Kg7 Nd3 Kg6 Kf2 Kf5 e3", 700, "hangs the knight on d5"),
    ("nothing to say but the answer", chess.STARTING_FEN, "g4", "e4 e5", 30, "d5 e3", 80, "the answer is d5"),
]  # fmt: skip


def line_of(board, sans, score):
    board = board.copy()
    turn = "w" if board.turn else "b"
    texts = []
    for san in sans.split():
        move = board.parse_san(san)
        texts.append(board.uci(move))
        board.push(move)
    shown = {"mate": int(score[1:])} if isinstance(score, str) else {"cp": score}
    facts = dict.fromkeys(("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time_s"), 0)
    return Line.from_json({"moves": " ".join(texts), "score": shown, "wdl": [0, 1000, 0], "bound": "exact",
                           "turn": turn, **facts})  # fmt: skip


@pytest.mark.parametrize("fen, played, best, best_score, answer, answer_score, said",
                         [pytest.param(*row[1:], id=row[0]) for row in KNOWN])  # fmt: skip
def test_the_reason_is_the_known_one(fen, played, best, best_score, answer, answer_score, said):
    board = chess.Board(fen)
    move = board.parse_san(played)
    after = board.copy()
    after.push(move)
    found = reason_for(board, move, line_of(board, best, best_score), line_of(after, answer, answer_score))
    assert found == said


def test_material_that_the_scores_do_not_confirm_is_not_claimed():
    board = chess.Board("4k3/p7/8/3p4/8/2N5/P7/4K3 w - - 0 1")
    move = board.parse_san("Ne4")
    after = board.copy()
    after.push(move)
    said = reason_for(board, move, line_of(board, "Kd2", 0), line_of(after, "dxe4", 60))
    assert said == "the answer is dxe4", "a knight is gone, but the engine sees enough for it"
