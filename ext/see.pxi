# Static exchange evaluation (SEE): what a capture is worth when both sides keep capturing on the square.

cdef enum:
    SEE_PAWN = 100
    SEE_KNIGHT = 320
    SEE_BISHOP = 330
    SEE_ROOK = 500
    SEE_QUEEN = 950

cdef int* SEE_VALUES = [SEE_PAWN, SEE_KNIGHT, SEE_BISHOP, SEE_ROOK, SEE_QUEEN, 0, 0, 0]


cdef inline u64 least_attacker(const Position* pos, u64 attackers, int* pt) noexcept nogil:
    """The cheapest piece among non-empty `attackers`, as a one-square set, and its type."""
    cdef u64 found
    pt[0] = PAWN
    while True:
        found = attackers & pos.pieces[pt[0]]
        if found:
            return lowest(found)
        pt[0] += 1


cdef u64 pinned_to_king(const Position* pos, int colour, u64* pinners) noexcept nogil:
    """Pieces of a colour pinned to their king, and the enemy sliders that pin them."""
    cdef int ksq = king_square(pos, colour)
    cdef u64 own = pos.colours[colour]
    cdef u64 opp = pos.colours[colour ^ 1]
    cdef u64 snipers, blockers, pinned = 0
    pinners[0] = 0
    snipers = opp & ((bishop_attacks(ksq, opp) & diagonal_sliders(pos))
                     | (rook_attacks(ksq, opp) & straight_sliders(pos)))
    while snipers:
        blockers = BETWEEN[ksq][ctz(snipers)] & own
        if blockers and not more_than_one(blockers):
            pinned |= blockers
            pinners[0] |= lowest(snipers)
        snipers = without_lowest(snipers)
    return pinned


cdef bint see_at_least(const Position* pos, Move16 m, int threshold) noexcept nogil:
    """Whether the exchange that `m` starts wins at least `threshold` centipawns.

    Both sides capture with their least valuable piece and stop when that is better. Pieces pinned to
    their king do not take part while the pinner is there. Castling is worth nothing.
    """
    cdef int from_sq = from_of(m)
    cdef int to_sq = to_of(m)
    cdef int flags = flags_of(m)
    cdef int side = pos.side
    cdef int balance, pt, next_value
    cdef u64 occupied, attackers, ours, taker
    cdef u64 pinned[2]
    cdef u64 pinners[2]
    if flags == CASTLE:
        return threshold <= 0
    balance = -threshold
    occupied = occupied_of(pos) ^ square_bit(from_sq)
    if flags == EN_PASSANT:
        balance += SEE_VALUES[PAWN]
        occupied ^= square_bit(to_sq ^ 8)
    elif flags & CAPTURE:
        balance += SEE_VALUES[type_of(pos.board[to_sq])]
    next_value = SEE_VALUES[type_of(pos.board[from_sq])]
    if flags & PROMOTION:
        next_value = SEE_VALUES[promoted_type(m)]
        balance += next_value - SEE_VALUES[PAWN]
    if balance < 0:
        return False            # not even if the piece is not recaptured
    balance -= next_value
    if balance >= 0:
        return True             # even if the piece is lost
    occupied |= square_bit(to_sq)
    attackers = attackers_to(pos, to_sq, occupied) & occupied & ~square_bit(to_sq)
    pinned[WHITE] = pinned_to_king(pos, WHITE, &pinners[WHITE])
    pinned[BLACK] = pinned_to_king(pos, BLACK, &pinners[BLACK])
    # `side` captures next; `balance` < 0 is what the other side is short of if the exchange ended now. A
    # side that cannot capture, or would still be short after losing its capturing piece, has lost.
    side ^= 1
    while True:
        attackers &= occupied
        ours = attackers & pos.colours[side]
        if pinners[side] & occupied & ~square_bit(to_sq):      # a captured pinner no longer pins
            ours &= ~pinned[side]
        if ours == 0:
            break
        taker = least_attacker(pos, ours, &pt)
        side ^= 1
        balance = -balance - 1 - SEE_VALUES[pt]
        if balance >= 0:
            if pt == KING and attackers & pos.colours[side]:
                side ^= 1       # the king cannot capture a defended piece
            break
        occupied ^= taker
        # Another slider may attack through the piece that captured.
        if pt == PAWN or pt == BISHOP or pt == QUEEN:
            attackers |= bishop_attacks(to_sq, occupied) & diagonal_sliders(pos)
        if pt == ROOK or pt == QUEEN:
            attackers |= rook_attacks(to_sq, occupied) & straight_sliders(pos)
    return side != pos.side
