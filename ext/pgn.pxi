# PGN: the games of a block of text, scanned in one pass without the GIL.
#
# Text is bytes that end in a zero. Moves are resolved as they are read; of tags, comments and NAGs only the places are
# noted, to be decoded when somebody asks. Three modes: main lines alone, main lines with what is said about them,
# whole trees. A game ends with its result, before a tag, at the end of the text, and at a blank line that move number
# one follows. A block that ends in the middle of a game is read up to that game: the caller comes back with more text.

cdef enum:                  # modes
    PGN_MOVES = 0
    PGN_FULL = 1
    PGN_TREE = 2

cdef enum:                  # what stopped the scanner
    SCAN_GAME = 0           # a game was read
    SCAN_SETUP = 1          # tags were read that name a position or a variant: the caller sets it up
    SCAN_MORE = 2           # the text ends inside the game that begins at `at`
    SCAN_END = 3            # there is no more game
    SCAN_MEMORY = 4

cdef enum:                  # faults; those below FAULT_NOTE cost the game, above, the game is kept
    FAULT_NONE = 0
    FAULT_SYNTAX = 1        # 1 to 4 as read_san says
    FAULT_ILLEGAL = 2
    FAULT_AMBIGUOUS = 3
    FAULT_PROMOTION = 4
    FAULT_BYTE = 5          # not a character of text
    FAULT_COMMENT = 6       # a comment without an end
    FAULT_LENGTH = 7        # more plies than a board keeps
    FAULT_NULL = 8          # a null move in check
    FAULT_SETUP = 9         # position or variant; said by the caller
    FAULT_NOTE = 32
    FAULT_OPEN = 33         # a variation without an end
    FAULT_CLOSE = 34        # the end of a variation that did not begin
    FAULT_NO_RESULT = 35
    FAULT_EARLY = 36        # a variation before the first move
    FAULT_DEEP = 37         # variations nested too deep
    FAULT_IN_LINE = 64      # added to 1 to 8: in a variation, whose rest was not read

cdef enum:
    PGN_LONGEST = 32_000    # plies of a game
    PGN_DEEPEST = 200       # nested variations
    PGN_LOOKAHEAD = 32      # bytes, longer than any token that ends a game
    NO_NODE = 0x7FFFFFFF
    NOTE_COMMENT = 0
    NOTE_START = 1          # a comment before the first move of a variation
    NOTE_NAG = 2

cdef enum:                  # results, for arrays: White's score in half points, or 3
    RESULT_UNKNOWN = 3

cdef enum:                  # kinds of characters
    CHAR_OTHER = 0
    CHAR_SPACE = 1
    CHAR_LETTER = 2
    CHAR_DIGIT = 3
    CHAR_LINE = 4
    CHAR_OPEN = 5           # {
    CHAR_MARK = 6           # ! ?
    CHAR_NAG = 7            # $
    CHAR_BEGIN = 8          # (
    CHAR_END = 9            # )
    CHAR_STAR = 10
    CHAR_REST = 11          # ;
    CHAR_HIGH = 12          # from 128
    CHAR_CONTROL = 13
    CHAR_ZERO = 14

cdef u8 CHARS[256]

ctypedef struct Tag:
    u32 name
    u32 name_length
    u32 value
    u32 value_length

ctypedef struct Note:
    u32 node                # of its game: 0 before the first move, n after the n-th move read
    u32 start               # of the text; of a NAG its number
    u32 length
    u32 kind

ctypedef struct Fault:
    u32 game
    u32 at
    u32 ply
    u32 code

ctypedef struct GameSpan:
    u32 start               # bytes of the block
    u32 text                # where the moves begin
    u32 end
    u32 tag                 # its first of each, and how many
    u32 tags
    u32 node
    u32 nodes
    u32 note
    u32 notes
    u32 fen                 # tag + 1, 0 if there is none
    u32 variant
    u32 starts_at_ply       # half-moves before the first, by the position's move number
    u8 result               # after the moves: half points of White, or RESULT_UNKNOWN
    u8 tag_result
    u8 fault                # 0, or why it cannot be used
    u8 chess960
    i16 elos[2]             # 0 if not told

