# Pawn structure: terms that depend on the pawns alone, cached by pawn key.

cdef enum:
    PAWN_CACHE_SIZE = 8192      # entries per thread; a power of two

ctypedef struct PawnEntry:
    u64 key                     # the complement of the pawn key: zeroed memory is an empty cache
    u64 passed                  # passed pawns of both colours
    i32 score                   # packed, White's side
    i32 unused


cdef u64 NEIGHBOUR_FILES[8]
cdef u64 FORWARD_FILE[2][64]    # the squares in front on the file
cdef u64 PASSED_SPAN[2][64]     # the squares in front on the file and its neighbours
cdef u8 DISTANCE[64][64]        # king steps


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
            # All neighbours are further advanced, and an enemy pawn guards the square in front.
            add_term(e, W_PAWN_BACKWARD + ((opp & FORWARD_FILE[us][sq]) == 0), 1, us, traced)
        if stoppers == 0:
            if ahead == 0:
                e.passed |= square_bit(sq)
                add_term(e, W_PASSED + r, 1, us, traced)
        elif (opp & FORWARD_FILE[us][sq]) == 0 and popcount(stoppers) <= popcount(support | phalanx):
            add_term(e, W_PAWN_CANDIDATE + r, 1, us, traced)


cdef inline void evaluate_pawns(const Position* pos, Eval* e, PawnEntry* cache, const bint traced) noexcept nogil:
    """Adds the pawn terms and sets `passed`, from the cache if possible."""
    cdef PawnEntry* entry = NULL
    if not traced:
        entry = &cache[pos.st.pawn_key & (PAWN_CACHE_SIZE - 1)]
        if entry.key == ~pos.st.pawn_key:
            e.score += entry.score
            e.passed = entry.passed
            return
    e.pawn_score = e.score
    e.passed = 0
    evaluate_pawns_of(pos, e, WHITE, traced)
    evaluate_pawns_of(pos, e, BLACK, traced)
    if not traced:
        entry.key = ~pos.st.pawn_key
        entry.score = e.score - e.pawn_score
        entry.passed = e.passed
