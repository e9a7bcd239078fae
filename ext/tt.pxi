# Transposition table: search results by position key, shared by all threads without locks.
#
# A cluster is one cache line of five entries. An entry is a 64-bit word and a 32-bit check, which is the key xor the
# folded word: a torn read (another thread wrote half of it) does not match its check and is a miss, so a race loses an
# entry and never yields a wrong one. See docs/techniques.md#5-transposition-table.

cdef enum:
    CLUSTER_ENTRIES = 5
    BOUND_NONE = 0              # there is no score, only a static evaluation
    BOUND_UPPER = 1             # the score is at most this (no move beat alpha)
    BOUND_LOWER = 2             # at least this (a move beat beta)
    BOUND_EXACT = 3
    GENERATIONS = 32
    EPOCHS = 1 << 30            # times the table can be cleared before it must be written to
    DEPTH_OFFSET = 8            # stored depth is depth + 8: quiescence is below zero
    UNSEARCHED = -6             # depth of an entry that holds only a static evaluation

ctypedef struct TTCluster:
    u64 data[CLUSTER_ENTRIES]   # move 16 | score 16 | eval 16 | depth 8 | generation 5, PV 1, bound 2
    u32 check[CLUSTER_ENTRIES]
    int epoch                   # the entries count only if it is the table's

ctypedef struct Table:
    TTCluster* clusters
    u64 count
    void* memory
    size_t bytes
    int generation              # of searches, for the age of entries
    int epoch                   # increased to clear the table, which so takes no time whatever its size
    bint is_clear               # no search has used it since
    bint is_touched             # all of it is backed by memory