# A line in a tree: where it stands, and where it stood before its last move.
ctypedef struct Level:
    Position now
    Position before
    u32 node
    u32 before_node
    bint has_moves

ctypedef struct Scanner:
    const u8* data
    u32 size
    u32 at                  # where the next game is looked for
    bint is_last            # no text follows
    int mode
    u32 game_count, game_room
    u32 tag_count, tag_room
    u32 node_count, node_room
    u32 note_count, note_room
    u32 fault_count, fault_room
    GameSpan* games
    Tag* tags
    Move16* moves
    u32* parents            # in trees: the node before, 0 for the start
    Note* notes
    Fault* faults
    Level* levels           # PGN_DEEPEST + 1 in trees, else one
    State states[2]         # the positions of a scanner keep no history


cdef void fill_chars() noexcept nogil:
    cdef int i
    for i in range(256):
        CHARS[i] = CHAR_OTHER
        if i < 32 or i == 127:
            CHARS[i] = CHAR_CONTROL
        elif i >= 128:
            CHARS[i] = CHAR_HIGH
        elif 48 <= i <= 57:
            CHARS[i] = CHAR_DIGIT
        elif 97 <= (i | 32) <= 122:
            CHARS[i] = CHAR_LETTER
    CHARS[0] = CHAR_ZERO
    CHARS[9] = CHARS[11] = CHARS[12] = CHARS[13] = CHARS[26] = CHARS[32] = CHARS[46] = CHAR_SPACE
    CHARS[10] = CHAR_LINE
    CHARS[33] = CHARS[63] = CHAR_MARK
    CHARS[36] = CHAR_NAG
    CHARS[40] = CHAR_BEGIN
    CHARS[41] = CHAR_END
    CHARS[42] = CHAR_STAR
    CHARS[59] = CHAR_REST
    CHARS[123] = CHAR_OPEN


fill_chars()


cdef bint grow(void** array, u32* room, u32 wanted, size_t size) noexcept nogil:
    """Makes room for `wanted` elements; False without memory."""
    cdef void* grown
    cdef u32 larger
    if wanted <= room[0]:
        return True
    larger = room[0] + room[0] // 2 + 64
    if larger < wanted:
        larger = wanted
    grown = realloc(array[0], larger * size)
    if grown == NULL:
        return False
    array[0] = grown
    room[0] = larger
    return True


cdef inline const u8* find_byte(const u8* p, const u8* end, u8 c) noexcept nogil:
    """The next such byte, or `end`."""
    cdef const void* found = memchr(p, c, <size_t>(end - p)) if p < end else NULL
    return <const u8*>found if found != NULL else end


cdef inline bint is_blank(u8 c) noexcept nogil:
    return c == 32 or c == 9 or c == 13 or c == 26 or c == 12 or c == 11


cdef inline bint is_tag_character(u8 c) noexcept nogil:
    return is_alnum(c) or c == c"_" or c == c"+" or c == c"#" or c == c"=" or c == c":" or c == c"-"


cdef bint is_tag(const u8* p, const u8* end) noexcept nogil:
    """Whether a tag begins here: bracket, name, quotation mark."""
    if p[0] != c"[":
        return False
    p += 1
    while p < end and is_blank(p[0]):
        p += 1
    if not is_alnum(p[0]):
        return False
    while is_tag_character(p[0]):
        p += 1
    if not is_blank(p[0]) and p[0] != c'"':
        return False
    while p < end and is_blank(p[0]):
        p += 1
    return p[0] == c'"'


cdef inline bint is_event(const u8* p, const u8* end) noexcept nogil:
    return p[0] == c"[" and end - p > 8 and memcmp(p + 1, b"Event", 5) == 0 and is_tag(p, end)


cdef int number_at(const u8* p, u32 length) noexcept nogil:
    """A rating: digits alone, at most 9999; else 0."""
    cdef int value = 0
    cdef u32 i
    if length == 0 or length > 4:
        return 0
    for i in range(length):
        if CHARS[p[i]] != CHAR_DIGIT:
            return 0
        value = 10 * value + p[i] - 48
    return value


cdef int result_at(const u8* p, u32 length) noexcept nogil:
    if length == 3 and p[1] == c"-":
        if p[0] == c"1" and p[2] == c"0":
            return 2
        if p[0] == c"0" and p[2] == c"1":
            return 0
    if length >= 3 and memcmp(p, b"1/2", 3) == 0:
        return 1
    return RESULT_UNKNOWN


