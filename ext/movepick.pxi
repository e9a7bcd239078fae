# Move picker: the moves of a node one by one, likely best first, generated stage by stage so that
# a cutoff saves the rest. Order: hash move, good captures, killers, quiets, bad captures. Where the score is decided,
# quiets that give check are handed out even if the search skips quiets (late checks): they may begin a mate.

cdef enum:
    STAGE_HASH = 0
    STAGE_NOISY_INIT = 1
    STAGE_NOISY = 2
    STAGE_KILLER_1 = 3
    STAGE_KILLER_2 = 4
    STAGE_QUIET_INIT = 5
    STAGE_QUIET = 6
    STAGE_LATE_CHECKS = 7
    STAGE_BAD_NOISY = 8
    STAGE_EVASION_INIT = 9
    STAGE_EVASION = 10
    STAGE_DONE = 11

ctypedef struct Picker:
    int stage
    Move16 hash_move
    Move16 killers[2]           # as they were at the start: a search below may change the frame's
    int next                    # first move not yet handed out
    int end                     # end of the present list
    int bad                     # losing captures parked at the front, [0, bad)
    int see_threshold           # captures below it are bad (or, in quiescence, left out)
    bint noisy_only
    bint skip_quiets
    u64 by_pawns                # squares the enemy attacks with pawns …
    u64 by_minors               # … or minor pieces …
    u64 by_rooks                # … or rooks
    Masks masks
    Move16 moves[MAX_MOVES]
    i32 scores[MAX_MOVES]


