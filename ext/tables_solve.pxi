# Retrograde analysis: every position of one ending solved backwards, from mates and from zeroing moves into
# endings already known.
#
# Pawns stand still within a slice: a pawn move is zeroing and leads to a slice solved before, a capture or
# promotion to a smaller table or to one made before. What is left in a slice is kings and pieces moving
# without captures. Levels count half-moves to the next zeroing move or mate: a position is won at level n + 1
# if a move leads to one lost at level n, lost at level n + 1 if its last escape is won for the other side at
# level n. Beyond level 100 the fifty-move rule has made it a draw: cursed wins and blessed losses. A zeroing
# move that itself leads to one of those counts as level 101.

cdef enum:
    SOLVER_PIECES = 5
    MAX_SLICES = 32768
    FIFTY_MOVES = 100       # half-moves
    LAST_LEVEL = 4000

# A position's 16 bits: a code of 13, and above it how good zeroing moves are.
cdef enum:
    CODE_MASK = 0x1FFF
    OPEN_PLAIN = 0          # not solved; every zeroing move loses
    OPEN_BLESSED = 1        # not solved; the best zeroing move is a blessed loss
    OPEN_DRAW = 2           # not solved; a zeroing move draws, or stalemate: not a loss
    OPEN_CURSED = 3         # not solved; a zeroing move is a cursed win
    NO_POSITION = 4         # illegal
    FIRST_WIN = 16          # 16 + 2 n won, 17 + 2 n lost at level n
    ZEROING_SHIFT = 13
    BEST_CAPTURE = 3        # 1..5: the best capture's result + 3; 0: there is none
    PAWN_WIN = 6            # a pawn move wins, and no capture does
    PAWN_CURSED = 7         # a pawn move is a cursed win, and nothing zeroing is better

ctypedef struct Solver:
    const TableSet* ts      # the tables a zeroing move can lead to
    u64 key
    int count
    int pawn_count
    int others              # pieces besides kings and pawns
    u8 pawns[SOLVER_PIECES]     # coloured pieces, White's first
    u8 pieces[SOLVER_PIECES]    # the others, likewise
    int pairs               # placements of the kings
    int shift               # bits of an index that place the others
    u64 stretch             # placements of the others for each pair of kings
    u64 size                # positions of a slice and side to move
    int slices
    u16* values             # [slice][side][size]
    int failed              # a table that is needed is missing or damaged
    u8 turn[8][64]          # symmetries of the board
    u8 pair_turn[64][64]    # the symmetry that brings two kings to their numbered placement
    i16 pair_number[64][64]
    u8 pair_kings[4096][2]
    u8 pair_diagonal[4096]  # both kings on the diagonal: a mirrored twin exists
    u8 slice_pawns[MAX_SLICES][SOLVER_PIECES]
    i32* slice_of           # by the pawns' squares; bit 30: mirrored


cdef inline int win_code(int level) noexcept nogil:
    return FIRST_WIN + 2 * level


cdef inline int loss_code(int level) noexcept nogil:
    return FIRST_WIN + 1 + 2 * level


cdef inline int code_level(int code) noexcept nogil:
    return (code - FIRST_WIN) >> 1


cdef inline bint is_win_code(int code) noexcept nogil:
    return code >= FIRST_WIN and not code & 1


cdef inline int code_result(int code) noexcept nogil:
    """The result for the side to move of a solved slice's code."""
    if code < FIRST_WIN:
        return TABLE_DRAW
    if code_level(code) <= FIFTY_MOVES:
        return TABLE_LOSS if code & 1 else TABLE_WIN
    return BLESSED_LOSS if code & 1 else CURSED_WIN


cdef inline int mirror_diagonal(int sq) noexcept nogil:
    return (sq >> 3 | sq << 3) & 63


