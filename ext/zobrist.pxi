# Zobrist keys: random words whose xor identifies a position. Seeded, so that keys are equal on every machine.

cdef u64 PIECE_KEYS[16][64]     # by coloured piece and square; the rows of EMPTY stay zero
cdef u64 CASTLING_KEYS[16]      # by the set of rights
cdef u64 EP_KEYS[65]            # by square; EP_KEYS[NO_SQ] is zero, so no branch is needed
cdef u64 SIDE_KEY               # xored when Black is to move


cdef inline u64 splitmix(u64* state) noexcept nogil:
    """The next word of Steele, Lea and Flood's SplitMix64 sequence."""
    cdef u64 z
    state[0] += 0x9E3779B97F4A7C15ULL
    z = state[0]
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef void fill_zobrist() noexcept nogil:
    cdef u64 state = 0x43797468657261ULL    # "Cythera"
    cdef u64 rights[4]
    cdef int pc, sq, i, mask
    global SIDE_KEY
    for pc in range(16):
        for sq in range(64):
            PIECE_KEYS[pc][sq] = splitmix(&state) if type_of(pc) <= KING else 0
    for i in range(4):
        rights[i] = splitmix(&state)
    for mask in range(16):
        CASTLING_KEYS[mask] = 0
        for i in range(4):
            if mask >> i & 1:
                CASTLING_KEYS[mask] ^= rights[i]
    for sq in range(64):
        EP_KEYS[sq] = 0
    for i in range(8):
        EP_KEYS[16 + i] = EP_KEYS[40 + i] = splitmix(&state)
    EP_KEYS[NO_SQ] = 0
    SIDE_KEY = splitmix(&state)


fill_zobrist()
