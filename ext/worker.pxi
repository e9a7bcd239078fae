# Worker: all that one search thread owns, and what the threads of a search share.

cdef extern from *:
    """
    #include <time.h>
    #if defined(_WIN32)
      #include <windows.h>
      static double cy_now_ms(void) {
          LARGE_INTEGER f, c; QueryPerformanceFrequency(&f); QueryPerformanceCounter(&c);
          return 1000.0 * (double)c.QuadPart / (double)f.QuadPart;
      }
    #else
      static double cy_now_ms(void) {
          struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
          return t.tv_sec * 1000.0 + t.tv_nsec / 1e6;
      }
    #endif
    """
    double now_ms "cy_now_ms"() noexcept nogil

cdef enum:
    STACK_BEFORE = 6            # frames before the root, so that looking back needs no test
    MAX_ROOT_MOVES = 256
    GAME_STATES = 2048          # states of the game kept below the search's own

# Switches of the search, for the debug interface and for measuring what each is worth.
cdef enum:
    USE_TABLE_CUTS = 1
    USE_NULL_MOVE = 2
    USE_FUTILITY = 4            # reverse futility, razoring, futility and late-move pruning
    USE_REDUCTIONS = 8          # late-move and internal iterative reductions
    USE_EXTENSIONS = 16
    USE_PROBCUT = 32
    USE_EXCHANGE_PRUNING = 64   # SEE, history pruning; SEE and futility in quiescence
    USE_ASPIRATION = 128
    USE_CORRECTION = 256
    USE_MATE_DISTANCE = 512
    USE_TABLE = 1024            # any use of the table at all
    USE_DEEPER = 2048           # a deeper entry stands for a shallower search, and for the evaluation
    USE_ALL = 4095

ctypedef struct Frame:
    int ply
    int static_eval             # corrected; NO_SCORE in check
    Move16 move                 # being searched at this ply
    Move16 excluded             # left out by a singular search
    Move16 killers[2]
    int moved                   # piece-to of `move`, PIECE_TO for none
    bint in_check
    bint was_pv
    int reduction               # by which the child was reduced, 1/1024 ply
    int cutoffs                 # fail-highs among the children
    int extensions              # double extensions on the path
    u64 threats                 # squares the other side attacks
    int move_count
    int verdict                 # how the node ended, for the recorder (recorder.pxi)

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

# Called by the main thread after each iteration.
ctypedef void (*Report)(void* owner) noexcept nogil

# Shared by the threads of one search; written by the main thread and from outside.
ctypedef struct Shared:
    Table table
    int stop                    # the search ends; set by the main thread, read at every node
    int asked_to_stop           # set from outside; obeyed once the first iteration is done
    int pondering               # the clock does not run
    int thread_count
    int features                # USE_… switches
    double start_ms
    double hard_ms              # absolute time to stop at, 0 for none
    u64 node_limit              # 0 for none
    u64 soft_nodes              # stop between iterations, 0 for none
    int depth_limit
    int mate_limit              # stop on a mate in so many moves, 0 for none
    int multipv
    Report report               # NULL if nobody wants to know
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
    double currmove_ms
    RootMove* root_moves
    Histories* histories
    PawnEntry* pawn_cache
    State* states
    Recorder* recorder          # NULL unless the tree is wanted
    Frame frames[MAX_PLY + STACK_BEFORE + 10]
    int pv_lengths[MAX_PLY + 2]
    Move16 pv[MAX_PLY + 2][MAX_PLY + 2]


cdef inline bint uses(const Worker* w, int feature) noexcept nogil:
    return (w.shared.features & feature) != 0


cdef u64 total_nodes(const Shared* shared) noexcept nogil:
    cdef u64 total = 0
    cdef int i
    for i in range(shared.thread_count):
        total += (<Worker**>shared.workers)[i].nodes
    return total


cdef void check_limits(Worker* w) noexcept nogil:
    """Now and then, in the main thread: has the time run out, or someone asked to stop?

    The first iteration is always finished (well under a millisecond), so that there is a move.
    """
    if w.completed_depth == 0:
        return
    if w.shared.asked_to_stop:
        w.shared.stop = 1
    if w.shared.hard_ms > 0 and not w.shared.pondering and now_ms() >= w.shared.hard_ms:
        w.shared.stop = 1
    if w.shared.thread_count > 1 and w.shared.node_limit and total_nodes(w.shared) >= w.shared.node_limit:
        w.shared.stop = 1


cdef inline bint must_stop(Worker* w) noexcept nogil:
    """Asked at every node. With one thread the node limit is exact."""
    if w.id == 0:
        if w.nodes >= w.node_limit:
            w.shared.stop = 1
        elif (w.nodes & 1023) == 0:
            check_limits(w)
    return w.shared.stop != 0


cdef int evaluate(Worker* w) noexcept nogil:
    """Static evaluation from the side to move, within ±MAX_EVAL."""
    return clamp_eval(classical(&w.pos, w.pawn_cache))


cdef inline int correction_of(const Worker* w, const Frame* ss) noexcept nogil:
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


cdef inline void learn_correction(Worker* w, const Frame* ss, int difference, int depth) noexcept nogil:
    """Moves the corrections towards (search score − static evaluation)."""
    cdef Histories* h = w.histories
    cdef const State* st = &w.pos.st
    cdef int us = w.pos.side
    cdef int bonus = clamp_int(difference * depth // 8, -CORRECTION_LIMIT // 4, CORRECTION_LIMIT // 4)
    gravity(&h.pawn_correction[us][st.pawn_key & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    gravity(&h.nonpawn_correction[WHITE][us][st.nonpawn_keys[WHITE] & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    gravity(&h.nonpawn_correction[BLACK][us][st.nonpawn_keys[BLACK] & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    gravity(&h.cont_correction[(ss - 2).moved][(ss - 1).moved], bonus, CORRECTION_LIMIT)


cdef inline int corrected(const Worker* w, const Frame* ss, int raw) noexcept nogil:
    if not uses(w, USE_CORRECTION):
        return raw
    # Drawing near by the fifty-move rule, an advantage is worth less.
    return clamp_eval(raw * (220 - w.pos.st.rule50) // 220 + correction_of(w, ss))
