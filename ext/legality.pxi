# Legality: whether a 16-bit word is a legal move in a position, and whether a legal move gives check. For
# table moves, killers and moves from outside, without generating moves.

cdef inline bint king_lands_safely(const Position* pos, int from_sq, int to_sq) noexcept nogil:
    """Whether the king can step from one square to the other without being attacked there."""
    return (attackers_to(pos, to_sq, occupied_of(pos) ^ square_bit(from_sq))
            & pos.colours[pos.side ^ 1]) == 0


cdef bint castling_is_legal(const Position* pos, const Masks* masks, Move16 m) noexcept nogil:
    cdef int us = pos.side
    cdef int to_sq = to_of(m)
    cdef u64 path
    cdef int right
    for right in range(2 * us, 2 * us + 2):
        if pos.castle_rook[right] == to_sq and pos.st.castling >> right & 1:
            break
    else:
        return False
    if masks.checkers or occupied_of(pos) & pos.castle_empty[right]:
        return False
    if masks.pin_hv & square_bit(to_sq):
        return False
    path = pos.castle_safe[right]
    while path:
        if not king_lands_safely(pos, from_of(m), ctz(path)):
            return False
        path = without_lowest(path)
    return True


cdef bint is_legal(const Position* pos, const Masks* masks, Move16 m) noexcept nogil:
    """Whether any 16-bit word is a legal move, flags included."""
    cdef int us = pos.side
    cdef int from_sq = from_of(m)
    cdef int to_sq = to_of(m)
    cdef int flags = flags_of(m)
    cdef u64 own = pos.colours[us]
    cdef u64 opp = pos.colours[us ^ 1]
    cdef u64 occupied = own | opp
    cdef int pc = pos.board[from_sq]
    cdef int pt = type_of(pc)
    cdef int forward = 8 - 16 * us
    if pc == EMPTY or colour_of(pc) != us:
        return False
    if flags == CASTLE:
        return pt == KING and castling_is_legal(pos, masks, m)
    if square_bit(to_sq) & own:
        return False
    if ((flags & CAPTURE) != 0) != ((square_bit(to_sq) & opp) != 0) and flags != EN_PASSANT:
        return False
    if pt == KING:
        return (flags == (flags & CAPTURE) and (KING_ATTACKS[from_sq] & square_bit(to_sq)) != 0
                and king_lands_safely(pos, from_sq, to_sq))
    if more_than_one(masks.checkers):
        return False
    if pt == PAWN:
        if flags == EN_PASSANT:
            return (to_sq == pos.st.ep and (PAWN_ATTACKS[us][from_sq] & square_bit(to_sq)) != 0
                    and en_passant_is_legal(pos, from_sq, to_sq))
        if ((flags & PROMOTION) != 0) != (relative_rank(us, to_sq) == 7):
            return False
        if flags & CAPTURE:
            if flags != CAPTURE and not flags & PROMOTION:
                return False
            if (PAWN_ATTACKS[us][from_sq] & square_bit(to_sq)) == 0:
                return False
        elif flags == DOUBLE_PUSH:
            if relative_rank(us, from_sq) != 1 or to_sq != from_sq + 2 * forward:
                return False
            if square_bit(from_sq + forward) & occupied:
                return False
        elif to_sq != from_sq + forward or (flags != QUIET and not flags & PROMOTION):
            return False
    elif flags != (flags & CAPTURE) or (attacks_of(pt, from_sq, occupied) & square_bit(to_sq)) == 0:
        return False
    if (square_bit(to_sq) & masks.check_mask) == 0:
        return False
    if square_bit(from_sq) & (masks.pin_hv | masks.pin_d):
        return (LINE[king_square(pos, us)][from_sq] & square_bit(to_sq)) != 0
    return True


cdef bint gives_check(const Position* pos, Move16 m) noexcept nogil:
    """Whether a legal move checks the other king, directly or by discovery."""
    cdef int us = pos.side
    cdef int from_sq = from_of(m)
    cdef int to_sq = to_of(m)
    cdef int flags = flags_of(m)
    cdef int pt = type_of(pos.board[from_sq])
    cdef int ksq = king_square(pos, us ^ 1)
    cdef u64 own = pos.colours[us]
    cdef u64 occupied = occupied_of(pos)
    cdef u64 straight = straight_sliders(pos) & own
    cdef u64 diagonal = diagonal_sliders(pos) & own
    cdef int right
    if flags == CASTLE:
        right = castle_right_of(pos, us, to_sq)
        occupied ^= square_bit(from_sq) ^ square_bit(to_sq)
        occupied |= square_bit(castle_king_to(right)) | square_bit(castle_rook_to(right))
        straight = (straight ^ square_bit(to_sq)) | square_bit(castle_rook_to(right))
        return ((rook_attacks(ksq, occupied) & straight)
                | (bishop_attacks(ksq, occupied) & diagonal)) != 0
    occupied = (occupied ^ square_bit(from_sq)) | square_bit(to_sq)
    if flags == EN_PASSANT:
        occupied ^= square_bit(to_sq ^ 8)
    if flags & PROMOTION:
        pt = promoted_type(m)
    if pt == PAWN:
        if PAWN_ATTACKS[us][to_sq] & square_bit(ksq):
            return True
    elif pt != KING and attacks_of(pt, to_sq, occupied) & square_bit(ksq):
        return True
    # Discovered: a slider behind the square left (or, en passant, behind the pawn taken).
    if flags != EN_PASSANT and LINE[ksq][from_sq] == 0:
        return False
    return ((rook_attacks(ksq, occupied) & straight & ~square_bit(from_sq))
            | (bishop_attacks(ksq, occupied) & diagonal & ~square_bit(from_sq))) != 0
