# Histories: which moves were good before, learned during the search. All values stay within
# ±HISTORY_LIMIT by gravity: the nearer the limit, the less a bonus adds.

cdef enum:
    HISTORY_LIMIT = 16384
    PIECE_TO = 768              # 12 coloured pieces × 64 squares
    PAWN_HISTORY_SIZE = 512     # pawn structures told apart, a power of two
    CORRECTION_SIZE = 16384     # a power of two
    CORRECTION_LIMIT = 1024
    CORRECTION_GRAIN = 64       # correction values are in 1/64 centipawn before weights

ctypedef struct Histories:
    i16 quiet[2][2][2][4096]                # colour, from threatened, to threatened, from-to
    i16 capture[PIECE_TO][8]                # piece-to, captured type
    i16 pawn[PAWN_HISTORY_SIZE][PIECE_TO]   # pawn structure, piece-to
    i16 cont[PIECE_TO + 1][PIECE_TO]        # earlier piece-to (the last row: none), piece-to
    i16 pawn_correction[2][CORRECTION_SIZE]         # side to move
    i16 nonpawn_correction[2][2][CORRECTION_SIZE]   # colour of the pieces, side to move
    i16 cont_correction[PIECE_TO + 1][PIECE_TO + 1]  # the move before last, the last move


cdef inline int piece_to(int pc, int to_sq) noexcept nogil:
    """Index of a coloured piece on a square, 0 to 767."""
    return (type_of(pc) + 6 * colour_of(pc)) * 64 + to_sq


cdef inline void gravity(i16* value, int bonus, const int limit) noexcept nogil:
    value[0] += <i16>(bonus - value[0] * abs_int(bonus) // limit)


cdef inline int history_bonus(int depth) noexcept nogil:
    return min_int(HISTORY_BONUS * depth, HISTORY_BONUS_MAX)


cdef inline int history_malus(int depth) noexcept nogil:
    return min_int(HISTORY_MALUS * depth, HISTORY_MALUS_MAX)


cdef void clear_histories(Histories* h) noexcept nogil:
    memset(h, 0, sizeof(Histories))
