# Worker: the data of one search thread, and the data the threads of a search share.

cdef enum:
    STACK_BEFORE = 6            # frames before the root, so that looking back needs no test
    GAME_STATES = 2048          # states of the game kept below those of the search
    PIECE_TO = 768              # 12 coloured pieces × 64 squares
    PAWN_HISTORY_SIZE = 512     # pawn structures told apart, a power of two
    CORRECTION_SIZE = 16384     # a power of two

# What a thread learns about moves and evaluations during its searches (history.pxi).
ctypedef struct Histories:
    i16 quiet[2][2][2][4096]                # colour, from threatened, to threatened, from-to
    i16 capture[PIECE_TO][8]                # piece-to, captured type
    i16 pawn[PAWN_HISTORY_SIZE][PIECE_TO]   # pawn structure, piece-to
    i16 cont[PIECE_TO + 1][PIECE_TO]        # earlier piece-to (the last row: none), piece-to
    i16 pawn_correction[2][CORRECTION_SIZE]         # side to move
    i16 nonpawn_correction[2][2][CORRECTION_SIZE]   # colour of the pieces, side to move
    i16 cont_correction[PIECE_TO + 1][PIECE_TO + 1]  # the move before last, the last move

ctypedef struct Frame:
    int ply
    int static_eval             # corrected; NO_SCORE in check
    Move16 move                 # being searched at this ply
    Move16 excluded             # by a singular search
    Move16 killers[2]
    int moved                   # piece-to of `move`, PIECE_TO for none
    bint in_check               # set by the parent when it makes the move
    bint was_pv
    int reduction               # of the child being searched, 1/1024 ply
    int cutoffs                 # fail-highs among the children
    u64 threats                 # squares the other side attacks
    int exit_reason             # how the node ended, for the recorder (recorder.pxi)

ctypedef struct RootMove:
    Move16 move
    int rank                    # by endgame tables, 0 without them (tables_search.pxi)
    int table_score             # what they say of it
    int score                   # of this iteration, -INFINITE if it did not beat alpha
    int previous                # of the last iteration
    int average                 # running mean over iterations
    int seldepth
    int bound
    u64 nodes                   # searched below this move
    int pv_length
    Move16 pv[MAX_PLY]

# Called by the main thread: after each iteration, and in long searches before each root move and when the score is
# outside the window.
ctypedef void (*Report)(void* owner) noexcept nogil

# Shared by the threads of one search; written by the main thread and from outside.
ctypedef struct Shared:
    Table table
    int stop                    # the search is ending; read at every node
    int stop_requested          # set from outside; obeyed once the first iteration is done
    int pondering               # the clock does not run
    int first_done              # the main thread has finished its first iteration: there is a move
    int main_done               # the main thread has no depth left
    int thread_count
    Params params               # of this search; not used while they are the defaults
    LmrTable lmr_table[2]       # those of `params`
    u64 start_us                # on the clock of now_us
    u64 hard_us                 # time to stop at, 0 for none
    u64 node_limit              # 0 for none
    u64 soft_nodes              # stop between iterations, 0 for none
    int depth_limit
    int mate_limit              # stop on a mate in this many moves, 0 for none
    int multipv
    bint restricted             # not all legal moves are root moves, so the root's score is not the position's
    Report report               # NULL without a listener
    Report report_move          # the same
    Report report_bound         # the same
    const TableSet* tables      # endgame tables, read only if one of the next two is not 0
    int table_pieces            # nodes with up to this many pieces are probed, 0 for none, …
    int table_depth             # … and those with this many only from this depth on
    int root_known              # what tables know of the root moves, ROOT_…
    bint fifty_move_rule        # tables take it into account
    int root_number             # of the root move the main thread is at, from 1
    void* owner                 # what `report` is called with
    void* workers               # Worker*[thread_count]

ctypedef struct Worker:
    Position pos
    Shared* shared
    int id
    u64 nodes
    u64 table_hits              # probes of endgame tables that were answered
    u64 node_limit              # exact, with one thread only
    u64 next_check              # the node count at which to look at the limits (limits.pxi)
    int check_interval          # nodes between two looks
    u64 checked_us              # when the last look was
    bint is_clear               # no search has used what it learns since it was cleared
    int is_running              # a helper thread is at work with this
    ThreadLock finished         # held while it is
    int seldepth
    int root_depth
    int completed_depth
    bint decided                # the last iteration's score is beyond DECIDED_SCORE
    int null_floor              # no null move above this ply (verification search)
    int multi_index             # which line is being searched
    int root_count
    int root_end                # of the root moves that this line is chosen from
    RootMove* root_moves
    RootMove* completed         # the lines of the last finished iteration
    Histories* histories
    PawnEntry* pawn_cache
    State* states
    Recorder* recorder          # NULL unless the tree is recorded
    Frame frames[MAX_PLY + STACK_BEFORE + 10]
    Accumulators accumulators
    int pv_lengths[MAX_PLY + 2]
    Move16 pv[MAX_PLY + 2][MAX_PLY + 2]


cdef inline size_t worker_part(size_t bytes) noexcept nogil:
    """The room of a part of a worker's memory: whole cache lines."""
    return round_up(bytes, 64)


cdef size_t worker_bytes() noexcept nogil:
    return (worker_part(sizeof(Worker)) + 2 * worker_part(MAX_MOVES * sizeof(RootMove)) + worker_part(sizeof(Histories))
            + worker_part(PAWN_CACHE_SIZE * sizeof(PawnEntry))
            + worker_part((GAME_STATES + MAX_PLY + 16) * sizeof(State)))


cdef Worker* new_worker(Shared* shared, int index, const Network* net) noexcept nogil:
    """A worker with all that belongs to it in one block of pages; NULL if there is no memory. Nothing of it is
    touched before it is needed."""
    cdef u8* at = <u8*>alloc_pages(worker_bytes(), False)
    cdef Worker* w = <Worker*>at
    if w == NULL:
        return NULL
    w.shared = shared
    w.id = index
    w.is_clear = True
    at += worker_part(sizeof(Worker))
    w.root_moves = <RootMove*>at
    at += worker_part(MAX_MOVES * sizeof(RootMove))
    w.completed = <RootMove*>at
    at += worker_part(MAX_MOVES * sizeof(RootMove))
    w.histories = <Histories*>at
    at += worker_part(sizeof(Histories))
    w.pawn_cache = <PawnEntry*>at
    at += worker_part(PAWN_CACHE_SIZE * sizeof(PawnEntry))
    w.states = <State*>at
    w.finished = new_lock()
    if w.finished == NULL or not attach_network(&w.accumulators, net):
        free_worker(w)
        return NULL
    return w


cdef void free_worker(Worker* w) noexcept nogil:
    if w != NULL:
        attach_network(&w.accumulators, NULL)
        free_lock(w.finished)
        free_recorder(w.recorder)
        free_pages(w, worker_bytes())


cdef void clear_worker(Worker* w) noexcept nogil:
    """Clears all that earlier searches learned."""
    if not w.is_clear:
        memset(w.histories, 0, sizeof(Histories))
        memset(w.pawn_cache, 0, PAWN_CACHE_SIZE * sizeof(PawnEntry))
        w.is_clear = True


cdef void set_worker_position(Worker* w, const Position* pos) noexcept nogil:
    """Copies a position with as much of its history as can matter."""
    cdef int kept = min_int(pos.depth, GAME_STATES)
    w.pos = pos[0]
    w.pos.stack = w.states
    w.pos.depth = kept
    memcpy(w.states, pos.stack + (pos.depth - kept), kept * sizeof(State))
