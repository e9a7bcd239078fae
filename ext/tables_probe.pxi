# Probing: what tables say of a position. Win, draw or loss, also where the fifty-move rule turns a win
# into a draw; and how many half-moves it is to the next capture or pawn move with the result in hand.

cdef enum:                  # results, for the side to move
    TABLE_LOSS = -2
    BLESSED_LOSS = -1       # lost, but drawn by the fifty-move rule
    TABLE_DRAW = 0
    CURSED_WIN = 1          # won, but drawn by the fifty-move rule
    TABLE_WIN = 2

cdef enum:                  # how a probe went
    PROBE_FAILED = 0        # no table, or a damaged one
    PROBE_OK = 1
    PROBE_ZEROING = 2       # the result is reached by a capture or, where asked, a pawn move
    PROBE_OTHER_SIDE = 3    # the distance table is for the other side to move

cdef enum:
    PROBE_DEPTH = TABLE_PIECES + 4      # states a probe needs on the position's stack, at most
    MAX_TABLES = 2048

ctypedef struct TableSet:
    EndgameTable* tables
    int count
    int largest             # pieces of the largest table with results
    u32 mask                # of the hash table
    i32* slots              # by material, -1 if free


cdef inline u32 material_slot(u64 key, u32 mask) noexcept nogil:
    return <u32>((key * 0x9E3779B97F4A7C15ULL) >> 32) & mask


cdef inline EndgameTable* find_table(const TableSet* ts, u64 key) noexcept nogil:
    cdef u32 slot = material_slot(key, ts.mask)
    cdef i32 at
    while True:
        at = ts.slots[slot]
        if at < 0:
            return NULL
        if ts.tables[at].key == key or ts.tables[at].mirrored == key:
            return &ts.tables[at]
        slot = (slot + 1) & ts.mask


cdef int decompress(const Pairs* d, u64 idx) noexcept nogil:
    """The value at an index, or -1 if the file is damaged there."""
    cdef u64 code
    cdef i64 rest
    cdef u32 block, symbol, left
    cdef int bits, length, shortest = d.shortest
    cdef const u8* at
    if d.single:
        return d.value
    # The index says where the middle value of each stretch is; from there, block by block.
    at = d.index + 6 * (idx >> d.index_bits)
    block = read32(at)
    rest = <i64>(idx & ((<u64>1 << d.index_bits) - 1)) - (<i64>1 << (d.index_bits - 1)) + <i64>read16(at + 4)
    if block >= d.block_sizes:
        return -1
    if rest < 0:
        while rest < 0:
            if block == 0:
                return -1
            block -= 1
            rest += <i64>read16(d.sizes + 2 * <u64>block) + 1
    else:
        while rest > <i64>read16(d.sizes + 2 * <u64>block):
            rest -= <i64>read16(d.sizes + 2 * <u64>block) + 1
            block += 1
            if block >= d.block_sizes:
                return -1
    if block >= d.blocks:
        return -1
    # Symbol by symbol to the one that holds the value.
    at = d.data + (<u64>block << d.block_bits)
    code = read32_big(at) << 32 | read32_big(at + 4)
    at += 8
    bits = 0
    while True:
        length = shortest
        while code < d.base[length]:
            length += 1
        symbol = d.first_symbol[length] + <u32>((code - d.base[length]) >> (64 - length))
        if symbol >= d.symbols:
            return -1
        if rest <= d.length[symbol]:
            break
        rest -= d.length[symbol] + 1
        code <<= length
        bits += length
        if bits >= 32:
            bits -= 32
            if d.end - at < 4:
                return -1
            code |= read32_big(at) << bits
            at += 4
    # Down the tree of pairs to the value.
    while d.length[symbol]:
        at = d.pattern + 3 * symbol
        left = <u32>at[0] | (<u32>at[1] & 15) << 8
        if rest <= d.length[left]:
            symbol = left
        else:
            rest -= d.length[left] + 1
            symbol = <u32>at[1] >> 4 | <u32>at[2] << 4
    at = d.pattern + 3 * symbol
    return <int>at[0] | (<int>at[1] & 15) << 8


