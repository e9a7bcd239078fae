# Histories: which moves were good before, learned during the search. All values stay within
# ±HISTORY_LIMIT by gravity: the nearer the limit, the less a bonus adds.

cdef enum:
    HISTORY_LIMIT = 16384
    CORRECTION_LIMIT = 1024
    CORRECTION_GRAIN = 64       # correction values are in 1/64 centipawn before weights


cdef inline int piece_to(int pc, int to_sq) noexcept nogil:
    """Index of a coloured piece on a square, 0 to 767."""
    return (type_of(pc) + 6 * colour_of(pc)) * 64 + to_sq


cdef inline void gravity(i16* value, int bonus, const int limit) noexcept nogil:
    value[0] += <i16>(bonus - value[0] * abs_int(bonus) // limit)


cdef inline int history_bonus(int depth) noexcept nogil:
    return min_int(HISTORY_BONUS * depth, HISTORY_BONUS_MAX)


cdef inline int history_malus(int depth) noexcept nogil:
    return min_int(HISTORY_MALUS * depth, HISTORY_MALUS_MAX)


cdef inline int quiet_history(const Worker* w, const Frame* ss, Move16 m, int pc) noexcept nogil:
    """All quiet histories of a move: butterfly by threats, continuations, pawn structure."""
    cdef const Histories* h = w.histories
    cdef int index = piece_to(pc, to_of(m))
    return (h.quiet[w.pos.side][ss.threats >> from_of(m) & 1][ss.threats >> to_of(m) & 1][m & 4095]
            + h.cont[(ss - 1).moved][index] + h.cont[(ss - 2).moved][index] + h.cont[(ss - 4).moved][index] // 2
            + h.pawn[w.pos.st.pawn_key & (PAWN_HISTORY_SIZE - 1)][index])


cdef inline int captured_type(const Position* pos, Move16 m) noexcept nogil:
    return PAWN if flags_of(m) == EN_PASSANT else type_of(pos.board[to_of(m)])


cdef inline i16* capture_history(const Worker* w, Move16 m) noexcept nogil:
    return &w.histories.capture[piece_to(w.pos.board[from_of(m)], to_of(m))][captured_type(&w.pos, m)]


cdef void update_quiet_history(Worker* w, const Frame* ss, Move16 m, int bonus) noexcept nogil:
    cdef Histories* h = w.histories
    cdef int index = piece_to(w.pos.board[from_of(m)], to_of(m))
    if uses(w, USE_BUTTERFLY_HISTORY):
        gravity(&h.quiet[w.pos.side][ss.threats >> from_of(m) & 1][ss.threats >> to_of(m) & 1][m & 4095],
                bonus, HISTORY_LIMIT)
    if uses(w, USE_CONTINUATION_HISTORY):
        gravity(&h.cont[(ss - 1).moved][index], bonus, HISTORY_LIMIT)
        gravity(&h.cont[(ss - 2).moved][index], bonus, HISTORY_LIMIT)
        gravity(&h.cont[(ss - 4).moved][index], bonus, HISTORY_LIMIT)
    if uses(w, USE_PAWN_HISTORY):
        gravity(&h.pawn[w.pos.st.pawn_key & (PAWN_HISTORY_SIZE - 1)][index], bonus, HISTORY_LIMIT)


cdef void update_cutoff_histories(
    Worker* w, Frame* ss, Move16 best, int depth,
    const Move16* quiets, int quiet_count, const Move16* captures, int capture_count
) noexcept nogil:
    """The move that beat beta is rewarded, those tried before it pay."""
    cdef int bonus = history_bonus(depth)
    cdef int malus = history_malus(depth)
    cdef int i
    if is_capture(best) or is_promotion(best):
        if uses(w, USE_CAPTURE_HISTORY):
            gravity(capture_history(w, best), bonus, HISTORY_LIMIT)
    else:
        if ss.killers[0] != best and uses(w, USE_KILLERS):
            ss.killers[1] = ss.killers[0]
            ss.killers[0] = best
        update_quiet_history(w, ss, best, bonus)
        for i in range(quiet_count):
            if quiets[i] != best:
                update_quiet_history(w, ss, quiets[i], -malus)
    for i in range(capture_count):
        if captures[i] != best and uses(w, USE_CAPTURE_HISTORY):
            gravity(capture_history(w, captures[i]), -malus, HISTORY_LIMIT)


cdef inline bint was_quiet(const Frame* ss) noexcept nogil:
    """The move of this ply was neither a capture, a promotion nor a null move."""
    return ss.moved != PIECE_TO and not is_capture(ss.move) and not is_promotion(ss.move)


cdef inline void update_previous_quiet_history(Worker* w, const Frame* ss, int bonus) noexcept nogil:
    """The quiet move that led here, in the butterfly history of the side that made it."""
    cdef const Frame* before = ss - 1
    gravity(&w.histories.quiet[w.pos.side ^ 1][before.threats >> from_of(before.move) & 1]
            [before.threats >> to_of(before.move) & 1][before.move & 4095], bonus, HISTORY_LIMIT)


cdef inline int correction_value(const Worker* w, const Frame* ss) noexcept nogil:
    """What searches of like positions found the static evaluation to be wrong by, centipawns."""
    cdef const Histories* h = w.histories
    cdef const State* st = &w.pos.st
    cdef int us = w.pos.side
    cdef int sum
    sum = CORRECTION_PAWN * h.pawn_correction[us][st.pawn_key & (CORRECTION_SIZE - 1)]
    sum += CORRECTION_NONPAWN * (h.nonpawn_correction[WHITE][us][st.nonpawn_keys[WHITE] & (CORRECTION_SIZE - 1)]
                                 + h.nonpawn_correction[BLACK][us][st.nonpawn_keys[BLACK] & (CORRECTION_SIZE - 1)])
    sum += CORRECTION_CONT * h.cont_correction[(ss - 2).moved][(ss - 1).moved]
    return sum // (64 * 10)


cdef inline void update_correction_history(Worker* w, const Frame* ss, int difference, int depth) noexcept nogil:
    """Moves the corrections towards (search score − static evaluation)."""
    cdef Histories* h = w.histories
    cdef const State* st = &w.pos.st
    cdef int us = w.pos.side
    cdef int bonus = clamp_int(difference * depth // 8, -CORRECTION_LIMIT // 4, CORRECTION_LIMIT // 4)
    gravity(&h.pawn_correction[us][st.pawn_key & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    gravity(&h.nonpawn_correction[WHITE][us][st.nonpawn_keys[WHITE] & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    gravity(&h.nonpawn_correction[BLACK][us][st.nonpawn_keys[BLACK] & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    gravity(&h.cont_correction[(ss - 2).moved][(ss - 1).moved], bonus, CORRECTION_LIMIT)


cdef inline int corrected_eval(const Worker* w, int raw, int correction) noexcept nogil:
    if not uses(w, USE_CORRECTION_HISTORY):
        return raw
    # Drawing near by the fifty-move rule, an advantage is worth less.
    return clamp_eval(raw * (220 - w.pos.st.rule50) // 220 + correction)
