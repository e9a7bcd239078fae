# Perft: the number of move sequences of a given length, to test the move generator and measure its speed.
#
# Nine of ten nodes of a perft are visited only to count their moves. They need no keys and no mailbox, so the
# moves that lead to them are toggled on the bitboards alone.

cdef inline void toggle_for(Position* pos, Move16 m, const int us) noexcept nogil:
    """Makes a move on the bitboards, or takes it back: twice is no change."""
    cdef int them = us ^ 1
    cdef int to_sq = to_of(m)
    cdef int flags = flags_of(m)
    cdef int right
    cdef u64 from_bit = square_bit(from_of(m))
    cdef u64 to_bit = square_bit(to_sq)
    cdef int pt = type_of(pos.board[from_of(m)])
    if flags & CAPTURE and flags != EN_PASSANT:
        pos.pieces[type_of(pos.board[to_sq])] ^= to_bit
        pos.colours[them] ^= to_bit
    if flags <= DOUBLE_PUSH or flags == CAPTURE:
        pos.pieces[pt] ^= from_bit | to_bit
        pos.colours[us] ^= from_bit | to_bit
    elif flags & PROMOTION:
        pos.pieces[PAWN] ^= from_bit
        pos.pieces[promoted_type(m)] ^= to_bit
        pos.colours[us] ^= from_bit | to_bit
    elif flags == EN_PASSANT:
        pos.pieces[PAWN] ^= from_bit | to_bit | square_bit(to_sq ^ 8)
        pos.colours[us] ^= from_bit | to_bit
        pos.colours[them] ^= square_bit(to_sq ^ 8)
    else:
        right = castle_right_of(pos, us, to_sq)
        pos.pieces[KING] ^= from_bit ^ square_bit(castle_king_to(right))
        pos.pieces[ROOK] ^= to_bit ^ square_bit(castle_rook_to(right))
        pos.colours[us] ^= from_bit ^ to_bit ^ square_bit(castle_king_to(right)) ^ square_bit(castle_rook_to(right))


cdef inline u64 count_children(Position* pos, const Move16* moves, int count, const int us,
                               const bint listed) noexcept nogil:
    """The number of replies to all of `moves`."""
    cdef int them = us ^ 1
    cdef u8 castling = pos.st.castling
    cdef u8 ep = pos.st.ep
    cdef u64 total = 0
    cdef Move16 replies[MAX_MOVES]
    cdef Move16 m
    cdef Masks masks
    cdef int i, passed
    for i in range(count):
        m = moves[i]
        toggle_for(pos, m, us)
        pos.side = them
        pos.st.castling = castling & pos.keeps_rights[from_of(m)] & pos.keeps_rights[to_of(m)]
        pos.st.ep = NO_SQ
        if flags_of(m) == DOUBLE_PUSH:
            passed = (from_of(m) + to_of(m)) >> 1
            if PAWN_ATTACKS[us][passed] & pos.pieces[PAWN] & pos.colours[them]:
                pos.st.ep = <u8>passed      # the generator tests each capture anyway
        compute_masks(pos, &masks, us ^ 1)
        if listed:
            total += enumerate_moves(pos, &masks, replies, us ^ 1, ALL)
        else:
            total += enumerate_moves(pos, &masks, NULL, us ^ 1, COUNT)
        toggle_for(pos, m, us)
    pos.side = us
    pos.st.castling = castling
    pos.st.ep = ep
    return total


cdef inline u64 perft_for(Position* pos, int depth, const int us, const bint listed) noexcept nogil:
    """`listed` builds the move list on the last ply too, instead of only counting."""
    cdef Masks masks
    cdef Move16 moves[MAX_MOVES]
    cdef u64 total = 0
    cdef int i, count
    compute_masks(pos, &masks, us)
    if depth <= 1:
        return enumerate_moves(pos, &masks, NULL, us, COUNT)
    count = <int>enumerate_moves(pos, &masks, moves, us, ALL)
    if depth == 2:
        return count_children(pos, moves, count, us, listed)
    for i in range(count):
        make_for(pos, moves[i], us)
        if us == WHITE:
            total += perft_listed_black(pos, depth - 1) if listed else perft_black(pos, depth - 1)
        else:
            total += perft_listed_white(pos, depth - 1) if listed else perft_white(pos, depth - 1)
        unmake_for(pos, us)
    return total


cdef u64 perft_white(Position* pos, int depth) noexcept nogil:
    return perft_for(pos, depth, WHITE, False)


cdef u64 perft_black(Position* pos, int depth) noexcept nogil:
    return perft_for(pos, depth, BLACK, False)


cdef u64 perft_listed_white(Position* pos, int depth) noexcept nogil:
    return perft_for(pos, depth, WHITE, True)


cdef u64 perft_listed_black(Position* pos, int depth) noexcept nogil:
    return perft_for(pos, depth, BLACK, True)


cdef u64 perft(Position* pos, int depth, bint listed) noexcept nogil:
    """Leaves `depth` plies below; the stack must have room for them."""
    if depth <= 0:
        return 1
    if pos.side == WHITE:
        return perft_listed_white(pos, depth) if listed else perft_white(pos, depth)
    return perft_listed_black(pos, depth) if listed else perft_black(pos, depth)
