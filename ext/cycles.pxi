# Cycles: can the side to move repeat a position with one move? Asked before any move is looked at.
#
# Two positions an odd number of plies apart that differ by one piece standing elsewhere have keys that differ by
# that piece's two words and the side's. All such differences of reversible moves, some 3,668, are
# kept in a table with two places for each (cuckoo hashing), so that the question costs a look or two for every
# earlier position. The idea is Marcel van Kervinck's.

cdef enum:
    CYCLE_SLOTS = 8192              # a power of two

cdef u64 CYCLE_KEYS[CYCLE_SLOTS]
cdef u16 CYCLE_SQUARES[CYCLE_SLOTS]     # the two squares, 6 bits each


cdef inline int first_slot(u64 key) noexcept nogil:
    return <int>(key & (CYCLE_SLOTS - 1))


cdef inline int second_slot(u64 key) noexcept nogil:
    return <int>(key >> 16 & (CYCLE_SLOTS - 1))


cdef u64 empty_board_attacks(int pt, int sq) noexcept nogil:
    """Where a piece other than a pawn gets from a square of the empty board."""
    if pt == KNIGHT:
        return KNIGHT_ATTACKS[sq]
    if pt == KING:
        return KING_ATTACKS[sq]
    return (bishop_attacks(sq, 0) if pt != ROOK else <u64>0) | (rook_attacks(sq, 0) if pt != BISHOP else <u64>0)


cdef void fill_cycles() noexcept nogil:
    """Enters every move of every piece on the empty board."""
    cdef int colour, pt, a, b, place
    cdef u64 key, pushed_key, reached
    cdef u16 squares, pushed_squares
    for colour in range(2):
        for pt in range(KNIGHT, KING + 1):
            for a in range(64):
                reached = empty_board_attacks(pt, a)
                for b in range(a + 1, 64):
                    if reached >> b & 1 == 0:
                        continue
                    key = PIECE_KEYS[make_piece(colour, pt)][a] ^ PIECE_KEYS[make_piece(colour, pt)][b] ^ SIDE_KEY
                    squares = <u16>(a | b << 6)
                    place = first_slot(key)
                    while True:         # who is in the way goes to its other place
                        pushed_key = CYCLE_KEYS[place]
                        pushed_squares = CYCLE_SQUARES[place]
                        CYCLE_KEYS[place] = key
                        CYCLE_SQUARES[place] = squares
                        if pushed_squares == 0:
                            break
                        key = pushed_key
                        squares = pushed_squares
                        place = second_slot(key) if place == first_slot(key) else first_slot(key)


fill_cycles()


cdef bint can_repeat(const Position* pos, int ply) noexcept nogil:
    """Some move of the side to move leads back to a position of this search, whose root is `ply` plies above."""
    cdef int reach = min_int(min_int(pos.st.rule50, pos.st.plies_from_null), min_int(pos.depth, ply - 1))
    cdef int back = 3, place
    cdef u64 difference, ends
    cdef int squares
    while back <= reach:
        difference = pos.st.key ^ pos.stack[pos.depth - back].key
        place = first_slot(difference)
        if CYCLE_KEYS[place] != difference:
            place = second_slot(difference)
        if CYCLE_KEYS[place] == difference:
            squares = CYCLE_SQUARES[place]
            ends = square_bit(squares & 63) | square_bit(squares >> 6)
            if (pos.colours[pos.side] & ends
                    and BETWEEN[squares & 63][squares >> 6] & ~ends & occupied_of(pos) == 0):
                return True
        back += 2
    return False
