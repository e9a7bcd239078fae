# Trainer: the steps of training a net, compiled. docs/training.md tells the whole story, and
# engine/cythera/training/torch_reference.py the same mathematics in PyTorch, to which the tests hold this.
#
# A position touches some forty rows of a table of 768, and everything else is small, so training is
# reading and writing rows. Three choices keep that near the speed of the cache:
#
# - The table is cut into slices of 32 lanes, each of them contiguous. A chunk of positions goes through
#   one slice after the other, so that the rows in use (100 KB of weights, 100 KB of gradients) stay in
#   the second-level cache whatever the size of the net.
# - A row is exactly 32 floats: the sum over the pieces is kept in four vector registers.
# - Lists of rows end with a mark instead of having a length: gcc would "unroll and jam" a counted
#   loop, and lose the vectors by it.

from libc.math cimport expf, pow, sqrt, sqrtf

cdef enum:
    LANES = 32
    TRAIN_INPUTS = 768
    TRAIN_BUCKETS = 8
    BIAS_ROW = TRAIN_INPUTS             # in a slice: feature rows, then the biases,
    OUTPUT_ROW = BIAS_ROW + 1           # then the output weights by bucket and perspective
    SLICE_ROWS = OUTPUT_ROW + 2 * TRAIN_BUCKETS
    SLICE_FLOATS = SLICE_ROWS * LANES
    TRAIN_CHUNK = 256                   # positions that go through a slice together
    MAX_HIDDEN = 512
    MAX_TRAIN_THREADS = 64
    ROWS_END = 65535                    # ends a list of rows
    ALIGNMENT = 64
    MAX_PIECES = 32

# A position made ready for the net.
ctypedef struct Example:
    u16 rows[2][MAX_PIECES + 2]         # of the side to move and of the other; ended by ROWS_END
    int bucket
    f32 target                          # what the side to move should expect, 0 to 1
    f32 slope                           # of the loss by the output

# What a thread works with.
ctypedef struct Workbench:
    Example examples[TRAIN_CHUNK]
    f32 sums[TRAIN_CHUNK]               # outputs
    f32* hidden                         # [slice][TRAIN_CHUNK][2][LANES], before the activation
    f32* gradient                       # like the parameters
    bint busy


cdef inline f32 sigmoid_of(f32 x) noexcept nogil:
    return <f32>1.0 / (<f32>1.0 + expf(-x))


cdef bint prepare_example(const u8* record, f32 blend, f32 per_cp, Example* example) noexcept nogil:
    """Rows, bucket and target of a record; False if it is none."""
    cdef u64 occupied, rest
    cdef int count = 0, sq, code, us, them, kings = 0, index
    cdef int flips[2]
    cdef i16 score
    memcpy(&occupied, record, 8)
    memcpy(&score, record + RECORD_SCORE, 2)
    us = record[RECORD_SIDE]
    if popcount(occupied) > MAX_PIECES or us > 1 or record[RECORD_RESULT] > 2:
        return False
    them = us ^ 1
    # A perspective sees its own side at the bottom, and its king on the files a to d.
    rest = occupied
    while rest:
        sq = ctz(rest)
        code = record[8 + (count >> 1)] >> 4 * (count & 1) & 15
        if (code & 7) > KING:
            return False
        if (code & 7) == KING:
            flips[code >> 3] = 56 * (code >> 3) ^ (7 if file_of(sq) >= 4 else 0)
            kings |= 1 << (code >> 3)
        count += 1
        rest = without_lowest(rest)
    if kings != 3:
        return False
    count = 0
    rest = occupied
    while rest:
        sq = ctz(rest)
        code = record[8 + (count >> 1)] >> 4 * (count & 1) & 15
        index = 64 * (code & 7) + 384 * ((code >> 3) ^ us)
        example.rows[0][count] = <u16>(index + (sq ^ flips[us]))
        index = 64 * (code & 7) + 384 * ((code >> 3) ^ them)
        example.rows[1][count] = <u16>(index + (sq ^ flips[them]))
        count += 1
        rest = without_lowest(rest)
    example.rows[0][count] = ROWS_END
    example.rows[1][count] = ROWS_END
    example.bucket = (count - 2) >> 2
    example.target = (blend * <f32>0.5 * <f32>record[RECORD_RESULT]
                      + (<f32>1.0 - blend) * sigmoid_of(<f32>score * per_cp))
    return True


cdef inline void sum_rows(const f32* slice_weights, const u16* rows, Floats out) noexcept nogil:
    """The hidden units of a slice: biases and a row for every piece (there are two at least)."""
    cdef ConstFloats biases = slice_weights + BIAS_ROW * LANES
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


