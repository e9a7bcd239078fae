# Pruning, reductions and extensions: when the search prunes and by how much, as small functions, so that each can be
# read, tested (features.txt lists those of numbers alone for Python) and tuned by itself. docs/techniques.md explains
# them.

cdef inline int rfp_margin(const Params* params, int depth, bint improving) noexcept nogil:
    """Reverse futility pruning: by how much the evaluation must beat beta."""
    return params.RFP_MARGIN * depth - params.RFP_IMPROVING * improving


cdef inline int razor_margin(const Params* params, int depth) noexcept nogil:
    """Razoring: by how much the evaluation must be below alpha."""
    return params.RAZOR_MARGIN * depth


cdef inline int nmp_reduction(const Params* params, int depth, int eval_above_beta) noexcept nogil:
    """Null-move pruning: plies taken off the search after the null move."""
    return (params.NMP_BASE + depth // params.NMP_DEPTH_DIVISOR
            + min_int(eval_above_beta // params.NMP_EVAL_DIVISOR, params.NMP_EVAL_MAX))


cdef inline int nmp_margin(const Params* params, int depth) noexcept nogil:
    """Null-move pruning: by how much the static evaluation must beat beta; negative at great depth."""
    return params.NMP_MARGIN - params.NMP_MARGIN_DEPTH * depth


cdef inline int probcut_margin(const Params* params, bint improving) noexcept nogil:
    """ProbCut: by how much a shallow search must beat beta."""
    return params.PROBCUT_MARGIN - params.PROBCUT_IMPROVING * improving


cdef inline int lmp_limit(const Params* params, int depth, bint improving) noexcept nogil:
    """Late-move pruning: moves tried before quiet ones are skipped."""
    return (params.LMP_BASE + depth * depth) >> (not improving)


cdef inline int futility_margin(const Params* params, int depth) noexcept nogil:
    """Futility pruning: by how much the evaluation must be below alpha for a quiet move to be skipped."""
    return params.FUTILITY_BASE + params.FUTILITY_MARGIN * depth


cdef inline int see_margin(const Params* params, bint noisy, int depth) noexcept nogil:
    """SEE pruning: the least result of an exchange that a move must have, negative for a loss that is allowed."""
    return -params.SEE_NOISY_MARGIN * depth if noisy else -params.SEE_QUIET_MARGIN * depth * depth


cdef inline bint loses_exchange(const Worker* w, Move16 m, int margin, const Params* params) noexcept nogil:
    """SEE pruning: whether a move loses more by exchange than the margin allows. Checks may lose more: they leave few
    replies, and mates begin with sacrifices."""
    if not uses(params, USE_SEE_PRUNING) or see_at_least(&w.pos, m, margin):
        return False
    return not (uses(params, USE_CHECK_GUARD) and gives_check(&w.pos, m)
                and see_at_least(&w.pos, m, margin * params.SEE_CHECK_FACTOR))


cdef inline int singular_beta(const Params* params, int tt_score, int depth) noexcept nogil:
    """Singular extensions: what all other moves must stay below for the table move to be singular."""
    return tt_score - depth * params.SINGULAR_MARGIN // 16


cdef inline int lmr_base_reduction(const Params* params, bint noisy, int depth, int move_number) noexcept nogil:
    """Late-move reduction by depth and move number, 1/1024 ply."""
    return params.lmr_table[noisy][min_int(depth, 63)][min_int(move_number, 63)]


cdef inline int correction_reduction(const Params* params, int correction) noexcept nogil:
    """How much less to reduce, 1/1024 ply, where the evaluation is corrected by this many centipawns."""
    return min_int(abs_int(correction) * params.LMR_CORRECTION, params.LMR_CORRECTION_MAX)


cdef inline int hindsight(const Params* params, int reduction, int gain, int depth) noexcept nogil:
    """Plies to add once a reduced move has been made; `gain` is what the side to move gained by it in static
    evaluation. A ply is given back if the move lost nothing, and one more taken off if it lost much."""
    if reduction >= params.HINDSIGHT_EXTEND and gain <= 0:
        return 1
    return -(reduction >= params.HINDSIGHT_REDUCE and gain > params.HINDSIGHT_MARGIN and depth >= 2)


cdef inline bint table_cuts(
    const Worker* w, const TTHit* hit, int alpha, int beta, int depth, const Params* params
) noexcept nogil:
    """Whether a table score can be returned at once: it was searched deeply enough and decides the window."""
    return (hit.found and uses(params, USE_TT_CUTOFFS)
            and (hit.depth == depth or (hit.depth > depth and uses(params, USE_DEEPER_TT_ENTRIES)))
            and decides_window(hit, alpha, beta) and w.pos.st.rule50 < params.TT_RULE50_LIMIT)


cdef inline bint is_improving(const Frame* ss, const Params* params) noexcept nogil:
    """Whether the static evaluation is better than two plies ago, or four if that was in check."""
    cdef bint improving = True
    if (ss - 2).static_eval != NO_SCORE:
        improving = ss.static_eval > (ss - 2).static_eval
    elif (ss - 4).static_eval != NO_SCORE:
        improving = ss.static_eval > (ss - 4).static_eval
    return improving and uses(params, USE_IMPROVING)


cdef inline bint rfp_cuts(
    const Params* params, int beta, int depth, int evaluation, bint improving, bint was_pv
) noexcept nogil:
    """Reverse futility pruning at low depth. A former PV node is searched instead (rfp guard): its score may be that of
    the root."""
    return (uses(params, USE_RFP) and depth <= params.RFP_DEPTH and not is_decisive(evaluation)
            and beta > -TABLEBASE_FOUND and evaluation - rfp_margin(params, depth, improving) >= beta
            and not (was_pv and uses(params, USE_RFP_GUARD)))


cdef inline bint can_try_null_move(
    const Worker* w, const Frame* ss, int beta, int depth, int evaluation, const Params* params
) noexcept nogil:
    """A null move is tried where the evaluation beats beta, but not twice in a row, not in a verification search and
    not without pieces, where a zugzwang would make passing an advantage."""
    return (uses(params, USE_NMP) and (ss - 1).move != NULL_MOVE and depth >= params.NMP_DEPTH
            and ss.ply >= w.null_floor and evaluation >= beta and ss.static_eval >= beta + nmp_margin(params, depth)
            and beta > -TABLEBASE_FOUND and has_pieces(&w.pos, w.pos.side))


cdef inline bint lacks_table_move(const TTHit* hit, int depth, const Params* params) noexcept nogil:
    """Internal iterative reduction: deep enough, and without a table move or with one of a much shallower search."""
    return (uses(params, USE_IIR) and depth >= params.IIR_DEPTH
            and (hit.move == NO_MOVE or hit.depth + params.IIR_TT_MARGIN < depth))


cdef inline bint can_try_probcut(
    const TTHit* hit, int beta, int probcut_beta, int depth, const Params* params
) noexcept nogil:
    """ProbCut is tried at enough depth where the game is open, unless the table says that no such score is there."""
    return (uses(params, USE_PROBCUT) and depth >= params.PROBCUT_DEPTH and abs_int(beta) < TABLEBASE_FOUND
            and not (hit.found and hit.depth > depth - params.PROBCUT_REDUCTION and hit.score < probcut_beta))


cdef inline bint can_be_singular(const TTHit* hit, int depth, const Params* params) noexcept nogil:
    """The table move comes from a search nearly as deep as this one that says it is at least this good."""
    return (depth >= params.SINGULAR_DEPTH and hit.depth >= depth - params.SINGULAR_TT_MARGIN
            and hit.bound & BOUND_LOWER != 0 and not is_decisive(hit.score))


cdef inline int late_move_reduction(
    const Frame* ss, int base, int history, int complexity, bint improving, bint was_pv, bint cut_node,
    bint tt_move_noisy, bint is_killer, const bint pv, const Params* params
) noexcept nogil:
    """The reduction of a move that has been made, 1/1024 ply: `base` with everything that is known about node and
    move."""
    cdef int reduction = base
    if uses(params, USE_CUT_NODE_LMR):
        if was_pv:
            reduction -= params.LMR_WAS_PV
        if cut_node:
            reduction += params.LMR_CUT
        if tt_move_noisy:
            reduction += params.LMR_TT_NOISY
        if ss[1].cutoffs > params.LMR_CUTOFF_COUNT:
            reduction += params.LMR_CUTOFFS
    if pv:
        reduction -= params.LMR_PV
    if not improving:
        reduction += params.LMR_IMPROVING
    if ss[1].in_check:
        reduction -= params.LMR_CHECK
    if is_killer:
        reduction -= params.LMR_KILLER
    if uses(params, USE_HISTORY_LMR):
        reduction -= history * 1024 // params.LMR_HISTORY
    if uses(params, USE_CORRECTION_LMR):
        reduction -= complexity
    return reduction
