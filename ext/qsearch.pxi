# Quiescence: captures and promotions (in check, all evasions) until the position is quiet, so that
# the static evaluation is only asked where nothing hangs.


cdef int qsearch(Worker* w, Frame* ss, int alpha, int beta) noexcept nogil:
    cdef bint pv = beta - alpha > 1
    cdef bint in_check, was_pv
    cdef int ply = ss.ply
    cdef int best, score, raw_eval, futility, count, value, quiets
    cdef int old_alpha = alpha
    cdef TTHit hit
    cdef Picker picker
    cdef Move16 m, best_move = NO_MOVE

    if pv:
        w.pv_lengths[ply] = 0
        if ply > w.seldepth:
            w.seldepth = ply
    if must_stop(w):
        return 0
    if is_draw_in_search(w, ply):
        return DRAW
    in_check = ss.in_check
    if ply >= MAX_PLY - 1:
        return DRAW if in_check else evaluate(w)

    if not in_check:
        update_net(w)

    # Table
    hit.found = False
    hit.move = NO_MOVE
    hit.was_pv = False
    if uses(w, USE_TT):
        tt_probe(&w.shared.table, w.pos.st.key, ply, &hit)
        if (hit.found and not pv and uses(w, USE_TT_CUTOFFS) and (hit.depth <= 0 or uses(w, USE_DEEPER_TT_ENTRIES))
                and (hit.bound == BOUND_EXACT or (hit.bound == BOUND_LOWER and hit.score >= beta)
                     or (hit.bound == BOUND_UPPER and hit.score <= alpha))
                and w.pos.st.rule50 < RULE50_TT_LIMIT):
            return hit.score
    was_pv = pv or hit.was_pv

    # Stand pat
    raw_eval = NO_SCORE
    if in_check:
        best = -INFINITE
        futility = -INFINITE
        ss.static_eval = NO_SCORE
    else:
        raw_eval = hit.eval if hit.found and hit.eval != NO_SCORE else evaluate(w)
        best = corrected_eval(w, raw_eval, correction_value(w, ss))
        ss.static_eval = best
        if (hit.found and uses(w, USE_TT_SCORE_AS_EVAL) and not is_mate_score(hit.score)
                and hit.bound & (BOUND_LOWER if hit.score > best else BOUND_UPPER)):
            best = hit.score
        if best >= beta:
            if not hit.found and uses(w, USE_TT):
                tt_store(&w.shared.table, w.pos.st.key, ply, NO_MOVE, best, raw_eval, -1, BOUND_LOWER, False)
            if uses(w, USE_FAIL_HIGH_BLENDING) and not is_mate_score(best) and not is_mate_score(beta):
                best = (best + beta) // 2
            return best
        if best > alpha:
            alpha = best
        futility = best + QS_FUTILITY

    # Moves
    ss.threats = 0
    start_picker(&picker, w, ss, hit.move, QS_SEE if uses(w, USE_QS_PRUNING) else -INFINITE, True)
    count = quiets = 0
    while True:
        m = next_move(&picker, w, ss)
        if m == NO_MOVE:
            break
        count += 1
        if uses(w, USE_QS_PRUNING) and best > -MATE_FOUND:
            if not in_check:
                # A capture that cannot bring the score near alpha.
                if not is_promotion(m):
                    value = futility + SEE_VALUES[captured_type(&w.pos, m)]
                    if value <= alpha and not gives_check(&w.pos, m):
                        if value > best:
                            best = value
                        continue
                    if futility <= alpha and not see_at_least(&w.pos, m, 1):
                        if futility > best:
                            best = futility
                        continue
            elif is_capture(m):
                if not see_at_least(&w.pos, m, 0):
                    continue    # a losing capture is no better than a quiet way out
            elif quiets > 0:
                break           # one quiet evasion is enough once there is a way out
        quiets += in_check and not is_capture(m)
        play_move(w, ss, m)
        score = -qsearch(w, ss + 1, -beta, -alpha)
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

    if in_check and count == 0:
        return mated_in(ply)
    if uses(w, USE_TT):
        tt_store(&w.shared.table, w.pos.st.key, ply, best_move, best, raw_eval, 0,
                 BOUND_LOWER if best >= beta else (BOUND_EXACT if pv and alpha > old_alpha else BOUND_UPPER), was_pv)
    return best
