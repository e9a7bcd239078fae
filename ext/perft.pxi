# Perft: the number of move sequences of a length. The proof of the move generator, and its clock.

cdef inline u64 perft_for(Position* pos, int depth, const int us, const bint listed) noexcept nogil:
    """`listed` builds the move list on the last ply too, instead of only counting."""
    cdef Masks masks
    cdef Move16 moves[MAX_MOVES]
    cdef u64 total = 0
    cdef int i, count
    compute_masks(pos, &masks, us)
    if depth <= 1:
        if listed:
            return enumerate_moves(pos, &masks, moves, us, ALL)
        return enumerate_moves(pos, &masks, NULL, us, COUNT)
    count = <int>enumerate_moves(pos, &masks, moves, us, ALL)
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
