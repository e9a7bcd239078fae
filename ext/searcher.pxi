# Searcher: the search for Python. It takes limits, releases the GIL, and calls its listener after each iteration of
# the main thread.

cimport cython

cdef enum:
    MIB = 1024 * 1024
    MAX_HASH_MIB = 1 << 25
    MAX_THREADS = 1024
    MAX_RECORDS = 1 << 24           # nodes of a recorded tree
    MAX_HARD_MS = 1_000_000_000     # longer limits are cut to this, so that sums of microseconds stay small


cdef void report_iteration(void* owner) noexcept nogil:
    with gil:
        (<Searcher>owner).iteration_done()


cdef void report_bound_found(void* owner) noexcept nogil:
    with gil:
        (<Searcher>owner).bound_found()


cdef void report_root_move(void* owner) noexcept nogil:
    with gil:
        (<Searcher>owner).root_move_started()


@cython.no_gc_clear     # a helper thread of the last search may still use the net and the tables
cdef class Searcher:
    """A search with its table and threads. One `go` at a time; `stop` from any thread."""
    cdef Shared shared
    cdef Worker** workers
    cdef int worker_count
    cdef bint running
    cdef int process                # that ran the last search: after a fork its helper threads are not here
    cdef object listener            # called after each iteration, or None
    cdef object move_listener       # called before each root move of a long search, or None
    cdef object miss_listener       # called in a long search when the score left the window, or None
    cdef object failure             # exception raised by a listener
    cdef Board root
    cdef Net net                    # None for the classical evaluation
    cdef EndgameTables tables       # None without tables
    cdef int table_limit            # pieces of the largest positions that are probed, …
    cdef int table_depth            # … from this depth on
    cdef bint fifty_move_rule       # whether tables take it into account

    def __cinit__(self, *args, **kwargs):
        self.workers = NULL
        Searcher.set_hash(self, 1)      # so that an object made without __init__ is whole, only small
        Searcher.set_threads(self, 1)

    def __init__(self, int hash_mib=16, int threads=1):
        self.set_hash(hash_mib)
        self.set_threads(threads)

    def __dealloc__(self):
        cdef int i
        self.await_helpers()
        for i in range(self.worker_count):
            free_worker(self.workers[i])
        free(self.workers)
        free_pages(self.shared.table.memory, self.shared.table.bytes)

    cdef int check_idle(self) except -1:
        if self.running:
            raise RuntimeError("a search is running; stop it first")
        self.await_helpers()
        if self.running:        # meanwhile
            raise RuntimeError("a search is running; stop it first")
        return 0

    cdef void await_helpers(self) noexcept:
        """Waits for helper threads that the last answer has not waited for."""
        cdef int i
        if self.workers == NULL:
            return
        if self.process != process_id():
            for i in range(1, self.worker_count):
                if atomic_load(&self.workers[i].is_running):
                    atomic_store(&self.workers[i].is_running, 0)
                    release_lock(self.workers[i].finished)
            self.process = process_id()
        if self.worker_count > 1:
            with nogil:
                wait_for_helpers(self.workers, self.worker_count, -1)

    def set_hash(self, int mib):
        """Gives the table this many MiB, empty. If there is no memory for it, the old table stays.

        The memory is taken when it is first used, or by `touch`.
        """
        self.check_idle()
        if not 1 <= mib <= MAX_HASH_MIB:
            raise ValueError(f"hash_mib must be between 1 and {MAX_HASH_MIB}, got {mib}")
        if not table_resize(&self.shared.table, <size_t>mib * MIB):
            raise MemoryError(f"cannot allocate {mib} MiB for the hash table")

    def touch(self, int threads=1):
        """Has the system give the whole table its memory now, with `threads` threads: the first use of a page takes a
        thousand times as long as the next ones. Does nothing if that has been done."""
        self.check_idle()
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"threads must be between 1 and {MAX_THREADS}, got {threads}")
        if not self.shared.table.is_touched:
            for i in range(self._run_in_threads(self._touch_part, threads), threads):
                self._touch_part(i, threads)
            self.shared.table.is_touched = True

    def _touch_part(self, int part, int parts):
        if 0 <= part < parts:
            with nogil:
                table_touch(&self.shared.table, part, parts)

    def set_threads(self, int count):
        """Sets the number of search threads; those that stay keep their histories."""
        cdef Worker** grown
        cdef int i
        self.check_idle()
        if not 1 <= count <= MAX_THREADS:
            raise ValueError(f"threads must be between 1 and {MAX_THREADS}, got {count}")
        grown = <Worker**>calloc(count, sizeof(Worker*))
        if grown == NULL:
            raise MemoryError
        for i in range(min(count, self.worker_count)):
            grown[i] = self.workers[i]
        for i in range(self.worker_count, count):
            grown[i] = new_worker(&self.shared, i, NULL if self.net is None else &self.net.network)
            if grown[i] == NULL:
                for i in range(self.worker_count, count):
                    free_worker(grown[i])
                free(grown)
                raise MemoryError(f"cannot allocate memory for {count} threads")
        for i in range(count, self.worker_count):
            free_worker(self.workers[i])
        free(self.workers)
        self.workers = grown
        self.worker_count = count
        self.shared.workers = grown
        self.shared.thread_count = count

    def set_net(self, Net net):
        """Sets the net to evaluate with, None for the classical evaluation. Clears the table."""
        cdef const Network* network = NULL if net is None else &net.network
        cdef const Network* before = NULL if self.net is None else &self.net.network
        cdef int i
        self.check_idle()
        for i in range(self.worker_count):
            if not attach_network(&self.workers[i].accumulators, network):
                while i > 0:
                    i -= 1
                    attach_network(&self.workers[i].accumulators, before)
                raise MemoryError("cannot allocate memory for the net")
        self.net = net
        self.clear()

    def set_tables(self, EndgameTables tables, *, int limit=TABLE_PIECES, int depth=1, bint fifty_move_rule=True):
        """Sets the endgame tables to use, None for none. Positions with up to `limit` pieces are probed, those with as
        many only from a search depth of `depth` on. Without the fifty-move rule, cursed wins are wins. Clears the hash
        table if the tables are others than before, or mean something else."""
        self.check_idle()
        if not 0 <= limit <= TABLE_PIECES:
            raise ValueError(f"limit must be between 0 and {TABLE_PIECES}, got {limit}")
        if not 1 <= depth <= 100:
            raise ValueError(f"depth must be between 1 and 100, got {depth}")
        if tables is not self.tables or fifty_move_rule != self.fifty_move_rule:
            self.clear()
        self.tables = tables
        self.table_limit = limit
        self.table_depth = depth
        self.fifty_move_rule = fifty_move_rule

    def clear(self):
        """Empties the table and the histories. Takes no longer for a large table than for a small one."""
        cdef int i
        self.check_idle()
        table_clear(&self.shared.table)
        for i in range(self.worker_count):
            clear_worker(self.workers[i])

    def _run_in_threads(self, work, int count):
        """Runs `work(index, count)` in `count` threads, index 0 in the calling one; returns how many ran, which is
        fewer than asked for if the system refuses to start more."""
        cdef int i
        if count == 1:
            work(0, 1)
            return 1
        import threading
        helpers = []
        try:
            for i in range(1, count):
                helper = threading.Thread(target=work, args=(i, count), daemon=True)
                try:
                    helper.start()
                except RuntimeError:
                    break
                helpers.append(helper)
            work(0, count)
        finally:
            for helper in helpers:
                helper.join()
        return len(helpers) + 1

    def go(self, Board board not None, *, int depth=0, u64 nodes=0, u64 soft_nodes=0, int mate=0,
           double hard_ms=0, int multipv=1, searchmoves=None, bint ponder=False, u64 features=USE_ALL,
           listener=None, move_listener=None, miss_listener=None):
        """Searches until a limit or `stop`, and returns the lines found, best first.

        `depth` plies, `nodes` (exact with one thread), `soft_nodes` and `hard_ms` are limits, 0 for
        none. After each iteration `listener(self, lines)` is called with the same kind of lines; if it
        returns True the search ends. When a search has lasted three seconds, `move_listener(self, text,
        number)` hears of each root move before it is searched, and, with one line, `miss_listener(self,
        lines)` of scores that left the window and are bounds for the moment. A line is a `SearchLine`; the list is
        empty if there is no legal move.
        """
        cdef Worker* w
        cdef Worker* main = self.workers[0]
        cdef Move16 moves[MAX_MOVES]
        cdef Masks masks
        cdef SearchLimits limits
        cdef int count, i, kept
        cdef bint restricted = False
        self.check_idle()
        if depth < 0 or mate < 0 or multipv < 1 or hard_ms < 0:
            raise ValueError(f"depth, mate and hard_ms must be at least 0 and multipv at least 1, "
                             f"got {depth}, {mate}, {hard_ms} and {multipv}")
        board = board.snapshot()        # a copy: the caller's may change meanwhile
        if searchmoves is not None:
            words = [board.to_word(move) for move in searchmoves]
        masks = masks_of(&board.pos)
        count = generate_all(&board.pos, &masks, moves)
        if searchmoves is not None:
            kept = 0
            for i in range(count):
                if moves[i] in words:
                    moves[kept] = moves[i]
                    kept += 1
            restricted = kept < count
            count = kept
        if count == 0:
            return []
        self.root = board
        self.listener = listener
        self.move_listener = move_listener
        self.miss_listener = miss_listener
        self.failure = None
        limits.depth = depth
        limits.mate = mate
        limits.nodes = nodes
        limits.soft_nodes = soft_nodes
        limits.hard_ms = min(hard_ms, <double>MAX_HARD_MS)
        begin_search(&self.shared, &limits, features)
        self.shared.multipv = multipv
        self.shared.restricted = restricted
        self.shared.pondering = ponder
        self.shared.owner = <void*>self
        if listener is not None:
            self.shared.report = report_iteration
        if move_listener is not None:
            self.shared.report_move = report_root_move
        if miss_listener is not None:
            self.shared.report_bound = report_bound_found
        for i in range(self.worker_count):
            w = self.workers[i]
            set_worker_position(w, &board.pos)
            begin_worker(w, nodes if nodes and self.worker_count == 1 else <u64>-1)
            set_root_moves(w, moves, count)
        if self.tables is not None and self.table_limit and not mate:   # a table result would hide mates
            with nogil:
                use_tables(main, &self.tables.ts, self.table_limit, self.table_depth, self.fifty_move_rule)
            for i in range(1, self.worker_count):
                memcpy(self.workers[i].root_moves, main.root_moves, count * sizeof(RootMove))
        if main.recorder != NULL:
            restart_recorder(main.recorder)
        self.running = True
        self.process = process_id()
        with nogil:
            start_helpers(self.workers, self.worker_count)
            iterate(main)
            atomic_store(&self.shared.stop, 1)
            wait_for_helpers(self.workers, self.worker_count, VOTE_WAIT_US if hard_ms > 0 else -1)
        self.running = False
        self.listener = self.move_listener = self.miss_listener = None
        if self.failure is not None:
            raise self.failure
        return self.lines_of(main if depth or mate or multipv > 1 else best_thread(&self.shared))

    cdef void iteration_done(self) noexcept:
        """Calls the listener; an exception ends the search and is raised by `go`."""
        try:
            if self.listener(self, self.lines_of(self.workers[0])):
                atomic_store(&self.shared.stop, 1)
        except BaseException as error:
            self.failure = error
            atomic_store(&self.shared.stop, 1)

    cdef void bound_found(self) noexcept:
        """Calls the listener for bounds; an exception ends the search too."""
        try:
            self.miss_listener(self, self.lines_of(self.workers[0]))
        except BaseException as error:
            self.failure = error
            atomic_store(&self.shared.stop, 1)

    cdef void root_move_started(self) noexcept:
        """Calls the listener for root moves; an exception ends the search too."""
        cdef Worker* w = self.workers[0]
        cdef Move16 m = w.root_moves[self.shared.root_number - 1].move
        try:
            self.move_listener(self, move_text(&self.root.pos, m), self.shared.root_number)
        except BaseException as error:
            self.failure = error
            atomic_store(&self.shared.stop, 1)

    cdef list lines_of(self, const Worker* w):
        return search_lines(self.root, w, self.shared.multipv)

    def stop(self):
        """Ends the search; can be called from any thread."""
        atomic_store(&self.shared.stop_requested, 1)

    def ponderhit(self, double hard_ms=0):
        """The pondered move was played: the clock runs from now on."""
        start_clock(&self.shared, min(hard_ms, <double>MAX_HARD_MS))
        atomic_store(&self.shared.pondering, 0)

    @property
    def nodes(self):
        """Nodes searched by all threads in this search, or in the last one."""
        return total_nodes(&self.shared)

    @property
    def table_hits(self):
        """Probes of endgame tables that were answered, by all threads in this search, or in the last one."""
        return total_table_hits(&self.shared)

    @property
    def hashfull(self):
        """How full the table is with entries of this search, per mille."""
        return hash_per_mille(&self.shared.table)

    @property
    def hash_mib(self):
        return (self.shared.table.bytes - HUGE_PAGE) // MIB

    @property
    def threads(self):
        return self.worker_count

    def best_move_share(self):
        """The share of the main thread's nodes spent on its best move, 0 to 1."""
        cdef Worker* w = self.workers[0]
        return w.root_moves[0].nodes / <double>max(w.nodes, <u64>1)

    def record(self, int plies, int capacity=100_000):
        """Makes later searches record the main thread's nodes up to a ply; -1 ends it."""
        cdef Recorder* recorder = NULL
        self.check_idle()
        if not -1 <= plies < MAX_PLY:
            raise ValueError(f"recorded plies must be between 0 and {MAX_PLY - 1}, got {plies}")
        if not 1 <= capacity <= MAX_RECORDS:
            raise ValueError(f"capacity must be between 1 and {MAX_RECORDS}, got {capacity}")
        if plies >= 0:
            recorder = new_recorder(plies, capacity)
            if recorder == NULL:
                raise MemoryError(f"cannot allocate memory for {capacity} records")
        free_recorder(self.workers[0].recorder)
        self.workers[0].recorder = recorder

    def recorded(self):
        """The nodes of the last finished iteration, parents first, in the order they were searched.

        Returns a list of `NodeRecord`s, and how many nodes were left out for want of room.
        """
        cdef const Recorder* r = self.workers[0].recorder
        self.check_idle()
        if r == NULL:
            return [], 0
        return node_records(r), r.kept_dropped if r.stopped else r.dropped

    def evaluate(self, Board board not None):
        """The static evaluation in centipawns, from the side to move; meaningless in check."""
        self.check_idle()
        set_worker_position(self.workers[0], &board.pos)
        reset_accumulators(&self.workers[0].accumulators)
        return evaluate(self.workers[0])
