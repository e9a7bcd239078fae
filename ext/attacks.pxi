# Attacks: the squares a piece attacks, from tables filled once at import (2–3 ms).

cdef u64 KNIGHT_ATTACKS[64]
cdef u64 KING_ATTACKS[64]
cdef u64 PAWN_ATTACKS[2][64]        # by the pawn's colour and square
cdef u64 ROOK_RAYS[64]              # a rook's reach on an empty board
cdef u64 BISHOP_RAYS[64]

# Sliders: the blockers on `mask` give an index into a square's slice of one shared array.
ctypedef struct Slider:
    u64 mask            # squares whose occupation matters (edges left out)
    u64* attacks        # this square's slice
    u64 magic
    i32 shift           # 64 - popcount(mask)
    i32 unused

cdef enum:
    ROOK_TABLE_SIZE = 102400
    BISHOP_TABLE_SIZE = 5248

cdef Slider ROOK_SLIDERS[64]
cdef Slider BISHOP_SLIDERS[64]
cdef u64 ROOK_TABLE[ROOK_TABLE_SIZE]
cdef u64 BISHOP_TABLE[BISHOP_TABLE_SIZE]


cdef inline u64 slider_index(const Slider* slider, u64 occupied) noexcept nogil:
    if USE_PEXT:
        return pext(occupied, slider.mask)
    return ((occupied & slider.mask) * slider.magic) >> slider.shift


cdef inline u64 rook_attacks(int sq, u64 occupied) noexcept nogil:
    return ROOK_SLIDERS[sq].attacks[slider_index(&ROOK_SLIDERS[sq], occupied)]


cdef inline u64 bishop_attacks(int sq, u64 occupied) noexcept nogil:
    return BISHOP_SLIDERS[sq].attacks[slider_index(&BISHOP_SLIDERS[sq], occupied)]


cdef inline u64 queen_attacks(int sq, u64 occupied) noexcept nogil:
    return rook_attacks(sq, occupied) | bishop_attacks(sq, occupied)


cdef inline u64 attacks_of(int pt, int sq, u64 occupied) noexcept nogil:
    """Attacks of a piece other than a pawn."""
    if pt == KNIGHT:
        return KNIGHT_ATTACKS[sq]
    if pt == BISHOP:
        return bishop_attacks(sq, occupied)
    if pt == ROOK:
        return rook_attacks(sq, occupied)
    if pt == QUEEN:
        return queen_attacks(sq, occupied)
    return KING_ATTACKS[sq]


cdef u64 ray_attacks(int sq, int file_step, int rank_step, u64 occupied) noexcept nogil:
    """Squares from `sq` in one direction, up to and including the first blocker."""
    cdef int f = file_of(sq) + file_step
    cdef int r = rank_of(sq) + rank_step
    cdef u64 reached = 0
    while 0 <= f <= 7 and 0 <= r <= 7:
        reached |= square_bit(8 * r + f)
        if occupied & square_bit(8 * r + f):
            break
        f += file_step
        r += rank_step
    return reached


cdef u64 slider_rays(int sq, bint diagonal, u64 occupied) noexcept nogil:
    if diagonal:
        return (ray_attacks(sq, 1, 1, occupied) | ray_attacks(sq, 1, -1, occupied)
                | ray_attacks(sq, -1, 1, occupied) | ray_attacks(sq, -1, -1, occupied))
    return (ray_attacks(sq, 1, 0, occupied) | ray_attacks(sq, -1, 0, occupied)
            | ray_attacks(sq, 0, 1, occupied) | ray_attacks(sq, 0, -1, occupied))


cdef u64 step_attacks(int sq, const int* file_steps, const int* rank_steps, int count) noexcept nogil:
    cdef u64 reached = 0
    cdef int i, f, r
    for i in range(count):
        f = file_of(sq) + file_steps[i]
        r = rank_of(sq) + rank_steps[i]
        if 0 <= f <= 7 and 0 <= r <= 7:
            reached |= square_bit(8 * r + f)
    return reached


cdef void fill_sliders(Slider* sliders, u64* table, bint diagonal) noexcept nogil:
    cdef u64 edges, blockers
    cdef u64* slot = table
    cdef int sq
    for sq in range(64):
        edges = (((RANK_1 | RANK_8) & ~(RANK_1 << (8 * rank_of(sq))))
                 | ((FILE_A | FILE_H) & ~(FILE_A << file_of(sq))))
        sliders[sq].mask = slider_rays(sq, diagonal, 0) & ~edges
        sliders[sq].shift = 64 - popcount(sliders[sq].mask)
        sliders[sq].magic = BISHOP_MAGICS[sq] if diagonal else ROOK_MAGICS[sq]
        sliders[sq].attacks = slot
        blockers = 0
        while True:     # every subset of the mask
            slot[slider_index(&sliders[sq], blockers)] = slider_rays(sq, diagonal, blockers)
            blockers = (blockers - sliders[sq].mask) & sliders[sq].mask
            if blockers == 0:
                break
        slot += square_bit(popcount(sliders[sq].mask))


cdef void fill_attack_tables() noexcept nogil:
    cdef int* knight_files = [1, 2, 2, 1, -1, -2, -2, -1]
    cdef int* knight_ranks = [2, 1, -1, -2, -2, -1, 1, 2]
    cdef int* king_files = [1, 1, 1, 0, 0, -1, -1, -1]
    cdef int* king_ranks = [1, 0, -1, 1, -1, 1, 0, -1]
    cdef int a, b
    for a in range(64):
        KNIGHT_ATTACKS[a] = step_attacks(a, knight_files, knight_ranks, 8)
        KING_ATTACKS[a] = step_attacks(a, king_files, king_ranks, 8)
        PAWN_ATTACKS[WHITE][a] = pawn_attacks_of(square_bit(a), WHITE)
        PAWN_ATTACKS[BLACK][a] = pawn_attacks_of(square_bit(a), BLACK)
        ROOK_RAYS[a] = slider_rays(a, False, 0)
        BISHOP_RAYS[a] = slider_rays(a, True, 0)
    fill_sliders(ROOK_SLIDERS, ROOK_TABLE, False)
    fill_sliders(BISHOP_SLIDERS, BISHOP_TABLE, True)
    for a in range(64):
        for b in range(64):
            BETWEEN[a][b] = square_bit(b)
            LINE[a][b] = 0
            if a == b:
                continue
            if ROOK_RAYS[a] & square_bit(b):
                LINE[a][b] = (ROOK_RAYS[a] & ROOK_RAYS[b]) | square_bit(a) | square_bit(b)
                BETWEEN[a][b] |= rook_attacks(a, square_bit(b)) & rook_attacks(b, square_bit(a))
            elif BISHOP_RAYS[a] & square_bit(b):
                LINE[a][b] = (BISHOP_RAYS[a] & BISHOP_RAYS[b]) | square_bit(a) | square_bit(b)
                BETWEEN[a][b] |= bishop_attacks(a, square_bit(b)) & bishop_attacks(b, square_bit(a))


fill_attack_tables()
