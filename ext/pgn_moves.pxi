# Movetext: the moves of a game and what is said about them, and the loop over the games of a block.
#
# Each kind of token has a function that reads it at the cursor, moves the cursor past it and says what it was; moves
# are played in one place. A game ends with its result, before a tag, at the end of the text, and at a blank line that
# move number one follows. A block that ends in the middle of a game is read up to that game: the caller comes back
# with more text.

cdef enum:                  # what a token was
    TOKEN_NEXT = 0          # it was read: go on
    TOKEN_MOVE = 1          # a move or what should be one: see `move`, `code` and `stop` of the cursor
    TOKEN_END = 2           # the game ends before it
    TOKEN_MORE = 3          # the text ends in it
    TOKEN_MEMORY = 4

# Where the reading of a game stands.
ctypedef struct Cursor:
    const u8* p
    const u8* end           # of the text
    GameSpan* game
    Level* level            # the line whose moves are read
    int depth               # of that line, 0 being the main line
    int skipping            # levels of variations that are passed over
    bint is_lost            # nothing more of this game is read
    bint is_over            # the result was read
    bint in_line            # a comment belongs to the move before it, not to the one after
    u32 pending             # comments waiting for the move they stand before
    u32 node                # moves read
    Move16 move
    int code                # of the move: SAN_FOUND, or a fault
    const u8* stop          # where the move ends


cdef inline bint is_passing(const Cursor* cur) noexcept nogil:
    """Whether what comes is passed over: a variation that is not read, or the rest of a bad game."""
    return cur.skipping != 0 or cur.is_lost


cdef inline u32 place_of(const Scanner* s, const u8* p) noexcept nogil:
    return <u32>(p - s.data)


cdef int lose_game(Scanner* s, Cursor* cur, int code) noexcept nogil:
    """Notes a fault that costs the game."""
    if cur.is_lost:
        return TOKEN_NEXT
    cur.game.fault = <u8>code
    cur.is_lost = True
    return TOKEN_NEXT if add_fault(s, place_of(s, cur.p), cur.node, <u32>code) else TOKEN_MEMORY


cdef inline void end_with_result(Cursor* cur, int result) noexcept nogil:
    """A result ends the game, but for results inside variations."""
    if cur.depth == 0 and not cur.skipping and not cur.is_over:
        cur.game.result = <u8>result
        cur.is_over = True


cdef inline bint begins_with(const u8* p, const char* word) noexcept nogil:
    while word[0]:
        if p[0] != <u8>word[0]:
            return False
        p += 1
        word += 1
    return True


cdef inline const u8* past_word(const u8* p) noexcept nogil:
    while CHARS[p[0]] == CHAR_LETTER or CHARS[p[0]] == CHAR_DIGIT:
        p += 1
    return p


cdef int harmless_word(const u8* p) noexcept nogil:
    """The length of a word that is found among moves and says nothing about them; 0 for others."""
    cdef int length = <int>(past_word(p) - p)
    if p[0] == c"e" and p[1] == c"." and p[2] == c"p":
        return 4 if p[3] == c"." else 3
    if length == 1 and (p[0] == c"D" or p[0] == c"N"):      # diagram, novelty
        return 1
    if length == 2 and (begins_with(p, b"ep") or begins_with(p, b"ch")):
        return 2
    if length == 4 and begins_with(p, b"mate"):
        return 4
    return 0


cdef int null_move_length(const u8* p) noexcept nogil:
    if begins_with(p, b"--") or begins_with(p, b"Z0"):
        return 2
    if begins_with(p, b"0000") or begins_with(p, b"@@@@"):
        return 4
    return 0


cdef int read_null_move(Cursor* cur, int length) noexcept nogil:
    cur.move = NULL_MOVE
    cur.code = FAULT_NULL if checkers_of(&cur.level.now) else <int>SAN_FOUND
    cur.stop = cur.p + length
    return TOKEN_MOVE


cdef int read_other_word(Cursor* cur) noexcept nogil:
    """A word that is not the text of a move."""
    cdef int length = null_move_length(cur.p)
    if length:
        return read_null_move(cur, length)
    length = harmless_word(cur.p)
    cur.p += length
    return TOKEN_NEXT if length else TOKEN_MOVE


cdef inline int read_word(Cursor* cur) noexcept nogil:
    if cur.is_over and not cur.skipping:
        return TOKEN_END
    if is_passing(cur):
        cur.p = past_word(cur.p + 1)
        return TOKEN_NEXT
    cur.code = read_san(&cur.level.now, cur.p, &cur.move, &cur.stop)
    return read_other_word(cur) if cur.code == SAN_SYNTAX else TOKEN_MOVE


