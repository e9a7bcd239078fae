# Histories: what earlier nodes of the search taught about moves (which quiet moves and captures cut) and about the
# static evaluation (correction history). Everything that reads or updates them is here.
#
# A value moves towards its bonus by gravity: the nearer it is to its limit, the less a bonus adds, so that it stays
# within ±limit and recent updates count most.

cdef enum:
    HISTORY_BITS = 14           # values stay within ±2^14
    CORRECTION_BITS = 10


cdef inline int piece_to(int pc, int to_sq) noexcept nogil:
    """Index of a coloured piece on a square, 0 to 767."""
    return (type_of(pc) + 6 * colour_of(pc)) * 64 + to_sq


cdef inline void gravity(i16* value, int bonus, const int limit_bits) noexcept nogil:
    value[0] += <i16>(bonus - shifted_towards_zero(value[0] * abs_int(bonus), limit_bits))
    must(abs_int(value[0]) <= 1 << limit_bits)


cdef inline int history_bonus(const Params* params, int depth) noexcept nogil:
    return min_int(params.HISTORY_BONUS * depth, params.HISTORY_BONUS_MAX)


cdef inline int history_malus(const Params* params, int depth) noexcept nogil:
    return min_int(params.HISTORY_MALUS * depth, params.HISTORY_MALUS_MAX)


# Quiet moves

cdef inline i16* butterfly_entry(const Worker* w, int side, u64 threats, Move16 m) noexcept nogil:
    """By side, by whether the squares left and entered are attacked, and by both squares."""
    return &w.histories.quiet[side][threats >> from_of(m) & 1][threats >> to_of(m) & 1][m & 4095]


cdef inline i16* pawn_history_row(const Worker* w) noexcept nogil:
    return w.histories.pawn[w.pos.st.pawn_key & (PAWN_HISTORY_SIZE - 1)]


cdef inline int quiet_history(
    const Worker* w, const Frame* ss, Move16 m, int pc, const Params* params
) noexcept nogil:
    """The sum of a quiet move's histories: butterfly, continuations one, two and four plies back, pawn structure."""
    cdef const Histories* h = w.histories
    cdef int index = piece_to(pc, to_of(m))
    return (butterfly_entry(w, w.pos.side, ss.threats, m)[0]
            + h.cont[(ss - 1).moved][index] + h.cont[(ss - 2).moved][index]
            + h.cont[(ss - 4).moved][index] * params.CONT4_WEIGHT // 16
            + pawn_history_row(w)[index])


cdef inline void update_quiet_history(
    Worker* w, const Frame* ss, Move16 m, int bonus, const Params* params
) noexcept nogil:
    """Updates the same tables that `quiet_history` sums."""
    cdef Histories* h = w.histories
    cdef int index = piece_to(w.pos.board[from_of(m)], to_of(m))
    if uses(params, USE_BUTTERFLY_HISTORY):
        gravity(butterfly_entry(w, w.pos.side, ss.threats, m), bonus, HISTORY_BITS)
    if uses(params, USE_CONTINUATION_HISTORY):
        gravity(&h.cont[(ss - 1).moved][index], bonus, HISTORY_BITS)
        gravity(&h.cont[(ss - 2).moved][index], bonus, HISTORY_BITS)
        gravity(&h.cont[(ss - 4).moved][index], bonus, HISTORY_BITS)
    if uses(params, USE_PAWN_HISTORY):
        gravity(pawn_history_row(w) + index, bonus, HISTORY_BITS)


cdef inline bint was_quiet(const Frame* ss) noexcept nogil:
    """Whether the move of this ply was neither a capture, a promotion nor a null move."""
    return ss.moved != PIECE_TO and not is_noisy(ss.move)


cdef inline void update_previous_quiet_history(Worker* w, const Frame* ss, int bonus) noexcept nogil:
    """Updates the butterfly history of the quiet move that led to this node."""
    gravity(butterfly_entry(w, w.pos.side ^ 1, (ss - 1).threats, (ss - 1).move), bonus, HISTORY_BITS)


cdef inline int eval_history_bonus(const Params* params, int gain) noexcept nogil:
    """Bonus of the opponent's quiet move, by our gain: the sum of the static evaluations of both sides to move."""
    return clamp_int(-gain * params.EVAL_HISTORY_BONUS, params.EVAL_HISTORY_MIN, params.EVAL_HISTORY_MAX)


cdef inline void update_fail_low_history(Worker* w, const Frame* ss, int depth, const Params* params) noexcept nogil:
    """Rewards the quiet move that led to this node: no reply to it was good enough."""
    cdef int bonus = history_bonus(params, depth) * params.FAIL_LOW_BONUS // 16
    update_previous_quiet_history(w, ss, bonus)
    gravity(&w.histories.cont[(ss - 2).moved][(ss - 1).moved], bonus, HISTORY_BITS)


