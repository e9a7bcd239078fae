# Endgame knowledge: how much an advantage is worth when little material is left, and mop-up evaluation.

# King and pawn against king, solved: one bit for each (White's king, Black's king, pawn on files a-d,
# side to move) saying that White, who has the pawn, wins. Solved when first needed, in a few milliseconds, by
# one thread; others that need it meanwhile wait.
cpdef enum:
    FULL_SCALE = 64             # endgame scores are multiplied by scale / FULL_SCALE

cdef enum:
    SCALE_KNOWN = 40            # a scale below this is specific knowledge; from it on it only counts pawns
    SCALE_DRAWN = 0
    SCALE_PIECE_AGAINST_PIECE = 8       # rook against rook or minor piece; two minor pieces against a piece
    SCALE_ROOK_AND_MINOR = 16   # rook and minor piece against rook
    SCALE_EQUAL_COUNT = 24      # as many pieces on both sides, no pawns
    SCALE_OPPOSITE_BISHOPS = 16         # bishops of opposite colours and no other pieces, …
    SCALE_OPPOSITE_PAWN = 4     # … more for each pawn
    SCALE_OPPOSITE_PIECES = 44          # bishops of opposite colours with other pieces, …
    SCALE_OPPOSITE_PIECES_PAWN = 2      # … more for each pawn
    SCALE_NO_PAWNS = 40         # otherwise …
    SCALE_PAWN = 5              # … more for each pawn
    MOP_UP_BASE = 1000          # centipawns for a bare king that can be mated
    MOP_UP_EDGE = 20            # for each step of the bare king towards the edge
    MOP_UP_KINGS = 10           # off for each step between the kings
    MOP_UP_CORNER = 40          # off for each step to a corner of the bishop's colour
    KPK_SIZE = 2 * 24 * 64 * 64
    KPK_UNKNOWN = 0
    KPK_INVALID = 1
    KPK_DRAW = 2
    KPK_WIN = 4

cdef u8 KPK[KPK_SIZE]
cdef int kpk_claims = 0         # threads that found it unsolved
cdef int kpk_ready = 0


cdef inline int kpk_index(int side, int pawn, int white_king, int black_king) noexcept nogil:
    """`pawn` is on files a to d and ranks 2 to 7."""
    return white_king | black_king << 6 | side << 12 | (file_of(pawn) + 4 * (rank_of(pawn) - 1)) << 13


cdef int kpk_start_value(int side, int pawn, int wk, int bk) noexcept nogil:
    """The value that is known without looking ahead."""
    if DISTANCE[wk][bk] <= 1 or wk == pawn or bk == pawn:
        return KPK_INVALID
    if side == WHITE:
        if PAWN_ATTACKS[WHITE][pawn] & square_bit(bk):
            return KPK_INVALID
        # The pawn promotes and the queen is not lost at once.
        if (rank_of(pawn) == 6 and wk != pawn + 8 and bk != pawn + 8
                and (DISTANCE[bk][pawn + 8] > 1 or DISTANCE[wk][pawn + 8] == 1)):
            return KPK_WIN
        return KPK_UNKNOWN
    # Black is stalemated, or captures the pawn.
    if not KING_ATTACKS[bk] & ~(KING_ATTACKS[wk] | PAWN_ATTACKS[WHITE][pawn]):
        return KPK_DRAW
    if KING_ATTACKS[bk] & square_bit(pawn) & ~KING_ATTACKS[wk]:
        return KPK_DRAW
    return KPK_UNKNOWN


cdef int kpk_from_children(const u8* table, int side, int pawn, int wk, int bk) noexcept nogil:
    cdef u64 steps = KING_ATTACKS[wk] if side == WHITE else KING_ATTACKS[bk]
    cdef int seen = 0
    while steps:
        if side == WHITE:
            seen |= table[kpk_index(BLACK, pawn, ctz(steps), bk)]
        else:
            seen |= table[kpk_index(WHITE, pawn, wk, ctz(steps))]
        steps = without_lowest(steps)
    if side == WHITE:
        if rank_of(pawn) < 6 and pawn + 8 != wk and pawn + 8 != bk:
            seen |= table[kpk_index(BLACK, pawn + 8, wk, bk)]
            if rank_of(pawn) == 1 and pawn + 16 != wk and pawn + 16 != bk:
                seen |= table[kpk_index(BLACK, pawn + 16, wk, bk)]
        if seen & KPK_WIN:
            return KPK_WIN
        return KPK_UNKNOWN if has_unknown(table, side, pawn, wk, bk) else KPK_DRAW
    if seen & KPK_DRAW:
        return KPK_DRAW
    return KPK_UNKNOWN if has_unknown(table, side, pawn, wk, bk) else KPK_WIN