cdef void note_tag(Scanner* s, GameSpan* g, u32 number) noexcept nogil:
    """Keeps of a tag what scanning and arrays need."""
    cdef const Tag* tag = &s.tags[number]
    cdef const u8* name = s.data + tag.name
    cdef const u8* value = s.data + tag.value
    if tag.name_length == 6 and memcmp(name, b"Result", 6) == 0:
        g.tag_result = <u8>result_at(value, tag.value_length)
    elif tag.name_length == 3 and memcmp(name, b"FEN", 3) == 0:
        g.fen = number - g.tag + 1
    elif tag.name_length == 7 and memcmp(name, b"Variant", 7) == 0:
        g.variant = 0
        if tag.value_length and not (tag.value_length == 8 and memcmp(value + 1, b"tandard", 7) == 0):
            g.variant = number - g.tag + 1
    elif tag.name_length == 8 and memcmp(name + 5, b"Elo", 3) == 0:
        if memcmp(name, b"White", 5) == 0:
            g.elos[WHITE] = <i16>number_at(value, tag.value_length)
        elif memcmp(name, b"Black", 5) == 0:
            g.elos[BLACK] = <i16>number_at(value, tag.value_length)


cdef const u8* read_tag(Scanner* s, GameSpan* g, const u8* p, const u8* end) noexcept nogil:
    """Reads the tag that begins here; returns where it ends, NULL without memory. Its value ends at the quotation mark
    before the bracket, or with the line."""
    cdef Tag* tag
    cdef const u8* line_end = find_byte(p, end, 10)
    cdef const u8* value
    cdef const u8* q
    if not grow(<void**>&s.tags, &s.tag_room, s.tag_count + 1, sizeof(Tag)):
        return NULL
    tag = &s.tags[s.tag_count]
    p += 1
    while is_blank(p[0]):
        p += 1
    tag.name = <u32>(p - s.data)
    while is_tag_character(p[0]):
        p += 1
    tag.name_length = <u32>(p - s.data) - tag.name
    while p[0] != c'"':
        p += 1
    value = p + 1
    p = value
    while p < line_end:
        if p[0] == c"\\" and p + 1 < line_end:
            p += 2
            continue
        if p[0] == c'"':
            q = p + 1
            while q < line_end and is_blank(q[0]):
                q += 1
            if q < line_end and q[0] == c"]":
                break
        p += 1
    tag.value = <u32>(value - s.data)
    if p >= line_end:           # cut off: what there is of it
        p = line_end
        while p > value and (is_blank((p - 1)[0]) or (p - 1)[0] == c"]" or (p - 1)[0] == c'"'):
            p -= 1
        tag.value_length = <u32>(p - value)
        p = line_end
    else:
        tag.value_length = <u32>(p - value)
        p = find_byte(p, line_end, c"]") + 1
    note_tag(s, g, s.tag_count)
    s.tag_count += 1
    return p


cdef inline bint add_note(Scanner* s, u32 node, u32 start, u32 length, u32 kind) noexcept nogil:
    if not grow(<void**>&s.notes, &s.note_room, s.note_count + 1, sizeof(Note)):
        return False
    s.notes[s.note_count].node = node
    s.notes[s.note_count].start = start
    s.notes[s.note_count].length = length
    s.notes[s.note_count].kind = kind
    s.note_count += 1
    return True


cdef bint add_fault(Scanner* s, u32 at, u32 ply, u32 code) noexcept nogil:
    if not grow(<void**>&s.faults, &s.fault_room, s.fault_count + 1, sizeof(Fault)):
        return False
    s.faults[s.fault_count].game = s.game_count
    s.faults[s.fault_count].at = at
    s.faults[s.fault_count].ply = ply
    s.faults[s.fault_count].code = code
    s.fault_count += 1
    return True


