# SAN: moves in standard algebraic notation, read from bytes and written to them.
#
# Read leniently: check marks are not looked at, captures need no mark, promotions are written `e8=Q`, `e8Q`, `e8q`,
# `e8(Q)` or `e8/Q`, castling with the letter or the digit, and a piece may be fully specified, with its letter or
# without (`Ng1-f3`, `e2e4`). Text ends in a zero byte, so that looking one character ahead needs no test.

cdef enum:
    SAN_FOUND = 0
    SAN_SYNTAX = 1              # not the text of a move
    SAN_ILLEGAL = 2
    SAN_AMBIGUOUS = 3
    SAN_NO_PROMOTION = 4        # a pawn reaches the last rank, and the piece is missing
    SAN_LENGTH = 8              # the longest text written, "Qa1xb2+" or "exd8=Q+"

cdef const char* SAN_LETTERS = b"PNBRQK"
cdef u8 SAN_PIECES[256]         # letter -> piece type + 1, 0 for others; b is a file, never a bishop
cdef u8 SAN_PROMOTIONS[256]     # letter -> promotion index (n b r q) + 1


cdef void fill_san_tables() noexcept nogil:
    cdef int i
    for i in range(256):
        SAN_PIECES[i] = SAN_PROMOTIONS[i] = 0
    for i in range(6):
        SAN_PIECES[<u8>SAN_LETTERS[i]] = <u8>(i + 1)
        if i != PAWN and i != BISHOP:
            SAN_PIECES[<u8>SAN_LETTERS[i] + 32] = <u8>(i + 1)
        if i != PAWN and i != KING:
            SAN_PROMOTIONS[<u8>SAN_LETTERS[i]] = SAN_PROMOTIONS[<u8>SAN_LETTERS[i] + 32] = <u8>i


fill_san_tables()


cdef inline bint is_file(u8 c) noexcept nogil:
    return <u8>(c - 97) < 8


cdef inline bint is_rank(u8 c) noexcept nogil:
    return <u8>(c - 49) < 8


cdef inline bint is_alnum(u8 c) noexcept nogil:
    return <u8>((c | 32) - 97) < 26 or <u8>(c - 48) < 10


cdef inline int result_length(const u8* p) noexcept nogil:
    """The length of a result that begins here, 0 if there is none. `1/2` alone is a draw too."""
    if p[1] == c"-" and ((p[0] == c"1" and p[2] == c"0") or (p[0] == c"0" and p[2] == c"1")):
        return 3
    if p[0] != c"1" or p[1] != c"/" or p[2] != c"2":
        return 0
    return 7 if p[3] == c"-" and p[4] == c"1" and p[5] == c"/" and p[6] == c"2" else 3


cdef inline bint ends_a_move(const u8* p) noexcept nogil:
    """Whether a move can end here: not inside a word, but a result may be written without a space (`Qh81-0`), and so
    may `e.p.`."""
    return (not is_alnum(p[0]) or result_length(p) != 0
            or (p[0] == c"e" and (p[1] == c"." or p[1] == c"p")))


cdef inline bint passes_masks(const Position* pos, const Masks* masks, int from_sq, int to_sq) noexcept nogil:
    """Whether a pseudo-legal move of a piece other than the king respects checks and pins."""
    if (square_bit(to_sq) & masks.check_mask) == 0 or more_than_one(masks.checkers):
        return False
    if square_bit(from_sq) & (masks.pin_hv | masks.pin_d):
        return (LINE[king_square(pos, pos.side)][from_sq] & square_bit(to_sq)) != 0
    return True


