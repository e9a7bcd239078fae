# Trainer: the steps of training a net, compiled. docs/training.md tells the whole story, and
# engine/cythera/training/torch_reference.py the same mathematics in PyTorch, to which the tests hold this.
#
# A position touches some forty rows of a table of 768, and everything else is small, so training is
# reading and writing rows. Three choices keep that near the speed of the cache:
#
# - The table is cut into slices of 32 lanes, each of them contiguous. A chunk of positions goes through
#   one slice after the other, so that the rows in use (100 KB of weights, 100 KB of gradients) stay in
#   the second-level cache whatever the size of the net. With king buckets a slice is larger by their number;
#   a chunk then goes through it bucket by bucket.
# - A row is exactly 32 floats: the sum over the pieces is kept in four vector registers.
# - Lists of rows end with a mark instead of having a length: gcc would "unroll and jam" a counted
#   loop, and lose the vectors by it.

from libc.math cimport expf, pow, sqrt, sqrtf

cdef enum:
    LANES = NET_BLOCK
    FIXED_ROWS = 1 + 2 * NET_BUCKETS  # of a slice after its feature rows: biases, output weights by bucket and side
    TRAIN_CHUNK = 256                   # positions that go through a slice together
    MAX_TRAIN_THREADS = 64
    ROWS_END = 65535                    # ends a list of rows
    ALIGNMENT = 64

# The sizes of a net. A slice has a row for every input, the biases, then the output weights.
ctypedef struct Shape:
    int slices
    int king_buckets
    int bias_row                        # = number of feature rows
    int output_row
    Py_ssize_t slice_floats
    u8 views[64]                        # as in Network

# A position made ready for the net.
ctypedef struct Example:
    u16 rows[2][MAX_NET_PIECES + 2]         # of the side to move and of the other; ended by ROWS_END
    u8 king_bucket[2]
    int bucket
    f32 target                          # what the side to move should expect, 0 to 1
    f32 slope                           # of the loss by the output

# What a thread works with.
ctypedef struct Workbench:
    Example examples[TRAIN_CHUNK]
    u16 turns[2 * TRAIN_CHUNK]          # example << 1 | side, by king bucket: rows of a bucket are used together
    f32 sums[TRAIN_CHUNK]               # outputs
    f32* hidden                         # [slice][TRAIN_CHUNK][2][LANES], before the activation
    f32* gradient                       # like the parameters
    bint busy


cdef inline f32 sigmoid_of(f32 x) noexcept nogil:
    return <f32>1.0 / (<f32>1.0 + expf(-x))


cdef bint prepare_example(
    const u8* record, const u8* views, f32 blend, f32 per_cp, Example* example
) noexcept nogil:
    """Rows, bucket and target of a record; False if it is none."""
    cdef u64 occupied, rest
    cdef int count = 0, sq, code, us, them, kings = 0
    cdef int view[2]
    cdef i16 score
    memcpy(&occupied, record, 8)
    memcpy(&score, record + RECORD_SCORE, 2)
    us = record[RECORD_SIDE]
    if popcount(occupied) > MAX_NET_PIECES or us > 1 or record[RECORD_RESULT] > 2:
        return False
    them = us ^ 1
    rest = occupied
    while rest:
        sq = ctz(rest)
        code = record[PACKED_PIECES + (count >> 1)] >> 4 * (count & 1) & 15
        if (code & 7) > KING:
            return False
        if (code & 7) == KING:
            view[code >> 3] = views[sq ^ 56 * (code >> 3)]
            example.king_bucket[(code >> 3) ^ us] = <u8>(view[code >> 3] >> 1)
            kings |= 1 << (code >> 3)
        count += 1
        rest = without_lowest(rest)
    if kings != 3:
        return False
    count = 0
    rest = occupied
    while rest:
        sq = ctz(rest)
        code = record[PACKED_PIECES + (count >> 1)] >> 4 * (count & 1) & 15
        example.rows[0][count] = <u16>feature_of(code, sq, us, view[us])
        example.rows[1][count] = <u16>feature_of(code, sq, them, view[them])
        count += 1
        rest = without_lowest(rest)
    example.rows[0][count] = ROWS_END
    example.rows[1][count] = ROWS_END
    example.bucket = (count - 2) >> 2
    example.target = (blend * <f32>0.5 * <f32>record[RECORD_RESULT]
                      + (<f32>1.0 - blend) * sigmoid_of(<f32>score * per_cp))
    return True


cdef inline void sum_rows(const f32* slice_weights, ConstFloats biases, const u16* rows, Floats out) noexcept nogil:
    """The hidden units of a slice: biases and a row for every piece (there are two at least)."""
    cdef ConstFloats row = slice_weights + rows[0] * LANES
    cdef int i
    for i in range(LANES):
        out[i] = biases[i] + row[i]
    rows += 1
    while rows[0] != ROWS_END:
        row = slice_weights + rows[0] * LANES
        for i in range(LANES):
            out[i] += row[i]
        rows += 1


