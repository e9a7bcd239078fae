# Self-play: whole games in the core, for data. No Python runs inside a game.
#
# A game record (docs/data-format.md) is a packed start position, the result, and a move and a score
# for every ply: 4 bytes a ply.

cdef enum:
    PACKED_BYTES = 32
    GAME_HEADER = PACKED_BYTES + 4      # result u8, ending u8, plies u16
    MAX_GAME = 500                      # plies of a self-play game
    RESULT_BLACK = 0
    RESULT_DRAW = 1
    RESULT_WHITE = 2
    END_RULES = 0                       # mate, stalemate or a drawn position
    END_WIN = 1                         # adjudicated: the scores said so for long enough
    END_DRAW = 2
    END_LENGTH = 3


cdef void pack_position(const Position* pos, u8* out) noexcept nogil:
    """32 bytes: occupation, piece codes by ascending square (two a byte), and the state.

    24: side, 25: castling rights, 26: en-passant square, 27: half-move clock (at most 255),
    28-29: files of the castling rooks (a nibble each right), 30-31: game ply.
    """
    cdef u64 rest = occupied_of(pos)
    cdef int i = 0, code, right, ply
    memset(out, 0, PACKED_BYTES)
    memcpy(out, &rest, 8)
    while rest:
        code = type_of(pos.board[ctz(rest)]) | colour_of(pos.board[ctz(rest)]) << 3
        out[8 + (i >> 1)] |= <u8>(code << 4 * (i & 1))
        i += 1
        rest = without_lowest(rest)
    out[24] = <u8>(pos.side | pos.chess960 << 1)
    out[25] = pos.st.castling
    out[26] = pos.st.ep
    out[27] = <u8>min_int(pos.st.rule50, 255)
    for right in range(4):
        if pos.st.castling >> right & 1:
            out[28 + (right >> 1)] |= <u8>(file_of(pos.castle_rook[right]) << 4 * (right & 1))
    ply = min_int(pos.start_ply + pos.depth, 65535)
    out[30] = <u8>(ply & 0xFF)
    out[31] = <u8>(ply >> 8)


cdef bint unpack_position(const u8* data, Position* pos) noexcept nogil:
    """The reverse; False if the bytes describe no possible position. The stack is left alone."""
    cdef State* stack = pos.stack
    cdef u64 rest
    cdef int i = 0, code, right, rook_sq, ksq, colour
    clear_position(pos)
    pos.stack = stack
    memcpy(&rest, data, 8)
    if popcount(rest) > 32:
        return False
    while rest:
        code = data[8 + (i >> 1)] >> 4 * (i & 1) & 15
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
    pos.side = data[24] & 1
    pos.chess960 = data[24] >> 1 & 1
    if attackers_to(pos, king_square(pos, pos.side ^ 1), occupied_of(pos)) & pos.colours[pos.side]:
        return False
    for right in range(4):
        if data[25] >> right & 1:
            rook_sq = (data[28 + (right >> 1)] >> 4 * (right & 1) & 7) + 56 * (right >> 1)
            ksq = king_square(pos, right >> 1)
            if (pos.board[rook_sq] != make_piece(right >> 1, ROOK) or rank_of(ksq) != 7 * (right >> 1)
                    or (rook_sq < ksq) != (right & 1)):
                return False
            add_castling_right(pos, right, rook_sq)
    if data[26] != NO_SQ:
        if data[26] > NO_SQ or relative_rank(pos.side, data[26]) != 5 or not some_en_passant_is_legal(pos, data[26]):
            return False
        pos.st.ep = data[26]
    pos.st.rule50 = data[27]
    pos.start_ply = data[30] | data[31] << 8
    compute_keys(pos, &pos.st)
    return True


cdef Move16 random_legal(const Position* pos, u64* seed) noexcept nogil:
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks = masks_of(pos)
    cdef int count = generate_all(pos, &masks, moves)
    return moves[mulhi(splitmix(seed), count)] if count else <Move16>NO_MOVE