cdef inline int list_squares(const Position* pos, const Layout* lay, int* sq, int at, int end, int flip) noexcept nogil:
    """Writes the squares of the pieces of the layout from `at` on to before `end`; `flip` exchanges colours."""
    cdef u64 squares
    cdef int turn = 56 * flip
    while at < end:
        squares = pos.pieces[(lay.pieces[at] & 7) - 1] & pos.colours[lay.pieces[at] >> 3 ^ flip]
        while squares:
            sq[at] = ctz(squares) ^ turn
            at += 1
            squares = without_lowest(squares)
    return at


cdef int read_table(const TableSet* ts, const Position* pos, int kind, int wdl, int* state) noexcept nogil:
    """The value a file has for the position as it stands: captures and en passant are the caller's matter.
    For distances, `wdl` is the result already known."""
    cdef int sq[TABLE_PIECES]
    cdef u64 key = material_of(pos)
    cdef EndgameTable* table
    cdef TableFile* file
    cdef Layout* lay
    cdef Pairs* d
    cdef int flip, side, f = 0, value, which
    state[0] = PROBE_OK
    if key == 0:
        return 0        # two kings
    table = find_table(ts, key)
    if table == NULL or not open_table(table, kind):
        state[0] = PROBE_FAILED
        return 0
    file = &table.files[kind]
    if table.symmetric:
        flip = pos.side
        side = 0
    else:
        flip = key != file.key
        side = pos.side ^ flip
    lay = &file.layouts[0][0]
    if table.lead_pawns:
        list_squares(pos, lay, sq, 0, lay.lead, flip)
        f = leader_first(sq, lay.lead)
    if kind == DTZ:
        if not table.symmetric and (file.parts[0][f].flags & DTZ_SIDE) != side:
            state[0] = PROBE_OTHER_SIDE
            return 0
        side = 0
    lay = &file.layouts[side][f]
    d = &file.parts[side][f]
    if not d.single:
        list_squares(pos, lay, sq, lay.lead if table.lead_pawns else 0, lay.count, flip)
        value = decompress(d, table_index(lay, sq))
    else:
        value = d.value
    if kind == WDL:
        if value < 0 or value > 4:
            state[0] = PROBE_FAILED
            atomic_store(&file.problem, PROBLEM_DATA)
            return 0
        return value - 2
    if d.flags & DTZ_MAPPED and value >= 0 and not d.single:
        # The order of the maps: win, loss, cursed win, blessed loss.
        which = (2 if wdl == CURSED_WIN else 0) if wdl > 0 else (3 if wdl == BLESSED_LOSS else 1)
        if <u32>value >= d.map_sizes[which]:
            value = -1
        elif d.flags & DTZ_WIDE:
            value = read16(d.maps[which] + 2 * value)
        else:
            value = d.maps[which][value]
    if value < 0:
        state[0] = PROBE_FAILED
        atomic_store(&file.problem, PROBLEM_DATA)
        return 0
    if (wdl & 1) or not d.flags & (DTZ_WIN_PLIES if wdl > 0 else DTZ_LOSS_PLIES):
        value *= 2
    return value + 1


