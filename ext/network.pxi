# Network: the neural evaluation, (768 → N)×2 → 8 (docs/training.md). Each side looks at the board from
# its own end, and mirrored so that its king stands on the files a to d. The first layer's sums (the
# accumulators) change by a row or two with a move, so they are kept a ply and brought up to date only
# where an evaluation is asked for.
#
# The loops run in blocks of a fixed count, which compilers turn into vector code; rows are reached by
# pointers, since indices computed from ints keep gcc from doing so.

cdef enum:
    NET_INPUTS = 768
    NET_BUCKETS = 8
    NET_BLOCK = 32              # hidden units come in multiples of this
    NET_LARGEST = 512
    NET_QA = 255                # 1.0 in the accumulators
    NET_QB = 64                 # 1.0 in the output weights
    NET_SCALE_LEAST = 50        # centipawns of an output of 1.0
    NET_SCALE_LARGEST = 1000
    ENDGAME_PIECES = 8          # with more of them on the board, kings included, the net is believed as it is

ctypedef struct Network:
    int hidden                  # units a side
    int scale                   # centipawns of an output of 1.0
    i16* features               # [NET_INPUTS][hidden]
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
    u8 crossed                  # bit by colour: its king changed wings, so all its squares are others
    bint ready[2]               # the accumulator of this ply is up to date, by colour

# An accumulator from earlier with the board it belongs to. Starting from it, a king that crosses costs
# what has changed since it last stood on that wing, not the whole board.
ctypedef struct Remembered:
    u64 pieces[2][6]
    i16* values

# All that a search thread has of the net.
ctypedef struct Accumulators:
    const Network* net          # NULL: the classical evaluation is used
    int top                     # ply of `changes` the position stands at
    i16* values                 # [plies][2][hidden]
    void* memory
    Remembered remembered[2][2]     # by colour and mirrored
    Change changes[MAX_PLY + 8]


cdef inline bint is_mirrored(int ksq) noexcept nogil:
    return (ksq & 4) != 0


cdef inline int feature_of(int pc, int sq, int side, bint mirrored) noexcept nogil:
    """The input that is 1 for a piece on a square, as `side` sees it."""
    return (384 * (colour_of(pc) != side) + 64 * type_of(pc)
            + (sq ^ (56 if side == BLACK else 0) ^ (7 if mirrored else 0)))


cdef inline i16* row_of(const Network* net, int feature) noexcept nogil:
    return net.features + <size_t>feature * <size_t>net.hidden


cdef inline i16* values_at(const Accumulators* acc, int ply, int side) noexcept nogil:
    return acc.values + <size_t>(2 * ply + side) * <size_t>acc.net.hidden


# The loops over rows of weights and the sums of two plies.

cdef void row_add(Shorts to, ConstShorts row, int blocks) noexcept nogil:
    cdef int block, i
    for block in range(blocks):
        for i in range(NET_BLOCK):
            to[i] = <i16>(to[i] + row[i])
        to += NET_BLOCK
        row += NET_BLOCK


cdef void row_sub(Shorts to, ConstShorts row, int blocks) noexcept nogil:
    cdef int block, i
    for block in range(blocks):
        for i in range(NET_BLOCK):
            to[i] = <i16>(to[i] - row[i])
        to += NET_BLOCK
        row += NET_BLOCK


cdef void row_move(Shorts to, ConstShorts start, ConstShorts plus, ConstShorts minus, int blocks) noexcept nogil:
    """One piece moved: its row on the new square comes, that on the old one goes."""
    cdef int block, i
    for block in range(blocks):
        for i in range(NET_BLOCK):
            to[i] = <i16>(start[i] + plus[i] - minus[i])
        to += NET_BLOCK
        start += NET_BLOCK
        plus += NET_BLOCK
        minus += NET_BLOCK


cdef void row_capture(
    Shorts to, ConstShorts start, ConstShorts plus, ConstShorts minus, ConstShorts taken, int blocks
) noexcept nogil:
    cdef int block, i
    for block in range(blocks):
        for i in range(NET_BLOCK):
            to[i] = <i16>(start[i] + plus[i] - minus[i] - taken[i])
        to += NET_BLOCK
        start += NET_BLOCK
        plus += NET_BLOCK
        minus += NET_BLOCK
        taken += NET_BLOCK


