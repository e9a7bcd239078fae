# Principal variation search as numbered steps; docs/techniques.md has the same numbers. Elo figures are what a feature
# is worth by itself at 5,000 nodes per move unless said otherwise; docs/measurements.md has games and conditions.
#
# Nodes have three types. PV nodes have an open window and are searched exactly. In a cut node some move is expected
# to beat beta, in an all node none is. Everything that prunes, reduces or extends can be turned off (features.txt), so
# that the plain search the lab checks is this same code.

cdef enum:
    MAX_QUIETS = 64             # moves of a node remembered for history updates
    MAX_CAPTURES = 32


cdef inline void reward_table_move(
    Worker* w, Frame* ss, const TTHit* hit, Masks* masks, int depth, const Params* params
) noexcept nogil:
    """A quiet table move that cuts once more gets a history bonus, if it is legal here."""
    masks[0] = masks_of(&w.pos)
    if is_legal(&w.pos, masks, hit.move):
        ss.threats = all_attacks(&w.pos, w.pos.side ^ 1) if uses(params, USE_THREATS) else 0
        update_quiet_history(w, ss, hit.move, history_bonus(params, depth), params)


cdef inline int null_move_search(
    Worker* w, Frame* ss, int beta, int depth, int evaluation, bint cut_node, const Params* params
) noexcept nogil:
    """Passes and searches the reply with reduced depth. Returns a score ≥ beta to cut with, NO_SCORE if there is none,
    or anything after a stop."""
    cdef int reduction = nmp_reduction(params, depth, evaluation - beta)
    cdef int score, verified
    ss.move = NULL_MOVE
    ss.moved = PIECE_TO
    make_null(&w.pos)
    ss[1].in_check = False
    prefetch(cluster_of(&w.shared.table, w.pos.st.key))
    score = -search_zero(w, ss + 1, -beta, -beta + 1, depth - reduction, not cut_node, params)
    unmake_null(&w.pos)
    if stopped(w):
        return 0
    if score < beta:
        return NO_SCORE
    if score >= TABLEBASE_FOUND:
        score = beta            # a win after a free move proves nothing
    if depth >= params.NMP_VERIFY_DEPTH and w.null_floor == 0:
        # At great depth, verify without null moves that it is no zugzwang.
        w.null_floor = ss.ply + (depth - reduction) * params.NMP_VERIFY_SHARE // 16
        verified = search_zero(w, ss, beta - 1, beta, depth - reduction, False, params)
        w.null_floor = 0
        if stopped(w):
            return 0
        if verified < beta:
            return NO_SCORE
    ss.exit_reason = EXIT_NMP
    return score


cdef inline int probcut_search(
    Worker* w, Frame* ss, Picker* picker, const TTHit* hit, int probcut_beta, int depth, int raw_eval, bint was_pv,
    bint cut_node, const Params* params
) noexcept nogil:
    """Looks for a capture that beats `probcut_beta`, first in quiescence and then in a shallow search. Returns its
    score, NO_SCORE if there is none, or anything after a stop."""
    cdef int needed = probcut_beta - ss.static_eval
    cdef int score
    cdef Move16 m
    start_picker(picker, w, ss, hit.move, needed, True)
    while True:
        m = next_move(picker, w, ss, params)
        if m == NO_MOVE:
            return NO_SCORE
        if not see_at_least(&w.pos, m, needed):
            continue
        play_move(w, ss, m)
        score = -qsearch(w, ss + 1, -probcut_beta, -probcut_beta + 1, params)
        if score >= probcut_beta:
            score = -search_zero(w, ss + 1, -probcut_beta, -probcut_beta + 1, depth - params.PROBCUT_REDUCTION,
                                 not cut_node, params)
        take_back(w)
        if stopped(w):
            return 0
        if score >= probcut_beta:
            tt_store(&w.shared.table, w.pos.st.key, ss.ply, m, score, raw_eval, depth - params.PROBCUT_REDUCTION + 1,
                     BOUND_LOWER, was_pv, params)
            ss.exit_reason = EXIT_PROBCUT
            return score


