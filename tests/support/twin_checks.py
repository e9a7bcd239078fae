"""What the twins must agree on, one function for each subject. See `twins`."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import chess

from cythera import IllegalMoveError, Position
from support.twins import Pair

EXCHANGE_VALUES = {  # centipawns, as in ext/see.pxi
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 950,
    chess.KING: 0,
}


def legal_moves(pair: Pair) -> None:
    ours = [move.uci() for move in pair.ours.legal_moves()]
    pair.agree("legal moves", sorted(ours), sorted(move.uci() for move in pair.theirs.legal_moves))
    noisy = [move.uci() for move in pair.ours.legal_moves("noisy")]
    quiet = [move.uci() for move in pair.ours.legal_moves("quiet")]
    pair.agree("noisy and quiet moves together", sorted(noisy + quiet), sorted(ours))
    pair.agree("perft to depth 1", pair.ours.perft(1), len(ours))


def move_kinds(pair: Pair) -> None:
    board = pair.theirs
    noisy = set(pair.ours.legal_moves("noisy"))
    for ours in pair.ours.legal_moves():
        theirs = board.parse_uci(ours.uci())
        capture, castling = board.is_capture(theirs), board.is_castling(theirs)
        pair.agree(f"capture by {ours}", ours.is_capture, capture)
        pair.agree(f"castling by {ours}", ours.is_castling, castling)
        pair.agree(f"en passant by {ours}", ours.is_en_passant, board.is_en_passant(theirs))
        pair.agree(f"noise of {ours}", ours in noisy, capture or theirs.promotion is not None)
        letter = chess.piece_symbol(theirs.promotion) if theirs.promotion else None
        pair.agree(f"promotion by {ours}", ours.promotion, letter)
        pair.agree(f"start of {ours}", ours.from_square, theirs.from_square)
        if not castling:
            pair.agree(f"end of {ours}", ours.to_square, theirs.to_square)


def fens(pair: Pair) -> None:
    pair.agree("FEN", pair.ours.fen(), pair.theirs.fen(en_passant="legal"))
    pair.agree("Shredder-FEN", pair.ours.fen(shredder=True), pair.theirs.fen(shredder=True, en_passant="legal"))
    for shredder in (False, True):
        fen = pair.ours.fen(shredder=shredder)
        again = Position(fen, chess960=pair.theirs.chess960)
        pair.agree("FEN written and read", again.fen(shredder=shredder), fen)
        pair.agree("key of the FEN", again.key, pair.ours.key)
    ours = [pair.ours.piece_at(square) for square in chess.SQUARES]
    theirs = [piece and piece.symbol() for piece in map(pair.theirs.piece_at, chess.SQUARES)]
    pair.agree("pieces", ours, theirs)
    pair.agree("side to move", pair.ours.turn, "w" if pair.theirs.turn else "b")
    pair.agree("half-move clock", pair.ours.halfmove_clock, pair.theirs.halfmove_clock)
    pair.agree("move number", pair.ours.fullmove_number, pair.theirs.fullmove_number)


def endings(pair: Pair) -> None:
    ours, theirs = pair.ours, pair.theirs
    pair.agree("check", ours.is_check(), theirs.is_check())
    pair.agree("checkmate", ours.is_checkmate(), theirs.is_checkmate())
    pair.agree("stalemate", ours.is_stalemate(), theirs.is_stalemate())
    pair.agree("insufficient material", ours.is_insufficient_material(), theirs.is_insufficient_material())
    pair.agree("fifty moves", ours.is_fifty_moves(), theirs.is_fifty_moves())
    if pair.passed:  # a null move ends what can be repeated for us, not for python-chess
        return
    for count in (2, 3, 4):
        pair.agree(f"repetition {count}", ours.is_repetition(count), theirs.is_repetition(count))
    draw = theirs.is_stalemate() or theirs.is_insufficient_material()
    pair.agree("draw", ours.is_draw(), draw or theirs.is_repetition(3) or theirs.is_fifty_moves())


def checks_given(pair: Pair) -> None:
    for move in pair.theirs.legal_moves:
        pair.agree(f"check by {move}", pair.ours.gives_check(move.uci()), pair.theirs.gives_check(move))


def attackers(pair: Pair) -> None:
    for square in pair.rng.sample(chess.SQUARES, 8):
        for colour, letter in ((chess.WHITE, "w"), (chess.BLACK, "b")):
            theirs = sorted(pair.theirs.attackers(colour, square))
            pair.agree(f"attackers of square {square}", pair.ours.attackers(letter, square), theirs)


def threats(pair: Pair) -> None:
    """A piece is threatened if a lesser enemy attacks it: a pawn a minor, a minor a rook, and so on."""
    lesser = {
        chess.KNIGHT: (chess.PAWN,),
        chess.BISHOP: (chess.PAWN,),
        chess.ROOK: (chess.PAWN, chess.KNIGHT, chess.BISHOP),
        chess.QUEEN: (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK),
    }
    board = pair.theirs
    for colour, letter in ((chess.WHITE, "w"), (chess.BLACK, "b")):
        theirs = [
            square
            for piece_type, enemies in lesser.items()
            for square in board.pieces(piece_type, colour)
            if any(board.piece_type_at(attacker) in enemies for attacker in board.attackers(not colour, square))
        ]
        pair.agree(f"threatened pieces of {letter}", pair.ours.threatened(letter), sorted(theirs))


def keys(pair: Pair) -> None:
    """Incremental keys are the ones from scratch; within a game one key is one position."""
    pair.agree("keys", pair.keys_now(), pair.core.keys_from_scratch(pair.ours))
    name = " ".join(pair.ours.fen(shredder=True).split()[:4])
    pair.agree("position of the key", pair.named.setdefault(pair.ours.key, name), name)
    pair.agree("key of the position", pair.keyed.setdefault(name, pair.ours.key), pair.ours.key)


def effects(pair: Pair) -> None:
    """A few moves played and taken back."""
    ours, theirs = pair.ours, pair.theirs
    before = ours.fen(), pair.keys_now()
    moves = list(theirs.legal_moves)
    for move in pair.rng.sample(moves, min(4, len(moves))):
        prefetched, rights = pair.core.prefetched_key(ours, move.uci()), theirs.castling_rights
        special = move.promotion or theirs.is_castling(move) or theirs.is_en_passant(move)
        ours.push(move.uci())
        theirs.push(move)
        pair.agree(f"position after {move}", ours.fen(), theirs.fen())
        pair.agree(f"keys after {move}", pair.keys_now(), pair.core.keys_from_scratch(ours))
        if not special and theirs.castling_rights == rights and not theirs.has_legal_en_passant():
            pair.agree(f"key prefetched of {move}", prefetched, ours.key)
        pair.agree("move taken back", ours.pop().uci(), theirs.pop().uci())
        pair.agree(f"position before {move}", (ours.fen(), pair.keys_now()), before)


def words(pair: Pair) -> None:
    """Of all 65,536 words exactly the legal moves pass the test for hash moves."""
    ours, is_legal_word = pair.ours, pair.core.is_legal_word  # looked up once: 65,536 calls follow
    legal = [word for word in range(1 << 16) if is_legal_word(ours, word)]
    pair.agree("legal words", legal, sorted(pair.core.move_words(ours)))


def refusals(pair: Pair) -> None:
    """Texts that look like moves are legal only if they are."""
    rng, ours = pair.rng, pair.ours
    before = ours.fen(shredder=True)
    legal = {move.uci() for move in pair.theirs.legal_moves}
    for _ in range(8):
        squares = rng.choice(chess.SQUARE_NAMES) + rng.choice(chess.SQUARE_NAMES)
        text = squares + rng.choice(("", "", "", "q", "n", "k", "p"))
        if text in legal:
            continue
        try:  # castling may be written both ways; python-chess reads both as well
            known = pair.theirs.parse_uci(text).uci() in legal
        except ValueError:
            known = False
        if known or (pair.theirs.chess960 and ours.is_legal(text) and ours.parse_move(text).is_castling):
            continue
        pair.agree(f"legality of {text}", ours.is_legal(text), False)
        try:
            ours.push(text)
        except IllegalMoveError:
            pair.agree("position after a refusal", ours.fen(shredder=True), before)
        else:
            pair.agree(f"push of {text}", "played", "refused")


def exchanges(pair: Pair) -> None:
    """The threshold at which see() turns is the value the slow reference finds."""
    moves = list(pair.theirs.legal_moves)
    captures = [move for move in moves if pair.theirs.is_capture(move)]
    for move in captures + pair.rng.sample(moves, min(4, len(moves))):
        value = exchange_value(pair.theirs, move)
        verdicts = [pair.ours.see(move.uci(), threshold) for threshold in (value - 1, value, value + 1)]
        pair.agree(f"exchange {move} worth {value}", verdicts, [True, True, False])


def exchange_value(board: chess.Board, move: chess.Move) -> int:
    """What `move` wins in centipawns if both go on taking on its square with their cheapest piece
    as long as that is better. As documented in ext/see.pxi: pieces pinned at the start stay out
    while a pinner of their king stands; the king takes nothing defended; castling is worth 0."""
    if board.is_castling(move):
        return 0
    target, here = move.to_square, chess.BB_SQUARES[move.to_square]
    occupied = (board.occupied & ~chess.BB_SQUARES[move.from_square]) | here
    taken = board.piece_type_at(target)
    if board.is_en_passant(move):
        taken = chess.PAWN
        occupied &= ~chess.BB_SQUARES[chess.square(chess.square_file(target), chess.square_rank(move.from_square))]
    gain = EXCHANGE_VALUES[taken] if taken else 0
    stake = EXCHANGE_VALUES[board.piece_type_at(move.from_square) or chess.PAWN]
    if move.promotion:
        stake = EXCHANGE_VALUES[move.promotion]
        gain += stake - EXCHANGE_VALUES[chess.PAWN]
    pins = {colour: pins_of(board, colour) for colour in chess.COLORS}

    def takers_of(side: chess.Color, occupied: int) -> int:
        return board.attackers_mask(side, target, occupied) & occupied & ~here

    def best(side: chess.Color, stake: int, occupied: int) -> int:
        takers = takers_of(side, occupied)
        pinned, pinners = pins[side]
        if pinners & occupied & ~here:
            takers &= ~pinned
        if not takers:
            return 0
        types = [
            (EXCHANGE_VALUES[kind] if kind != chess.KING else 10_000, square)
            for square in chess.scan_forward(takers)
            if (kind := board.piece_type_at(square))
        ]
        square = min(types)[1]
        kind = board.piece_type_at(square)
        if kind == chess.KING and takers_of(not side, occupied):
            return 0
        return max(0, stake - best(not side, EXCHANGE_VALUES[kind], occupied & ~chess.BB_SQUARES[square]))

    return gain - best(not board.turn, stake, occupied)


def pins_of(board: chess.Board, colour: chess.Color) -> tuple[int, int]:
    """Sets of a side's pieces pinned to their king and of the enemy sliders that pin them."""
    king = board.king(colour)
    straight = chess.BB_RANK_ATTACKS[king][0] | chess.BB_FILE_ATTACKS[king][0]
    diagonal = chess.BB_DIAG_ATTACKS[king][0]
    enemies = straight & (board.rooks | board.queens) | diagonal & (board.bishops | board.queens)
    pinned = pinners = 0
    for square in chess.scan_forward(enemies & board.occupied_co[not colour]):
        between = chess.between(king, square) & board.occupied
        if between.bit_count() == 1 and between & board.occupied_co[colour]:
            pinned |= between
            pinners |= chess.BB_SQUARES[square]
    return pinned, pinners


