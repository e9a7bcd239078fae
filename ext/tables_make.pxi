# Making tables, for Python: the solver, and one part of a file after another compressed.

cdef class TableWalker:
    """The positions of one ending, slice by slice, with 16 bits for each and side to move. `tables` has all that a
    capture or promotion leads to."""
    cdef Solver* sv
    cdef EndgameTables tables
    cdef readonly str name

    def __cinit__(self, str name not None, EndgameTables tables not None):
        cdef u64 key = key_of_name(name)
        cdef int colour, pt, i
        cdef u32 codes = 1
        cdef Solver* sv
        self.name = name
        self.tables = tables
        self.sv = sv = <Solver*>calloc(1, sizeof(Solver))
        if sv == NULL:
            raise MemoryError
        sv.key = key
        sv.count = len(name) - 1
        if sv.count > SOLVER_PIECES:
            raise ValueError(f"pieces must be between 3 and {SOLVER_PIECES}, got {sv.count}")
        for colour in range(2):
            for pt in range(QUEEN, PAWN - 1, -1):
                for i in range(material_count(key, colour, pt)):
                    if pt == PAWN:
                        sv.pawns[sv.pawn_count] = <u8>make_piece(colour, pt)
                        sv.pawn_count += 1
                    else:
                        sv.pieces[sv.others] = <u8>make_piece(colour, pt)
                        sv.others += 1
        set_king_pairs(sv)
        for i in range(sv.pawn_count):
            codes *= 48
        sv.slice_of = <i32*>malloc(codes * sizeof(i32))
        if sv.slice_of == NULL:
            raise MemoryError
        set_slices(sv, codes)
        sv.shift = 6 * sv.others
        sv.stretch = <u64>1 << sv.shift
        sv.size = sv.stretch * <u64>sv.pairs
        sv.ts = &tables.ts
        sv.values = <u16*>calloc(<size_t>(2 * <u64>sv.slices * sv.size), sizeof(u16))
        if sv.values == NULL:
            raise MemoryError

    def __dealloc__(self):
        if self.sv != NULL:
            free(self.sv.values)
            free(self.sv.slice_of)
        free(self.sv)

    cdef int check(self, int slice_at, u64 begin, u64 end) except -1:
        if not 0 <= slice_at < self.sv.slices:
            raise ValueError(f"slice must be between 0 and {self.sv.slices - 1}, got {slice_at}")
        if begin > end or end > self.sv.size:
            raise ValueError(f"a range must be between 0 and {self.sv.size}, got {begin} to {end}")
        return 0

    @property
    def size(self):
        """Positions of a slice with one side to move, illegal ones included."""
        return self.sv.size

    def groups(self):
        """Lists of slices: one needs only those of earlier lists."""
        cdef dict found = {}
        cdef int i
        for i in range(self.sv.slices):
            found.setdefault(-advancement(self.sv, self.sv.slice_pawns[i]), []).append(i)
        return [found[ranks] for ranks in sorted(found)]

    @property
    def memory(self):
        """Bytes that the positions take."""
        return 2 * <u64>self.sv.slices * self.sv.size * sizeof(u16)


cdef object told_difference(const Comparison* found):
    return TableComparison(
        found.positions, found.results, found.close, found.far,
        format_fen(&found.example, False) if found.results or found.close or found.far else None)


cdef class TableContents(TableWalker):
    """What tables say of every position of an ending, in memory: `load` all ranges of all slices, then `derive` them;
    then they can be compared."""

    def load(self, int slice_at, u64 begin, u64 end):
        """Reads results and, for the side to move that the file has, distances of a range."""
        self.check(slice_at, begin, end)
        with nogil:
            load_range(self.sv, slice_at, begin, end)

    def derive(self, int slice_at, u64 begin, u64 end):
        """The distances of the other side to move."""
        self.check(slice_at, begin, end)
        with nogil:
            derive_range(self.sv, slice_at, begin, end)

    def compare(self, TableContents other, int slice_at, u64 begin, u64 end):
        """Every legal position of a range, en passant included, against other tables or, with None, against the
        positions one move on: a `TableComparison`. Mirror images and orders of equal pieces count once."""
        cdef Comparison found
        cdef const Solver* second = NULL
        self.check(slice_at, begin, end)
        if other is not None:
            if other.sv.key != self.sv.key:
                raise ValueError(f"tables of one ending can be compared, got {self.name} and {other.name}")
            second = other.sv
        memset(&found, 0, sizeof(found))
        with nogil:
            compare_range(self.sv, second, slice_at, begin, end, &found)
        return told_difference(&found)