cdef inline void update_post_lmr_history(
    Worker* w, const Frame* ss, int score, int alpha, int beta, int depth, const Params* params
) noexcept nogil:
    """Updates the continuations of a quiet move that was reduced, beat alpha and was searched again."""
    cdef int bonus = 0
    if score <= alpha:
        bonus = -history_malus(params, depth)
    elif score >= beta:
        bonus = history_bonus(params, depth)
    gravity(&w.histories.cont[(ss - 1).moved][ss.moved], bonus, HISTORY_BITS)
    gravity(&w.histories.cont[(ss - 2).moved][ss.moved], bonus, HISTORY_BITS)


# Captures

cdef inline int captured_type(const Position* pos, Move16 m) noexcept nogil:
    return PAWN if flags_of(m) == EN_PASSANT else type_of(pos.board[to_of(m)])


cdef inline i16* capture_history(const Worker* w, Move16 m) noexcept nogil:
    """By piece, square entered and captured type; a promotion without capture has a type of its own."""
    return &w.histories.capture[piece_to(w.pos.board[from_of(m)], to_of(m))][captured_type(&w.pos, m)]


# Both

cdef inline void update_cutoff_histories(
    Worker* w, Frame* ss, Move16 best, int depth,
    const Move16* quiets, int quiet_count, const Move16* captures, int capture_count, const Params* params
) noexcept nogil:
    """Rewards the move that beat beta and punishes those that were tried before it."""
    cdef int bonus = history_bonus(params, depth)
    cdef int malus = history_malus(params, depth)
    cdef int i
    if is_noisy(best):
        if uses(params, USE_CAPTURE_HISTORY):
            gravity(capture_history(w, best), bonus, HISTORY_BITS)
    else:
        if ss.killers[0] != best and uses(params, USE_KILLERS):
            ss.killers[1] = ss.killers[0]
            ss.killers[0] = best
        update_quiet_history(w, ss, best, bonus, params)
        for i in range(quiet_count):
            if quiets[i] != best:
                update_quiet_history(w, ss, quiets[i], -malus, params)
    for i in range(capture_count):
        if captures[i] != best and uses(params, USE_CAPTURE_HISTORY):
            gravity(capture_history(w, captures[i]), -malus, HISTORY_BITS)


# Correction of the static evaluation

cdef inline i16* pawn_correction(const Worker* w) noexcept nogil:
    return &w.histories.pawn_correction[w.pos.side][w.pos.st.pawn_key & (CORRECTION_SIZE - 1)]


cdef inline i16* nonpawn_correction(const Worker* w, int colour) noexcept nogil:
    return &w.histories.nonpawn_correction[colour][w.pos.side][w.pos.st.nonpawn_keys[colour] & (CORRECTION_SIZE - 1)]


cdef inline i16* cont_correction(const Worker* w, const Frame* ss) noexcept nogil:
    return &w.histories.cont_correction[(ss - 2).moved][(ss - 1).moved]


cdef inline int correction_value(const Worker* w, const Frame* ss, const Params* params) noexcept nogil:
    """By how much searches of similar positions found the static evaluation to be wrong, centipawns."""
    cdef int sum
    sum = params.CORRECTION_PAWN * pawn_correction(w)[0]
    sum += params.CORRECTION_NONPAWN * (nonpawn_correction(w, WHITE)[0] + nonpawn_correction(w, BLACK)[0])
    sum += params.CORRECTION_CONT * cont_correction(w, ss)[0]
    return sum // params.CORRECTION_DIVISOR


cdef inline bint shows_eval_error(int static_eval, int score, int bound, Move16 best_move) noexcept nogil:
    """Whether the score of a search says that the static evaluation is wrong: no mate and no capture explains the
    difference, and the evaluation lies outside a score that is only a bound."""
    return (not is_decisive(score) and not is_noisy(best_move) and not (bound == BOUND_LOWER and score <= static_eval)
            and not (bound == BOUND_UPPER and score >= static_eval))


cdef inline void update_correction_history(
    Worker* w, const Frame* ss, int difference, int depth, const Params* params
) noexcept nogil:
    """Moves the corrections towards `difference`, search score − static evaluation."""
    cdef int bonus = clamp_int(difference * depth // params.CORRECTION_RATE,
                               -params.CORRECTION_UPDATE_MAX, params.CORRECTION_UPDATE_MAX)
    gravity(pawn_correction(w), bonus, CORRECTION_BITS)
    gravity(nonpawn_correction(w, WHITE), bonus, CORRECTION_BITS)
    gravity(nonpawn_correction(w, BLACK), bonus, CORRECTION_BITS)
    gravity(cont_correction(w, ss), bonus, CORRECTION_BITS)


cdef inline int corrected_eval(const Worker* w, int raw, int correction, const Params* params) noexcept nogil:
    """The static evaluation with its correction, scaled down as the fifty-move rule draws near."""
    if not uses(params, USE_CORRECTION_HISTORY):
        return raw
    return clamp_eval(raw * (params.RULE50_SCALE - w.pos.st.rule50) // params.RULE50_SCALE + correction)
