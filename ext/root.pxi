# Root: iterative deepening with aspiration windows and several lines (MultiPV), and thread voting.

cdef void begin_worker(Worker* w, u64 node_limit) noexcept nogil:
    """Prepares a thread for a new search."""
    w.nodes = 0
    w.table_hits = 0
    w.completed_depth = 0
    w.node_limit = node_limit
    w.check_interval = FIRST_CHECK_NODES
    w.next_check = 0
    w.checked_us = now_us()
    w.is_clear = False


cdef void prepare_frames(Worker* w) noexcept nogil:
    cdef int i
    cdef Frame* frame
    for i in range(MAX_PLY + STACK_BEFORE + 10):
        frame = &w.frames[i]
        frame.ply = i - STACK_BEFORE
        frame.static_eval = NO_SCORE
        frame.move = NO_MOVE
        frame.excluded = NO_MOVE
        frame.killers[0] = frame.killers[1] = NO_MOVE
        frame.moved = PIECE_TO
        frame.was_pv = False
        frame.cutoffs = 0
        frame.threats = 0


cdef void search_window(Worker* w, int depth, const Params* params) noexcept nogil:
    """Searches one line to one depth: in a narrow window around its last scores, widened until the score is inside.
    A fail-high is repeated a ply shallower: all that is wanted is to know whether it holds. Where the score is decided
    the window has no upper end (open window): mates lie far above it."""
    cdef Frame* ss = &w.frames[STACK_BEFORE]
    cdef RootMove* line = &w.root_moves[w.multi_index]
    cdef int delta = params.ASPIRATION_DELTA
    cdef int alpha = -INFINITE
    cdef int beta = INFINITE
    cdef int reduction = 0
    cdef int score
    if (uses(params, USE_ASPIRATION_WINDOWS) and depth >= params.ASPIRATION_DEPTH and line.average != -INFINITE
            and not wins_by_distance(w, line)):
        alpha = max_int(line.average - delta, -INFINITE)
        beta = min_int(line.average + delta, INFINITE)
        if w.decided and uses(params, USE_OPEN_WINDOW):
            beta = INFINITE
    while True:
        score = search_pv(w, ss, alpha, beta, max_int(depth - reduction, 1), params)
        sort_root_moves(w.root_moves, w.multi_index, w.root_end)
        if stopped(w):
            return
        if score <= alpha and alpha > -INFINITE:
            beta = (alpha + beta) // 2
            alpha = max_int(score - delta, -INFINITE)
            reduction = 0
        elif score >= beta and beta < INFINITE:
            beta = min_int(score + delta, INFINITE)
            reduction = min_int(reduction + 1, params.ASPIRATION_REDUCTION)
        else:
            return
        if w.shared.report_bound != NULL and w.shared.multipv == 1 and is_long_search(w):
            w.shared.report_bound(w.shared.owner)
        delta += delta * params.ASPIRATION_GROWTH // 100
        if delta > params.ASPIRATION_MAX:
            alpha = -INFINITE if score <= alpha + delta else alpha
            beta = INFINITE


cdef void iterate(Worker* w) noexcept nogil:
    """Iterative deepening until a limit is reached. The main thread reports each iteration."""
    cdef Shared* shared = w.shared
    cdef const Params* params = params_of(shared)
    cdef int depth, i, lines, best
    lines = min_int(shared.multipv, w.root_count)
    prepare_frames(w)
    w.frames[STACK_BEFORE].in_check = checkers_of(&w.pos) != 0
    reset_accumulators(&w.accumulators)
    w.seldepth = 0
    w.null_floor = 0
    w.completed_depth = 0
    for depth in range(1, shared.depth_limit + 1):
        w.root_depth = depth
        w.seldepth = 0
        w.decided = (depth > 1 and abs_int(w.root_moves[0].score) >= params.DECIDED_SCORE
                     and uses(params, USE_DECIDED_SCORES))
        for i in range(w.root_count):
            w.root_moves[i].previous = w.root_moves[i].score
            w.root_moves[i].score = -INFINITE       # moves this iteration has not searched do not compete
        for i in range(lines):
            w.multi_index = i
            w.root_end = rank_end(w, i)
            search_window(w, depth, params)
            if stopped(w):
                break
        if stopped(w):
            if w.completed_depth > 0:
                sort_root_moves(w.root_moves, 0, w.multi_index)
                restore_completed_lines(w, lines)
            w.multi_index = 0
            break
        w.multi_index = 0
        sort_root_moves(w.root_moves, 0, lines)
        w.completed_depth = depth
        memcpy(w.completed, w.root_moves, lines * sizeof(RootMove))
        if w.id != 0:
            continue
        best = w.root_moves[0].score
        if shared.mate_limit and best >= MATE_FOUND and (MATE - best + 1) // 2 <= shared.mate_limit:
            atomic_store(&shared.stop, 1)
        if shared.soft_nodes and w.nodes >= shared.soft_nodes:
            atomic_store(&shared.stop, 1)
        atomic_store(&shared.first_done, 1)
        if atomic_load(&shared.stop_requested):
            atomic_store(&shared.stop, 1)
        if shared.report != NULL:
            shared.report(shared.owner)
        if stopped(w):
            break
    if w.id == 0:
        atomic_store(&shared.main_done, 1)      # helper threads end with the main thread, unless it ponders
        if not atomic_load(&shared.pondering):
            atomic_store(&shared.stop, 1)


cdef inline bint has_vote(const Worker* w) noexcept nogil:
    """Whether a thread has ended its search with a move."""
    return not atomic_load(&w.is_running) and w.completed_depth > 0


cdef i64 thread_votes(const Shared* shared, const Worker* candidate, int lowest) noexcept nogil:
    """The weight of all threads that chose the candidate's move."""
    cdef Worker* w
    cdef i64 sum = 0
    cdef int i
    for i in range(shared.thread_count):
        w = (<Worker**>shared.workers)[i]
        if has_vote(w) and w.root_moves[0].move == candidate.root_moves[0].move:
            sum += <i64>(w.root_moves[0].score - lowest + params_of(shared).VOTE_BASE) * w.completed_depth
    return sum


cdef Worker* best_thread(const Shared* shared) noexcept nogil:
    """Thread voting: each thread votes for its best move, with more weight the deeper it got and the higher its
    score. A mate or a win by tables needs no vote."""
    cdef Worker* best = (<Worker**>shared.workers)[0]
    cdef Worker* w
    cdef int i, lowest = INFINITE
    for i in range(shared.thread_count):
        w = (<Worker**>shared.workers)[i]
        if has_vote(w):
            lowest = min_int(lowest, w.root_moves[0].score)
    for i in range(1, shared.thread_count):
        w = (<Worker**>shared.workers)[i]
        if not has_vote(w):
            continue
        if best.root_moves[0].score >= TABLEBASE_FOUND or w.root_moves[0].score >= TABLEBASE_FOUND:
            if w.root_moves[0].score > best.root_moves[0].score:
                best = w
        elif thread_votes(shared, w, lowest) > thread_votes(shared, best, lowest):
            best = w
    return best
