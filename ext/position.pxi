# Position: the board as bitboards with a mailbox beside them, and the stack that unmake pops.

# What a move destroys and unmake must restore. One per ply; pushed by make, popped by unmake.
ctypedef struct State:
    u64 key                 # the whole position (without the move counters)
    u64 pawn_key            # pawns of both colours
    u64 nonpawn_keys[2]     # all other pieces, by colour
    u16 rule50              # half-moves since a capture or pawn move
    u16 plies_from_null     # half-moves since the last null move or the start: no repetition beyond
    Move16 move             # the move that led here; NO_MOVE at the start
    u8 castling             # set of rights
    u8 ep                   # en-passant square, only if a capture there is legal; else NO_SQ
    u8 captured             # coloured piece taken by `move`, EMPTY if none
    u8 passed               # of a position from a FEN: the en-passant square as it stood there, or NO_SQ
    u8 unused[6]

ctypedef struct Position:
    # Hot: read by every generation.
    u64 pieces[6]           # by type, both colours
    u64 colours[2]          # by colour, all types
    State st
    u8 board[64]            # mailbox of coloured pieces
    int side                # to move
    int depth               # states on the stack below `st`
    State* stack
    # Castling geometry, set with the position. Index of a right: 2 * colour + (queenside).
    u8 keeps_rights[64]     # rights that survive a move from or to the square
    u8 castle_rook[4]       # where the rook starts
    u64 castle_empty[4]     # must be empty, king and rook themselves aside
    u64 castle_safe[4]      # must not be attacked
    # Cold.
    int start_ply           # game plies before the stack begins: 2 * (fullmove - 1) + (Black moves)
    bint chess960

# Checkers and pins for the side to move; computed once per node, shared by move generation and the
# legality test.
ctypedef struct Masks:
    u64 checkers
    u64 check_mask          # where a piece other than the king must land (everywhere if no check)
    u64 pin_hv              # rays of rank and file pins, king excluded, pinner included
    u64 pin_d               # rays of diagonal pins


cdef inline int make_piece(int colour, int pt) noexcept nogil:
    return pt | colour << 3


cdef inline u64 occupied_of(const Position* pos) noexcept nogil:
    return pos.colours[WHITE] | pos.colours[BLACK]


cdef inline u64 pieces_of(const Position* pos, int colour, int pt) noexcept nogil:
    return pos.pieces[pt] & pos.colours[colour]


cdef inline int king_square(const Position* pos, int colour) noexcept nogil:
    return ctz(pos.pieces[KING] & pos.colours[colour])


cdef inline u64 diagonal_sliders(const Position* pos) noexcept nogil:
    return pos.pieces[BISHOP] | pos.pieces[QUEEN]


cdef inline u64 straight_sliders(const Position* pos) noexcept nogil:
    return pos.pieces[ROOK] | pos.pieces[QUEEN]


cdef inline int castle_king_to(int right) noexcept nogil:
    return (C1 if right & 1 else G1) + 56 * (right >> 1)


cdef inline int castle_rook_to(int right) noexcept nogil:
    return (D1 if right & 1 else F1) + 56 * (right >> 1)


cdef inline int castle_right_of(const Position* pos, int us, int rook_sq) noexcept nogil:
    """Which right a castling move (king takes `rook_sq`) uses."""
    return 2 * us + (pos.castle_rook[2 * us + 1] == rook_sq)


cdef u64 attackers_to(const Position* pos, int sq, u64 occupied) noexcept nogil:
    """Pieces of both colours that attack `sq` through `occupied`."""
    return ((PAWN_ATTACKS[BLACK][sq] & pieces_of(pos, WHITE, PAWN))
            | (PAWN_ATTACKS[WHITE][sq] & pieces_of(pos, BLACK, PAWN))
            | (KNIGHT_ATTACKS[sq] & pos.pieces[KNIGHT])
            | (KING_ATTACKS[sq] & pos.pieces[KING])
            | (bishop_attacks(sq, occupied) & diagonal_sliders(pos))
            | (rook_attacks(sq, occupied) & straight_sliders(pos)))


cdef inline u64 checkers_of(const Position* pos) noexcept nogil:
    """Pieces that give check to the side to move."""
    return (attackers_to(pos, king_square(pos, pos.side), occupied_of(pos))
            & pos.colours[pos.side ^ 1])


cdef inline u64 attacked_squares(const Position* pos, const int by, u64 occupied) noexcept nogil:
    """All squares `by` attacks, sliders stopping at `occupied`."""
    cdef u64 own = pos.colours[by]
    cdef u64 reached = pawn_attacks_of(pos.pieces[PAWN] & own, by)
    cdef u64 rest = pos.pieces[KNIGHT] & own
    reached |= KING_ATTACKS[ctz(pos.pieces[KING] & own)]
    while rest:
        reached |= KNIGHT_ATTACKS[ctz(rest)]
        rest = without_lowest(rest)
    rest = diagonal_sliders(pos) & own
    while rest:
        reached |= bishop_attacks(ctz(rest), occupied)
        rest = without_lowest(rest)
    rest = straight_sliders(pos) & own
    while rest:
        reached |= rook_attacks(ctz(rest), occupied)
        rest = without_lowest(rest)
    return reached


