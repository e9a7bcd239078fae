# Terms: the classical evaluation as a linear sum of weights, added up and, if asked for, traced.
#
# A weight holds its middlegame and endgame halves in one 32-bit word, so that one addition adds both.
# The table W and the offsets W_… into it are generated from ext/weights.txt.

include "weights.pxi"       # generated: W, W_…, WEIGHT_COUNT, WEIGHT_NAMES

# What one evaluation collects. Arrays are by colour; piece sets by type, [6] for all types.
ctypedef struct Eval:
    u64 attacks[2][7]
    u64 attacked_twice[2]
    u64 mobility_area[2]
    u64 king_ring[2]
    u64 passed
    int king_units[2]           # attack units against the other king
    int king_attackers[2]
    i32 score                   # packed, White's side
    i32 pawn_score
    i16* trace                  # [colour][weight]: how often each weight was counted, or NULL

cdef i32 PLACEMENT[6][64]       # material plus piece-square weight, seen by White


cdef inline int mg_of(i32 packed) noexcept nogil:
    return <i16>(packed & 0xFFFF)


cdef inline int eg_of(i32 packed) noexcept nogil:
    return <i16>((packed + 0x8000) >> 16)


cdef void fill_placement() noexcept nogil:
    """Must be called again whenever weights change."""
    cdef int sq
    for sq in range(64):
        PLACEMENT[PAWN][sq] = W[W_MATERIAL + PAWN] + W[W_PSQT_PAWN + sq]
        PLACEMENT[KNIGHT][sq] = W[W_MATERIAL + KNIGHT] + W[W_PSQT_KNIGHT + sq]
        PLACEMENT[BISHOP][sq] = W[W_MATERIAL + BISHOP] + W[W_PSQT_BISHOP + sq]
        PLACEMENT[ROOK][sq] = W[W_MATERIAL + ROOK] + W[W_PSQT_ROOK + sq]
        PLACEMENT[QUEEN][sq] = W[W_MATERIAL + QUEEN] + W[W_PSQT_QUEEN + sq]
        PLACEMENT[KING][sq] = W[W_PSQT_KING + sq]


fill_placement()


cdef inline void add_term(Eval* e, int index, int times, const int us, const bint traced) noexcept nogil:
    """Adds a weight to the sum, in White's favour or in Black's."""
    if us == WHITE:
        e.score += W[index] * times
    else:
        e.score -= W[index] * times
    if traced:
        e.trace[us * WEIGHT_COUNT + index] += <i16>times


cdef inline void add_placement(Eval* e, int table, int pt, int sq, const int us, const bint traced) noexcept nogil:
    """Material and piece-square table; untraced, from a table that holds their sum."""
    cdef int seen = sq if us == WHITE else sq ^ 56
    if traced:
        if pt != KING:
            add_term(e, W_MATERIAL + pt, 1, us, traced)
        add_term(e, table + seen, 1, us, traced)
    elif us == WHITE:
        e.score += PLACEMENT[pt][seen]
    else:
        e.score -= PLACEMENT[pt][seen]
