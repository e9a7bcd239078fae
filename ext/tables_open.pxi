# Opening tables: the header of a Syzygy file read and checked, so that nothing in it is trusted later.
#
# Every offset is checked against the file's size, every symbol against the number of symbols, the
# pieces against the table's name. Probing then needs only the few checks that depend on the index.

cdef enum:
    WDL = 0
    DTZ = 1

cdef enum:                  # states of a file
    FILE_ABSENT = 0         # there is none
    FILE_CLOSED = 1         # not tried yet
    FILE_OPENING = 2        # one thread is at it
    FILE_READY = 3
    FILE_BAD = 4            # cannot be read, or damaged; the reason is in `problem`

cdef enum:                  # what is wrong with a bad file
    PROBLEM_NONE = 0
    PROBLEM_UNREADABLE = 1
    PROBLEM_SIZE = 2
    PROBLEM_MAGIC = 3
    PROBLEM_PIECES = 4
    PROBLEM_TRUNCATED = 5
    PROBLEM_CODE = 6
    PROBLEM_MEMORY = 7
    PROBLEM_DATA = 8        # found while probing

cdef enum:                  # flags of a part of a file
    DTZ_SIDE = 1            # which side to move a distance table is for
    DTZ_MAPPED = 2
    DTZ_WIN_PLIES = 4       # wins are counted in plies, else in moves
    DTZ_LOSS_PLIES = 8
    DTZ_WIDE = 16           # the map has two bytes a value
    SINGLE_VALUE = 128

cdef enum:
    LONGEST_CODE = 32       # bits; a refill brings 32

# Compressed values: blocks of canonical Huffman codes, whose symbols are pairs of symbols.
ctypedef struct Pairs:
    u64 size                # values
    bint single             # all values are `value`
    int value
    int flags
    int block_bits
    int index_bits
    int shortest            # code lengths
    int longest
    u32 blocks
    u32 block_sizes         # entries of the table of sizes: some more than there are blocks
    u32 symbols
    u64 base[LONGEST_CODE + 1]      # first code of a length, left-aligned
    u16 first_symbol[LONGEST_CODE + 1]
    const u8* pattern       # 3 bytes a symbol: two symbols of 12 bits
    u8* length              # values a symbol stands for, less one
    const u8* index
    const u8* sizes
    const u8* data
    const u8* end           # of the file
    const u8* maps[4]       # of a distance table, by kind of result
    u32 map_sizes[4]

ctypedef struct TableFile:
    int state               # between threads
    int problem
    char* path
    u8* view                # the mapped file
    u64 bytes
    u64 key                 # material as the file has it
    Layout layouts[2][4]    # by side to move and file of the leading pawn
    Pairs parts[2][4]

ctypedef struct EndgameTable:
    u64 key                 # material: White's and Black's, as named
    u64 mirrored            # the same with colours exchanged
    int count               # pieces, kings included
    bint symmetric
    int lead_pawns          # 0 without pawns
    int other_pawns
    bint triple             # the leading group is three single pieces
    TableFile files[2]


cdef inline u64 material_of(const Position* pos) noexcept nogil:
    """Numbers of pieces but kings, four bits each: White's pawns lowest, Black's queens highest."""
    cdef u64 white = pos.colours[WHITE]
    cdef u64 black = pos.colours[BLACK]
    cdef u64 key = 0
    cdef int pt
    for pt in range(PAWN, KING):
        key |= <u64>popcount(pos.pieces[pt] & white) << (4 * pt)
        key |= <u64>popcount(pos.pieces[pt] & black) << (20 + 4 * pt)
    return key


cdef inline u64 mirrored_material(u64 key) noexcept nogil:
    return key >> 20 | (key & 0xFFFFF) << 20


cdef inline int material_count(u64 key, int colour, int pt) noexcept nogil:
    return key >> (20 * colour + 4 * pt) & 15


