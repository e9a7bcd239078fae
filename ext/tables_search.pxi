# Endgame tables in the search: results at nodes after a zeroing move, and root moves ranked by them.
#
# A node is probed where the fifty-move counter is zero: only there the result of a table is the result of the game. At
# the root it is not zero as a rule, so there the distance to zeroing decides, with the counter and the game's history.

cdef enum:                          # what is known of the root moves
    ROOT_UNKNOWN = 0
    ROOT_RESULTS = 1                # win, draw or loss
    ROOT_DISTANCES = 2              # how far it is to zeroing as well

cdef enum:                          # ranks: a search considers only the root moves of the highest rank
    RANK_WIN = 1000
    RANK_CLOSE_WIN = 999            # on the last half-move before the fifty-move rule, if the table is not rounded
    RANK_CURSED_WIN = 500           # … less the half-moves that are too many
    RANK_DRAW = 0
    RANK_BLESSED_LOSS = -500        # … with those half-moves added
    RANK_LOSS = -1000               # … with what the fifty-move counter will reach, where that may save the game
    MOST_BEYOND = 400
    UNKNOWN_DISTANCE = 100          # stands for a distance where only the result is known

cdef enum:
    PROBED_DEPTH = 6                # a result is stored as if it had been searched this many plies deeper


cdef inline bint can_probe_node(const Worker* w, int depth) noexcept nogil:
    """Whether a node is one that tables are asked about: a few operations where there are none, or more pieces."""
    cdef int pieces
    if w.pos.st.rule50 != 0 or w.shared.table_pieces == 0 or w.pos.st.castling != 0:
        return False
    pieces = popcount(occupied_of(&w.pos))
    return pieces < w.shared.table_pieces or (pieces == w.shared.table_pieces and depth >= w.shared.table_depth)


cdef inline int used_result(const Shared* shared, int wdl) noexcept nogil:
    """A result as the search takes it: without the fifty-move rule, a cursed win is a win."""
    return wdl if shared.fifty_move_rule else 2 * sign_of(wdl)


cdef inline int tablebase_score(int wdl, int distance) noexcept nogil:
    """The score of a result that is this many half-moves away; more than a score can express count as that many."""
    if wdl == TABLE_WIN:
        return TABLEBASE_WIN - min_int(distance, MAX_MATE_PLY)
    if wdl == TABLE_LOSS:
        return min_int(distance, MAX_MATE_PLY) - TABLEBASE_WIN
    return DRAW + wdl               # a cursed win is a draw, but better than one


cdef int probe_node(Worker* w, int ply, int* bound) noexcept nogil:
    """What tables say of a node. A draw is exact; a win is a lower bound and a loss an upper one, since there may be
    a mate. `bound` is BOUND_NONE if there is no table."""
    cdef int state, wdl
    bound[0] = BOUND_NONE
    if find_table(w.shared.tables, material_of(&w.pos)) == NULL:
        return 0                    # before captures are looked at
    wdl = search_wdl(w.shared.tables, &w.pos, False, &state)
    if state == PROBE_FAILED:
        return 0
    atomic_store64(&w.table_hits, w.table_hits + 1)
    wdl = used_result(w.shared, wdl)
    bound[0] = BOUND_LOWER if wdl == TABLE_WIN else (BOUND_UPPER if wdl == TABLE_LOSS else BOUND_EXACT)
    return tablebase_score(wdl, ply)


cdef inline int probe_window(
    Worker* w, Frame* ss, int alpha, int beta, int depth, bint was_pv, int* lowest, int* highest, const Params* params
) noexcept nogil:
    """The score of a node whose result tables know, if it decides the window; it is stored then. Otherwise NO_SCORE,
    and a win or loss is noted as the lowest or highest score that the node can have."""
    cdef int bound
    cdef int score = probe_node(w, ss.ply, &bound)
    if bound == BOUND_NONE:
        return NO_SCORE
    if (bound == BOUND_LOWER and score < beta) or (bound == BOUND_UPPER and score > alpha):
        if bound == BOUND_LOWER:
            lowest[0] = score
        else:
            highest[0] = score
        return NO_SCORE
    tt_store(&w.shared.table, w.pos.st.key, ss.ply, NO_MOVE, score, NO_SCORE, depth + PROBED_DEPTH, bound, was_pv,
             params)
    ss.exit_reason = EXIT_TABLES
    return score