cdef void set_king_pairs(Solver* sv) noexcept nogil:
    """Numbers the placements of two kings: all, or with the board's symmetry where there are no pawns."""
    cdef int white, black, t, sq, w, b, pairs = 0
    for t in range(8):
        for sq in range(64):
            w = sq ^ (7 if t & 1 else 0) ^ (56 if t & 2 else 0)
            sv.turn[t][sq] = <u8>(mirror_diagonal(w) if t & 4 else w)
    for white in range(64):
        for black in range(64):
            sv.pair_number[white][black] = -1
    for white in range(64):
        for black in range(64):
            if white == black or KING_ATTACKS[white] & square_bit(black):
                continue
            t = 0
            if sv.pawn_count == 0:
                t = (1 if white & 4 else 0) | (2 if white & 32 else 0)
                w = sv.turn[t][white]
                b = sv.turn[t][black]
                if above_diagonal(w) > 0 or (above_diagonal(w) == 0 and above_diagonal(b) > 0):
                    t |= 4
            w = sv.turn[t][white]
            b = sv.turn[t][black]
            sv.pair_turn[white][black] = <u8>t
            if sv.pair_number[w][b] < 0:
                sv.pair_number[w][b] = <i16>pairs
                sv.pair_kings[pairs][WHITE] = <u8>w
                sv.pair_kings[pairs][BLACK] = <u8>b
                sv.pair_diagonal[pairs] = <u8>(sv.pawn_count == 0 and above_diagonal(w) == 0 and above_diagonal(b) == 0)
                pairs += 1
            sv.pair_number[white][black] = sv.pair_number[w][b]
    sv.pairs = pairs


cdef inline u32 pawn_code(const Solver* sv, const u8* squares) noexcept nogil:
    """Pawns' squares, in the solver's order, as a number: equal pawns are sorted first."""
    cdef int sq[SOLVER_PIECES]
    cdef int i, white = 0
    cdef u32 code = 0
    for i in range(sv.pawn_count):
        sq[i] = squares[i]
        white += colour_of(sv.pawns[i]) == WHITE
    sort_squares(sq, white)
    sort_squares(sq + white, sv.pawn_count - white)
    for i in range(sv.pawn_count):
        code = code * 48 + <u32>(sq[i] - 8)
    return code


cdef inline int advancement(const Solver* sv, const u8* squares) noexcept nogil:
    """How far pawns have come in all: every pawn move adds to it."""
    cdef int i, ranks = 0
    for i in range(sv.pawn_count):
        ranks += relative_rank(colour_of(sv.pawns[i]), squares[i])
    return ranks


cdef void set_slices(Solver* sv, u32 codes) noexcept nogil:
    """Numbers the placements of the pawns, most advanced first; one of two mirror images is enough."""
    cdef u8 squares[SOLVER_PIECES]
    cdef u8 mirrored[SOLVER_PIECES]
    cdef u32 code, rest, twin
    cdef int i, j, ranks
    cdef bint proper
    sv.slices = 0
    for code in range(codes):
        sv.slice_of[code] = -1
    ranks = 6 * sv.pawn_count
    while ranks >= sv.pawn_count:
        for code in range(codes):
            rest = code
            i = sv.pawn_count - 1
            while i >= 0:
                squares[i] = <u8>(8 + rest % 48)
                mirrored[i] = squares[i] ^ 7
                rest //= 48
                i -= 1
            proper = True
            for i in range(sv.pawn_count):
                for j in range(i):
                    if squares[i] == squares[j]:
                        proper = False
            if not proper or pawn_code(sv, squares) != code or advancement(sv, squares) != ranks:
                continue
            twin = pawn_code(sv, mirrored)
            if sv.slice_of[twin] >= 0 and twin != code:
                sv.slice_of[code] = sv.slice_of[twin] | 1 << 30
                continue
            sv.slice_of[code] = sv.slices
            for i in range(sv.pawn_count):
                sv.slice_pawns[sv.slices][i] = squares[i]
            sv.slices += 1
        ranks -= 1


cdef bint mirrors_itself(const Solver* sv, int slice_at) noexcept nogil:
    """Whether the pawns of a slice are their own mirror image."""
    cdef u8 mirrored[SOLVER_PIECES]
    cdef int i
    for i in range(sv.pawn_count):
        mirrored[i] = sv.slice_pawns[slice_at][i] ^ 7
    return pawn_code(sv, mirrored) == pawn_code(sv, sv.slice_pawns[slice_at])


cdef inline u16* slice_values(const Solver* sv, int slice_at, int side) noexcept nogil:
    return sv.values + (2 * <u64>slice_at + <u64>side) * sv.size


cdef inline u64 after_move(const Solver* sv, u64 idx, int mover, int to_sq, const u8* kings) noexcept nogil:
    """The index after a piece other than a pawn has moved: movers 0 and 1 are the kings."""
    cdef int shift, i, t, white, black
    cdef u64 rest, turned
    if mover >= 2:
        shift = 6 * (mover - 2)
        return (idx & ~(<u64>63 << shift)) | <u64>to_sq << shift
    white = to_sq if mover == 0 else kings[0]
    black = to_sq if mover == 1 else kings[1]
    rest = idx & (sv.stretch - 1)
    t = sv.pair_turn[white][black]
    if t:
        turned = 0
        for i in range(sv.others):
            turned |= <u64>sv.turn[t][rest >> (6 * i) & 63] << (6 * i)
        rest = turned
    return <u64>sv.pair_number[white][black] * sv.stretch + rest


