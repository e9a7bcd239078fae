# Draws: repetition, the fifty-move rule, and material that cannot mate.

cdef int repetitions(const Position* pos) noexcept nogil:
    """How often the present position occurred before, as far back as it can have."""
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

    One earlier occurrence inside the search is enough (the side that could repeat once can repeat again);
    before the root it takes two.
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
    """Whether material alone excludes that this colour ever gives mate."""
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