cdef inline int read_digits(Cursor* cur) noexcept nogil:
    """A result, a move number, castling written with zeros, or a null move."""
    cdef const u8* p = cur.p
    cdef int length
    if p[0] <= c"1" and (p[1] == c"-" or p[1] == c"/" or p[1] == c"0"):
        length = result_length(p)
        if length:
            cur.p += length
            end_with_result(cur, 1 if p[1] == c"/" else 2 * (p[0] == c"1"))
            return TOKEN_NEXT
        if p[0] == c"0" and p[1] != c"/" and not is_passing(cur):
            return read_word(cur)
    if cur.is_over and not cur.skipping:
        return TOKEN_END
    p += 1
    while CHARS[p[0]] == CHAR_DIGIT:
        p += 1
    cur.p = p
    return TOKEN_NEXT


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


cdef int read_high(Cursor* cur) noexcept nogil:
    """Bytes from 128: one half as a result, a figurine, a sign."""
    cdef const u8* p = cur.p
    if p[0] == 0xC2 and p[1] == 0xBD:
        cur.p += 5 if p[2] == c"-" and p[3] == 0xC2 and p[4] == 0xBD else 2
        end_with_result(cur, 1)
        return TOKEN_NEXT
    if cur.is_over and p[0] == 0xEF:        # a byte order mark: another file begins
        return TOKEN_END
    if is_passing(cur):
        cur.p += 1
        return TOKEN_NEXT
    cur.code = read_figurine(&cur.level.now, p, &cur.move, &cur.stop)
    if cur.code == SAN_SYNTAX:
        while CHARS[p[0]] == CHAR_HIGH:
            p += 1
        if not is_alnum(p[0]):              # a sign such as ± or ∞
            cur.p = p
            return TOKEN_NEXT
    return TOKEN_END if cur.is_over else TOKEN_MOVE


cdef bint begins_a_game(const u8* p, const u8* end) noexcept nogil:
    """After a blank line: whether tags or move number one come next."""
    while p < end and (is_blank(p[0]) or p[0] == 10):
        p += 1
    if p[0] == c"[":
        return is_tag(p, end)
    return p[0] == c"1" and (p[1] == c"." or (p[1] == c" " and CHARS[p[2]] == CHAR_LETTER)) and p[2] != c"."


cdef inline int read_line_end(Cursor* cur) noexcept nogil:
    cdef const u8* p = cur.p + 1
    cur.p = p
    if p[0] == c"%":
        cur.p = find_byte(p, cur.end, 10)
        return TOKEN_NEXT
    while is_blank(p[0]):
        p += 1
    cur.p = p
    if p[0] == c"[" and is_tag(p, cur.end):
        return TOKEN_END
    if p[0] == 0xEF and p[1] == 0xBB and p[2] == 0xBF:      # another file begins
        return TOKEN_END
    if p[0] == 10:
        if cur.is_over:
            return TOKEN_END
        if ((cur.node or cur.game.tags == 0) and cur.depth == 0 and not cur.skipping
                and begins_a_game(p, cur.end)):
            return TOKEN_END
    return TOKEN_NEXT


cdef int add_comment(Scanner* s, Cursor* cur, const u8* text, const u8* stop) noexcept nogil:
    """Notes a comment; before the first move of a variation it waits for that move."""
    cdef u32 node = cur.level.node
    if s.mode == PGN_MOVES or is_passing(cur):
        return TOKEN_NEXT
    if s.mode == PGN_TREE and not (cur.in_line or (node == 0 and cur.node == 0)):
        node = NO_NODE
        cur.pending += 1
    if not add_note(s, node, place_of(s, text), <u32>(stop - text), NOTE_COMMENT):
        return TOKEN_MEMORY
    return TOKEN_NEXT


cdef int read_comment(Scanner* s, Cursor* cur) noexcept nogil:
    """A comment in braces. One without an end stops before a line that begins with an Event tag, so that the next game
    is not lost."""
    cdef const u8* close = find_byte(cur.p, cur.end, c"}")
    cdef const u8* line = find_byte(cur.p, close, 10)
    cdef const u8* text = cur.p + 1
    while line < close and not is_event(line + 1, cur.end):
        line = find_byte(line + 1, close, 10)
    if line < close or close == cur.end:
        if line >= close and not s.is_last:
            return TOKEN_MORE
        if lose_game(s, cur, FAULT_COMMENT) == TOKEN_MEMORY:
            return TOKEN_MEMORY
        cur.depth = cur.skipping = 0
        cur.p = line
        return TOKEN_NEXT
    cur.p = close + 1
    return add_comment(s, cur, text, close)