cdef inline void slope_slice(
    ConstFloats hidden, ConstFloats weights, Floats weight_slopes, f32 slope, Floats out
) noexcept nogil:
    """Slopes of the loss by 2 × 32 output weights (added) and by the hidden units (written)."""
    cdef f32 x, clamped
    cdef int i
    for i in range(2 * LANES):
        x = hidden[i]
        clamped = x if x > 0 else <f32>0.0
        clamped = clamped if clamped < 1 else <f32>1.0
        weight_slopes[i] += slope * (clamped * clamped)
        out[i] = <f32>2.0 * slope * clamped * weights[i] if clamped == x else <f32>0.0


cdef inline void add_to_rows(f32* slice_gradient, const u16* rows, ConstFloats slopes) noexcept nogil:
    cdef Floats row = slice_gradient + BIAS_ROW * LANES
    cdef int i
    for i in range(LANES):
        row[i] += slopes[i]
    while rows[0] != ROWS_END:
        row = slice_gradient + rows[0] * LANES
        for i in range(LANES):
            row[i] += slopes[i]
        rows += 1


cdef void run_forward(const f32* weights, int slices, Workbench* bench, int count) noexcept nogil:
    """Outputs of the bench's examples into its sums; the hidden units stay on the bench."""
    cdef const f32* biases = weights + <Py_ssize_t>slices * SLICE_FLOATS
    cdef const f32* slice_weights
    cdef f32* hidden
    cdef Example* example
    cdef int s, i
    for i in range(count):
        bench.sums[i] = biases[bench.examples[i].bucket]
    for s in range(slices):
        slice_weights = weights + <Py_ssize_t>s * SLICE_FLOATS
        hidden = bench.hidden + <Py_ssize_t>s * TRAIN_CHUNK * 2 * LANES
        for i in range(count):
            example = &bench.examples[i]
            sum_rows(slice_weights, example.rows[0], hidden)
            sum_rows(slice_weights, example.rows[1], hidden + LANES)
            bench.sums[i] += weigh_slice(hidden, slice_weights + (OUTPUT_ROW + 2 * example.bucket) * LANES)
            hidden += 2 * LANES


cdef void run_backward(const f32* weights, int slices, Workbench* bench, int count) noexcept nogil:
    """Adds the examples' slopes, by every parameter, to the bench's gradient."""
    cdef f32* biases = bench.gradient + <Py_ssize_t>slices * SLICE_FLOATS
    cdef f32 slopes[2 * LANES]
    cdef const f32* slice_weights
    cdef f32* slice_gradient
    cdef const f32* hidden
    cdef Example* example
    cdef int s, i, at
    for i in range(count):
        biases[bench.examples[i].bucket] += bench.examples[i].slope
    for s in range(slices):
        slice_weights = weights + <Py_ssize_t>s * SLICE_FLOATS
        slice_gradient = bench.gradient + <Py_ssize_t>s * SLICE_FLOATS
        hidden = bench.hidden + <Py_ssize_t>s * TRAIN_CHUNK * 2 * LANES
        for i in range(count):
            example = &bench.examples[i]
            at = (OUTPUT_ROW + 2 * example.bucket) * LANES
            slope_slice(hidden, slice_weights + at, slice_gradient + at, example.slope, slopes)
            add_to_rows(slice_gradient, example.rows[0], slopes)
            add_to_rows(slice_gradient, example.rows[1], slopes + LANES)
            hidden += 2 * LANES


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


cdef Py_ssize_t run_positions(const f32* weights, int slices, Workbench* bench, const u8* records, Py_ssize_t available,
                              const u32* order, Py_ssize_t first, Py_ssize_t count, f32 blend, f32 per_cp,
                              f32 scale, f32* outputs, double* loss) noexcept nogil:
    """Positions [first, first + count) of `order` (of the records themselves if it is NULL).

    Learns if `scale` is not 0; writes outputs if there is room for them. Returns -1, or where a record is
    damaged or not there.
    """
    cdef Py_ssize_t done = 0, at
    cdef int chunk, i
    loss[0] = 0.0
    while done < count:
        chunk = <int>(count - done) if count - done < TRAIN_CHUNK else TRAIN_CHUNK
        for i in range(chunk):
            at = order[first + done + i] if order != NULL else first + done + i
            if (at >= available
                    or not prepare_example(records + at * RECORD_BYTES, blend, per_cp, &bench.examples[i])):
                return at
            if order != NULL and done + i + 16 < count:
                at = order[first + done + i + 16]
                prefetch(records + at * RECORD_BYTES)
        run_forward(weights, slices, bench, chunk)
        if outputs != NULL:
            memcpy(outputs + done, bench.sums, chunk * sizeof(f32))
        loss[0] += find_slopes(bench, chunk, scale)
        if scale != 0:
            run_backward(weights, slices, bench, chunk)
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


