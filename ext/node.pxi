# Node: what every node of a search does: draws, evaluation, making and unmaking moves, the PV.

cdef inline bint is_draw_in_search(const Worker* w, int ply) noexcept nogil:
    """Repetition, the fifty-move rule (unless it is mate) or insufficient material."""
    if w.pos.st.rule50 >= 4:
        if repeated_in_search(&w.pos, ply):
            return True
        if w.pos.st.rule50 >= 100:
            return checkers_of(&w.pos) == 0 or count_legal(&w.pos) > 0
    return popcount(occupied_of(&w.pos)) <= 4 and insufficient_material(&w.pos)


cdef inline bint has_pieces(const Position* pos, int us) noexcept nogil:
    """Whether a side has more than king and pawns, so that a zugzwang is unlikely."""
    return (pos.colours[us] & ~(pos.pieces[PAWN] | pos.pieces[KING])) != 0


cdef int evaluate(Worker* w) noexcept nogil:
    """Static evaluation from the side to move, within ±MAX_EVAL: by the net if there is one, else classical."""
    if w.accumulators.net != NULL:
        return clamp_eval(with_endgames(&w.pos, neural(&w.accumulators, &w.pos)))
    return clamp_eval(classical(&w.pos, w.pawn_cache))


cdef inline void update_net(Worker* w) noexcept nogil:
    """Updates the accumulators to the position: nearly every node needs them, for its own evaluation or for one
    below, and the prefetched table entry arrives meanwhile."""
    if w.accumulators.net != NULL:
        update_accumulators(&w.accumulators, &w.pos)


cdef inline void prefetch_child(const Worker* w, Move16 m) noexcept nogil:
    """Prefetches the table entry after a move that will probably be made. Without it, waiting for the table takes a
    fifth of the time."""
    prefetch(cluster_of(&w.shared.table, key_after(&w.pos, m)))


cdef inline void make_move(Worker* w, Move16 m) noexcept nogil:
    """Makes a move; the accumulators are updated when an evaluation needs them."""
    if w.accumulators.net != NULL:
        push_change(&w.accumulators, &w.pos, m)
    make(&w.pos, m)


cdef inline void take_back(Worker* w) noexcept nogil:
    w.accumulators.top -= w.accumulators.net != NULL
    unmake(&w.pos)


cdef inline void play_move(Worker* w, Frame* ss, Move16 m) noexcept nogil:
    """Makes a move at a node of the search and tells the child whether it is in check."""
    if DEBUG_BUILD:
        check_move(w, ss, m)
    ss.move = m
    ss.moved = piece_to(w.pos.board[from_of(m)], to_of(m))
    prefetch(&w.histories.cont_correction[(ss - 1).moved][ss.moved])
    count_node(w)
    make_move(w, m)
    ss[1].in_check = checkers_of(&w.pos) != 0


cdef inline void update_pv(Worker* w, int ply, Move16 m) noexcept nogil:
    """The line at `ply` becomes `m` followed by the line below it."""
    cdef int length = w.pv_lengths[ply + 1]
    must(ply + 1 + length <= MAX_PLY)
    w.pv[ply][0] = m
    memcpy(&w.pv[ply][1], &w.pv[ply + 1][0], length * sizeof(Move16))
    w.pv_lengths[ply] = length + 1


# Invariants, checked in the debug build only.

cdef void check_move(const Worker* w, const Frame* ss, Move16 m) noexcept nogil:
    """Only legal moves are made, and there is room for them."""
    cdef Masks masks = masks_of(&w.pos)
    must(is_legal(&w.pos, &masks, m))
    must(ss.ply < MAX_PLY - 1 and w.pos.depth < GAME_STATES + MAX_PLY)


cdef void check_node(const Worker* w, const Frame* ss, int alpha, int beta) noexcept nogil:
    """The window is open, the ply in range, the check flag right, and all keys equal those from scratch."""
    cdef State st = w.pos.st
    compute_keys(&w.pos, &st)
    must(-INFINITE <= alpha and alpha < beta and beta <= INFINITE)
    must(0 <= ss.ply and ss.ply < MAX_PLY and ss == &w.frames[STACK_BEFORE + ss.ply])
    must(ss.in_check == (checkers_of(&w.pos) != 0))
    must(st.key == w.pos.st.key and st.pawn_key == w.pos.st.pawn_key)
    must(st.nonpawn_keys[WHITE] == w.pos.st.nonpawn_keys[WHITE])
    must(st.nonpawn_keys[BLACK] == w.pos.st.nonpawn_keys[BLACK])