cdef inline int singular_extension(
    Worker* w, Frame* ss, const TTHit* hit, int beta, int depth, bint cut_node, const bint pv, int* cut_score,
    const Params* params
) noexcept nogil:
    """Searches all moves but the table move and returns the plies to extend the table move by, negative to reduce it.
    `cut_score` is set if another move beats beta as well (multicut), or after a stop."""
    cdef int limit = singular_beta(params, hit.score, depth)
    cdef int others
    ss.excluded = hit.move
    others = search_zero(w, ss, limit - 1, limit, (depth - 1) * params.SINGULAR_SHARE // 16, cut_node, params)
    ss.excluded = NO_MOVE
    if stopped(w):
        cut_score[0] = 0
        return 0
    if others < limit:
        if pv or others >= limit - params.DOUBLE_MARGIN or not uses(params, USE_DOUBLE_EXTENSIONS):
            return 1
        return 3 if not is_noisy(hit.move) and others < limit - params.TRIPLE_MARGIN else 2
    if not uses(params, USE_MULTICUT):
        return 0
    if limit >= beta:
        ss.exit_reason = EXIT_MULTICUT
        cut_score[0] = limit
        return 0
    if hit.score >= beta:
        return -params.SINGULAR_TT_REDUCTION
    return -params.SINGULAR_CUT_REDUCTION if cut_node else 0


cdef inline int search_body(
    Worker* w, Frame* ss, int alpha, int beta, int depth, bint cut_node, const bint pv, const Params* params
) noexcept nogil:
    """The value of the position for the side to move, searched to `depth` plies, in relation to (alpha, beta).

    The search is fail-soft. With s the value an exhaustive search of this depth would find, and r what is returned:
    r ≤ alpha means s ≤ r (no move was good enough), r ≥ beta means s ≥ r (some move was too good), and anything
    between, which only PV nodes have, means s = r. Pruning, reductions and extensions make these statements
    probable instead of certain. Scores are centipawns; mates count plies from the root (scores.pxi).

    `pv` says that the window is open; otherwise beta is alpha + 1. `cut_node` promises nothing: it says that a move is
    expected to beat beta, which makes reductions bolder. `ss.excluded` is a move to leave out (singular search); such
    a search writes nothing to the table. `ss.in_check` has been set when the move was made.

    When the search is stopped, 0 is returned and means nothing: callers must ask `stopped` after every search below
    and return at once. At the root, results go to `w.root_moves` as well.
    """
    cdef int ply = ss.ply
    cdef bint root = pv and ply == 0
    cdef int us = w.pos.side
    cdef bint in_check = ss.in_check
    cdef Move16 excluded = ss.excluded
    cdef int old_alpha = alpha
    cdef bint improving = False, was_pv, tt_move_noisy, noisy, full_depth, can_prune, can_extend
    cdef int raw_eval = NO_SCORE, evaluation = NO_SCORE, correction, complexity = 0
    cdef int best = -INFINITE, highest = INFINITE, score, cut_score, probcut_beta, bound
    cdef int move_count = 0, quiet_count = 0, capture_count = 0, root_index = w.multi_index - 1
    cdef int history, base_reduction, pruning_depth, new_depth, reduced_depth
    cdef u64 nodes_before, threats
    cdef TTHit hit
    cdef Picker picker
    cdef Move16 m, best_move = NO_MOVE
    cdef Move16 quiets[MAX_QUIETS]
    cdef Move16 captures[MAX_CAPTURES]

    # 1. Horizon (quiescence: +335 ± 53). At depth 0 an evaluation in the middle of an exchange would be off by a
    #    piece, so the quiescence search plays exchanges out first.
    if pv:
        w.pv_lengths[ply] = 0
        if ply > w.seldepth:
            w.seldepth = ply
    if depth <= 0:
        return qsearch(w, ss, alpha, beta, params) if uses(params, USE_QUIESCENCE) else evaluate(w)
    if DEBUG_BUILD:
        check_node(w, ss, alpha, beta)
    must(pv or alpha == beta - 1)
    must(not (pv and cut_node))

    # 2. Stop, draws and the ply limit. A repetition inside the search counts as a draw at once: the side that could
    #    repeat once can repeat again.
    if must_stop(w):
        return 0
    if not root:
        if is_draw_in_search(w, ply):
            ss.exit_reason = EXIT_DRAW
            return DRAW
        if ply >= MAX_PLY - 1:
            return DRAW if in_check else evaluate(w)

        # 3. Upcoming repetition (+14 ± 23 at 10,000 nodes). If some move leads back to a position of this search, the
        #    side to move has a draw at least; a node that wanted no more than that is done.
        if alpha < DRAW and uses(params, USE_UPCOMING_REPETITION) and can_repeat(&w.pos, ply):
            alpha = DRAW
            if alpha >= beta:
                ss.exit_reason = EXIT_DRAW
                return alpha

        # 4. Mate distance pruning (-1 ± 5). Being mated here or mating with the next move is the worst and the best
        #    that can happen; if the window lies outside that, a shorter mate is known already.
        if uses(params, USE_MATE_DISTANCE_PRUNING):
            alpha = max_int(alpha, mated_in(ply))
            beta = min_int(beta, mate_in(ply + 1))
            if alpha >= beta:
                ss.exit_reason = EXIT_MATE_DISTANCE
                return alpha

    if not in_check:
        update_net(w)           # now, while the prefetched table entry is under way

    # 5. Transposition table (+325 ± 43; its cutoffs +123 ± 35). A position that was searched deeply enough before is
    #    not searched again; otherwise its best move is tried first. PV nodes are never cut, so that their line is
    #    whole, and singular searches ask another question than the entry answers.
    clear_hit(&hit)
    if uses(params, USE_TT):
        tt_probe(&w.shared.table, w.pos.st.key, ply, &hit)
        if not uses(params, USE_TT_MOVE):
            hit.move = NO_MOVE
        if root:
            hit.move = w.root_moves[w.multi_index].move
        if not pv and excluded == NO_MOVE and table_cuts(w, &hit, alpha, beta, depth, params):
            if hit.move != NO_MOVE and hit.score >= beta and not is_noisy(hit.move):
                reward_table_move(w, ss, &hit, &picker.masks, depth, params)
            ss.exit_reason = EXIT_TT
            return hit.score
    was_pv = pv or hit.was_pv
    if excluded != NO_MOVE:
        was_pv = ss.was_pv
    ss.was_pv = was_pv

    #    Endgame tables. After a zeroing move that leaves few pieces the result is known. It decides the node, unless
    #    the window asks for a mate.
    if not root and excluded == NO_MOVE and can_probe_node(w, depth):
        score = probe_window(w, ss, alpha, beta, depth, was_pv, &best, &highest, params)
        if score != NO_SCORE:
            return score
        alpha = max_int(alpha, best)
    tt_move_noisy = is_noisy(hit.move)

    # 6. Static evaluation, corrected by what searches of similar positions found (correction history: -10 ± 30 by
    #    itself, in a group of seven +66 ± 27), or a table score that is a better estimate (+26 ± 32). `improving`
    #    (+53 ± 32) compares it with our last turn and makes margins and reductions follow the trend.
    if in_check:
        ss.static_eval = NO_SCORE
    else:
        if excluded != NO_MOVE:
            evaluation = ss.static_eval
        else:
            raw_eval = hit.eval if hit.found and hit.eval != NO_SCORE else evaluate(w)
            if not hit.found:
                tt_store_eval(&w.shared.table, w.pos.st.key, ply, raw_eval, was_pv, params)
            correction = correction_value(w, ss, params)
            evaluation = ss.static_eval = corrected_eval(w, raw_eval, correction, params)
            complexity = correction_reduction(params, correction)
            if uses(params, USE_TT_SCORE_AS_EVAL) and is_better_eval(&hit, evaluation):
                evaluation = hit.score
        improving = is_improving(ss, params)

        # 7. The previous move, judged by both static evaluations. A quiet move that gained evaluation gets a history
        #    bonus (eval history: +35 ± 30); one that was reduced much gets a ply back if it lost nothing, and loses
        #    another if it lost much (hindsight: +8 ± 30).
        if excluded == NO_MOVE and not root and (ss - 1).static_eval != NO_SCORE:
            if uses(params, USE_EVAL_HISTORY) and was_quiet(ss - 1):
                update_previous_quiet_history(
                    w, ss, eval_history_bonus(params, ss.static_eval + (ss - 1).static_eval))
            if uses(params, USE_HINDSIGHT):
                depth += hindsight(params, (ss - 1).reduction, ss.static_eval + (ss - 1).static_eval, depth)
    ss.reduction = 0
    ss[2].killers[0] = ss[2].killers[1] = NO_MOVE
    ss[1].cutoffs = 0
    ss[1].excluded = NO_MOVE

    # Where the game is decided (decided scores), the next three steps are left out: an evaluation far above beta is
    # known there, and cutting nodes by it hides mates.
    can_prune = not pv and not in_check and excluded == NO_MOVE
    if can_prune and not w.decided:
        # 8. Razoring (+6 ± 33; in a group of six +45 ± 21). So far below alpha at low depth that only a capture could
        #    help: if quiescence finds none, neither would the search.
        if (uses(params, USE_RAZORING) and depth <= params.RAZOR_DEPTH
                and evaluation + razor_margin(params, depth) < alpha and abs_int(alpha) < TABLEBASE_FOUND):
            score = qsearch(w, ss, alpha, alpha + 1, params)
            if stopped(w):
                return 0
            if score <= alpha:
                ss.exit_reason = EXIT_RAZORING
                return score

        # 9. Reverse futility pruning (+85 ± 31). So far above beta at low depth that the opponent, who could have
        #    avoided this position, will hardly find enough against it.
        if rfp_cuts(params, beta, depth, evaluation, improving, was_pv):
            ss.exit_reason = EXIT_RFP
            return (evaluation + beta) // 2

        # 10. Null-move pruning (+42 ± 29). If the position still beats beta after the opponent moves twice in a row,
        #     a move of ours will beat it too. A reduced search is enough to see that.
        if can_try_null_move(w, ss, beta, depth, evaluation, params):
            score = null_move_search(w, ss, beta, depth, evaluation, cut_node, params)
            if score != NO_SCORE:
                return score

    # 11. Internal iterative reduction (-27 ± 31 by itself, in a group of seven +66 ± 27). Without a table move the
    #     ordering is poor and a full search dear: search a ply less now and have a table move next time.
    if (pv or cut_node) and not root and excluded == NO_MOVE and lacks_table_move(&hit, depth, params):
        depth -= 1

    # 12. ProbCut (-14 ± 33 by itself, in a group of seven +66 ± 27). A capture that beats beta by a margin in a shallow
    #     search will probably beat beta in a deep one. Not tried where the table already says otherwise.
    probcut_beta = beta + probcut_margin(params, improving)
    if can_prune and can_try_probcut(&hit, beta, probcut_beta, depth, params):
        score = probcut_search(w, ss, &picker, &hit, probcut_beta, depth, raw_eval, was_pv, cut_node, params)
        if score != NO_SCORE:
            return score

    # 13. The moves, best first (movepick.pxi): table move, good captures, killers, quiet moves by history, bad
    #     captures. At the root the list is that of the last iteration.
    start_picker(&picker, w, ss, hit.move, 0, False)
    set_threats(w, ss, &picker, params)
    threats = ss.threats
    can_extend = not root and excluded == NO_MOVE and ply < params.EXTENSION_PLY_FACTOR * w.root_depth
    while True:
        if root:
            root_index += 1
            m = w.root_moves[root_index].move if root_index < w.root_end else <Move16>NO_MOVE
        else:
            m = next_move(&picker, w, ss, params)
        if m == NO_MOVE:
            break
        if m == excluded:
            continue
        move_count += 1
        noisy = is_noisy(m)
        history = (capture_history(w, m)[0] if noisy
                   else quiet_history(w, ss, m, w.pos.board[from_of(m)], params))
        base_reduction = lmr_base_reduction(params, noisy, depth, move_count)

        # 14. Pruning of moves, once there is one that is not lost: late quiet moves (lmp: +34 ± 29), quiet moves from
        #     an evaluation far below alpha (futility: +28 ± 32), those with bad history (-2 ± 31), and moves that lose
        #     by exchange (see pruning: +37 ± 31), checks more than others (check guard). The first two skip all quiet
        #     moves that follow, but no checks where the score is decided (late checks). Depth is what late-move
        #     reductions would leave (+14 ± 31).
        if not root and best > -TABLEBASE_FOUND and has_pieces(&w.pos, us):
            pruning_depth = depth
            if uses(params, USE_LMR_DEPTH):
                pruning_depth = max_int(
                    depth - base_reduction // 1024 + (0 if noisy else history // params.LMR_HISTORY), 0)
            if not noisy:
                if uses(params, USE_LMP) and move_count >= lmp_limit(params, depth, improving):
                    picker.skip_quiets = True
                if (uses(params, USE_FUTILITY_PRUNING) and not in_check and pruning_depth <= params.FUTILITY_DEPTH
                        and ss.static_eval + futility_margin(params, pruning_depth) <= alpha
                        and not gives_check(&w.pos, m)):
                    picker.skip_quiets = True
                    continue
                if (uses(params, USE_HISTORY_PRUNING) and depth <= params.HISTORY_DEPTH
                        and history < -params.HISTORY_MARGIN * depth):
                    continue
                if loses_exchange(w, m, see_margin(params, False, pruning_depth), params):
                    continue
            elif loses_exchange(w, m, see_margin(params, True, depth), params):
                continue

        # 15. Singular extensions (+26 ± 33). If no other move comes near the table move, it is forced and searched
        #     deeper. If another move beats beta as well, the node is cut (multicut: -1 ± 33); if the table move merely
        #     beats beta, it is searched less deep. The only legal move out of check is extended too (single reply).
        new_depth = depth - 1
        if (uses(params, USE_SINGULAR_EXTENSIONS) and can_extend and m == hit.move
                and can_be_singular(&hit, depth, params)):
            cut_score = NO_SCORE
            new_depth += singular_extension(w, ss, &hit, beta, depth, cut_node, pv, &cut_score, params)
            if cut_score != NO_SCORE:
                return cut_score
            ss.threats = threats        # the singular search used this frame too
        elif (uses(params, USE_SINGLE_REPLY) and can_extend and in_check and move_count == 1
                and count_legal(&w.pos) == 1):
            new_depth += 1

        if noisy:
            if capture_count < MAX_CAPTURES:
                captures[capture_count] = m
                capture_count += 1
        elif quiet_count < MAX_QUIETS:
            quiets[quiet_count] = m
            quiet_count += 1

        # 16. Make the move
        if root:
            announce_root_move(w, root_index)
        nodes_before = w.nodes
        play_move(w, ss, m)

        # 17. Late-move reductions (+94 ± 35). With good ordering late moves are rarely best: search them less deep
        #     with a null window, and again at full depth (a ply more or less by how much they surprised: +26 ± 28)
        #     only if they beat alpha.
        score = 0
        reduced_depth = new_depth
        full_depth = not pv or move_count > 1
        if uses(params, USE_LMR) and depth >= params.LMR_DEPTH and move_count > 1 + root:
            reduced_depth = new_depth - late_move_reduction(
                ss, base_reduction, history, complexity, improving, was_pv, cut_node, tt_move_noisy,
                m == picker.killers[0] or m == picker.killers[1], pv, params) // 1024
            reduced_depth = clamp_int(reduced_depth, 1, new_depth + 1)
            if reduced_depth < new_depth:
                ss.reduction = (new_depth - reduced_depth) * 1024
                score = -search_zero(w, ss + 1, -alpha - 1, -alpha, reduced_depth, True, params)
                ss.reduction = 0
                full_depth = score > alpha
                if full_depth and uses(params, USE_DEEPER_RE_SEARCH):
                    if score > best + params.DEEPER_MARGIN + params.DEEPER_DEPTH * new_depth:
                        new_depth += 1
                    elif score < best + params.SHALLOWER_DEPTH * new_depth:
                        new_depth -= 1
                full_depth = full_depth and new_depth > reduced_depth

        # 18. Full depth: a null window asks whether the move beats alpha, and in PV nodes the first move, and every
        #     move that does, is searched with the open window.
        if full_depth:
            score = -search_zero(w, ss + 1, -alpha - 1, -alpha, new_depth, not cut_node, params)
            if (uses(params, USE_POST_LMR_HISTORY) and reduced_depth < new_depth and not noisy
                    and not stopped(w)):
                update_post_lmr_history(w, ss, score, alpha, beta, new_depth, params)
        if pv and (move_count == 1 or score > alpha):
            score = -search_pv(w, ss + 1, -beta, -alpha, new_depth, params)

        # 19. Take it back. Is it a new best move?
        take_back(w)
        if stopped(w):
            return 0
        if root:
            score = root_score(w, &w.root_moves[root_index], score)
            update_root_move(w, &w.root_moves[root_index], w.nodes - nodes_before, move_count == 1, score, alpha, beta)
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

    # 20. No legal move: mate or stalemate
    if move_count == 0:
        if excluded != NO_MOVE:
            return alpha
        return mated_in(ply) if in_check else DRAW

    best = min_int(best, highest)       # of endgame tables

    # 21. Fail-high blending (+15 ± 31). What is above beta is hardly exact, the less so the shallower the search:
    #     return a mean of beta and the score, weighted by depth. All that follows sees the blended score.
    if (best >= beta and uses(params, USE_FAIL_HIGH_BLENDING) and not is_decisive(best)
            and not is_decisive(beta)):
        best = (best * depth + beta) // (depth + 1)

    # 22. Learn. A fail-low rewards the quiet move that led here (fail-low history: +14 ± 31), a fail-high the move that
    #     made it; the result goes to the table, and, unless a capture or a bound explains it, its difference from
    #     the static evaluation to the correction history.
    if best <= old_alpha and uses(params, USE_FAIL_LOW_HISTORY) and not root and was_quiet(ss - 1):
        update_fail_low_history(w, ss, depth, params)
    if best >= beta:
        update_cutoff_histories(w, ss, best_move, depth + (best > beta + params.CUTOFF_MARGIN), quiets, quiet_count,
                                captures, capture_count, params)
    if excluded == NO_MOVE and uses(params, USE_TT) and not (root and (w.multi_index > 0 or w.shared.restricted)):
        bound = BOUND_LOWER if best >= beta else (BOUND_EXACT if pv and best_move != NO_MOVE else BOUND_UPPER)
        tt_store(&w.shared.table, w.pos.st.key, ply, best_move, best, raw_eval, depth, bound, was_pv, params)
        if (uses(params, USE_CORRECTION_HISTORY) and not in_check
                and shows_eval_error(ss.static_eval, best, bound, best_move)):
            update_correction_history(w, ss, best - ss.static_eval, depth, params)
    return best


# The four instances of the body, and the calls that choose between them. A recorder sees every node.

cdef int open_record(Worker* w, Frame* ss, int node_type, int alpha, int beta, int depth) noexcept nogil:
    ss.exit_reason = EXIT_MOVES
    return begin_record(w.recorder, ss.ply, w.root_depth, w.multi_index, node_type, (ss - 1).move, ss.excluded,
                        alpha, beta, depth, w.nodes)


cdef void close_record(Worker* w, Frame* ss, int record, int score) noexcept nogil:
    end_record(w.recorder, record, score, ss.exit_reason, w.nodes, stopped(w))
    ss.exit_reason = EXIT_MOVES     # a search at the same ply (singular, verification) is not its caller's reason


cdef inline int search_zero_body(
    Worker* w, Frame* ss, int alpha, int beta, int depth, bint cut_node, const Params* params
) noexcept nogil:
    cdef int score, record = NO_RECORD
    if w.recorder != NULL:
        record = open_record(w, ss, NODE_CUT if cut_node else NODE_ALL, alpha, beta, depth)
    score = search_body(w, ss, alpha, beta, depth, cut_node, False, params)
    if record != NO_RECORD:
        close_record(w, ss, record, score)
    return score


cdef inline int search_pv_body(
    Worker* w, Frame* ss, int alpha, int beta, int depth, const Params* params
) noexcept nogil:
    cdef int score, record = NO_RECORD
    if w.recorder != NULL:
        record = open_record(w, ss, NODE_PV, alpha, beta, depth)
    score = search_body(w, ss, alpha, beta, depth, False, True, params)
    if record != NO_RECORD:
        close_record(w, ss, record, score)
    return score


cdef int search_zero_default(
    Worker* w, Frame* ss, int alpha, int beta, int depth, bint cut_node
) noexcept nogil:
    return search_zero_body(w, ss, alpha, beta, depth, cut_node, &DEFAULT_PARAMS)


cdef int search_zero_tuned(Worker* w, Frame* ss, int alpha, int beta, int depth, bint cut_node) noexcept nogil:
    return search_zero_body(w, ss, alpha, beta, depth, cut_node, &w.shared.params)


cdef int search_pv_default(Worker* w, Frame* ss, int alpha, int beta, int depth) noexcept nogil:
    return search_pv_body(w, ss, alpha, beta, depth, &DEFAULT_PARAMS)


cdef int search_pv_tuned(Worker* w, Frame* ss, int alpha, int beta, int depth) noexcept nogil:
    return search_pv_body(w, ss, alpha, beta, depth, &w.shared.params)


cdef inline int search_zero(
    Worker* w, Frame* ss, int alpha, int beta, int depth, bint cut_node, const Params* params
) noexcept nogil:
    """A null-window search; see `search_body`."""
    if params.tuned:
        return search_zero_tuned(w, ss, alpha, beta, depth, cut_node)
    return search_zero_default(w, ss, alpha, beta, depth, cut_node)


cdef inline int search_pv(Worker* w, Frame* ss, int alpha, int beta, int depth, const Params* params) noexcept nogil:
    """An open-window search; see `search_body`."""
    return search_pv_tuned(w, ss, alpha, beta, depth) if params.tuned else search_pv_default(w, ss, alpha, beta, depth)
