# Search: principal variation search as numbered steps.
#
# Nodes come in three kinds. PV nodes have an open window and are searched exactly. In cut nodes a
# move is expected to beat beta at once; in all nodes none is. Everything that prunes or reduces is
# switched by `uses`, so that the plain search the lab is checked against is this same code.


cdef inline int search_body(
    Worker* w, Frame* ss, int alpha, int beta, int depth, bint cut_node, const bint pv
) noexcept nogil:
    cdef int ply = ss.ply
    cdef bint root = pv and ply == 0
    cdef int us = w.pos.side
    cdef bint in_check, improving, was_pv, noisy, hash_noisy, full_depth
    cdef int raw_eval, evaluation, best, score, margin, reduction, new_depth, extension, lmr_depth
    cdef int move_count = 0, quiet_count = 0, capture_count = 0, history, root_index, i, bound
    cdef int old_alpha = alpha
    cdef int singular, probcut_beta, bonus, correction, complexity = 0
    cdef u64 nodes_before, threats
    cdef TTHit hit
    cdef Picker picker
    cdef Move16 m, best_move = NO_MOVE
    cdef Move16 excluded = ss.excluded
    cdef Move16 quiets[64]
    cdef Move16 captures[32]
    cdef RootMove* line

    # 1. The horizon
    if pv:
        w.pv_lengths[ply] = 0
        if ply > w.seldepth:
            w.seldepth = ply
    if depth <= 0:
        return qsearch(w, ss, alpha, beta) if uses(w, USE_QUIESCENCE) else evaluate(w)

    # 2. Out of time, drawn, or too deep; and no line is better than a mate already found
    if must_stop(w):
        return 0
    in_check = ss.in_check
    if not root:
        if is_draw_in_search(w, ply):
            ss.exit_reason = EXIT_DRAW
            return DRAW
        if ply >= MAX_PLY - 1:
            return DRAW if in_check else evaluate(w)
        if alpha < DRAW and uses(w, USE_UPCOMING_REPETITION) and can_repeat(&w.pos, ply):
            alpha = DRAW
            if alpha >= beta:
                ss.exit_reason = EXIT_DRAW
                return alpha
        if uses(w, USE_MATE_DISTANCE_PRUNING):
            alpha = max_int(alpha, mated_in(ply))
            beta = min_int(beta, mate_in(ply + 1))
            if alpha >= beta:
                ss.exit_reason = EXIT_MATE_DISTANCE
                return alpha

    if not in_check:
        update_net(w)

    # 3. Transposition table
    hit.found = False
    hit.move = NO_MOVE
    hit.was_pv = False
    hit.score = NO_SCORE
    hit.depth = 0
    hit.bound = BOUND_NONE
    if uses(w, USE_TT):
        tt_probe(&w.shared.table, w.pos.st.key, ply, &hit)
        if not uses(w, USE_TT_MOVE):
            hit.move = NO_MOVE
        if root:
            hit.move = w.root_moves[w.multi_index].move
        if (not pv and excluded == NO_MOVE and hit.found and uses(w, USE_TT_CUTOFFS)
                and (hit.depth == depth or (hit.depth > depth and uses(w, USE_DEEPER_TT_ENTRIES)))
                and (hit.bound == BOUND_EXACT or (hit.bound == BOUND_LOWER and hit.score >= beta)
                     or (hit.bound == BOUND_UPPER and hit.score <= alpha))
                and w.pos.st.rule50 < RULE50_TT_LIMIT):
            if hit.move != NO_MOVE and hit.score >= beta and not is_capture(hit.move) and not is_promotion(hit.move):
                picker.masks = masks_of(&w.pos)
                if is_legal(&w.pos, &picker.masks, hit.move):
                    ss.threats = all_attacks(&w.pos, us ^ 1) if uses(w, USE_THREATS) else 0
                    update_quiet_history(w, ss, hit.move, history_bonus(depth))
            ss.exit_reason = EXIT_TT
            return hit.score
    was_pv = pv or hit.was_pv
    if excluded != NO_MOVE:
        was_pv = ss.was_pv
    ss.was_pv = was_pv
    hash_noisy = hit.move != NO_MOVE and (is_capture(hit.move) or is_promotion(hit.move))

    # 4. Static evaluation, corrected by experience, and by the table where that says more
    raw_eval = NO_SCORE
    if in_check:
        evaluation = ss.static_eval = NO_SCORE
        improving = False
    else:
        if excluded != NO_MOVE:
            evaluation = ss.static_eval
        else:
            raw_eval = hit.eval if hit.found and hit.eval != NO_SCORE else evaluate(w)
            correction = correction_value(w, ss)
            evaluation = ss.static_eval = corrected_eval(w, raw_eval, correction)
            complexity = correction_reduction(correction)
            if (hit.found and not is_mate_score(hit.score) and uses(w, USE_TT_SCORE_AS_EVAL)
                    and hit.bound & (BOUND_LOWER if hit.score > evaluation else BOUND_UPPER)):
                evaluation = hit.score
        if (ss - 2).static_eval != NO_SCORE:
            improving = ss.static_eval > (ss - 2).static_eval
        elif (ss - 4).static_eval != NO_SCORE:
            improving = ss.static_eval > (ss - 4).static_eval
        else:
            improving = True
        improving = improving and uses(w, USE_IMPROVING)
        if (uses(w, USE_EVAL_HISTORY) and excluded == NO_MOVE and not root and was_quiet(ss - 1)
                and (ss - 1).static_eval != NO_SCORE):
            update_previous_quiet_history(w, ss, eval_history_bonus(ss.static_eval + (ss - 1).static_eval))
        if uses(w, USE_HINDSIGHT) and excluded == NO_MOVE and not root and (ss - 1).static_eval != NO_SCORE:
            depth += hindsight((ss - 1).reduction, ss.static_eval + (ss - 1).static_eval, depth)
    ss.reduction = 0
    ss[2].killers[0] = ss[2].killers[1] = NO_MOVE
    ss[1].cutoffs = 0
    ss[1].excluded = NO_MOVE

    if not pv and not in_check and excluded == NO_MOVE:
        # 5. Razoring: hopeless unless a capture helps
        if (uses(w, USE_RAZORING) and depth <= RAZOR_DEPTH and evaluation + razor_margin(depth) < alpha
                and abs_int(alpha) < MATE_FOUND):
            score = qsearch(w, ss, alpha, alpha + 1)
            if stopped(w):
                return 0
            if score <= alpha:
                ss.exit_reason = EXIT_RAZORING
                return score

        # 6. Reverse futility: so good that the opponent would not enter
        if (uses(w, USE_RFP) and depth <= RFP_DEPTH and evaluation < MATE_FOUND and beta > -MATE_FOUND
                and evaluation - rfp_margin(depth, improving) >= beta):
            ss.exit_reason = EXIT_RFP
            return (evaluation + beta) // 2

        # 7. Null move: good even if the opponent moves twice
        if (uses(w, USE_NMP) and (ss - 1).move != NULL_MOVE and depth >= 2 and ply >= w.null_floor
                and evaluation >= beta and ss.static_eval >= beta + NULL_MARGIN - NULL_MARGIN_DEPTH * depth
                and beta > -MATE_FOUND and has_pieces(&w.pos, us)):
            reduction = nmp_reduction(depth, evaluation - beta)
            ss.move = NULL_MOVE
            ss.moved = PIECE_TO
            make_null(&w.pos)
            ss[1].in_check = False
            prefetch(cluster_of(&w.shared.table, w.pos.st.key))
            score = -search_zero(w, ss + 1, -beta, -beta + 1, depth - reduction, not cut_node)
            unmake_null(&w.pos)
            if stopped(w):
                return 0
            if score >= beta:
                if score >= MATE_FOUND:
                    score = beta        # a mate with a free move proves nothing
                if depth < 14 or w.null_floor > 0:
                    ss.exit_reason = EXIT_NMP
                    return score
                # Deep down, make sure it is no zugzwang.
                w.null_floor = ply + (depth - reduction) * 3 // 4
                margin = search_zero(w, ss, beta - 1, beta, depth - reduction, False)
                w.null_floor = 0
                if stopped(w):
                    return 0
                if margin >= beta:
                    ss.exit_reason = EXIT_NMP
                    return score

    # 8. Internal iterative reduction: without a hash move the ordering is poor
    if (uses(w, USE_IIR) and (pv or cut_node) and not root and depth >= 4 and excluded == NO_MOVE
            and (hit.move == NO_MOVE or hit.depth + 4 < depth)):
        depth -= 1

    # 9. ProbCut: a capture that looks like beating beta by far
    probcut_beta = beta + PROBCUT_MARGIN - PROBCUT_IMPROVING * improving
    if (uses(w, USE_PROBCUT) and not pv and not in_check and excluded == NO_MOVE and depth >= PROBCUT_DEPTH
            and abs_int(beta) < MATE_FOUND
            and not (hit.found and hit.depth >= depth - 3 and hit.score < probcut_beta)):
        start_picker(&picker, w, ss, hit.move, probcut_beta - ss.static_eval, True)
        while True:
            m = next_move(&picker, w, ss)
            if m == NO_MOVE:
                break
            if not see_at_least(&w.pos, m, probcut_beta - ss.static_eval):
                continue
            play_move(w, ss, m)
            score = -qsearch(w, ss + 1, -probcut_beta, -probcut_beta + 1)
            if score >= probcut_beta:
                score = -search_zero(w, ss + 1, -probcut_beta, -probcut_beta + 1, depth - 4, not cut_node)
            take_back(w)
            if stopped(w):
                return 0
            if score >= probcut_beta:
                tt_store(&w.shared.table, w.pos.st.key, ply, m, score, raw_eval, depth - 3, BOUND_LOWER, was_pv)
                ss.exit_reason = EXIT_PROBCUT
                return score

    # 10. The moves
    best = -INFINITE
    start_picker(&picker, w, ss, hit.move, 0, False)
    set_threats(w, ss, &picker)
    threats = ss.threats
    root_index = w.multi_index - 1
    while True:
        if root:
            root_index += 1
            m = w.root_moves[root_index].move if root_index < w.root_count else <Move16>NO_MOVE
        else:
            m = next_move(&picker, w, ss)
        if m == NO_MOVE:
            break
        if m == excluded:
            continue
        move_count += 1
        noisy = is_capture(m) or is_promotion(m)
        history = (capture_history(w, m)[0] if noisy
                   else quiet_history(w, ss, m, w.pos.board[from_of(m)]))
        reduction = lmr_base_reduction(noisy, depth, move_count)

        # 11. Pruning of late, quiet or losing moves at low depth
        if not root and best > -MATE_FOUND and has_pieces(&w.pos, us):
            lmr_depth = depth
            if uses(w, USE_LMR_DEPTH):
                lmr_depth = max_int(depth - reduction // 1024 + (0 if noisy else history // LMR_HISTORY), 0)
            if not noisy:
                if uses(w, USE_LMP) and move_count >= lmp_limit(depth, improving):
                    picker.skip_quiets = True
                if (uses(w, USE_FUTILITY_PRUNING) and not in_check and lmr_depth <= FUTILITY_DEPTH
                        and ss.static_eval + futility_margin(lmr_depth) <= alpha and not gives_check(&w.pos, m)):
                    picker.skip_quiets = True
                    continue
                if uses(w, USE_HISTORY_PRUNING) and depth <= HISTORY_DEPTH and history < -HISTORY_MARGIN * depth:
                    continue
                if uses(w, USE_SEE_PRUNING) and not see_at_least(&w.pos, m, see_margin(False, lmr_depth)):
                    continue
            elif uses(w, USE_SEE_PRUNING) and not see_at_least(&w.pos, m, see_margin(True, depth)):
                continue

        # 12. Singular extension: is the hash move so much better than the rest that it is forced?
        extension = 0
        if uses(w, USE_SINGULAR_EXTENSIONS) and not root and ply < 2 * w.root_depth:
            if (depth >= SINGULAR_DEPTH and m == hit.move and excluded == NO_MOVE and hit.depth >= depth - 3
                    and hit.bound & BOUND_LOWER and not is_mate_score(hit.score)):
                singular = singular_beta(hit.score, depth)
                ss.excluded = m
                score = search_zero(w, ss, singular - 1, singular, (depth - 1) // 2, cut_node)
                ss.excluded = NO_MOVE
                if stopped(w):
                    return 0
                if score < singular:
                    extension = 1
                    if not pv and score < singular - DOUBLE_MARGIN and uses(w, USE_DOUBLE_EXTENSIONS):
                        extension = 2
                        if not noisy and score < singular - TRIPLE_MARGIN:
                            extension = 3
                elif not uses(w, USE_MULTICUT):
                    pass
                elif singular >= beta:
                    ss.exit_reason = EXIT_MULTICUT
                    return singular         # multicut: another move beats beta as well
                elif hit.score >= beta:
                    extension = -2
                elif cut_node:
                    extension = -1
                # The singular search used this frame's picker data of its own; threats are still ours.
                ss.threats = threats

        if noisy:
            if capture_count < 32:
                captures[capture_count] = m
                capture_count += 1
        elif quiet_count < 64:
            quiets[quiet_count] = m
            quiet_count += 1

        # 13. Play it
        if root and w.shared.report_move != NULL and is_long_search(w):
            w.shared.root_number = root_index + 1
            w.shared.report_move(w.shared.owner)
        new_depth = depth - 1 + extension
        nodes_before = w.nodes
        play_move(w, ss, m)

        # 14. Late moves are searched reduced, with a null window, and again if they surprise
        score = 0
        lmr_depth = new_depth
        full_depth = not pv or move_count > 1
        if uses(w, USE_LMR) and depth >= 2 and move_count > 1 + root:
            if uses(w, USE_CUT_NODE_LMR):
                if was_pv:
                    reduction -= LMR_WAS_PV
                if cut_node:
                    reduction += LMR_CUT
                if hash_noisy:
                    reduction += LMR_TT_NOISY
                if ss[1].cutoffs > 3:
                    reduction += LMR_CUTOFFS
            if pv:
                reduction -= LMR_PV
            if not improving:
                reduction += LMR_IMPROVING
            if ss[1].in_check:
                reduction -= LMR_CHECK
            if m == picker.killers[0] or m == picker.killers[1]:
                reduction -= LMR_KILLER
            if uses(w, USE_HISTORY_LMR):
                reduction -= history * 1024 // LMR_HISTORY
            if uses(w, USE_CORRECTION_LMR):
                reduction -= complexity
            lmr_depth = clamp_int(new_depth - reduction // 1024, 1, new_depth + 1)
            if lmr_depth < new_depth:
                ss.reduction = (new_depth - lmr_depth) * 1024
                score = -search_zero(w, ss + 1, -alpha - 1, -alpha, lmr_depth, True)
                ss.reduction = 0
                full_depth = score > alpha
                if full_depth and uses(w, USE_DEEPER_RE_SEARCH):
                    if score > best + DEEPER_MARGIN + 2 * new_depth:
                        new_depth += 1
                    elif score < best + new_depth:
                        new_depth -= 1
                full_depth = full_depth and new_depth > lmr_depth
        if full_depth:
            score = -search_zero(w, ss + 1, -alpha - 1, -alpha, new_depth, not cut_node)
            if uses(w, USE_POST_LMR_HISTORY) and lmr_depth < new_depth and not noisy and not stopped(w):
                bonus = 0
                if score <= alpha:
                    bonus = -history_malus(new_depth)
                elif score >= beta:
                    bonus = history_bonus(new_depth)
                gravity(&w.histories.cont[(ss - 1).moved][ss.moved], bonus, HISTORY_LIMIT)
                gravity(&w.histories.cont[(ss - 2).moved][ss.moved], bonus, HISTORY_LIMIT)
        if pv and (move_count == 1 or score > alpha):
            score = -search_pv(w, ss + 1, -beta, -alpha, new_depth)

        # 15. Take it back
        take_back(w)
        if stopped(w):
            return 0

        # 16. Is it a new best?
        if root:
            line = &w.root_moves[root_index]
            line.nodes += w.nodes - nodes_before
            if move_count == 1 or score > alpha:
                line.score = score
                line.average = score if line.average == -INFINITE else (line.average + score) // 2
                line.seldepth = w.seldepth
                line.bound = (BOUND_LOWER if score >= beta else (BOUND_UPPER if score <= alpha else BOUND_EXACT))
                line.pv[0] = m
                line.pv_length = 1
                for i in range(w.pv_lengths[1]):
                    line.pv[1 + i] = w.pv[1][i]
                    line.pv_length += 1
            else:
                line.score = -INFINITE
        if score > best:
            best = score
            if score > alpha:
                best_move = m
                if pv and not root:
                    update_pv(w, ply, m)
                if score >= beta:
                    ss.cutoffs += 1
                    break
                alpha = score

    # 17. No legal move: mate or stalemate
    if move_count == 0:
        if excluded != NO_MOVE:
            return alpha
        return mated_in(ply) if in_check else DRAW

    # 18. Learn
    if best >= beta and uses(w, USE_FAIL_HIGH_BLENDING) and not is_mate_score(best) and not is_mate_score(beta):
        best = (best * depth + beta) // (depth + 1)
    if best <= old_alpha and uses(w, USE_FAIL_LOW_HISTORY) and not root and was_quiet(ss - 1):
        bonus = history_bonus(depth) * FAIL_LOW_BONUS // 16
        update_previous_quiet_history(w, ss, bonus)
        gravity(&w.histories.cont[(ss - 2).moved][(ss - 1).moved], bonus, HISTORY_LIMIT)
    if best >= beta:
        update_cutoff_histories(w, ss, best_move, depth + (best > beta + CUTOFF_MARGIN), quiets, quiet_count,
                                captures, capture_count)
    if excluded == NO_MOVE and uses(w, USE_TT) and not (root and (w.multi_index > 0 or w.shared.restricted)):
        bound = BOUND_LOWER if best >= beta else (BOUND_EXACT if pv and best_move != NO_MOVE else BOUND_UPPER)
        tt_store(&w.shared.table, w.pos.st.key, ply, best_move, best, raw_eval, depth, bound, was_pv)
        if (uses(w, USE_CORRECTION_HISTORY) and not in_check and not is_mate_score(best)
                and (best_move == NO_MOVE or not (is_capture(best_move) or is_promotion(best_move)))
                and not (bound == BOUND_LOWER and best <= ss.static_eval)
                and not (bound == BOUND_UPPER and best >= ss.static_eval)):
            update_correction_history(w, ss, best - ss.static_eval, depth)
    return best


cdef int open_record(Worker* w, Frame* ss, int node_type, int alpha, int beta, int depth) noexcept nogil:
    ss.exit_reason = EXIT_MOVES
    return begin_record(w.recorder, ss.ply, w.root_depth, w.multi_index, node_type, (ss - 1).move, ss.excluded,
                        alpha, beta, depth, w.nodes)


cdef void close_record(Worker* w, Frame* ss, int record, int score) noexcept nogil:
    end_record(w.recorder, record, score, ss.exit_reason, w.nodes, stopped(w))
    ss.exit_reason = EXIT_MOVES       # a search at the same ply (singular, verification) says nothing of its caller


cdef int search_zero(Worker* w, Frame* ss, int alpha, int beta, int depth, bint cut_node) noexcept nogil:
    """A null-window search."""
    cdef int score, record = NO_RECORD
    if w.recorder != NULL:
        record = open_record(w, ss, NODE_CUT if cut_node else NODE_ALL, alpha, beta, depth)
    score = search_body(w, ss, alpha, beta, depth, cut_node, False)
    if record != NO_RECORD:
        close_record(w, ss, record, score)
    return score


cdef int search_pv(Worker* w, Frame* ss, int alpha, int beta, int depth) noexcept nogil:
    """An open-window search."""
    cdef int score, record = NO_RECORD
    if w.recorder != NULL:
        record = open_record(w, ss, NODE_PV, alpha, beta, depth)
    score = search_body(w, ss, alpha, beta, depth, False, True)
    if record != NO_RECORD:
        close_record(w, ss, record, score)
    return score
