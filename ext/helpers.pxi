# Helpers: the threads of a search besides its main thread. They know no Python and take no GIL, so that neither their
# start nor their end waits for a thread that has it.

cdef enum:
    VOTE_WAIT_US = 2_000        # how long the answer waits for helper threads when a clock runs


cdef void run_helper(void* data) noexcept nogil:
    cdef Worker* w = <Worker*>data
    iterate(w)
    atomic_store(&w.is_running, 0)
    release_lock(w.finished)


cdef int start_helpers(Worker** workers, int count) noexcept nogil:
    """Starts the threads of all workers but the first; returns how many threads there are with the main thread, which
    are fewer than asked for if the system refuses to start more. None of them may be running."""
    cdef int i
    for i in range(1, count):
        acquire_lock(workers[i].finished, 1)
        atomic_store(&workers[i].is_running, 1)
        if not start_thread(run_helper, workers[i]):
            atomic_store(&workers[i].is_running, 0)
            release_lock(workers[i].finished)
            return i
    return count


cdef void wait_for_helpers(Worker** workers, int count, i64 us) noexcept nogil:
    """Waits for the end of all helper threads, for `us` microseconds at most, or without limit if that is negative.
    Those still running then wait for a processor: on a loaded machine, they see the stop milliseconds later."""
    cdef u64 begin = now_us()
    cdef i64 left = us
    cdef int i
    for i in range(1, count):
        if us >= 0:
            left = us - <i64>(now_us() - begin)
            if left < 0:
                left = 0
        wait_for_lock(workers[i].finished, left)
