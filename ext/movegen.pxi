# Move generation: exactly the legal moves, by check mask and pin rays; no move is made to test it.
#
# One always-inline body, `enumerate_moves`, is compiled once for each colour and kind. With kind COUNT it
# adds up population counts and writes no list: the last ply of perft.

cdef enum:
    COUNT = 0               # how many, nothing written
    ALL = 1                 # everything; when in check, the evasions
    NOISY = 2               # captures and promotions
    QUIETS = 3              # the rest


cdef inline Move16* emit(Move16* out, int from_sq, u64 targets, u64 opp) noexcept nogil:
    """A move from one square to each target; captures flagged by a shift, not a branch."""
    cdef int to_sq
    while targets:
        to_sq = ctz(targets)
        out[0] = <Move16>(from_sq | to_sq << 6 | <int>(opp >> to_sq & 1) << 14)
        out += 1
        targets = without_lowest(targets)
    return out


cdef inline Move16* emit_pawns(Move16* out, u64 targets, int offset, int flags) noexcept nogil:
    """Pawn moves that all come from `offset` squares before their target."""
    cdef int to_sq
    while targets:
        to_sq = ctz(targets)
        out[0] = make_move_word(to_sq - offset, to_sq, flags)
        out += 1
        targets = without_lowest(targets)
    return out


cdef inline Move16* emit_promotions(Move16* out, u64 targets, int offset, int flags) noexcept nogil:
    cdef int to_sq
    cdef Move16 word
    while targets:
        to_sq = ctz(targets)
        word = make_move_word(to_sq - offset, to_sq, flags)
        out[0] = word | 3 << 12     # the queen first
        out[1] = word
        out[2] = word | 2 << 12
        out[3] = word | 1 << 12
        out += 4
        targets = without_lowest(targets)
    return out