# The result of a probe, decoded.
ctypedef struct TTHit:
    bint found
    Move16 move
    int score
    int eval
    int depth
    int bound
    bint was_pv

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
      #if defined(_M_X64) || defined(_M_ARM64)
        static __forceinline uint64_t cy_mulhi(uint64_t a, uint64_t b) { return __umulh(a, b); }
      #endif
    #else
      static inline uint64_t cy_mulhi(uint64_t a, uint64_t b) { return (uint64_t)(((unsigned __int128)a * b) >> 64); }
    #endif
    """
    u64 mulhi "cy_mulhi"(u64 a, u64 b) noexcept nogil


cdef bint table_resize(Table* table, size_t bytes) noexcept nogil:
    """Gives the table another size, empty; False if there is no memory, and nothing has changed."""
    # It begins on the border of a huge page, so that all of it can be in huge pages.
    cdef void* memory = alloc_pages(bytes + HUGE_PAGE, bytes >= HUGE_PAGE)
    if memory == NULL:
        return False
    free_pages(table.memory, table.bytes)
    table.memory = memory
    table.bytes = bytes + HUGE_PAGE
    table.clusters = <TTCluster*>align_up(memory, HUGE_PAGE)
    table.count = bytes // sizeof(TTCluster)
    table.generation = 0
    table.epoch = 0
    table.is_clear = True
    table.is_touched = False
    return True


cdef void table_clear(Table* table) noexcept nogil:
    """Empties the table without touching it: the clusters of earlier epochs count as empty."""
    table.generation = 0
    if table.is_clear:
        return
    table.epoch += 1
    if table.epoch == EPOCHS:
        memset(table.clusters, 0, table.count * sizeof(TTCluster))
        table.epoch = 0
    table.is_clear = True


cdef void table_touch(Table* table, int part, int parts) noexcept nogil:
    """Has the system back part `part` of `parts` of the table with memory."""
    cdef u64 start = table.count * <u64>part // <u64>parts
    cdef u64 end = table.count * <u64>(part + 1) // <u64>parts
    touch_pages(table.clusters + start, (end - start) * sizeof(TTCluster))


cdef inline TTCluster* cluster_of(const Table* table, u64 key) noexcept nogil:
    return &table.clusters[mulhi(key, table.count)]


cdef inline u32 fold_word(u64 word) noexcept nogil:
    return <u32>(word ^ (word >> 32))


cdef inline int entry_depth(u64 word) noexcept nogil:
    return <int>(word >> 48 & 0xFF) - DEPTH_OFFSET


cdef inline int entry_age(const Table* table, u64 word) noexcept nogil:
    """Searches since the entry was written."""
    return (table.generation - <int>(word >> 59)) & (GENERATIONS - 1)


cdef inline void clear_hit(TTHit* hit) noexcept nogil:
    """What a probe gives back that finds nothing."""
    hit.found = False
    hit.move = NO_MOVE
    hit.score = NO_SCORE
    hit.eval = NO_SCORE
    hit.depth = -DEPTH_OFFSET
    hit.bound = BOUND_NONE
    hit.was_pv = False


cdef inline void tt_probe(const Table* table, u64 key, int ply, TTHit* hit) noexcept nogil:
    cdef TTCluster* cluster = cluster_of(table, key)
    cdef u64 word
    cdef int i
    if atomic_load(&cluster.epoch) == table.epoch:
        for i in range(CLUSTER_ENTRIES):
            word = cluster.data[i]
            if cluster.check[i] ^ fold_word(word) == <u32>key and word != 0:
                hit.found = True
                hit.move = <Move16>(word & 0xFFFF)
                hit.score = score_from_table(<i16>(word >> 16 & 0xFFFF), ply)
                hit.eval = <i16>(word >> 32 & 0xFFFF)
                hit.depth = entry_depth(word)
                hit.bound = <int>(word >> 56 & 3)
                hit.was_pv = (word >> 58 & 1) != 0
                return
    clear_hit(hit)


cdef inline bint decides_window(const TTHit* hit, int alpha, int beta) noexcept nogil:
    """Whether the score found stands for a search with this window: exact, or a bound outside it."""
    return (hit.bound == BOUND_EXACT or (hit.bound == BOUND_LOWER and hit.score >= beta)
            or (hit.bound == BOUND_UPPER and hit.score <= alpha))


cdef inline bint is_better_eval(const TTHit* hit, int evaluation) noexcept nogil:
    """Whether the score found is proven to be on its side of the evaluation, and so is the better estimate."""
    return (hit.found and not is_decisive(hit.score)
            and hit.bound & (BOUND_LOWER if hit.score > evaluation else BOUND_UPPER) != 0)


cdef inline void tt_store(
    const Table* table, u64 key, int ply, Move16 move, int score, int evaluation, int depth, int bound, bint was_pv,
    const Params* params
) noexcept nogil:
    """Writes an entry over its own old one, or over the least valuable of its cluster."""
    cdef TTCluster* cluster = cluster_of(table, key)
    cdef u64 word
    cdef int i, value, slot = 0, worst = 1 << 20
    must(-INFINITE < score and score < INFINITE and depth > -DEPTH_OFFSET)
    must((bound == BOUND_NONE) == (depth == UNSEARCHED))
    if atomic_load(&cluster.epoch) != table.epoch:
        # Of two threads that do this at once, one loses its entry.
        memset(cluster.data, 0, sizeof(cluster.data))
        atomic_store(&cluster.epoch, table.epoch)
    for i in range(CLUSTER_ENTRIES):
        word = cluster.data[i]
        if word == 0 or cluster.check[i] ^ fold_word(word) == <u32>key:
            slot = i
            if word != 0 and uses(params, USE_TT_REPLACEMENT):
                if move == NO_MOVE:
                    move = <Move16>(word & 0xFFFF)      # a fail-low keeps the old best move
                # A much shallower bound does not replace a deeper result of this search.
                if (bound != BOUND_EXACT and depth + params.TT_DEPTH_MARGIN < entry_depth(word)
                        and entry_age(table, word) == 0):
                    return
            break
        value = entry_depth(word) - params.TT_AGE_WEIGHT * entry_age(table, word)
        if value < worst:
            worst = value
            slot = i
    word = (<u64>move | <u64><u16><i16>score_to_table(score, ply) << 16 | <u64><u16><i16>evaluation << 32
            | <u64>min_int(depth + DEPTH_OFFSET, 255) << 48
            | <u64>(bound | was_pv << 2 | table.generation << 3) << 56)
    cluster.data[slot] = word
    cluster.check[slot] = <u32>key ^ fold_word(word)


cdef inline void tt_store_eval(
    const Table* table, u64 key, int ply, int evaluation, bint was_pv, const Params* params
) noexcept nogil:
    """Writes the static evaluation of a position that the table does not know, for a later visit: a node may end
    without a score of its own, and the next search of it need not evaluate again."""
    if uses(params, USE_TT) and uses(params, USE_TT_EVALUATION):
        tt_store(table, key, ply, NO_MOVE, DRAW, evaluation, UNSEARCHED, BOUND_NONE, was_pv, params)


cdef int hash_per_mille(const Table* table) noexcept nogil:
    """How full the table is with entries of this search, in thousandths, from a sample."""
    cdef int used = 0, i, j
    cdef int clusters = 200 if table.count > 200 else <int>table.count
    cdef u64 word
    for i in range(clusters):
        if table.clusters[i].epoch != table.epoch:
            continue
        for j in range(CLUSTER_ENTRIES):
            word = table.clusters[i].data[j]
            if word != 0 and entry_age(table, word) == 0:
                used += 1
    return used * 1000 // (clusters * CLUSTER_ENTRIES)
