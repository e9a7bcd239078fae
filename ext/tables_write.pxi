# Compression of tables: values in the order of the file's index, pairs of symbols replaced by new symbols again
# and again, and what is left written in canonical Huffman codes, block by block.
#
# Where a probe never reads a value, or takes any that is not larger, it is chosen so that runs become long.

from libc.stdlib cimport qsort

cdef enum:
    ANY_VALUE = 0xFFFF      # nobody reads it
    AT_MOST = 0x100         # with a result: any that is not larger will do, a capture has it too
    MAX_SYMBOLS = 4095      # 12 bits, one of them says "a value"
    LONGEST_SYMBOL = 256    # values
    BLOCK_VALUES = 65536
    DTZ_KINDS = 4           # win, loss, cursed win, blessed loss: the order of the file's maps
    KIND_SHIFT = 13
    WINDOW = 4096           # values of a sample that stand together

ctypedef struct Candidate:
    u32 count
    u16 left
    u16 right

# Compressed values, ready to be written.
ctypedef struct Packed:
    u16* symbols            # what is left of the values
    u64 count
    int symbol_count
    u16 left[MAX_SYMBOLS + 1]   # a value has right == 0xFFF
    u16 right[MAX_SYMBOLS + 1]
    u16 length[MAX_SYMBOLS + 1]     # values a symbol stands for
    u64 frequency[MAX_SYMBOLS + 1]
    u8 bits[MAX_SYMBOLS + 1]    # of its code; 0: it has none
    u32 code[MAX_SYMBOLS + 1]
    u16 number[MAX_SYMBOLS + 1]     # in the file


cdef int dtz_kind(int code) noexcept nogil:
    if code_level(code) <= FIFTY_MOVES:
        return 1 if code & 1 else 0
    return 3 if code & 1 else 2


cdef inline int dtz_value(int code, bint win_plies, bint loss_plies) noexcept nogil:
    """The number a distance table holds: half-moves less one, or moves."""
    cdef int level = code_level(code)
    if level > FIFTY_MOVES:
        return (level - FIFTY_MOVES - 1) >> 1
    level = level - 1 if level else 0       # mate counts like a zeroing move
    return level if (loss_plies if code & 1 else win_plies) else level >> 1


cdef inline u16 wdl_entry(int word) noexcept nogil:
    """The result to be written for a solved position: 0 loss … 4 win."""
    cdef int result = code_result(word & CODE_MASK)
    cdef int capture = word >> ZEROING_SHIFT
    if 1 <= capture <= 5 and capture - BEST_CAPTURE == result:
        return <u16>(result + 2 | AT_MOST)
    return <u16>(result + 2)


cdef inline u16 dtz_entry(int word, bint win_plies, bint loss_plies) noexcept nogil:
    cdef int code = word & CODE_MASK
    cdef int zeroing = word >> ZEROING_SHIFT
    if code < FIRST_WIN:
        return ANY_VALUE
    # Probes find winning zeroing moves before they look here.
    if code == win_code(1) and (zeroing == TABLE_WIN + BEST_CAPTURE or zeroing == PAWN_WIN):
        return ANY_VALUE
    if code == win_code(FIFTY_MOVES + 1) and (zeroing == CURSED_WIN + BEST_CAPTURE or zeroing == PAWN_CURSED):
        return ANY_VALUE
    return <u16>(dtz_value(code, win_plies, loss_plies) | dtz_kind(code) << KIND_SHIFT)


cdef int slice_file(const Solver* sv, const Layout* lay, int slice_at) noexcept nogil:
    """The file of the leading pawn, counted from the edge; 0 without pawns."""
    cdef int sq[SOLVER_PIECES]
    cdef int i, n = 0
    if sv.pawn_count == 0:
        return 0
    for i in range(sv.pawn_count):
        if sv.pawns[i] == make_piece(lay.pieces[0] >> 3, PAWN):
            sq[n] = sv.slice_pawns[slice_at][i]
            n += 1
    return leader_first(sq, n)


# The pieces of a layout counted up in the order of a file's index.
ctypedef struct Counter:
    int groups
    int start[TABLE_PIECES]     # the first piece of each group; group 0 leads
    int digit_order[TABLE_PIECES]   # groups from the fastest digit on
    u64 digit[TABLE_PIECES]
    u64 radix[TABLE_PIECES]
    int low[TABLE_PIECES]       # of each piece: its square for the lead, else counted among free squares
    const u8* leads         # squares of the leading group, by its number


