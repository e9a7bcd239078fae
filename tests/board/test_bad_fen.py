"""A FEN that is malformed or impossible is refused by a sentence, and nothing changes."""

import random

import chess
import pytest

from cythera import CytheraError, InvalidFenError, Position

ROWS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
KINGS = "4k3/8/8/8/8/8/8/4K3"

BAD = {
    # The text
    "": "the FEN is empty",
    " \t\n ": "the FEN is empty",
    "x": "4 or 6 fields, got 1",
    f"{ROWS} w KQkq": "4 or 6 fields, got 3",
    f"{ROWS} w KQkq - 0": "4 or 6 fields, got 5",
    f"{ROWS} w KQkq - 0 1 x": "4 or 6 fields, got 7",
    f"{ROWS} w KQkq - 0 1; bm e4": "4 or 6 fields, got 8",
    "8/" * 500_000: "at most 200 characters long, got 1000000",
    # The board
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1": "must have 8 ranks, got 7",
    f"{ROWS}/8 w KQkq - 0 1": "must have 8 ranks, got 9",
    "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1": "rank 7 must consist of pieces and numbers 1-8, got 'x'",
    "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1": "rank 6 must consist of pieces and numbers 1-8, got '9'",
    "rnbqkbnr/pppppppp/0/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1": "rank 6 must consist of pieces and numbers 1-8, got '0'",
    "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1": r"rank 7 must describe 8 squares, got 7 \('ppppppp'\)",
    "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1": r"rank 6 \('44'\) has two numbers in a row",
    "rnbqkbnr/pppppppp/7pp/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1": r"rank 6 must describe 8 squares, got more than 8",
    "rnbqkbnr/pppppppp//8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1": r"rank 6 must describe 8 squares, got 0 \(''\)",
    # The pieces
    "8/8/8/8/8/8/8/4K3 w - - 0 1": "Black has 0 kings instead of 1",
    "4k3/8/8/8/8/8/8/8 w - - 0 1": "White has 0 kings instead of 1",
    "4k3/8/8/8/8/8/8/K3K3 w - - 0 1": "White has 2 kings instead of 1",
    "4k2k/8/8/8/8/8/8/4K3 w - - 0 1": "Black has 2 kings instead of 1",
    "P3k3/8/8/8/8/8/8/4K3 w - - 0 1": "a pawn stands on a8",
    "4k3/8/8/8/8/8/8/4K2p w - - 0 1": "a pawn stands on h1",
    "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1": "White has 9 pawns",
    "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1": "Black has 9 pawns",
    "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1": "White has 17 pieces",
    # The side to move
    f"{ROWS} x KQkq - 0 1": "side to move must be 'w' or 'b', got 'x'",
    f"{ROWS} W KQkq - 0 1": "side to move must be 'w' or 'b', got 'W'",
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1": "king of Black on e8 is in check from e2, but it is White to move",
    "4k3/8/8/8/7b/8/8/4K3 b - - 0 1": "king of White on e1 is in check from h4, but it is Black to move",
    "8/8/8/3kK3/8/8/8/8 w - - 0 1": "king of Black on d5 is in check from e5",
    "3rk3/8/8/b6b/8/2n5/8/3K4 w - - 0 1": "king of White is in check from more than two pieces",
    # Castling
    f"{ROWS} w KQkqK - 0 1": "castling rights must be at most four letters, got 'KQkqK'",
    f"{ROWS} w KX - 0 1": "unknown castling right 'X' in 'KX'",
    f"{ROWS} w K- - 0 1": "unknown castling right '-' in 'K-'",
    f"{ROWS} w KK - 0 1": "'KK' name the same side twice",
    f"{ROWS} w KH - 0 1": "'KH' name the same side twice",
    f"{KINGS} w K - 0 1": "'K' has no rook of White",
    f"{KINGS} w q - 0 1": "'q' has no rook of Black",
    "4k3/8/8/8/8/8/8/R3K3 w K - 0 1": "'K' has no rook of White",
    "4k3/8/8/8/8/8/8/R3K3 w B - 0 1": "'B' has no rook of White",
    "4k3/8/8/8/8/8/4K3/7R w K - 0 1": "king of White on its first rank, but it stands on e2",
    "7r/4k3/8/8/8/8/8/4K3 b k - 0 1": "king of Black on its first rank, but it stands on e7",
    "4k3/8/8/8/8/8/8/3K3R w K - 0 1": r"standard chess \(they stand on d1 and h1\); is this Chess960\?",
    "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1": r"standard chess \(they stand on e1 and g1\); is this Chess960\?",
    # En passant
    f"{ROWS} w KQkq e - 1": "en-passant square must be a square or '-', got 'e'",
    f"{ROWS} w KQkq e9 0 1": "en-passant square must be a square or '-', got 'e9'",
    f"{ROWS} w KQkq E6 0 1": "en-passant square must be a square or '-', got 'E6'",
    f"{ROWS} w KQkq e66 0 1": "en-passant square must be a square or '-', got 'e66'",
    f"{ROWS} w KQkq e3 0 1": "e3 is on the wrong rank for White to take",
    f"{ROWS} b KQkq e6 0 1": "e6 is on the wrong rank for Black to take",
    f"{ROWS} w KQkq e6 0 1": "e6 has no pawn of Black in front of it",
    "4k3/4n3/8/3Pp3/8/8/8/4K3 w - e6 0 1": "e6 is impossible: the pawn could not have passed over it",
    "4k3/8/4n3/3Pp3/8/8/8/4K3 w - e6 0 1": "e6 is impossible: the pawn could not have passed over it",
    # The counters
    f"{ROWS} w KQkq - -1 1": "half-move clock must be a number, got '-1'",
    f"{ROWS} w KQkq - x 1": "half-move clock must be a number, got 'x'",
    f"{ROWS} w KQkq - 1.5 1": "half-move clock must be a number, got '1.5'",
    f"{ROWS} w KQkq - ٣ 1": "half-move clock must be a number, got '٣'",
    f"{ROWS} w KQkq - 99999 1": r"half-move clock must be at most \d+, got 99999",
    f"{ROWS} w KQkq - 0 x": "move number must be a number, got 'x'",
    f"{ROWS} w KQkq - 0 1e3": "move number must be a number, got '1e3'",
    f"{ROWS} w KQkq - 0 999999": r"move number must be at most \d+, got 999999",
    f"{ROWS} w KQkq - 0 {'9' * 50}": "move number must be a number, got '9{20}'",
}


