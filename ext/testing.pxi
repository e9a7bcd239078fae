# Testing: functions that only tests and soak runs call, so that they are no methods of the public classes.

cdef u64 compare_random_games(Worker* w, u64 seed, u64 positions) noexcept nogil:
    """Plays random games and takes moves back as a search would, evaluating now and then."""
    cdef u64 compared = 0, differences = 0
    cdef int back
    cdef Move16 m
    w.pos.stack = w.states
    while compared < positions:
        w.pos = START_POSITION
        w.pos.stack = w.states
        reset_accumulators(&w.accumulators)
        while compared < positions and w.accumulators.top < MAX_PLY:
            m = random_legal(&w.pos, &seed)
            if m == NO_MOVE or insufficient_material(&w.pos):
                break
            make_move(w, m)
            if splitmix(&seed) % 4 == 0:
                back = <int>(splitmix(&seed) % 6)
                while back > 0 and w.accumulators.top > 0:
                    take_back(w)
                    back -= 1
            if splitmix(&seed) % 3:
                compared += 1
                differences += neural(&w.accumulators, &w.pos) != neural_plain(w.accumulators.net, &w.pos, 0)
    return differences


def check_net(Searcher searcher not None, u64 seed, u64 positions):
    """Plays random games back and forth and compares the net's incremental evaluation with that from the
    definition; returns the number of positions that differ."""
    cdef Worker* w = searcher.workers[0]
    cdef u64 differences
    searcher.check_idle()
    if searcher.net is None:
        raise ValueError("the searcher has no net to check")
    with nogil:
        differences = compare_random_games(w, seed, positions)
    return differences


def check_intervals(passed_us):
    """The nodes between two looks at the limits, one after the other, when these many microseconds passed between
    them: how a search adapts to the speed of its nodes."""
    cdef int interval = FIRST_CHECK_NODES
    cdef list intervals = []
    for us in passed_us:
        interval = next_check_interval(interval, us)
        intervals.append(interval)
    return intervals


def keys_from_scratch(Board board not None):
    """All four keys computed from scratch; they must equal the incremental ones."""
    cdef State st = board.pos.st
    compute_keys(&board.pos, &st)
    return st.key, st.pawn_key, st.nonpawn_keys[WHITE], st.nonpawn_keys[BLACK]


def prefetched_key(Board board not None, move):
    """The key for which the search prefetches the table's entry before it makes a move: exact unless the move
    castles, promotes, captures en passant or changes such a right."""
    return key_after(&board.pos, board.to_word(move))


def has_upcoming_repetition(Board board not None):
    """Whether some legal move leads back to a position of the history that could still be repeated."""
    return can_repeat(&board.pos, MAX_GAME_PLIES)


def is_legal_word(Board board not None, int word):
    """Whether a 16-bit move word, as in the transposition table, is legal in a position: exact."""
    cdef Masks masks = masks_of(&board.pos)
    if not 0 <= word <= 0xFFFF:
        raise ValueError(f"a move word must be between 0 and {0xFFFF}, got {word}")
    return is_legal(&board.pos, &masks, <Move16>word)


def move_words(Board board not None):
    """The legal moves as 16-bit words: from | to << 6 | flags << 12."""
    return legal_words(&board.pos)


def store_in_table(Searcher searcher not None, Board board not None, int word, *, score, evaluation, depth, bound,
                   features=USE_ALL):
    """Writes a result for a position to the searcher's table, as a search with these features does."""
    cdef Params params = DEFAULT_PARAMS
    searcher.check_idle()
    params.features = features
    searcher.shared.table.is_clear = False
    if bound == BOUND_NONE:
        tt_store_eval(&searcher.shared.table, board.pos.st.key, 0, evaluation, False, &params)
    else:
        tt_store(&searcher.shared.table, board.pos.st.key, 0, <Move16>word, score, evaluation, depth, bound, False,
                 &params)


def found_in_table(Searcher searcher not None, Board board not None):
    """(move word, score, evaluation, depth, bound) of a position's entry, or None."""
    cdef TTHit hit
    searcher.check_idle()
    tt_probe(&searcher.shared.table, board.pos.st.key, 0, &hit)
    return (hit.move, hit.score, hit.eval, hit.depth, hit.bound) if hit.found else None
