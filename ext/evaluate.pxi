# Classical evaluation: a tapered linear sum of named features (docs/evaluation.md).
#
# One body serves play and tuning. Traced, it also counts how often each weight was used, which is what
# `cythera tune eval` and the `eval` command need.

cpdef enum:
    FULL_PHASE = 24             # knights and bishops 1, rooks 2, queens 4

cdef enum:
    KING_UNITS_MAX = 31
    ATTACK_MINOR = 2            # king attack units: of a piece that attacks the king's ring …
    ATTACK_ROOK = 3
    ATTACK_QUEEN = 5
    SAFE_CHECK_KNIGHT = 4       # … of a safe check …
    SAFE_CHECK_BISHOP = 3
    SAFE_CHECK_ROOK = 5
    SAFE_CHECK_QUEEN = 4
    NO_QUEEN_MALUS = 6          # … off without a queen

cdef u64 CENTRE_FILES = 0x3C3C3C3C3C3C3C3CULL
cdef u64 LONG_DIAGONAL_CENTRE = 0x0000001818000000ULL


cdef inline int phase_of(const Position* pos) noexcept nogil:
    """FULL_PHASE with all pieces on the board, 0 with none but kings and pawns."""
    return min_int(FULL_PHASE, popcount(pos.pieces[KNIGHT] | pos.pieces[BISHOP])
                   + 2 * popcount(pos.pieces[ROOK]) + 4 * popcount(pos.pieces[QUEEN]))


cdef inline void add_attacks(Eval* e, const int us, int pt, u64 attacked) noexcept nogil:
    e.attacked_twice[us] |= e.attacks[us][6] & attacked
    e.attacks[us][6] |= attacked
    e.attacks[us][pt] |= attacked


cdef inline void prepare_eval(const Position* pos, Eval* e, const int us) noexcept nogil:
    cdef int them = us ^ 1
    cdef u64 pawns = pieces_of(pos, us, PAWN)
    cdef u64 blocked, guarded
    cdef int ksq = king_square(pos, us)
    cdef int centre
    e.attacks[us][KNIGHT] = e.attacks[us][BISHOP] = e.attacks[us][ROOK] = e.attacks[us][QUEEN] = 0
    e.attacks[us][KING] = KING_ATTACKS[ksq]
    e.attacks[us][PAWN] = pawn_attacks_of(pawns, us)
    e.attacks[us][6] = e.attacks[us][KING] | e.attacks[us][PAWN]
    e.attacked_twice[us] = ((e.attacks[us][KING] & e.attacks[us][PAWN])
                            | (capture_east(pawns, us) & capture_west(pawns, us)))
    guarded = pawn_attacks_of(pieces_of(pos, them, PAWN), us ^ 1)
    blocked = pawns & push_up(occupied_of(pos), us ^ 1)
    e.mobility_area[us] = ~(guarded | blocked | (pos.pieces[KING] & pos.colours[us]))
    # The ring is the king's neighbourhood, moved inside the board at its edges.
    centre = clamp_int(file_of(ksq), 1, 6) + 8 * clamp_int(rank_of(ksq), 1, 6)
    e.king_ring[us] = KING_ATTACKS[centre] | square_bit(centre)
    e.king_units[us] = 0
    e.king_attackers[us] = 0


cdef inline void attack_king(Eval* e, const int us, u64 attacked, int units) noexcept nogil:
    cdef u64 hits = attacked & e.king_ring[us ^ 1]
    if hits:
        e.king_attackers[us] += 1
        e.king_units[us] += units + popcount(hits)