cdef inline void score_noisy(Picker* p, const Worker* w, const Params* params) noexcept nogil:
    cdef int i
    cdef Move16 m
    for i in range(p.next, p.end):
        m = p.moves[i]
        p.scores[i] = (SEE_VALUES[captured_type(&w.pos, m)] * params.MVV_WEIGHT * uses(params, USE_MVV)
                       + capture_history(w, m)[0] * params.CAPTURE_HISTORY_WEIGHT // 16)
        if is_promotion(m):
            p.scores[i] += params.QUEEN_PROMOTION_BONUS if promoted_type(m) == QUEEN else -params.UNDERPROMOTION_MALUS


cdef inline int escape(u64 from_bit, u64 to_bit, u64 danger) noexcept nogil:
    """1 for a move out of danger, -1 for one into it, 0 for neither or both."""
    return ((from_bit & danger) != 0) - ((to_bit & danger) != 0)


cdef inline void score_quiets(Picker* p, const Worker* w, const Frame* ss, const Params* params) noexcept nogil:
    """By history, and by threats: moves that save an attacked piece or attack a greater one come first, moves into an
    attack last."""
    cdef int i, pc, pt, score
    cdef int us = w.pos.side
    cdef u64 danger, to_bit, from_bit, rest
    cdef Move16 m
    cdef int ksq = king_square(&w.pos, w.pos.side ^ 1)
    cdef u64 occupied = occupied_of(&w.pos)
    cdef u64 straight = rook_attacks(ksq, occupied)
    cdef u64 diagonal = bishop_attacks(ksq, occupied)
    # Squares from which a pawn, knight, bishop or rook of ours would attack a greater piece
    cdef u64 greater = w.pos.colours[us ^ 1] & ~(w.pos.pieces[PAWN] | w.pos.pieces[KING])
    cdef u64 pawn_hits = pawn_attacks_of(greater, us ^ 1)
    cdef u64 knight_hits = 0, bishop_hits = 0, rook_hits = 0
    cdef int attack = params.THREAT_MAKE if uses(params, USE_THREATS) else 0
    rest = greater & (w.pos.pieces[ROOK] | w.pos.pieces[QUEEN])
    while rest:
        knight_hits |= KNIGHT_ATTACKS[ctz(rest)]
        bishop_hits |= bishop_attacks(ctz(rest), occupied)
        rest = without_lowest(rest)
    rest = greater & w.pos.pieces[QUEEN]
    while rest:
        rook_hits |= rook_attacks(ctz(rest), occupied)
        rest = without_lowest(rest)
    for i in range(p.next, p.end):
        m = p.moves[i]
        pc = w.pos.board[from_of(m)]
        pt = type_of(pc)
        score = quiet_history(w, ss, m, pc, params)
        from_bit = square_bit(from_of(m))
        to_bit = square_bit(to_of(m))
        if pt == QUEEN:
            danger = p.by_rooks
            score += escape(from_bit, to_bit, danger) * params.THREAT_ESCAPE_QUEEN
            if to_bit & (straight | diagonal) & ~ss.threats:
                score += params.CHECK_BONUS
        elif pt == ROOK:
            danger = p.by_minors
            score += escape(from_bit, to_bit, danger) * params.THREAT_ESCAPE_ROOK
            if to_bit & straight & ~ss.threats:
                score += params.CHECK_BONUS
            if to_bit & rook_hits & ~ss.threats:
                score += attack
        elif pt == BISHOP or pt == KNIGHT:
            danger = p.by_pawns
            score += escape(from_bit, to_bit, danger) * params.THREAT_ESCAPE_MINOR
            if to_bit & (diagonal if pt == BISHOP else KNIGHT_ATTACKS[ksq]) & ~ss.threats:
                score += params.CHECK_BONUS
            if to_bit & (bishop_hits if pt == BISHOP else knight_hits) & ~ss.threats:
                score += attack
        elif pt == PAWN and to_bit & pawn_hits & ~p.by_pawns:
            score += attack
        p.scores[i] = score


cdef inline void keep_checks(Picker* p, const Position* pos) noexcept nogil:
    """Leaves of the quiet moves that are still to come those that give check. Such a move goes to a square, or leaves
    one, that a queen or a knight in place of the enemy king would reach, or it castles; most moves do not."""
    cdef int ksq = king_square(pos, pos.side ^ 1)
    cdef u64 occupied = occupied_of(pos)
    cdef u64 reach = rook_attacks(ksq, occupied) | bishop_attacks(ksq, occupied) | KNIGHT_ATTACKS[ksq]
    cdef int i, kept = p.next
    cdef Move16 m
    for i in range(p.next, p.end):
        m = p.moves[i]
        if (((square_bit(from_of(m)) | square_bit(to_of(m))) & reach or flags_of(m) == CASTLE)
                and gives_check(pos, m)):
            p.moves[kept] = m
            kept += 1
    p.end = kept


cdef inline void score_evasions(Picker* p, const Worker* w, const Frame* ss, const Params* params) noexcept nogil:
    cdef int i
    cdef Move16 m
    for i in range(p.next, p.end):
        m = p.moves[i]
        if is_capture(m):
            p.scores[i] = (1 << 20) + SEE_VALUES[captured_type(&w.pos, m)] * 16 - type_of(w.pos.board[from_of(m)])
        else:
            p.scores[i] = quiet_history(w, ss, m, w.pos.board[from_of(m)], params)


cdef inline Move16 pick_best(Picker* p) noexcept nogil:
    """Swaps the best of the rest to the front and hands it out."""
    cdef int i, best = p.next
    cdef Move16 m
    cdef i32 score
    for i in range(p.next + 1, p.end):
        if p.scores[i] > p.scores[best]:
            best = i
    m = p.moves[best]
    score = p.scores[best]
    p.moves[best] = p.moves[p.next]
    p.scores[best] = p.scores[p.next]
    p.moves[p.next] = m
    p.scores[p.next] = score
    p.next += 1
    return m


cdef inline bint keeps_checks(const Worker* w, const Params* params) noexcept nogil:
    """Whether checks are handed out where quiet moves are skipped."""
    return w.decided and uses(params, USE_LATE_CHECKS)


cdef inline void start_picker(
    Picker* p, const Worker* w, const Frame* ss, Move16 hash_move, int see_threshold, bint noisy_only
) noexcept nogil:
    p.masks = masks_of(&w.pos)
    p.hash_move = NO_MOVE
    if hash_move != NO_MOVE and is_legal(&w.pos, &p.masks, hash_move):
        p.hash_move = hash_move
    if noisy_only and not is_noisy(hash_move) and not p.masks.checkers:
        p.hash_move = NO_MOVE
    p.killers[0] = ss.killers[0]
    p.killers[1] = ss.killers[1]
    p.stage = STAGE_HASH
    p.noisy_only = noisy_only
    p.skip_quiets = False
    p.see_threshold = see_threshold
    p.next = 0
    p.end = 0
    p.bad = 0


cdef inline Move16 next_move_body(Picker* p, const Worker* w, const Frame* ss, const Params* params) noexcept nogil:
    cdef Move16 m
    cdef int may_lose
    if p.stage == STAGE_HASH:
        p.stage = STAGE_EVASION_INIT if p.masks.checkers else STAGE_NOISY_INIT
        if p.hash_move != NO_MOVE:
            prefetch_child(w, p.hash_move)
            return p.hash_move
    if p.stage == STAGE_NOISY_INIT:
        p.end = generate_noisy(&w.pos, &p.masks, p.moves)
        score_noisy(p, w, params)
        p.stage = STAGE_NOISY
    if p.stage == STAGE_NOISY:
        while p.next < p.end:
            m = pick_best(p)
            if m == p.hash_move:
                continue
            prefetch_child(w, m)
            if not p.noisy_only and not uses(params, USE_SEE_ORDERING):
                return m
            may_lose = 0 if p.noisy_only else p.scores[p.next - 1] // params.GOOD_CAPTURE_DIVISOR
            if not see_at_least(&w.pos, m, p.see_threshold - may_lose):
                p.moves[p.bad] = m      # parked: never ahead of `next`
                p.bad += 1
                continue
            return m
        if p.noisy_only:
            p.stage = STAGE_DONE
            return NO_MOVE
        p.stage = STAGE_KILLER_1
    if p.stage == STAGE_KILLER_1:
        p.stage = STAGE_KILLER_2
        if p.skip_quiets:
            p.killers[0] = NO_MOVE      # not handed out here: it may be a late check
        m = p.killers[0]
        if m != NO_MOVE and m != p.hash_move and is_legal(&w.pos, &p.masks, m):
            prefetch_child(w, m)
            return m
    if p.stage == STAGE_KILLER_2:
        p.stage = STAGE_QUIET_INIT
        if p.skip_quiets:
            p.killers[1] = NO_MOVE
        m = p.killers[1]
        if m != NO_MOVE and m != p.hash_move and is_legal(&w.pos, &p.masks, m):
            prefetch_child(w, m)
            return m
    if p.stage == STAGE_QUIET_INIT:
        p.stage = STAGE_QUIET
        p.next = p.bad
        p.end = p.bad
        if not p.skip_quiets or keeps_checks(w, params):
            p.end += generate_quiets(&w.pos, &p.masks, p.moves + p.bad)
        if not p.skip_quiets:
            score_quiets(p, w, ss, params)
    if p.stage == STAGE_QUIET:
        while p.next < p.end and not p.skip_quiets:
            m = pick_best(p)
            if m != p.hash_move and m != p.killers[0] and m != p.killers[1]:
                prefetch_child(w, m)
                return m
        p.stage = STAGE_LATE_CHECKS
        if p.next < p.end and keeps_checks(w, params):
            keep_checks(p, &w.pos)
            if p.next < p.end:
                score_quiets(p, w, ss, params)
        else:
            p.end = p.next
    if p.stage == STAGE_LATE_CHECKS:
        while p.next < p.end:
            m = pick_best(p)
            if m != p.hash_move and m != p.killers[0] and m != p.killers[1]:
                prefetch_child(w, m)
                return m
        p.stage = STAGE_BAD_NOISY
        p.next = 0
    if p.stage == STAGE_BAD_NOISY:
        if p.next < p.bad:
            m = p.moves[p.next]
            p.next += 1
            return m
        p.stage = STAGE_DONE
    if p.stage == STAGE_EVASION_INIT:
        p.end = generate_all(&w.pos, &p.masks, p.moves)
        score_evasions(p, w, ss, params)
        p.stage = STAGE_EVASION
    if p.stage == STAGE_EVASION:
        while p.next < p.end:
            m = pick_best(p)
            if m != p.hash_move:
                prefetch_child(w, m)
                return m
        p.stage = STAGE_DONE
    return NO_MOVE


cdef Move16 next_move_default(Picker* p, const Worker* w, const Frame* ss) noexcept nogil:
    return next_move_body(p, w, ss, &DEFAULT_PARAMS)


cdef Move16 next_move_tuned(Picker* p, const Worker* w, const Frame* ss) noexcept nogil:
    return next_move_body(p, w, ss, &w.shared.params)


cdef inline Move16 next_move(Picker* p, const Worker* w, const Frame* ss, const Params* params) noexcept nogil:
    """The next move, or NO_MOVE when there are no more."""
    return next_move_tuned(p, w, ss) if params.tuned else next_move_default(p, w, ss)


cdef inline void set_threats(Worker* w, Frame* ss, Picker* picker, const Params* params) noexcept nogil:
    """Computes what the other side attacks: with lesser pieces for the picker, and in all for the histories."""
    picker.by_pawns = picker.by_minors = picker.by_rooks = ss.threats = 0
    if uses(params, USE_THREATS):
        threats_by(&w.pos, w.pos.side ^ 1, &picker.by_pawns, &picker.by_minors, &picker.by_rooks)
        ss.threats = picker.by_rooks | queen_and_king_attacks(&w.pos, w.pos.side ^ 1)