cdef bint is_checkmate(const Position* pos) noexcept nogil:
    return checkers_of(pos) != 0 and count_legal(pos) == 0


cdef bint reply_repeats(Position* pos) noexcept nogil:
    """Whether the side to move can bring about a position for the third time."""
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks
    cdef int i, count
    cdef bint found = False
    if pos.st.rule50 < 7:
        return False
    masks = masks_of(pos)
    count = generate_all(pos, &masks, moves)
    for i in range(count):
        make(pos, moves[i])
        found = repetitions(pos) >= 2
        unmake(pos)
        if found:
            return True
    return False


cdef int root_distance(const TableSet* ts, Position* pos, Move16 m, int* second, int* state) noexcept nogil:
    """Half-moves from the root to the next zeroing move, or mate, if `m` is played: positive for a win, negative for
    a loss, 0 for a draw by tables or by repetition. `second` is the distance that follows if `m` is zeroing."""
    cdef bint zeroing = is_capture(m) or type_of(pos.board[from_of(m)]) == PAWN
    cdef int distance
    second[0] = 0
    state[0] = PROBE_OK
    make(pos, m)
    if is_checkmate(pos):
        distance = 1
    elif repetitions(pos) >= 2:
        distance = 0
    elif zeroing:
        distance = dtz_of_zeroing(-probe_wdl(ts, pos, state))
        if state[0] != PROBE_FAILED and distance != 0:
            second[0] = abs_int(probe_dtz(ts, pos, state))
    else:
        distance = -probe_dtz(ts, pos, state)
        distance += sign_of(distance)
        if distance > 0 and reply_repeats(pos):
            distance = 0
    unmake(pos)
    return distance


cdef void rank_by_distance(RootMove* line, int distance, bint zeroing, int clock, bint rule) noexcept nogil:
    """The rank of a root move, and its score. The fifty-move counter stands at `clock`; without `rule` it means
    nothing. A distance can be one too small, so a win is certain only with a half-move to spare, except that a zeroing
    move or mate is at hand."""
    cdef int reached = abs_int(distance) + clock
    cdef int wdl
    if distance == 0:
        wdl = TABLE_DRAW
        line.rank = RANK_DRAW
    elif distance > 0:
        wdl = TABLE_WIN if reached <= 100 or not rule else CURSED_WIN
        if wdl == CURSED_WIN:
            line.rank = RANK_CURSED_WIN - min_int(reached - 100, MOST_BEYOND)
        else:
            line.rank = RANK_CLOSE_WIN if rule and reached == 100 and distance > 1 else RANK_WIN
    else:
        wdl = TABLE_LOSS if reached <= 100 or not rule else BLESSED_LOSS
        if wdl == BLESSED_LOSS:
            line.rank = RANK_BLESSED_LOSS + min_int(reached - 100, MOST_BEYOND)
        else:
            line.rank = RANK_LOSS
            if rule and not zeroing and reached - distance >= 100:
                line.rank += reached
    line.table_score = tablebase_score(wdl, abs_int(distance))


cdef bint rank_by_distances(Worker* w) noexcept nogil:
    """Ranks root moves by distance, and orders winning ones: the shortest first, and of zeroing ones that with the
    shortest way after it. False if a table is missing."""
    cdef const TableSet* ts = w.shared.tables
    cdef i64 keys[MAX_MOVES]
    cdef i64 key
    cdef RootMove* line
    cdef RootMove held
    cdef int i, j, distance, second, state
    cdef bint zeroing
    for i in range(w.root_count):
        line = &w.root_moves[i]
        zeroing = is_capture(line.move) or type_of(w.pos.board[from_of(line.move)]) == PAWN
        distance = root_distance(ts, &w.pos, line.move, &second, &state)
        if state == PROBE_FAILED:
            return False
        rank_by_distance(line, distance, zeroing, w.pos.st.rule50, w.shared.fifty_move_rule)
        keys[i] = <i64>line.rank << 32
        if line.rank >= RANK_CLOSE_WIN:
            keys[i] -= (<i64>distance << 16) + second
    for i in range(1, w.root_count):
        j = i
        key = keys[i]
        while j > 0 and keys[j - 1] < key:
            keys[j] = keys[j - 1]
            j -= 1
        if j != i:
            keys[j] = key
            held = w.root_moves[i]
            memmove(&w.root_moves[j + 1], &w.root_moves[j], (i - j) * sizeof(RootMove))
            w.root_moves[j] = held
    return True