cdef void list_leads(const Layout* lay, int pawns_file, u8* out) noexcept nogil:
    """Writes the squares of each number of the leading group; `out` has room for all."""
    cdef int sq[TABLE_PIECES]
    cdef int i, first, second, third
    cdef u64 number, code, rest, codes = 1
    if lay.pawns:
        # Any squares for the others, as long as they come after the leader's in the ranking, and in order.
        for i in range(1, lay.lead):
            codes *= 48
        for code in range(6 * codes):
            rest = code // 6
            sq[0] = 8 * (1 + <int>(code % 6)) + pawns_file
            for i in range(1, lay.lead):
                sq[i] = 8 + <int>(rest % 48)
                rest //= 48
                if PAWN_RANKING[sq[i]] >= PAWN_RANKING[sq[0]] or (
                        i > 1 and PAWN_RANKING[sq[i]] <= PAWN_RANKING[sq[i - 1]]):
                    break
            else:
                number = lead_pawns(sq, lay.lead)
                for i in range(lay.lead):
                    out[<u64>lay.lead * number + <u64>i] = <u8>sq[i]
        return
    for first in range(64):
        if TRIANGLE[first] < 0:
            continue
        sq[0] = first
        for second in range(64):
            sq[1] = second
            if lay.lead == 2:
                if KING_PAIR[TRIANGLE[first]][second] >= 0:
                    number = <u64>KING_PAIR[TRIANGLE[first]][second]
                    out[2 * number] = <u8>first
                    out[2 * number + 1] = <u8>second
                continue
            if second == first or (above_diagonal(first) == 0 and above_diagonal(second) > 0):
                continue
            for third in range(64):
                sq[2] = third
                if third == first or third == second or (
                        above_diagonal(first) == 0 and above_diagonal(second) == 0 and above_diagonal(third) > 0):
                    continue
                number = lead_triple(sq)
                for i in range(3):
                    out[3 * number + <u64>i] = <u8>sq[i]


cdef void unrank(Counter* c, const Layout* lay, int group) noexcept nogil:
    """Sets the squares of a group from its digit."""
    cdef int at = c.start[group]
    cdef int j, n
    cdef u64 number = c.digit[group]
    if group == 0:
        for j in range(lay.lead):
            c.low[j] = c.leads[<u64>lay.lead * number + j]
        return
    j = lay.group[at]
    n = 63
    while j > 0:
        while CHOOSE[j][n] > number:
            n -= 1
        number -= CHOOSE[j][n]
        c.low[at + j - 1] = n
        j -= 1


cdef void start_counter(Counter* c, const Layout* lay, const u8* leads, u64 idx) noexcept nogil:
    cdef int i, g, moving
    c.leads = leads
    c.groups = 0
    i = 0
    while i < lay.count:
        c.start[c.groups] = i
        moving = c.groups
        g = c.groups
        while g > 0 and lay.factor[c.start[c.digit_order[g - 1]]] > lay.factor[i]:
            c.digit_order[g] = c.digit_order[g - 1]
            g -= 1
        c.digit_order[g] = moving
        c.groups += 1
        i += lay.group[i]
    for i in range(c.groups):
        g = c.digit_order[i]
        c.radix[g] = (lay.size if i + 1 == c.groups else lay.factor[c.start[c.digit_order[i + 1]]]) \
            // lay.factor[c.start[g]]
        c.digit[g] = idx // lay.factor[c.start[g]] % c.radix[g]
        unrank(c, lay, g)


cdef inline int count_up(Counter* c, const Layout* lay) noexcept nogil:
    """The next index; returns the groups that moved, as bits."""
    cdef int i, j, g, at, moved = 0
    for i in range(c.groups):
        g = c.digit_order[i]
        moved |= 1 << g
        c.digit[g] += 1
        if c.digit[g] < c.radix[g]:
            if g == 0:
                unrank(c, lay, 0)
            else:       # the next combination: the lowest piece that can move, those below it back to the start
                at = c.start[g]
                j = 0
                while j + 1 < lay.group[at] and c.low[at + j] + 1 == c.low[at + j + 1]:
                    c.low[at + j] = j
                    j += 1
                c.low[at + j] += 1
            return moved
        c.digit[g] = 0
        unrank(c, lay, g)
    return moved


