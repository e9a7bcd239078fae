# Net: the weights of a neural evaluation as Python hands them over. The file and its checks are
# cythera.net.file; here only sizes are looked at, and the weights copied to where vector loads like them.

cdef class Net:
    """Quantised weights, shared by all searchers that use them."""
    cdef Network network
    cdef void* memory

    def __cinit__(self, bytes payload not None, int hidden, int scale=400):
        cdef size_t units = <size_t>max(hidden, 0)
        cdef size_t count = (NET_INPUTS + 1 + 2 * NET_BUCKETS) * units
        cdef const char* data = payload
        cdef i16* at
        if not NET_BLOCK <= hidden <= NET_LARGEST or hidden % NET_BLOCK:
            raise ValueError(f"a net has {NET_BLOCK}, {2 * NET_BLOCK} … {NET_LARGEST} hidden units, not {hidden}")
        if <size_t>len(payload) != count * sizeof(i16) + NET_BUCKETS * sizeof(i32):
            raise ValueError(f"{len(payload)} bytes are not the weights of a net with {hidden} hidden units")
        if not NET_SCALE_LEAST <= scale <= NET_SCALE_LARGEST:
            raise ValueError(f"an output of 1.0 is {NET_SCALE_LEAST} to {NET_SCALE_LARGEST} centipawns, not {scale}")
        self.memory = malloc(count * sizeof(i16) + 64)
        if self.memory == NULL:
            raise MemoryError
        at = <i16*>align_up(self.memory, 64)
        memcpy(at, data, count * sizeof(i16))
        memcpy(self.network.output_biases, data + count * sizeof(i16), NET_BUCKETS * sizeof(i32))
        self.network.hidden = hidden
        self.network.scale = scale
        self.network.features = at
        self.network.biases = at + NET_INPUTS * units
        self.network.outputs = at + (NET_INPUTS + 1) * units

    def __dealloc__(self):
        free(self.memory)

    @property
    def hidden(self):
        """Hidden units a side."""
        return self.network.hidden

    def evaluate(self, Board board not None):
        """Centipawns from the side to move, computed from the definition."""
        return neural_plain(&self.network, &board.pos, 0)

    def with_endgames(self, Board board not None):
        """The same, scaled by what is known of endgames: what the search uses."""
        return with_endgames(&board.pos, neural_plain(&self.network, &board.pos, 0))

    def piece_values(self, Board board not None):
        """What each piece but the kings is worth to its side: how much the evaluation changes, in
        centipawns, when it is taken off. A dict from square to value."""
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
