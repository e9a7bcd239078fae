# Quiescence search: captures and promotions (in check, all evasions) until the position is quiet, so that the static
# evaluation is only used where no exchange is under way.

cdef inline int qsearch_body(Worker* w, Frame* ss, int alpha, int beta, const Params* params) noexcept nogil:
    """The value of the position for the side to move once the exchanges are played out.

    Same contract as `search_body`: fail-soft, a score ≤ alpha is an upper bound, a score ≥ beta a lower bound, one
    between them exact as far as quiescence goes; after a stop the score is meaningless. The side to move may
    decline every capture ("stand pat"), so out of check the score is at least its static evaluation.
    """
    cdef bint pv = beta - alpha > 1
    cdef bint in_check = ss.in_check
    cdef bint was_pv
    cdef int ply = ss.ply
    cdef int old_alpha = alpha
    cdef int raw_eval = NO_SCORE
    cdef int best, score, stand_pat, capture_value, futility, move_count, quiet_evasions, bound
    cdef TTHit hit
    cdef Picker picker
    cdef Move16 m, best_move = NO_MOVE

    if DEBUG_BUILD:
        check_node(w, ss, alpha, beta)

    # 1. Stop, draws, the ply limit
    if pv:
        w.pv_lengths[ply] = 0
        if ply > w.seldepth:
            w.seldepth = ply
    if must_stop(w):
        return 0
    if is_draw_in_search(w, ply):
        return DRAW
    if ply >= MAX_PLY - 1:
        return DRAW if in_check else evaluate(w)
    if not in_check:
        update_net(w)

    # 2. Transposition table. Any entry was searched at least as deep as this, so depth is no condition: a known
    #    position that decides the window ends the node (tt cutoffs in the whole tree: +123 ± 35).
    clear_hit(&hit)
    if uses(params, USE_TT):
        tt_probe(&w.shared.table, w.pos.st.key, ply, &hit)
        if (hit.found and not pv and uses(params, USE_TT_CUTOFFS)
                and (hit.depth <= 0 or uses(params, USE_DEEPER_TT_ENTRIES))
                and decides_window(&hit, alpha, beta) and w.pos.st.rule50 < params.TT_RULE50_LIMIT):
            return hit.score
    was_pv = pv or hit.was_pv

    # 3. Stand pat. The side to move need not capture, so the corrected evaluation, or a table score that is a better
    #    estimate of it (+26 ± 32), is a lower bound out of check. If it beats beta, the node is done.
    if in_check:
        best = -INFINITE
        futility = -INFINITE
        ss.static_eval = NO_SCORE
    else:
        raw_eval = hit.eval if hit.found and hit.eval != NO_SCORE else evaluate(w)
        stand_pat = corrected_eval(w, raw_eval, correction_value(w, ss, params), params)
        ss.static_eval = stand_pat
        if uses(params, USE_TT_SCORE_AS_EVAL) and is_better_eval(&hit, stand_pat):
            stand_pat = hit.score
        if stand_pat >= beta:
            if (not hit.found or hit.bound == BOUND_NONE) and uses(params, USE_TT):
                tt_store(&w.shared.table, w.pos.st.key, ply, NO_MOVE, stand_pat, raw_eval, -1, BOUND_LOWER, False,
                         params)
            if uses(params, USE_FAIL_HIGH_BLENDING) and not is_decisive(stand_pat) and not is_decisive(beta):
                return (stand_pat + beta) // 2
            return stand_pat
        if not hit.found:
            tt_store_eval(&w.shared.table, w.pos.st.key, ply, raw_eval, was_pv, params)
        best = stand_pat
        alpha = max_int(alpha, stand_pat)
        futility = stand_pat + params.QS_FUTILITY

    # 4. The moves: captures and promotions that lose no more than a little by exchange, in check all evasions. Captures
    #    that cannot bring the score near alpha are left out (qs pruning: +90 ± 34), and once mate is averted, so are
    #    further quiet evasions.
    ss.threats = 0
    start_picker(&picker, w, ss, hit.move, params.QS_SEE if uses(params, USE_QS_PRUNING) else -INFINITE, True)
    move_count = quiet_evasions = 0
    while True:
        m = next_move(&picker, w, ss, params)
        if m == NO_MOVE:
            break
        move_count += 1
        if uses(params, USE_QS_PRUNING) and best > -TABLEBASE_FOUND:
            if not in_check:
                # Futility: even winning the piece would not bring the score near alpha …
                if not is_promotion(m):
                    # After the first few captures only recaptures and checks are left (qs move limit).
                    if (uses(params, USE_QS_MOVE_LIMIT) and move_count > params.QS_MOVES
                            and to_of(m) != to_of((ss - 1).move) and not gives_check(&w.pos, m)):
                        continue
                    capture_value = futility + SEE_VALUES[captured_type(&w.pos, m)]
                    if capture_value <= alpha and not gives_check(&w.pos, m):
                        best = max_int(best, capture_value)
                        continue
                    # … or the score is below alpha already and the exchange wins nothing.
                    if futility <= alpha and not see_at_least(&w.pos, m, 1):
                        best = max_int(best, futility)
                        continue
            elif is_capture(m):
                if not see_at_least(&w.pos, m, 0):
                    continue    # a losing capture is no better than a quiet evasion
            elif quiet_evasions > 0:
                break           # one quiet evasion is enough once mate is averted
        quiet_evasions += in_check and not is_capture(m)
        play_move(w, ss, m)
        score = -qsearch(w, ss + 1, -beta, -alpha, params)
        take_back(w)
        if stopped(w):
            return 0
        if score > best:
            best = score
            if score > alpha:
                best_move = m
                if pv:
                    update_pv(w, ply, m)
                if score >= beta:
                    break
                alpha = score

    # 5. Mate, and the table
    if in_check and move_count == 0:
        return mated_in(ply)
    if best >= beta and uses(params, USE_QS_BLENDING) and not is_decisive(best) and not is_decisive(beta):
        best = (best + beta) // 2
    if uses(params, USE_TT):
        bound = BOUND_LOWER if best >= beta else (BOUND_EXACT if pv and alpha > old_alpha else BOUND_UPPER)
        tt_store(&w.shared.table, w.pos.st.key, ply, best_move, best, raw_eval, 0, bound, was_pv, params)
    return best


cdef int qsearch_default(Worker* w, Frame* ss, int alpha, int beta) noexcept nogil:
    return qsearch_body(w, ss, alpha, beta, &DEFAULT_PARAMS)


cdef int qsearch_tuned(Worker* w, Frame* ss, int alpha, int beta) noexcept nogil:
    return qsearch_body(w, ss, alpha, beta, &w.shared.params)


cdef inline int qsearch(Worker* w, Frame* ss, int alpha, int beta, const Params* params) noexcept nogil:
    """Quiescence search; see `qsearch_body`."""
    return qsearch_tuned(w, ss, alpha, beta) if params.tuned else qsearch_default(w, ss, alpha, beta)
