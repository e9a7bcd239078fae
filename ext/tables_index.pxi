# Table indices: where a Syzygy table keeps the value of a position.
#
# Pieces are placed group by group: equal pieces form a group, and a leading group (three single
# pieces, the two kings, or the pawns of one side) is reduced by the symmetry of the board. A group's
# squares become a number, counted among the squares that earlier groups left free; each number is
# multiplied by the sizes of what comes below it in the order the file names.

cdef enum:
    TABLE_PIECES = 7        # the most pieces of a table, kings included
    TRIPLES = 31332         # placements of three different pieces, up to symmetry
    KING_PAIRS = 462        # placements of two kings that do not touch, up to symmetry

# How the pieces of one table stand in the file, for one side to move and one file of the leading pawn.
ctypedef struct Layout:
    int count               # pieces
    int lead                # pieces in the leading group
    bint pawns              # the leading group is pawns
    u8 pieces[TABLE_PIECES]     # in the format's code: pawn 1 … king 6, Black's with 8 added
    u8 group[TABLE_PIECES]      # size of the group that begins here
    u64 factor[TABLE_PIECES]    # of the group that begins here
    u64 size                # positions in all

cdef u64 CHOOSE[TABLE_PIECES][65]       # binomials: k of n
cdef i8 TRIANGLE[64]                # a1-d1-d4: 0..5 below the diagonal, 6..9 on it
cdef i8 LOWER[64]                   # squares below the diagonal a1-h8: 0..27
cdef i16 KING_PAIR[10][64]          # number of a pair of kings, by the first's triangle; -1 if they touch
cdef u8 PAWN_RANKING[64]            # 47 for a2, 46 for h2, … edge files first
cdef u64 LEAD_PAWNS[TABLE_PIECES][64]   # by how many lead and the first one's square
cdef u64 LEAD_PAWNS_SIZE[TABLE_PIECES][4]


cdef inline int above_diagonal(int sq) noexcept nogil:
    """Positive above the diagonal a1-h8, negative below, 0 on it."""
    return (sq >> 3) - (sq & 7)


cdef void fill_table_indices() noexcept nogil:
    cdef int n, k, sq, first, code, f, r, lead, ranking
    cdef u64 idx
    for n in range(65):
        CHOOSE[0][n] = 1
        for k in range(1, TABLE_PIECES):
            CHOOSE[k][n] = 0 if n == 0 else CHOOSE[k - 1][n - 1] + CHOOSE[k][n - 1]
    code = 0
    for sq in range(64):
        TRIANGLE[sq] = -1
        LOWER[sq] = -1
        if above_diagonal(sq) < 0:
            LOWER[sq] = <i8>code
            code += 1
    code = 0
    for sq in range(32):
        if above_diagonal(sq) < 0 and file_of(sq) < 4:
            TRIANGLE[sq] = <i8>code
            code += 1
    for sq in range(4):
        TRIANGLE[9 * sq] = <i8>(6 + sq)
    # Two kings: pairs with both on the diagonal are numbered after all others.
    code = 0
    for lead in range(2):
        for k in range(10):
            for first in range(64):
                if TRIANGLE[first] == k:
                    break
            for sq in range(64):
                if lead == 0:
                    KING_PAIR[k][sq] = -1
                if sq == first or KING_ATTACKS[first] & square_bit(sq):
                    continue
                if above_diagonal(first) == 0 and above_diagonal(sq) > 0:
                    continue
                if (above_diagonal(first) == 0 and above_diagonal(sq) == 0) == (lead == 1):
                    KING_PAIR[k][sq] = <i16>code
                    code += 1
    ranking = 47
    for sq in range(64):
        PAWN_RANKING[sq] = 0
    for f in range(4):
        for r in range(1, 7):
            PAWN_RANKING[8 * r + f] = <u8>ranking
            PAWN_RANKING[8 * r + 7 - f] = <u8>(ranking - 1)
            ranking -= 2
    for lead in range(1, TABLE_PIECES):
        for f in range(4):
            idx = 0
            for r in range(1, 7):
                LEAD_PAWNS[lead][8 * r + f] = idx
                idx += CHOOSE[lead - 1][PAWN_RANKING[8 * r + f]]
            LEAD_PAWNS_SIZE[lead][f] = idx


fill_table_indices()


cdef inline u64 placements(int pieces, int squares) noexcept nogil:
    return CHOOSE[pieces][squares]