cdef int read_rest(Scanner* s, Cursor* cur) noexcept nogil:
    """A comment from a semicolon to the end of the line."""
    cdef const u8* text = cur.p + 1
    cdef const u8* stop = find_byte(text, cur.end, 10)
    cur.p = stop
    while stop > text and is_blank((stop - 1)[0]):
        stop -= 1
    return add_comment(s, cur, text, stop)


cdef int read_nag(Scanner* s, Cursor* cur) noexcept nogil:
    """`$14`, or marks such as `!?`."""
    cdef const u8* p = cur.p + 1
    cdef u8 first = cur.p[0]
    cdef u32 nag = 0
    if first == c"$":
        while CHARS[p[0]] == CHAR_DIGIT:
            if nag < 10_000_000:
                nag = 10 * nag + p[0] - 48
            p += 1
        if p == cur.p + 1:
            cur.p = p
            return TOKEN_NEXT
    elif CHARS[p[0]] != CHAR_MARK:
        nag = 1 if first == c"!" else 2
    else:
        if first == c"!":
            nag = 3 if p[0] == c"!" else 5
        else:
            nag = 6 if p[0] == c"!" else 4
        p += 1
    cur.p = p
    if s.mode != PGN_MOVES and not is_passing(cur):
        if not add_note(s, cur.level.node, nag, 0, NOTE_NAG):
            return TOKEN_MEMORY
    return TOKEN_NEXT


cdef inline void attach_pending(Scanner* s, Cursor* cur, u32 node, u32 kind) noexcept nogil:
    """Gives the comments that wait for a move to a node."""
    cdef u32 i = s.note_count
    while cur.pending:
        i -= 1
        if s.notes[i].node == NO_NODE:
            s.notes[i].node = node
            s.notes[i].kind = kind
            cur.pending -= 1


cdef int begin_variation(Scanner* s, Cursor* cur) noexcept nogil:
    cdef Level* outer = cur.level
    cdef int code = FAULT_NONE
    if is_passing(cur) or cur.is_over or s.mode != PGN_TREE:
        cur.p += 1
        cur.skipping += 1
        return TOKEN_NEXT
    if not outer.has_moves:
        code = FAULT_EARLY
    elif cur.depth == PGN_DEEPEST:
        code = FAULT_DEEP
    if code:
        cur.skipping = 1
        if not add_fault(s, place_of(s, cur.p), cur.node, <u32>code):
            return TOKEN_MEMORY
    else:
        cur.depth += 1
        cur.level = &s.levels[cur.depth]
        cur.level.now = outer.before
        cur.level.node = cur.level.before_node = outer.before_node
        cur.level.has_moves = False
        cur.in_line = False
    cur.p += 1
    return TOKEN_NEXT


cdef int end_variation(Scanner* s, Cursor* cur) noexcept nogil:
    cdef bint is_bad = cur.level.node == NO_NODE        # the line could not be read to its end
    cur.p += 1
    if cur.skipping:
        cur.skipping -= 1
        if cur.skipping or s.mode != PGN_TREE or not is_bad:
            return TOKEN_NEXT
    if cur.depth:
        cur.depth -= 1
        cur.level = &s.levels[cur.depth]
        cur.in_line = True
        attach_pending(s, cur, cur.level.node, NOTE_COMMENT)    # of a variation without moves
    elif not cur.is_lost and not cur.is_over:
        if not add_fault(s, place_of(s, cur.p - 1), cur.node, FAULT_CLOSE):
            return TOKEN_MEMORY
    return TOKEN_NEXT


cdef int read_other(Scanner* s, Cursor* cur) noexcept nogil:
    """The end of the text, bytes that are no text, null moves, and signs that are passed over."""
    cdef int kind = CHARS[cur.p[0]]
    cdef int length
    if kind == CHAR_ZERO and cur.p >= cur.end:
        return TOKEN_END if s.is_last else TOKEN_MORE
    if kind == CHAR_CONTROL or kind == CHAR_ZERO:
        length = lose_game(s, cur, FAULT_BYTE)
        cur.p += 1
        return length
    if cur.p[0] == c"[" and cur.p == s.data + cur.game.text and is_tag(cur.p, cur.end):
        return TOKEN_END                    # tags alone, and the next game begins
    length = 0 if is_passing(cur) else null_move_length(cur.p)
    if length == 0:
        cur.p += 1
        return TOKEN_NEXT
    return TOKEN_END if cur.is_over else read_null_move(cur, length)


