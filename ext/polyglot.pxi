# Polyglot books: keys, the reader, and the counts a book is made from.
#
# A book is entries of 16 bytes, big-endian and sorted by key: key (8), move (2), weight (2), learn (4). A move is
# to | from << 6 | promotion << 12, castling written king takes rook.

cdef enum:
    BOOK_ENTRY = 16

ctypedef struct BookCount:
    u64 key
    u32 wins                # of the side that moves
    u32 draws
    u32 losses
    u16 move                # as in the file; 0 marks an empty slot
    u16 unused


cdef u64 polyglot_key(const Position* pos) noexcept nogil:
    cdef u64 key = POLYGLOT_WORDS[780] if pos.side == WHITE else 0
    cdef u64 rest = occupied_of(pos)
    cdef int sq, pc, right, passed
    while rest:
        sq = ctz(rest)
        rest = without_lowest(rest)
        pc = pos.board[sq]
        key ^= POLYGLOT_WORDS[64 * (2 * type_of(pc) + (colour_of(pc) == WHITE)) + sq]
    for right in range(4):
        if pos.st.castling >> right & 1:
            key ^= POLYGLOT_WORDS[768 + right]
    # The en-passant file counts where a pawn stands beside the one that was pushed, be the capture legal or not.
    passed = pos.st.passed if pos.st.move == NO_MOVE else <int>NO_SQ
    if flags_of(pos.st.move) == DOUBLE_PUSH and pos.st.move != NULL_MOVE:
        passed = (from_of(pos.st.move) + to_of(pos.st.move)) >> 1
    if passed != NO_SQ and PAWN_ATTACKS[pos.side ^ 1][passed] & pieces_of(pos, pos.side, PAWN):
        key ^= POLYGLOT_WORDS[772 + file_of(passed)]
    return key


cdef inline u16 polyglot_move(Move16 m) noexcept nogil:
    return <u16>(to_of(m) | from_of(m) << 6 | ((m >> 12 & 3) + 1 if is_promotion(m) else 0) << 12)


cdef Move16 from_polyglot_move(const Position* pos, u16 m) noexcept nogil:
    """The legal move an entry names here, or NO_MOVE: a key can be another position's."""
    cdef int promotion = m >> 12 & 7
    if promotion > 4 or m >> 15:
        return NO_MOVE
    return word_of_squares(pos, m >> 6 & 63, m & 63, promotion - 1)


cdef inline u64 big_endian(const u8* p, int count) noexcept nogil:
    cdef u64 value = 0
    cdef int i
    for i in range(count):
        value = value << 8 | p[i]
    return value


def polyglot_key_of(Board board not None):
    """The key under which Polyglot books keep a position."""
    return polyglot_key(&board.pos)


cdef class PolyglotBook:
    """The entries of a book that lies in memory, or is mapped to it."""
    cdef const u8[::1] owner            # what `data` points into
    cdef const u8* data
    cdef Py_ssize_t count

    def __cinit__(self, const u8[::1] data):
        if data.shape[0] % BOOK_ENTRY:
            raise ValueError(f"a Polyglot book is entries of {BOOK_ENTRY} bytes, and {data.shape[0]} bytes are not")
        self.owner = data
        self.count = data.shape[0] // BOOK_ENTRY
        self.data = &data[0] if self.count else NULL

    def __len__(self):
        return self.count

    cdef Py_ssize_t first_of(self, u64 key) noexcept nogil:
        """The number of the first entry whose key is not smaller."""
        cdef Py_ssize_t low = 0, middle, high = self.count
        while low < high:
            middle = (low + high) // 2
            if big_endian(self.data + middle * BOOK_ENTRY, 8) < key:
                low = middle + 1
            else:
                high = middle
        return low

    def find(self, Board board not None):
        """The legal moves the book has for a position: (UCI text, weight, learn), in the order of the file."""
        cdef u64 key = polyglot_key(&board.pos)
        cdef Py_ssize_t at = self.first_of(key)
        cdef const u8* entry
        cdef Move16 m
        cdef list found = []
        while at < self.count:
            entry = self.data + at * BOOK_ENTRY
            if big_endian(entry, 8) != key:
                break
            m = from_polyglot_move(&board.pos, <u16>big_endian(entry + 8, 2))
            if m != NO_MOVE:
                found.append((move_text(&board.pos, m), int(big_endian(entry + 10, 2)), int(big_endian(entry + 12, 4))))
            at += 1
        return found