cdef inline f32 weigh_slice(ConstFloats hidden, ConstFloats weights) noexcept nogil:
    """The part of the output that 2 × 32 hidden units make: clamped to 0 … 1, squared, weighted."""
    cdef f32 lanes[LANES]
    cdef f32 eight[8]
    cdef f32 a, b
    cdef int i
    for i in range(LANES):
        a = hidden[i]
        b = hidden[LANES + i]
        a = a if a > 0 else <f32>0.0
        b = b if b > 0 else <f32>0.0
        a = a if a < 1 else <f32>1.0
        b = b if b < 1 else <f32>1.0
        lanes[i] = a * a * weights[i] + b * b * weights[LANES + i]
    for i in range(8):
        eight[i] = (lanes[i] + lanes[i + 8]) + (lanes[i + 16] + lanes[i + 24])
    return ((eight[0] + eight[4]) + (eight[1] + eight[5])) + ((eight[2] + eight[6]) + (eight[3] + eight[7]))


cdef inline void slope_slice(Floats hidden, ConstFloats weights, Floats weight_slopes, f32 slope) noexcept nogil:
    """Slopes of the loss by 2 × 32 output weights (added) and by the hidden units (in their place)."""
    cdef f32 x, clamped
    cdef int i
    for i in range(2 * LANES):
        x = hidden[i]
        clamped = x if x > 0 else <f32>0.0
        clamped = clamped if clamped < 1 else <f32>1.0
        weight_slopes[i] += slope * (clamped * clamped)
        hidden[i] = <f32>2.0 * slope * clamped * weights[i] if clamped == x else <f32>0.0


cdef inline void add_to_rows(f32* slice_gradient, Floats biases, const u16* rows, ConstFloats slopes) noexcept nogil:
    cdef Floats row
    cdef int i
    for i in range(LANES):
        biases[i] += slopes[i]
    while rows[0] != ROWS_END:
        row = slice_gradient + rows[0] * LANES
        for i in range(LANES):
            row[i] += slopes[i]
        rows += 1


cdef void sort_turns(Workbench* bench, int count, int king_buckets) noexcept nogil:
    """The order in which rows are summed and written: by king bucket, so that a slice's rows stay in the cache."""
    cdef int bucket, turn, at = 0
    for bucket in range(king_buckets):
        for turn in range(2 * count):
            if bench.examples[turn >> 1].king_bucket[turn & 1] == bucket:
                bench.turns[at] = <u16>turn
                at += 1


cdef void run_forward(const f32* weights, const Shape* shape, Workbench* bench, int count) noexcept nogil:
    """Outputs of the bench's examples into its sums; the hidden units stay on the bench."""
    cdef const f32* biases = weights + shape.slices * shape.slice_floats
    cdef const f32* slice_weights
    cdef f32* hidden
    cdef int s, i, turn
    for i in range(count):
        bench.sums[i] = biases[bench.examples[i].bucket]
    for s in range(shape.slices):
        slice_weights = weights + s * shape.slice_floats
        hidden = bench.hidden + <Py_ssize_t>s * TRAIN_CHUNK * 2 * LANES
        for i in range(2 * count):
            turn = bench.turns[i]
            sum_rows(slice_weights, slice_weights + shape.bias_row * LANES, bench.examples[turn >> 1].rows[turn & 1],
                     hidden + turn * LANES)
        for i in range(count):
            bench.sums[i] += weigh_slice(
                hidden + 2 * i * LANES, slice_weights + (shape.output_row + 2 * bench.examples[i].bucket) * LANES)


cdef void run_backward(const f32* weights, const Shape* shape, Workbench* bench, int count) noexcept nogil:
    """Adds the examples' slopes, by every parameter, to the bench's gradient; the hidden units are used up."""
    cdef f32* biases = bench.gradient + shape.slices * shape.slice_floats
    cdef const f32* slice_weights
    cdef f32* slice_gradient
    cdef f32* hidden
    cdef int s, i, at, turn
    for i in range(count):
        biases[bench.examples[i].bucket] += bench.examples[i].slope
    for s in range(shape.slices):
        slice_weights = weights + s * shape.slice_floats
        slice_gradient = bench.gradient + s * shape.slice_floats
        hidden = bench.hidden + <Py_ssize_t>s * TRAIN_CHUNK * 2 * LANES
        for i in range(count):
            at = (shape.output_row + 2 * bench.examples[i].bucket) * LANES
            slope_slice(hidden + 2 * i * LANES, slice_weights + at, slice_gradient + at, bench.examples[i].slope)
        for i in range(2 * count):
            turn = bench.turns[i]
            add_to_rows(slice_gradient, slice_gradient + shape.bias_row * LANES,
                        bench.examples[turn >> 1].rows[turn & 1], hidden + turn * LANES)