cdef void set_table(EndgameTable* table, u64 key) noexcept nogil:
    """What follows from the material alone."""
    cdef int colour, pt, singles = 2, white, black
    table.key = key
    table.mirrored = mirrored_material(key)
    table.symmetric = table.key == table.mirrored
    table.count = 2
    for colour in range(2):
        for pt in range(PAWN, KING):
            table.count += material_count(key, colour, pt)
            singles += material_count(key, colour, pt) == 1
    white = material_count(key, WHITE, PAWN)
    black = material_count(key, BLACK, PAWN)
    # The side with fewer pawns leads, if it has any.
    if white == 0 or (black and black < white):
        table.lead_pawns = black
        table.other_pawns = white
    else:
        table.lead_pawns = white
        table.other_pawns = black
    table.triple = singles >= 3


cdef u64 pieces_key(const Layout* lay) noexcept nogil:
    cdef u64 key = 0
    cdef int i, pt
    for i in range(lay.count):
        pt = (lay.pieces[i] & 7) - 1
        if pt < KING:
            key += <u64>1 << (20 * (lay.pieces[i] >> 3) + 4 * pt)
    return key


cdef bint check_pieces(const EndgameTable* table, const Layout* lay) noexcept nogil:
    """The file's list of pieces has the table's material, in groups, with a proper leading group."""
    cdef int i, j, kings = 0
    cdef u64 key
    for i in range(lay.count):
        if not 1 <= (lay.pieces[i] & 7) <= 6 or lay.pieces[i] > 14:
            return False
        if (lay.pieces[i] & 7) == 6:
            kings |= 1 << (lay.pieces[i] >> 3)
        for j in range(i + 1, lay.count):       # equal pieces stand together
            if lay.pieces[i] == lay.pieces[j] and lay.pieces[i] != lay.pieces[j - 1]:
                return False
    key = pieces_key(lay)
    if (key != table.key and key != table.mirrored) or kings != 3:
        return False
    if table.lead_pawns:
        for i in range(table.lead_pawns + table.other_pawns):
            if (lay.pieces[i] & 7) != 1 or lay.pieces[i] != lay.pieces[0 if i < table.lead_pawns else table.lead_pawns]:
                return False
        return table.other_pawns == 0 or lay.pieces[0] != lay.pieces[table.lead_pawns]
    if table.triple:
        for i in range(3):
            for j in range(lay.count):
                if i != j and lay.pieces[i] == lay.pieces[j]:
                    return False
        return True
    return (lay.pieces[0] & 7) == 6 and (lay.pieces[1] & 7) == 6


cdef bint measure_symbol(Pairs* d, u32 symbol, u8* seen, int depth) noexcept nogil:
    """Fills in how many values a symbol stands for; False for a cycle, or more than 256."""
    cdef const u8* at = d.pattern + 3 * symbol
    cdef u32 left = <u32>at[0] | (<u32>at[1] & 15) << 8
    cdef u32 right = <u32>at[1] >> 4 | <u32>at[2] << 4
    cdef int total
    if seen[symbol] == 2:
        return True
    if seen[symbol] == 1 or depth > 256:
        return False
    if right == 0xFFF:
        d.length[symbol] = 0
        seen[symbol] = 2
        return True
    if left >= d.symbols or right >= d.symbols:
        return False
    seen[symbol] = 1
    if not measure_symbol(d, left, seen, depth + 1) or not measure_symbol(d, right, seen, depth + 1):
        return False
    total = d.length[left] + d.length[right] + 1
    if total > 255:
        return False
    d.length[symbol] = <u8>total
    seen[symbol] = 2
    return True