cdef class BookCounter:
    """Counts of (position, move) with results, over games: what a book is made from."""
    cdef BookCount* slots
    cdef Py_ssize_t room                    # a power of two
    cdef readonly Py_ssize_t count

    def __cinit__(self):
        self.room = 1 << 12
        self.slots = <BookCount*>calloc(self.room, sizeof(BookCount))
        if self.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.slots)

    def __len__(self):
        return self.count

    cdef BookCount* slot_for(self, u64 key, u16 move) noexcept nogil:
        cdef Py_ssize_t at = <Py_ssize_t>((key ^ <u64>move * 0x9E3779B97F4A7C15ULL) & <u64>(self.room - 1))
        while self.slots[at].move and (self.slots[at].key != key or self.slots[at].move != move):
            at = (at + 1) & (self.room - 1)
        return &self.slots[at]

    cdef bint widen(self) noexcept nogil:
        cdef BookCount* old = self.slots
        cdef Py_ssize_t i, room = self.room
        self.slots = <BookCount*>calloc(2 * room, sizeof(BookCount))
        if self.slots == NULL:
            self.slots = old
            return False
        self.room = 2 * room
        for i in range(room):
            if old[i].move:
                self.slot_for(old[i].key, old[i].move)[0] = old[i]
        free(old)
        return True

    cdef bint add_game(self, PgnBlock block, u32 index, Position* pos, int sides, int plies) noexcept nogil:
        cdef const GameSpan* g = &block.s.games[index]
        cdef int result = g.tag_result if g.tag_result != RESULT_UNKNOWN else g.result
        cdef BookCount* slot
        cdef Move16 m
        cdef u32 i
        cdef u64 key
        cdef u16 move
        for i in range(g.nodes):
            if <int>i >= plies:
                break
            m = block.s.moves[g.node + i]
            pos.depth = 0
            if m == NULL_MOVE:
                make_null(pos)
                continue
            if sides >> pos.side & 1 and result != RESULT_UNKNOWN:
                if 4 * self.count >= 3 * self.room and not self.widen():
                    return False
                key = polyglot_key(pos)
                move = polyglot_move(m)
                slot = self.slot_for(key, move)
                if slot.move == 0:
                    slot.key = key
                    slot.move = move
                    self.count += 1
                if result == 1:
                    slot.draws += 1
                elif (result == 2) == (pos.side == WHITE):
                    slot.wins += 1
                else:
                    slot.losses += 1
            make(pos, m)
        return True

    def add(self, PgnBlock block not None, const u8[::1] sides, int plies):
        """Counts the first `plies` of the games of a block; of each game the moves of White (1), Black (2), both (3) or
        none (0), as its byte of `sides` says. Games with faults and without a result are passed over."""
        cdef u32 i
        cdef Position pos
        cdef State states[2]
        cdef int chosen
        cdef bint is_well = True
        if block.s.mode == PGN_TREE:
            raise ValueError("the block must be read with mode 'moves' or 'full'")
        if <u32>sides.shape[0] != block.s.game_count:
            raise ValueError(f"sides must have {block.s.game_count} bytes, got {sides.shape[0]}")
        for i in range(block.s.game_count):
            if block.s.games[i].fault or sides[i] == 0:
                continue
            chosen = sides[i]
            block.start_of(i, &pos)
            pos.stack = states
            with nogil:
                is_well = self.add_game(block, i, &pos, chosen, plies)
            if not is_well:
                raise MemoryError

    def export(self, u64[::1] keys, u16[::1] moves, u32[:, ::1] results):
        """Fills arrays with all counts, in no order: keys, moves as in the file, and wins, draws, losses."""
        cdef Py_ssize_t i, at = 0
        if keys.shape[0] < self.count or moves.shape[0] < self.count or results.shape[0] < self.count:
            raise ValueError(f"the arrays must have {self.count} rows")
        if results.shape[1] != 3:
            raise ValueError(f"results must have 3 columns, got {results.shape[1]}")
        for i in range(self.room):
            if self.slots[i].move:
                keys[at] = self.slots[i].key
                moves[at] = self.slots[i].move
                results[at, 0] = self.slots[i].wins
                results[at, 1] = self.slots[i].draws
                results[at, 2] = self.slots[i].losses
                at += 1
