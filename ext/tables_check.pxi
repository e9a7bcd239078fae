# Checking tables: what they say of every position of an ending brought into memory, to be compared with other
# tables or held against the positions one move on.
#
# A distance file has one side to move of each file of the leading pawn. Its values are read first; the distances of
# the other side then follow from them by one move, as in a probe, but from memory.

cdef enum:                  # values of a position besides its distance, which is 0 for a draw
    NOT_LEGAL = 32000
    MATED = 32001           # the side to move is mated
    UNKNOWN = 32002         # the tables failed, or their result and distance contradict each other
    PENDING = 32010         # + result: the distance file is for the other side

ctypedef struct Comparison:
    u64 positions
    u64 results             # differ
    u64 close               # distances that differ by one half-move: rounding
    u64 far                 # distances that differ by more
    Position example        # the first of the worst kind


cdef inline int result_of(int dtz) noexcept nogil:
    """The result that a distance means."""
    return 0 if dtz == 0 else sign_of(dtz) * (2 if -FIFTY_MOVES <= dtz <= FIFTY_MOVES else 1)


cdef inline i16* side_values(const Solver* sv, int slice_at, int side) noexcept nogil:
    return <i16*>slice_values(sv, slice_at, side)


cdef inline bint is_sorted(const Solver* sv, u64 idx) noexcept nogil:
    """Whether equal pieces stand in order: the others are the same positions again."""
    cdef int i
    for i in range(1, sv.others):
        if sv.pieces[i] == sv.pieces[i - 1] and (idx >> (6 * i) & 63) < (idx >> (6 * (i - 1)) & 63):
            return False
    return True


cdef void write_value(const Solver* sv, i16* values, u64 idx, int value) noexcept nogil:
    """Writes a value for a position with its equal pieces in every order."""
    cdef int order[3]
    cdef int i, j
    cdef u64 rest
    cdef bint fits
    values[idx] = <i16>value
    if sv.others < 2 or (sv.pieces[0] != sv.pieces[1] and (sv.others < 3 or sv.pieces[1] != sv.pieces[2])):
        return
    for i in range(27):
        order[0] = i % 3
        order[1] = i // 3 % 3
        order[2] = i // 9
        fits = order[0] != order[1] and order[0] != order[2] and order[1] != order[2]
        for j in range(3):
            fits &= order[j] == j or (order[j] < sv.others and j < sv.others and sv.pieces[order[j]] == sv.pieces[j])
        if fits:
            rest = 0
            for j in range(sv.others):
                rest |= (idx >> (6 * order[j]) & 63) << (6 * j)
            values[(idx & ~(sv.stretch - 1)) | rest] = <i16>value


cdef int value_in_tables(const TableSet* ts, Position* pos) noexcept nogil:
    """The first half of a probe: the distance, or PENDING + result where the file is for the other side."""
    cdef int state, dtz
    cdef int wdl = search_wdl(ts, pos, True, &state)
    if state == PROBE_FAILED:
        return UNKNOWN
    if wdl == TABLE_LOSS and checkers_of(pos) and count_legal(pos) == 0:
        return MATED
    if wdl == TABLE_DRAW or state == PROBE_ZEROING:
        return dtz_of_zeroing(wdl)
    dtz = read_table(ts, pos, DTZ, wdl, &state)
    if state == PROBE_FAILED:
        return UNKNOWN
    if state == PROBE_OTHER_SIDE:
        return PENDING + wdl
    dtz = (dtz + FIFTY_MOVES * (wdl & 1)) * sign_of(wdl)
    return dtz if result_of(dtz) == wdl else UNKNOWN


cdef void load_range(const Solver* sv, int slice_at, u64 begin, u64 end) noexcept nogil:
    """Reads the values of a range of a slice, both sides to move."""
    cdef Position pos
    cdef State stack[PROBE_DEPTH + 4]
    cdef u64 idx = begin
    cdef int side, value
    clear_position(&pos)
    pos.stack = stack
    while idx < end:
        if is_sorted(sv, idx):
            place(sv, &pos, slice_at, idx)
            for side in range(2):
                pos.side = side
                value = NOT_LEGAL
                if popcount(occupied_of(&pos)) == sv.count and not attackers_to(
                        &pos, king_square(&pos, side ^ 1), occupied_of(&pos)) & pos.colours[side]:
                    value = value_in_tables(sv.ts, &pos)
                write_value(sv, side_values(sv, slice_at, side), idx, value)
            lift(&pos)
        idx += 1


cdef int best_zeroing(const TableSet* ts, Position* pos, int wanted, int* worst, bint* draws) noexcept nogil:
    """The least distance of a zeroing move that wins, 0 if there is none; `worst` becomes the greatest distance of
    one that loses, and `draws` whether one draws. With `wanted`, moves of another sign than that are left out."""
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks = masks_of(pos)
    cdef int count = generate_all(pos, &masks, moves) if pos.pieces[PAWN] else generate_noisy(pos, &masks, moves)
    cdef int i, dtz, state, least = 0
    for i in range(count):
        if not is_capture(moves[i]) and type_of(pos.board[from_of(moves[i])]) != PAWN:
            continue
        make(pos, moves[i])
        dtz = -dtz_of_zeroing(search_wdl(ts, pos, False, &state))
        unmake(pos)
        if state == PROBE_FAILED:
            return UNKNOWN
        if wanted and sign_of(dtz) != wanted:
            continue
        draws[0] |= dtz == 0
        if dtz > 0 and (least == 0 or dtz < least):
            least = dtz
        if -dtz > worst[0]:
            worst[0] = -dtz
    return least


