# FEN: text to position and back, for standard chess, X-FEN and Shredder-FEN. Runs with the GIL and validates:
# errors say what is wrong and where.

cdef object InvalidFenError = ValueError        # replaced by install_errors
cdef object IllegalMoveError = ValueError

cdef enum:
    LONGEST_FEN = 200
    LARGEST_CLOCK = 32_000      # half-moves; with the longest game of a board it fits 16 bits
    LARGEST_MOVE = 100_000


def install_errors(invalid_fen, illegal_move):
    """Sets the exception classes the core raises; the core itself imports nothing of cythera."""
    global InvalidFenError, IllegalMoveError
    InvalidFenError = invalid_fen
    IllegalMoveError = illegal_move


cdef str PIECE_LETTERS = "PNBRQK  pnbrqk  "
cdef tuple COLOUR_NAMES = ("White", "Black")


cdef int parse_placement(Position* pos, str text) except -1:
    cdef list ranks = text.split("/")
    cdef int i, f, sq
    cdef str row, letter
    cdef bint after_number
    if len(ranks) != 8:
        raise InvalidFenError(f"the board must have 8 ranks, got {len(ranks)}: {text!r}")
    for i, row in enumerate(ranks):
        f = 0
        after_number = False
        for letter in row:
            if letter in "12345678":
                if after_number:
                    raise InvalidFenError(f"rank {8 - i} ({row!r}) has two numbers in a row")
                f += int(letter)
            elif letter in "PNBRQKpnbrqk":
                if f < 8:
                    sq = 8 * (7 - i) + f
                    put_piece(pos, PIECE_LETTERS.index(letter), sq)
                f += 1
            else:
                raise InvalidFenError(f"rank {8 - i} must consist of pieces and numbers 1-8, got {letter!r}")
            after_number = letter in "12345678"
            if f > 8:
                break
        if f != 8:
            raise InvalidFenError(
                f"rank {8 - i} must describe 8 squares, got {'more than 8' if f > 8 else f} ({row!r})")
    return 0


cdef int check_material(const Position* pos) except -1:
    """Refuses boards that cannot be searched: more pieces of a colour than any list of moves has room for. How they
    could have come about does not matter."""
    cdef int colour, pawns
    cdef u64 own
    if pos.pieces[PAWN] & (RANK_1 | RANK_8):
        raise InvalidFenError(f"a pawn stands on {square_name(ctz(pos.pieces[PAWN] & (RANK_1 | RANK_8)))}, "
                              "where no pawn can stand")
    for colour in range(2):
        own = pos.colours[colour]
        if popcount(own & pos.pieces[KING]) != 1:
            raise InvalidFenError(f"{COLOUR_NAMES[colour]} has {popcount(own & pos.pieces[KING])} kings instead of 1")
        pawns = popcount(own & pos.pieces[PAWN])
        if pawns > 8:
            raise InvalidFenError(f"{COLOUR_NAMES[colour]} has {pawns} pawns, more than 8")
        if popcount(own) > 16:
            raise InvalidFenError(f"{COLOUR_NAMES[colour]} has {popcount(own)} pieces, more than 16")
    return 0


cdef int parse_castling(Position* pos, str text, bint chess960) except -1:
    cdef str letter
    cdef int colour, ksq, right, rook_sq
    cdef u64 rooks, side_rooks
    if text == "-":
        return 0
    if len(text) > 4:
        raise InvalidFenError(f"castling rights must be at most four letters, got {text!r}")
    for letter in text:
        colour = WHITE if letter.isupper() else BLACK
        if letter.upper() not in "KQABCDEFGH":
            raise InvalidFenError(f"unknown castling right {letter!r} in {text!r}")
        ksq = king_square(pos, colour)
        if rank_of(ksq) != 7 * colour:
            raise InvalidFenError(f"castling right {letter!r} needs the king of {COLOUR_NAMES[colour]} "
                                  f"on its first rank, but it stands on {square_name(ksq)}")
        rooks = pieces_of(pos, colour, ROOK) & (RANK_1 << (56 * colour))
        if letter in "Kk":
            side_rooks = rooks & ~(square_bit(ksq) - 1)
            rook_sq = msb(side_rooks) if side_rooks else <int>NO_SQ
        elif letter in "Qq":
            side_rooks = rooks & (square_bit(ksq) - 1)
            rook_sq = ctz(side_rooks) if side_rooks else <int>NO_SQ
        else:
            rook_sq = "ABCDEFGH".index(letter.upper()) + 56 * colour
            if not rooks & square_bit(rook_sq):
                rook_sq = NO_SQ
        if rook_sq == NO_SQ:
            raise InvalidFenError(f"castling right {letter!r} has no rook of {COLOUR_NAMES[colour]} to castle with")
        right = 2 * colour + (rook_sq < ksq)
        if not chess960 and (file_of(ksq) != 4 or file_of(rook_sq) != (0 if right & 1 else 7)):
            raise InvalidFenError(f"castling right {letter!r} needs king and rook on their squares of standard chess "
                                  f"(they stand on {square_name(ksq)} and {square_name(rook_sq)}); is this Chess960?")
        if pos.st.castling >> right & 1:
            raise InvalidFenError(f"castling rights {text!r} name the same side twice")
        add_castling_right(pos, right, rook_sq)
    return 0


