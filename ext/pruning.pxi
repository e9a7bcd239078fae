# Pruning, reductions and extensions: each decision of the search as a small function of numbers,
# so that it can be read, tested and tuned by itself (docs/techniques.md).

from libc.math cimport log

cdef i32 REDUCTIONS[2][64][64]      # noisy, depth, move number; 1/1024 ply
cdef double LOGARITHMS[64]          # of depths and move numbers; tuning fills the table above before every move

cdef void fill_logarithms() noexcept nogil:
    cdef int i
    for i in range(1, 64):
        LOGARITHMS[i] = log(<double>i)


fill_logarithms()


cdef void fill_reductions() noexcept nogil:
    """To be called again whenever a tunable changes."""
    cdef int depth, number
    cdef double product
    for depth in range(64):
        for number in range(64):
            if depth == 0 or number == 0:
                REDUCTIONS[0][depth][number] = REDUCTIONS[1][depth][number] = 0
                continue
            product = LOGARITHMS[depth] * LOGARITHMS[number] * 1024
            REDUCTIONS[0][depth][number] = LMR_BASE + <i32>(product * 200 / LMR_DIVISOR)
            REDUCTIONS[1][depth][number] = LMR_NOISY_BASE + <i32>(product * 200 / LMR_NOISY_DIVISOR)


fill_reductions()


cdef inline int lmr_base_reduction(bint noisy, int depth, int number) noexcept nogil:
    """Late-move reduction by depth and move number, 1/1024 ply."""
    return REDUCTIONS[noisy][min_int(depth, 63)][min_int(number, 63)]


cdef inline int rfp_margin(int depth, bint improving) noexcept nogil:
    return RFP_MARGIN * depth - RFP_IMPROVING * improving


cdef inline int razor_margin(int depth) noexcept nogil:
    return RAZOR_MARGIN * depth


cdef inline int nmp_reduction(int depth, int surplus) noexcept nogil:
    """Plies taken off for a null move; `surplus` is the evaluation over beta."""
    return NULL_BASE + depth // NULL_DEPTH_DIVISOR + min_int(surplus // NULL_EVAL_DIVISOR, 3)


cdef inline int lmp_limit(int depth, bint improving) noexcept nogil:
    """Moves tried at a depth before quiet ones are pruned."""
    return (LMP_BASE + depth * depth) // (2 - improving)


cdef inline int futility_margin(int depth) noexcept nogil:
    return FUTILITY_BASE + FUTILITY_MARGIN * depth


cdef inline int see_margin(bint noisy, int depth) noexcept nogil:
    """Loss by exchange that a move may have at a depth, as a threshold for SEE."""
    return -SEE_NOISY_MARGIN * depth if noisy else -SEE_QUIET_MARGIN * depth * depth


cdef inline int singular_beta(int hash_score, int depth) noexcept nogil:
    """What the other moves must stay below for the hash move to be singular."""
    return hash_score - depth * SINGULAR_MARGIN // 16


cdef inline int eval_history_bonus(int gain) noexcept nogil:
    """For the opponent's quiet move, by what we gained: both static evaluations, each side's own, added."""
    return clamp_int(-gain * EVAL_HISTORY_BONUS, -1200, 1000)


cdef inline int hindsight(int reduction, int gain, int depth) noexcept nogil:
    """Plies to add once a reduced move is on the board; `gain` is what we have won by it in static evaluation."""
    if reduction >= 3 * 1024 and gain <= 0:
        return 1
    return -(reduction >= 2 * 1024 and gain > HINDSIGHT_MARGIN and depth >= 2)


cdef inline int correction_reduction(int correction) noexcept nogil:
    """How much less to reduce, 1/1024 ply, where the evaluation is corrected by so many centipawns."""
    return min_int(abs_int(correction) * LMR_CORRECTION, 2048)