cdef inline u64 twin_of(const Solver* sv, u64 idx) noexcept nogil:
    """The mirrored twin of a position with both kings on the diagonal."""
    cdef u64 turned = idx & ~(sv.stretch - 1)
    cdef int i
    for i in range(sv.others):
        turned |= <u64>mirror_diagonal(idx >> (6 * i) & 63) << (6 * i)
    return turned


cdef inline void settle(const Solver* sv, u16* values, u64 idx, int code, int pair) noexcept nogil:
    values[idx] = <u16>((values[idx] & ~CODE_MASK) | code)
    if sv.pair_diagonal[pair]:
        idx = twin_of(sv, idx)
        values[idx] = <u16>((values[idx] & ~CODE_MASK) | code)


cdef int look_up(const Solver* sv, const Position* pos) noexcept nogil:
    """The code of a position of this table without en passant, its slice being solved."""
    cdef u8 pawns[SOLVER_PIECES]
    cdef u64 left[16]
    cdef int kings[2]
    cdef int i, pc
    cdef i32 at
    cdef int turn = 0
    cdef u64 rest = 0
    for i in range(sv.pawn_count):
        if i == 0 or sv.pawns[i] != sv.pawns[i - 1]:
            left[PAWN] = pieces_of(pos, colour_of(sv.pawns[i]), PAWN)
        pawns[i] = <u8>ctz(left[PAWN])
        left[PAWN] = without_lowest(left[PAWN])
    at = sv.slice_of[pawn_code(sv, pawns)]
    if at & 1 << 30:
        turn = 7
        at ^= 1 << 30
    kings[WHITE] = king_square(pos, WHITE) ^ turn
    kings[BLACK] = king_square(pos, BLACK) ^ turn
    for i in range(sv.others):
        pc = sv.pieces[i]
        if i == 0 or pc != sv.pieces[i - 1]:
            left[pc] = pieces_of(pos, colour_of(pc), type_of(pc))
        rest |= <u64>(ctz(left[pc]) ^ turn) << (6 * i)
        left[pc] = without_lowest(left[pc])
    return slice_values(sv, at, pos.side)[<u64>sv.pair_number[kings[0]][kings[1]] * sv.stretch + rest] & CODE_MASK


cdef int result_after_push(Solver* sv, Position* pos, int* state) noexcept nogil:
    """The result of a position of this table that a pawn move led to, en passant included."""
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks
    cdef int i, count, value, tried = 0, best = TABLE_LOSS - 1
    cdef int result = code_result(look_up(sv, pos))
    state[0] = PROBE_OK
    if pos.st.ep == NO_SQ:
        return result
    masks = masks_of(pos)
    count = generate_all(pos, &masks, moves)
    for i in range(count):
        if flags_of(moves[i]) != EN_PASSANT:
            continue
        make(pos, moves[i])
        value = -search_wdl(sv.ts, pos, False, state)
        unmake(pos)
        if state[0] == PROBE_FAILED:
            return 0
        tried += 1
        if value > best:
            best = value
    return best if tried == count or best > result else result


cdef void place(const Solver* sv, Position* pos, int slice_at, u64 idx) noexcept nogil:
    """Sets up the pieces of an index on a board that was empty; two may share a square."""
    cdef u64 pair = idx >> sv.shift
    cdef int i
    put_piece(pos, make_piece(WHITE, KING), sv.pair_kings[pair][WHITE])
    put_piece(pos, make_piece(BLACK, KING), sv.pair_kings[pair][BLACK])
    for i in range(sv.others):
        put_piece(pos, sv.pieces[i], idx >> (6 * i) & 63)
    for i in range(sv.pawn_count):
        put_piece(pos, sv.pawns[i], sv.slice_pawns[slice_at][i])


cdef void lift(Position* pos) noexcept nogil:
    """Empties the board again."""
    cdef u64 squares = occupied_of(pos)
    cdef int i
    while squares:
        pos.board[ctz(squares)] = EMPTY
        squares = without_lowest(squares)
    for i in range(6):
        pos.pieces[i] = 0
    pos.colours[WHITE] = pos.colours[BLACK] = 0