cdef bint has_unknown(const u8* table, int side, int pawn, int wk, int bk) noexcept nogil:
    """Some move leads to a position not yet decided."""
    cdef u64 steps = KING_ATTACKS[wk] if side == WHITE else KING_ATTACKS[bk]
    cdef int index
    while steps:
        index = kpk_index(BLACK, pawn, ctz(steps), bk) if side == WHITE else kpk_index(WHITE, pawn, wk, ctz(steps))
        if table[index] == KPK_UNKNOWN:
            return True
        steps = without_lowest(steps)
    if side == WHITE and rank_of(pawn) < 6 and pawn + 8 != wk and pawn + 8 != bk:
        if table[kpk_index(BLACK, pawn + 8, wk, bk)] == KPK_UNKNOWN:
            return True
        if (rank_of(pawn) == 1 and pawn + 16 != wk and pawn + 16 != bk
                and table[kpk_index(BLACK, pawn + 16, wk, bk)] == KPK_UNKNOWN):
            return True
    return False


cdef void solve_kpk() noexcept nogil:
    """Retrograde analysis by repeated passes until nothing changes; positions left undecided are draws."""
    cdef int side, pawn, wk, bk, index, found, slot
    cdef bint changed = True
    for slot in range(24):
        pawn = (slot & 3) + 8 * ((slot >> 2) + 1)
        for side in range(2):
            for wk in range(64):
                for bk in range(64):
                    KPK[kpk_index(side, pawn, wk, bk)] = <u8>kpk_start_value(side, pawn, wk, bk)
    while changed:
        changed = False
        for slot in range(23, -1, -1):
            pawn = (slot & 3) + 8 * ((slot >> 2) + 1)
            for side in range(2):
                for wk in range(64):
                    for bk in range(64):
                        index = kpk_index(side, pawn, wk, bk)
                        if KPK[index] == KPK_UNKNOWN:
                            found = kpk_from_children(KPK, side, pawn, wk, bk)
                            if found != KPK_UNKNOWN:
                                KPK[index] = <u8>found
                                changed = True


cdef void need_kpk() noexcept nogil:
    """Returns when the table is complete."""
    if atomic_fetch_add(&kpk_claims, 1) == 0:
        solve_kpk()
        atomic_store(&kpk_ready, 1)
    while not atomic_load(&kpk_ready):
        pass


cdef bint kpk_wins(const Position* pos, int strong) noexcept nogil:
    """Whether the side with the pawn wins king and pawn against king."""
    cdef int flip = 56 * strong
    cdef int pawn = ctz(pos.pieces[PAWN]) ^ flip
    cdef int wk = king_square(pos, strong) ^ flip
    cdef int bk = king_square(pos, strong ^ 1) ^ flip
    if file_of(pawn) > 3:
        pawn ^= 7
        wk ^= 7
        bk ^= 7
    if not atomic_load(&kpk_ready):
        need_kpk()
    return KPK[kpk_index(pos.side ^ strong, pawn, wk, bk)] == KPK_WIN


