"""Threats and refutations that everybody knows, found by small searches."""

import chess
import pytest

from cythera import Engine, Limit

LIMIT = Limit(nodes=4000)

# A position, and what the side that is not to move threatens in it (nothing: an empty text).
THREATS = [
    ("scholar's mate", "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "White threatens Qxf7#"),
    ("back-rank mate", "3r2k1/5ppp/8/8/8/8/P4PPP/6K1 w - - 0 1", "Black threatens Rd1# (a back-rank mate)"),
    ("smothered mate", "6rk/6pp/7N/8/8/8/6PP/6K1 b - - 0 1", "White threatens Nf7# (a smothered mate)"),
    ("knight fork", "4k3/pp3ppp/8/8/1n6/8/PP3PPP/R3K2R w - - 0 1", "Black threatens Nc2+, a fork of king and rook"),
    ("promotion", "8/1k6/8/8/8/6K1/p7/8 w - - 0 1", "Black threatens a1=Q"),
    ("undefended knight", "4k3/5ppp/8/3b4/8/5N2/5P1P/4K3 w - - 0 1", "Black threatens Bxf3, winning a knight"),
    ("undefended rook", "4k3/8/8/8/3b4/8/5PPP/R5K1 b - - 0 1", ""),
    ("queen attacked by a pawn", "6k1/8/8/3p4/4Q3/8/8/4K3 w - - 0 1", "Black threatens dxe4, winning the queen"),
    ("pawn attacks a knight", "4k3/5ppp/8/2p5/3N4/8/5PPP/4K3 w - - 0 1", "Black threatens cxd4, winning a knight"),
    ("rook skewer", "4k2r/8/8/8/8/8/R7/4K3 b k - 0 1", "White threatens Ra8+, a skewer of king and rook"),
    ("two rooks", "6k1/8/8/8/8/8/rr6/6K1 w - - 0 1", "Black threatens Ra1#"),
    ("start position", chess.STARTING_FEN, ""),
    ("Italian game", "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", ""),
    ("Petrov: what is taken can be taken back", "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", ""),
    ("Ruy Lopez: the pawn cannot be held", "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
     "Black threatens axb5, winning a bishop"),
    ("escaping a mate is no threat", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", ""),
    ("saving a queen is no threat", "r3k2r/ppp2ppp/2n5/3q4/3P4/2N5/PPP2PPP/R2QK2R w KQkq - 0 1", None),
    ("bare kings and a pawn far from promotion", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", ""),
    ("discovered attack on the queen", "3q2k1/5ppp/8/8/3N4/8/5PPP/3R2K1 b - - 0 1", "White threatens"),
    ("pinned knight", "4k3/8/8/4n3/8/5P2/6K1/4R3 b - - 0 1", "White threatens"),
]  # fmt: skip

# A position, a move, what refutes it and what is said of it.
REFUTED = [
    ("scholar's mate", "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "Nf6", "Qxf7#",
     "allows mate in 1"),
    ("fool's mate", "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2", "g4", "Qh4#", "allows mate in 1"),
    ("Legal's mate", "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5", "Bxd1", "Bxf7+",
     "allows mate in 2"),
    ("a bishop for nothing", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "Ba6", None,
     "hangs the bishop"),
    ("back rank", "4r1k1/p4ppp/8/1p6/8/1Q6/5PPP/6K1 w - - 0 1", "Qa3", "Re1#", "allows a back-rank mate"),
    ("knight fork", "r3k3/pp3ppp/8/8/3n4/8/PP3PPP/R1B2K2 w - - 0 1", "Ke1", "Nc2+", "allows a fork of king and rook"),
    ("queen for a pawn", "rnbqkbnr/ppp1pppp/8/3p4/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2", "Nd4", None, ""),
    ("queen hangs", "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3", "Qe5+", None, ""),
    ("queen taken by a pawn", "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3", "Qc4", "Bxc4",
     "hangs the queen"),
    ("stalemate instead of mate", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", None, ""),
    ("the exchange", "4k3/ppp5/8/8/8/5b2/PPP5/2R1K3 w - - 0 1", "Rd1", "Bxd1", "the exchange"),
]  # fmt: skip


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mib=4) as one:
        yield one


@pytest.mark.parametrize("fen, said", [pytest.param(*row[1:], id=row[0]) for row in THREATS])
def test_the_known_threat_is_said_and_nothing_else_is(engine, fen, said):
    engine.new_game()
    answer = engine.explain(fen, limit=LIMIT)
    theirs = [threat for threat in answer.threats if threat.side != answer.turn]
    assert len(theirs) == 1
    if said == "":
        assert not theirs[0].is_real
        assert any(sentence.endswith("threatens nothing at once.") for sentence in answer.sentences)
    elif said is None:
        assert "Qe6" not in theirs[0].line_san[0] or not theirs[0].is_real
    else:
        assert any(sentence.startswith(said) for sentence in answer.sentences)


@pytest.mark.parametrize("fen, move, refutation, reason", [pytest.param(*row[1:], id=row[0]) for row in REFUTED])
def test_the_known_refutation_is_found_and_named(engine, fen, move, refutation, reason):
    engine.new_game()
    answer = engine.explain(fen, move, LIMIT)
    assert answer.move is not None and answer.move.san.rstrip("+#") == move.rstrip("+#")
    if refutation is not None:
        assert answer.move.line_san[1] == refutation
    assert reason in answer.move.reason