cdef int first_code(Solver* sv, Position* pos) noexcept nogil:
    """What one look at a legal position tells: mate, stalemate, and what zeroing moves lead to; with the bits above."""
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks = masks_of(pos)
    cdef int count = generate_all(pos, &masks, moves)
    cdef int i, value, state, quiet = 0
    cdef int best_capture = TABLE_LOSS - 1, best_pawn = TABLE_LOSS - 1, best, bits
    if count == 0:
        return loss_code(0) if masks.checkers else OPEN_DRAW
    for i in range(count):
        if not is_capture(moves[i]):
            if type_of(pos.board[from_of(moves[i])]) != PAWN:
                quiet += 1
                continue
            if best_pawn == TABLE_WIN:      # no other pawn move can be better
                continue
        make(pos, moves[i])
        if is_capture(moves[i]) or is_promotion(moves[i]):
            value = -search_wdl(sv.ts, pos, False, &state)
        else:
            value = -result_after_push(sv, pos, &state)
        unmake(pos)
        if state == PROBE_FAILED:
            atomic_store(&sv.failed, 1)
            return NO_POSITION
        if not is_capture(moves[i]):
            best_pawn = max_int(best_pawn, value)
        elif value == TABLE_WIN:        # nothing can be better
            best_capture = value
            break
        else:
            best_capture = max_int(best_capture, value)
    best = best_capture if best_capture > best_pawn else best_pawn
    bits = best_capture + BEST_CAPTURE
    if best_pawn > best_capture and best_pawn > 0:
        bits = PAWN_WIN if best_pawn == TABLE_WIN else PAWN_CURSED
    bits <<= ZEROING_SHIFT
    if best == TABLE_WIN:
        return bits | win_code(1)
    if best == CURSED_WIN:
        return bits | OPEN_CURSED
    if best == TABLE_DRAW:
        return bits | OPEN_DRAW
    if best == BLESSED_LOSS:
        return bits | OPEN_BLESSED
    return bits | (OPEN_PLAIN if quiet else loss_code(1))


cdef void survey(Solver* sv, int slice_at, u64 begin, u64 end) noexcept nogil:
    """The first look at a range of a slice, both sides to move."""
    cdef Position pos
    cdef State stack[PROBE_DEPTH + 4]
    cdef u64 idx
    cdef int side
    clear_position(&pos)
    pos.stack = stack
    idx = begin
    while idx < end:
        place(sv, &pos, slice_at, idx)
        for side in range(2):
            pos.side = side
            if (popcount(occupied_of(&pos)) != sv.count
                    or attackers_to(&pos, king_square(&pos, side ^ 1), occupied_of(&pos)) & pos.colours[side]):
                slice_values(sv, slice_at, side)[idx] = NO_POSITION
            else:
                slice_values(sv, slice_at, side)[idx] = <u16>first_code(sv, &pos)
        lift(&pos)
        idx += 1


ctypedef struct Board5:
    # A position of the solver, just enough to move pieces.
    u8 sq[SOLVER_PIECES]    # movers: the kings, then the others
    u64 occupied
    int pair


cdef inline void unpack(const Solver* sv, int slice_at, u64 idx, Board5* b) noexcept nogil:
    cdef int i
    b.pair = <int>(idx >> sv.shift)
    b.sq[0] = sv.pair_kings[b.pair][WHITE]
    b.sq[1] = sv.pair_kings[b.pair][BLACK]
    b.occupied = square_bit(b.sq[0]) | square_bit(b.sq[1])
    for i in range(sv.others):
        b.sq[2 + i] = idx >> (6 * i) & 63
        b.occupied |= square_bit(b.sq[2 + i])
    for i in range(sv.pawn_count):
        b.occupied |= square_bit(sv.slice_pawns[slice_at][i])


cdef inline int mover_piece(const Solver* sv, int mover) noexcept nogil:
    return make_piece(mover, KING) if mover < 2 else sv.pieces[mover - 2]


cdef inline u64 quiet_targets(const Solver* sv, const Board5* b, int mover) noexcept nogil:
    """Where a piece can go without a capture, checks aside; kings do not touch."""
    cdef u64 targets
    if mover < 2:
        return KING_ATTACKS[b.sq[mover]] & ~b.occupied & ~KING_ATTACKS[b.sq[mover ^ 1]]
    targets = attacks_of(type_of(sv.pieces[mover - 2]), b.sq[mover], b.occupied)
    return targets & ~b.occupied