cdef int refuse_move(Scanner* s, Cursor* cur) noexcept nogil:
    """A bad move costs the game, or the rest of its variation."""
    cdef u32 code = <u32>cur.code
    if cur.depth:
        code += FAULT_IN_LINE
        cur.skipping = 1
        cur.level.node = NO_NODE
    else:
        cur.game.fault = <u8>code
        cur.is_lost = True
    if not add_fault(s, place_of(s, cur.p), <u32>cur.level.now.start_ply, code):
        return TOKEN_MEMORY
    cur.p = past_word(cur.p + 1)
    return TOKEN_NEXT


cdef inline void add_to_tree(Scanner* s, Cursor* cur) noexcept nogil:
    """In trees: the node before a move, the position to return to, and comments that were waiting for the move."""
    s.parents[s.node_count] = cur.level.node
    cur.level.before = cur.level.now
    cur.level.before_node = cur.level.node
    cur.level.has_moves = True
    cur.in_line = True
    attach_pending(s, cur, cur.node + 1, NOTE_START)


cdef inline int play_token(Scanner* s, Cursor* cur) noexcept nogil:
    cdef Position* pos = &cur.level.now
    if cur.code == SAN_FOUND and cur.node >= PGN_LONGEST:
        cur.code = FAULT_LENGTH
    if cur.code != SAN_FOUND:
        return refuse_move(s, cur)
    if s.node_count >= s.node_room and not grow_nodes(s):
        return TOKEN_MEMORY
    s.moves[s.node_count] = cur.move
    if s.mode == PGN_TREE:
        add_to_tree(s, cur)
    s.node_count += 1
    cur.node += 1
    cur.level.node = cur.node
    pos.depth = 0
    pos.start_ply += 1
    if cur.move == NULL_MOVE:
        make_null(pos)
    else:
        make(pos, cur.move)
    cur.p = cur.stop
    return TOKEN_NEXT


cdef inline int read_token(Scanner* s, Cursor* cur) noexcept nogil:
    cdef int kind = CHARS[cur.p[0]]
    if kind == CHAR_SPACE:
        cur.p += 1
        return TOKEN_NEXT
    if kind == CHAR_DIGIT:
        return read_digits(cur)
    if kind == CHAR_LETTER:
        return read_word(cur)
    if kind == CHAR_LINE:
        return read_line_end(cur)
    if kind == CHAR_OPEN:
        return read_comment(s, cur)
    if kind == CHAR_MARK or kind == CHAR_NAG:
        return read_nag(s, cur)
    if kind == CHAR_BEGIN:
        return begin_variation(s, cur)
    if kind == CHAR_END:
        return end_variation(s, cur)
    if kind == CHAR_STAR:
        cur.p += 1
        end_with_result(cur, RESULT_UNKNOWN)
        return TOKEN_NEXT
    if kind == CHAR_REST:
        return read_rest(s, cur)
    if kind == CHAR_HIGH:
        return read_high(cur)
    return read_other(s, cur)


cdef int end_game(Scanner* s, Cursor* cur) noexcept nogil:
    """Closes the game that ends at the cursor."""
    cdef GameSpan* g = cur.game
    cdef int code = FAULT_NONE
    if not s.is_last and cur.end - cur.p < PGN_LOOKAHEAD:  # a token may be cut off: the end of the game is not certain
        return SCAN_MORE
    if not cur.is_lost:
        if cur.depth or cur.skipping:
            code = FAULT_OPEN
        elif not cur.is_over:
            code = FAULT_NO_RESULT
        if code and not add_fault(s, place_of(s, cur.p), cur.node, <u32>code):
            return SCAN_MEMORY
    g.nodes = cur.node
    g.notes = s.note_count - g.note
    s.at = place_of(s, cur.p)
    g.end = s.at
    while g.end > g.text and (is_blank(s.data[g.end - 1]) or s.data[g.end - 1] == 10):
        g.end -= 1
    return SCAN_GAME


cdef int scan_moves(Scanner* s) noexcept nogil:
    """Reads the moves of the game whose tags were read; its position stands in the first level."""
    cdef Cursor cur
    cdef int token
    memset(&cur, 0, sizeof(Cursor))
    cur.p = s.data + s.at
    cur.end = s.data + s.size
    cur.game = &s.games[s.game_count]
    cur.is_lost = cur.game.fault != 0
    cur.level = &s.levels[0]
    cur.level.now.stack = s.states
    cur.level.now.depth = 0
    cur.level.node = cur.level.before_node = 0
    cur.level.has_moves = False
    cur.game.starts_at_ply = <u32>cur.level.now.start_ply
    while True:
        token = read_token(s, &cur)
        if token == TOKEN_MOVE:
            token = play_token(s, &cur)
        if token != TOKEN_NEXT:
            break
    if token == TOKEN_END:
        return end_game(s, &cur)
    return SCAN_MORE if token == TOKEN_MORE else SCAN_MEMORY


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