cdef const u8* open_pairs(TableFile* file, Pairs* d, const u8* at, const u8* end, bint wdl) noexcept nogil:
    """Reads the header of compressed values; NULL, with the problem noted, if it is not sound."""
    cdef u8* seen
    cdef int lengths, i
    cdef u32 symbol
    cdef bint sound = True
    cdef u64 base
    d.end = end
    if end - at < 12:
        file.problem = PROBLEM_TRUNCATED
        return NULL
    d.flags = at[0]
    if d.flags & SINGLE_VALUE:
        d.single = True
        d.value = at[1] if wdl else 0
        return at + 2
    d.single = False
    d.block_bits = at[1]
    d.index_bits = at[2]
    d.blocks = read32(at + 4)
    d.block_sizes = d.blocks + at[3]
    d.longest = at[8]
    d.shortest = at[9]
    lengths = d.longest - d.shortest + 1
    if (not 1 <= d.shortest <= d.longest or d.longest > LONGEST_CODE or not 1 <= d.index_bits <= 40
            or not 3 <= d.block_bits <= 20 or d.blocks == 0 or d.block_sizes < d.blocks):
        file.problem = PROBLEM_CODE
        return NULL
    at += 10
    if end - at < 2 * lengths + 2:
        file.problem = PROBLEM_TRUNCATED
        return NULL
    for i in range(lengths):
        d.first_symbol[d.shortest + i] = <u16>read16(at + 2 * i)
    d.symbols = read16(at + 2 * lengths)
    at += 2 * lengths + 2
    if d.symbols == 0 or d.symbols > 4096:
        file.problem = PROBLEM_CODE
        return NULL
    if end - at < 3 * <i64>d.symbols + (d.symbols & 1):
        file.problem = PROBLEM_TRUNCATED
        return NULL
    d.pattern = at
    # The first code of each length, from the longest: half of where the longer ones end.
    base = 0
    d.base[d.longest] = 0
    i = d.longest - 1
    while i >= d.shortest:
        if d.first_symbol[i] < d.first_symbol[i + 1] or (base + d.first_symbol[i] - d.first_symbol[i + 1]) & 1:
            file.problem = PROBLEM_CODE
            return NULL
        base = (base + d.first_symbol[i] - d.first_symbol[i + 1]) // 2
        d.base[i] = base << (64 - i)
        i -= 1
    d.length = <u8*>malloc(d.symbols)
    seen = <u8*>calloc(d.symbols, 1)
    if d.length == NULL or seen == NULL:
        free(seen)
        file.problem = PROBLEM_MEMORY
        return NULL
    for symbol in range(d.symbols):
        if not measure_symbol(d, symbol, seen, 0):
            sound = False
            break
    free(seen)
    if not sound:
        file.problem = PROBLEM_CODE
        return NULL
    return at + 3 * d.symbols + (d.symbols & 1)


cdef const u8* open_maps(TableFile* file, Pairs* d, const u8* at, const u8* end) noexcept nogil:
    """The four lists that turn a distance table's values into distances."""
    cdef int i
    cdef u32 size
    cdef int width = 2 if d.flags & DTZ_WIDE else 1
    if not d.flags & DTZ_MAPPED or d.flags & SINGLE_VALUE:
        return at
    if width == 2 and (at - file.view) & 1:
        at += 1
    for i in range(4):
        if end - at < width:
            file.problem = PROBLEM_TRUNCATED
            return NULL
        size = read16(at) if width == 2 else at[0]
        at += width
        if end - at < <i64>size * width:
            file.problem = PROBLEM_TRUNCATED
            return NULL
        d.maps[i] = at
        d.map_sizes[i] = size
        at += size * width
    return at


cdef bint open_layouts(EndgameTable* table, TableFile* file, const u8** cursor, int sides) noexcept nogil:
    """Reads the lists of pieces; a byte holds both sides' in its two halves."""
    cdef const u8* at = cursor[0]
    cdef const u8* end = file.view + file.bytes
    cdef int orders = 2 if table.other_pawns else 1
    cdef int side, f, i, order, second
    cdef Layout* lay
    for f in range(4 if table.lead_pawns else 1):
        if end - at < orders + table.count:
            file.problem = PROBLEM_TRUNCATED
            return False
        for side in range(sides):
            lay = &file.layouts[side][f]
            lay.count = table.count
            lay.pawns = table.lead_pawns > 0
            lay.lead = table.lead_pawns if table.lead_pawns else 3 if table.triple else 2
            order = at[0] >> 4 if side else at[0] & 15
            second = 15
            if orders == 2:
                second = at[1] >> 4 if side else at[1] & 15
            for i in range(table.count):
                lay.pieces[i] = at[orders + i] >> 4 if side else at[orders + i] & 15
            if not check_pieces(table, lay) or (orders == 2 and second == 15) or not set_layout(lay, order, second, f):
                file.problem = PROBLEM_PIECES
                return False
        at += orders + table.count
    if (at - file.view) & 1:
        at += 1
    cursor[0] = at
    return True


