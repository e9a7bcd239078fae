# Make and unmake: a legal move is made and taken back, with all keys updated.
#
# The caller owns the stack and has room for one more state. Moves must be legal: nothing is checked
# here. Bodies are always-inline with the colour as a compile-time constant (8–10 % faster); other parts
# call the plain functions at the end.

cdef inline void make_for(Position* pos, Move16 m, const int us) noexcept nogil:
    cdef int them = us ^ 1
    cdef int from_sq = from_of(m)
    cdef int to_sq = to_of(m)
    cdef int flags = flags_of(m)
    cdef int pc = pos.board[from_sq]
    cdef int pt = type_of(pc)
    cdef u64 from_to = square_bit(from_sq) | square_bit(to_sq)
    cdef u64 key, change
    cdef int captured, taken_sq, right, rook, rook_to, king_to, promoted
    cdef State* st = &pos.st

    pos.stack[pos.depth] = st[0]
    pos.depth += 1
    pos.side = them
    key = st.key ^ SIDE_KEY ^ EP_KEYS[st.ep] ^ CASTLING_KEYS[st.castling]
    st.ep = NO_SQ
    st.rule50 += 1
    st.plies_from_null += 1
    st.move = m
    st.captured = EMPTY

    if flags == CASTLE:
        right = castle_right_of(pos, us, to_sq)
        king_to = castle_king_to(right)
        rook_to = castle_rook_to(right)
        rook = make_piece(us, ROOK)
        # Clear both first: in Chess960 the squares may overlap.
        pos.board[from_sq] = EMPTY
        pos.board[to_sq] = EMPTY
        pos.board[king_to] = <u8>pc
        pos.board[rook_to] = <u8>rook
        pos.pieces[KING] ^= square_bit(from_sq) ^ square_bit(king_to)
        pos.pieces[ROOK] ^= square_bit(to_sq) ^ square_bit(rook_to)
        pos.colours[us] ^= square_bit(from_sq) ^ square_bit(king_to) ^ square_bit(to_sq) ^ square_bit(rook_to)
        change = (PIECE_KEYS[pc][from_sq] ^ PIECE_KEYS[pc][king_to]
                  ^ PIECE_KEYS[rook][to_sq] ^ PIECE_KEYS[rook][rook_to])
        st.nonpawn_keys[us] ^= change
        st.castling &= pos.keeps_rights[from_sq]
        st.key = key ^ change ^ CASTLING_KEYS[st.castling]
        return

    if flags & CAPTURE:
        taken_sq = to_sq ^ 8 if flags == EN_PASSANT else to_sq
        captured = pos.board[taken_sq]
        pos.board[taken_sq] = EMPTY
        pos.pieces[type_of(captured)] ^= square_bit(taken_sq)
        pos.colours[them] ^= square_bit(taken_sq)
        change = PIECE_KEYS[captured][taken_sq]
        key ^= change
        if type_of(captured) == PAWN:
            st.pawn_key ^= change
        else:
            st.nonpawn_keys[them] ^= change
        st.captured = <u8>captured
        st.rule50 = 0

    pos.board[from_sq] = EMPTY
    pos.colours[us] ^= from_to
    if pt == PAWN:
        st.rule50 = 0
        if flags & PROMOTION:
            promoted = make_piece(us, promoted_type(m))
            pos.board[to_sq] = <u8>promoted
            pos.pieces[PAWN] ^= square_bit(from_sq)
            pos.pieces[type_of(promoted)] ^= square_bit(to_sq)
            st.pawn_key ^= PIECE_KEYS[pc][from_sq]
            st.nonpawn_keys[us] ^= PIECE_KEYS[promoted][to_sq]
            key ^= PIECE_KEYS[pc][from_sq] ^ PIECE_KEYS[promoted][to_sq]
        else:
            pos.board[to_sq] = <u8>pc
            pos.pieces[PAWN] ^= from_to
            change = PIECE_KEYS[pc][from_sq] ^ PIECE_KEYS[pc][to_sq]
            st.pawn_key ^= change
            key ^= change
            if flags == DOUBLE_PUSH:
                taken_sq = (from_sq + to_sq) >> 1
                if PAWN_ATTACKS[us][taken_sq] & pos.pieces[PAWN] & pos.colours[them]:
                    if some_en_passant_is_legal(pos, taken_sq):
                        st.ep = <u8>taken_sq
                        key ^= EP_KEYS[taken_sq]
    else:
        pos.board[to_sq] = <u8>pc
        pos.pieces[pt] ^= from_to
        change = PIECE_KEYS[pc][from_sq] ^ PIECE_KEYS[pc][to_sq]
        st.nonpawn_keys[us] ^= change
        key ^= change

    st.castling &= pos.keeps_rights[from_sq] & pos.keeps_rights[to_sq]
    st.key = key ^ CASTLING_KEYS[st.castling]