cdef int scan_tags(Scanner* s) noexcept nogil:
    """Finds the next game and reads its tags; moves are next."""
    cdef const u8* p = s.data + s.at
    cdef const u8* end = s.data + s.size
    cdef GameSpan* g
    cdef bint is_parted = False         # a blank line came after a tag
    if not grow(<void**>&s.games, &s.game_room, s.game_count + 1, sizeof(GameSpan)):
        return SCAN_MEMORY
    g = &s.games[s.game_count]
    memset(g, 0, sizeof(GameSpan))
    g.tag = s.tag_count
    g.node = s.node_count
    g.note = s.note_count
    g.result = g.tag_result = RESULT_UNKNOWN
    while True:                         # at the beginning of a line
        if p[0] == 0xEF and p[1] == 0xBB and p[2] == 0xBF:
            p += 3
        if p[0] == c"%" or (p[0] == c";" and s.tag_count == g.tag):
            p = find_byte(p, end, 10)
        while p < end and is_blank(p[0]):
            p += 1
        if p >= end:
            break
        if p[0] == 10:
            is_parted = True
            p += 1
            continue
        if s.tag_count == g.tag:
            g.start = <u32>(p - s.data)
            is_parted = False
        if p[0] != c"[":
            break
        if is_tag(p, end):
            if is_parted and is_event(p, end):
                break
            p = read_tag(s, g, p, end)
            if p == NULL:
                return SCAN_MEMORY
            is_parted = False
            while p < end and is_blank(p[0]):
                p += 1
            if p < end and p[0] == c"[":        # another one on the same line
                continue
        p = find_byte(p, end, 10)       # what is left of the line, or what is no tag
        if p < end:
            p += 1
        is_parted = False
    s.at = <u32>(p - s.data)
    g.text = s.at
    g.tags = s.tag_count - g.tag
    if p >= end:
        if not s.is_last:
            return SCAN_MORE
        if g.tags == 0:
            return SCAN_END
    return SCAN_SETUP if g.fen or g.variant else SCAN_GAME


cdef inline const u8* past_word(const u8* p) noexcept nogil:
    while CHARS[p[0]] == CHAR_LETTER or CHARS[p[0]] == CHAR_DIGIT:
        p += 1
    return p


cdef int harmless_word(const u8* p) noexcept nogil:
    """The length of a word that is found among moves and says nothing about them; 0 for others."""
    cdef const u8* q = past_word(p)
    cdef int length = <int>(q - p)
    if p[0] == c"e" and p[1] == c"." and p[2] == c"p":
        return 4 if p[3] == c"." else 3
    if length == 1 and (p[0] == c"D" or p[0] == c"N"):      # diagram, novelty
        return 1
    if length == 2 and (memcmp(p, b"ep", 2) == 0 or memcmp(p, b"ch", 2) == 0):
        return 2
    if length == 4 and memcmp(p, b"mate", 4) == 0:
        return 4
    return 0


cdef int null_move_length(const u8* p) noexcept nogil:
    if p[0] == c"-" and p[1] == c"-":
        return 2
    if p[0] == c"Z" and p[1] == c"0":
        return 2
    if p[0] == c"0" and memcmp(p, b"0000", 4) == 0:
        return 4
    if p[0] == c"@" and memcmp(p, b"@@@@", 4) == 0:
        return 4
    return 0


cdef int read_figurine(const Position* pos, const u8* p, Move16* move, const u8** stop) noexcept nogil:
    """A move whose piece is one of the Unicode figures U+2654 to U+265F."""
    cdef u8 text[16]
    cdef const char* letters = b"KQRBNPKQRBNP"
    cdef const u8* ended
    cdef int i, code
    stop[0] = p
    if p[0] != 0xE2 or p[1] != 0x99 or p[2] < 0x94 or p[2] > 0x9F:
        return SAN_SYNTAX
    text[0] = <u8>letters[p[2] - 0x94]
    text[15] = 0
    for i in range(14):
        text[i + 1] = p[i + 3]
        if p[i + 3] == 0:
            break
    code = read_san(pos, text, move, &ended)
    if ended != text:
        stop[0] = p + 3 + (ended - text - 1)
    return code


cdef bint begins_a_game(const u8* p, const u8* end) noexcept nogil:
    """After a blank line: whether tags or move number one come next."""
    while p < end and (is_blank(p[0]) or p[0] == 10):
        p += 1
    if p[0] == c"[":
        return is_tag(p, end)
    return p[0] == c"1" and (p[1] == c"." or (p[1] == c" " and CHARS[p[2]] == CHAR_LETTER)) and p[2] != c"."