cdef bint open_data(TableFile* file, const u8* at, int sides, int files) noexcept nogil:
    """Places indices, sizes and blocks one after the other, and sees that they fit in the file."""
    cdef u64 offset = <u64>(at - file.view)
    cdef int side, f
    cdef Pairs* d
    for f in range(files):
        for side in range(sides):
            d = &file.parts[side][f]
            if not d.single:
                d.index = file.view + offset
                offset += 6 * (((d.size - 1) >> d.index_bits) + 1)
    if offset > file.bytes:
        file.problem = PROBLEM_TRUNCATED
        return False
    for f in range(files):
        for side in range(sides):
            d = &file.parts[side][f]
            if not d.single:
                d.sizes = file.view + offset
                offset += 2 * <u64>d.block_sizes
    if offset > file.bytes:
        file.problem = PROBLEM_TRUNCATED
        return False
    for f in range(files):
        for side in range(sides):
            d = &file.parts[side][f]
            if not d.single:
                offset = (offset + 63) & ~<u64>63
                d.data = file.view + offset
                offset += <u64>d.blocks << d.block_bits
                if offset > file.bytes:
                    file.problem = PROBLEM_TRUNCATED
                    return False
    return True


cdef bint read_header(EndgameTable* table, TableFile* file, bint wdl) noexcept nogil:
    cdef const u8* at
    cdef const u8* end
    cdef int sides, files, side, f
    cdef u32 magic
    file.view = map_file(file.path, &file.bytes)
    if file.view == NULL:
        file.problem = PROBLEM_UNREADABLE
        return False
    # Whole lines of 64 bytes and a checksum of 16.
    if file.bytes < 80 or (file.bytes & 63) != 16:
        file.problem = PROBLEM_SIZE
        return False
    magic = read32(file.view)
    if magic != (<u32>0x5D23E871 if wdl else <u32>0xA50C66D7):
        file.problem = PROBLEM_MAGIC
        return False
    end = file.view + file.bytes
    at = file.view + 5
    sides = 2 if wdl and not table.symmetric else 1
    files = 4 if table.lead_pawns else 1
    if ((file.view[4] & 2) != 0) != (table.lead_pawns > 0) or (wdl and (file.view[4] & 1) != (sides == 2)):
        file.problem = PROBLEM_PIECES
        return False
    if not open_layouts(table, file, &at, sides):
        return False
    file.key = pieces_key(&file.layouts[0][0])
    for f in range(files):
        for side in range(sides):
            if pieces_key(&file.layouts[side][f]) != file.key or (
                    table.lead_pawns and file.layouts[side][f].pieces[0] != file.layouts[0][0].pieces[0]):
                file.problem = PROBLEM_PIECES
                return False
            file.parts[side][f].size = file.layouts[side][f].size
            at = open_pairs(file, &file.parts[side][f], at, end, wdl)
            if at == NULL:
                return False
    if not wdl:
        for f in range(files):
            at = open_maps(file, &file.parts[0][f], at, end)
            if at == NULL:
                return False
        if (at - file.view) & 1:
            at += 1
    return open_data(file, at, sides, files)


cdef void close_table_file(TableFile* file) noexcept nogil:
    """Gives back what opening took."""
    cdef int side, f
    for side in range(2):
        for f in range(4):
            free(file.parts[side][f].length)
            file.parts[side][f].length = NULL
    if file.view != NULL:
        unmap_file(file.view, file.bytes)
        file.view = NULL


cdef bint open_table(EndgameTable* table, int kind) noexcept nogil:
    """Whether a file is ready, opening it at its first use. One thread opens, others wait for it."""
    cdef TableFile* file = &table.files[kind]
    cdef int state = atomic_load(&file.state)
    if state == FILE_READY:
        return True
    if state == FILE_CLOSED and atomic_swap_if(&file.state, FILE_CLOSED, FILE_OPENING):
        if read_header(table, file, kind == WDL):
            atomic_store(&file.state, FILE_READY)
            return True
        close_table_file(file)
        atomic_store(&file.state, FILE_BAD)
        return False
    while state == FILE_CLOSED or state == FILE_OPENING:
        state = atomic_load(&file.state)
        if state == FILE_OPENING:
            yield_thread()
    return state == FILE_READY