cdef int resolve_pawn(const Position* pos, int from_file, int to_sq, int promotion, Move16* move) noexcept nogil:
    """A pawn move by its target, and by its file if it captures."""
    cdef int us = pos.side
    cdef int up = 8 - 16 * us
    cdef int from_sq, flags
    cdef u64 pawns = pieces_of(pos, us, PAWN)
    cdef u64 occupied = occupied_of(pos)
    cdef Masks masks
    if relative_rank(us, to_sq) < 2:
        return SAN_ILLEGAL
    from_sq = to_sq - up
    if from_file < 0 or from_file == file_of(to_sq):
        if occupied & square_bit(to_sq):
            return SAN_ILLEGAL
        flags = QUIET
        if (pawns & square_bit(from_sq)) == 0:
            if relative_rank(us, to_sq) != 3 or occupied & square_bit(from_sq):
                return SAN_ILLEGAL
            from_sq -= up
            flags = DOUBLE_PUSH
    else:
        from_sq += from_file - file_of(to_sq)
        if (PAWN_ATTACKS[us][from_sq] & square_bit(to_sq)) == 0:
            return SAN_ILLEGAL
        if pos.colours[us ^ 1] & square_bit(to_sq):
            flags = CAPTURE
        elif to_sq == pos.st.ep:
            flags = EN_PASSANT
        else:
            return SAN_ILLEGAL
    if (pawns & square_bit(from_sq)) == 0:
        return SAN_ILLEGAL
    if relative_rank(us, to_sq) == 7:
        if promotion < 0:
            return SAN_NO_PROMOTION
        flags += PROMOTION + promotion
    elif promotion >= 0:
        return SAN_ILLEGAL
    if flags == EN_PASSANT:
        if not en_passant_is_legal(pos, from_sq, to_sq):
            return SAN_ILLEGAL
    else:
        masks = masks_of(pos)
        if not passes_masks(pos, &masks, from_sq, to_sq):
            return SAN_ILLEGAL
    move[0] = make_move_word(from_sq, to_sq, flags)
    return SAN_FOUND


cdef int resolve_piece(const Position* pos, int pt, u64 from_mask, int to_sq, Move16* move) noexcept nogil:
    """The one piece of a type, on squares of `from_mask`, that can legally go to a square."""
    cdef int us = pos.side
    cdef u64 own = pos.colours[us]
    cdef int from_sq
    cdef int found = NO_SQ
    cdef u64 candidates
    cdef Masks masks
    if own & square_bit(to_sq):
        return SAN_ILLEGAL
    candidates = attacks_of(pt, to_sq, occupied_of(pos)) & pos.pieces[pt] & own & from_mask
    if candidates == 0:
        return SAN_ILLEGAL
    if pt == KING:
        found = ctz(candidates)
        if not king_lands_safely(pos, found, to_sq):
            return SAN_ILLEGAL
    else:
        masks = masks_of(pos)
        while candidates:
            from_sq = ctz(candidates)
            candidates = without_lowest(candidates)
            if passes_masks(pos, &masks, from_sq, to_sq):
                if found != NO_SQ:
                    return SAN_AMBIGUOUS
                found = from_sq
        if found == NO_SQ:
            return SAN_ILLEGAL
    move[0] = make_move_word(found, to_sq, CAPTURE if pos.colours[us ^ 1] & square_bit(to_sq) else QUIET)
    return SAN_FOUND


cdef int resolve_castling(const Position* pos, bint queenside, Move16* move) noexcept nogil:
    cdef int right = 2 * pos.side + queenside
    cdef Masks masks
    if not pos.st.castling >> right & 1:
        return SAN_ILLEGAL
    move[0] = make_move_word(king_square(pos, pos.side), pos.castle_rook[right], CASTLE)
    masks = masks_of(pos)
    return SAN_FOUND if castling_is_legal(pos, &masks, move[0]) else SAN_ILLEGAL