cdef int parse_en_passant(Position* pos, str text) except -1:
    cdef int sq, them = pos.side ^ 1
    if text == "-":
        return 0
    if len(text) != 2 or text[0] not in "abcdefgh" or text[1] not in "12345678":
        raise InvalidFenError(f"en-passant square must be a square or '-', got {text!r}")
    sq = "abcdefgh".index(text[0]) + 8 * "12345678".index(text[1])
    if relative_rank(pos.side, sq) != 5:
        raise InvalidFenError(f"en-passant square {text} is on the wrong rank for {COLOUR_NAMES[pos.side]} to take")
    if not pieces_of(pos, them, PAWN) & square_bit(sq ^ 8):
        raise InvalidFenError(f"en-passant square {text} has no pawn of {COLOUR_NAMES[them]} in front of it")
    if occupied_of(pos) & (square_bit(sq) | square_bit(sq - 8 + 16 * them)):
        raise InvalidFenError(f"en-passant square {text} is impossible: the pawn could not have passed over it")
    pos.st.passed = <u8>sq
    # Kept only where a capture is legal, so that equal positions have equal keys.
    if some_en_passant_is_legal(pos, sq):
        pos.st.ep = <u8>sq
    return 0


cdef int parse_counter(str text, str name, int lowest_value, int highest) except -1:
    cdef int value
    if not (text.isascii() and text.isdigit()) or len(text) > 6:
        raise InvalidFenError(f"{name} must be a number, got {text[:20]!r}")
    value = int(text)
    if value > highest:
        raise InvalidFenError(f"{name} must be at most {highest}, got {value}")
    return max(value, lowest_value)


cdef int parse_fen(Position* pos, str fen, bint chess960) except -1:
    """Sets up `pos` from a FEN; the two counters may be missing. An error leaves `pos` half set, so
    callers parse into a spare position and copy it."""
    cdef list fields
    cdef int fullmove
    cdef u64 opposite
    if len(fen) > LONGEST_FEN:
        raise InvalidFenError(f"a FEN must be at most {LONGEST_FEN} characters long, got {len(fen)}")
    fields = fen.split()
    if not fields:
        raise InvalidFenError("the FEN is empty")
    if len(fields) not in (4, 6):
        raise InvalidFenError(f"a FEN must have 4 or 6 fields, got {len(fields)}: {fen!r}")
    clear_position(pos)
    pos.chess960 = chess960
    parse_placement(pos, fields[0])
    check_material(pos)
    if fields[1] not in ("w", "b"):
        raise InvalidFenError(f"the side to move must be 'w' or 'b', got {fields[1]!r}")
    pos.side = WHITE if fields[1] == "w" else BLACK
    opposite = attackers_to(pos, king_square(pos, pos.side ^ 1), occupied_of(pos)) & pos.colours[pos.side]
    if opposite:
        raise InvalidFenError(
            f"the king of {COLOUR_NAMES[pos.side ^ 1]} on {square_name(king_square(pos, pos.side ^ 1))} "
            f"is in check from {square_name(ctz(opposite))}, but it is {COLOUR_NAMES[pos.side]} to move")
    if popcount(checkers_of(pos)) > 2:
        raise InvalidFenError(f"the king of {COLOUR_NAMES[pos.side]} is in check from more than two pieces at once")
    parse_castling(pos, fields[2], chess960)
    parse_en_passant(pos, fields[3])
    fullmove = 1
    if len(fields) == 6:
        pos.st.rule50 = <u16>parse_counter(fields[4], "the half-move clock", 0, LARGEST_CLOCK)
        fullmove = parse_counter(fields[5], "the move number", 1, LARGEST_MOVE)
    pos.start_ply = 2 * (fullmove - 1) + (pos.side == BLACK)
    compute_keys(pos, &pos.st)
    return 0


cdef str castling_text(const Position* pos, bint shredder):
    """The castling field: KQkq where that is unambiguous, else the rook's file (X-FEN)."""
    cdef list letters = []
    cdef int right, colour, rook_sq
    cdef u64 rooks
    cdef str letter
    for right in range(4):
        if not pos.st.castling >> right & 1:
            continue
        colour = right >> 1
        rook_sq = pos.castle_rook[right]
        rooks = pieces_of(pos, colour, ROOK) & (RANK_1 << (56 * colour))
        rooks &= (square_bit(rook_sq) - 1) if right & 1 else ~((square_bit(rook_sq) << 1) - 1)
        if shredder or rooks:
            letter = "ABCDEFGH"[file_of(rook_sq)]
        else:
            letter = "Q" if right & 1 else "K"
        letters.append(letter if colour == WHITE else letter.lower())
    return "".join(letters) or "-"


cdef str format_fen(const Position* pos, bint shredder):
    cdef list rows = []
    cdef str row
    cdef int r, f, pc, gap
    cdef int ply = pos.start_ply + pos.depth
    for r in range(7, -1, -1):
        row = ""
        gap = 0
        for f in range(8):
            pc = pos.board[8 * r + f]
            if pc == EMPTY:
                gap += 1
                continue
            if gap:
                row += str(gap)
                gap = 0
            row += PIECE_LETTERS[pc]
        if gap:
            row += str(gap)
        rows.append(row)
    return (f"{'/'.join(rows)} {'wb'[pos.side]} {castling_text(pos, shredder)} "
            f"{'-' if pos.st.ep == NO_SQ else square_name(pos.st.ep)} {pos.st.rule50} {ply // 2 + 1}")
