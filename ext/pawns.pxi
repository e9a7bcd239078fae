# Pawn structure: what can be said of the pawns alone, cached by pawn key. Also the machinery of a
# traced linear sum that the whole classical evaluation uses.
#
# A weight holds middlegame and endgame in one 32-bit word, so that both are added at once. The
# table W and the W_… offsets into it are generated from ext/weights.txt.

include "weights.pxi"       # generated: W, W_…, WEIGHT_COUNT, WEIGHT_NAMES

cdef enum:
    PAWN_CACHE_SIZE = 8192      # entries a thread; a power of two

ctypedef struct PawnEntry:
    u64 key
    u64 passed                  # passed pawns of both colours
    i32 score                   # packed, White's side
    i32 unused

# Everything one evaluation collects. Arrays are by colour; piece sets by type, [6] for all types.
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

cdef u64 NEIGHBOUR_FILES[8]
cdef u64 FORWARD_FILE[2][64]    # the squares in front on the file
cdef u64 PASSED_SPAN[2][64]     # the squares in front on the file and its neighbours
cdef u8 DISTANCE[64][64]        # king steps


cdef i32 PLACEMENT[6][64]       # material plus piece-square weight, seen by White


cdef void fill_placement() noexcept nogil:
    """To be called again whenever weights change."""
    cdef int sq
    for sq in range(64):
        PLACEMENT[PAWN][sq] = W[W_MATERIAL + PAWN] + W[W_PSQT_PAWN + sq]
        PLACEMENT[KNIGHT][sq] = W[W_MATERIAL + KNIGHT] + W[W_PSQT_KNIGHT + sq]
        PLACEMENT[BISHOP][sq] = W[W_MATERIAL + BISHOP] + W[W_PSQT_BISHOP + sq]
        PLACEMENT[ROOK][sq] = W[W_MATERIAL + ROOK] + W[W_PSQT_ROOK + sq]
        PLACEMENT[QUEEN][sq] = W[W_MATERIAL + QUEEN] + W[W_PSQT_QUEEN + sq]
        PLACEMENT[KING][sq] = W[W_PSQT_KING + sq]


fill_placement()


cdef void fill_pawn_tables() noexcept nogil:
    cdef int sq, other, r
    for sq in range(8):
        NEIGHBOUR_FILES[sq] = shift_east(FILE_A << sq) | shift_west(FILE_A << sq)
    for sq in range(64):
        FORWARD_FILE[WHITE][sq] = FORWARD_FILE[BLACK][sq] = 0
        for r in range(8):
            if r > rank_of(sq):
                FORWARD_FILE[WHITE][sq] |= square_bit(8 * r + file_of(sq))
            elif r < rank_of(sq):
                FORWARD_FILE[BLACK][sq] |= square_bit(8 * r + file_of(sq))
        for r in range(2):
            PASSED_SPAN[r][sq] = (FORWARD_FILE[r][sq] | shift_east(FORWARD_FILE[r][sq])
                                  | shift_west(FORWARD_FILE[r][sq]))
        for other in range(64):
            DISTANCE[sq][other] = <u8>max_int(abs_int(file_of(sq) - file_of(other)),
                                              abs_int(rank_of(sq) - rank_of(other)))


fill_pawn_tables()


cdef inline int mg_of(i32 packed) noexcept nogil:
    return <i16>(packed & 0xFFFF)


cdef inline int eg_of(i32 packed) noexcept nogil:
    return <i16>((packed + 0x8000) >> 16)


cdef inline void add_term(Eval* e, int index, int times, const int us, const bint traced) noexcept nogil:
    """Adds a weight to the sum, for White or against."""
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


cdef inline int edge_distance(int f) noexcept nogil:
    return f if f < 4 else 7 - f


cdef inline void evaluate_pawns_of(const Position* pos, Eval* e, const int us, const bint traced) noexcept nogil:
    cdef int them = us ^ 1
    cdef u64 own = pieces_of(pos, us, PAWN)
    cdef u64 opp = pieces_of(pos, them, PAWN)
    cdef u64 rest = own
    cdef u64 neighbours, stoppers, support, phalanx, ahead
    cdef int sq, f, r, stop
    while rest:
        sq = ctz(rest)
        rest = without_lowest(rest)
        f = file_of(sq)
        r = relative_rank(us, sq)
        stop = sq + 8 - 16 * us
        neighbours = own & NEIGHBOUR_FILES[f]
        stoppers = opp & PASSED_SPAN[us][sq]
        support = own & PAWN_ATTACKS[them][sq]
        phalanx = own & (shift_east(square_bit(sq)) | shift_west(square_bit(sq)))
        ahead = own & FORWARD_FILE[us][sq]
        add_placement(e, W_PSQT_PAWN, PAWN, sq, us, traced)
        if ahead:
            add_term(e, W_PAWN_DOUBLED + edge_distance(f), 1, us, traced)
        if phalanx:
            add_term(e, W_PAWN_PHALANX + r, 1, us, traced)
        if support:
            add_term(e, W_PAWN_SUPPORTED + r, popcount(support), us, traced)
        if neighbours == 0:
            add_term(e, W_PAWN_ISOLATED + edge_distance(f), 1, us, traced)
        elif (neighbours & ~PASSED_SPAN[us][stop] & ~square_bit(stop) & ~FORWARD_FILE[us][sq]
              & ~PASSED_SPAN[us][sq]) == 0 and not phalanx and PAWN_ATTACKS[us][stop] & opp:
            # All neighbours have gone ahead, and the square in front is guarded by an enemy pawn.
            add_term(e, W_PAWN_BACKWARD + ((opp & FORWARD_FILE[us][sq]) == 0), 1, us, traced)
        if stoppers == 0:
            if ahead == 0:
                e.passed |= square_bit(sq)
                add_term(e, W_PASSED + r, 1, us, traced)
        elif (opp & FORWARD_FILE[us][sq]) == 0 and popcount(stoppers) <= popcount(support | phalanx):
            add_term(e, W_PAWN_CANDIDATE + r, 1, us, traced)


cdef inline void evaluate_pawns(const Position* pos, Eval* e, PawnEntry* cache, const bint traced) noexcept nogil:
    """Adds the pawn terms and sets `passed`; from the cache if it has them."""
    cdef PawnEntry* entry = NULL
    if not traced:
        entry = &cache[pos.st.pawn_key & (PAWN_CACHE_SIZE - 1)]
        if entry.key == pos.st.pawn_key:
            e.score += entry.score
            e.passed = entry.passed
            return
    e.pawn_score = e.score
    e.passed = 0
    evaluate_pawns_of(pos, e, WHITE, traced)
    evaluate_pawns_of(pos, e, BLACK, traced)
    if not traced:
        entry.key = pos.st.pawn_key
        entry.score = e.score - e.pawn_score
        entry.passed = e.passed