cdef i32 row_output(ConstShorts values, ConstShorts weights, int blocks) noexcept nogil:
    """The sum of v * v * w over clipped v. |w| is at most 127 and v 255, so v * w fits 16 bits, and the
    compiler finds the multiply-add of 16-bit pairs."""
    cdef i32 sum = 0
    cdef i16 v, t
    cdef int block, i
    for block in range(blocks):
        for i in range(NET_BLOCK):
            v = values[i]
            v = v if v > 0 else <i16>0
            v = v if v < NET_QA else <i16>NET_QA
            t = <i16>(v * weights[i])
            sum += <i32>v * <i32>t
        values += NET_BLOCK
        weights += NET_BLOCK
    return sum


cdef bint attach_network(Accumulators* acc, const Network* net) noexcept nogil:
    """Gives a thread a net, or takes it away (NULL); False if there is no memory, and nothing has changed."""
    cdef size_t hidden = 0 if net == NULL else <size_t>net.hidden
    cdef size_t count = (2 * (MAX_PLY + 8) + 4) * hidden
    cdef void* memory = NULL
    cdef i16* at
    cdef int side, mirrored
    if net != NULL:
        memory = calloc(count * sizeof(i16) + 64, 1)
        if memory == NULL:
            return False
    free(acc.memory)
    acc.memory = memory
    acc.net = net
    acc.values = NULL
    if net == NULL:
        return True
    at = <i16*>aligned(memory, 64)
    for side in range(2):
        for mirrored in range(2):
            acc.remembered[side][mirrored].values = at
            memcpy(at, net.biases, hidden * sizeof(i16))
            memset(acc.remembered[side][mirrored].pieces, 0, sizeof(acc.remembered[side][mirrored].pieces))
            at += hidden
    acc.values = at
    return True


cdef inline void restart_accumulators(Accumulators* acc) noexcept nogil:
    """The position is another one: nothing is known of it."""
    acc.top = 0
    acc.changes[0].ready[WHITE] = acc.changes[0].ready[BLACK] = False
    acc.changes[0].crossed = 3


cdef inline void note_change(Accumulators* acc, const Position* pos, Move16 m) noexcept nogil:
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
        change.removed_pc[1] = change.added_pc[1] = <u8>piece(us, ROOK)
        change.removed_sq[1] = <u8>to_sq
        change.added_sq[1] = <u8>castle_rook_to(right)
        to_sq = castle_king_to(right)
    elif flags & CAPTURE:
        taken_sq = to_sq ^ 8 if flags == EN_PASSANT else to_sq
        change.removed = 2
        change.removed_pc[1] = pos.board[taken_sq]
        change.removed_sq[1] = <u8>taken_sq
    change.added_pc[0] = <u8>(piece(us, promoted_type(m)) if flags & PROMOTION else pc)
    change.added_sq[0] = <u8>to_sq
    if type_of(pc) == KING and is_mirrored(from_sq) != is_mirrored(to_sq):
        change.crossed = <u8>(1 << us)


cdef void follow_change(const Accumulators* acc, int ply, int side, bint mirrored) noexcept nogil:
    """The accumulator of a ply from the one before it."""
    cdef const Network* net = acc.net
    cdef const Change* change = &acc.changes[ply]
    cdef int blocks = net.hidden // NET_BLOCK
    cdef i16* start = values_at(acc, ply - 1, side)
    cdef i16* to = values_at(acc, ply, side)
    cdef i16* plus = row_of(net, feature_of(change.added_pc[0], change.added_sq[0], side, mirrored))
    cdef i16* minus = row_of(net, feature_of(change.removed_pc[0], change.removed_sq[0], side, mirrored))
    if change.removed == 1:
        row_move(to, start, plus, minus, blocks)
        return
    row_capture(to, start, plus, minus,
                row_of(net, feature_of(change.removed_pc[1], change.removed_sq[1], side, mirrored)), blocks)
    if change.added == 2:
        row_add(to, row_of(net, feature_of(change.added_pc[1], change.added_sq[1], side, mirrored)), blocks)


