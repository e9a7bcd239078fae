# Root: iterative deepening with aspiration windows and several lines (MultiPV), and thread voting.

cdef enum:
    VOTE_CP = 14                # weight of a thread's vote beside the centipawns by which it exceeds the lowest

cdef void sort_root_moves(RootMove* moves, int start, int end) noexcept nogil:
    """Best score first; equal scores keep their order."""
    cdef RootMove held
    cdef int i, j
    for i in range(start + 1, end):
        j = i
        while j > start and moves[j - 1].score < moves[i].score:
            j -= 1
        if j != i:
            held = moves[i]
            memmove(&moves[j + 1], &moves[j], (i - j) * sizeof(RootMove))
            moves[j] = held


cdef void set_root_moves(Worker* w, const Move16* moves, int count) noexcept nogil:
    """The moves a search chooses from, none of them looked at yet."""
    cdef RootMove* line
    cdef int i
    w.root_count = count
    w.multi_index = 0
    for i in range(count):
        line = &w.root_moves[i]
        line.move = moves[i]
        line.score = line.previous = line.average = -INFINITE
        line.nodes = 0
        line.seldepth = 0
        line.bound = BOUND_NONE
        line.pv[0] = moves[i]
        line.pv_length = 1


cdef void begin_worker(Worker* w, u64 node_limit) noexcept nogil:
    """Prepares a thread for a new search."""
    w.nodes = 0
    w.completed_depth = 0
    w.node_limit = node_limit


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


cdef void search_window(Worker* w, int depth) noexcept nogil:
    """One line at one depth: a narrow window around the last score, widened until it holds."""
    cdef Frame* ss = &w.frames[STACK_BEFORE]
    cdef RootMove* line = &w.root_moves[w.multi_index]
    cdef int delta = ASPIRATION_DELTA
    cdef int alpha = -INFINITE
    cdef int beta = INFINITE
    cdef int reduced = 0
    cdef int score
    if uses(w, USE_ASPIRATION_WINDOWS) and depth >= 4 and line.average != -INFINITE:
        alpha = max_int(line.average - delta, -INFINITE)
        beta = min_int(line.average + delta, INFINITE)
    while True:
        score = search_pv(w, ss, alpha, beta, max_int(depth - reduced, 1))
        sort_root_moves(w.root_moves, w.multi_index, w.root_count)
        if stopped(w):
            return
        if score <= alpha and alpha > -INFINITE:
            beta = (alpha + beta) // 2
            alpha = max_int(score - delta, -INFINITE)
            reduced = 0
        elif score >= beta and beta < INFINITE:
            beta = min_int(score + delta, INFINITE)
            reduced = min_int(reduced + 1, 3)
        else:
            return
        if w.shared.report_bound != NULL and w.shared.multipv == 1 and is_long_search(w):
            w.shared.report_bound(w.shared.owner)
        delta += delta * ASPIRATION_GROWTH // 100
        if delta > 600:
            alpha = -INFINITE if score <= alpha + delta else alpha
            beta = INFINITE


cdef void restore_completed_lines(Worker* w, int lines) noexcept nogil:
    """Stopped in mid-iteration, at the line `multi_index`: the lines before it stand, and of the first one also
    what has been found so far, unless a new best move failed high and then low, which is a mirage. The rest is
    as the last whole iteration left it."""
    cdef RootMove* moves = w.root_moves
    cdef int kept = w.multi_index
    cdef int i, j
    if (kept == 0 and moves[0].score != -INFINITE
            and (moves[0].bound != BOUND_UPPER or moves[0].move == w.completed[0].move)):
        kept = 1
    for i in range(lines):
        if kept == lines:
            return
        j = kept
        while j < w.root_count and moves[j].move != w.completed[i].move:
            j += 1
        if j < w.root_count:            # else it is among those that stand
            memmove(&moves[kept + 1], &moves[kept], (j - kept) * sizeof(RootMove))
            moves[kept] = w.completed[i]
            kept += 1


cdef void iterate(Worker* w) noexcept nogil:
    """Deepens until a limit says stop. The main thread tells its owner of each iteration."""
    cdef Shared* shared = w.shared
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
        for i in range(w.root_count):
            w.root_moves[i].previous = w.root_moves[i].score
            w.root_moves[i].score = -INFINITE       # what this iteration has not looked at does not compete
        for i in range(lines):
            w.multi_index = i
            search_window(w, depth)
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
        atomic_store(&shared.main_done, 1)       # helpers end with the main thread, unless it only ponders
        if not atomic_load(&shared.pondering):
            atomic_store(&shared.stop, 1)


cdef i64 thread_votes(const Shared* shared, const Worker* candidate, int lowest) noexcept nogil:
    """The weight of all threads that chose the candidate's move."""
    cdef Worker* w
    cdef i64 sum = 0
    cdef int i
    for i in range(shared.thread_count):
        w = (<Worker**>shared.workers)[i]
        if w.completed_depth > 0 and w.root_moves[0].move == candidate.root_moves[0].move:
            sum += <i64>(w.root_moves[0].score - lowest + VOTE_CP) * w.completed_depth
    return sum


cdef Worker* best_thread(const Shared* shared) noexcept nogil:
    """Thread voting: each thread votes for its best move, with more weight the deeper it got and the higher its
    score. A proven mate needs no vote."""
    cdef Worker* best = (<Worker**>shared.workers)[0]
    cdef Worker* w
    cdef int i, lowest = INFINITE
    for i in range(shared.thread_count):
        w = (<Worker**>shared.workers)[i]
        if w.completed_depth > 0:
            lowest = min_int(lowest, w.root_moves[0].score)
    for i in range(1, shared.thread_count):
        w = (<Worker**>shared.workers)[i]
        if w.completed_depth == 0:
            continue
        if best.root_moves[0].score >= MATE_FOUND or w.root_moves[0].score >= MATE_FOUND:
            if w.root_moves[0].score > best.root_moves[0].score:
                best = w
        elif thread_votes(shared, w, lowest) > thread_votes(shared, best, lowest):
            best = w
    return best