cdef inline void compute_masks(const Position* pos, Masks* masks, const int us) noexcept nogil:
    cdef u64 own = pos.colours[us]
    cdef u64 opp = pos.colours[us ^ 1]
    cdef int ksq = ctz(pos.pieces[KING] & own)
    cdef u64 checkers = (KNIGHT_ATTACKS[ksq] & pos.pieces[KNIGHT]
                         | PAWN_ATTACKS[us][ksq] & pos.pieces[PAWN]) & opp
    cdef u64 check_mask = checkers
    cdef u64 snipers, ray, blockers
    masks.pin_hv = 0
    masks.pin_d = 0
    # Looking through our own pieces finds each enemy slider that no enemy piece blocks.
    snipers = BISHOP_RAYS[ksq] & diagonal_sliders(pos) & opp
    if snipers:
        snipers &= bishop_attacks(ksq, opp)
        while snipers:
            ray = BETWEEN[ksq][ctz(snipers)]
            blockers = ray & own
            if blockers == 0:
                checkers |= lowest(snipers)
                check_mask |= ray
            elif not more_than_one(blockers):
                masks.pin_d |= ray
            snipers = without_lowest(snipers)
    snipers = ROOK_RAYS[ksq] & straight_sliders(pos) & opp
    if snipers:
        snipers &= rook_attacks(ksq, opp)
        while snipers:
            ray = BETWEEN[ksq][ctz(snipers)]
            blockers = ray & own
            if blockers == 0:
                checkers |= lowest(snipers)
                check_mask |= ray
            elif not more_than_one(blockers):
                masks.pin_hv |= ray
            snipers = without_lowest(snipers)
    masks.checkers = checkers
    masks.check_mask = check_mask if checkers else ALL_SQUARES


cdef bint en_passant_is_legal(const Position* pos, int from_sq, int ep) noexcept nogil:
    """Whether the pawn on `from_sq` may take on `ep` without exposing its king.

    Two pawns leave one rank at once, so pin masks do not help: look at the board after the capture.
    """
    cdef int us = pos.side
    cdef int ksq = king_square(pos, us)
    cdef u64 taken = square_bit(ep ^ 8)
    cdef u64 occupied = (occupied_of(pos) ^ square_bit(from_sq) ^ taken) | square_bit(ep)
    cdef u64 opp = pos.colours[us ^ 1] & ~taken
    if bishop_attacks(ksq, occupied) & diagonal_sliders(pos) & opp:
        return False
    if rook_attacks(ksq, occupied) & straight_sliders(pos) & opp:
        return False
    # A check by the pushed pawn ends with its capture; one by a knight or another pawn does not.
    return ((KNIGHT_ATTACKS[ksq] & pos.pieces[KNIGHT] | PAWN_ATTACKS[us][ksq] & pos.pieces[PAWN])
            & opp) == 0


cdef bint some_en_passant_is_legal(const Position* pos, int ep) noexcept nogil:
    """Whether the side to move has any legal capture on `ep`."""
    cdef u64 pawns = PAWN_ATTACKS[pos.side ^ 1][ep] & pieces_of(pos, pos.side, PAWN)
    while pawns:
        if en_passant_is_legal(pos, ctz(pawns), ep):
            return True
        pawns = without_lowest(pawns)
    return False


cdef void clear_position(Position* pos) noexcept nogil:
    """An empty board. The stack pointer is kept: its owner manages it."""
    cdef int i
    for i in range(6):
        pos.pieces[i] = 0
    for i in range(2):
        pos.colours[i] = 0
        pos.st.nonpawn_keys[i] = 0
    for i in range(64):
        pos.board[i] = EMPTY
        pos.keeps_rights[i] = 15
    for i in range(4):
        pos.castle_rook[i] = NO_SQ
        pos.castle_empty[i] = 0
        pos.castle_safe[i] = 0
    pos.st.key = 0
    pos.st.pawn_key = 0
    pos.st.rule50 = 0
    pos.st.plies_from_null = 0
    pos.st.move = NO_MOVE
    pos.st.castling = 0
    pos.st.ep = NO_SQ
    pos.st.passed = NO_SQ
    pos.st.captured = EMPTY
    pos.side = WHITE
    pos.depth = 0
    pos.start_ply = 0
    pos.chess960 = False


cdef void put_piece(Position* pos, int pc, int sq) noexcept nogil:
    """Adds a piece to an empty square; keys are left to `compute_keys`."""
    pos.board[sq] = <u8>pc
    pos.pieces[type_of(pc)] |= square_bit(sq)
    pos.colours[colour_of(pc)] |= square_bit(sq)


cdef void add_castling_right(Position* pos, int right, int rook_sq) noexcept nogil:
    cdef int us = right >> 1
    cdef int ksq = king_square(pos, us)
    cdef u64 movers = square_bit(ksq) | square_bit(rook_sq)
    cdef u64 king_path = BETWEEN[ksq][castle_king_to(right)]
    pos.st.castling |= <u8>(1 << right)
    pos.castle_rook[right] = <u8>rook_sq
    pos.castle_safe[right] = king_path
    pos.castle_empty[right] = (king_path | BETWEEN[rook_sq][castle_rook_to(right)]) & ~movers
    pos.keeps_rights[ksq] &= <u8>~(1 << right)
    pos.keeps_rights[rook_sq] &= <u8>~(1 << right)


cdef void compute_keys(const Position* pos, State* st) noexcept nogil:
    """The four keys from scratch: for new positions, and to check the incremental ones."""
    cdef int sq, pc
    st.key = CASTLING_KEYS[st.castling] ^ EP_KEYS[st.ep]
    st.pawn_key = st.nonpawn_keys[WHITE] = st.nonpawn_keys[BLACK] = 0
    if pos.side == BLACK:
        st.key ^= SIDE_KEY
    for sq in range(64):
        pc = pos.board[sq]
        if pc == EMPTY:
            continue
        st.key ^= PIECE_KEYS[pc][sq]
        if type_of(pc) == PAWN:
            st.pawn_key ^= PIECE_KEYS[pc][sq]
        else:
            st.nonpawn_keys[colour_of(pc)] ^= PIECE_KEYS[pc][sq]
