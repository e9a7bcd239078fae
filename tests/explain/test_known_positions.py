"""Threats and refutations that everybody knows, found by small searches."""

import chess
import pytest

from cythera import Engine, Limit

LIMIT = Limit(nodes=20_000)

# A position, and how the sentence begins that says what the side not to move threatens in it.
NOTHING = {"w": "Black threatens nothing at once.", "b": "White threatens nothing at once."}
THREATS = [
    ("scholar's mate", "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "White threatens Qxf7#"),
    ("scholar's mate by the queen on f3", "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 5 4",
     "White threatens Qxf7# (mate in 1)"),
    ("back-rank mate", "3r2k1/5ppp/8/8/8/8/P4PPP/6K1 w - - 0 1", "Black threatens Rd1# (a back-rank mate)"),
    ("back-rank mate after a sacrifice", "6k1/5ppp/8/8/8/4q3/5PPP/3R2K1 b - - 0 1",
     "White threatens mate in 2, a back-rank mate: Rd8+ Qe8 Rxe8#"),
    ("the queen takes a rook and mates", "5rk1/5ppp/8/8/8/8/1q3PPP/R5K1 w - - 0 1",
     "Black threatens Qxa1# (a back-rank mate)"),
    ("smothered mate", "6rk/6pp/7N/8/8/8/6PP/6K1 b - - 0 1", "White threatens Nf7# (a smothered mate)"),
    ("two rooks", "6k1/8/8/8/8/8/rr6/6K1 w - - 0 1", "Black threatens Ra1#"),
    ("knight fork", "r3k3/pp3ppp/8/8/1n6/8/PP3PPP/R3K2R w q - 0 1", "Black threatens Nc2+, a fork of king and rook"),
    ("Fried Liver: the fork on f7", "r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R b KQkq - 5 4",
     "White threatens Nxf7, a fork of queen and rook"),
    ("promotion", "8/1k6/8/8/8/6K1/p7/8 w - - 0 1", "Black threatens to promote: a1=Q"),
    ("promotion of White", "8/6P1/8/4k3/8/8/8/4K3 b - - 0 1", "White threatens to promote: g8=Q"),
    ("undefended knight", "4k3/5ppp/8/3b4/8/5N2/5P1P/4K3 w - - 0 1", "Black threatens Bxf3, winning a knight"),
    ("undefended bishop", "6k1/pp3ppp/8/3p4/3Pn3/8/PP1B1PPP/6K1 w - - 0 1",
     "Black threatens Nxd2, winning a bishop"),
    ("queen attacked by a pawn", "6k1/8/8/3p4/4Q3/8/8/4K3 w - - 0 1", "Black threatens dxe4, winning the queen"),
    ("queen attacked by a rook", "4k3/4r3/8/8/8/8/4Q3/4K3 w - - 0 1",
     "Black threatens Rxe2+, winning the queen for a rook"),
    ("pawn attacks a knight", "4k3/5ppp/8/2p5/3N4/8/5PPP/4K3 w - - 0 1", "Black threatens cxd4, winning a knight"),
    ("rook skewer", "4k2r/8/8/8/8/8/R7/4K3 b k - 0 1", "White threatens Ra8+, a skewer of king and rook"),
    ("Ruy Lopez: the pawn attacks the bishop", "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",
     "Black threatens axb5, winning a bishop"),
    ("pinned knight", "4k3/8/8/4n3/8/5P2/6K1/4R3 b - - 0 1", "White threatens Rxe5+"),
    ("the queen on d8 is attacked", "3qk3/8/8/8/8/4B3/8/3RK3 b - - 0 1",
     "White threatens Rxd8+, winning the queen for a rook"),
    ("undefended rook, but it is Black to move", "4k3/8/8/8/3b4/8/5PPP/R5K1 b - - 0 1", ""),
    ("start position", chess.STARTING_FEN, ""),
    ("Italian game", "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", ""),
    ("four knights", "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5", ""),
    ("Petrov: what is taken can be taken back", "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", ""),
    ("Petrov: a plan is no threat", "rnbqkb1r/pppp1ppp/5n2/4N3/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3", ""),
    ("two bishops that face each other", "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2PP1N2/PP1N1PPP/R1BQ1RK1 w - - 0 1", ""),
    ("escaping a mate is no threat", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", ""),
    ("saving a queen is no threat", "r3k2r/ppp2ppp/2n5/3q4/3P4/2N5/PPP2PPP/R2QK2R w KQkq - 0 1", ""),
    ("a queen that hangs threatens nothing", "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", ""),
    ("taking the knight would allow mate", "2r3k1/5ppp/8/8/8/2N5/5PPP/4R1K1 w - - 0 1", ""),
    ("rooks that face each other, defended", "r4rk1/5ppp/8/8/8/8/5PPP/R4RK1 b - - 0 1", ""),
    ("bare kings and a pawn far from promotion", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", ""),
    ("a pawn ending that is a draw", "8/8/1k6/8/8/1p6/8/K7 w - - 0 1", ""),
]  # fmt: skip

# A position, and what the engine's own move threatens.
OWN_THREATS = [
    ("a quiet move that threatens mate", "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
     "Qg6 threatens Qh7# (mate in 1)."),
    ("a fork after taking the queen", "r3k2r/ppp2ppp/2n5/3q4/3P4/2N5/PPP2PPP/R2QK2R w KQkq - 0 1",
     "Nxd5 threatens Nxc7+, a fork of king and rook"),
    ("a pawn attacks the queen", "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
     "g6 threatens gxh5, winning the queen"),
]  # fmt: skip

# A position, a move, what refutes it (none: several moves do) and what is said of it.
REFUTED = [
    ("scholar's mate", "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "Nf6", "Qxf7#",
     "allows mate in 1"),
    ("scholar's mate by the queen on f3", "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "d6",
     "Qxf7#", "allows mate in 1 (Qxf7#)"),
    ("fool's mate", "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2", "g4", "Qh4#", "allows mate in 1"),
    ("Legal's mate", "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5", "Bxd1", "Bxf7+",
     "allows mate in 2"),
    ("Legal's mate that fails", "r2qkbnr/ppp2ppp/2np4/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1", "Nxe5",
     "Nxe5", "hangs the knight"),
    ("a bishop for nothing", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "Ba6", None,
     "hangs the bishop"),
    ("back rank", "4r1k1/p4ppp/8/1p6/8/1Q6/5PPP/6K1 w - - 0 1", "Qa3", "Re1#", "allows a back-rank mate"),
    ("knight fork", "r3k3/pp3ppp/8/8/3n4/8/PP3PPP/R1B2K2 w - - 0 1", "Ke1", "Nc2+", "allows a fork of king and rook"),
    ("Petrov trap: the knight goes", "rnbqkb1r/pppp1ppp/8/4p3/4n3/5N2/PPPPQPPP/RNB1KB1R b KQkq - 1 4", "Nc6", "Qxe4",
     "hangs the knight on e4"),
    ("the pinned knight moves", "rnbqkb1r/ppp2ppp/4pn2/3p2B1/2PP4/2N5/PP2PPPP/R2QKBNR b KQkq - 3 4", "Ne4", "Bxd8",
     "loses the queen for a bishop"),
    ("queen taken by a bishop", "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3", "Qc4", "Bxc4",
     "hangs the queen"),
    ("misses a back-rank mate", "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", "h3", None, "misses a back-rank mate (Rb8#)"),
    ("misses a free queen", "rnb1kbnr/pppp1ppp/8/4p1q1/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 1 3", "Nc3", None,
     "misses winning the queen"),
    ("misses a free queen in an ending", "4k3/8/8/8/8/8/3q4/K2Q4 w - - 0 1", "Qb3", None, "misses winning the queen"),
    ("stalemate instead of mate", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", None, "gives stalemate"),
    ("stalemate instead of a win", "7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "Kb2", None, "gives stalemate"),
    ("the exchange", "4k3/ppp5/8/8/8/5b2/PPP5/2R1K3 w - - 0 1", "Rd1", "Bxd1", "the exchange"),
]  # fmt: skip

# A position, the best move, and what is said of its line.
IDEAS = [
    ("a knight fork", "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7+",
     "Nc7+ is a fork of king and rook: White wins a rook."),
    ("a skewer", "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8+", "Ra8+ is a skewer of king and rook: White wins a rook."),
    ("a back-rank mate", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8#", "Ra8# is a back-rank mate."),
    ("a smothered mate", "6rk/6pp/8/6N1/8/8/6PP/6K1 w - - 0 1", "Nf7#", "Nf7# is a smothered mate."),
    ("a free queen", "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "Nxg5",
     "White wins the queen."),
    ("a free rook", "4k3/8/8/3r4/8/4N3/4P3/4K3 w - - 0 1", "Nxd5", "White wins a rook."),
    ("a pawn is won back", "4k3/pp3ppp/8/8/4P3/b4P2/PP1B2PP/4K3 b - - 0 1", "Bxb2", "Black wins back a pawn."),
]  # fmt: skip


@pytest.fixture(scope="module")
def engine():
    with Engine(hash_mib=4) as one:
        yield one


def test_there_are_at_least_sixty_positions_and_none_twice_in_a_list():
    lists = (THREATS, OWN_THREATS, REFUTED, IDEAS)
    assert sum(map(len, lists)) >= 60
    for rows in lists:
        assert len({tuple(row[1:3]) for row in rows}) == len(rows)
        assert rows is THREATS or all(row[-1] for row in rows)


@pytest.mark.parametrize("fen, said", [pytest.param(*row[1:], id=row[0]) for row in THREATS])
def test_the_known_threat_is_said_and_nothing_else_is(engine, fen, said):
    engine.new_game()
    answer = engine.explain(fen, limit=LIMIT)
    other = {"w": "Black", "b": "White"}[answer.turn]
    (sentence,) = [one for one in answer.sentences if one.startswith(f"{other} threatens")]
    assert sentence.startswith(said or NOTHING[answer.turn])
    (threat,) = [one for one in answer.threats if one.side != answer.turn]
    assert threat.is_real == bool(said)


@pytest.mark.parametrize("fen, said", [pytest.param(*row[1:], id=row[0]) for row in OWN_THREATS])
def test_the_threat_of_the_best_move_is_said(engine, fen, said):
    engine.new_game()
    answer = engine.explain(fen, limit=Limit(nodes=40_000))
    assert any(sentence.startswith(said) for sentence in answer.sentences)


@pytest.mark.parametrize("fen, move, refutation, reason", [pytest.param(*row[1:], id=row[0]) for row in REFUTED])
def test_the_known_refutation_is_found_and_named(engine, fen, move, refutation, reason):
    engine.new_game()
    answer = engine.explain(fen, move, LIMIT)
    assert answer.move is not None and answer.move.san.rstrip("+#") == move.rstrip("+#")
    if refutation is not None:
        assert answer.move.line_san[1] == refutation
        assert any(f"{refutation} refutes" in sentence for sentence in answer.sentences)
    assert reason in answer.move.reason
    assert any(sentence.startswith(f"{answer.move.san} {reason}") for sentence in answer.sentences) or reason == (
        "the exchange"
    )


@pytest.mark.parametrize("fen, best, said", [pytest.param(*row[1:], id=row[0]) for row in IDEAS])
def test_the_idea_of_the_best_line_is_named(engine, fen, best, said):
    engine.new_game()
    answer = engine.explain(fen, limit=LIMIT)
    assert answer.best.san == best and said in answer.sentences


def test_moves_that_are_written_alike_are_told_apart(engine):
    engine.new_game()
    fen = next(row[1] for row in REFUTED if row[0] == "Legal's mate that fails")
    sentences = engine.explain(fen, "Nxe5", LIMIT).sentences
    assert any(sentence.startswith("Black's Nxe5 refutes White's Nxe5: ") for sentence in sentences)


@pytest.mark.parametrize("fen", [row[1] for row in IDEAS if "mate" in row[0]])
def test_a_mate_has_no_table_of_evaluation(engine, fen):
    engine.new_game()
    answer = engine.explain(fen, limit=LIMIT)
    assert "worth to the net" not in answer.text() and "evaluation" not in answer.text()
    assert "classical term" in answer.text(classical=True), "unless it is asked for"
