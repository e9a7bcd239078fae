"""Motifs and exchanges on positions where everybody knows them."""

import chess
import pytest

from cythera.board.exchanges import best_capture, exchange_gain, swing_of
from cythera.board.motifs import find_motifs

# A position, a line of the side to move, the motif it has and the words for it.
KNOWN = [
    ("knight forks king and rook", "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa8", "fork", "king and rook"),
    ("knight forks king and queen", "q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa8", "fork", "king and queen"),
    ("black knight forks", "4k3/8/8/8/3n4/8/8/R3K3 b - - 0 1", "Nc2+ Kd1 Nxa1", "fork", "king and rook"),
    ("queen forks king and rook", "4k3/r7/8/8/8/8/8/2Q1K3 w - - 0 1", "Qe3+ Kd8 Qxa7", "fork", "king and rook"),
    ("pawn forks two pieces", "4k3/8/3n1b2/8/3PP3/8/8/4K3 w - - 0 1", "e5 Be7 exd6", "fork", "bishop and knight"),
    ("rook forks two knights", "4k3/8/8/8/n6n/8/8/4RK2 w - - 0 1", "Re4+ Kd7 Rxa4", "fork", "king and two knights"),
    ("rook pins a knight to the king", "4k3/8/8/4n3/8/5P2/6K1/3R4 w - - 0 1", "Re1 Ke7 f4 Ke6 fxe5", "pin",
     "knight on e5 against the king"),
    ("bishop pins a knight to the queen", "3qk3/8/5n2/8/3PP3/8/8/2B1K3 w - - 0 1", "Bg5 Kf7 e5 Ke6 exf6", "pin",
     "knight on f6 against the queen"),
    ("rook skewers king and rook", "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8+ Ke7 Rxh8", "skewer", "king and rook"),
    ("bishop skewers queen and rook", "7k/1r6/8/3q4/8/8/4B1P1/4K3 w - - 0 1", "Bf3 Qd8 Bxb7", "skewer",
     "queen and rook"),
    ("discovered check", "4k3/8/8/8/8/4N3/8/K3R3 w - - 0 1", "Nd5+ Kd8", "discovered check", "a discovered check"),
    ("discovered attack on the queen", "3q1k2/8/8/8/3N4/8/8/3RK3 w - - 0 1", "Ne6+ Ke8 Rxd8+", "discovered attack",
     "queen on d8"),
    ("double check", "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "Nf6+ Kd8", "double check", "a double check"),
    ("the defender is taken", "4k3/8/3b4/4n3/8/8/1B6/3RK3 w - - 0 1", "Rxd6 Ke7 Bxe5", "removal of the defender",
     "knight on e5"),
    ("the queen is deflected", "3q2k1/8/8/8/7r/6B1/8/R5K1 w - - 0 1", "Ra8 Qxa8 Bxh4", "deflection", "queen from h4"),
    ("bishop on a2 is trapped", "4k3/8/8/8/8/1P6/b1K5/8 w - - 0 1", "Kb2 Ke7 Kxa2", "trapped piece",
     "bishop on a2 is trapped"),
    ("knight in the corner is trapped", "n3k3/P7/1K6/8/8/8/8/8 w - - 0 1", "Kb7 Kd8 Kxa8", "trapped piece",
     "knight on a8 is trapped"),
    ("back-rank mate", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8#", "back-rank mate", "a back-rank mate"),
    ("back-rank mate by Black", "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", "Ra1#", "back-rank mate", "a back-rank mate"),
    ("smothered mate", "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", "Nf7#", "smothered mate", "a smothered mate"),
    ("mate on the last rank that is no back-rank mate", "k7/8/1K6/8/8/8/8/7R w - - 0 1", "Rh8#", "mate", "mate in 1"),
    ("mate in two", "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "Qg6 Nxe5 Qh7#", "mate",
     "mate in 2"),
    ("promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q Kg6", "promotion", "the promotion a8=Q"),
    ("a piece hangs", "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5 Ke7", "hanging piece", "the knight on d5"),
    ("a fork that can be taken is none", "r3k3/3q4/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7+ Qxc7", None, ""),
    ("a defended piece does not hang", "4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5 exd5", None, ""),
    ("a pin that wins nothing is not named", "4k3/8/8/4n3/8/8/6K1/3R4 w - - 0 1", "Re1 Ke7", None, ""),
    ("a quiet opening has no motif", chess.STARTING_FEN, "e4 e5 Nf3 Nc6 Bb5 a6", None, ""),
]  # fmt: skip


def uci_line(board, sans):
    board = board.copy()
    texts = []
    for san in sans.split():
        move = board.parse_san(san)
        texts.append(board.uci(move))
        board.push(move)
    return texts


@pytest.mark.parametrize("fen, line, name, words", [pytest.param(*row[1:], id=row[0]) for row in KNOWN])
def test_motifs_are_found_where_they_are_known_and_only_there(fen, line, name, words):
    board = chess.Board(fen)
    found = find_motifs(board, uci_line(board, line))
    if name is None:
        assert [motif for motif in found if motif.name != "hanging piece"] == []
        return
    assert found[0].name == name and words in found[0].text


@pytest.mark.parametrize("fen, line, name, words", [pytest.param(*row[1:], id=row[0]) for row in KNOWN if row[3]])
def test_motifs_are_the_same_for_the_other_colour(fen, line, name, words):
    board = chess.Board(fen)
    mirrored = board.mirror()
    moves = [chess.Move.from_uci(text) for text in uci_line(board, line)]
    turned = [
        chess.Move(chess.square_mirror(move.from_square), chess.square_mirror(move.to_square), move.promotion).uci()
        for move in moves
    ]
    assert [motif.name for motif in find_motifs(mirrored, turned)] == [
        motif.name for motif in find_motifs(board, uci_line(board, line))
    ]


@pytest.mark.parametrize(
    "fen, san, gain",
    [
        ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5", 3),
        ("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5", -2),
        ("4k3/2p5/3p4/4n3/8/5N2/8/4K3 w - - 0 1", "Nxe5", 0),
        ("3rk3/8/8/3n4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 3),  # two against one: the rook is not taken back
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 1),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q+", 11),
        ("3rk3/8/8/8/8/8/3q4/3RK3 w - - 0 1", "Kxd2", None),  # not legal: the rook protects
        ("4k3/8/8/8/4r3/8/4n3/4K2B w - - 0 1", "Bxe4", 5),
    ],
)
def test_exchanges_are_counted_to_their_end(fen, san, gain):
    board = chess.Board(fen)
    if gain is None:
        with pytest.raises(chess.IllegalMoveError):
            board.parse_san(san)
    else:
        assert exchange_gain(board, board.parse_san(san)) == gain


def test_the_best_capture_is_the_one_that_wins_most():
    board = chess.Board("4k3/8/2p5/1r1n4/2B5/8/8/4K3 w - - 0 1")
    assert best_capture(board) == (2, chess.Move.from_uci("c4b5")), "the rook for the bishop, which is taken back"
    assert best_capture(chess.Board()) == (0, None)


@pytest.mark.parametrize(
    "fen, line, won, lost",
    [
        ("4k3/8/8/8/8/5b2/8/3RK3 b - - 0 1", "Bxd1 Kxd1", "the exchange", ""),
        ("4k3/8/8/4r3/8/2B5/8/4K3 b - - 0 1", "Kd7 Bxe5", "", "a rook"),
        ("4k3/8/3p4/4p3/3P4/8/8/4K3 w - - 0 1", "dxe5 dxe5", "", ""),
        ("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1", "Nxd5", "the queen", ""),
        ("4k3/5p2/4p3/3n4/8/2N5/8/4K3 w - - 0 1", "Nxd5 exd5", "", ""),
        ("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a1=Q+ Kd2", "", ""),
        ("4k3/3b4/8/1N6/8/8/8/4K3 w - - 0 1", "Nd6+ Kd8 Nb7+", "", ""),
        ("4k3/8/8/1b6/8/3N4/8/4K3 w - - 0 1", "Kd2 Bxd3 Kxd3", "", ""),
        ("4k3/8/8/2p5/3p4/4N3/8/4K3 w - - 0 1", "Kd2 dxe3+ Kxe3", "", "a knight for a pawn"),
    ],
)
def test_what_a_line_wins_is_said_in_pieces(fen, line, won, lost):
    board = chess.Board(fen)
    swing = swing_of(board, uci_line(board, line))
    assert (swing.won_words(), swing.lost_words()) == (won, lost)


def test_a_promotion_is_worth_its_piece_and_no_piece_lost():
    board = chess.Board("4k3/8/8/8/8/8/p7/4K3 w - - 0 1")
    swing = swing_of(board, uci_line(board, "Kd2 a1=Q"))
    assert swing.value == -8 and swing.lost_words() == ""


def test_captures_that_pay_are_played_out_after_a_line():
    board = chess.Board("3rk3/pp3pp1/3p3p/4n3/8/3N3P/PP3PP1/4K2R w - - 0 1")
    assert swing_of(board, uci_line(board, "Nxe5")).value == 0, "the knight is taken back"
