# Trainer: the steps of training a net, compiled. docs/training.md tells the whole story, and
# engine/cythera/training/torch_reference.py the same mathematics in PyTorch, to which the tests hold this.
#
# A position touches some forty rows of a table of 768, and everything else is small, so training is
# reading and writing rows. Three choices keep that near the speed of the cache:
#
# - The table is cut into slices of 32 lanes, each of them contiguous. A chunk of positions goes through
#   one slice after the other, so that the rows in use (100 KB of weights, 100 KB of gradients) stay in
#   the second-level cache whatever the size of the net. With king buckets a slice is so many times larger;
#   a chunk then goes through it bucket by bucket.
# - A row is exactly 32 floats: the sum over the pieces is kept in four vector registers.
# - Lists of rows end with a mark instead of having a length: gcc would "unroll and jam" a counted
#   loop, and lose the vectors by it.

from libc.math cimport expf, pow, sqrt, sqrtf

cdef enum:
    LANES = 32
    TRAIN_INPUTS = 768
    TRAIN_BUCKETS = 8
    FIXED_ROWS = 1 + 2 * TRAIN_BUCKETS  # of a slice after its feature rows: biases, output weights by bucket and side
    TRAIN_CHUNK = 256                   # positions that go through a slice together
    MAX_HIDDEN = NET_LARGEST
    MAX_TRAIN_THREADS = 64
    ROWS_END = 65535                    # ends a list of rows
    ALIGNMENT = 64
    MAX_PIECES = 32

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
    u16 rows[2][MAX_PIECES + 2]         # of the side to move and of the other; ended by ROWS_END
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
    cdef int count = 0, sq, code, us, them, kings = 0, index, view
    cdef int flips[2]
    cdef int firsts[2]
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
            view = views[sq ^ 56 * (code >> 3)]
            flips[code >> 3] = 56 * (code >> 3) ^ 7 * (view & 1)
            firsts[code >> 3] = TRAIN_INPUTS * (view >> 1)
            example.king_bucket[(code >> 3) ^ us] = <u8>(view >> 1)
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
        index = firsts[us] + 64 * (code & 7) + 384 * ((code >> 3) ^ us)
        example.rows[0][count] = <u16>(index + (sq ^ flips[us]))
        index = firsts[them] + 64 * (code & 7) + 384 * ((code >> 3) ^ them)
        example.rows[1][count] = <u16>(index + (sq ^ flips[them]))
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
    loss[0] = 0.0
    while done < count:
        chunk = <int>(count - done) if count - done < TRAIN_CHUNK else TRAIN_CHUNK
        for i in range(chunk):
            at = order[first + done + i] if order != NULL else first + done + i
            if (at >= available
                    or not prepare_example(records + at * RECORD_BYTES, shape.views, blend, per_cp, &bench.examples[i])):
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
    weights [king buckets][768][hidden], feature biases [hidden], output weights [8][2][hidden], output
    biases [8]. With king buckets there is a factoriser: weights [768][hidden] that all buckets share, which
    come first in "parameters", "means" and "spreads"; what a bucket uses ("merged") is its own weights plus
    the shared ones.

    `scale` is how many centipawns an output of 1.0 is: a score of so many is taken for a chance of
    1 / (1 + 1/e) = 73 %. `kings` gives the bucket of the own king by its square (a1 b1 c1 d1 a2 … d8), None
    for one bucket. Calls release the GIL; each thread uses a bench of its own, numbered from 0.
    """
    cdef f32* values[3]                 # parameters, means, spreads
    cdef f32* shared[3]                 # those of the factoriser, [slice][768][LANES]; NULL without one
    cdef f32* merged                    # what the net computes with: the parameters themselves without a factoriser
    cdef Workbench* benches
    cdef int bench_count
    cdef Shape shape
    cdef f32 per_cp                     # output of a centipawn
    cdef Py_ssize_t floats              # of a copy of the parameters, the output biases being the last

    def __cinit__(self, int hidden, int threads=1, int scale=400, kings=None):
        cdef int i, sq, mirrored
        buckets = (0,) * 32 if kings is None else tuple(kings)
        if not NET_SCALE_LEAST <= scale <= NET_SCALE_LARGEST:
            raise ValueError(f"scale must be between {NET_SCALE_LEAST} and {NET_SCALE_LARGEST}, got {scale}")
        self.per_cp = <f32>(1.0 / scale)
        if not 0 < hidden <= MAX_HIDDEN or hidden % LANES:
            raise ValueError(f"hidden units must be a multiple of {LANES} up to {MAX_HIDDEN}, got {hidden}")
        if not 1 <= threads <= MAX_TRAIN_THREADS:
            raise ValueError(f"threads must be between 1 and {MAX_TRAIN_THREADS}, got {threads}")
        if len(buckets) != 32 or set(buckets) != set(range(max(buckets) + 1)) or max(buckets) >= NET_KING_BUCKETS:
            raise ValueError(f"king buckets must be 32 numbers from 0 on, without gaps, below {NET_KING_BUCKETS}")
        for sq in range(64):
            mirrored = sq >> 2 & 1
            self.shape.views[sq] = <u8>(mirrored | <int>buckets[4 * (sq >> 3) + ((sq ^ 7 * mirrored) & 3)] << 1)
        self.shape.king_buckets = max(buckets) + 1
        self.shape.slices = hidden // LANES
        self.shape.bias_row = TRAIN_INPUTS * self.shape.king_buckets
        self.shape.output_row = self.shape.bias_row + 1
        self.shape.slice_floats = <Py_ssize_t>(self.shape.bias_row + FIXED_ROWS) * LANES
        self.floats = self.shape.slices * self.shape.slice_floats + LANES
        self.benches = <Workbench*>calloc(threads, sizeof(Workbench))
        if self.benches == NULL:
            raise MemoryError
        self.bench_count = threads
        for i in range(3):
            self.values[i] = aligned_floats(self.floats)
            if self.values[i] == NULL:
                raise MemoryError
            if self.shape.king_buckets > 1:
                self.shared[i] = aligned_floats(<Py_ssize_t>self.shape.slices * TRAIN_INPUTS * LANES)
                if self.shared[i] == NULL:
                    raise MemoryError
        self.merged = self.values[0]
        if self.shape.king_buckets > 1:
            self.merged = aligned_floats(self.floats)
            if self.merged == NULL:
                raise MemoryError
        for i in range(threads):
            self.benches[i].gradient = aligned_floats(self.floats)
            self.benches[i].hidden = aligned_floats(<Py_ssize_t>self.shape.slices * TRAIN_CHUNK * 2 * LANES)
            if self.benches[i].gradient == NULL or self.benches[i].hidden == NULL:
                raise MemoryError

    def __dealloc__(self):
        cdef int i
        if self.merged != self.values[0]:
            free_floats(self.merged)
        for i in range(3):
            free_floats(self.values[i])
            free_floats(self.shared[i])
        for i in range(self.bench_count):
            free_floats(self.benches[i].gradient)
            free_floats(self.benches[i].hidden)
        free(self.benches)

    @property
    def hidden(self):
        return self.shape.slices * LANES

    @property
    def threads(self):
        return self.bench_count

    @property
    def king_buckets(self):
        return self.shape.king_buckets

    @property
    def net_size(self):
        """How many weights the net has, and numbers in "merged" and "gradient"."""
        return self.shape.slices * self.shape.slice_floats + TRAIN_BUCKETS

    @property
    def size(self):
        """How many parameters there are, those of the factoriser included."""
        return self.net_size + (self.hidden * TRAIN_INPUTS if self.shape.king_buckets > 1 else 0)

    def get(self, str what not None, f32[::1] out):
        """Writes "parameters", "means" or "spreads" (`size` numbers), "merged" or "gradient" (of the first
        bench; `net_size` numbers) in flat order."""
        self.copy(what, out, False)

    def set(self, str what not None, f32[::1] values):
        """The reverse of `get`; "merged" follows from the parameters and cannot be set."""
        if what == "merged":
            raise ValueError("the merged weights follow from the parameters")
        self.copy(what, values, True)
        if what == "parameters":
            self.merge()

    cdef int copy(self, str what, f32[::1] flat, bint inwards) except -1:
        """Between slices and flat order: row r of the flat order is [slice 0, slice 1, …] of row r."""
        cdef tuple names = ("parameters", "means", "spreads", "merged", "gradient")
        cdef Py_ssize_t wanted, at = 0
        cdef int which, row, s
        cdef f32* inner
        if what not in names:
            raise ValueError(f"there are {', '.join(names)}, not {what}")
        which = names.index(what)
        wanted = self.size if which < 3 else self.net_size
        if flat is None or flat.shape[0] != wanted:
            raise ValueError(f"{wanted} numbers are needed")
        inner = self.values[which] if which < 3 else (self.merged if which == 3 else self.benches[0].gradient)
        if which < 3 and self.shared[which] != NULL:
            for row in range(TRAIN_INPUTS):
                for s in range(self.shape.slices):
                    copy_floats(self.shared[which] + (<Py_ssize_t>s * TRAIN_INPUTS + row) * LANES, &flat[at], LANES,
                                inwards)
                    at += LANES
        for row in range(self.shape.bias_row + FIXED_ROWS):
            for s in range(self.shape.slices):
                copy_floats(inner + s * self.shape.slice_floats + row * LANES, &flat[at], LANES, inwards)
                at += LANES
        copy_floats(inner + self.shape.slices * self.shape.slice_floats, &flat[at], TRAIN_BUCKETS, inwards)
        return 0

    cdef void merge(self) noexcept:
        """The weights of each bucket from the shared ones and its own."""
        cdef Py_ssize_t row, bucket, s, at
        cdef f32* common
        cdef int i
        if self.merged == self.values[0]:
            return
        memcpy(self.merged, self.values[0], self.floats * sizeof(f32))
        for s in range(self.shape.slices):
            for row in range(TRAIN_INPUTS):
                common = self.shared[0] + (s * TRAIN_INPUTS + row) * LANES
                for bucket in range(self.shape.king_buckets):
                    at = s * self.shape.slice_floats + (bucket * TRAIN_INPUTS + row) * LANES
                    for i in range(LANES):
                        self.merged[at + i] = common[i] + self.values[0][at + i]

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
            bad = run_positions(self.merged, &self.shape, bench, start, available, places, first, count, blend,
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

    def apply(self, double rate, double decay, i64 step, double clip, int part=0, int parts=1):
        """A step of AdamW with the gradients of all benches, which are zero afterwards.

        `step` counts from 1. Weights end within ±clip (with a factoriser: the merged ones); output biases are
        not clipped. `part` of `parts` does its share of the slices, so that threads can divide the work; the
        last part does the output biases.
        """
        cdef Adam adam
        cdef Py_ssize_t at
        cdef int s
        if step < 1 or clip <= 0:
            raise ValueError("steps count from 1, and clip is above 0")
        if not 0 <= part < parts:
            raise ValueError(f"part must be between 0 and {parts - 1}, got {part}")
        adam.keep_mean = 0.9
        adam.keep_spread = 0.999
        adam.epsilon = 1e-8
        adam.shrink = <f32>(1.0 - rate * decay)
        adam.step = <f32>(rate / (1.0 - pow(0.9, <double>step)))
        adam.spread_scale = <f32>(1.0 / sqrt(1.0 - pow(0.999, <double>step)))
        adam.clip = <f32>clip
        with nogil:
            for s in range(self.shape.slices * part // parts, self.shape.slices * (part + 1) // parts):
                at = s * self.shape.slice_floats
                if self.shape.king_buckets > 1:
                    self.apply_factorised(s, &adam)
                    at += <Py_ssize_t>self.shape.bias_row * LANES
                while at < (s + 1) * self.shape.slice_floats:
                    self.apply_row(at, &adam)
                    at += LANES
            if part == parts - 1:
                adam.clip = 1e30
                self.apply_row(self.shape.slices * self.shape.slice_floats, &adam)

    cdef void gather(self, Py_ssize_t at) noexcept nogil:
        """A row of the gradient: the first bench gets those of the others, and these become zero."""
        cdef int bench
        for bench in range(1, self.bench_count):
            add_row(self.benches[0].gradient + at, self.benches[bench].gradient + at)
            memset(self.benches[bench].gradient + at, 0, LANES * sizeof(f32))

    cdef void apply_row(self, Py_ssize_t at, const Adam* adam) noexcept nogil:
        self.gather(at)
        adam_row(self.values[0] + at, self.values[1] + at, self.values[2] + at, self.benches[0].gradient + at, adam)
        if self.merged != self.values[0]:
            memcpy(self.merged + at, self.values[0] + at, LANES * sizeof(f32))

    cdef void apply_factorised(self, int s, const Adam* adam) noexcept nogil:
        """The feature rows of a slice: the shared row learns from all buckets, then each bucket's own does."""
        cdef f32 whole[LANES]
        cdef Py_ssize_t row, bucket, at, common
        for row in range(TRAIN_INPUTS):
            common = (<Py_ssize_t>s * TRAIN_INPUTS + row) * LANES
            memset(whole, 0, sizeof(whole))
            for bucket in range(self.shape.king_buckets):
                at = s * self.shape.slice_floats + (bucket * TRAIN_INPUTS + row) * LANES
                self.gather(at)
                add_row(whole, self.benches[0].gradient + at)
            adam_row(self.shared[0] + common, self.shared[1] + common, self.shared[2] + common, whole, adam)
            for bucket in range(self.shape.king_buckets):
                at = s * self.shape.slice_floats + (bucket * TRAIN_INPUTS + row) * LANES
                adam_row(self.values[0] + at, self.values[1] + at, self.values[2] + at,
                         self.benches[0].gradient + at, adam)
                merge_row(self.merged + at, self.shared[0] + common, self.values[0] + at, adam.clip)
