# Self-play: whole games in the core, for training data. No Python runs inside a game.

cdef enum:
    MAX_GAME = 500              # plies of a self-play game
    DATA_HARD_NODES = 12        # a search is cut off at this many times its soft node limit
    WIN_SCORE = 1000            # centipawns that adjudicate a win: more teach a net nothing …
    WIN_PLIES = 5               # … when this many scores in a row agree
    DRAW_SCORE = 8              # centipawns within which a game is adjudicated a draw …
    DRAW_PLIES = 12             # … when this many scores in a row are so small …
    DRAW_FROM_PLY = 70          # … from this ply of the game on


cdef Move16 random_legal(const Position* pos, u64* seed) noexcept nogil:
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks = masks_of(pos)
    cdef int count = generate_all(pos, &masks, moves)
    return moves[mulhi(splitmix(seed), count)] if count else <Move16>NO_MOVE


cdef int prepare_root(Worker* w) noexcept nogil:
    """All legal moves become root moves; returns how many."""
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks = masks_of(&w.pos)
    set_root_moves(w, moves, generate_all(&w.pos, &masks, moves))
    return w.root_count


cdef int search_for_data(Worker* w, int soft_nodes, u64* search_us) noexcept nogil:
    """A small search of the worker's position; returns the score from the side to move and adds up the time."""
    cdef u64 started_us = now_us()
    cdef SearchLimits limits
    memset(&limits, 0, sizeof(SearchLimits))
    limits.soft_nodes = soft_nodes
    begin_search(w.shared, &limits, USE_ALL)
    begin_worker(w, <u64>soft_nodes * DATA_HARD_NODES)
    iterate(w)
    search_us[0] += now_us() - started_us
    return w.root_moves[0].score if w.root_moves[0].score != -INFINITE else w.root_moves[0].previous


cdef bint random_opening(
    Worker* w, u64* seed, int plies, int soft_nodes, int start_nodes, int max_start_score, u64* search_us
) noexcept nogil:
    """Plays random moves from the worker's position; False if the game ended or the score of a search of `start_nodes`
    is too large. Where that is more than the games' own searches, such a small one rejects the worst starts first."""
    cdef int i, score
    cdef Move16 m
    for i in range(plies):
        m = random_legal(&w.pos, seed)
        if m == NO_MOVE:
            return False
        make(&w.pos, m)
    if prepare_root(w) == 0 or insufficient_material(&w.pos):
        return False
    if start_nodes > soft_nodes:
        score = search_for_data(w, soft_nodes, search_us)
        if abs_int(score) > 2 * max_start_score:
            return False
        prepare_root(w)
    score = search_for_data(w, start_nodes, search_us)
    return abs_int(score) <= max_start_score


cdef int play_game(Worker* w, u8* out, int soft_nodes, u64* searched, u64* search_us) noexcept nogil:
    """Plays the worker's position to its end, writes the record, and returns its length in bytes."""
    cdef int plies = 0, score, winning = 0, drawish = 0, result = -1, ending = END_RULES, white_score
    cdef Move16 m
    cdef u8* at = out + GAME_HEADER
    pack_position(&w.pos, out)
    while True:
        if prepare_root(w) == 0:
            result = RESULT_DRAW
            if checkers_of(&w.pos):
                result = RESULT_BLACK if w.pos.side == WHITE else RESULT_WHITE
            break
        if repetitions(&w.pos) >= 2 or w.pos.st.rule50 >= 100 or insufficient_material(&w.pos):
            result = RESULT_DRAW
            break
        if plies >= MAX_GAME or w.pos.depth >= GAME_STATES - 2:
            result = RESULT_DRAW
            ending = END_LENGTH
            break
        score = search_for_data(w, soft_nodes, search_us)
        searched[0] += w.nodes
        m = w.root_moves[0].move
        white_score = score if w.pos.side == WHITE else -score
        at[0] = <u8>(m & 0xFF)
        at[1] = <u8>(m >> 8)
        at[2] = <u8>(white_score & 0xFF)
        at[3] = <u8>(white_score >> 8 & 0xFF)
        at += PLY_BYTES
        plies += 1
        winning = (winning + 1 if winning > 0 else 1) if white_score >= WIN_SCORE else (
            (winning - 1 if winning < 0 else -1) if white_score <= -WIN_SCORE else 0)
        drawish = drawish + 1 if abs_int(score) <= DRAW_SCORE and w.pos.start_ply + w.pos.depth >= DRAW_FROM_PLY else 0
        make(&w.pos, m)
        if winning >= WIN_PLIES or winning <= -WIN_PLIES:
            result = RESULT_WHITE if winning > 0 else RESULT_BLACK
            ending = END_WIN
            break
        if drawish >= DRAW_PLIES:
            result = RESULT_DRAW
            ending = END_DRAW
            break
    out[GAME_RESULT] = <u8>result
    out[GAME_ENDING] = <u8>ending
    out[GAME_PLIES] = <u8>(plies & 0xFF)
    out[GAME_PLIES + 1] = <u8>(plies >> 8)
    return GAME_HEADER + PLY_BYTES * plies