cdef int value_from_moves(const Solver* sv, Position* pos, int slice_at, u64 idx, int wanted) noexcept nogil:
    """The distance as it follows from the positions one move on; `wanted` as for `best_zeroing`."""
    cdef const i16* answers = side_values(sv, slice_at, pos.side ^ 1)
    cdef int worst = 0
    cdef bint draws = False
    cdef int least = best_zeroing(sv.ts, pos, wanted, &worst, &draws)
    cdef Board5 b
    cdef int mover, dtz, tried = 0
    cdef u64 targets
    if least == UNKNOWN:
        return UNKNOWN
    unpack(sv, slice_at, idx, &b)
    for mover in range(2 + sv.others):
        if colour_of(mover_piece(sv, mover)) != pos.side:
            continue
        targets = quiet_targets(sv, &b, mover)
        while targets:
            dtz = answers[after_move(sv, idx, mover, ctz(targets), b.sq)]
            targets = without_lowest(targets)
            if dtz == NOT_LEGAL:
                continue
            tried += 1
            if dtz == UNKNOWN:
                return UNKNOWN
            if dtz == MATED:
                dtz = 1
            elif dtz >= PENDING + TABLE_LOSS:
                return UNKNOWN      # a damaged file: both sides to move have no distance
            else:
                dtz = -dtz - sign_of(dtz)
            if wanted and sign_of(dtz) != wanted:
                continue
            draws |= dtz == 0
            if dtz > 0 and (least == 0 or dtz < least):
                least = dtz
            if -dtz > worst:
                worst = -dtz
    if least:
        return least
    return 0 if draws or (worst == 0 and not checkers_of(pos)) else -worst if worst else MATED


cdef void derive_range(const Solver* sv, int slice_at, u64 begin, u64 end) noexcept nogil:
    """The distances of the side to move that the file does not have, from those it has."""
    cdef Position pos
    cdef State stack[PROBE_DEPTH + 4]
    cdef u64 idx = begin
    cdef int side, value, wdl
    clear_position(&pos)
    pos.stack = stack
    while idx < end:
        for side in range(2):
            wdl = side_values(sv, slice_at, side)[idx] - PENDING
            if wdl < TABLE_LOSS or not is_sorted(sv, idx):
                continue
            place(sv, &pos, slice_at, idx)
            pos.side = side
            value = value_from_moves(sv, &pos, slice_at, idx, sign_of(wdl))
            lift(&pos)
            write_value(sv, side_values(sv, slice_at, side), idx, value if result_of(value) == wdl else UNKNOWN)
        idx += 1


cdef void note_difference(Comparison* found, Position* pos, int value, int other) noexcept nogil:
    """Counts how two values of a position differ."""
    cdef bint wrong, close, far
    found.positions += 1
    if value == other and value != UNKNOWN:
        return
    wrong = (value >= NOT_LEGAL or other >= NOT_LEGAL or sign_of(value) != sign_of(other))
    close = not wrong and -1 <= value - other <= 1
    far = not wrong and not close
    if (wrong and found.results == 0) or (far and found.results + found.far == 0) or (
            close and found.results + found.far + found.close == 0):
        found.example = pos[0]
    found.results += wrong
    found.close += close
    found.far += far


cdef const Pairs* distance_part(const TableSet* ts, const Position* pos) noexcept nogil:
    """The part of a distance file that the pawns of a position lead to; NULL without a usable file."""
    cdef int sq[TABLE_PIECES]
    cdef u64 key = material_of(pos)
    cdef EndgameTable* table = find_table(ts, key)
    cdef TableFile* file
    cdef Layout* lay
    cdef int f = 0
    if table == NULL or not open_table(table, DTZ):
        return NULL
    file = &table.files[DTZ]
    if table.lead_pawns:
        lay = &file.layouts[0][0]
        list_squares(pos, lay, sq, 0, lay.lead, pos.side if table.symmetric else key != file.key)
        f = leader_first(sq, lay.lead)
    return &file.parts[0][f]


cdef int rounded(int code, const Pairs* part) noexcept nogil:
    """The distance of a solved position as a part of a file has it: in moves, unless its flags say half-moves."""
    cdef int level = code_level(code)
    cdef int sign = -1 if code & 1 else 1
    if level == 0:
        return MATED
    if level > FIFTY_MOVES:
        return sign * (FIFTY_MOVES + 1 + ((level - FIFTY_MOVES - 1) & ~1))
    if part.flags & (DTZ_WIN_PLIES if sign > 0 else DTZ_LOSS_PLIES):
        return sign * level
    return sign * (1 + ((level - 1) & ~1))


