# Checking tables: every position of an ending probed in two sets of tables, or held against its successors.

ctypedef struct Comparison:
    u64 positions
    u64 results             # differ
    u64 close               # distances that differ by one half-move: rounding
    u64 far                 # distances that differ by more
    Position example        # the first of the worst kind


cdef int dtz_from_moves(const TableSet* ts, Position* pos, int* state) noexcept nogil:
    """The distance as it follows from the positions one move on."""
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks = masks_of(pos)
    cdef int count = generate_all(pos, &masks, moves)
    cdef int i, dtz, best = 0, least = 0xFFFF
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
        if dtz > 0 and dtz < least:
            least = dtz
        if dtz < 0 and -dtz > best:
            best = -dtz
    if least < 0xFFFF:
        return least
    return 0 if draws else -best


cdef void compare_position(const TableSet* first, const TableSet* second, Position* pos,
                           Comparison* found) noexcept nogil:
    cdef int state
    cdef int wdl = search_wdl(first, pos, False, &state)
    cdef int dtz, other, other_dtz
    cdef bint wrong, far, close
    found.positions += 1
    wrong = state == PROBE_FAILED
    dtz = search_dtz(first, pos, &state)
    wrong |= state == PROBE_FAILED
    if second == NULL:
        other_dtz = dtz_from_moves(first, pos, &state)
        wrong |= state == PROBE_FAILED
        # A table's result and its distance must agree; the moves may be a half-move off where it is rounded.
        other = 0 if dtz == 0 else sign_of(dtz) * (2 if -100 <= dtz <= 100 else 1)
    else:
        other = search_wdl(second, pos, False, &state)
        wrong |= state == PROBE_FAILED
        other_dtz = search_dtz(second, pos, &state)
        wrong |= state == PROBE_FAILED
    wrong |= other != wdl or sign_of(dtz) != sign_of(other_dtz)
    close = dtz != other_dtz and -1 <= dtz - other_dtz <= 1
    far = dtz != other_dtz and not close
    if (wrong and found.results == 0) or (far and found.results + found.far == 0) or (
            close and found.results + found.far + found.close == 0):
        found.example = pos[0]
    found.results += wrong
    found.close += close and not wrong
    found.far += far and not wrong


cdef void compare_range(const Solver* sv, const TableSet* first, const TableSet* second, int slice_at, u64 begin,
                        u64 end, Comparison* found) noexcept nogil:
    cdef Position pos
    cdef State stack[PROBE_DEPTH + 4]
    cdef u64 idx, passed
    cdef int side, ep, i
    clear_position(&pos)
    pos.stack = stack
    idx = begin
    while idx < end:
        place(sv, &pos, slice_at, idx)
        if popcount(occupied_of(&pos)) == sv.count:
            for side in range(2):
                pos.side = side
                if attackers_to(&pos, king_square(&pos, side ^ 1), occupied_of(&pos)) & pos.colours[side]:
                    continue
                compare_position(first, second, &pos, found)
                # The same with each pawn of the other side having just come two squares.
                for i in range(sv.pawn_count):
                    ep = sv.slice_pawns[slice_at][i]
                    if colour_of(sv.pawns[i]) == side or relative_rank(side ^ 1, ep) != 3:
                        continue
                    ep ^= 8
                    passed = square_bit(ep) | square_bit(ep + 8 - 16 * side)
                    if occupied_of(&pos) & passed or not some_en_passant_is_legal(&pos, ep):
                        continue
                    pos.st.ep = <u8>ep
                    compare_position(first, second, &pos, found)
                    pos.st.ep = NO_SQ
        lift(&pos)
        idx += 1