cdef Move16 word_of_squares(const Position* pos, int from_sq, int to_sq, int promotion) noexcept nogil:
    """The legal move between two squares, castling written either way, or NO_MOVE. `promotion` is n b r q or -1."""
    cdef int us = pos.side
    cdef int pc = pos.board[from_sq]
    cdef int flags = CAPTURE if pos.colours[us ^ 1] & square_bit(to_sq) else QUIET
    cdef int side
    cdef Move16 m
    cdef Masks masks
    if pc == EMPTY or colour_of(pc) != us:
        return NO_MOVE
    masks = masks_of(pos)
    if type_of(pc) == PAWN:
        if relative_rank(us, to_sq) == 7 and promotion >= 0:
            flags += PROMOTION + promotion
        elif promotion >= 0:
            return NO_MOVE
        elif to_sq == pos.st.ep and file_of(to_sq) != file_of(from_sq):
            flags = EN_PASSANT
        elif flags == QUIET and (to_sq - from_sq == 16 or to_sq - from_sq == -16):
            flags = DOUBLE_PUSH
    elif promotion >= 0:
        return NO_MOVE
    m = make_move_word(from_sq, to_sq, flags)
    if is_legal(pos, &masks, m):
        return m
    if type_of(pc) == KING:
        if pos.colours[us] & square_bit(to_sq):
            m = make_move_word(from_sq, to_sq, CASTLE)
            return m if to_sq != from_sq and castling_is_legal(pos, &masks, m) else <Move16>NO_MOVE
        for side in range(2):
            if to_sq == castle_king_to(2 * us + side) and to_sq != from_sq and pos.st.castling >> (2 * us + side) & 1:
                m = make_move_word(from_sq, pos.castle_rook[2 * us + side], CASTLE)
                return m if castling_is_legal(pos, &masks, m) else <Move16>NO_MOVE
    return NO_MOVE


cdef int read_castling(const Position* pos, const u8* text, Move16* move, const u8** stop) noexcept nogil:
    """Castling, written with O, o or 0 and with hyphens or without."""
    cdef const u8* p = text + 1
    cdef u8 letter = text[0]
    cdef int count = 1
    while count < 3:
        if p[0] == letter:
            p += 1
        elif p[0] == c"-" and p[1] == letter:
            p += 2
        else:
            break
        count += 1
    if count == 1:
        stop[0] = text
        return SAN_SYNTAX
    while p[0] == c"+" or p[0] == c"#":
        p += 1
    if not ends_a_move(p):
        stop[0] = text
        return SAN_SYNTAX
    stop[0] = p
    return resolve_castling(pos, count == 3, move)


cdef int read_san(const Position* pos, const u8* text, Move16* move, const u8** stop) noexcept nogil:
    """Reads the move that begins at `text`; `stop` is the first character after it and its check marks, or, where
    the text is no move, `text` itself."""
    cdef const u8* p = text
    cdef int pt = EMPTY
    cdef int from_file = -1, from_rank = -1, promotion = -1, to_sq
    cdef bint parted = False
    cdef u64 from_mask
    if not is_file(p[0]):
        if p[0] == c"O" or p[0] == c"0" or p[0] == c"o":
            return read_castling(pos, text, move, stop)
        stop[0] = text
        if SAN_PIECES[p[0]] == 0:
            return SAN_SYNTAX
        pt = SAN_PIECES[p[0]] - 1
        p += 1
    stop[0] = text
    if is_file(p[0]):
        from_file = p[0] - 97
        p += 1
    if is_rank(p[0]):
        from_rank = p[0] - 49
        p += 1
    if p[0] == c"x" or p[0] == c"-" or p[0] == c":":
        parted = True
        p += 1
    if is_file(p[0]) and is_rank(p[1]):
        to_sq = p[0] - 97 + 8 * (p[1] - 49)
        p += 2
    elif from_file < 0 or from_rank < 0:
        return SAN_SYNTAX
    else:
        to_sq = from_file + 8 * from_rank
        from_file = from_rank = -1
        p -= parted                     # a sign such as `-+`
    if p[0] == c"=" or p[0] == c"/":
        if SAN_PROMOTIONS[p[1]]:
            promotion = SAN_PROMOTIONS[p[1]] - 1
            p += 2
    elif relative_rank(pos.side, to_sq) == 7 and (pt == EMPTY or pt == PAWN):
        if SAN_PROMOTIONS[p[0]]:
            promotion = SAN_PROMOTIONS[p[0]] - 1
            p += 1
        elif p[0] == c"(" and SAN_PROMOTIONS[p[1]] and p[2] == c")":
            promotion = SAN_PROMOTIONS[p[1]] - 1
            p += 3
    while p[0] == c"+" or p[0] == c"#":
        p += 1
    if not ends_a_move(p):
        return SAN_SYNTAX
    stop[0] = p
    if from_file >= 0 and from_rank >= 0 and (pt == EMPTY or pt == PAWN):
        if pt == PAWN and type_of(pos.board[from_file + 8 * from_rank]) != PAWN:
            return SAN_ILLEGAL
        move[0] = word_of_squares(pos, from_file + 8 * from_rank, to_sq, promotion)
        return SAN_ILLEGAL if move[0] == NO_MOVE else SAN_FOUND
    if pt == EMPTY or pt == PAWN:
        if from_rank >= 0:
            return SAN_ILLEGAL
        return resolve_pawn(pos, from_file, to_sq, promotion, move)
    if promotion >= 0:
        return SAN_ILLEGAL
    from_mask = ALL_SQUARES
    if from_file >= 0:
        from_mask = FILE_A << from_file
    if from_rank >= 0:
        from_mask &= RANK_1 << (8 * from_rank)
    return resolve_piece(pos, pt, from_mask, to_sq, move)


