# Recorder: records the top of the search tree as it is searched, for `cythera explain` and the web page.
#
# A search without a recorder pays for one test of a pointer per node, and for a store where a node ends early. The
# search reads nothing of it, so the tree is the same with and without it. It keeps one whole iteration: the last that
# was finished.

cdef enum:
    NO_RECORD = -1
    NODE_PV = 0                 # an open window
    NODE_CUT = 1                # a null window that some move is expected to beat
    NODE_ALL = 2                # a null window that no move is expected to beat

ctypedef struct Record:
    u64 nodes                   # searched below it
    i32 parent                  # an earlier record, or NO_RECORD
    i32 alpha
    i32 beta
    i32 depth                   # requested
    i32 score
    u16 ply
    u16 iteration               # the depth of the root
    Move16 move                 # that led here
    Move16 excluded             # left out by a singular search
    u8 node_type                # NODE_…
    u8 exit_reason              # EXIT_…
    u8 line                     # which line of several, from 0
    u8 unused

ctypedef struct Recorder:
    int plies                   # nodes up to this ply are recorded
    int capacity
    int count                   # of `records`
    int kept_count              # of `kept`
    int dropped                 # nodes that did not fit into `records`
    int kept_dropped
    int current                 # the record that is open, or NO_RECORD
    int iteration
    bint stopped                # the present iteration was stopped
    Record* records             # of the present iteration
    Record* kept                # of the one before


cdef Recorder* new_recorder(int plies, int capacity) noexcept nogil:
    cdef Recorder* r = <Recorder*>calloc(1, sizeof(Recorder))
    if r == NULL:
        return NULL
    r.plies = plies
    r.capacity = capacity
    r.records = <Record*>malloc(capacity * sizeof(Record))
    r.kept = <Record*>malloc(capacity * sizeof(Record))
    if r.records == NULL or r.kept == NULL:
        free_recorder(r)
        return NULL
    restart_recorder(r)
    return r


cdef void free_recorder(Recorder* r) noexcept nogil:
    if r != NULL:
        free(r.records)
        free(r.kept)
        free(r)


cdef void restart_recorder(Recorder* r) noexcept nogil:
    """Empties the recorder for a new search."""
    r.count = r.kept_count = r.dropped = r.kept_dropped = 0
    r.current = NO_RECORD
    r.iteration = 0
    r.stopped = False


cdef int begin_record(
    Recorder* r, int ply, int iteration, int line, int node_type, Move16 move, Move16 excluded,
    int alpha, int beta, int depth, u64 nodes
) noexcept nogil:
    """Opens the record of a node; returns its index, or NO_RECORD if the node is not recorded."""
    cdef Record* record
    if ply > r.plies:
        return NO_RECORD
    if ply == 0 and r.current == NO_RECORD and iteration != r.iteration:
        r.records, r.kept = r.kept, r.records
        r.kept_count = r.count
        r.kept_dropped = r.dropped
        r.count = r.dropped = 0
        r.iteration = iteration
    if r.count == r.capacity:
        r.dropped += 1
        return NO_RECORD
    record = &r.records[r.count]
    record.nodes = nodes
    record.parent = r.current
    record.alpha = alpha
    record.beta = beta
    record.depth = depth
    record.score = 0
    record.ply = <u16>ply
    record.iteration = <u16>iteration
    record.move = move
    record.excluded = excluded
    record.node_type = <u8>node_type
    record.exit_reason = EXIT_MOVES
    record.line = <u8>min_int(line, 255)
    r.current = r.count
    r.count += 1
    return r.current


cdef void end_record(Recorder* r, int index, int score, int exit_reason, u64 nodes, bint stopped) noexcept nogil:
    cdef Record* record = &r.records[index]
    record.nodes = nodes - record.nodes
    record.score = score
    record.exit_reason = <u8>(EXIT_QUIESCENCE if record.depth <= 0 else exit_reason)
    r.stopped = r.stopped or stopped
    r.current = record.parent