cdef inline void begin_line(Level* level, Scanner* s) noexcept nogil:
    level.now.stack = s.states
    level.now.depth = 0
    level.node = level.before_node = 0
    level.has_moves = False


cdef int scan_moves(Scanner* s) noexcept nogil:
    """Reads the moves of the game whose tags were read; its position stands in the first level."""
    cdef GameSpan* g = &s.games[s.game_count]
    cdef const u8* p = s.data + s.at
    cdef const u8* end = s.data + s.size
    cdef const u8* stop
    cdef const u8* q
    cdef Level* level = &s.levels[0]
    cdef Position* pos = &level.now
    cdef int mode = s.mode
    cdef int depth = 0              # of the line in `level`
    cdef int skipping = 0           # levels of variations that are passed over
    cdef bint lost = g.fault != 0   # nothing more of this game is read
    cdef bint is_over = False
    cdef bint in_line = False       # a comment belongs to the move before it, not to the one after
    cdef u32 pending = 0            # comments waiting for the move they stand before
    cdef u32 node = 0               # moves read
    cdef u32 i
    cdef int kind, code, length, value
    cdef Move16 m = NO_MOVE
    begin_line(level, s)
    g.starts_at_ply = <u32>pos.start_ply
    while True:
        kind = CHARS[p[0]]
        if kind == CHAR_SPACE:
            p += 1
            continue
        if kind == CHAR_DIGIT:
            if p[0] <= c"1" and (p[1] == c"-" or p[1] == c"/" or p[1] == c"0"):
                length = 0
                value = RESULT_UNKNOWN
                if p[0] == c"1" and p[1] == c"-" and p[2] == c"0":
                    length, value = 3, 2
                elif p[0] == c"0" and p[1] == c"-" and p[2] == c"1":
                    length, value = 3, 0
                elif p[0] == c"1" and p[1] == c"/" and p[2] == c"2":
                    length, value = 3, 1
                    if p[3] == c"-" and p[4] == c"1" and p[5] == c"/" and p[6] == c"2":
                        length = 7
                if length:
                    p += length
                    if depth == 0 and not skipping and not is_over:
                        g.result = <u8>value
                        is_over = True
                    continue
                if p[0] == c"0" and p[1] != c"/" and not lost and not skipping:
                    kind = CHAR_LETTER      # castling with zeros, or a null move
            if kind == CHAR_DIGIT:
                if is_over and not skipping:
                    break
                p += 1
                while CHARS[p[0]] == CHAR_DIGIT:
                    p += 1
                continue
        if kind == CHAR_LETTER:
            if is_over and not skipping:
                break
            if skipping or lost:
                p = past_word(p + 1)
                continue
            code = read_san(pos, p, &m, &stop)
            if code == SAN_SYNTAX:
                length = null_move_length(p)
                if length:
                    stop = p + length
                    m = NULL_MOVE
                    code = FAULT_NULL if checkers_of(pos) else <int>SAN_FOUND
                else:
                    length = harmless_word(p)
                    if length:
                        p += length
                        continue
        elif kind == CHAR_LINE:
            p += 1
            if p[0] == c"%":
                p = find_byte(p, end, 10)
                continue
            while is_blank(p[0]):
                p += 1
            if p[0] == c"[" and is_tag(p, end):
                break
            if p[0] == 0xEF and p[1] == 0xBB and p[2] == 0xBF:      # another file begins
                break
            if p[0] == 10:
                if is_over:
                    break
                if (node or g.tags == 0) and depth == 0 and not skipping and begins_a_game(p, end):
                    break
            continue
        elif kind == CHAR_OPEN:
            q = find_byte(p, end, c"}")
            stop = find_byte(p, q, 10)
            while stop < q and not is_event(stop + 1, end):
                stop = find_byte(stop + 1, q, 10)
            if stop < q or q == end:        # without an end; the next game, if one begins in it, is not lost
                if q == end and stop >= q and not s.is_last:
                    return SCAN_MORE
                if not lost and not add_fault(s, <u32>(p - s.data), node, FAULT_COMMENT):
                    return SCAN_MEMORY
                g.fault = FAULT_COMMENT
                lost = True
                depth = skipping = 0
                p = stop
                continue
            if mode != PGN_MOVES and not skipping and not lost:
                i = level.node
                if mode == PGN_TREE and not (in_line or (i == 0 and node == 0)):
                    i = NO_NODE
                    pending += 1
                if not add_note(s, i, <u32>(p + 1 - s.data), <u32>(q - p - 1), NOTE_COMMENT):
                    return SCAN_MEMORY
            p = q + 1
            continue
        elif kind == CHAR_MARK or kind == CHAR_NAG:
            value = 0
            q = p
            p += 1
            if kind == CHAR_MARK:
                if CHARS[p[0]] == CHAR_MARK:
                    if q[0] == c"!":
                        value = 3 if p[0] == c"!" else 5
                    else:
                        value = 6 if p[0] == c"!" else 4
                    p += 1
                else:
                    value = 1 if q[0] == c"!" else 2
            else:
                while CHARS[p[0]] == CHAR_DIGIT:
                    if value < 10_000_000:
                        value = 10 * value + p[0] - 48
                    p += 1
                if p == q + 1:
                    continue
            if mode != PGN_MOVES and not skipping and not lost:
                if not add_note(s, level.node, <u32>value, 0, NOTE_NAG):
                    return SCAN_MEMORY
            continue
        elif kind == CHAR_BEGIN:
            p += 1
            if skipping or lost or is_over or mode != PGN_TREE:
                skipping += 1
                continue
            code = FAULT_EARLY if not level.has_moves else (FAULT_DEEP if depth == PGN_DEEPEST else FAULT_NONE)
            if code:
                skipping = 1
                if not add_fault(s, <u32>(p - 1 - s.data), node, <u32>code):
                    return SCAN_MEMORY
                continue
            depth += 1
            s.levels[depth].now = level.before
            s.levels[depth].node = s.levels[depth].before_node = level.before_node
            s.levels[depth].has_moves = False
            level = &s.levels[depth]
            pos = &level.now
            in_line = False
            continue
        elif kind == CHAR_END:
            p += 1
            if skipping > 1 or (skipping == 1 and mode != PGN_TREE):
                skipping -= 1
            elif skipping == 1:
                skipping = 0
                if level.node == NO_NODE and depth:      # the line could not be read to its end
                    depth -= 1
                    level = &s.levels[depth]
                    pos = &level.now
            elif depth:
                depth -= 1
                level = &s.levels[depth]
                pos = &level.now
            elif not lost and not is_over:
                if not add_fault(s, <u32>(p - 1 - s.data), node, FAULT_CLOSE):
                    return SCAN_MEMORY
            continue
        elif kind == CHAR_STAR:
            p += 1
            if depth == 0 and not skipping and not is_over:
                is_over = True
            continue
        elif kind == CHAR_REST:
            q = find_byte(p, end, 10)
            if mode != PGN_MOVES and not skipping and not lost and (p == s.data or (p - 1)[0] != 10):
                stop = q
                while stop > p + 1 and is_blank((stop - 1)[0]):
                    stop -= 1
                if not add_note(s, level.node, <u32>(p + 1 - s.data), <u32>(stop - p - 1), NOTE_COMMENT):
                    return SCAN_MEMORY
            p = q
            continue
        elif kind == CHAR_HIGH:
            if p[0] == 0xC2 and p[1] == 0xBD:       # one half
                p += 2
                if p[0] == c"-" and p[1] == 0xC2 and p[2] == 0xBD:
                    p += 3
                if depth == 0 and not skipping and not is_over:
                    is_over = True
                    g.result = 1
                continue
            if is_over and p[0] == 0xEF:
                break
            if skipping or lost:
                p += 1
                continue
            code = read_figurine(pos, p, &m, &stop)
            if code == SAN_SYNTAX:
                q = p
                while CHARS[q[0]] == CHAR_HIGH:
                    q += 1
                if not is_alnum(q[0]):      # a sign such as ± or ∞
                    p = q
                    continue
            if is_over:
                break
        elif kind == CHAR_ZERO and p >= end:
            if not s.is_last:
                return SCAN_MORE
            break
        elif kind == CHAR_CONTROL or kind == CHAR_ZERO:
            if not lost:
                if not add_fault(s, <u32>(p - s.data), node, FAULT_BYTE):
                    return SCAN_MEMORY
                g.fault = FAULT_BYTE
                lost = True
            p += 1
            continue
        elif p[0] == c"[" and p == s.data + g.text and is_tag(p, end):
            break                   # tags alone, and the next game begins
        else:
            length = 0 if skipping or lost else null_move_length(p)
            if length == 0:
                p += 1
                continue
            if is_over:
                break
            stop = p + length
            m = NULL_MOVE
            code = FAULT_NULL if checkers_of(pos) else <int>SAN_FOUND

        # A move: play it, or say what is wrong with it.
        if code == SAN_FOUND and node >= PGN_LONGEST:
            code = FAULT_LENGTH
        if code != SAN_FOUND:
            if depth:
                if not add_fault(s, <u32>(p - s.data), <u32>pos.start_ply, <u32>(code + FAULT_IN_LINE)):
                    return SCAN_MEMORY
                skipping = 1
                level.node = NO_NODE
            else:
                if not add_fault(s, <u32>(p - s.data), <u32>pos.start_ply, <u32>code):
                    return SCAN_MEMORY
                g.fault = <u8>code
                lost = True
            p = past_word(p + 1)
            continue
        if s.node_count >= s.node_room:
            if not grow_nodes(s):
                return SCAN_MEMORY
        s.moves[s.node_count] = m
        if mode == PGN_TREE:
            s.parents[s.node_count] = level.node
            level.before = level.now
            level.before_node = level.node
            level.has_moves = True
            in_line = True
            i = s.note_count
            while pending:
                i -= 1
                if s.notes[i].node == NO_NODE:
                    s.notes[i].node = node + 1
                    s.notes[i].kind = NOTE_START
                    pending -= 1
        s.node_count += 1
        node += 1
        level.node = node
        pos.depth = 0
        pos.start_ply += 1
        if m == NULL_MOVE:
            make_null(pos)
        else:
            make(pos, m)
        p = stop
    if not s.is_last and end - p < PGN_LOOKAHEAD:      # a token may be cut off: the end of the game is not certain
        return SCAN_MORE
    if not lost:
        if depth or skipping:
            if not add_fault(s, <u32>(p - s.data), node, FAULT_OPEN):
                return SCAN_MEMORY
        elif not is_over:
            if not add_fault(s, <u32>(p - s.data), node, FAULT_NO_RESULT):
                return SCAN_MEMORY
    g.nodes = node
    g.notes = s.note_count - g.note
    s.at = <u32>(p - s.data)
    g.end = s.at
    while g.end > g.text and (is_blank(s.data[g.end - 1]) or s.data[g.end - 1] == 10):
        g.end -= 1
    return SCAN_GAME