cdef void gather(const Solver* sv, const Layout* lay, int side, bint distances, bint win_plies, bint loss_plies,
                 const u8* leads, u64 begin, u64 end, u16* out) noexcept nogil:
    """Writes the entries of a range of a file's index; positions that are not legal may have any value."""
    cdef Counter c
    cdef int source[TABLE_PIECES]       # of each piece of the layout: 0, 1 kings, 2.. others, 8.. pawns
    cdef int sq[8 + TABLE_PIECES]       # by source
    cdef int taken[TABLE_PIECES]        # squares of earlier groups, sorted
    cdef u8 pawns[SOLVER_PIECES]
    cdef int i, j, k, at, pc, square, placed, turn = 0, used = 0, moved = -1
    cdef int pawn_groups = 0
    cdef i32 slice_at = 0
    cdef u64 idx = begin, rest
    cdef const u16* values = slice_values(sv, 0, side)
    for i in range(lay.count):
        pc = make_piece(lay.pieces[i] >> 3, (lay.pieces[i] & 7) - 1)
        source[i] = colour_of(pc)
        if type_of(pc) == KING:
            continue
        for j in range(sv.others):
            if sv.pieces[j] == pc and not used >> (2 + j) & 1:
                source[i] = 2 + j
                break
        else:
            for j in range(sv.pawn_count):
                if sv.pawns[j] == pc and not used >> (8 + j) & 1:
                    source[i] = 8 + j
                    break
        used |= 1 << source[i]
    start_counter(&c, lay, leads, begin)
    for i in range(c.groups):
        if (lay.pieces[c.start[i]] & 7) == 1:
            pawn_groups |= 1 << i
    while idx < end:
        # Squares counted among free ones become squares of the board.
        placed = 0
        for i in range(c.groups):
            at = c.start[i]
            for j in range(at, at + lay.group[at]):
                square = c.low[j]
                if i:
                    square += 8 if lay.pieces[at] & 7 == 1 else 0
                    for k in range(placed):
                        if taken[k] > square:
                            break
                        square += 1
                sq[source[j]] = square
            for j in range(at, at + lay.group[at]):
                square = sq[source[j]]
                k = j
                while k > 0 and taken[k - 1] > square:
                    taken[k] = taken[k - 1]
                    k -= 1
                taken[k] = square
            placed = at + lay.group[at]
        if moved & pawn_groups:
            for i in range(sv.pawn_count):
                pawns[i] = <u8>sq[8 + i]
            slice_at = sv.slice_of[pawn_code(sv, pawns)]
            turn = 1 if slice_at & 1 << 30 else 0
            values = slice_values(sv, slice_at & ~(1 << 30), side)
        if pawn_groups:
            if turn:
                sq[0] ^= 7
                sq[1] ^= 7
        else:
            turn = sv.pair_turn[sq[0]][sq[1]]
        k = sv.pair_number[sq[0]][sq[1]]
        if k < 0:
            out[0] = ANY_VALUE
        else:
            rest = 0
            for i in range(sv.others):
                rest |= <u64>sv.turn[turn][sq[2 + i]] << (6 * i)
            k = values[<u64>k * sv.stretch + rest]
            if (k & CODE_MASK) == NO_POSITION:
                out[0] = ANY_VALUE
            elif distances:
                out[0] = dtz_entry(k, win_plies, loss_plies)
            else:
                out[0] = wdl_entry(k)
        out += 1
        idx += 1
        moved = count_up(&c, lay)


cdef inline int allowed_values(int entry) noexcept nogil:
    """The set of results that may be written for an entry, as bits."""
    if entry == ANY_VALUE:
        return 31
    if entry & AT_MOST:
        return (2 << (entry & 7)) - 1
    return 1 << entry


cdef u64 choose_results(u16* values, u64 size) noexcept nogil:
    """Replaces choices by values, so that there are as few runs as can be; returns how many there are."""
    cdef u64 begin = 0, end, runs = 0, i
    cdef int common, both, value
    cdef u64 counts[5]
    cdef int favourite = 2
    for value in range(5):
        counts[value] = 0
    for i in range(size):
        if values[i] < 5:
            counts[values[i]] += 1
    for value in range(5):
        if counts[value] > counts[favourite]:
            favourite = value
    while begin < size:
        common = allowed_values(values[begin])
        end = begin + 1
        while end < size:
            both = common & allowed_values(values[end])
            if both == 0:
                break
            common = both
            end += 1
        value = favourite if common >> favourite & 1 else msb(<u64>common)
        while begin < end:
            values[begin] = <u16>value
            begin += 1
        runs += 1
    return runs


cdef u64 choose_distances(u16* values, u64 size) noexcept nogil:
    """The same for distances: what nobody reads goes on as the value before."""
    cdef u64 i = 0, runs = 1
    cdef u16 last
    while i < size and values[i] == ANY_VALUE:
        i += 1
    last = 0 if i == size else values[i]
    for i in range(size):
        if values[i] == ANY_VALUE:
            values[i] = last
        elif values[i] != last:
            runs += 1
            last = values[i]
    return runs


