# Net: the weights of a neural evaluation, passed from Python. cythera.net.file reads and checks the file; here only
# sizes are checked, and the weights are copied to aligned memory.

cdef class Net:
    """Quantised weights, shared by all searchers that use them."""
    cdef Network network
    cdef void* memory

    def __cinit__(self, bytes payload not None, int hidden, int scale=400, kings=None):
        """`kings`: the bucket of the own king by its square, a1 b1 c1 d1 a2 … d8; None for one bucket."""
        cdef size_t units = <size_t>max(hidden, 0)
        cdef size_t count
        cdef const char* data = payload
        cdef i16* at
        cdef int sq, mirrored
        buckets = (0,) * 32 if kings is None else tuple(kings)
        if not NET_BLOCK <= hidden <= NET_LARGEST or hidden % NET_BLOCK:
            raise ValueError(f"hidden units must be a multiple of {NET_BLOCK} up to {NET_LARGEST}, got {hidden}")
        if len(buckets) != 32 or set(buckets) != set(range(max(buckets) + 1)) or max(buckets) >= NET_KING_BUCKETS:
            raise ValueError(f"king buckets must be 32 numbers from 0 on, without gaps, below {NET_KING_BUCKETS}")
        self.network.king_buckets = max(buckets) + 1
        count = (NET_INPUTS * <size_t>self.network.king_buckets + 1 + 2 * NET_BUCKETS) * units
        if <size_t>len(payload) != count * sizeof(i16) + NET_BUCKETS * sizeof(i32):
            raise ValueError(f"{len(payload)} bytes are not the weights of a net with {hidden} hidden units")
        if not NET_SCALE_LEAST <= scale <= NET_SCALE_LARGEST:
            raise ValueError(f"scale must be between {NET_SCALE_LEAST} and {NET_SCALE_LARGEST}, got {scale}")
        self.memory = malloc(count * sizeof(i16) + 64)
        if self.memory == NULL:
            raise MemoryError
        for sq in range(64):
            mirrored = sq >> 2 & 1
            self.network.views[sq] = <u8>(mirrored | <int>buckets[4 * (sq >> 3) + ((sq ^ 7 * mirrored) & 3)] << 1)
        at = <i16*>align_up(self.memory, 64)
        memcpy(at, data, count * sizeof(i16))
        memcpy(self.network.output_biases, data + count * sizeof(i16), NET_BUCKETS * sizeof(i32))
        self.network.hidden = hidden
        self.network.scale = scale
        self.network.features = at
        self.network.biases = at + NET_INPUTS * <size_t>self.network.king_buckets * units
        self.network.outputs = self.network.biases + units

    def __dealloc__(self):
        free(self.memory)

    @property
    def hidden(self):
        """Hidden units per side."""
        return self.network.hidden

    @property
    def king_buckets(self):
        return self.network.king_buckets

    def evaluate(self, Board board not None):
        """Centipawns from the side to move, computed from the definition."""
        return neural_plain(&self.network, &board.pos, 0)

    def with_endgames(self, Board board not None):
        """The same, scaled by what is known of endgames: what the search uses."""
        return with_endgames(&board.pos, neural_plain(&self.network, &board.pos, 0))

    def piece_values(self, Board board not None):
        """What each piece except the kings is worth to its side: the change of the evaluation, in centipawns, when it
        is removed. A dict from square to value."""
        cdef int whole = neural_plain(&self.network, &board.pos, 0)
        cdef int sq, value
        cdef u64 rest = occupied_of(&board.pos) & ~board.pos.pieces[KING]
        values = {}
        while rest:
            sq = ctz(rest)
            value = whole - neural_plain(&self.network, &board.pos, square_bit(sq))
            values[sq] = value if colour_of(board.pos.board[sq]) == board.pos.side else -value
            rest = without_lowest(rest)
        return values
