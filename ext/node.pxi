# Node: what every node of a search does: draws, evaluation, making and unmaking moves, the PV.

cdef inline void update_pv(Worker* w, int ply, Move16 m) noexcept nogil:
    """The line at `ply` becomes `m` followed by the line below it."""
    cdef int length = w.pv_lengths[ply + 1]
    w.pv[ply][0] = m
    memcpy(&w.pv[ply][1], &w.pv[ply + 1][0], length * sizeof(Move16))
    w.pv_lengths[ply] = length + 1


cdef inline bint is_draw_in_search(const Worker* w, int ply) noexcept nogil:
    """Repetition, fifty moves (unless it is mate) or no material."""
    if w.pos.st.rule50 >= 4:
        if repeated_in_search(&w.pos, ply):
            return True
        if w.pos.st.rule50 >= 100:
            return checkers_of(&w.pos) == 0 or count_legal(&w.pos) > 0
    return popcount(occupied_of(&w.pos)) <= 4 and insufficient_material(&w.pos)


cdef inline void play_move(Worker* w, Frame* ss, Move16 m) noexcept nogil:
    ss.move = m
    ss.moved = piece_to(w.pos.board[from_of(m)], to_of(m))
    prefetch(&w.histories.cont_correction[(ss - 1).moved][ss.moved])
    count_node(w)
    make_move(w, m)
    ss[1].in_check = checkers_of(&w.pos) != 0


cdef int evaluate(Worker* w) noexcept nogil:
    """Static evaluation from the side to move, within ±MAX_EVAL: the net's, or the classical one."""
    if w.accumulators.net != NULL:
        return clamp_eval(with_endgames(&w.pos, neural(&w.accumulators, &w.pos)))
    return clamp_eval(classical(&w.pos, w.pawn_cache))


cdef inline void update_net(Worker* w) noexcept nogil:
    """Brings the net's sums up to the position, for the evaluation here or below: nearly every node needs them, and
    the table's entry is on its way meanwhile."""
    if w.accumulators.net != NULL:
        update_accumulators(&w.accumulators, &w.pos)


cdef inline void prefetch_child(const Worker* w, Move16 m) noexcept nogil:
    """A move that will probably be made: the table's entry after it is fetched while other things are done. Waiting
    for the table is otherwise a fifth of the time."""
    prefetch(cluster_of(&w.shared.table, key_after(&w.pos, m)))


cdef inline void make_move(Worker* w, Move16 m) noexcept nogil:
    """Plays a move in the search; the net's sums follow when they are asked for."""
    if w.accumulators.net != NULL:
        push_change(&w.accumulators, &w.pos, m)
    make(&w.pos, m)


cdef inline void take_back(Worker* w) noexcept nogil:
    w.accumulators.top -= w.accumulators.net != NULL
    unmake(&w.pos)


cdef inline bint has_pieces(const Position* pos, int us) noexcept nogil:
    """More than king and pawns: a zugzwang is unlikely."""
    return (pos.colours[us] & ~(pos.pieces[PAWN] | pos.pieces[KING])) != 0