cdef bint all_moves_lose(const Solver* sv, int slice_at, u64 idx, int side, int level) noexcept nogil:
    """Whether every move but zeroing ones leads to a win of the other side at most at `level`."""
    cdef const u16* answers = slice_values(sv, slice_at, side ^ 1)
    cdef Board5 b
    cdef int mover, code
    cdef u64 targets
    unpack(sv, slice_at, idx, &b)
    for mover in range(2 + sv.others):
        if colour_of(mover_piece(sv, mover)) != side:
            continue
        targets = quiet_targets(sv, &b, mover)
        while targets:
            code = answers[after_move(sv, idx, mover, ctz(targets), b.sq)] & CODE_MASK
            if code != NO_POSITION and (not is_win_code(code) or code_level(code) > level):
                return False
            targets = without_lowest(targets)
    return True


cdef u64 go_back(Solver* sv, int slice_at, u64 idx, int side, int level, bint won) noexcept nogil:
    """From a position settled at `level` to those a quiet move before: settles them at the next level where
    that follows. Returns how many were."""
    cdef int before = side ^ 1
    cdef u16* values = slice_values(sv, slice_at, before)
    cdef Board5 b
    cdef int mover, code, pair
    cdef u64 origins, at, settled = 0
    unpack(sv, slice_at, idx, &b)
    for mover in range(2 + sv.others):
        if colour_of(mover_piece(sv, mover)) != before:
            continue
        origins = quiet_targets(sv, &b, mover)
        while origins:
            at = after_move(sv, idx, mover, ctz(origins), b.sq)
            origins = without_lowest(origins)
            code = values[at] & CODE_MASK
            if code >= NO_POSITION:
                continue
            pair = <int>(at >> sv.shift) if mover < 2 else b.pair
            if not won:
                settle(sv, values, at, win_code(level + 1), pair)
                settled += 1
            elif (code == OPEN_PLAIN or (code == OPEN_BLESSED and level >= FIFTY_MOVES)) and all_moves_lose(
                    sv, slice_at, at, before, level):
                settle(sv, values, at, loss_code(level + 1), pair)
                settled += 1
    return settled


cdef inline bint has_level(const u16* values, u16 won) noexcept nogil:
    """Whether one of 64 positions is settled at the level of a win code; a loop for vector instructions."""
    cdef u16 found = 0
    cdef int i
    for i in range(64):
        found |= <u16>((values[i] & <u16>(CODE_MASK ^ 1)) == won)
    return found != 0


cdef u64 spread(Solver* sv, int slice_at, int level, u64 begin, u64 end) noexcept nogil:
    """One step back from every position of a range settled at `level`."""
    cdef int side, code
    cdef u64 idx, settled = 0
    cdef const u16* values
    cdef int won = win_code(level)
    for side in range(2):
        values = slice_values(sv, slice_at, side)
        idx = begin
        while idx < end:
            if idx & 63 == 0 and idx + 64 <= end and not has_level(values + idx, <u16>won):
                idx += 64
                continue
            code = values[idx] & CODE_MASK
            if code & ~1 == won:
                settled += go_back(sv, slice_at, idx, side, level, code == won)
            idx += 1
    return settled


cdef u64 curse(Solver* sv, int slice_at, u64 begin, u64 end) noexcept nogil:
    """After level 100 is settled: what zeroing moves to cursed wins and blessed losses settle at level 101.
    Only wins of up to level 100 count as escapes closed, so that the order of positions does not matter."""
    cdef int side, code
    cdef u64 idx, settled = 0
    cdef u16* values
    for side in range(2):
        values = slice_values(sv, slice_at, side)
        idx = begin
        while idx < end:
            code = values[idx] & CODE_MASK
            if code == OPEN_CURSED:
                settle(sv, values, idx, win_code(FIFTY_MOVES + 1), <int>(idx >> sv.shift))
                settled += 1
            elif code == OPEN_BLESSED and all_moves_lose(sv, slice_at, idx, side, FIFTY_MOVES):
                settle(sv, values, idx, loss_code(FIFTY_MOVES + 1), <int>(idx >> sv.shift))
                settled += 1
            idx += 1
    return settled


cdef void solve_slice(Solver* sv, int slice_at) noexcept nogil:
    """A whole slice by one thread."""
    cdef int level = 0
    cdef u64 settled
    survey(sv, slice_at, 0, sv.size)
    while level < LAST_LEVEL and not atomic_load(&sv.failed):
        settled = spread(sv, slice_at, level, 0, sv.size)
        if level == FIFTY_MOVES:
            settled += curse(sv, slice_at, 0, sv.size)
        if settled == 0 and level >= 1:
            if level >= FIFTY_MOVES:
                break
            level = FIFTY_MOVES - 1     # nothing until the fifty-move rule matters
        level += 1