cdef class TableSolver(TableWalker):
    """An ending solved backwards.

    The work is done by `survey`, `spread` and `curse` on ranges of a slice, in threads, or by `solve` on whole
    slices; slices of one group do not need each other, and groups come in order.
    """
    @property
    def failed(self):
        """A table that is needed was missing or damaged."""
        return bool(atomic_load(&self.sv.failed))

    def solve(self, int slice_at):
        """A whole slice, in one thread."""
        self.check(slice_at, 0, 0)
        with nogil:
            solve_slice(self.sv, slice_at)

    def survey(self, int slice_at, u64 begin, u64 end):
        """The first look at a range of positions."""
        self.check(slice_at, begin, end)
        with nogil:
            survey(self.sv, slice_at, begin, end)

    def spread(self, int slice_at, int level, u64 begin, u64 end):
        """One step back from the positions of a range settled at a level; returns how many it settled."""
        cdef u64 settled
        self.check(slice_at, begin, end)
        if not 0 <= level < LAST_LEVEL:
            raise ValueError(f"level must be between 0 and {LAST_LEVEL - 1}, got {level}")
        with nogil:
            settled = spread(self.sv, slice_at, level, begin, end)
        return settled

    def curse(self, int slice_at, u64 begin, u64 end):
        """What the fifty-move rule settles after level 100."""
        cdef u64 settled
        self.check(slice_at, begin, end)
        with nogil:
            settled = curse(self.sv, slice_at, begin, end)
        return settled

    def compare(self, TableContents contents not None, int slice_at, u64 begin, u64 end):
        """What tables say, loaded but not derived, against the solution, rounded as the file says: a
        `TableComparison`. En passant is left out."""
        cdef Comparison found
        self.check(slice_at, begin, end)
        if contents.sv.key != self.sv.key:
            raise ValueError(f"tables of one ending can be compared, got {self.name} and {contents.name}")
        memset(&found, 0, sizeof(found))
        with nogil:
            compare_solved(contents.sv, self.sv, slice_at, begin, end, &found)
        return told_difference(&found)

    def counts(self, int side, int pawn_file=-1):
        """A dict from (result, half-moves to zeroing) to the number of positions on the board, mirror images counted,
        for one side to move. With `pawn_file`, only those whose leading pawn is on that file, counted from the edge."""
        cdef u64 totals[CODE_MASK + 1]
        cdef int i, code, pair
        cdef u64 idx, end, weight, equal = 1
        cdef const u16* values
        cdef Layout lay
        if side not in (0, 1):
            raise ValueError(f"side must be 0 or 1, got {side}")
        memset(totals, 0, sizeof(totals))
        lay.pieces[0] = self.lead_pawn()
        for i in range(1, self.sv.others):      # equal pieces are placed in every order
            code = 1
            while code <= i and self.sv.pieces[i - code] == self.sv.pieces[i]:
                code += 1
            equal *= <u64>code
        for i in range(self.sv.slices):
            if pawn_file >= 0 and slice_file(self.sv, &lay, i) != pawn_file:
                continue
            values = slice_values(self.sv, i, side)
            idx = 0
            with nogil:
                for pair in range(self.sv.pairs):
                    if self.sv.pawn_count:
                        weight = 1 if mirrors_itself(self.sv, i) else 2
                    else:
                        weight = 4 if self.sv.pair_diagonal[pair] else 8
                    end = idx + self.sv.stretch
                    while idx < end:
                        totals[values[idx] & CODE_MASK] += weight
                        idx += 1
        found = {}
        for code in range(CODE_MASK + 1):
            if totals[code] and code != NO_POSITION:
                key = (code_result(code), code_level(code) if code >= FIRST_WIN else 0)
                found[key] = found.get(key, 0) + totals[code] // equal
        return found

    cdef u8 lead_pawn(self):
        """The leading pawn in the format's code: of the side with fewer, White's if equal."""
        cdef EndgameTable table
        set_table(&table, self.sv.key)
        return 1 if material_count(self.sv.key, WHITE, PAWN) == table.lead_pawns else 9

    def find(self, int side, int result, int level):
        """The FEN of the first position with a result at a level, or None."""
        cdef Board board = Board.__new__(Board)
        cdef int i, code
        cdef u64 idx
        for i in range(self.sv.slices):
            for idx in range(self.sv.size):
                code = slice_values(self.sv, i, side)[idx] & CODE_MASK
                if code >= FIRST_WIN and code_result(code) == result and code_level(code) == level:
                    clear_position(&board.pos)
                    place(self.sv, &board.pos, i, idx)
                    board.pos.side = side
                    return format_fen(&board.pos, False)
        return None

    def value(self, Board board not None):
        """(result, half-moves to zeroing) of a position of this ending, en passant left out."""
        cdef int code
        cdef Position* pos = &board.pos
        cdef int kings[2]
        cdef u64 rest = 0, squares = 0
        cdef int i, t, pc
        if material_of(pos) != self.sv.key:
            raise ValueError(f"the position is not one of {self.name} with White as the side named first")
        if self.sv.pawn_count:
            code = look_up(self.sv, pos)
        else:
            kings[0] = king_square(pos, WHITE)
            kings[1] = king_square(pos, BLACK)
            t = self.sv.pair_turn[kings[0]][kings[1]]
            for i in range(self.sv.others):
                pc = self.sv.pieces[i]
                if i == 0 or pc != self.sv.pieces[i - 1]:
                    squares = pieces_of(pos, colour_of(pc), type_of(pc))
                rest |= <u64>self.sv.turn[t][ctz(squares)] << (6 * i)
                squares = without_lowest(squares)
            code = slice_values(self.sv, 0, pos.side)[
                <u64>self.sv.pair_number[kings[0]][kings[1]] * self.sv.stretch + rest] & CODE_MASK
        return code_result(code), code_level(code) if code >= FIRST_WIN else 0

    def arrange(self, bytes pieces not None, int order, int second_order, int side, int pawn_file, *,
                bint distances=False, bint win_plies=False, bint loss_plies=False, u64 windows=0):
        """The values in the order of a file's index, for a list of pieces in the format's code. With `windows`, only
        those of `windows` stretches of the index, which is enough to compare lists of pieces."""
        cdef Arrangement made = Arrangement.__new__(Arrangement)
        cdef EndgameTable table
        cdef Layout* lay = &made.lay
        cdef int i
        cdef u64 window, begin, leads
        cdef u8* squares
        set_table(&table, self.sv.key)
        if len(pieces) != table.count or side not in (0, 1) or not 0 <= pawn_file < (4 if table.lead_pawns else 1):
            raise ValueError("pieces, side or file do not fit the table")
        lay.count = table.count
        lay.pawns = table.lead_pawns > 0
        lay.lead = table.lead_pawns if table.lead_pawns else 3 if table.triple else 2
        for i in range(table.count):
            lay.pieces[i] = pieces[i]
        if (not check_pieces(&table, lay) or pieces_key(lay) != table.key
                or (second_order < 15) != (table.other_pawns > 0)
                or not set_layout(lay, order, second_order, pawn_file)):
            raise ValueError("the list of pieces does not fit the table")
        if windows * WINDOW >= lay.size:
            windows = 0
        made.size = windows * WINDOW if windows else lay.size
        made.distances = distances
        leads = LEAD_PAWNS_SIZE[lay.lead][pawn_file] if lay.pawns else TRIPLES if lay.lead == 3 else KING_PAIRS
        squares = <u8*>malloc(<size_t>(leads * <u64>lay.lead))
        made.values = <u16*>malloc(<size_t>(made.size * sizeof(u16)))
        if made.values == NULL or squares == NULL:
            free(squares)
            raise MemoryError
        with nogil:
            list_leads(lay, pawn_file, squares)
            if windows == 0:
                gather(self.sv, lay, side, distances, win_plies, loss_plies, squares, 0, lay.size, made.values)
            for window in range(windows):
                # Each somewhere in its share of the index, so that no digit of it is the same in all.
                begin = lay.size // windows * window
                begin += (window * 0x9E3779B97F4A7C15ULL >> 32) % (lay.size // windows - WINDOW + 1)
                gather(self.sv, lay, side, distances, win_plies, loss_plies, squares, begin, begin + WINDOW,
                       made.values + window * WINDOW)
        free(squares)
        return made


cdef class Arrangement:
    """The values of one part of a file, in the order of its index."""
    cdef Layout lay
    cdef u16* values
    cdef readonly u64 size
    cdef readonly bint distances
    cdef bint chosen

    def __init__(self):
        raise TypeError("an arrangement comes from TableSolver.arrange()")

    def __dealloc__(self):
        free(self.values)

    def choose(self):
        """Settles the values that nobody reads; returns the number of runs of equal values."""
        cdef u64 runs
        with nogil:
            runs = (choose_distances(self.values, self.size) if self.distances
                    else choose_results(self.values, self.size))
        self.chosen = True
        return runs

    def map_distances(self):
        """Numbers the distances of each kind by how frequent they are, in place: the four lists of distances."""
        cdef u64* totals = <u64*>calloc(65536, sizeof(u64))
        cdef u16* numbers = <u16*>calloc(65536, sizeof(u16))
        cdef u64 i
        cdef int value
        if totals == NULL or numbers == NULL or not self.distances or not self.chosen:
            free(totals)
            free(numbers)
            raise ValueError("distances are mapped once, after choose()")
        maps = [[] for _ in range(DTZ_KINDS)]
        with nogil:
            for i in range(self.size):
                totals[self.values[i]] += 1
        for value in sorted([v for v in range(65536) if totals[v]], key=lambda v: (-<u64>totals[<int>v], v)):
            numbers[value] = <u16>len(maps[value >> KIND_SHIFT])
            maps[value >> KIND_SHIFT].append(value & ((1 << KIND_SHIFT) - 1))
        with nogil:
            for i in range(self.size):
                self.values[i] = numbers[self.values[i]]
        free(totals)
        free(numbers)
        self.distances = False
        return maps

    def compress(self, int block_bits, u32 least, *, bint single=True):
        """Compresses the values, which are lost by it, and returns a `PackedTable`. A pair becomes a symbol if it
        occurs at least `least` times. With `single` off, even values that are all the same get a code."""
        cdef Packed* p
        cdef u64 i, blocks, total, middle, start
        cdef int s, value, longest, shortest, symbols, index_bits, pads = 0
        cdef u16 first_symbol[LONGEST_CODE + 1]
        cdef bytearray data, sizes, index, header
        cdef u8* data_at
        cdef u8* sizes_at
        cdef u64 block
        cdef bint same = True, done
        if not self.chosen or self.values == NULL or not 5 <= block_bits <= 16:
            raise ValueError("values are compressed once, after choose()")
        with nogil:
            for i in range(self.size):
                if self.values[i] != self.values[0]:
                    same = False
                    break
        if same and single:
            return PackedTable(int(self.values[0]), b"", b"", b"", b"")
        p = <Packed*>calloc(1, sizeof(Packed))
        if p == NULL:
            raise MemoryError
        try:
            p.symbols = self.values
            p.count = self.size
            longest = 0
            with nogil:
                for i in range(self.size):
                    if self.values[i] > longest:
                        longest = self.values[i]
            if longest >= MAX_SYMBOLS:
                raise ValueError(f"values must be below {MAX_SYMBOLS}, got {longest}")
            for value in range(longest + 1):
                p.left[value] = <u16>value
                p.right[value] = 0xFFF
                p.length[value] = 1
            p.symbol_count = longest + 1
            with nogil:
                done = pair_up(p, least, MAX_SYMBOLS)
                if done:
                    count_symbols(p)
                    drop_unused(p)
                    longest = code_lengths(p)
                    while longest > LONGEST_CODE:       # flatten: rare symbols get shorter codes
                        for s in range(p.symbol_count):
                            if p.frequency[s]:
                                p.frequency[s] = (p.frequency[s] + 1) >> 1
                        longest = code_lengths(p)
                    assign_codes(p, first_symbol, &shortest, &longest, &symbols)
                    blocks = write_blocks(p, 1 << block_bits, NULL, NULL)
            if not done:
                raise MemoryError
            data = bytearray(blocks << block_bits)
            data_at = data
            raw_sizes = bytearray(2 * blocks)
            sizes_at = raw_sizes
            with nogil:
                write_blocks(p, 1 << block_bits, data_at, <u16*>sizes_at)
            # The index: for the middle of each stretch, its block and where it is in there.
            index_bits = 1
            while (<u64>1 << index_bits) * blocks < 16 * self.size and index_bits < 22:
                index_bits += 1
            index = bytearray(6 * (((self.size - 1) >> index_bits) + 1))
            block = 0
            start = 0
            for i in range(((self.size - 1) >> index_bits) + 1):
                middle = (i << index_bits) + (<u64>1 << (index_bits - 1))
                while True:
                    if block >= blocks + pads:
                        pads += 1
                    total = (<u16*>sizes_at)[block] + 1 if block < blocks else <int>BLOCK_VALUES
                    if middle < start + total:
                        break
                    start += total
                    block += 1
                index[6 * i : 6 * i + 6] = int(block).to_bytes(4, "little") + int(middle - start).to_bytes(2, "little")
            if pads > 255:
                raise ValueError("the index of the table does not fit its format")
            header = bytearray([block_bits, index_bits, pads])
            header += int(blocks).to_bytes(4, "little") + bytes([longest, shortest])
            for s in range(shortest, longest + 1):
                header += int(first_symbol[s]).to_bytes(2, "little")
            header += int(symbols).to_bytes(2, "little")
            patterns = bytearray(3 * symbols)
            for s in range(p.symbol_count):
                if p.number[s] == 0xFFFF:
                    continue
                value = p.left[s] if p.right[s] == 0xFFF else p.number[p.left[s]]
                value |= (0xFFF if p.right[s] == 0xFFF else p.number[p.right[s]]) << 12
                patterns[3 * p.number[s] : 3 * p.number[s] + 3] = value.to_bytes(3, "little")
            header += patterns + bytes(symbols & 1)
            return PackedTable(None, bytes(header), bytes(index), bytes(raw_sizes) + b"\xff\xff" * pads, bytes(data))
        finally:
            free(p)
            free(self.values)
            self.values = NULL