cdef bint grow_nodes(Scanner* s) noexcept nogil:
    cdef u32 room = s.node_room
    if not grow(<void**>&s.moves, &room, s.node_count + 1, sizeof(Move16)):
        return False
    if s.mode == PGN_TREE:
        room = s.node_room
        if not grow(<void**>&s.parents, &room, s.node_count + 1, sizeof(u32)):
            return False
    s.node_room = room
    return True


cdef int scan_games(Scanner* s, const Position* start, u32 most) noexcept nogil:
    """Reads games until something stops it: SCAN_SETUP when a game needs its own position (see `scan_moves`),
    SCAN_GAME after `most` games, else SCAN_MORE, SCAN_END or SCAN_MEMORY."""
    cdef u32 tags, nodes, notes, faults, at
    cdef int status
    while s.game_count < most:
        tags, nodes, notes, faults = s.tag_count, s.node_count, s.note_count, s.fault_count
        at = s.at
        status = scan_tags(s)
        if status == SCAN_SETUP:
            return SCAN_SETUP
        if status == SCAN_GAME:
            s.levels[0].now = start[0]
            status = scan_moves(s)
        if status != SCAN_GAME:
            s.tag_count, s.node_count, s.note_count, s.fault_count = tags, nodes, notes, faults
            if status == SCAN_MORE:
                s.at = at
            return status
        keep_game(s)
    return SCAN_GAME


