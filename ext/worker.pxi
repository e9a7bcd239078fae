# Worker: all that one search thread owns, and what the threads of a search share.

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
    STACK_BEFORE = 6            # frames before the root, so that looking back needs no test
    MAX_ROOT_MOVES = 256
    CURRMOVE_US = 3_000_000     # only then is a person told of each root move and missed window
    GAME_STATES = 2048          # states of the game kept below the search's own
    FIRST_NODES = 30_000        # as many may be looked at before there is a move, whatever the limits
    RULE50_TT_LIMIT = 90         # from this count of the fifty-move rule on the table's scores prove nothing

ctypedef struct Frame:
    int ply
    int static_eval             # corrected; NO_SCORE in check
    Move16 move                 # being searched at this ply
    Move16 excluded             # left out by a singular search
    Move16 killers[2]
    int moved                   # piece-to of `move`, PIECE_TO for none
    bint in_check               # set by who made the move that led here
    bint was_pv
    int reduction               # by which the child was reduced, 1/1024 ply
    int cutoffs                 # fail-highs among the children
    u64 threats                 # squares the other side attacks
    int exit_reason                 # how the node ended, for the recorder (recorder.pxi)

ctypedef struct RootMove:
    Move16 move
    int score                   # of this iteration, -INFINITE if not raised
    int previous                # of the last iteration
    int average                 # running mean over iterations
    int seldepth
    int bound
    u64 nodes                   # spent below this move
    int pv_length
    Move16 pv[MAX_PLY]

# Called by the main thread: after each iteration, and in long searches before each root move and when the
# window was missed.
ctypedef void (*Report)(void* owner) noexcept nogil

# Shared by the threads of one search; written by the main thread and from outside.
ctypedef struct Shared:
    Table table
    int stop                    # the search ends; read at every node
    int stop_requested           # set from outside; obeyed once the first iteration is done
    int pondering               # the clock does not run
    int first_done                   # the main thread has finished its first iteration: there is a move
    int main_done               # the main thread has no depth left
    int thread_count
    u64 features                # bit numbers are USE_…
    u64 start_us                # on the clock of now_us
    u64 hard_us                 # when to stop, 0 for never
    u64 node_limit              # 0 for none
    u64 soft_nodes              # stop between iterations, 0 for none
    int depth_limit
    int mate_limit              # stop on a mate in so many moves, 0 for none
    int multipv
    bint restricted             # not all legal moves are root moves: the root's score is not the position's
    Report report               # NULL if nobody wants to know
    Report report_move          # the same
    Report report_bound          # the same
    int root_number             # of the root move the main thread is at, from 1
    void* owner                 # what `report` is called with
    void* workers               # Worker*[thread_count]

ctypedef struct Worker:
    Position pos
    Shared* shared
    int id
    u64 nodes
    u64 node_limit              # own share; only the main thread's is exact
    int seldepth
    int root_depth
    int completed_depth
    int null_floor              # no null move above this ply (verification)
    int multi_index             # which line is being searched
    int root_count
    RootMove* root_moves
    RootMove* completed         # the lines of the last whole iteration
    Histories* histories
    PawnEntry* pawn_cache
    State* states
    Recorder* recorder          # NULL unless the tree is wanted
    Frame frames[MAX_PLY + STACK_BEFORE + 10]
    Accumulators accumulators
    int pv_lengths[MAX_PLY + 2]
    Move16 pv[MAX_PLY + 2][MAX_PLY + 2]


cdef inline bint uses(const Worker* w, int switch) noexcept nogil:
    return (w.shared.features >> switch & 1) != 0


cdef u64 total_nodes(const Shared* shared) noexcept nogil:
    cdef u64 total = 0
    cdef int i
    for i in range(shared.thread_count):
        total += atomic_load64(&(<Worker**>shared.workers)[i].nodes)
    return total


cdef inline bint stopped(const Worker* w) noexcept nogil:
    """Asked after every search below: what it returned means nothing then."""
    return atomic_load(&w.shared.stop) != 0


cdef inline bint is_long_search(const Worker* w) noexcept nogil:
    """The main thread's, and a person has waited so long that he wants to see what goes on."""
    return w.id == 0 and now_us() - atomic_load64(&w.shared.start_us) > CURRMOVE_US


cdef inline void count_node(Worker* w) noexcept nogil:
    atomic_store64(&w.nodes, w.nodes + 1)


