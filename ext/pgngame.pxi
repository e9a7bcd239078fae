# Games of PGN text for Python: PgnBlock, the games of a block of bytes, and PgnGame, one of them. A game keeps its
# block and looks things up when asked, so that nothing is paid for what nobody reads.

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeLatin1, PyUnicode_DecodeUTF8

cdef tuple PGN_MODES = ("moves", "full", "tree")
cdef tuple RESULT_TEXTS = ("0-1", "1/2-1/2", "1-0", "*")
cdef frozenset CHESS960_NAMES = frozenset((
    "chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "frc"))
cdef frozenset STANDARD_NAMES = frozenset((
    "", "?", "-", "chess", "standard", "standard chess", "normal", "classic", "classical", "from position",
    "from_position", "setup"))
cdef list UCI_TEXTS = [None] * 4096         # by from + 64 * to, made when first needed
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


cdef str comment_text(const u8* data, Py_ssize_t length):
    """A comment without the blank beside each brace."""
    cdef str text
    if length and data[0] == 32:
        data += 1
        length -= 1
    if length and data[length - 1] == 32:
        length -= 1
    text = text_of_bytes(data, length)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


cdef str uci_of_word(Move16 m, bint chess960):
    """The UCI text of a legal move, without its position."""
    cdef int to_sq = to_of(m)
    cdef int at
    if m == NULL_MOVE:
        return "0000"
    if flags_of(m) == CASTLE and not chess960:
        to_sq = (from_of(m) & 56) + (C1 if to_sq < from_of(m) else G1)
    if is_promotion(m):
        return square_name(from_of(m)) + square_name(to_sq) + "nbrq"[m >> 12 & 3]
    at = from_of(m) + 64 * to_sq
    if UCI_TEXTS[at] is None:
        UCI_TEXTS[at] = square_name(from_of(m)) + square_name(to_sq)
    return UCI_TEXTS[at]


cdef Move move_of_word(Move16 m, bint chess960):
    cdef Move move = Move.__new__(Move)
    move.uci_text = uci_of_word(m, chess960)
    move.word = m
    return move


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

    def games(self, cls=PgnGame):
        """The games without faults, as objects of a class."""
        cdef u32 i
        cdef PgnGame game
        cdef list found = []
        if not issubclass(cls, PgnGame):
            raise TypeError(f"{cls!r} is not a kind of PgnGame")
        for i in range(self.s.game_count):
            if self.s.games[i].fault == 0:
                game = cls.__new__(cls)
                game.block = self
                game.index = i
                found.append(game)
        return found

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


cdef class PgnGame:
    """A game of a block: what stands in its text, looked up when asked for. `cythera.games.Game` is the class to use.
    """
    cdef PgnBlock block
    cdef u32 index
    cdef dict tags

    def __init__(self, *args, **kwargs):
        raise TypeError("games come from cythera.read_games()")

    cdef GameSpan* span(self) except NULL:
        if self.block is None:
            raise TypeError("games come from cythera.read_games()")
        return &self.block.s.games[self.index]

    cdef list main_line(self):
        """The nodes of the main line in order; in a block without trees simply all."""
        cdef GameSpan* g = self.span()
        cdef const u32* parents
        cdef u32 i, last = 0
        cdef list nodes = []
        if self.block.s.mode != PGN_TREE:
            return list(range(1, g.nodes + 1))
        parents = self.block.s.parents + g.node
        for i in range(g.nodes):
            if parents[i] == last:
                last = i + 1
                nodes.append(last)
        return nodes

    cdef bytes main_words(self):
        """The moves of the main line as 16-bit words."""
        cdef GameSpan* g = self.span()
        cdef const Move16* moves = self.block.s.moves + g.node
        cdef const u32* parents
        cdef u32 i, last = 0
        cdef int count = 0
        cdef bytes words = PyBytes_FromStringAndSize(NULL, g.nodes * sizeof(Move16))
        cdef Move16* out = <Move16*><char*>words
        if self.block.s.mode != PGN_TREE:
            memcpy(out, moves, g.nodes * sizeof(Move16))
            return words
        parents = self.block.s.parents + g.node
        for i in range(g.nodes):
            if parents[i] == last:
                last = i + 1
                out[count] = moves[i]
                count += 1
        return words[:count * sizeof(Move16)]

    cdef int put_start(self, Position* pos) except -1:
        self.span()
        return self.block.start_of(self.index, pos)

    def __len__(self):
        """Half-moves of the main line."""
        cdef GameSpan* g = self.span()
        return g.nodes if self.block.s.mode != PGN_TREE else len(self.main_words()) // <Py_ssize_t>sizeof(Move16)

    def __bool__(self):
        return True

    @property
    def number(self):
        """Which game of its file it is, from 1."""
        self.span()
        return self.block.first_number + self.index

    @property
    def line(self):
        """The line of its file it begins in, from 1."""
        cdef GameSpan* g = self.span()
        return self.block.first_line + count_lines(self.block.s.data, g.start)

    @property
    def offset(self):
        """The byte of its file, unpacked, it begins at."""
        return self.block.offset + self.span().start

    @property
    def source(self):
        """Its text as it stands in the file."""
        cdef GameSpan* g = self.span()
        return text_of_bytes(self.block.s.data + g.start, g.end - g.start)

    @property
    def headers(self):
        """The tags, a dict of strings. Changes stay with this object."""
        cdef GameSpan* g = self.span()
        cdef Tag* tag
        cdef const u8* data = self.block.s.data
        cdef u32 i
        if self.tags is None:
            self.tags = {}
            for i in range(g.tag, g.tag + g.tags):
                tag = &self.block.s.tags[i]
                self.tags[tag_name(data + tag.name, tag.name_length)] = tag_value(data + tag.value, tag.value_length)
        return self.tags

    @property
    def result(self):
        """`"1-0"`, `"0-1"`, `"1/2-1/2"` or `"*"`: by the tag, or else by what stands after the moves."""
        cdef GameSpan* g = self.span()
        return RESULT_TEXTS[g.tag_result if g.tag_result != RESULT_UNKNOWN else g.result]

    @property
    def ratings(self):
        """The ratings of White and Black, 0 where the file does not say."""
        cdef GameSpan* g = self.span()
        return g.elos[WHITE], g.elos[BLACK]

    @property
    def chess960(self):
        return bool(self.span().chess960)

    @property
    def fen(self):
        """The FEN of the position the game starts from."""
        cdef Position pos
        self.put_start(&pos)
        return format_fen(&pos, False)

    @property
    def words(self):
        """The moves of the main line as 16-bit words, from | to << 6 | flags << 12: a memoryview that numpy takes."""
        return memoryview(self.main_words()).cast("H")

    def uci(self):
        """The moves of the main line as UCI texts."""
        cdef bytes words = self.main_words()
        cdef const Move16* moves = <const Move16*><const char*>words
        cdef Py_ssize_t i
        cdef bint chess960 = self.span().chess960
        return [uci_of_word(moves[i], chess960) for i in range(len(words) // <Py_ssize_t>sizeof(Move16))]

    @property
    def moves(self):
        """The moves of the main line, a list of Move."""
        cdef bytes words = self.main_words()
        cdef const Move16* moves = <const Move16*><const char*>words
        cdef Py_ssize_t i
        cdef bint chess960 = self.span().chess960
        return [move_of_word(moves[i], chess960) for i in range(len(words) // <Py_ssize_t>sizeof(Move16))]

    def san(self):
        """The moves of the main line in standard algebraic notation, as the rules write it."""
        cdef bytes words = self.main_words()
        cdef const Move16* moves = <const Move16*><const char*>words
        cdef Position pos
        cdef State states[2]
        cdef char text[SAN_LENGTH]
        cdef Py_ssize_t i
        cdef list found = []
        self.put_start(&pos)
        pos.stack = states
        for i in range(len(words) // <Py_ssize_t>sizeof(Move16)):
            pos.depth = 0
            if moves[i] == NULL_MOVE:
                found.append("--")
                make_null(&pos)
            else:
                found.append(text[:write_san(&pos, moves[i], text)].decode("ascii"))
                make(&pos, moves[i])
        return found

    def set_board(self, Board board not None, Py_ssize_t ply=-1):
        """Sets a board up as it stands after so many half-moves of the main line, its history included; from the end
        with negative numbers, as in a list of positions."""
        cdef bytes words = self.main_words()
        cdef const Move16* moves = <const Move16*><const char*>words
        cdef Py_ssize_t count = len(words) // <Py_ssize_t>sizeof(Move16)
        cdef Py_ssize_t i, wanted = ply if ply >= 0 else count + 1 + ply
        cdef Position pos
        if not 0 <= wanted <= count:
            raise IndexError(f"ply must be between {-count - 1} and {count}, got {ply}")
        self.put_start(&pos)
        pos.stack = board.pos.stack
        board.pos = pos
        board.reserve(<int>wanted)
        with nogil:
            for i in range(wanted):
                if moves[i] == NULL_MOVE:
                    make_null(&board.pos)
                else:
                    make(&board.pos, moves[i])

    cdef dict notes_by_node(self, u32 kind):
        """Node -> comments of a kind, or NAGs, in the order of the text."""
        cdef GameSpan* g = self.span()
        cdef Note* note
        cdef u32 i
        cdef dict found = {}
        for i in range(g.note, g.note + g.notes):
            note = &self.block.s.notes[i]
            if note.kind == kind and note.node != NO_NODE:
                if kind == NOTE_NAG:
                    found.setdefault(note.node, []).append(note.start)
                else:
                    found.setdefault(note.node, []).append(
                        comment_text(self.block.s.data + note.start, note.length))
        return found

    @property
    def comments(self):
        """What is said about the main line: a string before the first move, and one after each move."""
        cdef GameSpan* g = self.span()
        cdef list found = [""] * (g.nodes + 1)
        cdef const Note* note
        cdef str text, before
        cdef u32 i
        for i in range(g.note, g.note + g.notes):
            note = &self.block.s.notes[i]
            if note.kind == NOTE_COMMENT and note.node != NO_NODE:
                text = comment_text(self.block.s.data + note.start, note.length)
                before = found[note.node]
                found[note.node] = before + " " + text if before and text else before or text
        return found if self.block.s.mode != PGN_TREE else [found[node] for node in [0, *self.main_line()]]

    @property
    def nags(self):
        """The NAGs of the main line, like `comments`: for each move a sorted list of numbers."""
        cdef GameSpan* g = self.span()
        cdef list found = [[] for _ in range(g.nodes + 1)]
        cdef const Note* note
        cdef u32 i
        for i in range(g.note, g.note + g.notes):
            note = &self.block.s.notes[i]
            if note.kind == NOTE_NAG and note.start not in <list>found[note.node]:
                (<list>found[note.node]).append(note.start)
                (<list>found[note.node]).sort()
        return found if self.block.s.mode != PGN_TREE else [found[node] for node in [0, *self.main_line()]]

    @property
    def clocks(self):
        """For each move of the main line the seconds its player had left (`%clk`), or None."""
        return self.commands(b"clk", False)

    @property
    def move_times(self):
        """For each move of the main line the seconds it took (`%emt`), or None."""
        return self.commands(b"emt", False)

    @property
    def eval_pairs(self):
        """For each move of the main line the evaluation beside it (`%eval`) for White: centipawns as ("cp", n), mate in
        n moves as ("mate", n), or None."""
        return self.commands(b"eval", True)

    cdef list commands(self, const char* name, bint is_eval):
        cdef GameSpan* g = self.span()
        cdef Note* note
        cdef u32 i
        cdef i32 value
        cdef double seconds
        cdef list found = [None] * (g.nodes + 1)
        for i in range(g.note, g.note + g.notes):
            note = &self.block.s.notes[i]
            if note.kind != NOTE_COMMENT or note.node == NO_NODE or found[note.node] is not None:
                continue
            if is_eval:
                value = read_eval(self.block.s.data + note.start, note.length)
                if value != NO_EVAL:
                    if value >= EVAL_MATE - 10_000:
                        found[note.node] = ("mate", int(EVAL_MATE - value))
                    elif value <= -EVAL_MATE + 10_000:
                        found[note.node] = ("mate", int(-EVAL_MATE - value))
                    else:
                        found[note.node] = ("cp", int(value))
            else:
                seconds = read_clock(self.block.s.data + note.start, note.length, name)
                if seconds >= 0:
                    found[note.node] = seconds
        return found[1:] if self.block.s.mode != PGN_TREE else [found[node] for node in self.main_line()]

    @property
    def has_tree(self):
        """Whether variations were read."""
        self.span()
        return self.block.s.mode == PGN_TREE

    def nodes(self):
        """All moves in the order of the text: (number of the node before, UCI text, SAN), the first being number 1."""
        cdef GameSpan* g = self.span()
        cdef const Move16* moves = self.block.s.moves + g.node
        cdef Position* positions
        cdef State states[2]
        cdef char text[SAN_LENGTH]
        cdef u32 i, parent
        cdef list found = []
        positions = <Position*>malloc((g.nodes + 1) * sizeof(Position))
        if positions == NULL:
            raise MemoryError
        try:
            self.put_start(positions)
            positions[0].stack = states
            for i in range(g.nodes):
                parent = self.block.s.parents[g.node + i] if self.block.s.mode == PGN_TREE else i
                positions[i + 1] = positions[parent]
                positions[i + 1].depth = 0
                if moves[i] == NULL_MOVE:
                    found.append((parent, "0000", "--"))
                    make_null(&positions[i + 1])
                else:
                    san = text[:write_san(&positions[parent], moves[i], text)].decode("ascii")
                    found.append((parent, uci_of_word(moves[i], g.chess960), san))
                    make(&positions[i + 1], moves[i])
        finally:
            free(positions)
        return found

    def node_comments(self):
        """Number of the node -> comments after its move."""
        return self.notes_by_node(NOTE_COMMENT)

    def node_starts(self):
        """Number of the node -> comments before its move, where it begins a variation."""
        return self.notes_by_node(NOTE_START)

    def node_nags(self):
        """Number of the node -> NAGs."""
        return self.notes_by_node(NOTE_NAG)
