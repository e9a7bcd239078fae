# Root moves: the moves a search chooses from, their scores and lines.

cdef void sort_root_moves(RootMove* moves, int start, int end) noexcept nogil:
    """Best score first within each rank; equal scores keep their order."""
    cdef RootMove held
    cdef int i, j
    for i in range(start + 1, end):
        j = i
        while j > start and moves[j - 1].score < moves[i].score and moves[j - 1].rank == moves[i].rank:
            j -= 1
        if j != i:
            held = moves[i]
            memmove(&moves[j + 1], &moves[j], (i - j) * sizeof(RootMove))
            moves[j] = held


cdef void set_root_moves(Worker* w, const Move16* moves, int count) noexcept nogil:
    """Sets the moves a search chooses from."""
    cdef RootMove* line
    cdef int i
    w.root_count = count
    w.multi_index = 0
    for i in range(count):
        line = &w.root_moves[i]
        line.move = moves[i]
        line.rank = 0
        line.table_score = NO_SCORE
        line.score = line.previous = line.average = -INFINITE
        line.nodes = 0
        line.seldepth = 0
        line.bound = BOUND_NONE
        line.pv[0] = moves[i]
        line.pv_length = 1


cdef int rank_end(const Worker* w, int index) noexcept nogil:
    """Where the root moves end that have the rank of this one: those it competes with."""
    cdef int end = index + 1
    while end < w.root_count and w.root_moves[end].rank == w.root_moves[index].rank:
        end += 1
    return end


cdef void restore_completed_lines(Worker* w, int lines) noexcept nogil:
    """After a stop in mid-iteration, at the line `multi_index`: the lines before it are kept, and of the first line
    also what has been found so far, unless a new best move failed high and then low. The rest is restored from the
    last finished iteration."""
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
        if j < w.root_count:            # else it is among those that are kept
            memmove(&moves[kept + 1], &moves[kept], (j - kept) * sizeof(RootMove))
            moves[kept] = w.completed[i]
            kept += 1


cdef inline void announce_root_move(Worker* w, int index) noexcept nogil:
    """Reports the root move that is about to be searched, in a long search."""
    if w.shared.report_move != NULL and is_long_search(w):
        w.shared.root_number = index + 1
        w.shared.report_move(w.shared.owner)


cdef inline void update_root_move(
    Worker* w, RootMove* line, u64 nodes, bint is_first, int score, int alpha, int beta
) noexcept nogil:
    """Records the result of a root move. Only the first move and those that beat alpha have a score and a line: of the
    others the search has only shown that they are not better."""
    line.nodes += nodes
    if not is_first and score <= alpha:
        line.score = -INFINITE
        return
    line.score = score
    line.average = score if line.average == -INFINITE else (line.average + score) // 2
    line.seldepth = w.seldepth
    line.bound = BOUND_LOWER if score >= beta else (BOUND_UPPER if score <= alpha else BOUND_EXACT)
    line.pv[0] = line.move
    memcpy(&line.pv[1], w.pv[1], w.pv_lengths[1] * sizeof(Move16))
    line.pv_length = 1 + w.pv_lengths[1]