cdef void check_limits(Worker* w) noexcept nogil:
    """Now and then, in every thread: has the time run out, or someone asked to stop?

    The first iteration is finished, so that there is a move: it takes well under a millisecond, unless a board
    full of queens makes its exchanges endless.
    """
    cdef Shared* shared = w.shared
    cdef bint pondering = atomic_load(&shared.pondering) != 0
    if not atomic_load(&shared.first_done) and w.nodes < FIRST_NODES:
        return
    if atomic_load(&shared.stop_requested) or (atomic_load(&shared.main_done) and not pondering):
        atomic_store(&shared.stop, 1)
    elif atomic_load64(&shared.hard_us) and not pondering and now_us() >= atomic_load64(&shared.hard_us):
        atomic_store(&shared.stop, 1)
    elif shared.thread_count > 1 and shared.node_limit and total_nodes(shared) >= shared.node_limit:
        atomic_store(&shared.stop, 1)


cdef inline bint must_stop(Worker* w) noexcept nogil:
    """Asked at every node. With one thread the node limit is exact."""
    if w.nodes >= w.node_limit:
        atomic_store(&w.shared.stop, 1)
    elif (w.nodes & 1023) == 0:
        check_limits(w)
    return stopped(w)


cdef int evaluate(Worker* w) noexcept nogil:
    """Static evaluation from the side to move, within ±MAX_EVAL: the net's, or the classical one."""
    if w.accumulators.net != NULL:
        return clamp_eval(with_endgames(&w.pos, neural(&w.accumulators, &w.pos)))
    return clamp_eval(classical(&w.pos, w.pawn_cache))


cdef inline void update_net(Worker* w) noexcept nogil:
    """Brings the net's sums up to the position, for the evaluation here or below: nearly every node needs them, and
    the table's entry is on its way meanwhile."""
    if w.accumulators.net != NULL:
        update_accumulators(&w.accumulators, &w.pos)


cdef inline void prefetch_child(const Worker* w, Move16 m) noexcept nogil:
    """A move that will probably be made: the table's entry after it is fetched while other things are done. Waiting
    for the table is otherwise a fifth of the time."""
    prefetch(cluster_of(&w.shared.table, key_after(&w.pos, m)))


cdef inline void make_move(Worker* w, Move16 m) noexcept nogil:
    """Plays a move in the search; the net's sums follow when they are asked for."""
    if w.accumulators.net != NULL:
        push_change(&w.accumulators, &w.pos, m)
    make(&w.pos, m)


cdef inline void take_back(Worker* w) noexcept nogil:
    w.accumulators.top -= w.accumulators.net != NULL
    unmake(&w.pos)


cdef inline int correction_value(const Worker* w, const Frame* ss) noexcept nogil:
    """What searches of like positions found the static evaluation to be wrong by, centipawns."""
    cdef const Histories* h = w.histories
    cdef const State* st = &w.pos.st
    cdef int us = w.pos.side
    cdef int sum
    sum = CORRECTION_PAWN * h.pawn_correction[us][st.pawn_key & (CORRECTION_SIZE - 1)]
    sum += CORRECTION_NONPAWN * (h.nonpawn_correction[WHITE][us][st.nonpawn_keys[WHITE] & (CORRECTION_SIZE - 1)]
                                 + h.nonpawn_correction[BLACK][us][st.nonpawn_keys[BLACK] & (CORRECTION_SIZE - 1)])
    sum += CORRECTION_CONT * h.cont_correction[(ss - 2).moved][(ss - 1).moved]
    return sum // (64 * 10)


cdef inline void update_correction_history(Worker* w, const Frame* ss, int difference, int depth) noexcept nogil:
    """Moves the corrections towards (search score − static evaluation)."""
    cdef Histories* h = w.histories
    cdef const State* st = &w.pos.st
    cdef int us = w.pos.side
    cdef int bonus = clamp_int(difference * depth // 8, -CORRECTION_LIMIT // 4, CORRECTION_LIMIT // 4)
    gravity(&h.pawn_correction[us][st.pawn_key & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    gravity(&h.nonpawn_correction[WHITE][us][st.nonpawn_keys[WHITE] & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    gravity(&h.nonpawn_correction[BLACK][us][st.nonpawn_keys[BLACK] & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    gravity(&h.cont_correction[(ss - 2).moved][(ss - 1).moved], bonus, CORRECTION_LIMIT)


cdef inline int corrected_eval(const Worker* w, int raw, int correction) noexcept nogil:
    if not uses(w, USE_CORRECTION_HISTORY):
        return raw
    # Drawing near by the fifty-move rule, an advantage is worth less.
    return clamp_eval(raw * (220 - w.pos.st.rule50) // 220 + correction)