@pytest.mark.parametrize(("fen", "sentence"), BAD.items(), ids=range(len(BAD)))
def test_a_bad_fen_is_refused_by_a_sentence_that_says_what_is_wrong(core, fen, sentence):
    with pytest.raises(InvalidFenError, match=sentence):
        core.Board(fen)


@pytest.mark.parametrize("fen", BAD, ids=range(len(BAD)))
def test_a_refused_fen_leaves_the_old_position_with_its_history(fen):
    position = Position()
    position.push("e2e4")
    before = position.fen(), position.key, position.history(), position.chess960
    with pytest.raises(InvalidFenError):
        position.set_fen(fen)
    assert (position.fen(), position.key, position.history(), position.chess960) == before
    position.pop()
    assert position == Position()


def test_an_invalid_fen_is_a_value_error_and_an_error_of_cythera():
    assert issubclass(InvalidFenError, ValueError)
    assert issubclass(InvalidFenError, CytheraError)


def test_no_letter_of_any_script_passes_for_a_castling_right_or_a_piece():
    for code in range(128, 0x3000):
        letter = chr(code)
        if letter.isspace():
            continue
        for fen in (f"r3k2r/8/8/8/8/8/8/R3K2R w {letter} - 0 1", f"r3k2r/8/8/8/8/8/7{letter}/R3K2R w - - 0 1"):
            with pytest.raises(InvalidFenError):
                Position(fen, chess960=True)


def test_mutated_fens_are_refused_or_give_positions_python_chess_knows_too():
    rng = random.Random(13)
    seeds = [f"{ROWS} w KQkq - 0 1", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"]
    seeds.append("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3")
    letters = "pnbrqkPNBRQK12345678/ wb-KQkqabcdefgh09\x00\ud800é"
    accepted = 0
    for _ in range(20_000):
        text = list(rng.choice(seeds))
        for _ in range(rng.choice((1, 1, 2, 4))):
            at = rng.randrange(len(text))
            text[at : at + rng.randrange(2)] = rng.choice(letters) if rng.random() < 0.8 else ""
        fen = "".join(text)
        try:
            position = Position(fen, chess960=True)
        except InvalidFenError:
            continue
        accepted += 1
        board = chess.Board(fen, chess960=True)
        assert not board.status() & ~(chess.STATUS_IMPOSSIBLE_CHECK | chess.STATUS_BAD_CASTLING_RIGHTS), fen
        assert sorted(move.uci() for move in position.legal_moves()) == sorted(map(str, board.legal_moves)), fen
    assert accepted > 500


def test_positions_python_chess_finds_valid_are_read():
    from support import twins

    rng = random.Random(5)
    for _ in range(2000):
        board = twins.scattered_start(rng)
        assert Position(board.fen(shredder=True), chess960=True).fen() == board.fen()
