# Types: colours, pieces, squares and moves as small integers, and the text of squares and moves.

ctypedef u16 Move16

cdef enum:
    WHITE = 0
    BLACK = 1

# A piece type `pt` is 0..5; a coloured piece `pc` is `pt | colour << 3`. EMPTY has a type above KING in
# both colours, so `pc & 7` and `pc >> 3` need no branch.
cdef enum:
    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5
    EMPTY = 6

# Squares run a1 = 0, b1 = 1, … h8 = 63. NO_SQ marks "no en-passant square".
cdef enum:
    C1 = 2
    D1 = 3
    F1 = 5
    G1 = 6
    NO_SQ = 64

# Castling rights are a set of four bits; the index of a right is `2 * colour + (queenside)`.

# A move is from | to << 6 | flags << 12. Flag bit 2 says capture, bit 3 promotion (the low two
# bits then name the piece). Castling is written king-takes-own-rook: `to` is the rook's square,
# as Chess960 needs.
cdef enum:
    QUIET = 0
    DOUBLE_PUSH = 1
    CASTLE = 2
    CAPTURE = 4
    EN_PASSANT = 5
    PROMOTION = 8           # 8..11: knight, bishop, rook, queen
    PROMOTION_CAPTURE = 12  # 12..15: the same with a capture
    NO_MOVE = 0             # a1a1: never a move
    NULL_MOVE = 65          # b1b1: a null move was made here

cdef enum:
    MAX_MOVES = 416         # 15 queens of 27 moves and a king; 218 is the most known from a real game's material
    MAX_PLY = 246           # deepest ply a search reaches


cdef inline Move16 make_move_word(int from_sq, int to_sq, int flags) noexcept nogil:
    return <Move16>(from_sq | to_sq << 6 | flags << 12)


cdef inline int from_of(Move16 m) noexcept nogil:
    return m & 63


cdef inline int to_of(Move16 m) noexcept nogil:
    return m >> 6 & 63


cdef inline int flags_of(Move16 m) noexcept nogil:
    return m >> 12


cdef inline bint is_capture(Move16 m) noexcept nogil:
    return (m >> 12 & 4) != 0


cdef inline bint is_promotion(Move16 m) noexcept nogil:
    return m >> 15 != 0


cdef inline bint is_noisy(Move16 m) noexcept nogil:
    """A capture or a promotion; other moves are quiet."""
    return m >> 14 != 0


cdef inline int promoted_type(Move16 m) noexcept nogil:
    """The piece type a promotion makes; meaningless for other moves."""
    return KNIGHT + (m >> 12 & 3)


cdef inline int file_of(int sq) noexcept nogil:
    return sq & 7


cdef inline int rank_of(int sq) noexcept nogil:
    return sq >> 3


cdef inline u64 square_bit(int sq) noexcept nogil:
    return <u64>1 << sq


cdef inline int type_of(int pc) noexcept nogil:
    return pc & 7


cdef inline int colour_of(int pc) noexcept nogil:
    return pc >> 3


cdef inline int relative_rank(int us, int sq) noexcept nogil:
    return (sq >> 3) ^ (7 * us)


cdef str square_name(int sq):
    return "abcdefgh"[sq & 7] + "12345678"[sq >> 3]
