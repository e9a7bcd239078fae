# Threats: the squares a side attacks, and the pieces that a lesser piece attacks.

cdef u64 threats_by(const Position* pos, int by, u64* by_pawns, u64* by_minors, u64* by_rooks) noexcept nogil:
    """Computes the squares attacked by pawns, by pawns or minor pieces, and by these or rooks; returns the pieces of
    the other colour that a lesser piece attacks."""
    cdef u64 occupied = occupied_of(pos)
    cdef u64 own = pos.colours[by]
    cdef u64 opp = pos.colours[by ^ 1]
    cdef u64 rest
    by_pawns[0] = pawn_attacks_of(pos.pieces[PAWN] & own, by)
    by_minors[0] = by_pawns[0]
    rest = pos.pieces[KNIGHT] & own
    while rest:
        by_minors[0] |= KNIGHT_ATTACKS[ctz(rest)]
        rest = without_lowest(rest)
    rest = pos.pieces[BISHOP] & own
    while rest:
        by_minors[0] |= bishop_attacks(ctz(rest), occupied)
        rest = without_lowest(rest)
    by_rooks[0] = by_minors[0]
    rest = pos.pieces[ROOK] & own
    while rest:
        by_rooks[0] |= rook_attacks(ctz(rest), occupied)
        rest = without_lowest(rest)
    return opp & ((by_pawns[0] & (pos.pieces[KNIGHT] | pos.pieces[BISHOP]))
                  | (by_minors[0] & pos.pieces[ROOK])
                  | (by_rooks[0] & pos.pieces[QUEEN]))


cdef u64 queen_and_king_attacks(const Position* pos, int by) noexcept nogil:
    """The attacked squares that `threats_by` leaves out."""
    cdef u64 reached = KING_ATTACKS[king_square(pos, by)]
    cdef u64 rest = pieces_of(pos, by, QUEEN)
    while rest:
        reached |= queen_attacks(ctz(rest), occupied_of(pos))
        rest = without_lowest(rest)
    return reached


cdef u64 all_attacks(const Position* pos, int by) noexcept nogil:
    """All squares a side attacks."""
    if by == WHITE:
        return attacked_squares(pos, WHITE, occupied_of(pos))
    return attacked_squares(pos, BLACK, occupied_of(pos))