cdef void adam_row(
    Floats weights, Floats mean, Floats spread, Floats gradient, const Adam* adam, f32 clip
) noexcept nogil:
    cdef f32 g, m, v, w
    cdef f32 keep_mean = adam.keep_mean, keep_spread = adam.keep_spread, shrink = adam.shrink, step = adam.step
    cdef f32 spread_scale = adam.spread_scale, epsilon = adam.epsilon
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


def shuffle(u32[::1] numbers not None, u64 seed):
    """Puts numbers into a random order, the same for the same seed on every machine. Releases the GIL."""
    cdef u64 state = seed
    cdef Py_ssize_t i, j
    cdef u32 moved
    cdef u32* at
    if numbers.shape[0] == 0:
        return
    at = &numbers[0]
    with nogil:
        for i in range(numbers.shape[0] - 1, 0, -1):
            j = <Py_ssize_t>mulhi(splitmix(&state), i + 1)
            moved = at[i]
            at[i] = at[j]
            at[j] = moved


cdef class Trainer:
    """A net in training: parameters, moments, and a bench for each thread.

    All numbers are float32. The flat order of parameters, in and out, is that of a net file: feature
    weights [768][hidden], feature biases [hidden], output weights [8][2][hidden], output biases [8].
    `scale` is how many centipawns an output of 1.0 is: a score of so many is taken for a chance of
    1 / (1 + 1/e) = 73 %. Calls release the GIL; each thread uses a bench of its own, numbered from 0.
    """
    cdef f32* values[3]                 # parameters, means, spreads
    cdef Workbench* benches
    cdef int bench_count, slices
    cdef f32 per_cp                     # output of a centipawn
    cdef Py_ssize_t rows                # of a copy of the parameters, the output biases being the last

    def __cinit__(self, int hidden, int threads=1, int scale=400):
        cdef int i
        if not NET_SCALE_LEAST <= scale <= NET_SCALE_LARGEST:
            raise ValueError(f"an output of 1.0 is {NET_SCALE_LEAST} to {NET_SCALE_LARGEST} centipawns, not {scale}")
        self.per_cp = <f32>(1.0 / scale)
        if not 0 < hidden <= MAX_HIDDEN or hidden % LANES:
            raise ValueError(f"hidden units are a multiple of {LANES} up to {MAX_HIDDEN}, not {hidden}")
        if not 1 <= threads <= MAX_TRAIN_THREADS:
            raise ValueError(f"threads are from 1 to {MAX_TRAIN_THREADS}, not {threads}")
        self.slices = hidden // LANES
        self.rows = self.slices * SLICE_ROWS + 1
        self.benches = <Workbench*>calloc(threads, sizeof(Workbench))
        if self.benches == NULL:
            raise MemoryError
        self.bench_count = threads
        for i in range(3):
            self.values[i] = aligned_floats(self.rows * LANES)
            if self.values[i] == NULL:
                raise MemoryError
        for i in range(threads):
            self.benches[i].gradient = aligned_floats(self.rows * LANES)
            self.benches[i].hidden = aligned_floats(<Py_ssize_t>self.slices * TRAIN_CHUNK * 2 * LANES)
            if self.benches[i].gradient == NULL or self.benches[i].hidden == NULL:
                raise MemoryError

    def __dealloc__(self):
        cdef int i
        for i in range(3):
            free_floats(self.values[i])
        for i in range(self.bench_count):
            free_floats(self.benches[i].gradient)
            free_floats(self.benches[i].hidden)
        free(self.benches)

    @property
    def hidden(self):
        return self.slices * LANES

    @property
    def threads(self):
        return self.bench_count

    @property
    def size(self):
        """How many parameters there are."""
        return self.slices * SLICE_FLOATS + TRAIN_BUCKETS

    cdef f32* array_of(self, str what) except NULL:
        cdef tuple names = ("parameters", "means", "spreads", "gradient")
        if what not in names:
            raise ValueError(f"there are {', '.join(names)}, not {what}")
        return self.benches[0].gradient if what == "gradient" else self.values[<int>names.index(what)]

    def get(self, str what not None, f32[::1] out):
        """Writes "parameters", "means", "spreads" or "gradient" (of the first bench) in flat order."""
        self.copy(self.array_of(what), out, False)

    def set(self, str what not None, f32[::1] values):
        """The reverse of `get`."""
        self.copy(self.array_of(what), values, True)

    cdef int copy(self, f32* inner, f32[::1] flat, bint inwards) except -1:
        """Between slices and flat order: row r of the flat order is [slice 0, slice 1, …] of row r."""
        cdef Py_ssize_t size = self.slices * SLICE_FLOATS + TRAIN_BUCKETS
        cdef Py_ssize_t at = 0
        cdef int row, s, length
        cdef f32* place
        if flat is None or flat.shape[0] != size:
            raise ValueError(f"{size} numbers are needed")
        for row in range(SLICE_ROWS + 1):
            for s in range(self.slices if row < SLICE_ROWS else 1):
                length = LANES if row < SLICE_ROWS else TRAIN_BUCKETS
                place = inner + (<Py_ssize_t>s * SLICE_FLOATS + row * LANES if row < SLICE_ROWS
                                 else <Py_ssize_t>self.slices * SLICE_FLOATS)
                if inwards:
                    memcpy(place, &flat[at], length * sizeof(f32))
                else:
                    memcpy(&flat[at], place, length * sizeof(f32))
                at += length
        return 0

    cdef double run(self, int thread, const u8[:, ::1] records, const u32[::1] order, Py_ssize_t first,
                    Py_ssize_t count, f32 blend, f32 scale, f32* outputs) except? -1.0:
        cdef const u8* start
        cdef const u32* places = NULL
        cdef Workbench* bench
        cdef Py_ssize_t bad
        cdef Py_ssize_t available
        cdef double loss = 0.0
        if not 0 <= thread < self.bench_count:
            raise ValueError(f"there are {self.bench_count} benches, and no bench {thread}")
        if records is None or records.shape[1] != RECORD_BYTES:
            raise ValueError(f"a record has {RECORD_BYTES} bytes")
        available = records.shape[0]
        if order is not None:
            places = &order[0] if order.shape[0] else NULL
        if first < 0 or count < 0 or count > (available if order is None else order.shape[0]) - first:
            raise ValueError(f"there are no {count} positions from {first} on")
        if count == 0:
            return 0.0
        start = &records[0, 0] if available else NULL
        bench = &self.benches[thread]
        if bench.busy:
            raise ValueError(f"bench {thread} is in use")
        bench.busy = True
        with nogil:
            bad = run_positions(self.values[0], self.slices, bench, start, available, places, first, count, blend,
                                self.per_cp, scale, outputs, &loss)
        bench.busy = False
        if bad >= 0:
            raise ValueError(f"record {bad} is damaged" if bad < available else f"there is no record {bad}")
        return loss

    def accumulate(self, int thread, const u8[:, ::1] records, const u32[::1] order, Py_ssize_t first,
                   Py_ssize_t count, float blend, float scale):
        """Adds to a bench's gradient for positions [first, first + count) of `order` (record numbers).

        The target is `blend` × result + (1 - blend) × chance by the score; the loss of each position is
        the squared error times `scale`. Returns the sum of the squared errors. Raises ValueError at a
        damaged record, and the gradient is then good for nothing.
        """
        if scale <= 0:
            raise ValueError("the scale is above 0")
        return self.run(thread, records, order, first, count, blend, scale, NULL)

    def loss(self, int thread, const u8[:, ::1] records, Py_ssize_t first, Py_ssize_t count, float blend):
        """The sum of the squared errors of records [first, first + count), without learning from them."""
        return self.run(thread, records, None, first, count, blend, 0.0, NULL)

    def outputs(self, int thread, const u8[:, ::1] records, Py_ssize_t first, f32[::1] out not None):
        """The net's outputs (1.0 is `scale` centipawns) for the side to move, from `first` on, as many as fit."""
        if out.shape[0]:
            self.run(thread, records, None, first, out.shape[0], 0.0, 0.0, &out[0])

    def apply(self, double rate, double decay, i64 step, double clip):
        """A step of AdamW with the gradients of all benches, which are zero afterwards.

        `step` counts from 1. Weights end within ±clip; output biases are not clipped.
        """
        cdef Adam adam
        cdef Py_ssize_t row, at
        cdef int bench
        if step < 1 or clip <= 0:
            raise ValueError("steps count from 1, and clip is above 0")
        adam.keep_mean = 0.9
        adam.keep_spread = 0.999
        adam.epsilon = 1e-8
        adam.shrink = <f32>(1.0 - rate * decay)
        adam.step = <f32>(rate / (1.0 - pow(0.9, <double>step)))
        adam.spread_scale = <f32>(1.0 / sqrt(1.0 - pow(0.999, <double>step)))
        with nogil:
            for row in range(self.rows):
                at = row * LANES
                for bench in range(1, self.bench_count):
                    add_row(self.benches[0].gradient + at, self.benches[bench].gradient + at)
                    memset(self.benches[bench].gradient + at, 0, LANES * sizeof(f32))
                adam_row(self.values[0] + at, self.values[1] + at, self.values[2] + at, self.benches[0].gradient + at,
                         &adam, <f32>clip if row < self.rows - 1 else <f32>1e30)