cdef void keep_game(Scanner* s) noexcept nogil:
    """Counts the game that was read. One that consists of nothing (comments before the first game) is dropped."""
    cdef GameSpan* g = &s.games[s.game_count]
    if g.tags == 0 and g.nodes == 0 and g.fault == 0 and g.result == RESULT_UNKNOWN and (
            g.end == 0 or s.data[g.end - 1] != c"*"):
        s.note_count = g.note
        while s.fault_count and s.faults[s.fault_count - 1].game == s.game_count:
            s.fault_count -= 1
        return
    s.game_count += 1


cdef void free_scanner(Scanner* s) noexcept nogil:
    free(s.games)
    free(s.tags)
    free(s.moves)
    free(s.parents)
    free(s.notes)
    free(s.faults)
    free(s.levels)


# Commands inside comments: `[%clk 0:10:03.5]`, `[%eval 0.17]`, `[%eval #-3,20]`.

cdef enum:
    NO_EVAL = -32_768
    EVAL_MATE = 32_000      # mate in n for White is EVAL_MATE - n; centipawns stay below 20,000


cdef const u8* find_command(const u8* p, const u8* end, const char* name) noexcept nogil:
    """What stands after `[%name ` in a comment, or NULL."""
    cdef size_t length = strlen(name)
    while True:
        p = find_byte(p, end, c"[")
        if end - p < <Py_ssize_t>length + 3:
            return NULL
        p += 1
        if p[0] == c"%" and memcmp(p + 1, name, length) == 0 and is_blank(p[length + 1]):
            return p + length + 2