cdef bint set_layout(Layout* lay, int order, int second_order, int pawns_file) noexcept nogil:
    """Works out groups, factors and size from `count`, `lead`, `pawns` and `pieces`. `order` is where the
    leading group comes, `second_order` where the other side's pawns come (15: there are none)."""
    cdef int at = 0, n, k, end, other
    cdef u64 size = 1
    for k in range(TABLE_PIECES):
        lay.group[k] = 0
        lay.factor[k] = 0
    lay.group[0] = <u8>lay.lead
    at = lay.lead
    while at < lay.count:
        end = at + 1
        while end < lay.count and lay.pieces[end] == lay.pieces[at]:
            end += 1
        lay.group[at] = <u8>(end - at)
        at = end
    other = lay.group[lay.lead] if second_order < 15 else 0
    at = lay.lead + other
    n = 64 - at
    k = 0
    while at < lay.count or k == order or k == second_order:
        if k == order:
            lay.factor[0] = size
            if lay.pawns:
                size *= LEAD_PAWNS_SIZE[lay.lead][pawns_file]
            else:
                size *= TRIPLES if lay.lead == 3 else KING_PAIRS
        elif k == second_order:
            lay.factor[lay.lead] = size
            size *= placements(other, 48 - lay.lead)
        else:
            lay.factor[at] = size
            size *= placements(lay.group[at], n)
            n -= lay.group[at]
            at += lay.group[at]
        k += 1
        if k > 15:
            return False
    lay.size = size
    return order < k and (second_order == 15 or second_order < k) and order != second_order


cdef inline void sort_squares(int* sq, int count) noexcept nogil:
    cdef int i, j, moving
    for i in range(1, count):
        moving = sq[i]
        j = i
        while j > 0 and sq[j - 1] > moving:
            sq[j] = sq[j - 1]
            j -= 1
        sq[j] = moving


cdef inline u64 lead_triple(const int* sq) noexcept nogil:
    """The number of three different pieces on a board already turned."""
    cdef int second = sq[1] - (sq[1] > sq[0])
    cdef int third = sq[2] - (sq[2] > sq[0]) - (sq[2] > sq[1])
    cdef int i = rank_of(sq[1]) - (sq[1] > sq[0])
    if above_diagonal(sq[0]):
        return (TRIANGLE[sq[0]] * 63 + second) * 62 + third
    if above_diagonal(sq[1]):
        return 6 * 63 * 62 + (rank_of(sq[0]) * 28 + LOWER[sq[1]]) * 62 + third
    if above_diagonal(sq[2]):
        return 6 * 63 * 62 + 4 * 28 * 62 + (rank_of(sq[0]) * 7 + i) * 28 + LOWER[sq[2]]
    return (6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + (rank_of(sq[0]) * 7 + i) * 6
            + rank_of(sq[2]) - (sq[2] > sq[0]) - (sq[2] > sq[1]))


cdef inline u64 lead_pawns(int* sq, int lead) noexcept nogil:
    """The number of the leading pawns, the first of which is already the leader."""
    cdef int i, j, moving
    cdef u64 idx = LEAD_PAWNS[lead][sq[0]]
    for i in range(2, lead):
        moving = sq[i]
        j = i
        while j > 1 and PAWN_RANKING[sq[j - 1]] > PAWN_RANKING[moving]:
            sq[j] = sq[j - 1]
            j -= 1
        sq[j] = moving
    for i in range(1, lead):
        idx += CHOOSE[i][PAWN_RANKING[sq[i]]]
    return idx


cdef inline int leader_first(int* sq, int lead) noexcept nogil:
    """Puts the leading pawn nearest to the edge first; returns its file, counted from the edge."""
    cdef int i, swapped
    for i in range(1, lead):
        if PAWN_RANKING[sq[i]] > PAWN_RANKING[sq[0]]:
            swapped = sq[0]
            sq[0] = sq[i]
            sq[i] = swapped
    return file_of(sq[0]) if file_of(sq[0]) < 4 else 7 - file_of(sq[0])


cdef u64 table_index(const Layout* lay, int* sq) noexcept nogil:
    """The index of the position with pieces on `sq`, in the layout's order; squares are turned and sorted.
    Kings that touch have no index in a table led by kings; callers never ask."""
    cdef int i, j, k, below, turn = 0
    cdef int count = lay.count
    cdef u64 idx, number
    if sq[0] & 4:
        turn = 7
    if not lay.pawns and sq[0] & 32:
        turn |= 56
    if turn:
        for i in range(count):
            sq[i] ^= turn
    if lay.pawns:
        idx = lead_pawns(sq, lay.lead) * lay.factor[0]
    else:
        for i in range(lay.lead):
            if above_diagonal(sq[i]):
                if above_diagonal(sq[i]) > 0:
                    for j in range(count):
                        sq[j] = (sq[j] >> 3 | sq[j] << 3) & 63
                break
        if lay.lead == 3:
            idx = lead_triple(sq) * lay.factor[0]
        else:
            must(KING_PAIR[TRIANGLE[sq[0]]][sq[1]] >= 0)
            idx = <u64>KING_PAIR[TRIANGLE[sq[0]]][sq[1]] * lay.factor[0]
    i = lay.lead
    while i < count:
        if lay.group[i] > 1:
            sort_squares(sq + i, lay.group[i])
        number = 0
        for j in range(lay.group[i]):
            below = 8 if lay.pieces[i] & 7 == 1 else 0
            for k in range(i):
                below += sq[k] < sq[i + j]
            number += CHOOSE[j + 1][sq[i + j] - below]
        idx += number * lay.factor[i]
        i += lay.group[i]
    return idx
