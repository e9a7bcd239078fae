# Bitboards: sets of squares as 64-bit words, shifts that respect the board's edge, and lines.

# Named by their C literals: Cython would write large constants as signed decimals.
cdef extern from *:
    const u64 FILE_A "0x0101010101010101ULL"
    const u64 FILE_H "0x8080808080808080ULL"
    const u64 RANK_1 "0x00000000000000FFULL"
    const u64 RANK_2 "0x000000000000FF00ULL"
    const u64 RANK_3 "0x0000000000FF0000ULL"
    const u64 RANK_4 "0x00000000FF000000ULL"
    const u64 RANK_5 "0x000000FF00000000ULL"
    const u64 RANK_6 "0x0000FF0000000000ULL"
    const u64 RANK_7 "0x00FF000000000000ULL"
    const u64 RANK_8 "0xFF00000000000000ULL"
    const u64 LIGHT_SQUARES "0x55AA55AA55AA55AAULL"
    const u64 DARK_SQUARES "0xAA55AA55AA55AA55ULL"
    const u64 ALL_SQUARES "0xFFFFFFFFFFFFFFFFULL"

cdef u64 BETWEEN[64][64]    # squares strictly between two on a line, plus the second itself
cdef u64 LINE[64][64]       # the whole line through two squares, 0 if there is none


cdef inline u64 lowest(u64 b) noexcept nogil:
    return b & (0 - b)


cdef inline u64 without_lowest(u64 b) noexcept nogil:
    return b & (b - 1)


cdef inline bint more_than_one(u64 b) noexcept nogil:
    return (b & (b - 1)) != 0


cdef inline u64 shift_east(u64 b) noexcept nogil:
    return (b & ~FILE_H) << 1


cdef inline u64 shift_west(u64 b) noexcept nogil:
    return (b & ~FILE_A) >> 1


cdef inline u64 push_up(u64 b, const int us) noexcept nogil:
    """One rank forward, seen from `us`."""
    return b << 8 if us == WHITE else b >> 8


cdef inline u64 capture_east(u64 b, const int us) noexcept nogil:
    """One rank forward and one file towards h."""
    return (b & ~FILE_H) << 9 if us == WHITE else (b & ~FILE_H) >> 7


cdef inline u64 capture_west(u64 b, const int us) noexcept nogil:
    """One rank forward and one file towards a."""
    return (b & ~FILE_A) << 7 if us == WHITE else (b & ~FILE_A) >> 9


cdef inline u64 pawn_attacks_of(u64 pawns, const int us) noexcept nogil:
    return capture_east(pawns, us) | capture_west(pawns, us)