cdef double read_clock(const u8* text, u32 size, const char* name) noexcept nogil:
    """Seconds of a clock command, -1 if there is none."""
    cdef const u8* end = text + size
    cdef const u8* p = find_command(text, end, name)
    cdef double total = 0, part = 0, unit = 0.1
    cdef int colons = 0
    if p == NULL or CHARS[p[0]] != CHAR_DIGIT:
        return -1
    while p < end:
        if CHARS[p[0]] == CHAR_DIGIT:
            part = 10 * part + (p[0] - 48)
        elif p[0] == c":" and colons < 2:
            total = 60 * (total + part)
            part = 0
            colons += 1
        elif p[0] == c".":
            p += 1
            while CHARS[p[0]] == CHAR_DIGIT:
                part += (p[0] - 48) * unit
                unit /= 10
                p += 1
            break
        else:
            break
        p += 1
    if p >= end or p[0] != c"]":
        return -1
    return total + part


cdef i32 read_eval(const u8* text, u32 size) noexcept nogil:
    """Centipawns for White, EVAL_MATE - n or -EVAL_MATE - n for mate in n (n < 0: by Black), or NO_EVAL."""
    cdef const u8* end = text + size
    cdef const u8* p = find_command(text, end, b"eval")
    cdef i64 value = 0
    cdef bint is_negative = False, is_mate = False
    cdef int decimals = -1
    if p == NULL:
        return NO_EVAL
    if p[0] == c"#":
        is_mate = True
        p += 1
    if p[0] == c"-" or p[0] == c"+":
        is_negative = p[0] == c"-"
        p += 1
    if CHARS[p[0]] != CHAR_DIGIT and p[0] != c".":
        return NO_EVAL
    while p < end and decimals < 2:
        if CHARS[p[0]] == CHAR_DIGIT:
            if value < 100_000_000:
                value = 10 * value + p[0] - 48
            if decimals >= 0:
                decimals += 1
        elif p[0] == c"." and decimals < 0 and not is_mate:
            decimals = 0
        else:
            break
        p += 1
    if p < end and (CHARS[p[0]] == CHAR_DIGIT):
        while CHARS[p[0]] == CHAR_DIGIT:
            p += 1
    if p >= end or (p[0] != c"]" and p[0] != c","):
        return NO_EVAL
    if is_mate:
        if value > 9999:
            value = 9999
        return <i32>(-EVAL_MATE + value) if is_negative else <i32>(EVAL_MATE - value)
    if decimals < 0:
        decimals = 0
    while decimals < 2:
        value *= 10
        decimals += 1
    if value > 20_000:
        value = 20_000
    return <i32>-value if is_negative else <i32>value
