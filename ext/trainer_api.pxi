# Training for Python: shuffling, and Trainer, a net in training.

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

    `scale` is the score in centipawns of an output of 1.0, which is taken for a chance of
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
        if not 0 < hidden <= NET_LARGEST or hidden % LANES:
            raise ValueError(f"hidden units must be a multiple of {LANES} up to {NET_LARGEST}, got {hidden}")
        if not 1 <= threads <= MAX_TRAIN_THREADS:
            raise ValueError(f"threads must be between 1 and {MAX_TRAIN_THREADS}, got {threads}")
        if len(buckets) != 32 or set(buckets) != set(range(max(buckets) + 1)) or max(buckets) >= NET_KING_BUCKETS:
            raise ValueError(f"king buckets must be 32 numbers from 0 on, without gaps, below {NET_KING_BUCKETS}")
        for sq in range(64):
            mirrored = sq >> 2 & 1
            self.shape.views[sq] = <u8>(mirrored | <int>buckets[4 * (sq >> 3) + ((sq ^ 7 * mirrored) & 3)] << 1)
        self.shape.king_buckets = max(buckets) + 1
        self.shape.slices = hidden // LANES
        self.shape.bias_row = NET_INPUTS * self.shape.king_buckets
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
                self.shared[i] = aligned_floats(<Py_ssize_t>self.shape.slices * NET_INPUTS * LANES)
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
        return self.shape.slices * self.shape.slice_floats + NET_BUCKETS

    @property
    def size(self):
        """How many parameters there are, those of the factoriser included."""
        return self.net_size + (self.hidden * NET_INPUTS if self.shape.king_buckets > 1 else 0)

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
            for row in range(NET_INPUTS):
                for s in range(self.shape.slices):
                    copy_floats(self.shared[which] + (<Py_ssize_t>s * NET_INPUTS + row) * LANES, &flat[at], LANES,
                                inwards)
                    at += LANES
        for row in range(self.shape.bias_row + FIXED_ROWS):
            for s in range(self.shape.slices):
                copy_floats(inner + s * self.shape.slice_floats + row * LANES, &flat[at], LANES, inwards)
                at += LANES
        copy_floats(inner + self.shape.slices * self.shape.slice_floats, &flat[at], NET_BUCKETS, inwards)
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
            for row in range(NET_INPUTS):
                common = self.shared[0] + (s * NET_INPUTS + row) * LANES
                for bucket in range(self.shape.king_buckets):
                    at = s * self.shape.slice_floats + (bucket * NET_INPUTS + row) * LANES
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
        for row in range(NET_INPUTS):
            common = (<Py_ssize_t>s * NET_INPUTS + row) * LANES
            memset(whole, 0, sizeof(whole))
            for bucket in range(self.shape.king_buckets):
                at = s * self.shape.slice_floats + (bucket * NET_INPUTS + row) * LANES
                self.gather(at)
                add_row(whole, self.benches[0].gradient + at)
            adam_row(self.shared[0] + common, self.shared[1] + common, self.shared[2] + common, whole, adam)
            for bucket in range(self.shape.king_buckets):
                at = s * self.shape.slice_floats + (bucket * NET_INPUTS + row) * LANES
                adam_row(self.values[0] + at, self.values[1] + at, self.values[2] + at,
                         self.benches[0].gradient + at, adam)
                merge_row(self.merged + at, self.shared[0] + common, self.values[0] + at, adam.clip)
