# Upcoming repetition: whether the side to move can repeat a position with one move, before any move is generated.
#
# Two positions an odd number of plies apart that differ only in the square of one piece have keys that differ by that
# piece's two words and the word of the side. All such differences of reversible moves (3,668) are kept in a table
# with two slots for each (cuckoo hashing), so that the question costs one or two lookups per earlier position. The
# idea is Marcel van Kervinck's.

cdef enum:
    CYCLE_SLOTS = 8192              # a power of two

cdef u64 CYCLE_KEYS[CYCLE_SLOTS]
cdef u16 CYCLE_SQUARES[CYCLE_SLOTS]     # the two squares, 6 bits each


cdef inline int first_slot(u64 key) noexcept nogil:
    return <int>(key & (CYCLE_SLOTS - 1))


cdef inline int second_slot(u64 key) noexcept nogil:
    return <int>(key >> 16 & (CYCLE_SLOTS - 1))


cdef u64 empty_board_attacks(int pt, int sq) noexcept nogil:
    """Attacks of a piece other than a pawn on the empty board."""
    if pt == KNIGHT:
        return KNIGHT_ATTACKS[sq]
    if pt == KING:
        return KING_ATTACKS[sq]
    return (bishop_attacks(sq, 0) if pt != ROOK else <u64>0) | (rook_attacks(sq, 0) if pt != BISHOP else <u64>0)


cdef void fill_cycles() noexcept nogil:
    """Enters every move of every piece on the empty board."""
    cdef int colour, pt, a, b, slot
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
                    slot = first_slot(key)
                    while True:         # an entry that is in the way moves to its other slot
                        pushed_key = CYCLE_KEYS[slot]
                        pushed_squares = CYCLE_SQUARES[slot]
                        CYCLE_KEYS[slot] = key
                        CYCLE_SQUARES[slot] = squares
                        if pushed_squares == 0:
                            break
                        key = pushed_key
                        squares = pushed_squares
                        slot = second_slot(key) if slot == first_slot(key) else first_slot(key)


fill_cycles()


cdef bint can_repeat(const Position* pos, int ply) noexcept nogil:
    """Whether a move of the side to move leads back to a position of this search, whose root is `ply` plies above."""
    cdef int reach = min_int(min_int(pos.st.rule50, pos.st.plies_from_null), min_int(pos.depth, ply - 1))
    cdef int back = 3, slot
    cdef u64 difference, ends
    cdef int squares
    while back <= reach:
        difference = pos.st.key ^ pos.stack[pos.depth - back].key
        slot = first_slot(difference)
        if CYCLE_KEYS[slot] != difference:
            slot = second_slot(difference)
        if CYCLE_KEYS[slot] == difference:
            squares = CYCLE_SQUARES[slot]
            ends = square_bit(squares & 63) | square_bit(squares >> 6)
            if (pos.colours[pos.side] & ends
                    and BETWEEN[squares & 63][squares >> 6] & ~ends & occupied_of(pos) == 0):
                return True
        back += 2
    return False
