# PgnBlock: the games of a block of PGN text, scanned at once; the positions they start from, and what is wrong with
# them in words.

from cpython.unicode cimport PyUnicode_DecodeLatin1, PyUnicode_DecodeUTF8

cdef tuple PGN_MODES = ("moves", "full", "tree")
cdef frozenset CHESS960_NAMES = frozenset((
    "chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "frc"))
cdef frozenset STANDARD_NAMES = frozenset((
    "", "?", "-", "chess", "standard", "standard chess", "normal", "classic", "classical", "from position",
    "from_position", "setup"))
cdef dict TAG_NAMES = {}                    # bytes -> str of names seen before

cdef enum:
    MOST_TAG_NAMES = 1000
    LARGEST_BLOCK = 2_000_000_000


cdef str text_of_bytes(const u8* data, Py_ssize_t length):
    """Text as UTF-8, or else as Latin-1, which any bytes are."""
    try:
        return PyUnicode_DecodeUTF8(<const char*>data, length, NULL)
    except UnicodeDecodeError:
        return PyUnicode_DecodeLatin1(<const char*>data, length, NULL)


cdef str tag_name(const u8* data, Py_ssize_t length):
    cdef bytes raw = (<const char*>data)[:length]
    cdef object name = TAG_NAMES.get(raw)
    if name is None:
        name = text_of_bytes(data, length)
        if len(TAG_NAMES) < MOST_TAG_NAMES:
            TAG_NAMES[raw] = name
    return name


cdef str tag_value(const u8* data, Py_ssize_t length):
    cdef str text = text_of_bytes(data, length)
    if "\\" in text:
        text = text.replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\")
    return text


cdef bint try_fen(Position* pos, str fen, bint chess960):
    try:
        parse_fen(pos, fen, chess960)
    except InvalidFenError:
        return False
    return True


cdef int set_up(Position* pos, str fen, bint chess960) except -1:
    """A position as game files have them: fields may be missing, castling rights and an en-passant square that
    cannot be are left out, and rights of other squares make it Chess960. Raises what parse_fen says."""
    cdef list fields = fen.split()
    cdef str letter, rights = ""
    fields += ["w", "-", "-", "0", "1"][max(len(fields) - 1, 0):]
    cdef str full = " ".join(fields)
    if try_fen(pos, full, chess960) or (not chess960 and try_fen(pos, full, True)):
        return 0
    cdef str castling = fields[2]
    cdef str passed = fields[3]
    fields[2] = fields[3] = "-"
    if not try_fen(pos, " ".join(fields), chess960):
        fields[2], fields[3] = castling, passed
        parse_fen(pos, full, chess960)      # raises
    fields[3] = passed
    if not try_fen(pos, " ".join(fields), chess960):
        fields[3] = "-"
    for letter in castling:
        fields[2] = rights + letter
        if try_fen(pos, " ".join(fields), chess960):
            rights += letter
    fields[2] = rights or "-"
    parse_fen(pos, " ".join(fields), chess960)
    return 0


cdef Py_ssize_t count_lines(const u8* data, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t i, count = 0
    for i in range(size):
        count += data[i] == 10
    return count


cdef str fault_text(const u8* data, const Fault* fault):
    """What a fault says, in words."""
    cdef u32 code = fault.code & (FAULT_IN_LINE - 1)
    cdef const u8* p = data + fault.at
    cdef const u8* q = p
    while q[0] > 32 and q[0] != c"{" and q[0] != c")" and q - p < 24:
        q += 1
    cdef str token = text_of_bytes(p, q - p)
    cdef str number = f"{fault.ply // 2 + 1}{'...' if fault.ply & 1 else '.'} {token}"
    if code == FAULT_SYNTAX:
        text = f"{token!r} is not understood"
    elif code == FAULT_ILLEGAL:
        text = f"{number} is not a legal move"
    elif code == FAULT_AMBIGUOUS:
        text = f"{number} can be more than one move"
    elif code == FAULT_PROMOTION:
        text = f"{number} does not say what the pawn becomes"
    elif code == FAULT_BYTE:
        text = f"byte {p[0]:#04x} is not text: another encoding, or not a PGN file"
    elif code == FAULT_COMMENT:
        text = "a comment is not closed"
    elif code == FAULT_LENGTH:
        text = f"the game is longer than {PGN_LONGEST} half-moves"
    elif code == FAULT_NULL:
        text = f"{number} passes while in check"
    elif code == FAULT_OPEN:
        text = "a variation is not closed"
    elif code == FAULT_CLOSE:
        text = "a variation is closed that was not open"
    elif code == FAULT_NO_RESULT:
        text = "there is no result at its end"
    elif code == FAULT_EARLY:
        text = "a variation before the first move was not read"
    else:
        text = f"variations nested deeper than {PGN_DEEPEST} were not read"
    if fault.code & FAULT_IN_LINE:
        text = f"in a variation, {text}; the rest of it was not read"
    return text


cdef class PgnBlock:
    """The games of a block of PGN text, scanned at once and without the GIL. `consumed` bytes of it were read: if the
    block is not the last, a game that it cuts off is left for the next."""
    cdef Scanner s
    cdef readonly bytes data
    cdef readonly Py_ssize_t offset         # of the block in its file, and the number of its first line and game
    cdef readonly Py_ssize_t first_line
    cdef readonly Py_ssize_t first_number
    cdef readonly Py_ssize_t consumed
    cdef dict setups

    def __cinit__(self, bytes data not None, str mode not None="full", *, bint is_last=True, Py_ssize_t offset=0,
                  Py_ssize_t first_line=1, Py_ssize_t first_number=1, Py_ssize_t at=0):
        if mode not in PGN_MODES:
            raise ValueError(f"mode must be 'moves', 'full' or 'tree', got {mode!r}")
        if len(data) > LARGEST_BLOCK:
            raise ValueError(f"a block must be at most {LARGEST_BLOCK} bytes, got {len(data)}")
        if not 0 <= at <= len(data):
            raise ValueError(f"at must be between 0 and {len(data)}, got {at}")
        self.data = data
        self.offset = offset
        self.first_line = first_line
        self.first_number = first_number
        self.setups = {}
        self.s.data = <const u8*><const char*>data
        self.s.size = <u32>len(data)
        self.s.at = <u32>at
        self.s.is_last = is_last
        self.s.mode = PGN_MODES.index(mode)
        self.s.levels = <Level*>calloc(PGN_DEEPEST + 1 if self.s.mode == PGN_TREE else 1, sizeof(Level))
        if self.s.levels == NULL:
            raise MemoryError
        self.scan()

    def __dealloc__(self):
        free_scanner(&self.s)

    cdef int scan(self) except -1:
        cdef Scanner* s = &self.s
        cdef u32 tags, nodes, notes, faults, at, most = 0xFFFFFFF0
        cdef int status
        while True:
            with nogil:
                status = scan_games(s, &START_POSITION, most)
            if status != SCAN_SETUP:
                break
            at = s.games[s.game_count].start
            tags, nodes = s.games[s.game_count].tag, s.node_count
            notes, faults = s.note_count, s.fault_count
            self.set_up_game(s.game_count)
            with nogil:
                status = scan_moves(s)
            if status == SCAN_GAME:
                keep_game(s)
                continue
            s.tag_count, s.node_count, s.note_count, s.fault_count = tags, nodes, notes, faults
            self.setups.pop(s.game_count, None)
            s.at = at
            break
        if status == SCAN_MEMORY:
            raise MemoryError
        self.consumed = s.at if status == SCAN_MORE else s.size
        return 0

    cdef int set_up_game(self, u32 index) except -1:
        """Puts the position that the tags name into the scanner; a fault if there is none."""
        cdef GameSpan* g = &self.s.games[index]
        cdef Tag* tag
        cdef str variant = ""
        cdef str fen = START_FEN
        if g.variant:
            tag = &self.s.tags[g.tag + g.variant - 1]
            variant = tag_value(self.s.data + tag.value, tag.value_length)
            g.chess960 = variant.lower() in CHESS960_NAMES
        if g.fen:
            tag = &self.s.tags[g.tag + g.fen - 1]
            fen = tag_value(self.s.data + tag.value, tag.value_length)
        self.s.levels[0].now = START_POSITION
        try:
            if not g.chess960 and variant.lower() not in STANDARD_NAMES:
                raise InvalidFenError(f"the variant {variant[:40]!r} is not supported")
            set_up(&self.s.levels[0].now, fen, g.chess960)
            g.chess960 = self.s.levels[0].now.chess960
        except InvalidFenError as error:
            self.s.levels[0].now = START_POSITION
            g.fault = FAULT_SETUP
            self.setups[index] = str(error)
            tag = &self.s.tags[g.tag + (g.fen or g.variant) - 1]
            if not add_fault(&self.s, tag.name, 0, FAULT_SETUP):
                raise MemoryError from None
        return 0

    cdef int start_of(self, u32 index, Position* pos) except -1:
        """The position a game starts from."""
        cdef const GameSpan* g = &self.s.games[index]
        cdef const Tag* tag
        if g.fen == 0 and not g.chess960:
            pos[0] = START_POSITION
            return 0
        if g.fen == 0:
            return set_up(pos, START_FEN, True)
        tag = &self.s.tags[g.tag + g.fen - 1]
        return set_up(pos, tag_value(self.s.data + tag.value, tag.value_length), g.chess960)

    def place(self, Py_ssize_t first_line, Py_ssize_t first_number):
        """Tells the block which line and game of its file it begins with, when that was not known before."""
        self.first_line = first_line
        self.first_number = first_number

    def __len__(self):
        """Games in the block, those with faults counted."""
        return self.s.game_count

    @property
    def plies(self):
        """Moves read in the whole block; in trees those of variations too."""
        return self.s.node_count

    @property
    def lines(self):
        """Lines of the part that was read."""
        return count_lines(self.s.data, self.consumed)

    def problems(self):
        """What is wrong with the games: (number, line, text, is the game left out), in the order of the text."""
        cdef u32 i
        cdef Fault* fault
        cdef Py_ssize_t line = self.first_line
        cdef u32 at = 0
        found = []
        for i in range(self.s.fault_count):
            fault = &self.s.faults[i]
            if fault.at < at:
                line, at = self.first_line, 0
            line += count_lines(self.s.data + at, fault.at - at)
            at = fault.at
            text = self.setups[fault.game] if fault.code == FAULT_SETUP else fault_text(self.s.data, fault)
            found.append((self.first_number + fault.game, line, text, fault.code < FAULT_NOTE))
        return found