cdef inline u64 key_after(const Position* pos, Move16 m) noexcept nogil:
    """The key after a move, before the move is made, to prefetch the table entry. Only a guess for promotions, en
    passant captures, and moves that change castling or en-passant rights."""
    cdef int from_sq = from_of(m)
    cdef int to_sq = to_of(m)
    cdef int pc = pos.board[from_sq]
    return (pos.st.key ^ SIDE_KEY ^ EP_KEYS[pos.st.ep] ^ PIECE_KEYS[pc][from_sq] ^ PIECE_KEYS[pc][to_sq]
            ^ PIECE_KEYS[pos.board[to_sq]][to_sq])


cdef inline void unmake_for(Position* pos, const int us) noexcept nogil:
    """Takes back the move that `us` made."""
    cdef int them = us ^ 1
    cdef Move16 m = pos.st.move
    cdef int from_sq = from_of(m)
    cdef int to_sq = to_of(m)
    cdef int flags = flags_of(m)
    cdef int captured = pos.st.captured
    cdef int pc, pt, taken_sq, right, rook_to, king_to
    pos.depth -= 1
    pos.st = pos.stack[pos.depth]
    pos.side = us
    if flags == CASTLE:
        right = castle_right_of(pos, us, to_sq)
        king_to = castle_king_to(right)
        rook_to = castle_rook_to(right)
        pos.board[king_to] = EMPTY
        pos.board[rook_to] = EMPTY
        pos.board[from_sq] = <u8>make_piece(us, KING)
        pos.board[to_sq] = <u8>make_piece(us, ROOK)
        pos.pieces[KING] ^= square_bit(from_sq) ^ square_bit(king_to)
        pos.pieces[ROOK] ^= square_bit(to_sq) ^ square_bit(rook_to)
        pos.colours[us] ^= square_bit(from_sq) ^ square_bit(king_to) ^ square_bit(to_sq) ^ square_bit(rook_to)
        return
    pc = pos.board[to_sq]
    pt = type_of(pc)
    pos.board[to_sq] = EMPTY
    pos.colours[us] ^= square_bit(from_sq) | square_bit(to_sq)
    if flags & PROMOTION:
        pos.pieces[pt] ^= square_bit(to_sq)
        pos.pieces[PAWN] ^= square_bit(from_sq)
        pos.board[from_sq] = <u8>make_piece(us, PAWN)
    else:
        pos.pieces[pt] ^= square_bit(from_sq) | square_bit(to_sq)
        pos.board[from_sq] = <u8>pc
    if flags & CAPTURE:
        taken_sq = to_sq ^ 8 if flags == EN_PASSANT else to_sq
        pos.board[taken_sq] = <u8>captured
        pos.pieces[type_of(captured)] ^= square_bit(taken_sq)
        pos.colours[them] ^= square_bit(taken_sq)


cdef void make(Position* pos, Move16 m) noexcept nogil:
    if pos.side == WHITE:
        make_for(pos, m, WHITE)
    else:
        make_for(pos, m, BLACK)


cdef void unmake(Position* pos) noexcept nogil:
    if pos.side == WHITE:
        unmake_for(pos, BLACK)
    else:
        unmake_for(pos, WHITE)


cdef void make_null(Position* pos) noexcept nogil:
    """Passes the move. Not allowed in check."""
    cdef State* st = &pos.st
    pos.stack[pos.depth] = st[0]
    pos.depth += 1
    pos.side ^= 1
    st.key ^= SIDE_KEY ^ EP_KEYS[st.ep]
    st.ep = NO_SQ
    st.rule50 += 1
    st.plies_from_null = 0
    st.move = NULL_MOVE
    st.captured = EMPTY


cdef void unmake_null(Position* pos) noexcept nogil:
    pos.depth -= 1
    pos.st = pos.stack[pos.depth]
    pos.side ^= 1
