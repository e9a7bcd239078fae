# Network: the neural evaluation, (768 → N)×2 → 8 (docs/training.md). Each side looks at the board from
# its own end, and mirrored so that its king stands on the files a to d; where a net has king buckets,
# the king's square there chooses one of several tables. The first layer's sums (the
# accumulators) change by a row or two with a move, so they are kept a ply and brought up to date only
# where an evaluation is asked for.
#
# The loops over units have a constant count for the common sizes, and compilers turn them into vector code;
# rows are reached by pointers, since indices computed from ints keep gcc from doing so.

cpdef enum:                     # the sizes of a net, for Python too
    NET_INPUTS = 768            # by colour, type and square of a piece
    NET_BUCKETS = 8             # outputs, by the number of pieces
    NET_BLOCK = 32              # hidden units come in multiples of this
    NET_LARGEST = 1024          # hidden units at most
    NET_KING_BUCKETS = 8        # at most
    NET_QA = 255                # 1.0 in the accumulators
    NET_QB = 64                 # 1.0 in the output weights
    NET_SCALE_LEAST = 50        # centipawns of an output of 1.0
    NET_SCALE_LARGEST = 1000

cdef enum:
    NET_TILE = 256              # lanes that the instances of common sizes handle in one go
    MAX_NET_PIECES = 32
    ENDGAME_PIECES = 8          # with more of them on the board, kings included, the net is believed as it is

ctypedef struct Network:
    int hidden                  # units per side
    int scale                   # centipawns of an output of 1.0
    int king_buckets
    u8 views[64]                # by the own king's square, seen from the own end: mirrored, and its bucket << 1
    i16* features               # [king_buckets][NET_INPUTS][hidden]
    i16* biases                 # [hidden]
    i16* outputs                # [NET_BUCKETS][2][hidden]: the side to move's, then the other's
    i32 output_biases[NET_BUCKETS]

# What a move changed on the board, so that an accumulator can follow later.
ctypedef struct Change:
    u8 added                    # how many pieces came, and went
    u8 removed
    u8 added_pc[2]
    u8 added_sq[2]
    u8 removed_pc[2]
    u8 removed_sq[2]
    u8 crossed                  # bit by colour: its king changed wing or bucket, so all its inputs are others
    bint ready[2]               # the accumulator of this ply is up to date, by colour

# An accumulator from earlier with the board it belongs to. Starting from it, a king that crosses costs
# what has changed since it last stood on that wing and in that bucket, not the whole board.
ctypedef struct RefreshEntry:
    u64 pieces[2][6]
    i16* values

# The functions of a net's size: its width is a constant in them, and they are chosen when a net is attached.
cdef struct Accumulators
ctypedef void (*UpdateFunction)(Accumulators* acc, const Position* pos) noexcept nogil
ctypedef int (*NeuralFunction)(Accumulators* acc, const Position* pos) noexcept nogil

# All that a search thread has of the net.
cdef struct Accumulators:
    const Network* net          # NULL: the classical evaluation is used
    UpdateFunction update       # brings both accumulators up to date
    NeuralFunction evaluate
    int top                     # ply of `changes` the position stands at
    i16* values                 # [plies][2][hidden]
    void* memory
    size_t bytes                # of `memory`
    RefreshEntry refresh_cache[2][2 * NET_KING_BUCKETS]      # by colour and view
    Change changes[MAX_PLY + 8]


cdef inline int view_of(const Network* net, int ksq, int side) noexcept nogil:
    """How a side with its king there sees the board: 1 if mirrored, plus twice the bucket of its king."""
    return net.views[ksq ^ (56 if side == BLACK else 0)]


cdef inline int feature_of(int pc, int sq, int side, int view) noexcept nogil:
    """The input that is 1 for a piece on a square, as `side` sees it."""
    return (NET_INPUTS * (view >> 1) + 384 * (colour_of(pc) != side) + 64 * type_of(pc)
            + (sq ^ (56 if side == BLACK else 0) ^ 7 * (view & 1)))