cdef inline u64 enumerate_moves(
    const Position* pos, const Masks* masks, Move16* moves, const int us, const int kind
) noexcept nogil:
    """Writes the legal moves of a kind to `moves` and returns how many there are."""
    cdef int them = us ^ 1
    cdef int up = 8 if us == WHITE else -8
    cdef u64 own = pos.colours[us]
    cdef u64 opp = pos.colours[them]
    cdef u64 occupied = own | opp
    cdef u64 king = pos.pieces[KING] & own
    cdef int ksq = ctz(king)
    cdef u64 pin_hv = masks.pin_hv
    cdef u64 pin_d = masks.pin_d
    cdef u64 wanted, targets, movers, danger, pawns, pinned, single, double, east, west
    cdef u64 last_rank = RANK_8 if us == WHITE else RANK_1
    cdef u64 third_rank = RANK_3 if us == WHITE else RANK_6
    cdef u64 count = 0
    cdef Move16* out = moves
    cdef int sq, i, castles

    if kind == NOISY:
        wanted = opp
    elif kind == QUIETS:
        wanted = ~occupied
    else:
        wanted = ~own

    # King. The squares it must not enter are computed only if it has a square to go to: they are the
    # most expensive part of generation. Sliders attack through the king.
    targets = KING_ATTACKS[ksq] & wanted
    castles = 0
    if kind != NOISY and pos.st.castling & (3 << 2 * us) and masks.checkers == 0:
        for i in range(2 * us, 2 * us + 2):
            if (pos.st.castling >> i & 1 and (occupied & pos.castle_empty[i]) == 0
                    and (pin_hv & square_bit(pos.castle_rook[i])) == 0):
                castles |= 1 << i
    if targets or castles:
        danger = attacked_squares(pos, them, occupied ^ king)
        targets &= ~danger
        if kind == COUNT:
            count += popcount(targets)
        else:
            out = emit(out, ksq, targets, opp)
        if kind != NOISY and castles:
            for i in range(2 * us, 2 * us + 2):
                if castles >> i & 1 and (danger & pos.castle_safe[i]) == 0:
                    if kind == COUNT:
                        count += 1
                    else:
                        out[0] = make_move_word(ksq, pos.castle_rook[i], CASTLE)
                        out += 1
    if more_than_one(masks.checkers):
        return count if kind == COUNT else <u64>(out - moves)
    wanted &= masks.check_mask

    # Knights: a pinned one never moves.
    movers = pos.pieces[KNIGHT] & own & ~(pin_hv | pin_d)
    while movers:
        sq = ctz(movers)
        targets = KNIGHT_ATTACKS[sq] & wanted
        if kind == COUNT:
            count += popcount(targets)
        else:
            out = emit(out, sq, targets, opp)
        movers = without_lowest(movers)

    # Bishops and queens on diagonals: pinned ones stay on their ray. One mask for all pins is exact: two
    # diagonal pin rays start from the king in different directions, so a bishop on one of them, moving
    # along its diagonals, can reach the other only through the king's square.
    movers = diagonal_sliders(pos) & own & ~pin_hv
    while movers:
        sq = ctz(movers)
        targets = bishop_attacks(sq, occupied) & wanted
        if pin_d & square_bit(sq):
            targets &= pin_d
        if kind == COUNT:
            count += popcount(targets)
        else:
            out = emit(out, sq, targets, opp)
        movers = without_lowest(movers)

    # Rooks and queens on ranks and files.
    movers = straight_sliders(pos) & own & ~pin_d
    while movers:
        sq = ctz(movers)
        targets = rook_attacks(sq, occupied) & wanted
        if pin_hv & square_bit(sq):
            targets &= pin_hv
        if kind == COUNT:
            count += popcount(targets)
        else:
            out = emit(out, sq, targets, opp)
        movers = without_lowest(movers)

    # Pawn pushes. `pinned` pawns may push along their file, but not otherwise.
    pawns = pos.pieces[PAWN] & own
    movers = pawns & ~pin_d
    pinned = movers & pin_hv
    single = push_up(movers ^ pinned, us) | (push_up(pinned, us) & pin_hv)
    single &= ~occupied
    double = push_up(single & third_rank, us) & ~occupied & masks.check_mask
    single &= masks.check_mask
    # Pawn captures, likewise.
    movers = pawns & ~pin_hv
    pinned = movers & pin_d
    east = capture_east(movers ^ pinned, us) | (capture_east(pinned, us) & pin_d)
    west = capture_west(movers ^ pinned, us) | (capture_west(pinned, us) & pin_d)
    east &= opp & masks.check_mask
    west &= opp & masks.check_mask
    if kind == COUNT:
        count += popcount(single) + popcount(double) + popcount(east) + popcount(west)
        targets = (single | east) & last_rank
        if targets | (west & last_rank):
            count += 3 * (popcount(single & last_rank) + popcount(east & last_rank)
                          + popcount(west & last_rank))
    else:
        if kind != QUIETS:
            if (single | east | west) & last_rank:
                out = emit_promotions(out, east & last_rank, up + 1, PROMOTION_CAPTURE)
                out = emit_promotions(out, west & last_rank, up - 1, PROMOTION_CAPTURE)
                out = emit_promotions(out, single & last_rank, up, PROMOTION)
            out = emit_pawns(out, east & ~last_rank, up + 1, CAPTURE)
            out = emit_pawns(out, west & ~last_rank, up - 1, CAPTURE)
        if kind != NOISY:
            out = emit_pawns(out, single & ~last_rank, up, QUIET)
            out = emit_pawns(out, double, 2 * up, DOUBLE_PUSH)

    # En passant captures are rare: each is tested by itself.
    if kind != QUIETS and pos.st.ep != NO_SQ:
        movers = PAWN_ATTACKS[them][pos.st.ep] & pawns
        while movers:
            sq = ctz(movers)
            if en_passant_is_legal(pos, sq, pos.st.ep):
                if kind == COUNT:
                    count += 1
                else:
                    out[0] = make_move_word(sq, pos.st.ep, EN_PASSANT)
                    out += 1
            movers = without_lowest(movers)

    return count if kind == COUNT else <u64>(out - moves)


cdef Masks masks_of(const Position* pos) noexcept nogil:
    cdef Masks masks
    if pos.side == WHITE:
        compute_masks(pos, &masks, WHITE)
    else:
        compute_masks(pos, &masks, BLACK)
    return masks


cdef int generate_all(const Position* pos, const Masks* masks, Move16* moves) noexcept nogil:
    """All legal moves; in check, the evasions."""
    if pos.side == WHITE:
        return <int>enumerate_moves(pos, masks, moves, WHITE, ALL)
    return <int>enumerate_moves(pos, masks, moves, BLACK, ALL)


cdef int generate_noisy(const Position* pos, const Masks* masks, Move16* moves) noexcept nogil:
    """Legal captures and promotions."""
    if pos.side == WHITE:
        return <int>enumerate_moves(pos, masks, moves, WHITE, NOISY)
    return <int>enumerate_moves(pos, masks, moves, BLACK, NOISY)


cdef int generate_quiets(const Position* pos, const Masks* masks, Move16* moves) noexcept nogil:
    """Legal moves that neither capture nor promote."""
    if pos.side == WHITE:
        return <int>enumerate_moves(pos, masks, moves, WHITE, QUIETS)
    return <int>enumerate_moves(pos, masks, moves, BLACK, QUIETS)


cdef int count_legal(const Position* pos) noexcept nogil:
    cdef Masks masks = masks_of(pos)
    if pos.side == WHITE:
        return <int>enumerate_moves(pos, &masks, NULL, WHITE, COUNT)
    return <int>enumerate_moves(pos, &masks, NULL, BLACK, COUNT)
