# Records: packed positions, game records and training records (docs/data-format.md).
#
# A game record is a packed start position, the result, and a move and a score for each ply. A training
# record is a packed position without its state, followed by score, result, side to move and game number.

cpdef enum:                             # the layout, for Python too
    PACKED_BYTES = 32                   # a packed position; offsets into it:
    PACKED_PIECES = 8                   # piece codes after the occupied squares, two per byte
    PACKED_SIDE = 24                    # side to move, and whether it is Chess960 (bit 1)
    PACKED_CASTLING = 25
    PACKED_EP = 26
    PACKED_RULE50 = 27
    PACKED_ROOKS = 28                   # files of the castling rooks, a nibble for each right
    PACKED_PLY = 30                     # u16, game ply

    GAME_RESULT = PACKED_BYTES          # u8, RESULT_…
    GAME_ENDING = PACKED_BYTES + 1      # u8, END_…
    GAME_PLIES = PACKED_BYTES + 2       # u16
    GAME_HEADER = PACKED_BYTES + 4      # bytes before the first ply
    PLY_BYTES = 4                       # a move word, u16, and White's score, i16

    RECORD_BYTES = 32                   # a training record; the first 24 bytes are those of a packed position
    RECORD_SCORE = 24                   # i16, centipawns for the side to move
    RECORD_RESULT = 26                  # u8, for the side to move: 0 lost, 1 drawn, 2 won
    RECORD_SIDE = 27                    # u8, side to move
    RECORD_GAME = 28                    # u32, number of the game it is from

cpdef enum:
    RESULT_BLACK = 0
    RESULT_DRAW = 1
    RESULT_WHITE = 2

cpdef enum:
    END_RULES = 0                       # mate, stalemate or a drawn position
    END_WIN = 1                         # adjudicated by score
    END_DRAW = 2                        # adjudicated by score
    END_LENGTH = 3                      # reached the longest length: the result is not known


cdef void pack_position(const Position* pos, u8* out) noexcept nogil:
    """Writes PACKED_BYTES bytes: occupied squares, piece codes by ascending square, and the state."""
    cdef u64 rest = occupied_of(pos)
    cdef int i = 0, code, right, ply
    memset(out, 0, PACKED_BYTES)
    memcpy(out, &rest, 8)
    while rest:
        code = type_of(pos.board[ctz(rest)]) | colour_of(pos.board[ctz(rest)]) << 3
        out[PACKED_PIECES + (i >> 1)] |= <u8>(code << 4 * (i & 1))
        i += 1
        rest = without_lowest(rest)
    out[PACKED_SIDE] = <u8>(pos.side | pos.chess960 << 1)
    out[PACKED_CASTLING] = pos.st.castling
    out[PACKED_EP] = pos.st.ep
    out[PACKED_RULE50] = <u8>min_int(pos.st.rule50, 255)
    for right in range(4):
        if pos.st.castling >> right & 1:
            out[PACKED_ROOKS + (right >> 1)] |= <u8>(file_of(pos.castle_rook[right]) << 4 * (right & 1))
    ply = min_int(pos.start_ply + pos.depth, 65535)
    out[PACKED_PLY] = <u8>(ply & 0xFF)
    out[PACKED_PLY + 1] = <u8>(ply >> 8)


cdef bint unpack_position(const u8* data, Position* pos) noexcept nogil:
    """The reverse; False if the bytes describe no possible position. Keeps the stack pointer."""
    cdef State* stack = pos.stack
    cdef u64 rest
    cdef int i = 0, code, right, rook_sq, ksq, colour
    clear_position(pos)
    pos.stack = stack
    memcpy(&rest, data, 8)
    if popcount(rest) > 32:
        return False
    while rest:
        code = data[PACKED_PIECES + (i >> 1)] >> 4 * (i & 1) & 15
        if (code & 7) > KING:
            return False
        put_piece(pos, code, ctz(rest))
        i += 1
        rest = without_lowest(rest)
    for colour in range(2):
        if popcount(pieces_of(pos, colour, KING)) != 1 or popcount(pos.colours[colour]) > 16:
            return False
        # As in a FEN: each promoted piece has cost a pawn. It also bounds the number of moves.
        if (popcount(pieces_of(pos, colour, PAWN)) + max_int(popcount(pieces_of(pos, colour, KNIGHT)) - 2, 0)
                + max_int(popcount(pieces_of(pos, colour, BISHOP)) - 2, 0)
                + max_int(popcount(pieces_of(pos, colour, ROOK)) - 2, 0)
                + max_int(popcount(pieces_of(pos, colour, QUEEN)) - 1, 0)) > 8:
            return False
    if pos.pieces[PAWN] & (RANK_1 | RANK_8):
        return False
    pos.side = data[PACKED_SIDE] & 1
    pos.chess960 = data[PACKED_SIDE] >> 1 & 1
    if attackers_to(pos, king_square(pos, pos.side ^ 1), occupied_of(pos)) & pos.colours[pos.side]:
        return False
    for right in range(4):
        if data[PACKED_CASTLING] >> right & 1:
            rook_sq = (data[PACKED_ROOKS + (right >> 1)] >> 4 * (right & 1) & 7) + 56 * (right >> 1)
            ksq = king_square(pos, right >> 1)
            if (pos.board[rook_sq] != make_piece(right >> 1, ROOK) or rank_of(ksq) != 7 * (right >> 1)
                    or (rook_sq < ksq) != (right & 1)):
                return False
            add_castling_right(pos, right, rook_sq)
    if data[PACKED_EP] != NO_SQ:
        if (data[PACKED_EP] > NO_SQ or relative_rank(pos.side, data[PACKED_EP]) != 5
                or not some_en_passant_is_legal(pos, data[PACKED_EP])):
            return False
        pos.st.ep = data[PACKED_EP]
    pos.st.rule50 = data[PACKED_RULE50]
    pos.start_ply = data[PACKED_PLY] | data[PACKED_PLY + 1] << 8
    compute_keys(pos, &pos.st)
    return True