cdef int compare_candidates(const void* a, const void* b) noexcept nogil:
    cdef const Candidate* first = <const Candidate*>a
    cdef const Candidate* second = <const Candidate*>b
    if first.count != second.count:
        return 1 if first.count < second.count else -1
    if first.left != second.left:
        return 1 if first.left > second.left else -1
    return (first.right > second.right) - (first.right < second.right)


cdef inline u32* pair_slot(u32* counts, int left, int right) noexcept nogil:
    return counts + ((<u64>left << 12) | <u64>right)


cdef u64 count_pairs(const Packed* p, u32* counts) noexcept nogil:
    """How often each pair of neighbours occurs, in a run of equal symbols only as often as it can be replaced."""
    cdef u64 i
    cdef bint again = False
    if p.count < 2:
        return 0
    for i in range(p.count - 1):
        if p.symbols[i] == p.symbols[i + 1]:
            again = not again or p.symbols[i] != p.symbols[i - 1]
            if not again:
                continue
        else:
            again = False
        pair_slot(counts, p.symbols[i], p.symbols[i + 1])[0] += 1
    return p.count - 1


cdef u64 list_candidates(const Packed* p, u32* counts, Candidate* out, u64 room, u32 least) noexcept nogil:
    """The pairs worth a symbol; the counts are cleared."""
    cdef u64 i, found = 0
    cdef u32* slot
    for i in range(p.count - 1):
        slot = pair_slot(counts, p.symbols[i], p.symbols[i + 1])
        if slot[0] >= least and found < room and p.length[p.symbols[i]] + p.length[p.symbols[i + 1]] <= LONGEST_SYMBOL:
            out[found].count = slot[0]
            out[found].left = p.symbols[i]
            out[found].right = p.symbols[i + 1]
            found += 1
        slot[0] = 0
    return found


cdef void replace_pairs(Packed* p, const u32* counts) noexcept nogil:
    """Replaces, from the left, each pair that has a symbol in `counts`."""
    cdef u64 i = 0, n = 0
    cdef u32 symbol
    while i + 1 < p.count:
        symbol = counts[(<u64>p.symbols[i] << 12) | p.symbols[i + 1]]
        if symbol:
            p.symbols[n] = <u16>symbol
            i += 2
        else:
            p.symbols[n] = p.symbols[i]
            i += 1
        n += 1
    if i < p.count:
        p.symbols[n] = p.symbols[i]
        n += 1
    p.count = n


cdef bint pair_up(Packed* p, u32 least, int most) noexcept nogil:
    """Makes symbols of the most frequent pairs, several in a pass as long as they cannot overlap."""
    cdef u32* counts = <u32*>calloc(4096 * 4096, sizeof(u32))
    cdef u64 room = 1 << 20
    cdef Candidate* found = <Candidate*>malloc(room * sizeof(Candidate))
    cdef u8 as_left[MAX_SYMBOLS + 1]
    cdef u8 as_right[MAX_SYMBOLS + 1]
    cdef u64 n, i
    cdef int before, symbol
    cdef bint done = False
    if counts == NULL or found == NULL:
        free(counts)
        free(found)
        return False
    while not done and p.symbol_count < most and p.count > 1:
        count_pairs(p, counts)
        n = list_candidates(p, counts, found, room, least)
        if n == 0:
            break
        qsort(found, n, sizeof(Candidate), compare_candidates)
        memset(as_left, 0, sizeof(as_left))
        memset(as_right, 0, sizeof(as_right))
        before = p.symbol_count
        for i in range(n):
            if p.symbol_count >= most or 4 * found[i].count < 3 * found[0].count:
                break
            if as_right[found[i].left] or as_left[found[i].right]:
                continue
            as_left[found[i].left] = 1
            as_right[found[i].right] = 1
            symbol = p.symbol_count
            p.left[symbol] = found[i].left
            p.right[symbol] = found[i].right
            p.length[symbol] = p.length[found[i].left] + p.length[found[i].right]
            p.symbol_count += 1
            pair_slot(counts, found[i].left, found[i].right)[0] = <u32>symbol
        replace_pairs(p, counts)
        for symbol in range(before, p.symbol_count):
            pair_slot(counts, p.left[symbol], p.right[symbol])[0] = 0
    free(counts)
    free(found)
    return True


