# PgnGame: a game of a block. It keeps its block and looks things up when asked, so that nothing is paid for what nobody
# reads.

from cpython.bytes cimport PyBytes_FromStringAndSize

cdef tuple RESULT_TEXTS = ("0-1", "1/2-1/2", "1-0", "*")
cdef list UCI_TEXTS = [None] * 4096         # by from + 64 * to, made when first needed


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


cdef class PgnGame:
    """A game of a block: what stands in its text, looked up when asked for. `cythera.games.Game` is the class to use.
    """
    cdef PgnBlock block
    cdef u32 index
    cdef dict tags

    def __init__(self, *args, **kwargs):
        raise TypeError("games come from cythera.read_games()")

    @classmethod
    def of_block(cls, PgnBlock block not None):
        """The games of a block that have no faults."""
        cdef u32 i
        cdef PgnGame game
        cdef list found = []
        for i in range(block.s.game_count):
            if block.s.games[i].fault == 0:
                game = cls.__new__(cls)
                game.block = block
                game.index = i
                found.append(game)
        return found

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
            if g.nodes:
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
        """Sets a board up as it stands after this many half-moves of the main line, its history included; from the end
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
        """The NAGs of the main line, like `comments`: for each move a tuple of numbers in order."""
        cdef GameSpan* g = self.span()
        cdef list found = [()] * (g.nodes + 1)
        cdef const Note* note
        cdef u32 i
        for i in range(g.note, g.note + g.notes):
            note = &self.block.s.notes[i]
            if note.kind == NOTE_NAG and note.start not in <tuple>found[note.node]:
                found[note.node] = tuple(sorted((*<tuple>found[note.node], note.start)))
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
        cdef Evaluation value
        cdef double seconds
        cdef list found = [None] * (g.nodes + 1)
        for i in range(g.note, g.note + g.notes):
            note = &self.block.s.notes[i]
            if note.kind != NOTE_COMMENT or note.node == NO_NODE or found[note.node] is not None:
                continue
            if is_eval:
                if read_eval(self.block.s.data + note.start, note.length, &value):
                    found[note.node] = ("mate" if value.is_mate else "cp", int(value.value))
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