cdef inline char* put_square(char* out, int sq) noexcept nogil:
    out[0] = <char>(97 + file_of(sq))
    out[1] = <char>(49 + rank_of(sq))
    return out + 2


cdef bint mates(const Position* pos, Move16 m) noexcept nogil:
    """Whether a legal move that gives check is mate."""
    cdef Position after = pos[0]
    cdef State before[1]
    after.stack = before
    after.depth = 0
    make(&after, m)
    return count_legal(&after) == 0


cdef int write_san(const Position* pos, Move16 m, char* text) noexcept nogil:
    """Writes a legal move, with its check or mate mark, to at least SAN_LENGTH bytes; returns how many."""
    cdef char* out = text
    cdef int us = pos.side
    cdef int from_sq = from_of(m)
    cdef int to_sq = to_of(m)
    cdef int pt = type_of(pos.board[from_sq])
    cdef int other
    cdef u64 others, rivals = 0
    cdef Masks masks
    if flags_of(m) == CASTLE:
        memcpy(out, b"O-O-O", 5)
        out += 5 if castle_right_of(pos, us, to_sq) & 1 else 3
    else:
        if pt == PAWN:
            if is_capture(m):
                out[0] = <char>(97 + file_of(from_sq))
                out += 1
        else:
            out[0] = SAN_LETTERS[pt]
            out += 1
            others = 0
            if pt != KING:
                others = attacks_of(pt, to_sq, occupied_of(pos)) & pieces_of(pos, us, pt) & ~square_bit(from_sq)
            if others:
                masks = masks_of(pos)
                while others:
                    other = ctz(others)
                    others = without_lowest(others)
                    if passes_masks(pos, &masks, other, to_sq):
                        rivals |= square_bit(other)
            if rivals:
                if rivals & (RANK_1 << (8 * rank_of(from_sq))) or (rivals & (FILE_A << file_of(from_sq))) == 0:
                    out[0] = <char>(97 + file_of(from_sq))
                    out += 1
                if rivals & (FILE_A << file_of(from_sq)):
                    out[0] = <char>(49 + rank_of(from_sq))
                    out += 1
        if is_capture(m):
            out[0] = c"x"
            out += 1
        out = put_square(out, to_sq)
        if is_promotion(m):
            out[0] = c"="
            out[1] = SAN_LETTERS[promoted_type(m)]
            out += 2
    if gives_check(pos, m):
        out[0] = c"#" if mates(pos, m) else c"+"
        out += 1
    return <int>(out - text)