cdef int prepare_root(Worker* w) noexcept nogil:
    """All legal moves become root moves; returns how many."""
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks = masks_of(&w.pos)
    set_root_moves(w, moves, generate_all(&w.pos, &masks, moves))
    return w.root_count


cdef int search_for_data(Worker* w, int soft_nodes, u64* search_us) noexcept nogil:
    """A small search of the worker's position; the score from the side to move. What it took is added up."""
    cdef u64 started_us = now_us()
    w.shared.table.generation = (w.shared.table.generation + 1) & (GENERATIONS - 1)
    w.shared.stop = 0
    w.shared.stop_requested = 0
    w.shared.first_done = 0
    w.shared.main_done = 0
    w.shared.soft_nodes = soft_nodes
    w.node_limit = <u64>soft_nodes * 12
    w.nodes = 0
    iterate(w)
    search_us[0] += now_us() - started_us
    return w.root_moves[0].score if w.root_moves[0].score != -INFINITE else w.root_moves[0].previous


cdef bint random_opening(
    Worker* w, u64* seed, int plies, int soft_nodes, int max_start_score, u64* search_us
) noexcept nogil:
    """Plays random moves from the worker's position; False if the game ended or is lopsided."""
    cdef int i, score
    cdef Move16 m
    for i in range(plies):
        m = random_legal(&w.pos, seed)
        if m == NO_MOVE:
            return False
        make(&w.pos, m)
    if prepare_root(w) == 0 or insufficient_material(&w.pos):
        return False
    score = search_for_data(w, soft_nodes, search_us)
    return abs_int(score) <= max_start_score


cdef int play_game(Worker* w, u8* out, int soft_nodes, u64* searched, u64* search_us) noexcept nogil:
    """Plays the worker's position to its end, writes the record, and returns its length in bytes."""
    cdef int plies = 0, score, winning = 0, drawish = 0, result = -1, ending = END_RULES, white_score
    cdef Move16 m
    cdef u8* at = out + GAME_HEADER
    pack_position(&w.pos, out)
    while True:
        if prepare_root(w) == 0:
            result = RESULT_DRAW
            if checkers_of(&w.pos):
                result = RESULT_BLACK if w.pos.side == WHITE else RESULT_WHITE
            break
        if repetitions(&w.pos) >= 2 or w.pos.st.rule50 >= 100 or insufficient_material(&w.pos):
            result = RESULT_DRAW
            break
        if plies >= MAX_GAME or w.pos.depth >= GAME_STATES - 2:
            result = RESULT_DRAW
            ending = END_LENGTH
            break
        score = search_for_data(w, soft_nodes, search_us)
        searched[0] += w.nodes
        m = w.root_moves[0].move
        white_score = score if w.pos.side == WHITE else -score
        at[0] = <u8>(m & 0xFF)
        at[1] = <u8>(m >> 8)
        at[2] = <u8>(white_score & 0xFF)
        at[3] = <u8>(white_score >> 8 & 0xFF)
        at += 4
        plies += 1
        winning = (winning + 1 if winning > 0 else 1) if white_score >= 2000 else (
            (winning - 1 if winning < 0 else -1) if white_score <= -2000 else 0)
        drawish = drawish + 1 if abs_int(score) <= 8 and w.pos.start_ply + w.pos.depth >= 70 else 0
        make(&w.pos, m)
        if winning >= 5 or winning <= -5:
            result = RESULT_WHITE if winning > 0 else RESULT_BLACK
            ending = END_WIN
            break
        if drawish >= 12:
            result = RESULT_DRAW
            ending = END_DRAW
            break
    out[PACKED_BYTES] = <u8>result
    out[PACKED_BYTES + 1] = <u8>ending
    out[PACKED_BYTES + 2] = <u8>(plies & 0xFF)
    out[PACKED_BYTES + 3] = <u8>(plies >> 8)
    return GAME_HEADER + 4 * plies