cdef void rebuild(Accumulators* acc, const Position* pos, int side, bint mirrored) noexcept nogil:
    """The accumulator of the present ply from the board, by way of the remembered one."""
    cdef const Network* net = acc.net
    cdef Remembered* known = &acc.remembered[side][mirrored]
    cdef int blocks = net.hidden // NET_BLOCK
    cdef int colour, pt
    cdef u64 now, rest
    for colour in range(2):
        for pt in range(6):
            now = pos.pieces[pt] & pos.colours[colour]
            rest = now & ~known.pieces[colour][pt]
            while rest:
                row_add(known.values, row_of(net, feature_of(piece(colour, pt), ctz(rest), side, mirrored)), blocks)
                rest = without_lowest(rest)
            rest = known.pieces[colour][pt] & ~now
            while rest:
                row_sub(known.values, row_of(net, feature_of(piece(colour, pt), ctz(rest), side, mirrored)), blocks)
                rest = without_lowest(rest)
            known.pieces[colour][pt] = now
    memcpy(values_at(acc, acc.top, side), known.values, <size_t>net.hidden * sizeof(i16))


cdef inline void bring_up_to_date(Accumulators* acc, const Position* pos, int side) noexcept nogil:
    """Follows the moves since the last accumulator that is ready, or starts anew if the king crossed."""
    cdef int ply = acc.top
    cdef bint mirrored = is_mirrored(king_square(pos, side))
    while not acc.changes[ply].ready[side]:
        if acc.changes[ply].crossed >> side & 1:
            rebuild(acc, pos, side, mirrored)
            acc.changes[acc.top].ready[side] = True
            return
        ply -= 1
    while ply < acc.top:
        ply += 1
        follow_change(acc, ply, side, mirrored)
        acc.changes[ply].ready[side] = True


cdef inline int output_bucket(const Position* pos) noexcept nogil:
    """Which of the output layers serves so many pieces."""
    return (popcount(occupied_of(pos)) - 2) >> 2


cdef int neural(Accumulators* acc, const Position* pos) noexcept nogil:
    """The net's evaluation in centipawns, from the side to move."""
    cdef const Network* net = acc.net
    cdef int blocks = net.hidden // NET_BLOCK
    cdef int bucket = output_bucket(pos)
    cdef const i16* weights = net.outputs + <size_t>(2 * bucket) * <size_t>net.hidden
    cdef i32 sum
    bring_up_to_date(acc, pos, WHITE)
    bring_up_to_date(acc, pos, BLACK)
    sum = row_output(values_at(acc, acc.top, pos.side), weights, blocks)
    sum += row_output(values_at(acc, acc.top, pos.side ^ 1), weights + net.hidden, blocks)
    return <int>(<i64>(sum // NET_QA + net.output_biases[bucket]) * net.scale // (NET_QA * NET_QB))


cdef inline int with_endgames(const Position* pos, int value) noexcept nogil:
    """The net's value with what is known of endgames, which few games teach it: mates of a bare king, a pawn that
    can or cannot be stopped, material that does not win."""
    cdef int us = pos.side, scale
    if popcount(occupied_of(pos)) > ENDGAME_PIECES:
        return value
    if mates_bare_king(pos, us):
        return driven_to_the_edge(pos, us)
    if mates_bare_king(pos, us ^ 1):
        return -driven_to_the_edge(pos, us ^ 1)
    scale = endgame_scale(pos, value if us == WHITE else -value)
    return value * scale // SCALE_NORMAL if scale < SCALE_KNOWN else value


cdef int neural_plain(const Network* net, const Position* pos, u64 without) noexcept nogil:
    """The same from the definition, one number after the other: the twin that `neural` is held to.

    Squares in `without` count as empty, kings excepted; this says what a piece is worth to the net.
    """
    cdef i64 sum = 0
    cdef int side, unit, sq, bucket
    cdef int seen = 0
    cdef bint mirrored
    cdef i64 value
    cdef u64 rest, board = occupied_of(pos) & ~(without & ~pos.pieces[KING])
    bucket = (popcount(board) - 2) >> 2
    for seen in range(2):
        side = pos.side ^ seen
        mirrored = is_mirrored(king_square(pos, side))
        for unit in range(net.hidden):
            value = net.biases[unit]
            rest = board
            while rest:
                sq = ctz(rest)
                value += row_of(net, feature_of(pos.board[sq], sq, side, mirrored))[unit]
                rest = without_lowest(rest)
            value = 0 if value < 0 else (NET_QA if value > NET_QA else value)
            sum += value * value * net.outputs[(2 * bucket + seen) * net.hidden + unit]
    return <int>((sum // NET_QA + net.output_biases[bucket]) * net.scale // (NET_QA * NET_QB))
