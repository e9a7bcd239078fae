# The scanner of PGN text: what it fills, the kinds of characters, and small helpers.
#
# Text is bytes that end in a zero. Moves are resolved as they are read; of tags, comments and NAGs only the places are
# noted, to be decoded when somebody asks. Three modes: main lines alone, main lines with what is said about them,
# whole trees.

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


cdef void free_scanner(Scanner* s) noexcept nogil:
    free(s.games)
    free(s.tags)
    free(s.moves)
    free(s.parents)
    free(s.notes)
    free(s.faults)
    free(s.levels)
