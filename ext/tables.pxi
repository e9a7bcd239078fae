# Endgame tables for Python. Paths and names are checked here; probing itself takes no lock.

cdef str TABLE_LETTERS = "PNBRQ"

cdef dict PROBLEM_TEXTS = {
    PROBLEM_UNREADABLE: "it cannot be read",
    PROBLEM_SIZE: "its length is not that of a table",
    PROBLEM_MAGIC: "it is not a Syzygy table of this kind",
    PROBLEM_PIECES: "its list of pieces does not fit its name",
    PROBLEM_TRUNCATED: "it is truncated",
    PROBLEM_CODE: "its code table is damaged",
    PROBLEM_MEMORY: "there is no memory for it",
    PROBLEM_DATA: "its data are damaged",
}


cdef u64 key_of_side(str letters) except? 0xFFFFFFFF:
    """The material of one side, written as `KQR`."""
    cdef u64 key = 0
    cdef str letter
    if not letters.startswith("K") or len(letters) > TABLE_PIECES:
        raise ValueError(f"each side of a table begins with its king, got {letters!r}")
    for letter in letters[1:]:
        if letter not in TABLE_LETTERS:
            raise ValueError(f"unknown piece {letter!r} in {letters!r}")
        key += <u64>1 << (4 * TABLE_LETTERS.index(letter))
    return key


cdef u64 key_of_name(str name) except? 0xFFFFFFFF:
    """The material of a table named like `KQvKR`."""
    cdef list sides = name.split("v")
    if len(sides) != 2 or not 3 <= len(name) - 1 <= TABLE_PIECES:
        raise ValueError(f"a table is named like KQvKR, with 3 to {TABLE_PIECES} pieces, got {name!r}")
    return key_of_side(sides[0]) | key_of_side(sides[1]) << 20


cdef str name_of_side(u64 key):
    cdef int pt
    return "K" + "".join([TABLE_LETTERS[pt] * (key >> (4 * pt) & 15) for pt in range(QUEEN, PAWN - 1, -1)])


cdef class EndgameTables:
    """Syzygy tables, opened when first probed. `cythera.tables.Tables` is the class to use.

    Takes (name, path of the result table or None, path of the distance table or None) for each.
    """
    cdef TableSet ts

    def __cinit__(self, files):
        cdef list rows = list(files)
        cdef int i, kind
        cdef u32 slot, slots = 16
        cdef u64 key
        cdef bytes path
        cdef EndgameTable* table
        if len(rows) > MAX_TABLES:
            raise ValueError(f"tables must be between 0 and {MAX_TABLES}, got {len(rows)}")
        while slots < 4 * <u32>len(rows) + 4:
            slots *= 2
        self.ts.mask = slots - 1
        self.ts.slots = <i32*>malloc(slots * sizeof(i32))
        self.ts.tables = <EndgameTable*>calloc(len(rows) + 1, sizeof(EndgameTable))
        if self.ts.slots == NULL or self.ts.tables == NULL:
            raise MemoryError
        for slot in range(slots):
            self.ts.slots[slot] = -1
        for i, (name, *paths) in enumerate(rows):
            key = key_of_name(name)
            table = &self.ts.tables[i]
            set_table(table, key)
            if find_table(&self.ts, key) != NULL:
                raise ValueError(f"table {name} is given twice")
            self.ts.count = i + 1
            for kind in range(2):
                if paths[kind] is None:
                    continue
                path = paths[kind]
                table.files[kind].path = <char*>malloc(len(path) + 1)
                if table.files[kind].path == NULL:
                    raise MemoryError
                memcpy(table.files[kind].path, <const char*>path, len(path) + 1)
                table.files[kind].state = FILE_CLOSED
            if table.files[WDL].state == FILE_CLOSED and table.count > self.ts.largest:
                self.ts.largest = table.count
            for key in (table.key, table.mirrored):
                slot = material_slot(key, self.ts.mask)
                while self.ts.slots[slot] >= 0:
                    slot = (slot + 1) & self.ts.mask
                self.ts.slots[slot] = i

    def __dealloc__(self):
        cdef int i, kind
        if self.ts.tables != NULL:
            for i in range(self.ts.count):
                for kind in range(2):
                    close_table_file(&self.ts.tables[i].files[kind])
                    free(self.ts.tables[i].files[kind].path)
        free(self.ts.tables)
        free(self.ts.slots)

    @property
    def largest(self):
        """Pieces of the largest table with results, kings included; 0 without tables."""
        return self.ts.largest

    def probe_wdl(self, Board board not None):
        """2 win, 1 cursed win, 0 draw, -1 blessed loss, -2 loss for the side to move, or None if unknown."""
        cdef int state, wdl
        board.reserve(PROBE_DEPTH)
        wdl = probe_wdl(&self.ts, &board.pos, &state)
        return None if state == PROBE_FAILED else wdl

    def probe_dtz(self, Board board not None):
        """Half-moves to the next zeroing move, negative for a loss, or None if unknown."""
        cdef int state, dtz
        board.reserve(PROBE_DEPTH)
        dtz = probe_dtz(&self.ts, &board.pos, &state)
        return None if state == PROBE_FAILED else dtz

    def problems(self):
        """What is wrong with files found to be damaged so far: (path, reason) of each."""
        cdef list found = []
        cdef int i, kind
        cdef TableFile* file
        for i in range(self.ts.count):
            for kind in range(2):
                file = &self.ts.tables[i].files[kind]
                if atomic_load(&file.state) >= FILE_READY and atomic_load(&file.problem):
                    found.append((<bytes>file.path, PROBLEM_TEXTS[file.problem]))
        return found

    def open_all(self):
        """Opens every file; those that cannot be used are in `problems`."""
        cdef int i, kind
        for i in range(self.ts.count):
            for kind in range(2):
                if self.ts.tables[i].files[kind].state:
                    open_table(&self.ts.tables[i], kind)

    def damaged_values(self, str name not None, bint distances):
        """Decodes every value of a file: (values, how many cannot be). None if the file is absent or unusable."""
        cdef EndgameTable* table = find_table(&self.ts, key_of_name(name))
        cdef int kind = DTZ if distances else WDL
        cdef int side, f, value
        cdef u64 idx, values = 0, wrong = 0
        cdef Pairs* d
        if table == NULL or not open_table(table, kind):
            return None
        for side in range(1 if distances or table.symmetric else 2):
            for f in range(4 if table.lead_pawns else 1):
                d = &table.files[kind].parts[side][f]
                values += d.size
                with nogil:
                    for idx in range(d.size):
                        value = decompress(d, idx)
                        wrong += value < 0 or (kind == WDL and value > 4)
        return values, wrong


def table_name(str name not None):
    """A table's name with its pieces in order and the stronger side first, as its files are named."""
    cdef u64 key = key_of_name(name)
    cdef str first = name_of_side(key & 0xFFFFF)
    cdef str second = name_of_side(key >> 20)
    if (len(second), [-"KQRBNP".index(c) for c in second]) > (len(first), [-"KQRBNP".index(c) for c in first]):
        first, second = second, first
    return f"{first}v{second}"


def material_name(Board board not None):
    """The name of the table a position belongs to."""
    cdef u64 key = material_of(&board.pos)
    return table_name(f"{name_of_side(key & 0xFFFFF)}v{name_of_side(key >> 20)}") if key else "KvK"