cdef bint rank_by_results(Worker* w) noexcept nogil:
    """Ranks root moves by win, draw and loss alone. False if a table is missing."""
    cdef RootMove* line
    cdef RootMove held
    cdef int i, j, wdl, state
    for i in range(w.root_count):
        line = &w.root_moves[i]
        state = PROBE_OK
        make(&w.pos, line.move)
        if is_checkmate(&w.pos):
            wdl = TABLE_WIN
        elif repetitions(&w.pos) >= 2:
            wdl = TABLE_DRAW
        else:
            wdl = -probe_wdl(w.shared.tables, &w.pos, &state)
            if wdl > 0 and reply_repeats(&w.pos):
                wdl = TABLE_DRAW
        unmake(&w.pos)
        if state == PROBE_FAILED:
            return False
        wdl = used_result(w.shared, wdl)
        line.rank = wdl * RANK_CURSED_WIN
        line.table_score = tablebase_score(wdl, UNKNOWN_DISTANCE)
    for i in range(1, w.root_count):
        j = i
        while j > 0 and w.root_moves[j - 1].rank < w.root_moves[i].rank:
            j -= 1
        if j != i:
            held = w.root_moves[i]
            memmove(&w.root_moves[j + 1], &w.root_moves[j], (i - j) * sizeof(RootMove))
            w.root_moves[j] = held
    return True


cdef void use_tables(Worker* w, const TableSet* ts, int limit, int depth, bint rule) noexcept nogil:
    """Gives a search its tables, for positions with up to `limit` pieces, and ranks the root moves of the main thread
    `w` if the root is such a position. Once distances are known there, or no win is to be had, nodes are not probed:
    the rank is all that tables can say, and a search for mates and chances says more."""
    cdef Shared* shared = w.shared
    cdef int i
    shared.tables = ts
    shared.table_pieces = min_int(limit, ts.largest)
    shared.table_depth = depth
    shared.fifty_move_rule = rule
    if w.pos.st.castling != 0 or popcount(occupied_of(&w.pos)) > shared.table_pieces:
        return
    if rank_by_distances(w):
        shared.root_known = ROOT_DISTANCES
    elif rank_by_results(w):
        shared.root_known = ROOT_RESULTS
    else:
        for i in range(w.root_count):
            w.root_moves[i].rank = RANK_DRAW
        return
    w.table_hits += <u64>w.root_count
    if shared.root_known == ROOT_DISTANCES or w.root_moves[0].rank <= RANK_DRAW:
        shared.table_pieces = 0


cdef inline bint wins_by_distance(const Worker* w, const RootMove* line) noexcept nogil:
    """Whether a root move wins and tables know how far it is."""
    return w.shared.root_known == ROOT_DISTANCES and line.rank >= RANK_CLOSE_WIN


cdef inline int root_score(const Worker* w, const RootMove* line, int score) noexcept nogil:
    """The score that decides between root moves. Where tables know the way to win, it is theirs unless the search has
    found a mate: so the shortest way is played, or the mate."""
    return line.table_score if wins_by_distance(w, line) and score < MATE_FOUND else score


cdef int shown_score(const Worker* w, const RootMove* line, int score) noexcept nogil:
    """The score of a root move as the world sees it: the table's, unless the search knows more."""
    if w.shared.root_known == ROOT_UNKNOWN or is_mate_score(score):
        return score
    if w.shared.root_known == ROOT_RESULTS and is_decisive(score):
        return score                # a table win that is this many plies away
    return line.table_score
