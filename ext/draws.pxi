# Draws: repetition, the fifty-move rule and material that cannot mate; and threats, the squares
# and pieces that lesser pieces attack.

cdef int repetitions(const Position* pos) noexcept nogil:
    """How often the present position stood on the board before, as far as it can be repeated."""
    cdef int reach = pos.st.rule50
    cdef int back, count = 0
    if pos.st.plies_from_null < reach:
        reach = pos.st.plies_from_null
    if pos.depth < reach:
        reach = pos.depth
    back = 4
    while back <= reach:
        if pos.stack[pos.depth - back].key == pos.st.key:
            count += 1
        back += 2
    return count


cdef bint repeated_in_search(const Position* pos, int ply) noexcept nogil:
    """A draw by repetition as a search sees it, `ply` half-moves below its root.

    One earlier occurrence inside the search is enough (whoever could repeat once can repeat
    again); occurrences before the root must be two.
    """
    cdef int reach = pos.st.rule50
    cdef int back, before_root = 0
    if pos.st.plies_from_null < reach:
        reach = pos.st.plies_from_null
    if pos.depth < reach:
        reach = pos.depth
    back = 4
    while back <= reach:
        if pos.stack[pos.depth - back].key == pos.st.key:
            if back < ply:
                return True
            before_root += 1
            if before_root == 2:
                return True
        back += 2
    return False


cdef bint fifty_moves(const Position* pos) noexcept nogil:
    """A hundred half-moves without capture or pawn move; mate on the hundredth still wins."""
    return pos.st.rule50 >= 100 and count_legal(pos) > 0


cdef bint cannot_win(const Position* pos, int colour) noexcept nogil:
    """No sequence of legal moves lets this colour give mate, by material alone."""
    cdef u64 own = pos.colours[colour]
    cdef u64 opp = pos.colours[colour ^ 1]
    cdef u64 bishops = pos.pieces[BISHOP]
    if own & (pos.pieces[PAWN] | pos.pieces[ROOK] | pos.pieces[QUEEN]):
        return False
    # A lone knight needs an enemy piece other than a queen to block its own king in.
    if own & pos.pieces[KNIGHT]:
        return popcount(own) <= 2 and (opp & ~(pos.pieces[KING] | pos.pieces[QUEEN])) == 0
    # Bishops all on one colour of square (the enemy's too), and nothing else to block with.
    if own & bishops:
        return ((bishops & LIGHT_SQUARES) == 0 or (bishops & DARK_SQUARES) == 0) and (
            pos.pieces[PAWN] | pos.pieces[KNIGHT]) == 0
    return True


cdef bint insufficient_material(const Position* pos) noexcept nogil:
    """Neither side can ever mate."""
    return cannot_win(pos, WHITE) and cannot_win(pos, BLACK)


cdef u64 threats_by(const Position* pos, int by, u64* by_pawns, u64* by_minors, u64* by_rooks) noexcept nogil:
    """Squares attacked by pawns, by pawns or minors, by pawns, minors or rooks; returns the pieces
    of the other colour that stand where a lesser piece attacks them."""
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
    """What `threats_by` leaves out of all attacked squares."""
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
