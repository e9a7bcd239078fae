# Limits: time, nodes and requests to stop, and the start of a search.

cdef extern from *:
    """
    #include <time.h>
    #if defined(_WIN32)
      #include <windows.h>
      static uint64_t cy_now_us(void) {
          LARGE_INTEGER f, c; QueryPerformanceFrequency(&f); QueryPerformanceCounter(&c);
          return (uint64_t)(1e6 * (double)c.QuadPart / (double)f.QuadPart);
      }
    #else
      static uint64_t cy_now_us(void) {
          struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
          return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
      }
    #endif
    """
    u64 now_us "cy_now_us"() noexcept nogil

cdef enum:
    CURRMOVE_US = 3_000_000     # root moves and bounds are reported once a search has lasted this long
    FIRST_NODES = 30_000        # nodes the first iteration may take whatever the limits, so that there is a move
    FIRST_LEAST_NODES = 256     # … and these even when the time is over …
    FIRST_EXTRA_US = 10_000     # … by this much
    CHECK_NODES = 1024          # nodes between two checks of the limits where nodes are fast
    CHECK_US = 2_000            # time between two checks where nodes are slow (slow memory, shared processor)
    FIRST_CHECK_NODES = 32      # until the speed is known


# What ends a search; 0 stands for "no limit".
ctypedef struct SearchLimits:
    int depth                   # plies
    int mate                    # stop on a mate in this many moves
    u64 nodes
    u64 soft_nodes              # stop between iterations
    double hard_ms


cdef void start_clock(Shared* shared, double hard_ms) noexcept nogil:
    """The clock runs from now on and allows `hard_ms`, 0 for no limit."""
    cdef u64 now = now_us()
    atomic_store64(&shared.start_us, now)
    atomic_store64(&shared.hard_us, now + <u64>(hard_ms * 1000) if hard_ms > 0 else 0)


cdef void begin_search(Shared* shared, const SearchLimits* limits, u64 features) noexcept nogil:
    """Prepares what the threads share for a new search of one line without reports and without endgame tables;
    callers who want several lines, reports, pondering or tables set that afterwards."""
    shared.depth_limit = limits.depth if 0 < limits.depth < MAX_PLY else MAX_PLY - 1
    shared.mate_limit = limits.mate
    shared.node_limit = limits.nodes
    shared.soft_nodes = limits.soft_nodes
    shared.multipv = 1
    shared.restricted = False
    shared.tables = NULL
    shared.table_pieces = 0
    shared.root_known = 0
    # A null move hides mates that need a zugzwang, so a search for a mate makes none.
    shared.params = TUNED_PARAMS
    shared.params.features = features & ~(<u64>1 << USE_NMP) if limits.mate else features
    if not are_default(&shared.params):
        memcpy(shared.lmr_table, TUNED_LMR_TABLE, sizeof(shared.lmr_table))
        shared.params.lmr_table = shared.lmr_table
    shared.table.is_clear = False
    shared.table.generation = (shared.table.generation + 1) & (GENERATIONS - 1)
    shared.report = shared.report_move = shared.report_bound = NULL
    shared.root_number = 0
    shared.pondering = 0
    shared.stop = 0
    shared.stop_requested = 0
    shared.first_done = 0
    shared.main_done = 0
    start_clock(shared, limits.hard_ms)


cdef inline const Params* params_of(const Shared* shared) noexcept nogil:
    """The parameters of the search: the constant defaults where they are the same."""
    return &DEFAULT_PARAMS if are_default(&shared.params) else &shared.params


cdef u64 total_nodes(const Shared* shared) noexcept nogil:
    cdef u64 total = 0
    cdef int i
    for i in range(shared.thread_count):
        total += atomic_load64(&(<Worker**>shared.workers)[i].nodes)
    return total


cdef u64 total_table_hits(const Shared* shared) noexcept nogil:
    cdef u64 total = 0
    cdef int i
    for i in range(shared.thread_count):
        total += atomic_load64(&(<Worker**>shared.workers)[i].table_hits)
    return total


cdef inline bint stopped(const Worker* w) noexcept nogil:
    """Whether the search is ending. Must be asked after every search below: its score is then meaningless."""
    return atomic_load(&w.shared.stop) != 0


cdef inline bint is_long_search(const Worker* w) noexcept nogil:
    """Whether this is the main thread of a search that has lasted long enough to report its progress in detail."""
    return w.id == 0 and now_us() - atomic_load64(&w.shared.start_us) > CURRMOVE_US


cdef inline void count_node(Worker* w) noexcept nogil:
    atomic_store64(&w.nodes, w.nodes + 1)


cdef int next_check_interval(int interval, u64 passed_us) noexcept nogil:
    """Nodes until the next check of the limits, given the last interval and the time it took."""
    if passed_us > CHECK_US:
        return max_int(<int>(<u64>interval * CHECK_US // passed_us), 1)
    if 4 * passed_us < CHECK_US:
        return min_int(2 * interval, CHECK_NODES)
    return interval


cdef bint is_first_iteration(const Worker* w, u64 now) noexcept nogil:
    """Whether the search goes on whatever the limits, so that there is a move. The first iteration takes well under a
    millisecond, unless a board full of queens makes quiescence explode or the processor is busy elsewhere."""
    cdef u64 hard_us = atomic_load64(&w.shared.hard_us)
    if atomic_load(&w.shared.first_done) or w.nodes >= FIRST_NODES:
        return False
    return w.nodes < FIRST_LEAST_NODES or hard_us == 0 or now < hard_us + FIRST_EXTRA_US


cdef void check_limits(Worker* w) noexcept nogil:
    """Stops the search if its time has run out or a stop was requested; called by every thread every 1024 nodes, or
    more often where nodes are slow."""
    cdef Shared* shared = w.shared
    cdef bint pondering = atomic_load(&shared.pondering) != 0
    cdef u64 now = now_us()
    if w.nodes >= w.node_limit:
        atomic_store(&shared.stop, 1)
        return
    w.check_interval = next_check_interval(w.check_interval, now - w.checked_us)
    w.checked_us = now
    w.next_check = w.nodes + <u64>w.check_interval
    if w.next_check > w.node_limit:
        w.next_check = w.node_limit
    if is_first_iteration(w, now):
        return
    if atomic_load(&shared.stop_requested) or (atomic_load(&shared.main_done) and not pondering):
        atomic_store(&shared.stop, 1)
    elif atomic_load64(&shared.hard_us) and not pondering and now >= atomic_load64(&shared.hard_us):
        atomic_store(&shared.stop, 1)
    elif shared.thread_count > 1 and shared.node_limit and total_nodes(shared) >= shared.node_limit:
        atomic_store(&shared.stop, 1)


cdef inline bint must_stop(Worker* w) noexcept nogil:
    """Whether to leave the node at once; asked at every node. With one thread the node limit is exact."""
    if w.nodes >= w.next_check:
        check_limits(w)
    return stopped(w)