cdef int endgame_scale(const Position* pos, int eg) noexcept nogil:
    """How much of the endgame score counts, in 64ths, given who is ahead."""
    cdef int strong = WHITE if eg > 0 else BLACK
    cdef int weak = strong ^ 1
    cdef u64 own = pos.colours[strong]
    cdef u64 opp = pos.colours[weak]
    cdef u64 pawns = pos.pieces[PAWN] & own
    cdef u64 bishops = pos.pieces[BISHOP]
    cdef u64 pieces = own & ~pos.pieces[PAWN] & ~pos.pieces[KING]
    cdef u64 enemy_pieces = opp & ~pos.pieces[PAWN] & ~pos.pieces[KING]
    cdef u64 minors = pos.pieces[KNIGHT] | bishops
    cdef int corner
    if pieces == 0 and enemy_pieces == 0 and popcount(pos.pieces[PAWN]) == 1:
        return FULL_SCALE if kpk_wins(pos, strong if pawns else weak) else SCALE_DRAWN
    if pawns == 0:
        # Without pawns it takes more than a minor piece to win.
        if pieces & ~minors == 0:
            if popcount(pieces) <= 1:
                return SCALE_DRAWN
            if popcount(pieces) == 2 and pieces & ~pos.pieces[KNIGHT] == 0:
                return SCALE_DRAWN      # two knights
            if enemy_pieces and popcount(pieces) == 2:
                return SCALE_PIECE_AGAINST_PIECE
        elif (popcount(pieces) == 1 and popcount(enemy_pieces) == 1 and pieces & pos.pieces[ROOK]
              and enemy_pieces & (minors | pos.pieces[ROOK])):
            return SCALE_PIECE_AGAINST_PIECE
        elif (popcount(pieces) == 2 and popcount(enemy_pieces) == 1 and pieces & pos.pieces[ROOK]
              and pieces & minors and enemy_pieces & pos.pieces[ROOK]):
            return SCALE_ROOK_AND_MINOR
        elif popcount(pieces) == popcount(enemy_pieces) and not (popcount(pieces) == 1 and pieces & pos.pieces[QUEEN]
                                                                 and not enemy_pieces & pos.pieces[QUEEN]):
            return SCALE_EQUAL_COUNT    # but a queen beats any other single piece
    # The wrong bishop: only rook pawns, and the enemy king holds a corner of the other colour.
    if (pawns and (pawns & ~FILE_A == 0 or pawns & ~FILE_H == 0)
            and pieces & ~bishops == 0 and popcount(pieces) <= 1 and enemy_pieces == 0):
        corner = file_of(ctz(pawns)) + (56 if strong == WHITE else 0)
        if DISTANCE[king_square(pos, weak)][corner] <= 1:
            if pieces == 0 or (LIGHT_SQUARES >> ctz(pieces) & 1) != (LIGHT_SQUARES >> corner & 1):
                return SCALE_DRAWN
    # Bishops of opposite colours.
    if (popcount(own & bishops) == 1 and popcount(opp & bishops) == 1
            and (bishops & LIGHT_SQUARES) != 0 and (bishops & DARK_SQUARES) != 0):
        if pieces & ~bishops == 0 and enemy_pieces & ~bishops == 0:
            return min_int(SCALE_OPPOSITE_BISHOPS + SCALE_OPPOSITE_PAWN * popcount(pawns), SCALE_KNOWN)
        return min_int(SCALE_OPPOSITE_PIECES + SCALE_OPPOSITE_PIECES_PAWN * popcount(pawns), FULL_SCALE)
    # Few pawns win less often.
    return min_int(SCALE_NO_PAWNS + SCALE_PAWN * popcount(pawns), FULL_SCALE)


cdef bint mates_bare_king(const Position* pos, int strong) noexcept nogil:
    """No pawns, the other side has only its king, and the pieces are enough to mate it."""
    cdef u64 own = pos.colours[strong] & ~pos.pieces[KING]
    cdef u64 bishops = own & pos.pieces[BISHOP]
    if pos.pieces[PAWN] or pos.colours[strong ^ 1] & ~pos.pieces[KING]:
        return False
    return (own & (pos.pieces[ROOK] | pos.pieces[QUEEN]) != 0 or popcount(own & pos.pieces[KNIGHT]) >= 3
            or (bishops & LIGHT_SQUARES != 0 and bishops & DARK_SQUARES != 0)
            or (bishops != 0 and own & pos.pieces[KNIGHT] != 0))


cdef int mop_up(const Position* pos, int strong) noexcept nogil:
    """Mop-up evaluation of a won ending against a bare king, centipawns: drives its king to the edge and ours next to
    it; with bishop and knight to a corner of the bishop's colour."""
    cdef u64 own = pos.colours[strong]
    cdef int ours = king_square(pos, strong)
    cdef int bare = king_square(pos, strong ^ 1)
    cdef int file = file_of(bare), rank = rank_of(bare)
    cdef int value = MOP_UP_BASE, pt
    for pt in range(KNIGHT, KING):
        value += SEE_VALUES[pt] * popcount(own & pos.pieces[pt])
    value += (MOP_UP_EDGE * (max_int(3 - file, file - 4) + max_int(3 - rank, rank - 4))
              - MOP_UP_KINGS * DISTANCE[ours][bare])
    if own & (pos.pieces[ROOK] | pos.pieces[QUEEN]) == 0 and popcount(own & pos.pieces[BISHOP]) == 1:
        if own & pos.pieces[BISHOP] & LIGHT_SQUARES:
            file = 7 - file             # mirrored: as for a dark bishop, with the corners a1 and h8
        value -= MOP_UP_CORNER * min_int(file + rank, 14 - file - rank)
    return value