cdef inline void evaluate_pieces(const Position* pos, Eval* e, const int us, const bint traced) noexcept nogil:
    cdef int them = us ^ 1
    cdef u64 own = pos.colours[us]
    cdef u64 occupied = occupied_of(pos)
    cdef u64 pawns = pos.pieces[PAWN]
    cdef u64 own_pawns = pawns & own
    cdef u64 outposts, attacked, rest
    cdef int sq
    outposts = (RANK_4 | RANK_5 | RANK_6) if us == WHITE else (RANK_3 | RANK_4 | RANK_5)

    rest = pos.pieces[KNIGHT] & own
    while rest:
        sq = ctz(rest)
        rest = without_lowest(rest)
        add_placement(e, W_PSQT_KNIGHT, KNIGHT, sq, us, traced)
        attacked = KNIGHT_ATTACKS[sq]
        add_attacks(e, us, KNIGHT, attacked)
        attack_king(e, us, attacked, ATTACK_MINOR)
        add_term(e, W_MOBILITY_KNIGHT + popcount(attacked & e.mobility_area[us]), 1, us, traced)
        if square_bit(sq) & outposts and not PASSED_SPAN[us][sq] & NEIGHBOUR_FILES[file_of(sq)] & pawns & ~own:
            add_term(e, W_KNIGHT_OUTPOST + ((square_bit(sq) & e.attacks[us][PAWN]) != 0), 1, us, traced)
        if push_up(square_bit(sq), us) & pawns:
            add_term(e, W_MINOR_BEHIND_PAWN, 1, us, traced)

    rest = pos.pieces[BISHOP] & own
    if more_than_one(rest):
        add_term(e, W_BISHOP_PAIR, 1, us, traced)
    while rest:
        sq = ctz(rest)
        rest = without_lowest(rest)
        add_placement(e, W_PSQT_BISHOP, BISHOP, sq, us, traced)
        attacked = bishop_attacks(sq, occupied ^ (pos.pieces[QUEEN] & own))
        add_attacks(e, us, BISHOP, attacked)
        attack_king(e, us, attacked, ATTACK_MINOR)
        add_term(e, W_MOBILITY_BISHOP + popcount(attacked & e.mobility_area[us]), 1, us, traced)
        if square_bit(sq) & outposts and not PASSED_SPAN[us][sq] & NEIGHBOUR_FILES[file_of(sq)] & pawns & ~own:
            add_term(e, W_BISHOP_OUTPOST + ((square_bit(sq) & e.attacks[us][PAWN]) != 0), 1, us, traced)
        if push_up(square_bit(sq), us) & pawns:
            add_term(e, W_MINOR_BEHIND_PAWN, 1, us, traced)
        add_term(e, W_BISHOP_BAD_PAWNS,
                 popcount(own_pawns & (LIGHT_SQUARES if LIGHT_SQUARES >> sq & 1 else DARK_SQUARES)), us, traced)
        if more_than_one((bishop_attacks(sq, pawns) | square_bit(sq)) & LONG_DIAGONAL_CENTRE):
            add_term(e, W_BISHOP_LONG_DIAGONAL, 1, us, traced)

    rest = pos.pieces[ROOK] & own
    while rest:
        sq = ctz(rest)
        rest = without_lowest(rest)
        add_placement(e, W_PSQT_ROOK, ROOK, sq, us, traced)
        attacked = rook_attacks(sq, occupied ^ ((pos.pieces[ROOK] | pos.pieces[QUEEN]) & own))
        add_attacks(e, us, ROOK, attacked)
        attack_king(e, us, attacked, ATTACK_ROOK)
        add_term(e, W_MOBILITY_ROOK + popcount(attacked & e.mobility_area[us]), 1, us, traced)
        if not own_pawns & (FILE_A << file_of(sq)):
            if pawns & (FILE_A << file_of(sq)):
                add_term(e, W_ROOK_HALF_OPEN_FILE, 1, us, traced)
            else:
                add_term(e, W_ROOK_OPEN_FILE, 1, us, traced)
        if relative_rank(us, sq) == 6 and relative_rank(us, king_square(pos, them)) == 7:
            add_term(e, W_ROOK_ON_SEVENTH, 1, us, traced)
        if FORWARD_FILE[us][sq] & e.passed & own:
            add_term(e, W_ROOK_BEHIND_PASSER, 1, us, traced)

    rest = pos.pieces[QUEEN] & own
    while rest:
        sq = ctz(rest)
        rest = without_lowest(rest)
        add_placement(e, W_PSQT_QUEEN, QUEEN, sq, us, traced)
        attacked = queen_attacks(sq, occupied)
        add_attacks(e, us, QUEEN, attacked)
        attack_king(e, us, attacked, ATTACK_QUEEN)
        add_term(e, W_MOBILITY_QUEEN + popcount(attacked & e.mobility_area[us]), 1, us, traced)


