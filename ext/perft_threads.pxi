# Perft by threads: the subtrees two plies below the root are handed out in batches.

from cpython.exc cimport PyErr_CheckSignals

cdef enum:
    PERFT_BATCH = 64            # subtrees a thread takes at a time, at most
    PERFT_BATCHES = 40          # a thread takes about this many of them, so that all end together
    MAX_PERFT_THREADS = 256
    MAX_PERFT_DEPTH = 60


cdef int check_perft(int depth, int threads) except -1:
    if not 0 <= depth <= MAX_PERFT_DEPTH:
        raise ValueError(f"perft depth must be between 0 and {MAX_PERFT_DEPTH}, got {depth}")
    if not 1 <= threads <= MAX_PERFT_THREADS:
        raise ValueError(f"threads must be between 1 and {MAX_PERFT_THREADS}, got {threads}")
    return 0


cdef int copy_for_perft(Position* copy, const Position* pos, int depth) except -1:
    """A copy without history and with a stack of its own, which the caller frees."""
    copy[0] = pos[0]
    copy.depth = 0
    copy.stack = <State*>malloc((depth + 2) * sizeof(State))
    if copy.stack == NULL:
        raise MemoryError
    return 0


cdef int list_pairs(Position* pos, Move16* pairs) noexcept nogil:
    """Writes every move with each of its replies; returns how many there are."""
    cdef Move16 moves[MAX_MOVES]
    cdef Move16 replies[MAX_MOVES]
    cdef Masks masks = masks_of(pos)
    cdef int i, j, reply_count, count = generate_all(pos, &masks, moves)
    cdef int written = 0
    for i in range(count):
        make(pos, moves[i])
        masks = masks_of(pos)
        reply_count = generate_all(pos, &masks, replies)
        for j in range(reply_count):
            pairs[2 * written] = moves[i]
            pairs[2 * written + 1] = replies[j]
            written += 1
        unmake(pos)
    return written


cdef class _PerftJob:
    """One count, shared by its threads."""
    cdef Position root
    cdef Move16* pairs          # a move and its reply for each subtree
    cdef int count
    cdef int batch              # subtrees a thread takes at a time
    cdef int taken              # subtrees handed out, counted up by all threads
    cdef int plies              # of each subtree
    cdef bint listed
    cdef list counts
    cdef list failures

    def __dealloc__(self):
        free(self.pairs)
        free(self.root.stack)

    cdef u64 count_batch(self, Position* pos, bint* more) noexcept nogil:
        """Counts the next batch of subtrees that no thread has taken; `more` says whether there was one."""
        cdef int at = atomic_fetch_add(&self.taken, self.batch)
        cdef int end = min_int(at + self.batch, self.count)
        cdef u64 total = 0
        more[0] = at < self.count
        while at < end:
            make(pos, self.pairs[2 * at])
            make(pos, self.pairs[2 * at + 1])
            total += perft(pos, self.plies, self.listed)
            unmake(pos)
            unmake(pos)
            at += 1
        return total

    def _run_helper(self):
        cdef Position pos
        cdef u64 total = 0
        cdef bint more = True
        try:
            copy_for_perft(&pos, &self.root, self.plies + 2)
            with nogil:
                while more:
                    total += self.count_batch(&pos, &more)
                free(pos.stack)
            self.counts.append(total)
        except BaseException as error:      # out of memory: stop all threads and tell the caller
            atomic_store(&self.taken, self.count)
            self.failures.append(error)


cdef u64 perft_threaded(const Position* pos, int depth, int threads, bint listed) except? 0:
    """Leaves `depth` plies below, at least 2. Ctrl-C is noticed between two batches."""
    import threading
    cdef _PerftJob job = _PerftJob.__new__(_PerftJob)
    cdef u64 total = 0
    cdef bint more = True
    copy_for_perft(&job.root, pos, depth)
    job.pairs = <Move16*>malloc(2 * MAX_MOVES * MAX_MOVES * sizeof(Move16))
    if job.pairs == NULL:
        raise MemoryError
    job.count = list_pairs(&job.root, job.pairs)
    job.batch = clamp_int(job.count // (threads * PERFT_BATCHES), 1, PERFT_BATCH)
    job.plies = depth - 2
    job.listed = listed
    job.counts = []
    job.failures = []
    helpers = [threading.Thread(target=job._run_helper) for _ in range(threads - 1)]
    try:
        for helper in helpers:
            helper.start()
        while more:
            with nogil:
                total += job.count_batch(&job.root, &more)
            PyErr_CheckSignals()
    finally:
        atomic_store(&job.taken, job.count)     # after Ctrl-C no thread takes another batch
        for helper in helpers:
            if helper.ident is not None:
                helper.join()
    if job.failures:
        raise job.failures[0]
    return total + sum(job.counts)