cdef inline i16* row_of(const Network* net, int feature, const int units) noexcept nogil:
    return net.features + <size_t>feature * <size_t>units


# The loops over rows of weights and the sums of two plies. `units` and `block` are compile-time constants in the
# instances for common sizes. The inner loops have no remainder, and with 256 lanes they are unrolled: 16 vectors.

cdef inline void row_add(Shorts to, ConstShorts row, const int units, const int block) noexcept nogil:
    cdef int at, i
    for at in range(units // block):
        for i in range(block):
            to[i] = <i16>(to[i] + row[i])
        to += block
        row += block


cdef inline void row_sub(Shorts to, ConstShorts row, const int units, const int block) noexcept nogil:
    cdef int at, i
    for at in range(units // block):
        for i in range(block):
            to[i] = <i16>(to[i] - row[i])
        to += block
        row += block


cdef inline void row_exchange(
    Shorts to, ConstShorts plus, ConstShorts minus, const int units, const int block
) noexcept nogil:
    """One row added and one subtracted in place."""
    cdef int at, i
    for at in range(units // block):
        for i in range(block):
            to[i] = <i16>(to[i] + plus[i] - minus[i])
        to += block
        plus += block
        minus += block


cdef inline void row_move(
    Shorts to, ConstShorts start, ConstShorts plus, ConstShorts minus, const int units, const int block
) noexcept nogil:
    """One piece moved: its row on the new square is added, that on the old one subtracted."""
    cdef int at, i
    for at in range(units // block):
        for i in range(block):
            to[i] = <i16>(start[i] + plus[i] - minus[i])
        to += block
        start += block
        plus += block
        minus += block


cdef inline void row_capture(
    Shorts to, ConstShorts start, ConstShorts plus, ConstShorts minus, ConstShorts taken,
    const int units, const int block
) noexcept nogil:
    cdef int at, i
    for at in range(units // block):
        for i in range(block):
            to[i] = <i16>(start[i] + plus[i] - minus[i] - taken[i])
        to += block
        start += block
        plus += block
        minus += block
        taken += block


cdef inline void row_castle(
    Shorts to, ConstShorts start, ConstShorts king_to, ConstShorts king_from, ConstShorts rook_to,
    ConstShorts rook_from, const int units, const int block
) noexcept nogil:
    cdef int at, i
    for at in range(units // block):
        for i in range(block):
            to[i] = <i16>(start[i] + king_to[i] - king_from[i] + rook_to[i] - rook_from[i])
        to += block
        start += block
        king_to += block
        king_from += block
        rook_to += block
        rook_from += block


cdef inline i32 row_output(ConstShorts values, ConstShorts weights, const int units, const int block) noexcept nogil:
    """The sum of v * v * w over clipped v. |w| is at most 127 and v 255, so v * w fits 16 bits, and the
    compiler finds the multiply-add of 16-bit pairs. The sum of a block stays in a vector until its end, so
    blocks should be large."""
    cdef i32 sum = 0
    cdef i16 v, t
    cdef int at, i
    for at in range(units // block):
        for i in range(block):
            v = values[i]
            v = v if v > 0 else <i16>0
            v = v if v < NET_QA else <i16>NET_QA
            t = <i16>(v * weights[i])
            sum += <i32>v * <i32>t
        values += block
        weights += block
    return sum


cdef bint attach_network(Accumulators* acc, const Network* net) noexcept nogil:
    """Gives a thread a net, or takes it away (NULL); False if there is no memory, and nothing has changed."""
    cdef size_t hidden = 0 if net == NULL else <size_t>net.hidden
    cdef int views = 0 if net == NULL else 2 * net.king_buckets
    cdef size_t count = (2 * (MAX_PLY + 8) + 2 * <size_t>views) * hidden
    cdef void* memory = NULL
    cdef i16* at
    cdef int side, view
    if net != NULL:
        memory = alloc_pages(count * sizeof(i16) + 64, False)
        if memory == NULL:
            return False
    free_pages(acc.memory, acc.bytes)
    acc.memory = memory
    acc.bytes = 0 if net == NULL else count * sizeof(i16) + 64
    acc.net = net
    acc.values = NULL
    if net == NULL:
        return True
    at = <i16*>align_up(memory, 64)
    for side in range(2):
        for view in range(views):
            acc.refresh_cache[side][view].values = at
            memcpy(at, net.biases, hidden * sizeof(i16))
            memset(acc.refresh_cache[side][view].pieces, 0, sizeof(acc.refresh_cache[side][view].pieces))
            at += hidden
    acc.values = at
    choose_width(acc)
    return True


cdef inline void reset_accumulators(Accumulators* acc) noexcept nogil:
    """The position is another one: nothing is known of it."""
    acc.top = 0
    acc.changes[0].ready[WHITE] = acc.changes[0].ready[BLACK] = False
    acc.changes[0].crossed = 3


cdef inline void push_change(Accumulators* acc, const Position* pos, Move16 m) noexcept nogil:
    """Remembers what a move will change; to be called before it is made."""
    cdef Change* change
    cdef int us = pos.side
    cdef int from_sq = from_of(m)
    cdef int to_sq = to_of(m)
    cdef int flags = flags_of(m)
    cdef int pc = pos.board[from_sq]
    cdef int right, taken_sq
    acc.top += 1
    change = &acc.changes[acc.top]
    change.ready[WHITE] = change.ready[BLACK] = False
    change.crossed = 0
    change.added = change.removed = 1
    change.removed_pc[0] = <u8>pc
    change.removed_sq[0] = <u8>from_sq
    if flags == CASTLE:
        right = castle_right_of(pos, us, to_sq)
        change.added = change.removed = 2
        change.removed_pc[1] = change.added_pc[1] = <u8>make_piece(us, ROOK)
        change.removed_sq[1] = <u8>to_sq
        change.added_sq[1] = <u8>castle_rook_to(right)
        to_sq = castle_king_to(right)
    elif flags & CAPTURE:
        taken_sq = to_sq ^ 8 if flags == EN_PASSANT else to_sq
        change.removed = 2
        change.removed_pc[1] = pos.board[taken_sq]
        change.removed_sq[1] = <u8>taken_sq
    change.added_pc[0] = <u8>(make_piece(us, promoted_type(m)) if flags & PROMOTION else pc)
    change.added_sq[0] = <u8>to_sq
    if type_of(pc) == KING and view_of(acc.net, from_sq, us) != view_of(acc.net, to_sq, us):
        change.crossed = <u8>(1 << us)


cdef inline void apply_change(
    const Accumulators* acc, int ply, int side, int view, const int units, const int block
) noexcept nogil:
    """The accumulator of a ply from the one before it, in one pass."""
    cdef const Network* net = acc.net
    cdef const Change* change = &acc.changes[ply]
    cdef i16* to = acc.values + <size_t>(2 * ply + side) * <size_t>units
    cdef i16* start = to - 2 * units
    cdef i16* plus = row_of(net, feature_of(change.added_pc[0], change.added_sq[0], side, view), units)
    cdef i16* minus = row_of(net, feature_of(change.removed_pc[0], change.removed_sq[0], side, view), units)
    cdef i16* taken
    if change.removed == 1:
        row_move(to, start, plus, minus, units, block)
        return
    taken = row_of(net, feature_of(change.removed_pc[1], change.removed_sq[1], side, view), units)
    if change.added == 1:
        row_capture(to, start, plus, minus, taken, units, block)
        return
    row_castle(to, start, plus, minus,
               row_of(net, feature_of(change.added_pc[1], change.added_sq[1], side, view), units), taken, units,
               block)


cdef inline void exchange_rows(
    i16* values, i16** added, int additions, i16** removed, int removals, const int units, const int block
) noexcept nogil:
    cdef int i
    for i in range(min_int(additions, removals)):
        row_exchange(values, added[i], removed[i], units, block)
    for i in range(removals, additions):
        row_add(values, added[i], units, block)
    for i in range(additions, removals):
        row_sub(values, removed[i], units, block)


cdef void refresh_accumulator(Accumulators* acc, const Position* pos, int side, int view) noexcept nogil:
    """The accumulator of the present ply from the board, by way of the refresh cache."""
    cdef const Network* net = acc.net
    cdef RefreshEntry* known = &acc.refresh_cache[side][view]
    cdef i16* added[MAX_NET_PIECES]
    cdef i16* removed[MAX_NET_PIECES]
    cdef int units = net.hidden, additions = 0, removals = 0, colour, pt
    cdef u64 now, rest
    for colour in range(2):
        for pt in range(6):
            now = pos.pieces[pt] & pos.colours[colour]
            rest = now & ~known.pieces[colour][pt]
            while rest:
                added[additions] = row_of(net, feature_of(make_piece(colour, pt), ctz(rest), side, view), units)
                additions += 1
                rest = without_lowest(rest)
            rest = known.pieces[colour][pt] & ~now
            while rest:
                removed[removals] = row_of(net, feature_of(make_piece(colour, pt), ctz(rest), side, view), units)
                removals += 1
                rest = without_lowest(rest)
            known.pieces[colour][pt] = now
    if units % NET_TILE == 0:
        exchange_rows(known.values, added, additions, removed, removals, units, NET_TILE)
    else:
        exchange_rows(known.values, added, additions, removed, removals, units, NET_BLOCK)
    memcpy(acc.values + <size_t>(2 * acc.top + side) * <size_t>units, known.values, <size_t>units * sizeof(i16))


cdef inline void update_accumulator(
    Accumulators* acc, const Position* pos, int side, const int units, const int block
) noexcept nogil:
    """Follows the moves since the last accumulator that is ready, or refreshes it if the king crossed."""
    cdef int ply = acc.top
    cdef int view = view_of(acc.net, king_square(pos, side), side)
    while not acc.changes[ply].ready[side]:
        if acc.changes[ply].crossed >> side & 1:
            refresh_accumulator(acc, pos, side, view)
            acc.changes[acc.top].ready[side] = True
            return
        ply -= 1
    while ply < acc.top:
        ply += 1
        apply_change(acc, ply, side, view, units, block)
        acc.changes[ply].ready[side] = True


cdef inline int output_bucket(const Position* pos) noexcept nogil:
    """Which of the output layers serves this many pieces."""
    return (popcount(occupied_of(pos)) - 2) >> 2


cdef inline void update_body(Accumulators* acc, const Position* pos, const int units, const int block) noexcept nogil:
    cdef int side
    for side in range(2):
        update_accumulator(acc, pos, side, units, block)


cdef inline int neural_body(
    Accumulators* acc, const Position* pos, const int units, const int block, const int output_block
) noexcept nogil:
    cdef const Network* net = acc.net
    cdef int bucket = output_bucket(pos)
    cdef const i16* weights = net.outputs + <size_t>(2 * bucket) * <size_t>units
    cdef const i16* values
    cdef i32 sum
    update_body(acc, pos, units, block)
    values = acc.values + <size_t>(2 * acc.top) * <size_t>units
    sum = row_output(values + pos.side * units, weights, units, output_block)
    sum += row_output(values + (pos.side ^ 1) * units, weights + units, units, output_block)
    return <int>(<i64>(sum // NET_QA + net.output_biases[bucket]) * net.scale // (NET_QA * NET_QB))


# The instances: widths of nets in use as constants, and one for all others.

cdef void update_256(Accumulators* acc, const Position* pos) noexcept nogil:
    update_body(acc, pos, 256, NET_TILE)


cdef void update_512(Accumulators* acc, const Position* pos) noexcept nogil:
    update_body(acc, pos, 512, NET_TILE)


cdef void update_768(Accumulators* acc, const Position* pos) noexcept nogil:
    update_body(acc, pos, 768, NET_TILE)


cdef void update_1024(Accumulators* acc, const Position* pos) noexcept nogil:
    update_body(acc, pos, 1024, NET_TILE)


cdef void update_any(Accumulators* acc, const Position* pos) noexcept nogil:
    update_body(acc, pos, acc.net.hidden, NET_BLOCK)


cdef int neural_256(Accumulators* acc, const Position* pos) noexcept nogil:
    return neural_body(acc, pos, 256, NET_TILE, NET_TILE)


cdef int neural_512(Accumulators* acc, const Position* pos) noexcept nogil:
    return neural_body(acc, pos, 512, NET_TILE, NET_TILE)


cdef int neural_768(Accumulators* acc, const Position* pos) noexcept nogil:
    return neural_body(acc, pos, 768, NET_TILE, NET_TILE)


cdef int neural_1024(Accumulators* acc, const Position* pos) noexcept nogil:
    return neural_body(acc, pos, 1024, NET_TILE, NET_TILE)


cdef int neural_any(Accumulators* acc, const Position* pos) noexcept nogil:
    cdef int units = acc.net.hidden
    return neural_body(acc, pos, units, NET_BLOCK, units)


cdef void choose_width(Accumulators* acc) noexcept nogil:
    """The functions that suit the size of the net."""
    acc.update, acc.evaluate = update_any, neural_any
    if acc.net.hidden == 256:
        acc.update, acc.evaluate = update_256, neural_256
    elif acc.net.hidden == 512:
        acc.update, acc.evaluate = update_512, neural_512
    elif acc.net.hidden == 768:
        acc.update, acc.evaluate = update_768, neural_768
    elif acc.net.hidden == 1024:
        acc.update, acc.evaluate = update_1024, neural_1024


cdef inline void update_accumulators(Accumulators* acc, const Position* pos) noexcept nogil:
    """Brings the accumulators of both sides up to date."""
    acc.update(acc, pos)


cdef inline int neural(Accumulators* acc, const Position* pos) noexcept nogil:
    """The net's evaluation in centipawns, from the side to move."""
    return acc.evaluate(acc, pos)


cdef inline int with_endgames(const Position* pos, int value) noexcept nogil:
    """The net's value with what is known of endgames, which few games teach it: mates of a bare king, a pawn that
    can or cannot be stopped, material that does not win."""
    cdef int us = pos.side, scale
    if popcount(occupied_of(pos)) > ENDGAME_PIECES:
        return value
    if mates_bare_king(pos, us):
        return mop_up(pos, us)
    if mates_bare_king(pos, us ^ 1):
        return -mop_up(pos, us ^ 1)
    scale = endgame_scale(pos, value if us == WHITE else -value)
    return value * scale // FULL_SCALE if scale < SCALE_KNOWN else value


cdef int neural_plain(const Network* net, const Position* pos, u64 without) noexcept nogil:
    """The same from the definition, one number after the other: the twin that `neural` is held to.

    Squares in `without` count as empty, kings excepted; this says what a piece is worth to the net.
    """
    cdef i64 sum = 0
    cdef int side, unit, sq, bucket
    cdef int seen = 0
    cdef int view
    cdef i64 value
    cdef u64 rest, board = occupied_of(pos) & ~(without & ~pos.pieces[KING])
    bucket = (popcount(board) - 2) >> 2
    for seen in range(2):
        side = pos.side ^ seen
        view = view_of(net, king_square(pos, side), side)
        for unit in range(net.hidden):
            value = net.biases[unit]
            rest = board
            while rest:
                sq = ctz(rest)
                value += row_of(net, feature_of(pos.board[sq], sq, side, view), net.hidden)[unit]
                rest = without_lowest(rest)
            value = 0 if value < 0 else (NET_QA if value > NET_QA else value)
            sum += value * value * net.outputs[(2 * bucket + seen) * net.hidden + unit]
    return <int>((sum // NET_QA + net.output_biases[bucket]) * net.scale // (NET_QA * NET_QB))