cdef inline void evaluate_king(const Position* pos, Eval* e, const int us, const bint traced) noexcept nogil:
    """Shelter of our king, and our attack on the other."""
    cdef int them = us ^ 1
    cdef int ksq = king_square(pos, us)
    cdef int enemy_ksq = king_square(pos, them)
    cdef u64 own_pawns = pieces_of(pos, us, PAWN)
    cdef u64 enemy_pawns = pieces_of(pos, them, PAWN)
    cdef u64 occupied = occupied_of(pos)
    cdef u64 in_front, found, weak, safe, straight, diagonal
    cdef int f, centre, own_rank, enemy_rank, units
    add_placement(e, W_PSQT_KING, KING, ksq, us, traced)
    # Pawns before the king, on its file and the two beside it.
    centre = clamp_int(file_of(ksq), 1, 6)
    in_front = (ALL_SQUARES << (8 * rank_of(ksq))) if us == WHITE else (ALL_SQUARES >> (56 - 8 * rank_of(ksq)))
    for f in range(centre - 1, centre + 2):
        found = own_pawns & in_front & (FILE_A << f)
        own_rank = 0
        if found:
            own_rank = rank_of(ctz(found)) if us == WHITE else 7 - rank_of(msb(found))
        add_term(e, W_SHELTER + 8 * edge_distance(f) + own_rank, 1, us, traced)
        found = enemy_pawns & in_front & (FILE_A << f)
        enemy_rank = 0
        if found:
            enemy_rank = rank_of(ctz(found)) if us == WHITE else 7 - rank_of(msb(found))
        add_term(e, W_STORM + 8 * (own_rank != 0 and own_rank == enemy_rank - 1) + enemy_rank, 1, us, traced)
    if not own_pawns & (FILE_A << file_of(ksq)):
        add_term(e, W_KING_OPEN_FILE + ((enemy_pawns & (FILE_A << file_of(ksq))) == 0), 1, us, traced)
    # Our attack: attackers and squares attacked, weak squares of the defence, and safe checks.
    if e.king_attackers[us]:
        weak = e.attacks[us][6] & ~e.attacked_twice[them] & (
            ~e.attacks[them][6] | e.attacks[them][QUEEN] | e.attacks[them][KING])
        safe = ~pos.colours[us] & (~e.attacks[them][6] | (weak & e.attacked_twice[us]))
        units = e.king_units[us] + popcount(weak & e.king_ring[them])
        straight = rook_attacks(enemy_ksq, occupied)
        diagonal = bishop_attacks(enemy_ksq, occupied)
        if KNIGHT_ATTACKS[enemy_ksq] & e.attacks[us][KNIGHT] & safe:
            units += SAFE_CHECK_KNIGHT
        if diagonal & e.attacks[us][BISHOP] & safe:
            units += SAFE_CHECK_BISHOP
        if straight & e.attacks[us][ROOK] & safe:
            units += SAFE_CHECK_ROOK
        if (straight | diagonal) & e.attacks[us][QUEEN] & safe & ~e.attacks[them][KING]:
            units += SAFE_CHECK_QUEEN
        if not pos.pieces[QUEEN] & pos.colours[us]:
            units -= NO_QUEEN_MALUS
        if e.king_attackers[us] == 1:
            units >>= 1
        add_term(e, W_KING_DANGER + clamp_int(units, 0, KING_UNITS_MAX), 1, us, traced)


cdef inline void evaluate_threats(const Position* pos, Eval* e, const int us, const bint traced) noexcept nogil:
    cdef int them = us ^ 1
    cdef u64 opp = pos.colours[them]
    cdef u64 occupied = occupied_of(pos)
    cdef u64 targets, weak, guarded, pushes, safe
    guarded = e.attacks[them][PAWN] | (e.attacked_twice[them] & ~e.attacked_twice[us])
    weak = opp & ~guarded & e.attacks[us][6]
    targets = opp & e.attacks[us][PAWN] & ~pos.pieces[PAWN] & ~pos.pieces[KING]
    while targets:
        add_term(e, W_THREAT_BY_PAWN + type_of(pos.board[ctz(targets)]) - KNIGHT, 1, us, traced)
        targets = without_lowest(targets)
    targets = ((weak | (opp & (pos.pieces[ROOK] | pos.pieces[QUEEN])))
               & (e.attacks[us][KNIGHT] | e.attacks[us][BISHOP]) & ~pos.pieces[KING])
    while targets:
        add_term(e, W_THREAT_BY_MINOR + type_of(pos.board[ctz(targets)]), 1, us, traced)
        targets = without_lowest(targets)
    targets = (weak | (opp & pos.pieces[QUEEN])) & e.attacks[us][ROOK] & ~pos.pieces[KING]
    while targets:
        add_term(e, W_THREAT_BY_ROOK + type_of(pos.board[ctz(targets)]), 1, us, traced)
        targets = without_lowest(targets)
    if weak & e.attacks[us][KING]:
        add_term(e, W_THREAT_BY_KING, 1, us, traced)
    targets = weak & ~e.attacks[them][6]
    if targets:
        add_term(e, W_HANGING, popcount(targets), us, traced)
    add_term(e, W_RESTRICTED, popcount(e.attacks[us][6] & e.attacks[them][6] & ~guarded), us, traced)
    # Pawn pushes that attack something next move.
    safe = ~e.attacks[them][PAWN] & (~e.attacks[them][6] | e.attacks[us][6])
    pushes = push_up(pieces_of(pos, us, PAWN), us) & ~occupied
    pushes |= push_up(pushes & (RANK_3 if us == WHITE else RANK_6), us) & ~occupied
    targets = pawn_attacks_of(pushes & safe, us) & opp & ~pos.pieces[PAWN]
    if targets:
        add_term(e, W_THREAT_BY_PUSH, popcount(targets), us, traced)
    # Space behind our pawns.
    safe = (CENTRE_FILES & ((RANK_2 | RANK_3 | RANK_4) if us == WHITE else (RANK_7 | RANK_6 | RANK_5))
            & ~pieces_of(pos, us, PAWN) & ~e.attacks[them][PAWN])
    add_term(e, W_SPACE, popcount(safe) * max_int(popcount(pos.colours[us]) - 6, 0) >> 3, us, traced)