cdef double find_slopes(Workbench* bench, int count, f32 scale) noexcept nogil:
    """The sum of the squared errors; the slope of each, times `scale`, goes to its example."""
    cdef double loss = 0.0
    cdef f32 chance, error
    cdef int i
    for i in range(count):
        chance = sigmoid_of(bench.sums[i])
        error = chance - bench.examples[i].target
        loss += error * error
        bench.examples[i].slope = <f32>2.0 * scale * error * chance * (<f32>1.0 - chance)
    return loss


cdef Py_ssize_t run_positions(const f32* weights, const Shape* shape, Workbench* bench, const u8* records,
                              Py_ssize_t available,
                              const u32* order, Py_ssize_t first, Py_ssize_t count, f32 blend, f32 per_cp,
                              f32 scale, f32* outputs, double* loss) noexcept nogil:
    """Positions [first, first + count) of `order` (of the records themselves if it is NULL).

    Learns if `scale` is not 0; writes outputs if there is room for them. Returns -1, or where a record is
    damaged or not there.
    """
    cdef Py_ssize_t done = 0, at
    cdef int chunk, i
    cdef Example* example
    loss[0] = 0.0
    while done < count:
        chunk = <int>(count - done) if count - done < TRAIN_CHUNK else TRAIN_CHUNK
        for i in range(chunk):
            at = order[first + done + i] if order != NULL else first + done + i
            example = &bench.examples[i]
            if at >= available or not prepare_example(records + at * RECORD_BYTES, shape.views, blend, per_cp, example):
                return at
            if order != NULL and done + i + 16 < count:
                at = order[first + done + i + 16]
                prefetch(records + at * RECORD_BYTES)
        sort_turns(bench, chunk, shape.king_buckets)
        run_forward(weights, shape, bench, chunk)
        if outputs != NULL:
            memcpy(outputs + done, bench.sums, chunk * sizeof(f32))
        loss[0] += find_slopes(bench, chunk, scale)
        if scale != 0:
            run_backward(weights, shape, bench, chunk)
        done += chunk
    return -1


# One step of AdamW; the letters are those of its paper, the roundings those of PyTorch.
ctypedef struct Adam:
    f32 keep_mean                       # beta 1
    f32 keep_spread                     # beta 2
    f32 shrink                          # 1 - rate * decay
    f32 step                            # rate / (1 - beta 1 ^ t)
    f32 spread_scale                    # 1 / sqrt(1 - beta 2 ^ t)
    f32 epsilon
    f32 clip                            # weights end within ±clip


cdef void adam_row(Floats weights, Floats mean, Floats spread, Floats gradient, const Adam* adam) noexcept nogil:
    cdef f32 g, m, v, w
    cdef f32 keep_mean = adam.keep_mean, keep_spread = adam.keep_spread, shrink = adam.shrink, step = adam.step
    cdef f32 spread_scale = adam.spread_scale, epsilon = adam.epsilon, clip = adam.clip
    cdef int i
    for i in range(LANES):
        g = gradient[i]
        m = mean[i] + (<f32>1.0 - keep_mean) * (g - mean[i])
        v = keep_spread * spread[i] + (<f32>1.0 - keep_spread) * g * g
        w = weights[i] * shrink - step * m / (sqrtf(v) * spread_scale + epsilon)
        w = w if w < clip else clip
        weights[i] = w if w > -clip else -clip
        mean[i] = m
        spread[i] = v
        gradient[i] = 0.0


cdef void add_row(Floats into, ConstFloats row) noexcept nogil:
    cdef int i
    for i in range(LANES):
        into[i] += row[i]


cdef void merge_row(Floats merged, ConstFloats common, Floats own, f32 clip) noexcept nogil:
    """The sum of the shared and a bucket's own weights; the own ones give way where it is beyond ±clip."""
    cdef f32 w
    cdef int i
    for i in range(LANES):
        w = common[i] + own[i]
        w = w if w < clip else clip
        w = w if w > -clip else -clip
        own[i] = w - common[i]
        merged[i] = common[i] + own[i]


cdef inline void copy_floats(f32* inner, f32* flat, size_t count, bint inwards) noexcept nogil:
    if inwards:
        memcpy(inner, flat, count * sizeof(f32))
    else:
        memcpy(flat, inner, count * sizeof(f32))


cdef f32* aligned_floats(Py_ssize_t count) noexcept:
    """Zeros at an aligned address; the address to free stands just before. NULL without memory."""
    cdef char* block = <char*>calloc(1, count * sizeof(f32) + 2 * ALIGNMENT)
    cdef char* start
    if block == NULL:
        return NULL
    start = block + 2 * ALIGNMENT - (<size_t>block & (ALIGNMENT - 1))
    (<void**>start - 1)[0] = block
    return <f32*>start


cdef void free_floats(f32* start) noexcept:
    if start != NULL:
        free((<void**>start - 1)[0])