def copies(pair: Pair) -> None:
    """Copies, pickles and conversions are the same position with the same history."""
    ours, theirs = pair.ours, pair.theirs
    history = [move.uci() if move else "0000" for move in theirs.move_stack]
    pair.agree("history", ours.history(), history)
    pair.agree("root", ours.root_fen(), theirs.root().fen())
    converted = Position.from_board(theirs)
    restored = pickle.loads(pickle.dumps(ours))
    for twin in (ours.copy(), copy.copy(ours), copy.deepcopy(ours), restored, converted):
        pair.agree("copy", (twin.fen(), twin.key, twin.history()), (ours.fen(), ours.key, history))
        pair.agree("equality and hash", (twin == ours, hash(twin) == hash(ours)), (True, True))
        pair.agree("repetition in the copy", twin.is_repetition(2), ours.is_repetition(2))
        if history:
            twin.pop()
            pair.agree("the original after a pop of its copy", len(ours.history()), len(history))
    board = ours.to_board()
    pair.agree("chess.Board", (board.fen(), board.move_stack), (theirs.fen(), theirs.move_stack))


# Subject -> (check, at how many positions the soak makes it once): dear ones more rarely.
CHECKS: dict[str, tuple[Callable[[Pair], None], int]] = {
    "legal_moves": (legal_moves, 1),
    "move_kinds": (move_kinds, 2),
    "fens": (fens, 1),
    "endings": (endings, 1),
    "checks_given": (checks_given, 2),
    "attackers": (attackers, 2),
    "threats": (threats, 4),
    "keys": (keys, 1),
    "effects": (effects, 2),
    "words": (words, 200),
    "refusals": (refusals, 4),
    "exchanges": (exchanges, 4),
    "copies": (copies, 200),
}