cdef void compare_solved(const Solver* sv, const Solver* solved, int slice_at, u64 begin, u64 end,
                         Comparison* found) noexcept nogil:
    """Every legal position of a range against the ending solved again: results, and the distances that the file has,
    which must be those of the solution rounded as the file says. Loaded values, not derived ones."""
    cdef Position pos
    cdef State stack[PROBE_DEPTH + 4]
    cdef const Pairs* part
    cdef u64 idx = begin
    cdef int side, value, code, expected
    clear_position(&pos)
    pos.stack = stack
    while idx < end:
        if is_sorted(sv, idx):
            place(sv, &pos, slice_at, idx)
            for side in range(2):
                pos.side = side
                value = side_values(sv, slice_at, side)[idx]
                code = slice_values(solved, slice_at, side)[idx] & CODE_MASK
                if value == NOT_LEGAL:
                    continue
                part = distance_part(sv.ts, &pos)
                expected = UNKNOWN
                if part != NULL:
                    expected = rounded(code, part) if code >= FIRST_WIN else 0
                    if value >= PENDING + TABLE_LOSS:
                        expected = PENDING + code_result(code)
                found.positions += 1
                if value == UNKNOWN or value != expected:
                    if found.results + found.far == 0:
                        found.example = pos
                    if value >= NOT_LEGAL or expected >= NOT_LEGAL or result_of(value) != result_of(expected):
                        found.results += 1
                    else:
                        found.far += 1
            lift(&pos)
        idx += 1


cdef int dtz_from_moves(const TableSet* ts, Position* pos, int* state) noexcept nogil:
    """The distance as it follows from probes of the positions one move on."""
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks = masks_of(pos)
    cdef int count = generate_all(pos, &masks, moves)
    cdef int i, dtz, worst = 0, least = 0
    cdef bint draws = False
    state[0] = PROBE_OK
    if count == 0:
        return -1 if masks.checkers else 0
    for i in range(count):
        make(pos, moves[i])
        if pos.st.rule50 == 0:
            dtz = -dtz_of_zeroing(search_wdl(ts, pos, False, state))
        elif checkers_of(pos) and count_legal(pos) == 0:
            dtz = 1
        else:
            dtz = -search_dtz(ts, pos, state)
            dtz += sign_of(dtz)
        unmake(pos)
        if state[0] == PROBE_FAILED:
            return 0
        draws |= dtz == 0
        if dtz > 0 and (least == 0 or dtz < least):
            least = dtz
        if -dtz > worst:
            worst = -dtz
    return least if least else 0 if draws else -worst


cdef void compare_en_passant(const Solver* sv, const Solver* other, Position* pos, int slice_at,
                             Comparison* found) noexcept nogil:
    """The same position with each pawn of the other side having just come two squares, by probes."""
    cdef int i, ep, value, second, state, failed
    cdef int side = pos.side
    cdef u64 passed
    for i in range(sv.pawn_count):
        ep = sv.slice_pawns[slice_at][i]
        if colour_of(sv.pawns[i]) == side or relative_rank(side ^ 1, ep) != 3:
            continue
        ep ^= 8
        passed = square_bit(ep) | square_bit(ep + 8 - 16 * side)
        if occupied_of(pos) & passed or not some_en_passant_is_legal(pos, ep):
            continue
        pos.st.ep = <u8>ep
        value = search_dtz(sv.ts, pos, &state)
        failed = state == PROBE_FAILED
        failed |= search_wdl(sv.ts, pos, False, &state) != result_of(value) or state == PROBE_FAILED
        second = dtz_from_moves(sv.ts, pos, &state) if other == NULL else search_dtz(other.ts, pos, &state)
        failed |= state == PROBE_FAILED
        if other != NULL:
            failed |= search_wdl(other.ts, pos, False, &state) != result_of(second) or state == PROBE_FAILED
        note_difference(found, pos, UNKNOWN if failed else value, second)
        pos.st.ep = NO_SQ


cdef void compare_range(const Solver* sv, const Solver* other, int slice_at, u64 begin, u64 end,
                        Comparison* found) noexcept nogil:
    """Every legal position of a range, once for all orders of equal pieces: against other tables or, with `other`
    NULL, against its moves."""
    cdef Position pos
    cdef State stack[PROBE_DEPTH + 4]
    cdef u64 idx = begin
    cdef int side, value, second
    clear_position(&pos)
    pos.stack = stack
    while idx < end:
        if is_sorted(sv, idx):
            place(sv, &pos, slice_at, idx)
            for side in range(2):
                pos.side = side
                value = side_values(sv, slice_at, side)[idx]
                if value == NOT_LEGAL:
                    continue
                second = (value_from_moves(sv, &pos, slice_at, idx, 0) if other == NULL
                          else side_values(other, slice_at, side)[idx])
                note_difference(found, &pos, value, second)
                if sv.pawn_count:
                    compare_en_passant(sv, other, &pos, slice_at, found)
            lift(&pos)
        idx += 1