cdef int code_lengths(Packed* p) noexcept nogil:
    """Huffman's lengths for the symbols that occur; returns the longest. Ties are broken by number."""
    cdef u64 weight[2 * MAX_SYMBOLS + 2]
    cdef int parent[2 * MAX_SYMBOLS + 2]
    cdef int order[MAX_SYMBOLS + 1]
    cdef int n = 0, i, j, moving, leaf, node, first, longest, taken, depth
    for i in range(p.symbol_count):
        p.bits[i] = 0
        if p.frequency[i]:
            order[n] = i
            n += 1
    if n == 1:
        p.bits[order[0]] = 1
        return 1
    # Shell sort by frequency, then number.
    j = n // 2
    while j > 0:
        for i in range(j, n):
            moving = order[i]
            node = i
            while node >= j and (p.frequency[order[node - j]] > p.frequency[moving] or (
                    p.frequency[order[node - j]] == p.frequency[moving] and order[node - j] > moving)):
                order[node] = order[node - j]
                node -= j
            order[node] = moving
        j //= 2
    for i in range(n):
        weight[i] = p.frequency[order[i]]
    # Two queues: leaves in order, and inner nodes, which come out in order by themselves.
    leaf = 0
    first = n
    for node in range(n, 2 * n - 1):
        weight[node] = 0
        for taken in range(2):
            if leaf < n and (first >= node or weight[leaf] <= weight[first]):
                weight[node] += weight[leaf]
                parent[leaf] = node
                leaf += 1
            else:
                weight[node] += weight[first]
                parent[first] = node
                first += 1
    longest = 0
    for i in range(n):
        depth = 0
        node = i
        while node != 2 * n - 2:
            node = parent[node]
            depth += 1
        p.bits[order[i]] = <u8>depth
        if depth > longest:
            longest = depth
    return longest


cdef void count_symbols(Packed* p) noexcept nogil:
    cdef u64 i
    cdef int s
    for s in range(p.symbol_count):
        p.frequency[s] = 0
    for i in range(p.count):
        p.frequency[p.symbols[i]] += 1


cdef void drop_unused(Packed* p) noexcept nogil:
    """Symbols that neither occur nor are part of one that does are left out: their number stays unused."""
    cdef int s
    cdef u8 used[MAX_SYMBOLS + 1]
    memset(used, 0, sizeof(used))
    s = p.symbol_count - 1
    while s >= 0:
        if p.frequency[s] or used[s]:
            used[s] = 1
            if p.right[s] != 0xFFF:
                used[p.left[s]] = 1
                used[p.right[s]] = 1
        s -= 1
    for s in range(p.symbol_count):
        p.number[s] = 0 if used[s] else 0xFFFF


cdef void assign_codes(Packed* p, u16* first_symbol, int* shortest, int* longest, int* written) noexcept nogil:
    """Numbers symbols by falling length of code, those without one last, and gives out codes."""
    cdef int bits, s, number = 0
    cdef u32 code = 0
    shortest[0] = LONGEST_CODE
    longest[0] = 0
    for s in range(p.symbol_count):
        if p.bits[s]:
            if p.bits[s] < shortest[0]:
                shortest[0] = p.bits[s]
            if p.bits[s] > longest[0]:
                longest[0] = p.bits[s]
    bits = longest[0]
    while bits >= shortest[0]:
        first_symbol[bits] = <u16>number
        for s in range(p.symbol_count):
            if p.bits[s] == bits:
                p.number[s] = <u16>number
                p.code[s] = code
                number += 1
                code += 1
        code >>= 1
        bits -= 1
    for s in range(p.symbol_count):
        if p.bits[s] == 0 and p.number[s] != 0xFFFF:
            p.number[s] = <u16>number
            number += 1
    written[0] = number


cdef u64 write_blocks(const Packed* p, int block_bytes, u8* data, u16* sizes) noexcept nogil:
    """Writes the blocks and how many values each has, less one; returns how many blocks. With `data` NULL they are
    only counted."""
    cdef u64 i, blocks = 0
    cdef int s, used = 0, values = 0, at, left
    cdef u64 code
    cdef u8* block = data
    for i in range(p.count):
        s = p.symbols[i]
        if used + p.bits[s] > 8 * block_bytes or values + p.length[s] > BLOCK_VALUES:
            if data != NULL:
                sizes[blocks] = <u16>(values - 1)
            blocks += 1
            block += block_bytes
            used = 0
            values = 0
        if data != NULL:
            code = p.code[s]
            left = p.bits[s]
            while left > 0:         # bit by bit into bytes, the highest first
                at = 8 - (used & 7)
                if at > left:
                    at = left
                block[used >> 3] |= <u8>((code >> (left - at) & ((1 << at) - 1)) << (8 - (used & 7) - at))
                used += at
                left -= at
        else:
            used += p.bits[s]
        values += p.length[s]
    if data != NULL:
        sizes[blocks] = <u16>(values - 1)
    return blocks + 1