cdef int search_wdl(const TableSet* ts, Position* pos, bint pawn_moves, int* state) noexcept nogil:
    """The result of the position: the table's, or that of a capture where it is as good. A table may say less
    of a position where a capture is best, and knows nothing of en passant. `pawn_moves` tries those too,
    to learn whether a zeroing move has the result."""
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks = masks_of(pos)
    cdef int count, i, value, tried = 0
    cdef int best = TABLE_LOSS - 1
    cdef bint all_moves = pawn_moves or pos.st.ep != NO_SQ
    if all_moves:
        count = generate_all(pos, &masks, moves)
    else:
        count = generate_noisy(pos, &masks, moves)
    for i in range(count):
        if not is_capture(moves[i]) and not (pawn_moves and type_of(pos.board[from_of(moves[i])]) == PAWN):
            continue
        make(pos, moves[i])
        value = -search_wdl(ts, pos, False, state)
        unmake(pos)
        if state[0] == PROBE_FAILED:
            return 0
        tried += 1
        if value > best:
            best = value
            if value >= TABLE_WIN:
                state[0] = PROBE_ZEROING
                return value
    if all_moves and tried and tried == count:
        state[0] = PROBE_ZEROING
        return best
    value = read_table(ts, pos, WDL, 0, state)
    if state[0] == PROBE_FAILED:
        return 0
    if best >= value:
        state[0] = PROBE_ZEROING if best > 0 else PROBE_OK
        return best
    state[0] = PROBE_OK
    return value


cdef inline bint can_probe(const TableSet* ts, const Position* pos) noexcept nogil:
    return pos.st.castling == 0 and popcount(occupied_of(pos)) <= ts.largest


cdef inline int probe_wdl(const TableSet* ts, Position* pos, int* state) noexcept nogil:
    """The result for the side to move, as if the fifty-move counter were at zero. Needs PROBE_DEPTH free states."""
    if not can_probe(ts, pos):
        state[0] = PROBE_FAILED
        return 0
    return search_wdl(ts, pos, False, state)


cdef inline int dtz_of_zeroing(int wdl) noexcept nogil:
    """The distance of a position whose result is reached by a zeroing move."""
    if wdl == TABLE_WIN:
        return 1
    if wdl == CURSED_WIN:
        return 101
    if wdl == BLESSED_LOSS:
        return -101
    return -1 if wdl == TABLE_LOSS else 0


cdef inline int sign_of(int n) noexcept nogil:
    return (n > 0) - (n < 0)


cdef int search_dtz(const TableSet* ts, Position* pos, int* state) noexcept nogil:
    cdef Move16 moves[MAX_MOVES]
    cdef Masks masks
    cdef int count, i, dtz, best
    cdef bint zeroing
    cdef int wdl = search_wdl(ts, pos, True, state)
    if state[0] == PROBE_FAILED or wdl == TABLE_DRAW:
        return 0
    if state[0] == PROBE_ZEROING:
        return dtz_of_zeroing(wdl)
    dtz = read_table(ts, pos, DTZ, wdl, state)
    if state[0] == PROBE_FAILED:
        return 0
    if state[0] == PROBE_OK:
        return (dtz + 100 * (wdl & 1)) * sign_of(wdl)
    # The table is for the other side to move: look one move ahead.
    state[0] = PROBE_OK
    best = 0xFFFF
    masks = masks_of(pos)
    count = generate_all(pos, &masks, moves)
    for i in range(count):
        zeroing = is_capture(moves[i]) or type_of(pos.board[from_of(moves[i])]) == PAWN
        make(pos, moves[i])
        if zeroing:
            dtz = -dtz_of_zeroing(search_wdl(ts, pos, False, state))
        else:
            dtz = -search_dtz(ts, pos, state)
            if dtz == 1 and checkers_of(pos) and count_legal(pos) == 0:
                best = 1
            dtz += sign_of(dtz)
        unmake(pos)
        if state[0] == PROBE_FAILED:
            return 0
        if dtz < best and sign_of(dtz) == sign_of(wdl):
            best = dtz
    state[0] = PROBE_OK
    return -1 if best == 0xFFFF else best       # no moves: checkmate


cdef inline int probe_dtz(const TableSet* ts, Position* pos, int* state) noexcept nogil:
    """Half-moves to the next zeroing move with the result in hand; beyond 100 where the fifty-move rule
    spoils it; can be one too small where the file counts in moves. Needs PROBE_DEPTH free states."""
    if not can_probe(ts, pos):
        state[0] = PROBE_FAILED
        return 0
    return search_dtz(ts, pos, state)