cdef inline void evaluate_passed(const Position* pos, Eval* e, const int us, const bint traced) noexcept nogil:
    cdef int them = us ^ 1
    cdef u64 rest = e.passed & pos.colours[us]
    cdef u64 path
    cdef int sq, stop, r
    while rest:
        sq = ctz(rest)
        rest = without_lowest(rest)
        r = relative_rank(us, sq)
        if r < 3:
            continue
        stop = sq + 8 - 16 * us
        path = FORWARD_FILE[us][sq]
        add_term(e, W_PASSED_OWN_KING + DISTANCE[king_square(pos, us)][stop], r - 2, us, traced)
        add_term(e, W_PASSED_ENEMY_KING + DISTANCE[king_square(pos, them)][stop], r - 2, us, traced)
        if square_bit(stop) & occupied_of(pos):
            add_term(e, W_PASSED_BLOCKED + r, 1, us, traced)
        elif path & (occupied_of(pos) | e.attacks[them][6]) == 0:
            add_term(e, W_PASSED_FREE + r, 1, us, traced)
        if square_bit(stop) & e.attacks[us][6]:
            add_term(e, W_PASSED_DEFENDED + r, 1, us, traced)


cdef inline int sum_features(const Position* pos, Eval* e, PawnEntry* cache, const bint traced) noexcept nogil:
    """Fills `e.score` with the packed sum, White's side, before tapering."""
    e.score = 0
    prepare_eval(pos, e, WHITE)
    prepare_eval(pos, e, BLACK)
    evaluate_pawns(pos, e, cache, traced)
    evaluate_pieces(pos, e, WHITE, traced)
    evaluate_pieces(pos, e, BLACK, traced)
    evaluate_king(pos, e, WHITE, traced)
    evaluate_king(pos, e, BLACK, traced)
    evaluate_threats(pos, e, WHITE, traced)
    evaluate_threats(pos, e, BLACK, traced)
    evaluate_passed(pos, e, WHITE, traced)
    evaluate_passed(pos, e, BLACK, traced)
    if pos.side == WHITE:
        add_term(e, W_TEMPO, 1, WHITE, traced)
    else:
        add_term(e, W_TEMPO, 1, BLACK, traced)
    return 0


cdef inline int taper(const Position* pos, i32 packed, int* phase, int* scale) noexcept nogil:
    """Middlegame and endgame blended by phase, from the side to move. In a drawn ending (scale 0) the middlegame half
    does not count either."""
    cdef int score
    phase[0] = phase_of(pos)
    scale[0] = endgame_scale(pos, eg_of(packed))
    if scale[0] == 0:
        phase[0] = 0
    score = (mg_of(packed) * phase[0]
             + eg_of(packed) * scale[0] // FULL_SCALE * (FULL_PHASE - phase[0])) // FULL_PHASE
    return score if pos.side == WHITE else -score


cdef int classical(const Position* pos, PawnEntry* cache) noexcept nogil:
    """The static evaluation in centipawns, from the side to move."""
    cdef Eval e
    cdef int phase, scale
    sum_features(pos, &e, cache, False)
    return taper(pos, e.score, &phase, &scale)


cdef int classical_traced(const Position* pos, i16* trace, int* phase, int* scale) noexcept nogil:
    """The same, leaving [colour][weight] counts in `trace`."""
    cdef Eval e
    memset(trace, 0, 2 * WEIGHT_COUNT * sizeof(i16))
    e.trace = trace
    sum_features(pos, &e, NULL, True)
    return taper(pos, e.score, phase, scale)
